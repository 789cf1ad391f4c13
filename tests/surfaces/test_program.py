"""The program around the commands: its options, the app, read, doctor, demo, and its errors."""

import io
import logging
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NoReturn

import pytest

from engine.api import Settings, StartRequest
from engine.domain.errors import (
    CannotStart,
    EngineUnreachable,
    GligabaoError,
    NotFound,
    ProviderError,
    Refused,
    StoreError,
    UserError,
)
from engine.domain.events import Event
from engine.domain.run import RunId
from gligabao_tui.headless import output
from gligabao_tui.headless.cli import hoisted
from gligabao_tui.headless.commands_read import HOW_TO_ALLOW
from gligabao_tui.headless.exit_codes import ExitCode, code_of
from gligabao_tui.view.demo import DEMO_TOPIC
from tests.fakes.engine import FakeEngine
from tests.fakes.models import text_reply
from tests.surfaces.conftest import Shell


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UserError("x"), 2),
        (CannotStart("x"), 3),
        (StoreError("x"), 3),
        (NotFound("x"), 4),
        (Refused("x"), 5),
        (EngineUnreachable("x"), 5),
        (ProviderError("server", "x"), 1),
        (GligabaoError("x"), 1),
    ],
)
def test_each_kind_of_error_has_its_exit_code(error: GligabaoError, code: int) -> None:
    assert code_of(error) == code


def test_options_of_the_program_may_stand_anywhere_before_a_double_dash() -> None:
    words = ["research", "ls", "--user", "ann", "--limit", "3", "--data-dir=x", "--", "--config"]
    assert hoisted(words) == [
        *("--user", "ann", "--data-dir=x", "research", "ls", "--limit", "3", "--", "--config"),
    ]


def test_an_option_of_the_program_without_its_value_is_told(shell: Shell) -> None:
    said = shell("research", "ls", "--user")
    assert (said.code, said.out) == (2, "")
    assert "Option '--user' requires an argument" in said.err


def test_the_data_directory_and_the_user_are_taken_before_and_after(
    shell: Shell, tmp_path: Path
) -> None:
    elsewhere = str(tmp_path / "elsewhere")
    for number, before in enumerate((True, False), start=1):
        shell.script([text_reply("# R")])
        around = ["--data-dir", elsewhere, "--user", "ann"]
        command = ["research", "start", "topic"]
        said = shell(*around, *command) if before else shell(*command, *around)
        assert (said.document["id"], said.document["user_id"]) == (number, "ann")


def test_a_topic_after_a_double_dash_may_look_like_an_option(shell: Shell) -> None:
    shell.script([text_reply("# R")])
    assert shell("research", "start", "--", "--user").document["topic"] == "--user"


def test_a_bad_configuration_is_exit_code_3_with_every_problem(
    shell: Shell, tmp_path: Path
) -> None:
    config = tmp_path / "bad.toml"
    config.write_text('modle = "x"\nuser = 3\n')
    said = shell("research", "ls", "--config", str(config), "--log-level", "loud")
    assert (said.code, said.out) == (3, "")
    assert len(said.err.splitlines()) == 3
    assert f"{config}: modle: is not a known key; did you mean 'model'?" in said.err


def test_help_and_version_are_data(shell: Shell) -> None:
    for words in (["--help"], ["research", "--help"], ["research", "start", "--help"]):
        said = shell(*words)
        assert (said.code, said.err) == (0, "")
        assert "Usage:" in said.out
    assert shell("--version").out.startswith("gligabao 0.")


def test_without_a_terminal_the_app_is_not_opened(shell: Shell) -> None:
    said = shell()
    assert (said.code, said.out, shell.opened) == (2, "", [])
    assert "needs a terminal" in said.err


@pytest.mark.parametrize("redirected", ["stdin", "stdout", "stderr"])
def test_half_a_terminal_is_none(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, redirected: str
) -> None:
    on_terminals(monkeypatch, *({"stdin", "stdout", "stderr"} - {redirected}))
    said = shell()
    assert (said.code, shell.opened) == (2, [])
    assert "needs a terminal" in said.err


def on_terminals(monkeypatch: pytest.MonkeyPatch, *streams: str) -> None:
    for name in streams:
        monkeypatch.setattr(getattr(sys, name), "isatty", lambda: True)


def test_on_a_terminal_no_sub_command_opens_the_app(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_terminals(monkeypatch, "stdin", "stdout", "stderr")
    assert shell("--user", "ann").code == 0
    ((settings, request),) = shell.opened
    assert (settings.user, request) == ("ann", None)


def test_the_demo_opens_the_app_with_the_run_started_on_a_terminal(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_terminals(monkeypatch, "stdin", "stdout", "stderr")
    assert shell("demo", "--user", "ann").code == 0
    ((_, request),) = shell.opened
    assert request is not None
    assert (request.user, request.topic, request.model) == ("ann", DEMO_TOPIC, "offline")
    assert [folder.name for folder in request.docs] == ["handbook"]


def test_what_goes_wrong_in_the_app_is_told_once_the_terminal_is_back(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = list(logging.root.handlers)

    def broken(settings: Settings, request: StartRequest | None) -> int:
        silent = [handler for handler in logging.root.handlers if handler not in before]
        assert [type(handler) for handler in silent] == [logging.NullHandler]
        raise StoreError("the database is newer than this program")

    on_terminals(monkeypatch, "stdin", "stdout", "stderr")
    shell.app = broken
    said = shell()
    assert (said.code, said.out) == (3, "")
    assert said.err == "the database is newer than this program\n"
    assert logging.root.handlers == before


@pytest.mark.req("R043")
def test_the_demo_prints_a_report_in_a_pipe_without_a_key(keyless: Shell) -> None:
    said = keyless("demo")
    assert said.code == 0
    assert said.out.startswith(f"# {DEMO_TOPIC}")
    assert "docs://handbook/" in said.out
    assert "No language model wrote this" in said.out
    assert "run 1 completed" in said.err


def test_read_shows_a_file_as_an_agent_gets_it(shell: Shell, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<title>T</title><h1>Head</h1><p>One <b>sentence</b>.</p><script>x</script>")
    said = shell("read", str(page))
    assert (said.code, said.err) == (0, "")
    assert "One sentence." in said.out
    assert "script" not in said.out
    document = shell("read", str(page), "--json").document
    assert set(document) >= {
        *("source", "url", "media_type", "title", "text", "chars", "truncated", "error"),
    }
    assert (document["title"], document["truncated"], document["error"]) == ("T", False, "")


def test_read_cuts_a_long_text_and_says_how_to_see_all_of_it(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("word " * 4_000)
    said = shell("read", "long.txt")
    assert len(said.out) == 15_001
    assert "--full" in said.err
    full = shell("read", "long.txt", "--full", "--json").document
    assert (full["chars"], len(full["text"]), full["truncated"]) == (19_999, 19_999, False)


def test_read_of_several_separates_them_and_fails_when_one_cannot_be_read(
    shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("first")
    (tmp_path / "b.txt").write_text("second")
    both = shell("read", "a.txt", "b.txt")
    assert (both.code, both.out) == (0, "--- a.txt\nfirst\n\n--- b.txt\nsecond\n")
    said = shell("read", "a.txt", "missing.txt", "--json")
    assert said.code == 1
    assert [bool(line["error"]) for line in said.lines] == [False, True]
    assert shell("read", "missing.txt").code == 1


@pytest.mark.parametrize("address", ["http://127.0.0.1:8080/", "file:///etc/hostname"])
@pytest.mark.req("R539")
def test_read_refuses_private_addresses_and_file_urls(shell: Shell, address: str) -> None:
    said = shell("read", address)
    assert (said.code, said.out) == (5, "")
    assert said.err


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("missing.txt", "missing.txt: no such file; an address begins with http:// or https://\n"),
        (".", ".: is a folder\n"),
        ("ftp://host/a", "ftp://host/a: url: must start with http:// or https://\n"),
        (
            "http://127.0.0.1:8080/a",
            "http://127.0.0.1:8080/a: 127.0.0.1 is not a public address (loopback)\n"
            f"{HOW_TO_ALLOW}\n",
        ),
        ("file:///a", "file:///a: file: addresses are not read: give the plain path\n"),
        ("http://", "http://: the address names no host\n"),
    ],
)
def test_read_names_a_source_once_and_says_what_to_do(shell: Shell, source: str, told: str) -> None:
    assert shell("read", source).err == told


def test_doctor_tells_what_is_missing_and_where_settings_came_from(
    keyless: Shell, tmp_path: Path
) -> None:
    said = keyless("doctor", "--user", "ann")
    assert said.code == 0
    assert "Anthropic key" in said.out
    checks = {check["name"]: check for check in keyless("doctor", "--json", "--user", "ann").lines}
    assert checks["Anthropic key"]["status"] == "warning"
    assert "flag" in checks["setting user"]["text"]


def test_a_fault_of_the_program_is_told_and_logged(
    shell: Shell, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(settings: Settings, *, stay: bool, schedules: bool = False) -> NoReturn:
        raise ExceptionGroup("tasks", [ZeroDivisionError("a fault\nof two lines")])

    shell.connect = broken
    said = shell("research", "ls")
    assert (said.code, said.out) == (1, "")
    assert said.err == "gligabao has a fault: ZeroDivisionError: a fault of two lines\n"
    assert "ZeroDivisionError" in caplog.text


class Departing(FakeEngine):
    """An engine that closes while a run is followed: nothing more is told."""

    @asynccontextmanager
    async def watch(self, run_id: RunId | None = None) -> AsyncIterator[AsyncIterator[Event]]:
        async def nothing() -> AsyncIterator[Event]:
            none: tuple[Event, ...] = ()
            for event in none:
                yield event

        yield nothing()


def test_an_engine_that_closes_before_the_end_is_told_with_what_to_do(shell: Shell) -> None:
    shell.connect = lambda _settings, *, stay, schedules: Departing(owned=stay).opened()  # type: ignore[assignment]  # a fake engine
    said = shell("research", "start", "topic", "--wait")
    assert (said.code, said.out) == (5, "")
    assert "the engine closed before run 1 ended: see `gligabao research get 1`" in said.err


def test_a_data_directory_that_cannot_be_made_is_exit_code_3(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = shell("research", "ls", "--data-dir", str(tmp_path / "file" / "x"))
    assert said.code == 3
    assert "cannot be made or used" in said.err


def test_an_agent_alone_prints_its_report_and_leaves_nothing_behind(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    shell.script([text_reply("# R")])
    said = shell.agent("topic", "--max-steps", "3", "--max-cost-usd", "1")
    assert (said.code, said.out) == (0, "# R\n")
    assert os.listdir(tmp_path / "tmp") == []
    assert shell("research", "ls").out == ""


@pytest.mark.parametrize("option", ["--max-cost", "--max-cost-usd"])
def test_both_programs_know_the_cost_cap_by_both_names(shell: Shell, option: str) -> None:
    for said in (
        shell("research", "start", "topic", f"{option}=-1"),
        shell.agent("t", option, "-1"),
    ):
        assert (said.code, said.out) == (2, "")
        assert "max_cost_usd: -1.0 must be 0 (no cap)" in said.err


def test_an_agent_alone_prints_events_as_lines_and_the_run_last(shell: Shell) -> None:
    shell.script([text_reply("# R")])
    lines = shell.agent("topic", "--json", "--data-dir", str(shell.folder / "kept")).lines
    assert [line.get("event") for line in lines][:2] == ["run_started", "state_entered"]
    assert lines[-2]["event"] == "run_ended"
    assert (lines[-1]["status"], lines[-1]["report"]) == ("completed", "# R")
    assert shell("research", "ls", "--data-dir", str(shell.folder / "kept"), "--json").document


def test_an_agent_alone_needs_a_key_too(keyless: Shell) -> None:
    said = keyless.agent("topic")
    assert (said.code, said.out) == (3, "")
    assert "--model offline" in said.err


class Terminal(io.StringIO):
    encoding = "latin-1"

    def isatty(self) -> bool:
        return True


def test_what_goes_to_a_terminal_is_cleaned_and_what_it_cannot_show_is_spelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    output.show("a\x1b[31mred\u202e\x07 水")
    output.show_line({"title": "\x9b31m\u202ex"})
    assert terminal.getvalue() == 'ared \\u6c34\n{"title": "x"}\n'


def test_an_object_is_indented_for_a_person_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output.show_object({"a": 1})
    assert capsys.readouterr().out == '{"a": 1}\n'
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    output.show_object({"a": 1})
    assert terminal.getvalue() == '{\n  "a": 1\n}\n'


def test_the_codes_are_those_of_the_contract() -> None:
    assert [int(code) for code in ExitCode] == [0, 1, 2, 3, 4, 5, 130, 143]
