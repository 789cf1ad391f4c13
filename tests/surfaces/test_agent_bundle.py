"""`gligabao_agent --agent-bundle`: an agent far from the files that it was made from."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from engine.definitions.bundle import MOST_BYTES
from tests.engine.definitions.files import toml, write
from tests.fakes.engine import FakeEngine
from tests.fakes.models import text_reply
from tests.surfaces.conftest import Said, Shell

OFFLINE = ("--model", "offline")


class Elsewhere:
    """A shell in an empty directory, with documents and a bundle lying somewhere else."""

    def __init__(self, shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shell = shell
        self.bundle = folder / "made" / "bundle.json"
        self.manual = write(folder / "manual", {"moon.md": "# The Moon\n\nThe Moon is a moon.\n"})
        self.here = folder / "empty"
        self.temporary = folder / "tmp"
        for made in (self.bundle.parent, self.here, self.temporary):
            made.mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(self.temporary))
        monkeypatch.chdir(self.here)

    def pack(self, name: str) -> None:
        assert self.shell("agents", "bundle", name, str(self.bundle)).code == 0

    def run(self, name: str, *words: str) -> Said:
        docs = ("--docs", str(self.manual), *OFFLINE)
        given = ("--agent", name, "--agent-bundle", str(self.bundle), *docs, *words)
        return self.shell.agent(*given, "The Moon is a planet")

    def change(self, path: tuple[str | int, ...], value: object) -> None:
        """One value of the bundle, as somebody on the way might change it."""
        document: Any = json.loads(self.bundle.read_text())
        inner = document
        for part in path[:-1]:
            inner = inner[part]
        inner[path[-1]] = value
        self.bundle.write_text(json.dumps(document))


@pytest.fixture
def elsewhere(keyless: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Elsewhere:
    return Elsewhere(keyless, tmp_path, monkeypatch)


@pytest.mark.req("R149")
def test_a_packed_agent_runs_in_an_empty_directory(elsewhere: Elsewhere) -> None:
    elsewhere.pack("fact_checker")
    said = elsewhere.run("fact_checker")
    assert (said.code, said.err.count("fault")) == (0, 0)
    assert "docs://manual/moon.md" in said.out
    assert (os.listdir(elsewhere.here), os.listdir(elsewhere.temporary)) == ([], [])


def test_its_run_says_which_agent_it_was(elsewhere: Elsewhere) -> None:
    elsewhere.pack("fact_checker")
    run = elsewhere.run("fact_checker", "--json", "--max-cost-usd", "1").lines[-1]
    packed = json.loads(elsewhere.bundle.read_text())["agents"][0]
    assert (run["status"], run["agent_name"]) == ("completed", "fact_checker")
    assert (run["agent_version"], run["agent_hash"]) == ("1.0.0", packed["hash"])


def test_what_it_was_made_from_may_be_gone_and_be_another(elsewhere: Elsewhere) -> None:
    own = write(elsewhere.bundle.parent.parent / "agent_defs", {"a.toml": toml("a")})
    elsewhere.pack("a")
    (own / "a.toml").write_text("name =")
    assert elsewhere.run("a").code == 0


@pytest.mark.req("R333")
@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("agents", 0, "definition", "system_prompt"), "Say what I like."),
        (("agents", 0, "definition", "limits", "max_cost_usd"), 1000),
        (("agents", 0, "skills", "citation_style"), "None."),
        (("agents", 0, "hash"), "0" * 64),
    ],
)
def test_a_changed_bundle_is_refused(
    elsewhere: Elsewhere, path: tuple[str | int, ...], value: object
) -> None:
    elsewhere.pack("fact_checker")
    elsewhere.change(path, value)
    said = elsewhere.run("fact_checker")
    assert (said.code, said.out) == (3, "")
    assert 'bundle: agent "fact_checker": the hash does not match its content' in said.err


@pytest.mark.req("R331")
def test_a_bundle_over_its_size_is_refused(elsewhere: Elsewhere) -> None:
    elsewhere.bundle.write_bytes(b" " * (MOST_BYTES + 1))
    said = elsewhere.run("fact_checker")
    assert (said.code, said.out) == (3, "")
    assert f"({MOST_BYTES} at most)" in said.err or f"more than {MOST_BYTES} bytes" in said.err


@pytest.mark.parametrize("text", ["", "{}", "[1]", "not JSON"])
def test_what_is_no_bundle_is_refused(elsewhere: Elsewhere, text: str) -> None:
    elsewhere.bundle.write_text(text)
    said = elsewhere.run("fact_checker")
    assert (said.code, said.out) == (3, "")
    assert "bundle" in said.err


def test_a_bundle_that_is_not_there_is_told_with_its_path(elsewhere: Elsewhere) -> None:
    said = elsewhere.run("fact_checker")
    assert (said.code, said.out) == (3, "")
    assert str(elsewhere.bundle) in said.err


@pytest.mark.parametrize("name", ["paper_reader", "default", "packaged fact_checker.toml"])
def test_an_agent_that_is_not_in_it_is_told_with_those_that_are(
    elsewhere: Elsewhere, name: str
) -> None:
    elsewhere.pack("news_scanner")
    said = elsewhere.run(name)
    assert (said.code, said.out) == (2, "")
    assert f'no agent called "{name}" is in {elsewhere.bundle}' in said.err
    assert "it holds news_scanner, regional_scout" in said.err


def test_without_a_name_it_is_the_default_one_that_is_asked_for(elsewhere: Elsewhere) -> None:
    elsewhere.pack("fact_checker")
    said = elsewhere.shell.agent("topic", *OFFLINE, "--agent-bundle", str(elsewhere.bundle))
    assert said.code == 2
    assert "it holds fact_checker" in said.err


def test_its_version_may_be_asked_for(elsewhere: Elsewhere) -> None:
    elsewhere.pack("fact_checker")
    assert elsewhere.run("fact_checker", "--agent-version", "^1").code == 0
    refused = elsewhere.run("fact_checker", "--agent-version", "^2")
    assert refused.code == 2
    assert 'which does not meet "^2"' in refused.err


def test_a_bundle_and_a_directory_are_a_usage_error(elsewhere: Elsewhere) -> None:
    elsewhere.pack("fact_checker")
    said = elsewhere.run("fact_checker", "--agent-defs-dir", "x")
    assert (said.code, said.out) == (2, "")
    assert "cannot be given together with --agent-defs-dir" in said.err


@pytest.mark.req("R316")
def test_a_schedule_in_a_bundle_does_nothing(elsewhere: Elsewhere) -> None:
    rest = '[schedule]\ncron = "*/5 * * * *"\ntopic = "t"\n'
    write(elsewhere.bundle.parent.parent / "agent_defs", {"a.toml": toml("a", rest)})
    elsewhere.pack("a")
    events = elsewhere.run("a", "--json").lines
    assert [one["run"]["topic"] for one in events if one.get("event") == "run_started"] == [
        "The Moon is a planet"
    ]


def test_agents_of_a_process_that_owns_the_data_are_not_replaced(
    elsewhere: Elsewhere, tmp_path: Path
) -> None:
    elsewhere.pack("fact_checker")
    elsewhere.shell.connect = lambda _settings, *, stay, schedules: FakeEngine(owned=False).opened()  # type: ignore[assignment]  # a fake engine
    said = elsewhere.run("fact_checker", "--data-dir", str(tmp_path / "data"))
    assert (said.code, said.out) == (5, "")
    assert "another process owns the data of --data-dir" in said.err


def test_a_packed_agent_has_its_own_prompt(shell: Shell, tmp_path: Path) -> None:
    write(tmp_path / "agent_defs", {"a.toml": toml("a")})
    shell("agents", "bundle", "a", "a.json")
    shell.script([text_reply("# R")])
    said = shell.agent("topic", "--agent", "a", "--agent-bundle", "a.json")
    assert (said.code, said.out) == (0, "# R\n")
