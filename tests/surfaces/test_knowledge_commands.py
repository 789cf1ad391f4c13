"""`gligabao remember | query | facts | forget | knowledge` on an engine that tests drive by hand:
what goes to stdout, what to stderr, and with which exit code."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pytest

from engine.api import (
    ArtifactInfo,
    EntityInfo,
    FactEventInfo,
    FactHistory,
    FactInfo,
    Forgotten,
    GivenFact,
    PassageInfo,
    Provenance,
    ProvenanceFact,
    QueryAnswer,
    QueryRequest,
    RememberRequest,
    RunId,
    Support,
)
from gligabao_tui.headless.running import Connect
from tests.fakes.engine import FakeEngine
from tests.fakes.knowledge import FakeKnowledge
from tests.surfaces.conftest import Shell

AT = "2026-11-01T10:00:00.000Z"
OLD = FactInfo(
    *(1, "Cell X", "reached", "400 Wh/kg", "in a lab", "main", "superseded"),
    valid_from="2024",
    valid_to="2025-03",
    superseded_by=2,
)
NEW = FactInfo(
    2, "Cell X", "reached", "450 Wh/kg", "", "main", valid_from="2025-03", support=3, score=0.71
)
CJK = FactInfo(3, "電池 C++", "is made in", "東京", "", "lab", actor="import")


@pytest.fixture
def engine(shell: Shell) -> FakeEngine:
    fake = FakeEngine()
    for fact in (OLD, NEW, CJK):
        fake.knowledge.add_fact(fact)
    fake.knowledge.add_entity(EntityInfo(5, "Cell X", "product", "A cell.", ("main",)))
    fake.knowledge.add_artifact(
        ArtifactInfo(1, "text", "A paper", "https://a.example", 812, AT, "main")
    )
    shell.connect = cast(Connect, lambda _settings, *, stay, schedules: fake.opened())
    return fake


@pytest.fixture
def known(engine: FakeEngine) -> FakeKnowledge:
    return engine.knowledge


# remember


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


# query


def test_a_question_is_asked_as_it_was_given(shell: Shell, known: FakeKnowledge) -> None:
    shell("query", "How much?", "--dataset", "lab", "--as-of", "2024-Q1", "--top", "3")
    assert known.questions == [QueryRequest("admin", "How much?", "lab", "2024-Q1", "", 3)]


def test_an_answer_comes_with_what_it_rests_on(shell: Shell, known: FakeKnowledge) -> None:
    passage = PassageInfo(1, "https://a.example", "Cell X reached 450 Wh/kg.", 0.5)
    known.answers["How much?"] = QueryAnswer(
        31, "450 Wh/kg [F2].", False, (NEW,), (OLD,), (passage,), is_grounded=True
    )
    said = shell("query", "How much?")
    assert said.out.splitlines() == [
        "450 Wh/kg [F2].",
        "",
        "Facts it is based on:",
        "- [2] Cell X reached 450 Wh/kg (since 2025-03; 3 texts)",
        "",
        "Found and not used:",
        "- [1] Cell X reached 400 Wh/kg: in a lab (2024 to 2025-03; superseded by 2; 1 text)",
        "",
        "Passages:",
        "- Cell X reached 450 Wh/kg.",
        "  (text 1, https://a.example)",
    ]
    document = shell("query", "How much?", "--json").document
    assert (document["id"], document["empty"]) == (31, False)
    assert document["facts"][0]["score"] == 0.71
    assert document["passages"] == [
        {
            "artifact_id": 1,
            "source": "https://a.example",
            "text": "Cell X reached 450 Wh/kg.",
            "score": 0.5,
            "start": 0,
            "end": 0,
        }
    ]


def test_facts_that_no_answer_rests_on_are_not_called_so(
    shell: Shell, known: FakeKnowledge
) -> None:
    known.answers["How much?"] = QueryAnswer(31, "No model is set", False, (NEW,))
    said = shell("query", "How much?")
    assert "Stored facts:" in said.out
    assert "based on" not in said.out


@pytest.mark.req("R066")
def test_an_empty_knowledge_base_is_an_answer(shell: Shell, known: FakeKnowledge) -> None:
    said = shell("query", "How much?")
    assert (said.code, said.out) == (0, "The knowledge base is empty.\n")


# facts


def test_facts_are_listed_with_their_dates_as_stated(shell: Shell, known: FakeKnowledge) -> None:
    said = shell("facts", "--about", "cell x")
    assert said.out.splitlines() == [
        "id  dates            status      texts  fact",
        " 1  2024 to 2025-03  superseded      1  Cell X reached 400 Wh/kg: in a lab",
        " 2  since 2025-03    active          3  Cell X reached 450 Wh/kg",
    ]


def test_facts_of_a_time_say_whether_they_certainly_held(
    shell: Shell, known: FakeKnowledge
) -> None:
    said = shell("facts", "--as-of", "2025", "--dataset", "main")
    assert "held" in said.out.splitlines()[0]
    found = shell("facts", "--as-of", "2025-02", "--json").lines
    assert {(fact["id"], fact["certainty"]) for fact in found} == {(1, "certain"), (3, "possible")}


def test_facts_are_narrowed_by_relation_run_dataset_and_what_was_known(
    shell: Shell, known: FakeKnowledge
) -> None:
    edge = ProvenanceFact(NEW, True, ("main",), (RunId(7),))
    known.provenances[RunId(7), False] = Provenance(RunId(7), edges=(edge,))
    known.known_then["2024-12-31"] = (1,)

    def ids(*words: str) -> list[int]:
        return [fact["id"] for fact in shell("facts", "--json", *words).lines]

    assert ids("--relation", "is made in") == [3]
    assert ids("--run", "7") == [2]
    assert ids("--dataset", "lab") == [3]
    assert ids("--known-at", "2024-12-31") == [1]
    assert shell("facts", "--about", "nobody").err == "no facts\n"


def test_more_facts_than_are_shown_are_told_of(shell: Shell, known: FakeKnowledge) -> None:
    said = shell("facts", "--limit", "1")
    assert len(said.out.splitlines()) == 2
    assert "more than 1" in said.err


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_the_table_of_facts_fits_the_terminal(
    shell: Shell, known: FakeKnowledge, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    from gligabao_tui.headless.knowledge_words import facts_table
    from gligabao_tui.view.text import width_of

    lines = list(facts_table((OLD, NEW, CJK), cells=columns, with_certainty=True))
    assert max(map(width_of, lines)) <= columns
    assert all("電" in line or "Cell" in line or "fact" in line for line in lines)


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


# forget


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
        shown = os.read(person, 10_000).decode()
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


# knowledge


def test_datasets_and_the_texts_on_their_way_are_listed(shell: Shell, known: FakeKnowledge) -> None:
    run = known.queue("a text", source="https://b.example", dataset="lab")
    known.settle(run.id, "failed", error="the model refused")
    known.queue("another text")
    assert [line["name"] for line in shell("knowledge", "ls", "--json").lines] == ["lab", "main"]
    assert len(shell("knowledge", "ls").out.splitlines()) == 3
    listed = shell("knowledge", "queue").out.splitlines()
    assert listed[0].split() == ["id", "status", "queued", "text", "facts", "dataset", "what"]
    assert [line.split()[:2] for line in listed[1:]] == [["2", "queued"], ["1", "failed"]]
    assert "the model refused" in listed[2]
    failed = shell("knowledge", "queue", "--status", "failed", "--json").lines
    assert [line["id"] for line in failed] == [1]
    assert shell("knowledge", "queue", "--status", "lost").code == 2


def test_an_entity_is_found_by_its_name_in_any_case_and_shown_with_its_facts(
    shell: Shell, known: FakeKnowledge
) -> None:
    said = shell("knowledge", "entity", "CELL X")
    assert said.out.startswith("Cell X (product, in main)\nA cell.\n")
    assert "450 Wh/kg" in said.out
    assert shell("knowledge", "entity", "cell", "--json").document["entity"]["id"] == 5
    assert [line["id"] for line in shell("knowledge", "entities", "cell", "--json").lines] == [5]


def test_a_name_that_is_none_is_exit_code_4_and_tells_what_there_is(
    shell: Shell, known: FakeKnowledge
) -> None:
    known.add_entity(EntityInfo(6, "Cell Y", "product", "", ("main",)))
    said = shell("knowledge", "entity", "cell")
    assert said.code == 4
    assert 'no entity is called "cell"; there is Cell X, Cell Y' in said.err


def test_a_fact_is_shown_with_its_events_and_its_passages(
    shell: Shell, known: FakeKnowledge
) -> None:
    made = FactEventInfo(
        1, "created", "2024", 0, 1, "stated", AT, "model", "main", 1, "s", RunId(7)
    )
    gone = FactEventInfo(
        *(2, "superseded", "2025-03", 0, 1, "reference", AT, "model", "main", 1),
        cause_fact_id=2,
    )
    where = Support(
        *(1, "https://a.example", "s", RunId(7), "created", AT, "They say: ", "400 Wh/kg", " now.")
    )
    known.add_fact(FactHistory(OLD, (made, gone), (where,), (NEW,)))
    said = shell("knowledge", "fact", "1")
    for told in (
        "fact 1: Cell X reached 400 Wh/kg: in a lab",
        "2024 to 2025-03; superseded by 2; dataset main",
        "by 2025-03",
        "text 1, created, run 7: https://a.example",
        "They say: 400 Wh/kg now.",
        "May contradict it:\n- [2] Cell X",
    ):
        assert told in said.out
    assert shell("knowledge", "fact", "1", "--json").document["events"][1]["cause_fact_id"] == 2
    assert shell("knowledge", "fact", "99").code == 4
