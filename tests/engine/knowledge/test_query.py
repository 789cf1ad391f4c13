"""A question from its row in the log to its answer, with a model and without one."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field

import pytest

from engine.domain.errors import ProviderError, UserError
from engine.domain.exchange import Reply, Request
from engine.domain.knowledge import QueryAnswer, QueryRequest
from engine.domain.timing import Timing
from engine.domain.usage import Usage
from engine.knowledge.answer import Answerer
from engine.knowledge.index import Indexes
from engine.knowledge.query import Queries, Surroundings
from engine.knowledge.retrieve import Retrieval
from engine.knowledge.wording import EMPTY, NO_MODEL, NOT_GROUNDED, NOTHING_FOUND
from engine.llm.attempting import Attempting
from engine.llm.attempting import Surroundings as Around
from engine.llm.model import Attempts, Model, OnProgress
from engine.llm.price_table import PriceTable
from engine.store import knowledge_queries
from engine.store.knowledge_queries import StoredQuery
from engine.store.sqlite import SqliteDatabase
from tests.engine.knowledge.stored import told
from tests.engine.store.knowledge_support import Said
from tests.fakes.clock import FakeClock
from tests.fakes.models import BookedAttempts, ScriptedModel, text_reply

ASKED = QueryRequest("ann", "Where does Ada work?", session_id="research-7")


@dataclass
class Bench:
    """Questions to one database; `booked` by query run."""

    database: SqliteDatabase
    model: Model | None = None
    booked: dict[int, BookedAttempts] = field(default_factory=dict)

    async def ask(self, request: QueryRequest = ASKED) -> QueryAnswer:
        clock = FakeClock()
        answerer = None
        if self.model is not None:
            around = Around(clock, Timing(), PriceTable(), lambda: 0.0)
            answerer = Answerer(Attempting(self.model, around), "scripted")
        retrieval = Retrieval(self.database, Indexes(self.database))
        return await Queries(
            Surroundings(self.database, retrieval, clock, self._attempts, answerer)
        ).query(request)

    def _attempts(self, query_id: int) -> AbstractAsyncContextManager[Attempts]:
        return self._booked(query_id)

    @asynccontextmanager
    async def _booked(self, query_id: int) -> AsyncIterator[Attempts]:
        self.booked[query_id] = BookedAttempts()
        yield self.booked[query_id]

    async def logged(self) -> Sequence[StoredQuery]:
        async with self.database.reading() as reader:
            return await knowledge_queries.latest(reader, "ann")


def _scripted(database: SqliteDatabase, *answers: Reply | ProviderError) -> Bench:
    return Bench(database, ScriptedModel(answers))


@pytest.fixture
async def filled(database: SqliteDatabase) -> SqliteDatabase:
    said = (Said("Ada", "works at", "Acme", "2020"), Said("Ada", "lives in", "Rome"))
    await told(database, "Ada works at Acme. Ada lives in Rome.", *said)
    return database


@pytest.mark.req("R066")
async def test_a_dataset_that_does_not_exist_is_empty_and_no_error(
    database: SqliteDatabase,
) -> None:
    bench = _scripted(database)
    answer = await bench.ask()
    assert (answer.answer, answer.empty) == (EMPTY, True)
    (logged,) = await bench.logged()
    assert (logged.status, logged.answer, logged.dataset_ids) == ("completed", EMPTY, ())


async def test_the_dataset_of_another_user_is_empty_too(filled: SqliteDatabase) -> None:
    answer = await Bench(filled).ask(QueryRequest("bob", "Where does Ada work?"))
    assert answer.empty


async def test_the_answer_names_the_facts_it_is_based_on_and_the_others(
    filled: SqliteDatabase,
) -> None:
    bench = _scripted(filled, text_reply("At Acme [F1]."))
    answer = await bench.ask()
    assert (answer.answer, answer.is_grounded, answer.empty) == ("At Acme [F1].", True, False)
    assert [fact.id for fact in answer.facts] == [1]
    assert [fact.id for fact in answer.also] == [2]
    assert answer.passages
    assert bench.booked[answer.id].log == ["start", "end done"]


@pytest.mark.req("R068", "R189")
async def test_the_log_has_the_question_its_session_and_all_that_was_shown(
    filled: SqliteDatabase,
) -> None:
    bench = _scripted(filled, text_reply("At Acme [F1]."))
    answer = await bench.ask()
    (logged,) = await bench.logged()
    assert (logged.id, logged.session_id, logged.status) == (answer.id, "research-7", "completed")
    assert logged.fact_ids == (1,)
    shown = {(one.kind, one.id) for one in logged.retrieved}
    assert {("fact", 1), ("fact", 2)} < shown
    assert any(kind == "sentence" for kind, _ in shown)


async def test_an_answer_without_a_citation_is_marked(filled: SqliteDatabase) -> None:
    answer = await _scripted(filled, text_reply("At Bolt, I think.")).ask()
    assert answer.answer.endswith(NOT_GROUNDED)
    assert (answer.is_grounded, answer.facts) == (False, ())
    assert answer.also


async def test_without_a_model_what_is_stored_is_shown_under_its_name(
    filled: SqliteDatabase,
) -> None:
    answer = await Bench(filled).ask()
    assert answer.answer == NO_MODEL
    assert [fact.target for fact in answer.facts] == ["acme", "rome"]
    assert answer.passages[0].text == "Ada works at Acme."
    assert not answer.is_grounded


async def test_no_more_than_was_asked_for_is_given(filled: SqliteDatabase) -> None:
    answer = await Bench(filled).ask(QueryRequest("ann", "Where does Ada work?", top=1))
    assert (len(answer.facts), len(answer.passages), len(answer.also)) == (1, 1, 1)


async def test_nothing_found_costs_no_call(filled: SqliteDatabase) -> None:
    bench = _scripted(filled)
    answer = await bench.ask(QueryRequest("ann", "quarks?"))
    assert (answer.answer, answer.empty) == (NOTHING_FOUND, False)
    assert bench.booked == {}


@pytest.mark.parametrize("as_of", ["2021", "in May 2021", "2021-Q3"])
async def test_a_time_is_a_date_or_words(filled: SqliteDatabase, as_of: str) -> None:
    answer = await Bench(filled).ask(QueryRequest("ann", "Where does Ada work?", as_of=as_of))
    assert {fact.target: fact.certainty for fact in answer.facts}["acme"] == "certain"


async def test_the_time_in_the_question_counts(filled: SqliteDatabase) -> None:
    answer = await Bench(filled).ask(QueryRequest("ann", "Where did Ada work in 2015?"))
    assert [(fact.target, fact.certainty) for fact in answer.facts] == [("rome", "possible")]


async def test_every_problem_of_a_request_is_told_at_once(filled: SqliteDatabase) -> None:
    bench = Bench(filled)
    with pytest.raises(UserError) as raised:
        await bench.ask(QueryRequest("ann", " \x1b[0m ", as_of="soonish", top=0))
    assert [problem.where for problem in raised.value.problems] == ["question", "as_of", "top"]
    assert await bench.logged() == ()


async def test_a_model_that_fails_leaves_a_failed_row(filled: SqliteDatabase) -> None:
    bench = _scripted(filled, ProviderError("auth", "the key sk-abcdefghijkl is wrong"))
    with pytest.raises(ProviderError):
        await bench.ask()
    (logged,) = await bench.logged()
    assert logged.status == "failed"
    assert "wrong" in logged.error
    assert "sk-abc" not in logged.error


class _Hanging:
    """A model that never answers."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError


async def test_a_question_that_is_cancelled_ends_as_failed(filled: SqliteDatabase) -> None:
    model = _Hanging()
    bench = Bench(filled, model)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(bench.ask())
        await model.asked.wait()
        task.cancel()
    (logged,) = await bench.logged()
    assert (logged.status, logged.error[:14]) == ("failed", "CancelledError")


async def test_what_an_answer_costs_is_told(filled: SqliteDatabase) -> None:
    usage = Usage(input_tokens=1_000, searches=1)
    answer = await _scripted(filled, text_reply("At Acme [F1].", usage)).ask()
    assert answer.cost_usd == pytest.approx(0.01)
