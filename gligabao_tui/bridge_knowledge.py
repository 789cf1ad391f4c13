"""The knowledge base as a screen awaits it: every call is carried out on the engine's loop."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from engine.api import (
    DatasetInfo,
    Engine,
    EntitiesPage,
    EntityFilter,
    EntityPage,
    FactFilter,
    FactHistory,
    FactsPage,
    ForgetRequest,
    Forgotten,
    ImportRequest,
    KnowledgeBase,
    Provenance,
    QueryAnswer,
    QueryRequest,
    Rebuilt,
    RememberFilter,
    RememberPage,
    RememberRequest,
    RememberRun,
    RunId,
    Temporal,
)

Answer = TypeVar("Answer")


class Crossing(Protocol):
    """The way to the engine: `gligabao_tui.bridge.Bridge`."""

    async def call(self, work: Callable[[Engine], Awaitable[Answer]]) -> Answer: ...


class KnowledgeCalls:
    """Fulfils the KnowledgeBase protocol; every call may raise EngineUnreachable too."""

    def __init__(self, bridge: Callable[[], Crossing]) -> None:
        self._bridge = bridge

    async def remember(self, request: RememberRequest, *, wait: bool = False) -> RememberRun:
        return await self._call(lambda known: known.remember(request, wait=wait))

    async def remember_run(self, number: int, *, user: str | None = None) -> RememberRun:
        return await self._call(lambda known: known.remember_run(number, user=user))

    async def remember_settled(self, number: int, *, user: str | None = None) -> RememberRun:
        return await self._call(lambda known: known.remember_settled(number, user=user))

    async def remember_runs(self, which: RememberFilter) -> RememberPage:
        return await self._call(lambda known: known.remember_runs(which))

    async def retry_remember(self, number: int, *, user: str | None = None) -> RememberRun:
        return await self._call(lambda known: known.retry_remember(number, user=user))

    async def query(self, request: QueryRequest) -> QueryAnswer:
        return await self._call(lambda known: known.query(request))

    async def rebuild(self, *, user: str | None = None) -> tuple[Rebuilt, ...]:
        return await self._call(lambda known: known.rebuild(user=user))

    async def datasets(self, *, user: str | None = None) -> tuple[DatasetInfo, ...]:
        return await self._call(lambda known: known.datasets(user=user))

    async def facts(self, which: FactFilter) -> FactsPage:
        return await self._call(lambda known: known.facts(which))

    async def fact(self, number: int, *, user: str | None = None) -> FactHistory:
        return await self._call(lambda known: known.fact(number, user=user))

    async def entities(self, which: EntityFilter) -> EntitiesPage:
        return await self._call(lambda known: known.entities(which))

    async def entity(self, number: int, *, user: str | None = None) -> EntityPage:
        return await self._call(lambda known: known.entity(number, user=user))

    async def import_facts(self, request: ImportRequest) -> RememberRun:
        return await self._call(lambda known: known.import_facts(request))

    async def forget(self, request: ForgetRequest) -> Forgotten:
        return await self._call(lambda known: known.forget(request))

    async def provenance(
        self, run_id: RunId, *, include_subagents: bool = False, user: str | None = None
    ) -> Provenance:
        return await self._call(
            lambda known: known.provenance(run_id, include_subagents=include_subagents, user=user)
        )

    async def temporal(
        self, run_id: RunId, *, include_subagents: bool = False, user: str | None = None
    ) -> Temporal:
        return await self._call(
            lambda known: known.temporal(run_id, include_subagents=include_subagents, user=user)
        )

    async def remember_temporal(self, number: int, *, user: str | None = None) -> Temporal:
        return await self._call(lambda known: known.remember_temporal(number, user=user))

    async def _call(self, ask: Callable[[KnowledgeBase], Awaitable[Answer]]) -> Answer:
        return await self._bridge().call(lambda engine: ask(engine.knowledge))
