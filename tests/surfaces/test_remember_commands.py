"""`gligabao remember | facts import | forget` on an engine that tests drive by hand: what goes in,
what goes back out, and with which exit code."""

import os
import select
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pytest

from engine.api import ArtifactInfo, Forgotten, GivenFact, RememberRequest
from gligabao_tui.headless.running import Connect
from tests.fakes.engine import FakeEngine
from tests.fakes.knowledge import FakeKnowledge
from tests.surfaces.conftest import Shell

AT = "2026-11-01T10:00:00.000Z"
PAPER = ArtifactInfo(1, "text", "A paper", "https://a.example", 812, AT, "main")


@pytest.fixture
def engine(shell: Shell) -> FakeEngine:
    fake = FakeEngine()
    fake.knowledge.add_artifact(PAPER)
    shell.connect = cast(Connect, lambda _settings, *, stay, schedules: fake.opened())
    return fake


@pytest.fixture
def known(engine: FakeEngine) -> FakeKnowledge:
    return engine.knowledge


def test_a_text_is_remembered_as_it_was_given(shell: Shell, known: FakeKnowledge) -> None:
    words = ("--source", "https://a.example", "--date", "2024-03", "--dataset", "lab")
    said = shell("remember", "Cell X is new.", *words, "--user", "ann")
    assert said.code == 0
    assert known.remembered == [
        RememberRequest("ann", "Cell X is new.", "https://a.example", "lab", "2024-03")
    ]


def test_the_run_is_printed_at_once_and_its_end_told_beside_it(
    shell: Shell, known: FakeKnowledge
) -> None:
    said = shell("remember", "Cell X is new.")
    assert said.out == "remember run 1 is queued: 14 characters for main\n"
    assert "remember run 1 completed: no facts found in main" in said.err
    assert shell("remember", "Cell X is new.", "--json").document["status"] == "queued"


def test_with_sync_the_ended_run_is_printed_instead(shell: Shell, known: FakeKnowledge) -> None:
    said = shell("remember", "Cell X is new.", "--sync", "--json")
    assert (said.code, said.document["status"]) == (0, "completed")


def test_a_joined_process_leaves_the_text_to_the_owner(
    shell: Shell, engine: FakeEngine, known: FakeKnowledge
) -> None:
    engine.owned = False
    said = shell("remember", "Cell X is new.")
    assert (said.code, said.err) == (0, "")
    assert known.runs[1].status == "queued"


@pytest.mark.parametrize("words", [[], ["--sync"], ["--json"], ["--sync", "--json"]])
def test_a_text_whose_facts_could_not_be_had_is_exit_code_1(
    shell: Shell, known: FakeKnowledge, words: list[str]
) -> None:
    known.settles = "failed"
    assert shell("remember", "Cell X is new.", *words).code == 1


def test_a_text_that_is_to_be_tried_again_later_is_left_to_a_later_process(
    shell: Shell, known: FakeKnowledge
) -> None:
    known.settles = "queued"
    assert shell("remember", "Cell X is new.").code == 0
    assert shell("remember", "Cell X is new.", "--sync").code == 1


def test_a_text_is_read_from_the_input_with_its_paragraphs(
    shell: Shell, known: FakeKnowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("text").write_text("Cell X is new.\n\n電池 is old.\n")
    with Path("text").open() as text:
        monkeypatch.setattr("sys.stdin", text)
        assert shell("remember", "-").code == 0
    assert known.remembered[0].text == "Cell X is new.\n\n電池 is old.\n"


def test_a_text_that_is_empty_is_exit_code_2(shell: Shell, known: FakeKnowledge) -> None:
    said = shell("remember", " ")
    assert (said.code, said.out) == (2, "")
    assert "is empty" in said.err


def test_a_failed_text_is_tried_again(shell: Shell, known: FakeKnowledge) -> None:
    known.settle(known.queue("a text").id, "failed", error="no answer")
    said = shell("knowledge", "retry", "1")
    assert (said.code, "retry_remember 1" in known.asked) == (0, True)
    assert "completed" in said.err
    assert shell("knowledge", "retry", "1").code == 5
    assert shell("knowledge", "retry", "7").code == 4


LINE = '{"text": "Cell X is here.", "source": "https://b.example", "date": "2025", "facts": ['
GOOD = LINE + '{"source": "Cell X", "relation": "is", "target": "here", "from": "2024"}]}'
BAD = LINE + '{"source": "Cell X", "target": "here", "from": 7}]}'


def test_facts_are_imported_a_line_each(shell: Shell, known: FakeKnowledge) -> None:
    Path("facts").write_text(f"{GOOD}\n\n{GOOD}\n")
    said = shell("facts", "import", "facts", "--dataset", "lab")
    assert said.out == "imported into lab: 2 texts with 2 facts (2 new)\n"
    request = known.imported[0]
    assert request.facts == (GivenFact("Cell X", "is", "here", start="2024"),)
    assert (request.source, request.date, request.dataset) == ("https://b.example", "2025", "lab")


def test_lines_that_are_wrong_are_told_with_their_numbers_and_the_others_are_imported(
    shell: Shell, known: FakeKnowledge
) -> None:
    Path("facts").write_bytes(f"{BAD}\nnot JSON\n{GOOD}\n".encode() + b'{"text": "\xff"}\n')
    said = shell("facts", "import", "facts", "--json")
    assert (said.code, len(said.lines), len(known.imported)) == (1, 1, 1)
    told = [line.partition(": ")[0] for line in said.err.splitlines()]
    assert told == ["line 1", "line 1", "line 2", "line 4", "imported into main"]
    assert "facts[0].relation: is required" in said.err
    assert "facts[0].from: must be a text" in said.err


def test_a_file_that_cannot_be_read_is_exit_code_2(shell: Shell, known: FakeKnowledge) -> None:
    said = shell("facts", "import", "missing")
    assert (said.code, said.err) == (2, "missing: cannot be read: No such file or directory\n")


def test_without_a_terminal_nothing_is_forgotten_unless_yes_is_given(
    shell: Shell, known: FakeKnowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        said = shell("forget", "1")
    assert (said.code, said.out) == (2, "")
    assert "would forget: 1 text\n- text 1 (812 characters, main): A paper\n" in said.err
    assert "--yes" in said.err
    assert 1 in known.artifacts
    assert shell("forget", "1", "--yes").code == 0
    assert 1 not in known.artifacts


@contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A terminal that the command reads from and speaks to; what a person types goes in here."""
    person, program = os.openpty()
    try:
        with os.fdopen(program) as reads, open(program, "w", closefd=False) as speaks:
            monkeypatch.setattr("sys.stdin", reads)
            monkeypatch.setattr("sys.stderr", speaks)
            yield person
    finally:
        os.close(person)


def read_until(person: int, words: str) -> str:
    """What was shown, which comes in pieces; all of it when the words never come."""
    shown = ""
    while words not in shown and select.select([person], [], [], 5)[0]:
        shown += os.read(person, 10_000).decode()
    return shown


@pytest.mark.parametrize("answer", [("y\n", 0, True), ("\n", 1, False), ("no\n", 1, False)])
def test_on_a_terminal_it_is_asked_and_only_yes_forgets(
    shell: Shell,
    known: FakeKnowledge,
    monkeypatch: pytest.MonkeyPatch,
    answer: tuple[str, int, bool],
) -> None:
    typed, code, is_gone = answer
    with terminal(monkeypatch) as person:
        os.write(person, typed.encode())
        said = shell("forget", "--source", "https://a.example")
        shown = read_until(person, "would forget: 1 text")
    assert (said.code, 1 not in known.artifacts) == (code, is_gone)
    assert "would forget: 1 text" in shown


def test_what_went_is_told_as_words_and_as_json(shell: Shell, known: FakeKnowledge) -> None:
    known.would_go = Forgotten(tuple(known.artifacts.values()), 3, 1, 2, 1)
    said = shell("forget", "1", "--yes")
    assert said.out.splitlines() == [
        "forgotten: 1 text",
        "- text 1 (812 characters, main): A paper",
        "with it: 3 facts that nothing else supports, 2 entities, 1 stored answer",
        "changed by it: 1 other fact",
    ]
    assert shell("forget", "1", "--yes", "--json").document["facts_gone"] == 3


@pytest.mark.parametrize("words", [[], ["1", "--source", "https://a.example"]])
def test_what_to_forget_is_said_in_one_way(
    shell: Shell, known: FakeKnowledge, words: list[str]
) -> None:
    said = shell("forget", *words, "--yes")
    assert (said.code, known.forgotten) == (2, [])
    assert shell("forget", "99", "--yes").code == 4
