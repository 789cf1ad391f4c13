"""The handbook tells the truth: links lead somewhere, commands parse, numbers are the program's."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

import pytest

from engine.domain.run import (
    DEFAULT_MAX_STEPS,
    MOST_STEPS,
    MOST_WORKING_PER_USER,
    STATUSES,
    TOPIC_MOST_CHARS,
    StateName,
    Verdict,
)
from engine.domain.timing import Timing
from engine.settings import FetchSettings, RetrySettings, Settings, load_settings
from engine.settings_file import LATER, known_keys
from engine.tools.fetch_page import MAX_PAGE_CHARS
from engine.tools.web_search import QUERY_MOST_CHARS
from engine.web.addresses import PORTS, URL_MOST_CHARS
from engine.web.fetch import REDIRECTS_MOST
from engine.web.providers.docs_files import SUFFIXES
from gligabao_tui.headless.exit_codes import ExitCode
from gligabao_tui.key_names import key_spelled
from gligabao_tui.keys import ACTIONS
from gligabao_tui.resources import theme_tables
from tests.architecture.command_lines import commands, fault_of
from tests.architecture.handbook import Document, document, documents
from tests.architecture.sources import ROOT

AGENTS = document("docs/agents.md")
SAFETY = document("docs/safety.md")
FILES = document("docs/files-and-settings.md")
START = document("docs/start.md")
SCREENS = document("docs/screens.md")
README = document("README.md")

EXAMPLES = {
    *(
        "agent_defs_dir",
        "anthropic_api_key",
        "app.theme",
        "app.keymap",
        "endpoint.base_url",
        "fetch.allow",
    ),
    *("search.provider", "search.searxng_url", "search.brave_api_key", "search.tavily_api_key"),
    *("search.base_urls", "prices", "knowledge.model", "knowledge.embedding_url"),
    *("knowledge.embedding_model", "knowledge.embedding_api_key"),
}
"""Settings of the example file that have no default or another one."""
SHOWN_OTHERWISE = {"Ctrl+Enter", "Esc"}
"""Keys that people know by another name than Textual's."""


def test_every_link_leads_to_a_file_and_a_heading() -> None:
    assert [f"{doc.name}: {link}" for doc in documents() for link in dead_links(doc)] == []


def test_a_dead_link_is_found() -> None:
    text = "# A\n[a](b.md) [c](start.md#no-such-heading) [d](start.md#install) ![e](nothing.svg)"
    sample = Document(ROOT / "docs/sample.md", text)
    assert dead_links(sample) == ["b.md", "start.md#no-such-heading", "nothing.svg"]


def test_every_command_line_of_the_documents_is_taken_by_the_programs() -> None:
    shown = [(doc.name, words) for doc in documents() for words in doc.commands()]
    assert len(shown) > 20
    assert [f"{name}: {words}: {fault_of(words)}" for name, words in shown if fault_of(words)] == []


@pytest.mark.parametrize(
    "line",
    [
        "gligabao serve --shout",
        "gligabao research remove 7",
        "gligabao research get",
        "gligabao research get seven",
        "gligabao research start TOPIC --color red",
        "gligabao_agent TOPIC --wait",
    ],
)
def test_a_command_line_that_no_program_takes_is_found(line: str) -> None:
    assert fault_of(line.split())


def test_every_command_is_told() -> None:
    told = {" ".join(words) for words in FILES.commands()}
    assert [name for name in commands() if not any(name in line for line in told)] == []


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        (AGENTS, f"The topic has at most {TOPIC_MOST_CHARS:,} characters."),
        (AGENTS, f"The number of steps is {DEFAULT_MAX_STEPS} by default and at most {MOST_STEPS}"),
        (AGENTS, f"With {DEFAULT_MAX_STEPS} steps an agent has {DEFAULT_MAX_STEPS - 1} steps of"),
        (AGENTS, f"takes a query of 1 to {QUERY_MOST_CHARS} characters"),
        (AGENTS, f"gives the text of the page, {MAX_PAGE_CHARS:,} characters at a time"),
        (AGENTS, f"A page is read up to {FetchSettings().max_bytes:,} bytes (1 MiB), a PDF file"),
        (AGENTS, f"a PDF file up to {FetchSettings().max_pdf_bytes >> 20} MiB"),
        (AGENTS, f"A page takes at most {Timing().page_whole:.0f} seconds, and a search takes at"),
        (AGENTS, f"a search takes at most {Timing().search:.0f} seconds"),
        (AGENTS, f"One model call takes at most {Timing().model_call / 60:.0f} minutes"),
        (AGENTS, f"without any event for {Timing().stream_idle:.0f} seconds is given up"),
        (AGENTS, f"grows from {Timing().backoff_first} to {Timing().backoff_most:.0f} seconds"),
        (AGENTS, f"is kept, up to {RetrySettings().max_wait_seconds:.0f} seconds"),
        (START, f"a topic of up to {TOPIC_MOST_CHARS:,} characters"),
        (START, f"({DEFAULT_MAX_STEPS} unless changed, {MOST_STEPS} at most)"),
        (SCREENS, f"refuses more than {TOPIC_MOST_CHARS:,}"),
        (SAFETY, f"addresses longer than {URL_MOST_CHARS:,} characters"),
        (SAFETY, "ports other than 80, 443, 8080 and 8443"),
    ],
)
def test_the_handbook_has_the_numbers_of_the_program(page: Document, sentence: str) -> None:
    assert sentence in page.prose


def test_numbers_written_as_words_are_the_program_s_too() -> None:
    words = ("no", "one", "two", "three", "four", "five")
    assert f"at most {words[MOST_WORKING_PER_USER]} agents working at once" in AGENTS.prose
    assert f"tried up to {words[RetrySettings().attempts]} times" in AGENTS.prose
    assert f"tries again for {words[int(Timing().join_most)]} seconds" in FILES.prose
    assert f"tries for {words[int(Timing().rejoin_most)]} seconds to become" in SCREENS.prose
    assert f"redirect at most {words[REDIRECTS_MOST]} times" in SAFETY.prose
    assert sorted(PORTS) == [80, 443, 8080, 8443]


def test_every_state_status_and_verdict_is_explained() -> None:
    assert missing_words(AGENTS.section("States of a run"), get_args(StateName)) == []
    assert missing_words(AGENTS.section("Statuses of a run"), STATUSES) == []
    assert missing_words(document("docs/knowledge-base.md").prose, get_args(Verdict)) == []


def test_every_kind_of_document_is_named() -> None:
    assert missing_words(START.prose, SUFFIXES) == []


@pytest.mark.req("R060")
def test_the_handbook_says_which_addresses_are_refused_and_how_one_is_allowed() -> None:
    assert "Private addresses are refused by default" in SAFETY.section(
        "Which addresses are refused"
    )
    allowed = SAFETY.section("Allow a private address")
    assert "`[fetch] allow`" in allowed
    assert "There is no setting that allows everything" in allowed


def test_the_example_configuration_is_accepted_and_complete(tmp_path: Path) -> None:
    (example,) = FILES.blocks("toml")
    (tmp_path / "gligabao.toml").write_text(example)
    load_settings({}, {}, cwd=tmp_path)
    tables = tomllib.loads(example)
    given = {*dict(_leaves(tables)), *(f"app.{name}" for name in tables["app"])}
    assert set(known_keys()) - set(LATER) - given == set()


def test_values_of_the_example_are_the_defaults_unless_it_says_otherwise(tmp_path: Path) -> None:
    (example,) = FILES.blocks("toml")
    (tmp_path / "gligabao.toml").write_text(example)
    given = dict(_leaves(asdict(load_settings({}, {}, cwd=tmp_path))))
    default = dict(_leaves(asdict(Settings(data_dir=tmp_path))))
    differing = {key for key in default if given.get(key) != default[key]}
    assert differing - {"data_dir", "config_file", "origins"} == EXAMPLES


def test_every_example_of_the_safety_page_is_accepted(tmp_path: Path) -> None:
    for number, example in enumerate(SAFETY.blocks("toml")):
        (tmp_path / "gligabao.toml").write_text(example)
        assert load_settings({}, {}, cwd=tmp_path).fetch.allow, f"example {number}"


def test_every_key_of_the_handbook_is_a_key_of_the_app() -> None:
    told = set(re.findall(r"`([^`]+)`", re.sub(r"(?s)^.*?## Keys|## Start.*", "", SCREENS.prose)))
    assert {key.lower() for key in told} - {shown.lower() for shown in _keys_of_the_app()} == set()


def test_every_theme_is_named_and_the_example_is_one() -> None:
    (example,) = FILES.blocks("toml")
    assert missing_words(SCREENS.section("Colours and slow lines"), tuple(theme_tables())) == []
    assert tomllib.loads(example)["app"]["theme"] in theme_tables()


def test_every_exit_code_is_told_and_no_other() -> None:
    told = re.findall(r"^- (\d+): ", FILES.section("Exit codes"), re.MULTILINE)
    assert [int(code) for code in told] == sorted(ExitCode)


def test_the_readme_names_one_test_command_and_ci_ends_with_it() -> None:
    last = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()[-1]
    command = last.removeprefix("step 'tests' ")
    assert [
        line.endswith(f"&& {command}") for line in "".join(README.blocks("sh")).splitlines()
    ].count(True) == 1


def test_the_readme_is_short_and_has_the_twelve_hops() -> None:
    hops = re.findall(r"^(\d+)\. ", README.text, re.MULTILINE)
    assert hops == [str(n) for n in range(1, 13)]
    assert len(README.text.splitlines()) < 100


def dead_links(doc: Document) -> list[str]:
    return [link for link in doc.links() if not _leads_somewhere(doc, link)]


def missing_words(text: str, words: tuple[str, ...]) -> list[str]:
    return [word for word in words if f"`{word}`" not in text]


def _leads_somewhere(doc: Document, link: str) -> bool:
    file, _, anchor = link.partition("#")
    path = (doc.path.parent / file).resolve() if file else doc.path
    if not path.exists() or not path.is_relative_to(ROOT):
        return False
    return not anchor or anchor in Document(path, path.read_text(encoding="utf-8")).anchors()


def _leaves(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Dotted key and value, tables within tables unfolded."""
    for name, value in table.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _keys_of_the_app() -> set[str]:
    keys = {key for action in ACTIONS for key in action.default_keys}
    return {key_spelled(key) for key in keys} | SHOWN_OTHERWISE
