"""What is forgotten leaves no word, and what it had closed is true again; the rest stays."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.decisions import Decision, End, FoundEntity, Supersede
from engine.domain.facts import UNDATED
from engine.domain.knowledge import ForgetRequest
from engine.store import knowledge_forget, knowledge_projection, knowledge_queries
from engine.store.database import Row, Transaction
from engine.store.knowledge_forget import TOLD_APART, forget
from engine.store.knowledge_forget_names import NAME_FORGOTTEN
from engine.store.knowledge_queries import FORGOTTEN, EndedQuery, NewQuery, Shown
from engine.store.sqlite import SqliteDatabase
from tests.engine.store.canary import ask, holding, write_everywhere
from tests.engine.store.knowledge_support import (
    Said,
    confirm,
    create,
    date,
    differences,
    dump,
    entity,
    findings,
    key_of,
    moment,
    new_text,
    ref,
    remember,
)
from tests.engine.store.support import memory

CANARY = "Xyzzyplugh"
OLD = Said("Ada", "works at", "Babbage Ltd", start="1840")
NEW = Said("Ada", "works at", "Engine Works", start="1843-05")


@pytest.fixture
def tx() -> Iterator[Transaction]:
    with memory() as opened:
        yield opened


def moved() -> Supersede:
    return Supersede(key_of(OLD), key_of(NEW), date("1843-05"), "stated", "model")


def test_what_a_forgotten_text_had_superseded_is_true_again(tx: Transaction) -> None:
    remember(tx, new_text("Ada works at Babbage Ltd since 1840."), findings(create(OLD)))
    before = facts(tx)
    text = new_text("Ada works at Engine Works since May 1843.")
    artifact, _ = remember(tx, text, findings(create(NEW), moved()), at=2)
    assert facts(tx)[0]["status"] == "superseded"
    forgotten = forget(tx, [artifact], at=moment(3))
    assert facts(tx) == before
    assert (forgotten.facts_gone, forgotten.facts_changed, forgotten.entities_gone) == (1, 1, 1)
    assert [each.id for each in forgotten.artifacts] == [artifact]
    assert differences(tx) == []


def test_what_a_forgotten_text_had_ended_is_true_again(tx: Transaction) -> None:
    remember(tx, new_text("Ada works at Babbage Ltd."), findings(create(OLD)))
    end = End(key_of(OLD), date("1842"), "stated", "model")
    artifact, _ = remember(tx, new_text("She left in 1842."), findings(end), at=2)
    assert facts(tx)[0]["status"] == "ended"
    forget(tx, [artifact], at=moment(3))
    assert (facts(tx)[0]["status"], facts(tx)[0]["valid_to"]) == ("active", None)


def test_a_fact_that_came_late_and_was_closed_by_a_forgotten_one_is_true(tx: Transaction) -> None:
    artifact, _ = remember(tx, new_text("Ada works at Engine Works."), findings(create(NEW)))
    found = findings(create(OLD), moved())
    remember(tx, new_text("Ada worked at Babbage Ltd from 1840."), found, at=2)
    assert [row["status"] for row in facts(tx)] == ["active", "superseded"]
    forget(tx, [artifact], at=moment(3))
    assert [(row["status"], row["superseded_by"]) for row in facts(tx)] == [("active", None)]
    assert differences(tx) == []


def test_a_fact_that_another_text_has_too_is_from_that_one_with_an_unknown_start(
    tx: Transaction,
) -> None:
    said = Said("Ada", "works at", "Babbage Ltd", description="as the text says")
    dated = new_text("Ada has worked at Babbage Ltd.", day="2024-06-30")
    artifact, _ = remember(tx, dated, findings(create(said)))
    again = Said("Ada", "works at", "Babbage Ltd", quote="Ada, of Babbage Ltd")
    later = new_text("Ada, of Babbage Ltd, wrote.", session="research-7", day="2024-07-15")
    remember(tx, later, findings(confirm(again)), at=2)
    end = End(key_of(said), date("2024-06-30"), "stated", "model")
    remember(tx, new_text("Ada left at the end of June."), findings(end), at=3)
    forget(tx, [artifact], at=moment(4))
    (fact,) = tx.rows("SELECT * FROM gb_edges")
    assert (fact["valid_from"], fact["valid_to"], fact["support"]) == (None, "2024-06-30", 1)
    assert fact["description"] == "Ada, of Babbage Ltd"
    supports = tx.rows("SELECT session_id, role FROM gb_edge_sessions")
    assert supports == [{"session_id": "research-7", "role": "created"}]
    events = tx.rows("SELECT kind, time_basis FROM gb_edge_events ORDER BY id")
    assert [tuple(row.values()) for row in events] == [
        *(("created", "reference"), ("ended", "stated"))
    ]
    assert differences(tx) == []


def test_a_start_that_another_text_states_too_stays(tx: Transaction) -> None:
    artifact, _ = remember(tx, new_text("Since 1840."), findings(create(OLD)))
    remember(tx, new_text("Ada joined Babbage Ltd in 1840."), findings(confirm(OLD)), at=2)
    forget(tx, [artifact], at=moment(3))
    assert facts(tx)[0]["valid_from"] == "1840"
    assert differences(tx) == []


def test_where_only_a_forgotten_text_told_two_facts_apart_they_are_a_conflict(
    tx: Transaction,
) -> None:
    remember(tx, new_text("Ada works at Babbage Ltd."), findings(create(OLD)))
    found = findings(create(NEW), moved())
    artifact, _ = remember(tx, new_text("Ada works at Engine Works."), found, at=2)
    undated = replace(confirm(NEW), fact=replace(confirm(NEW).fact, period=UNDATED))
    remember(tx, new_text("Ada, of Engine Works."), findings(undated), at=3)
    forget(tx, [artifact], at=moment(4))
    assert [row["status"] for row in facts(tx)] == ["active", "active"]
    (conflict,) = tx.rows("SELECT edge_id, other_id, why FROM gb_edge_conflicts")
    assert tuple(conflict.values()) == (2, 1, TOLD_APART)


def test_a_fact_is_not_true_again_beside_one_that_certainly_follows_it(tx: Transaction) -> None:
    last = Said("Ada", "works at", "Tower Bank", start="1850")
    to_last = Supersede(key_of(NEW), key_of(last), date("1850"), "stated", "model")
    remember(tx, new_text("Ada works at Babbage Ltd."), findings(create(OLD)))
    found = findings(create(NEW), moved())
    middle, _ = remember(tx, new_text("Ada works at Engine Works."), found, at=2)
    found = findings(create(last), to_last)
    end, _ = remember(tx, new_text("Ada works at Tower Bank."), found, at=3)
    forget(tx, [middle], at=moment(4))
    shown = [tuple(row.values())[:3] for row in facts(tx)]
    assert shown == [(1, "superseded", 3), (3, "active", None)]
    assert facts(tx)[0]["valid_to"] == "1850"
    forget(tx, [end], at=moment(5))
    assert [(row["id"], row["status"]) for row in facts(tx)] == [(1, "active")]
    assert differences(tx) == []


def test_an_entity_is_called_what_the_remaining_texts_call_it(tx: Transaction) -> None:
    said = Said(f"{CANARY} Corp", "makes", "engines")
    named = entity(f"{CANARY} Corp", description=f"{CANARY} Corp makes engines.")
    first, _ = remember(
        tx, new_text(f"{CANARY} Corp makes engines."), findings(create(said), entities=[named])
    )
    other = FoundEntity(ref(f"{CANARY} Corp"), "XC", aliases=("XC", "The XC"), mention="XC")
    found = findings(confirm(said), entities=[other])
    remember(tx, new_text("There is XC. XC makes engines, too."), found, at=2)
    forget(tx, [first], at=moment(3))
    (row,) = tx.rows("SELECT * FROM gb_entities WHERE id = 1")
    assert (row["name"], row["name_key"], row["description"]) == ("XC", "xc", "There is XC.")
    assert holding(tx, CANARY) == []
    again = Said(f"{CANARY} Corp", "makes", "engines")
    _, counts = remember(tx, new_text(f"{CANARY} Corp makes engines."), findings(create(again)))
    assert (counts.facts_new, counts.entities_new) == (1, 1)
    assert differences(tx) == []


def test_an_entity_that_no_remaining_text_names_keeps_no_forgotten_word(tx: Transaction) -> None:
    said = Said(CANARY, "makes", "engines")
    first, _ = remember(tx, new_text(f"{CANARY} makes engines."), findings(create(said)))
    found = findings(confirm(said), entities=[entity(CANARY, mention=CANARY)])
    remember(tx, new_text("It makes engines."), found, at=2)
    forget(tx, [first], at=moment(3))
    assert tx.rows("SELECT name FROM gb_entities WHERE id = 1") == [{"name": NAME_FORGOTTEN}]
    assert holding(tx, CANARY) == []


def test_an_alias_goes_with_the_text_that_gave_it_and_a_persons_stays(tx: Transaction) -> None:
    said = Said("New York", "is in", "America")
    found = findings(create(said), entities=[entity("New York", aliases=("Big Apple",))])
    first, _ = remember(tx, new_text("New York, the Big Apple, is in America."), found)
    tx.execute(
        "INSERT INTO gb_entity_aliases VALUES(1, 'ny', 1, 'NY', 'person', '2026')",
    )
    remember(tx, new_text("New York is in America."), findings(confirm(said)), at=2)
    forget(tx, [first], at=moment(3))
    aliases = tx.rows("SELECT alias FROM gb_entity_aliases WHERE entity_id = 1 ORDER BY alias_key")
    assert [row["alias"] for row in aliases] == ["New York", "NY"]


@pytest.mark.parametrize("canary", [CANARY, "北京大学", "Ксанф"])
def test_no_table_holds_a_word_that_only_the_forgotten_text_had(
    tx: Transaction, canary: str
) -> None:
    remember(tx, new_text("Ada works at Babbage Ltd since 1840."), findings(create(OLD)))
    said = Said(
        *("Ada", "works at", f"{canary} Works"),
        start="1843-05",
        description=f"{canary} said so",
        quote=f"{canary} Works",
    )
    moved_there = Supersede(key_of(OLD), key_of(said), date("1843-05"), "stated", "model")
    found = findings(
        *(create(said), moved_there),
        entities=[entity(f"{canary} Works", description=f"{canary} Works.", aliases=(canary,))],
    )
    text = new_text(f"Ada works at {canary} Works since May 1843.", source="https://a.example")
    artifact, _ = remember(tx, text, found, at=2)
    write_everywhere(tx, artifact, canary)
    assert len(holding(tx, canary)) > 10
    forgotten = forget(tx, [artifact], at=moment(9))
    assert holding(tx, canary) == []
    assert forgotten.answers_emptied == 1
    assert facts(tx)[0]["status"] == "active"
    assert differences(tx) == []


def test_an_answer_that_rested_on_what_is_forgotten_is_emptied_and_no_other(
    tx: Transaction,
) -> None:
    first, _ = remember(tx, new_text("Ada works at Babbage Ltd."), findings(create(OLD)))
    remember(tx, new_text("Ada works at Engine Works."), findings(create(NEW)), at=2)
    on_fact = ask(tx, "Where?", EndedQuery("completed", "Babbage [F1]", (1,)))
    shown = ask(tx, "Who?", EndedQuery("completed", "Ada", (), (Shown("sentence", 2),)))
    other = ask(tx, "Where now?", EndedQuery("completed", "Engine Works [F2]", (2,)))
    assert forget(tx, [first], at=moment(3)).answers_emptied == 2
    answers = tx.rows("SELECT id, question, answer, facts FROM gb_query_runs ORDER BY id")
    assert [tuple(row.values()) for row in answers] == [
        (on_fact, "Where?", FORGOTTEN, "[]"),
        (shown, "Who?", FORGOTTEN, "[]"),
        (other, "Where now?", "Engine Works [F2]", "[2]"),
    ]


def test_an_answer_that_is_being_written_when_its_text_is_forgotten_is_not_kept(
    tx: Transaction,
) -> None:
    first, _ = remember(tx, new_text("Ada works at Babbage Ltd."), findings(create(OLD)))
    query = knowledge_queries.start(tx, NewQuery("ann", "Where?", (1,)), at=moment(2))
    forget(tx, [first], at=moment(3))
    ended = EndedQuery("completed", "Babbage [F1]", (1,), (Shown("fact", 1, 0.5),))
    assert knowledge_queries.end(tx, query, ended, at=moment(4))
    assert tx.rows("SELECT answer, facts FROM gb_query_runs") == [
        {"answer": FORGOTTEN, "facts": "[]"}
    ]


def test_the_same_text_of_another_session_stays(tx: Transaction) -> None:
    first, _ = remember(tx, new_text("Ada works at Babbage Ltd."), findings(create(OLD)))
    twin = new_text("Ada works at Babbage Ltd.", session="research-7")
    remember(tx, twin, findings(confirm(OLD)), at=2)
    forget(tx, [first], at=moment(3))
    assert len(facts(tx)) == 1
    assert tx.rows("SELECT session_id FROM gb_artifacts") == [{"session_id": "research-7"}]
    assert differences(tx) == []


async def test_a_trial_says_what_would_go_and_changes_nothing(database: SqliteDatabase) -> None:
    text = new_text("Ada works at Babbage Ltd.", source="https://a.example")
    artifact, _ = await database.write(lambda tx: remember(tx, text, findings(create(OLD))))
    before = await database.write(dump)
    by_source = ForgetRequest(None, source="https://a.example", is_trial=True)
    tried = await knowledge_forget.forget_or_try(database, by_source, at=moment(3))
    assert (tried.facts_gone, tried.entities_gone) == (1, 2)
    assert await database.write(dump) == before
    request = ForgetRequest("ann", artifact_id=artifact)
    assert await knowledge_forget.forget_or_try(database, request, at=moment(3)) == tried
    assert (await database.write(dump))["gb_edges"] == []


async def test_nobody_forgets_a_text_of_another_user(database: SqliteDatabase) -> None:
    text = new_text("Ada works at Babbage Ltd.", source="https://a.example")
    artifact, _ = await database.write(lambda tx: remember(tx, text, findings(create(OLD))))
    for request in (
        ForgetRequest("bob", artifact_id=artifact),
        ForgetRequest("bob", source="https://a.example"),
        ForgetRequest("ann"),
    ):
        gone = await knowledge_forget.forget_or_try(database, request, at=moment(3))
        assert gone.artifacts == ()
    assert len((await database.write(dump))["gb_artifacts"]) == 1


SAYINGS = tuple(
    Said(source, "works at", target, start=start)
    for source in ("Ada", "Bob")
    for target in ("Alpha", "Beta")
    for start in ("", "1840", "1843-05")
)
AT_WILL = tuple(replace(said, exclusive=False) for said in SAYINGS)
DATES = ("1839", "1841-02", "1850")


@st.composite
def decisions(draw: st.DrawFn, sayings: tuple[Said, ...] = SAYINGS) -> list[Decision]:
    said = draw(st.sampled_from(sayings))
    other = draw(st.sampled_from(sayings))
    day = date(draw(st.sampled_from(DATES)))
    kind = draw(st.sampled_from(("create", "confirm", "end", "supersede")))
    if kind == "end":
        return [End(key_of(said), day, "stated", "model")]
    if kind == "supersede" and said != other:
        return [create(other), Supersede(key_of(said), key_of(other), day, "stated", "model")]
    return [create(said) if kind == "create" else confirm(said)]


def texts(sayings: tuple[Said, ...]) -> st.SearchStrategy[list[Decision]]:
    each = st.lists(decisions(sayings), min_size=1, max_size=3)
    return each.map(lambda several: [*chain(*several)])


STEPS = st.lists(st.one_of(texts(SAYINGS), st.integers(0, 9)), max_size=12)


@given(STEPS)
@settings(deadline=None, max_examples=60)
def test_rows_are_what_events_come_to_whatever_is_applied_and_forgotten(
    steps: list[list[Decision] | int],
) -> None:
    with memory() as tx:
        known: list[int] = []
        for number, step in enumerate(steps):
            if isinstance(step, int):
                if known:
                    forget(tx, [known.pop(step % len(known))], at=moment(number))
            else:
                text = new_text(f"Text {number} of Ada and Bob, of Alpha and Beta.")
                known.append(remember(tx, text, findings(*step), at=number)[0])
            assert differences(tx) == []
        for dataset in tx.rows("SELECT id FROM gb_datasets"):
            assert knowledge_projection.rebuild(tx, int(str(dataset["id"])), at=moment(99)) == 0
        forget(tx, known, at=moment(100))
        left = dump(tx)
        assert {table for table, rows in left.items() if rows} <= {"gb_datasets"}


@given(st.lists(texts(AT_WILL), min_size=1, max_size=8), texts(AT_WILL))
@settings(deadline=None, max_examples=40)
def test_a_text_that_is_remembered_and_forgotten_leaves_everything_as_it_was(
    steps: list[list[Decision]], last: list[Decision]
) -> None:
    with memory() as tx:
        for number, step in enumerate(steps):
            text = new_text(f"Text {number} of Ada and Bob, of Alpha and Beta.")
            remember(tx, text, findings(*step), at=number)
        before = lasting(tx)
        artifact, _ = remember(tx, new_text("One text more."), findings(*last), at=60)
        forget(tx, [artifact], at=moment(61))
        assert lasting(tx) == before


def lasting(tx: Transaction) -> dict[str, list[tuple[object, ...]]]:
    """Without when a row was changed last, and what nobody tells apart any more."""
    tx.execute("UPDATE gb_edges SET updated_at = ''")
    return {table: rows for table, rows in dump(tx).items() if table != "gb_edge_conflicts"}


def facts(tx: Transaction) -> list[Row]:
    columns = "id, status, superseded_by, valid_from, valid_to, support"
    return tx.rows(f"SELECT {columns} FROM gb_edges ORDER BY id")
