"""`gligabao query | facts | knowledge` on an engine that tests drive by hand:
what goes to stdout, what to stderr, and with which exit code."""

from typing import cast

import pytest

from engine.api import (
    ArtifactInfo,
    EntityInfo,
    FactEventInfo,
    FactHistory,
    FactInfo,
    PassageInfo,
    Provenance,
    ProvenanceFact,
    QueryAnswer,
    QueryRequest,
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


# knowledge


def test_facts_are_worked_out_anew_and_what_was_mended_is_told(
    shell: Shell, known: FakeKnowledge
) -> None:
    known.add_dataset("main")
    said = shell("knowledge", "check")
    assert said.code == 0
    assert "all stand as their history says" in said.out
    known.mended = 2
    again = shell("knowledge", "check")
    assert (again.code, "2 mended" in again.out) == (1, True)
    assert shell("knowledge", "check", "--json").lines[0]["mended"] == 2


def test_datasets_and_the_texts_on_their_way_are_listed(shell: Shell, known: FakeKnowledge) -> None:
    run = known.queue("a text", source="https://b.example", dataset="lab")
    known.settle(run.id, "failed", error="the model refused")
    known.queue("another text")
    assert [line["name"] for line in shell("knowledge", "ls", "--json").lines] == ["lab", "main"]
    assert len(shell("knowledge", "ls").out.splitlines()) == 3
    listed = shell("knowledge", "queue").out.splitlines()
    assert listed[0].split() == ["id", "status", "queued", "text", "facts", "dataset", "what"]
    assert [line.split()[:2] for line in listed[1:]] == [["2", "queued"], ["1", "failed"]]
    assert listed[1].split()[-2:] == ["another", "text"]
    assert "https://b.example; the model refused" in listed[2]
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
