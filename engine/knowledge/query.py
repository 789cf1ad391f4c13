"""One question to the knowledge base, from its row in the log to its answer.

    checked -> row written -> retrieved -> answered, or the words for no model -> row ended
                                  `-> failed: the row says why, the error passes

The row is there before anything is asked, and is ended whatever happens.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import NamedTuple

from engine.domain.clock import Clock, timestamp
from engine.domain.dates import stated
from engine.domain.errors import GligabaoError, Problem, UserError
from engine.domain.facts import Stated
from engine.domain.faults import fault, redacted
from engine.domain.knowledge import QueryAnswer, QueryRequest
from engine.domain.text_safety import clean, one_line
from engine.domain.time_words import Window, window
from engine.knowledge import answer as answering
from engine.knowledge.answer import Answered, Answerer
from engine.knowledge.retrieve import Retrieval, Retrieved, Scope
from engine.knowledge.selecting import Shown, within_budget
from engine.knowledge.wording import EMPTY, NO_MODEL, NOTHING_FOUND
from engine.llm.model import Attempts
from engine.store import knowledge_index, knowledge_queries
from engine.store.database import Database

QUESTION_MOST_CHARS = 2_000
TOP_MOST = 100
_MOST_ERROR_CHARS = 1_000
_NOTHING = Shown((), ())


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What questions are answered with."""

    database: Database
    retrieval: Retrieval
    clock: Clock
    attempts: Callable[[int], AbstractAsyncContextManager[Attempts]]
    """Where the calls of a query run are booked; what was collected is stored at the end."""
    answerer: Answerer | None = None
    """None: nothing answers, and what is stored is shown."""


class Queries:
    """Answers questions; one value serves everybody."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around

    async def query(self, request: QueryRequest) -> QueryAnswer:
        """Raises UserError with every problem of the request, ProviderError, StoreError."""
        asked = self._checked(request)
        around = self._around
        async with around.database.reading() as reader:
            dataset = await knowledge_index.dataset_id(reader, request.user, request.dataset)
        query_id = await self._start(asked, dataset)
        try:
            found = await self._answered(asked, dataset, query_id=query_id)
        except BaseException as error:
            # Cancelled ones too: what is left running would look as if it were still asked.
            await self._end(query_id, _failed(error))
            raise
        await self._end(query_id, found.ended)
        return found.answer

    def _checked(self, request: QueryRequest) -> "_Asked":
        today = stated(f"{self._around.clock.now():%Y-%m-%d}")
        as_of = _as_of(request.as_of, today) if request.as_of.strip() else None
        problems = list(_problems(request, as_of))
        if problems:
            raise UserError(*problems)
        about = as_of or window(request.question, today)
        return _Asked(request, clean(request.question).strip(), about)

    async def _answered(self, asked: "_Asked", dataset: int | None, *, query_id: int) -> "_Found":
        if dataset is None:
            return _found(QueryAnswer(query_id, EMPTY, True))
        around = self._around
        scope = Scope(dataset, asked.window)
        retrieved = await around.retrieval.retrieve(asked.question, scope)
        if not retrieved.facts and not retrieved.passages:
            return _found(QueryAnswer(query_id, NOTHING_FOUND, False))
        if around.answerer is None:
            return _without_model(query_id, retrieved, asked.request.top)
        shown = within_budget(retrieved.facts, retrieved.passages)
        async with around.attempts(query_id) as attempts:
            said = await answering.answer(
                asked.question, shown, by=around.answerer, attempts=attempts
            )
        return _with_answer(query_id, said, shown=shown, top=asked.request.top)

    async def _start(self, asked: "_Asked", dataset: int | None) -> int:
        new = knowledge_queries.NewQuery(
            user=asked.request.user,
            question=asked.question,
            dataset_ids=() if dataset is None else (dataset,),
            session_id=asked.request.session_id,
            as_of=Stated(asked.window.text, asked.window.span) if asked.window else None,
        )
        at = timestamp(self._around.clock.now())
        return await self._around.database.write(lambda tx: knowledge_queries.start(tx, new, at=at))

    async def _end(self, query_id: int, ended: knowledge_queries.EndedQuery) -> None:
        at = timestamp(self._around.clock.now())
        await self._around.database.write(
            lambda tx: knowledge_queries.end(tx, query_id, ended, at=at)
        )


class _Asked(NamedTuple):
    request: QueryRequest
    question: str
    window: Window | None


class _Found(NamedTuple):
    answer: QueryAnswer
    ended: knowledge_queries.EndedQuery


def _as_of(text: str, today: Stated | None) -> Window | None:
    date = stated(text.strip())
    return Window(date.span, date.text) if date is not None else window(text, today)


def _problems(request: QueryRequest, as_of: Window | None) -> list[Problem]:
    question = clean(request.question).strip()
    found = []
    if not question:
        found.append(Problem("question", "is missing"))
    if len(question) > QUESTION_MOST_CHARS:
        what = f"{len(question)} characters are too many ({QUESTION_MOST_CHARS} at most)"
        found.append(Problem("question", what))
    if request.as_of.strip() and as_of is None:
        what = f"{one_line(request.as_of)!r} is no date: say 2024, 2024-03, 2024-03-15 or 2024-Q1"
        found.append(Problem("as_of", what))
    if not 1 <= request.top <= TOP_MOST:
        found.append(Problem("top", f"must be from 1 to {TOP_MOST}"))
    return found


def _without_model(query_id: int, retrieved: Retrieved, top: int) -> _Found:
    shown = Shown(retrieved.facts[:top], retrieved.passages[:top])
    answer = QueryAnswer(
        query_id,
        NO_MODEL,
        False,
        facts=shown.facts,
        also=retrieved.facts[top : 2 * top],
        passages=tuple(passage.info for passage in shown.passages),
    )
    return _found(answer, shown)


def _with_answer(query_id: int, said: Answered, *, shown: Shown, top: int) -> _Found:
    by_id = {fact.id: fact for fact in shown.facts}
    answer = QueryAnswer(
        query_id,
        said.text,
        False,
        facts=tuple(by_id[number] for number in said.fact_ids),
        also=tuple(fact for fact in shown.facts if fact.id not in said.fact_ids)[:top],
        passages=tuple(passage.info for passage in shown.passages),
        is_grounded=bool(said.fact_ids),
        cost_usd=said.cost_usd,
    )
    return _found(answer, shown)


def _found(answer: QueryAnswer, shown: Shown = _NOTHING) -> _Found:
    """What is logged beside the answer: all that was shown, by its ids."""
    retrieved = (
        *(knowledge_queries.Shown("fact", fact.id, fact.score) for fact in shown.facts),
        *(knowledge_queries.Shown("sentence", one.id, one.info.score) for one in shown.passages),
    )
    based_on = tuple(fact.id for fact in answer.facts)
    ended = knowledge_queries.EndedQuery("completed", answer.answer, based_on, retrieved)
    return _Found(answer, ended)


def _failed(error: BaseException) -> knowledge_queries.EndedQuery:
    told = str(error) if isinstance(error, GligabaoError) else fault(error)
    return knowledge_queries.EndedQuery("failed", error=redacted(one_line(told, _MOST_ERROR_CHARS)))
