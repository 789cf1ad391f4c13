"""The joined side of the socket: a KnowledgeBase whose every call is carried out by the owner."""

from collections.abc import Mapping
from typing import Any, Protocol

from engine.domain.json_values import read, written
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


class Call(Protocol):
    """One call to the owner: its answer as a document."""

    async def __call__(
        self, method: str, arguments: Mapping[str, Any], *, may_take_long: bool = False
    ) -> Any: ...


class JoinedKnowledge:
    """Fulfils `engine.knowledge_contract.KnowledgeBase`; every method may raise ConnectionLost
    too.

    What waits for a model or for the queue has no deadline of this side: the owner has its own,
    and its end is noticed at once.
    """

    def __init__(self, call: Call) -> None:
        self._call = call

    async def remember(self, request: RememberRequest, *, wait: bool = False) -> RememberRun:
        run = read(RememberRun, await self._call("remember", written(request)))
        return await self.remember_settled(run.id) if wait else run

    async def remember_run(self, number: int, *, user: str | None = None) -> RememberRun:
        return read(RememberRun, await self._call("remember_run", _of(number, user)))

    async def remember_settled(self, number: int, *, user: str | None = None) -> RememberRun:
        asked = _of(number, user)
        return read(RememberRun, await self._call("remember_settled", asked, may_take_long=True))

    async def remember_runs(self, which: RememberFilter) -> RememberPage:
        return read(RememberPage, await self._call("remember_runs", written(which)))

    async def retry_remember(self, number: int, *, user: str | None = None) -> RememberRun:
        return read(RememberRun, await self._call("retry_remember", _of(number, user)))

    async def query(self, request: QueryRequest) -> QueryAnswer:
        return read(QueryAnswer, await self._call("query", written(request), may_take_long=True))

    async def rebuild(self, *, user: str | None = None) -> tuple[Rebuilt, ...]:
        found = await self._call("rebuild_facts", {"user": user})
        return tuple(read(Rebuilt, one) for one in found)

    async def datasets(self, *, user: str | None = None) -> tuple[DatasetInfo, ...]:
        found = await self._call("datasets", {"user": user})
        return tuple(read(DatasetInfo, info) for info in found)

    async def facts(self, which: FactFilter) -> FactsPage:
        return read(FactsPage, await self._call("facts", written(which)))

    async def fact(self, number: int, *, user: str | None = None) -> FactHistory:
        return read(FactHistory, await self._call("fact", _of(number, user)))

    async def entities(self, which: EntityFilter) -> EntitiesPage:
        return read(EntitiesPage, await self._call("entities", written(which)))

    async def entity(self, number: int, *, user: str | None = None) -> EntityPage:
        return read(EntityPage, await self._call("entity", _of(number, user)))

    async def import_facts(self, request: ImportRequest) -> RememberRun:
        asked = written(request)
        return read(RememberRun, await self._call("import_facts", asked, may_take_long=True))

    async def forget(self, request: ForgetRequest) -> Forgotten:
        return read(Forgotten, await self._call("forget", written(request)))

    async def provenance(
        self, run_id: RunId, *, include_subagents: bool = False, user: str | None = None
    ) -> Provenance:
        asked = {"run_id": run_id, "include_subagents": include_subagents, "user": user}
        return read(Provenance, await self._call("provenance", asked))

    async def temporal(
        self, run_id: RunId, *, include_subagents: bool = False, user: str | None = None
    ) -> Temporal:
        asked = {"run_id": run_id, "include_subagents": include_subagents, "user": user}
        return read(Temporal, await self._call("temporal", asked))

    async def remember_temporal(self, number: int, *, user: str | None = None) -> Temporal:
        return read(Temporal, await self._call("remember_temporal", _of(number, user)))


def _of(number: int, user: str | None) -> Mapping[str, Any]:
    return {"number": number, "user": user}
