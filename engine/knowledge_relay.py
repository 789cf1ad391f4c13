"""The knowledge base beyond a boundary: every call is passed on, as a read or as a change.

Over the socket reads are repeated when the owner goes, and changes are never sent twice; from a
screen both cross to the engine's loop. Which call is which is said here, and here alone.
"""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from engine.contract import Engine
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
from engine.knowledge_contract import KnowledgeBase

Answer = TypeVar("Answer")

TEXTS = "the list of remembered texts"
QUERIES = "the log of questions"


class Crossing(Protocol):
    """The way to the engine behind the boundary."""

    async def again(self, call: Callable[[Engine], Awaitable[Answer]]) -> Answer:
        """A call that changes nothing, and may be repeated."""
        ...

    async def once(self, call: Callable[[Engine], Awaitable[Answer]], *, shows_in: str) -> Answer:
        """A call that changes something or costs money. `shows_in` is where a person sees whether
        it was carried out."""
        ...


class RelayedKnowledge:
    """Fulfils `engine.knowledge_contract.KnowledgeBase`. A question is never sent twice either: it
    costs money."""

    def __init__(self, crossing: Crossing) -> None:
        self._crossing = crossing

    async def remember(self, request: RememberRequest, *, wait: bool = False) -> RememberRun:
        """Waits through a change of owner: the text is on the disk, and the next one absorbs it."""
        run = await self._once(lambda known: known.remember(request))
        return await self.remember_settled(run.id) if wait else run

    async def remember_run(self, number: int, *, user: str | None = None) -> RememberRun:
        return await self._again(lambda known: known.remember_run(number, user=user))

    async def remember_settled(self, number: int, *, user: str | None = None) -> RememberRun:
        return await self._again(lambda known: known.remember_settled(number, user=user))

    async def remember_runs(self, which: RememberFilter) -> RememberPage:
        return await self._again(lambda known: known.remember_runs(which))

    async def retry_remember(self, number: int, *, user: str | None = None) -> RememberRun:
        return await self._once(lambda known: known.retry_remember(number, user=user))

    async def query(self, request: QueryRequest) -> QueryAnswer:
        return await self._once(lambda known: known.query(request), shows_in=QUERIES)

    async def rebuild(self, *, user: str | None = None) -> tuple[Rebuilt, ...]:
        return await self._again(lambda known: known.rebuild(user=user))

    async def datasets(self, *, user: str | None = None) -> tuple[DatasetInfo, ...]:
        return await self._again(lambda known: known.datasets(user=user))

    async def facts(self, which: FactFilter) -> FactsPage:
        return await self._again(lambda known: known.facts(which))

    async def fact(self, number: int, *, user: str | None = None) -> FactHistory:
        return await self._again(lambda known: known.fact(number, user=user))

    async def entities(self, which: EntityFilter) -> EntitiesPage:
        return await self._again(lambda known: known.entities(which))

    async def entity(self, number: int, *, user: str | None = None) -> EntityPage:
        return await self._again(lambda known: known.entity(number, user=user))

    async def import_facts(self, request: ImportRequest) -> RememberRun:
        return await self._once(lambda known: known.import_facts(request))

    async def forget(self, request: ForgetRequest) -> Forgotten:
        if request.is_trial:
            return await self._again(lambda known: known.forget(request))
        return await self._once(lambda known: known.forget(request))

    async def provenance(
        self, run_id: RunId, *, include_subagents: bool = False, user: str | None = None
    ) -> Provenance:
        return await self._again(
            lambda known: known.provenance(run_id, include_subagents=include_subagents, user=user)
        )

    async def temporal(
        self, run_id: RunId, *, include_subagents: bool = False, user: str | None = None
    ) -> Temporal:
        return await self._again(
            lambda known: known.temporal(run_id, include_subagents=include_subagents, user=user)
        )

    async def remember_temporal(self, number: int, *, user: str | None = None) -> Temporal:
        return await self._again(lambda known: known.remember_temporal(number, user=user))

    async def _again(self, ask: Callable[[KnowledgeBase], Awaitable[Answer]]) -> Answer:
        return await self._crossing.again(lambda engine: ask(engine.knowledge))

    async def _once(
        self, ask: Callable[[KnowledgeBase], Awaitable[Answer]], *, shows_in: str = TEXTS
    ) -> Answer:
        return await self._crossing.once(lambda engine: ask(engine.knowledge), shows_in=shows_in)
