"""What is read back: facts by filter and time, entities, histories, provenance, the queue."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from engine.domain.decisions import Conflict, Invalidate, Supersede
from engine.domain.errors import UserError
from engine.domain.knowledge import EntityFilter, FactFilter, RememberFilter
from engine.domain.run import RunId
from engine.store import (
    knowledge_entities,
    knowledge_facts,
    knowledge_pages,
    knowledge_provenance,
    knowledge_queries,
    knowledge_queue,
    knowledge_runs,
    knowledge_temporal,
    knowledge_texts,
    runs,
)
from engine.store.database import Reader, Transaction
from engine.store.knowledge_facts import Times
from engine.store.knowledge_queries import EndedQuery, NewQuery, Shown
from engine.store.sqlite import SqliteDatabase
from tests.engine.store.knowledge_support import (
    Said,
    confirm,
    create,
    date,
    entity,
    findings,
    key_of,
    moment,
    new_text,
    queue,
    ref,
    remember,
)
from tests.engine.store.support import NEW as NEW_RUN
from tests.engine.store.support import at

TEXT = "As is known, Ada works at Babbage Ltd since 1840. The rest is history."
QUOTE = "Ada works at Babbage Ltd since 1840."
OLD = Said("Ada", "works at", "Babbage Ltd", start="1840", quote=QUOTE)
NEW = Said("Ada", "worksAt", "Engine Works", start="1843-05")
OTHER = Said("Engine Works", "is in", "London")
LIE = Said("Ada", "born in", "Paris")
NOW = Times()


@pytest.fixture
async def reader(database: SqliteDatabase) -> AsyncIterator[Reader]:
    await database.write(fill)
    async with database.reading() as opened:
        yield opened


def fill(tx: Transaction) -> None:
    """Three runs, the second a sub-agent of the first; two datasets of ann, one of bob."""
    for parent in (None, 1, None):
        run = runs.create(tx, NEW_RUN, at=at(0))
        tx.execute("UPDATE gb_agent_research_runs SET parent_id=? WHERE id=?", (parent, run.id))
    start = TEXT.index(QUOTE)
    first = create(OLD)
    placed = replace(first.fact, quote_start=start, quote_end=start + len(QUOTE))
    ada = entity("Ada", type="person", aliases=("Countess of Lovelace",), description="Ada.")
    text = new_text(TEXT, source="https://a.example", session="research-1", day="1841")
    remember(tx, text, findings(replace(first, fact=placed), create(LIE), entities=[ada]), at=1)
    moved = Supersede(key_of(OLD), key_of(NEW), date("1843-05"), "stated", "model")
    never = Invalidate(key_of(LIE), date("1844"), "reference", "model", reason="it was London")
    found = findings(create(NEW), create(OTHER), moved, never)
    remember(tx, new_text("Second.", session="research-2", day="1844"), found, at=2)
    why = Conflict(key_of(NEW), key_of(OLD), "both may be")
    found = findings(confirm(OLD), why)
    remember(tx, new_text("Third.", session="research-1", day="1845"), found, at=3)
    found = findings(create(OLD))
    remember(tx, new_text("Work.", session="research-2"), found, at=4, dataset="work")
    queue(tx, new_text("Waits.", session="research-3"), at=5)
    queue(tx, new_text("Of Bob."), at=6, user="bob")


async def ids(reader: Reader, which: FactFilter, times: Times = NOW) -> list[int]:
    page = await knowledge_facts.page(reader, which, times)
    return [fact.id for fact in page.facts]


async def test_facts_are_listed_the_latest_first_page_by_page(reader: Reader) -> None:
    assert await ids(reader, FactFilter("ann")) == [5, 4, 3, 2, 1]
    first = await knowledge_facts.page(reader, FactFilter("ann", limit=2), Times())
    assert [fact.id for fact in first.facts] == [5, 4]
    second = FactFilter("ann", limit=3, cursor=first.next_cursor)
    last = await knowledge_facts.page(reader, second, Times())
    assert ([fact.id for fact in last.facts], last.next_cursor) == ([3, 2, 1], "")
    with pytest.raises(UserError, match="not from this list"):
        await ids(reader, FactFilter("ann", cursor="x"))


@pytest.mark.parametrize(
    ("which", "expected"),
    [
        (FactFilter("bob"), []),
        (FactFilter(None), [5, 4, 3, 2, 1]),
        (FactFilter("ann", dataset="work"), [5]),
        (FactFilter("ann", about="ADA"), [5, 3, 2, 1]),
        (FactFilter("ann", about="countess  of lovelace"), [3, 2, 1]),
        (FactFilter("ann", about="London"), [4]),
        (FactFilter("ann", about="nobody"), []),
        (FactFilter("ann", relation="WORKS_AT"), [5, 3, 1]),
        (FactFilter("ann", text="babbage WORKING"), [5, 1]),
        (FactFilter("ann", text="babbage london"), []),
        (FactFilter("ann", text="the"), [5, 4, 3, 2, 1]),
        (FactFilter("ann", run_id=RunId(1)), [2, 1]),
        (FactFilter("ann", run_id=RunId(2), relation="works at"), [5, 3]),
    ],
)
async def test_facts_are_found_by_what_is_asked_for(
    reader: Reader, which: FactFilter, expected: list[int]
) -> None:
    assert await ids(reader, which) == expected


async def test_facts_of_a_time_are_certain_or_possible_and_false_ones_are_none(
    reader: Reader,
) -> None:
    main = FactFilter("ann", dataset="main")
    in_1842 = await knowledge_facts.page(reader, main, Times(date("1842").span))
    assert [(fact.id, fact.certainty) for fact in in_1842.facts] == [
        *((4, "possible"), (1, "certain"))
    ]
    in_1850 = await knowledge_facts.page(reader, main, Times(date("1850").span))
    assert [(fact.id, fact.certainty) for fact in in_1850.facts] == [
        *((4, "possible"), (3, "certain"))
    ]


async def test_facts_as_they_were_known_at_a_time(reader: Reader) -> None:
    page = await knowledge_facts.page(
        reader, FactFilter("ann", dataset="main"), Times(known_at=moment(1))
    )
    assert [(fact.id, fact.status, fact.valid_to) for fact in page.facts] == [
        *((2, "active", None), (1, "active", None))
    ]
    then = Times(date("1850").span, moment(1))
    assert await ids(reader, FactFilter("ann", dataset="main"), then) == [2, 1]
    assert await ids(reader, FactFilter("ann"), Times(known_at=moment(0))) == []


async def test_facts_are_found_by_how_they_stand_now_or_stood_as_they_were_known(
    reader: Reader,
) -> None:
    main = FactFilter("ann", dataset="main", statuses=("superseded", "invalidated"))
    assert await ids(reader, main) == [2, 1]
    assert await ids(reader, replace(main, statuses=("active",))) == [4, 3]
    assert await ids(reader, main, Times(known_at=moment(1))) == []
    active = replace(main, statuses=("active",))
    assert await ids(reader, active, Times(known_at=moment(1))) == [2, 1]


async def test_the_facts_that_a_new_one_may_touch(reader: Reader) -> None:
    known = await knowledge_facts.known_facts(reader, 1, [ref("Ada"), ref("London"), ref("X")])
    assert [(fact.id, fact.status) for fact in known] == [
        *((1, "superseded"), (2, "invalidated"), (3, "active"), (4, "active"))
    ]
    first = known[0]
    assert (first.key, first.source, first.target) == (
        *(key_of(OLD), ref("Ada"), ref("Babbage Ltd")),
    )
    assert (first.seen, first.superseded_by, first.is_exclusive) == (date("1845"), 3, True)
    assert known[1].seen == date("1841")
    as_target = await knowledge_facts.known_facts(reader, 1, [ref("Engine Works")])
    assert [fact.id for fact in as_target] == [3, 4]


async def test_entities_are_known_by_their_keys_and_found_by_their_words(reader: Reader) -> None:
    known = await knowledge_entities.with_keys(reader, 1, ["countess of lovelace", "x", "ada"])
    assert [(each.name, each.aliases, each.type) for each in known] == [
        ("Ada", ("Countess of Lovelace",), "person")
    ]
    alike = await knowledge_entities.alike(reader, 1, "The Lovelace Countess")
    assert [each.id for each in alike] == [1]
    assert await knowledge_entities.alike(reader, 1, "?") == ()


async def test_entities_are_searched_by_any_part_of_a_name(reader: Reader) -> None:
    async def found(which: EntityFilter) -> list[str]:
        return [each.name for each in (await knowledge_pages.entities(reader, which)).entities]

    assert await found(EntityFilter("ann", text="LOVE")) == ["Ada"]
    assert await found(EntityFilter("ann", "main", "ada")) == ["Ada"]
    assert await found(EntityFilter("ann", text="%")) == []
    assert await found(EntityFilter("bob")) == []
    everything = await found(EntityFilter("ann", "main"))
    first = await knowledge_pages.entities(reader, EntityFilter("ann", "main", limit=2))
    rest = EntityFilter("ann", "main", cursor=first.next_cursor)
    assert [each.name for each in first.entities] + await found(rest) == everything
    with pytest.raises(UserError, match="not from this list"):
        await found(EntityFilter("ann", cursor="7"))


async def test_an_entity_with_its_names_and_facts_the_active_ones_first(reader: Reader) -> None:
    page = await knowledge_pages.entity(reader, 1, "ann")
    assert page is not None
    assert (page.entity.name, page.aliases, page.also_in) == (
        *("Ada", ("Countess of Lovelace",), ("work",)),
    )
    assert [(fact.id, fact.status) for fact in page.facts] == [
        *((3, "active"), (2, "invalidated"), (1, "superseded"))
    ]
    assert await knowledge_pages.entity(reader, 1, "bob") is None
    assert await knowledge_pages.entity(reader, 99, None) is None


async def test_a_fact_with_all_that_happened_to_it_and_the_texts_it_is_in(reader: Reader) -> None:
    history = await knowledge_pages.history(reader, 1, "ann")
    assert history is not None
    assert [(each.kind, each.at, each.run_id) for each in history.events] == [
        *(("created", "1840", 1), ("superseded", "1843-05", 2)),
        *(("confirmed", "1845", 1), ("confirmed", "1840", 1)),
    ]
    assert history.events[1].cause_fact_id == 3
    first, second = history.supports
    assert (first.role, first.run_id, first.quote) == ("created", 1, QUOTE)
    assert first.before + first.quote + first.after == TEXT
    assert (second.role, second.quote) == ("restated", "")
    assert [fact.id for fact in history.conflicts] == [3]
    assert await knowledge_pages.history(reader, 1, "bob") is None
    assert await knowledge_pages.history(reader, 99, None) is None


@pytest.mark.req("R182", "R184", "R185")
async def test_the_provenance_of_a_run_is_what_its_session_brought(reader: Reader) -> None:
    sessions = await knowledge_provenance.sessions(reader, RunId(1), include_subagents=False)
    found = await knowledge_provenance.provenance(reader, RunId(1), sessions)
    assert [each.session_id for each in found.sessions] == ["research-1"]
    assert [(each.kind, each.id, each.parent_id) for each in found.artifacts] == [
        *(("text", 1, None), ("chunk", 1, 1), ("text", 3, None), ("chunk", 6, 3))
    ]
    assert [each.run_id for each in found.artifacts] == [1] * 4
    assert [(each.fact.id, each.created, each.run_ids) for each in found.edges] == [
        *((1, True, (1,)), (2, True, (1,)))
    ]
    assert [(each.name, each.created) for each in found.entities] == [
        *(("Ada", True), ("babbage ltd", True), ("paris", True))
    ]
    assert [each.name for each in found.datasets] == ["main"]


@pytest.mark.req("R184", "R186")
async def test_with_sub_agents_items_say_which_runs_and_datasets_they_are_of(
    reader: Reader,
) -> None:
    sessions = await knowledge_provenance.sessions(reader, RunId(1), include_subagents=True)
    found = await knowledge_provenance.provenance(reader, RunId(1), sessions)
    assert [each.run_id for each in found.sessions] == [1, 2]
    assert [(each.fact.id, each.created, each.datasets, each.run_ids) for each in found.edges] == [
        (1, True, ("main", "work"), (1, 2)),
        (2, True, ("main",), (1,)),
        (3, True, ("main",), (2,)),
        (4, True, ("main",), (2,)),
    ]
    ada = found.entities[0]
    assert (ada.datasets, ada.run_ids) == (("main", "work"), (1, 2))
    assert [each.name for each in found.datasets] == ["main", "work"]


async def test_a_run_that_stored_nothing_has_empty_lists(reader: Reader) -> None:
    sessions = await knowledge_provenance.sessions(reader, RunId(9), include_subagents=True)
    assert sessions == ()
    found = await knowledge_provenance.provenance(reader, RunId(9), sessions)
    assert (found.artifacts, found.entities, found.edges, found.datasets) == ((), (), (), ())
    assert (await knowledge_temporal.of_sessions(reader, RunId(9), sessions)).events == ()


@pytest.mark.req("R187", "R188", "R190")
async def test_events_of_a_run_over_event_time_in_whichever_dataset(reader: Reader) -> None:
    sessions = await knowledge_provenance.sessions(reader, RunId(1), include_subagents=True)
    found = await knowledge_temporal.of_sessions(reader, RunId(1), sessions)
    shown = [(each.event.kind, each.event.at, each.fact.id) for each in found.events]
    assert shown == [
        *(("created", "1840", 1), ("confirmed", "1840", 1), ("created", "1840", 5)),
        *(("created", "1841", 2), ("created", "1843-05", 3), ("superseded", "1843-05", 1)),
        *(("created", "1844", 4), ("invalidated", "1844", 2), ("confirmed", "1845", 1)),
    ]
    assert {each.event.dataset for each in found.events} == {"main", "work"}
    assert [(each.id, each.dataset) for each in found.artifacts] == [
        *((1, "main"), (2, "main"), (3, "main"), (4, "work"))
    ]
    alone = await knowledge_provenance.sessions(reader, RunId(2), include_subagents=False)
    of_second = await knowledge_temporal.of_sessions(reader, RunId(2), alone)
    assert {each.event.run_id for each in of_second.events} == {2}


async def test_events_of_one_remembered_text(reader: Reader) -> None:
    found = await knowledge_temporal.of_remember_run(reader, 2)
    assert found is not None
    assert found.run_id == 2
    assert [(each.event.kind, each.fact.id) for each in found.events] == [
        *(("created", 3), ("superseded", 1), ("created", 4), ("invalidated", 2))
    ]
    assert [each.id for each in found.artifacts] == [2]
    assert await knowledge_temporal.of_remember_run(reader, 99) is None


@pytest.mark.req("R196")
async def test_the_queue_is_listed_the_latest_first(reader: Reader) -> None:
    page = await knowledge_runs.page(reader, RememberFilter("ann"))
    assert [(each.id, each.status, each.dataset) for each in page.runs] == [
        *((5, "queued", "main"), (4, "completed", "work"), (3, "completed", "main")),
        *((2, "completed", "main"), (1, "completed", "main")),
    ]
    first = page.runs[-1]
    assert (first.entities, first.facts, first.artifacts, first.source) == (
        *(3, 2, 2, "https://a.example"),
    )
    of_run = RememberFilter("ann", run_id=RunId(1), limit=1)
    some = await knowledge_runs.page(reader, of_run)
    assert ([each.id for each in some.runs], some.next_cursor) == ([3], "3")
    rest = await knowledge_runs.page(reader, replace(of_run, cursor=some.next_cursor))
    assert ([each.id for each in rest.runs], rest.next_cursor) == ([1], "")
    waiting = await knowledge_runs.page(reader, RememberFilter(status="queued"))
    assert [each.id for each in waiting.runs] == [6, 5]
    assert await knowledge_runs.waiting_of(reader, "research-3") == 1
    assert await knowledge_runs.waiting_of(reader, "research-1") == 0
    assert await knowledge_runs.get(reader, 99) is None


async def test_datasets_say_how_much_is_in_them(reader: Reader) -> None:
    of_ann = await knowledge_runs.datasets(reader, "ann")
    assert [(each.name, each.artifacts, each.entities, each.facts) for each in of_ann] == [
        *(("main", 4, 5, 4), ("work", 1, 2, 1))
    ]
    assert (of_ann[0].queued, of_ann[0].failed) == (1, 0)
    assert len(await knowledge_runs.datasets(reader, None)) == 3
    assert await knowledge_runs.dataset_id(reader, "ann", "work") == 2
    assert await knowledge_runs.dataset_id(reader, "bob", "work") is None


async def test_a_text_is_read_back_with_its_chunks_and_its_date(reader: Reader) -> None:
    stored = await knowledge_texts.get(reader, 1)
    assert stored is not None
    assert (stored.text, stored.date, stored.session_id) == (TEXT, date("1841"), "research-1")
    assert stored.chunks == ((0, len("As is known, ") + len(QUOTE)),)
    assert await knowledge_texts.get(reader, 99) is None


async def test_failures_say_why_and_what_they_cost(database: SqliteDatabase) -> None:
    def fail(tx: Transaction) -> None:
        queue(tx, new_text("A text."))
        claimed = knowledge_queue.claim(tx, at=moment(1), lease_until=moment(9))
        assert claimed is not None
        noted = '{"facts":[],"notes":["half an object"]}'
        knowledge_queue.keep_extraction(tx, claimed.held, noted)
        counts = knowledge_queue.Counts(dropped=2)
        knowledge_queue.settle(
            tx, claimed.held, counts, knowledge_queue.End("failed", moment(2), "no room")
        )
        tx.execute(
            "INSERT INTO gb_inferences(purpose, remember_run_id, attempt, model, request_hash,"
            " state, cost_usd, started_at) VALUES('remember', 1, 1, 'm', 'h', 'done', .25, '2026')"
        )

    await database.write(fail)
    async with database.reading() as reader:
        run = await knowledge_runs.get(reader, 1)
    assert run is not None
    assert (run.status, run.error, run.notes) == ("failed", "no room", ("half an object",))
    assert (run.cost_usd, run.dropped, run.attempt) == (0.25, 2, 1)


@pytest.mark.req("R189")
async def test_questions_are_logged_with_their_session(database: SqliteDatabase) -> None:
    shown = (Shown("fact", 1, 0.5),)
    new = NewQuery("ann", "Wo ist 'Ada'?", (1, 2), "research-7", date("1842"))

    def ask(tx: Transaction) -> int:
        remember(tx, new_text("First."), findings(create(OLD)))
        query = knowledge_queries.start(tx, new, at=moment(2))
        ended = EndedQuery("completed", "There [F1]", (1,), shown)
        assert knowledge_queries.end(tx, query, ended, at=moment(3))
        assert not knowledge_queries.end(tx, query, ended, at=moment(4))
        knowledge_queries.start(tx, new, at=moment(5))
        assert knowledge_queries.mark_interrupted(tx, error="interrupted", at=moment(6)) == 1
        return query

    query = await database.write(ask)
    async with database.reading() as reader:
        stored = await knowledge_queries.get(reader, query)
        of_session = await knowledge_queries.of_session(reader, "research-7")
        latest = await knowledge_queries.latest(reader, "ann", before=2)
    assert stored is not None
    assert (stored.question, stored.dataset_ids, stored.as_of) == (
        *(new.question, (1, 2), date("1842")),
    )
    assert (stored.answer, stored.fact_ids, stored.retrieved) == ("There [F1]", (1,), shown)
    assert [each.status for each in of_session] == ["completed", "failed"]
    assert latest == (stored,)
