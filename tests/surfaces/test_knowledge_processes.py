"""The knowledge base between processes: who owns the data absorbs the texts of those who joined."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.surfaces.test_processes import Machine

PROGRAM = "gligabao_tui"
TEXT = "Foo 3.12 was released in October 2023."


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    found = Machine(tmp_path / "data", program=PROGRAM)
    yield found
    found.close()


def call(machine: Machine, *words: str) -> tuple[int, str, str]:
    return machine.begin(*words, ANTHROPIC_API_KEY="").end()


def test_a_joined_process_remembers_asks_and_forgets_by_the_owner(machine: Machine) -> None:
    owner = machine.begin("serve", ANTHROPIC_API_KEY="")
    assert "serving" in owner.line()
    code, out, _ = call(machine, "remember", TEXT, "--sync", "--json")
    run = json.loads(out)
    assert (code, run["status"]) == (0, "stored_only")
    _, out, _ = call(machine, "query", "When was Foo 3.12 released?", "--json")
    assert json.loads(out)["passages"][0]["text"] == TEXT
    code, out, _ = call(machine, "forget", str(run["artifact_id"]), "--yes", "--json")
    assert (code, len(json.loads(out)["artifacts"])) == (0, 1)
    _, out, _ = call(machine, "query", "When was Foo 3.12 released?")
    assert TEXT not in out
    owner.send(signal.SIGTERM)
    owner.end()
