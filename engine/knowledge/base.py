"""The knowledge base of an owned engine: fulfils `engine.knowledge_contract.KnowledgeBase`.

It puts requests, queue, questions and reads together and decides nothing itself.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

from engine.domain.clock import Clock, timestamp
from engine.domain.errors import NotFound, Problem, UserError
from engine.domain.facts import Span
from engine.domain.knowledge import (
    DatasetInfo,
    EntitiesPage,
    EntityFilter,
    EntityPage,
    FactFilter,
    FactHistory,
    FactsPage,
    ForgetRequest,
    Forgotten,
    ImportRequest,
    QueryAnswer,
    QueryRequest,
    Rebuilt,
    RememberFilter,
    RememberPage,
    RememberRequest,
    RememberRun,
)
from engine.domain.provenance import Provenance, Temporal
from engine.domain.run import RunId
from engine.knowledge import requests
from engine.knowledge.remember import RememberQueue
from engine.store import (
    knowledge_facts,
    knowledge_forget,
    knowledge_pages,
    knowledge_projection,
    knowledge_provenance,
    knowledge_runs,
    knowledge_temporal,
    runs,
)
from engine.store.database import Database, Reader

Answer = TypeVar("Answer")


class Asks(Protocol):
    """Answers questions: `engine.knowledge.query.Queries`, made when the first one is asked."""

    async def query(self, request: QueryRequest) -> QueryAnswer: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What a knowledge base is made of. `forgotten` is told the dataset of each forgotten text."""

    database: Database
    clock: Clock
    queue: RememberQueue
    asks: Callable[[], Awaitable[Asks]]
    forgotten: Callable[[], None]


class Base:
    """One per owner of the data."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    @property
    def queue(self) -> RememberQueue:
        return self._parts.queue

    async def remember(self, request: RememberRequest, *, wait: bool = False) -> RememberRun:
        run = await self.queue.submit(requests.text_to_remember(request))
        return await self.queue.attempted(run.id) if wait else run

    async def import_facts(self, request: ImportRequest) -> RememberRun:
        run = await self.queue.submit(requests.facts_to_remember(request))
        return await self.queue.attempted(run.id)

    async def remember_run(self, number: int, *, user: str | None = None) -> RememberRun:
        run = await self.queue.get(number)
        if user is not None and run.user_id != user:
            raise NotFound(f"no remember run {number}")
        return run

    async def remember_settled(self, number: int, *, user: str | None = None) -> RememberRun:
        await self.remember_run(number, user=user)
        return await self.queue.attempted(number)

    async def remember_runs(self, which: RememberFilter) -> RememberPage:
        return await self._read(lambda reader: knowledge_runs.page(reader, which))

    async def retry_remember(self, number: int, *, user: str | None = None) -> RememberRun:
        await self.remember_run(number, user=user)
        return await self.queue.retry(number)

    async def query(self, request: QueryRequest) -> QueryAnswer:
        if wrong := requests.dataset_problem(request.dataset):
            raise UserError(Problem("dataset", wrong))
        asks = await self._parts.asks()
        return await asks.query(request)

    async def datasets(self, *, user: str | None = None) -> tuple[DatasetInfo, ...]:
        return await self._read(lambda reader: knowledge_runs.datasets(reader, user))

    async def rebuild(self, *, user: str | None = None) -> tuple[Rebuilt, ...]:
        at = timestamp(self._parts.clock.now())
        rebuilt = []
        for dataset in await self.datasets(user=user):
            work = partial(knowledge_projection.rebuild, dataset_id=dataset.id, at=at)
            mended = await self._parts.database.write(work)
            rebuilt.append(Rebuilt(dataset.name, dataset.facts, mended))
        return tuple(rebuilt)

    async def facts(self, which: FactFilter) -> FactsPage:
        times = _times(which)
        return await self._read(lambda reader: knowledge_facts.page(reader, which, times))

    async def fact(self, number: int, *, user: str | None = None) -> FactHistory:
        found = await self._read(lambda reader: knowledge_pages.history(reader, number, user))
        return _there(found, f"no fact {number}")

    async def entities(self, which: EntityFilter) -> EntitiesPage:
        return await self._read(lambda reader: knowledge_pages.entities(reader, which))

    async def entity(self, number: int, *, user: str | None = None) -> EntityPage:
        found = await self._read(lambda reader: knowledge_pages.entity(reader, number, user))
        return _there(found, f"no entity {number}")

    async def forget(self, request: ForgetRequest) -> Forgotten:
        if request.artifact_id is None and not request.source.strip():
            raise UserError(Problem("", "say which text: its number, or a source"))
        at = timestamp(self._parts.clock.now())
        gone = await knowledge_forget.forget_or_try(self._parts.database, request, at=at)
        if not gone.artifacts:
            raise NotFound(_no_text(request))
        if not request.is_trial:
            self._parts.forgotten()
            self.queue.forgotten()
        return gone

    async def provenance(
        self, run_id: RunId, *, include_subagents: bool = False, user: str | None = None
    ) -> Provenance:
        async def read(reader: Reader) -> Provenance:
            await _of_user(reader, run_id, user)
            sessions = await knowledge_provenance.sessions(
                reader, run_id, include_subagents=include_subagents
            )
            return await knowledge_provenance.provenance(reader, run_id, sessions)

        return await self._read(read)

    async def temporal(
        self, run_id: RunId, *, include_subagents: bool = False, user: str | None = None
    ) -> Temporal:
        async def read(reader: Reader) -> Temporal:
            await _of_user(reader, run_id, user)
            sessions = await knowledge_provenance.sessions(
                reader, run_id, include_subagents=include_subagents
            )
            return await knowledge_temporal.of_sessions(reader, run_id, sessions)

        return await self._read(read)

    async def remember_temporal(self, number: int, *, user: str | None = None) -> Temporal:
        await self.remember_run(number, user=user)
        found = await self._read(lambda reader: knowledge_temporal.of_remember_run(reader, number))
        return _there(found, f"no remember run {number}")

    async def _read(self, read: Callable[[Reader], Awaitable[Answer]]) -> Answer:
        async with self._parts.database.reading() as reader:
            return await read(reader)


def _there(found: Answer | None, missing: str) -> Answer:
    if found is None:
        raise NotFound(missing)
    return found


async def _of_user(reader: Reader, run_id: RunId, user: str | None) -> None:
    run = await runs.get(reader, run_id)
    if run is None or (user is not None and run.user_id != user):
        raise NotFound(f"no run {run_id}")


def _times(which: FactFilter) -> knowledge_facts.Times:
    return knowledge_facts.Times(_window(which), _known_at(which))


def _window(which: FactFilter) -> Span | None:
    if not which.as_of.strip():
        return None
    date = requests.date_of(which.as_of)
    if date is None:
        raise UserError(Problem("as_of", f'"{which.as_of}" {requests.A_DATE}'))
    return date.span


def _known_at(which: FactFilter) -> str:
    """A day counts to its end; a system time is taken as it is."""
    given = which.known_at.strip()
    if not given or "T" in given:
        return given
    date = requests.date_of(given)
    if date is None:
        raise UserError(Problem("known_at", f'"{given}" {requests.A_DATE}'))
    from datetime import UTC, datetime, timedelta

    end = datetime.fromtimestamp(date.span.hi, UTC) - timedelta(milliseconds=1)
    return timestamp(end)


def _no_text(request: ForgetRequest) -> str:
    if request.artifact_id is not None:
        return f"no remembered text {request.artifact_id}"
    return f'no remembered text is from "{request.source}"'
