"""What a surface holds: one Engine-shaped value, whichever process owns the data at the moment.

Reads are repeated when the owner goes in the middle of one, and watches go on after a Resync.
Nothing that changes something is ever sent twice: it may have been carried out.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import TracebackType

from engine.domain.answers import (
    AgentDetails,
    AgentInfo,
    AgentsRead,
    Check,
    ScheduleInfo,
    Schedules,
    SourceText,
)
from engine.domain.costs import RunCosts
from engine.domain.events import Event, Resync, RunEnded
from engine.domain.run import Run, RunCounts, RunDetails, RunFilter, RunId, RunPage, StartRequest
from engine.domain.sources import CitedSource
from engine.knowledge_contract import KnowledgeBase
from engine.knowledge_relay import RelayedKnowledge
from engine.manager.workers import Workers
from engine.remote.calling import MOST_TRIES, Calls
from engine.remote.client import ConnectionLost
from engine.remote.keeper import Keeper, Opener, Pace

__all__ = ["AttachedEngine", "Pace", "Session", "attach"]


class AttachedEngine:
    """Fulfils `engine.contract.Engine`. Raises EngineUnreachable when there is no owner to be had
    and the lock neither."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._calls = Calls(keeper)
        self._knowledge = RelayedKnowledge(self._calls)

    @property
    def knowledge(self) -> KnowledgeBase:
        return self._knowledge

    @property
    def owned(self) -> bool:
        """Whether this process holds the data: its end would end the runs."""
        return self._keeper.owns

    @property
    def owner_process(self) -> str:
        """The id of the process that holds the data; empty when it cannot be read."""
        return self._keeper.owner_process()

    @property
    def socket(self) -> Path:
        """Where processes of the same user join the owner."""
        return self._keeper.socket()

    async def start(self, request: StartRequest) -> Run:
        return await self._calls.once(lambda engine: engine.start(request))

    async def get(self, run_id: RunId, *, user: str | None = None) -> RunDetails:
        return await self._calls.again(lambda engine: engine.get(run_id, user=user))

    async def list(self, which: RunFilter) -> RunPage:
        return await self._calls.again(lambda engine: engine.list(which))

    async def counts(self, *, user: str | None = None) -> RunCounts:
        return await self._calls.again(lambda engine: engine.counts(user=user))

    async def report(self, run_id: RunId, *, user: str | None = None) -> str:
        return await self._calls.again(lambda engine: engine.report(run_id, user=user))

    async def costs(self, run_id: RunId, *, user: str | None = None) -> RunCosts:
        return await self._calls.again(lambda engine: engine.costs(run_id, user=user))

    async def source(self, run_id: RunId, n: int, *, user: str | None = None) -> CitedSource:
        return await self._calls.again(lambda engine: engine.source(run_id, n, user=user))

    async def stop(self, run_id: RunId, *, by: str, user: str | None = None) -> Run:
        return await self._calls.once(lambda engine: engine.stop(run_id, by=by, user=user))

    async def wrap_up(self, run_id: RunId, *, by: str, user: str | None = None) -> Run:
        return await self._calls.once(lambda engine: engine.wrap_up(run_id, by=by, user=user))

    async def agents(self) -> tuple[AgentInfo, ...]:
        return await self._calls.again(lambda engine: engine.agents())

    async def agent(self, name: str) -> AgentDetails:
        return await self._calls.again(lambda engine: engine.agent(name))

    async def agents_read(self) -> AgentsRead:
        return await self._calls.again(lambda engine: engine.agents_read())

    async def reload_agents(self) -> AgentsRead:
        return await self._calls.again(lambda engine: engine.reload_agents())

    async def schedules(self) -> Schedules:
        return await self._calls.again(lambda engine: engine.schedules())

    async def pause_schedule(self, agent: str, *, paused: bool) -> ScheduleInfo:
        return await self._calls.once(lambda engine: engine.pause_schedule(agent, paused=paused))

    async def run_schedule(self, agent: str) -> Run:
        return await self._calls.once(lambda engine: engine.run_schedule(agent))

    async def read(self, source: str, *, full: bool = False) -> SourceText:
        return await self._calls.again(lambda engine: engine.read(source, full=full))

    async def doctor(self) -> tuple[Check, ...]:
        return await self._calls.again(lambda engine: engine.doctor())

    @asynccontextmanager
    async def watch(self, run_id: RunId | None = None) -> AsyncIterator[AsyncIterator[Event]]:
        async with AsyncExitStack() as scope:
            watching = _Watching(self._keeper, scope, run_id)
            await watching.enter()
            yield watching.events()


class Session:
    """`async with attach(...) as engine`: leaving it lets go of the data.

    An owner that stays leaves only when nothing is being worked on, unless it is cancelled.
    """

    def __init__(self, data_dir: Path, opener: Opener | None, *, stay: bool, pace: Pace) -> None:
        self._keeper = Keeper(data_dir, opener, stay=stay, pace=pace)
        self._background = Workers()

    async def __aenter__(self) -> AttachedEngine:
        await self._background.__aenter__()
        self._background.start(self._keeper.run())
        try:
            await self._keeper.side()
        except BaseException:
            self._keeper.close(hurry=True)
            self._background.cancel()
            await self._background.__aexit__(None, None, None)
            raise
        return AttachedEngine(self._keeper)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        hurry = isinstance(error, asyncio.CancelledError | KeyboardInterrupt)
        self._keeper.close(hurry=hurry)
        await self._background.__aexit__(kind, error, trace)


def attach(data_dir: Path, opener: Opener | None, *, stay: bool, pace: Pace) -> Session:
    """The engine of a data directory, owned if its lock is free, else joined.

    `stay`: other processes may join while this one owns, and it stays the owner as long as any run
    is being worked on; without it (reading commands) the data is let go of at once.
    Without `opener` it is joined or nothing: this process never owns the data.
    Entering raises EngineUnreachable (no lock and no owner within two seconds), and what `opener`
    raises: StoreError, CannotStart.
    """
    return Session(data_dir, opener, stay=stay, pace=pace)


class _Watching:
    """One watch through every switch of the owner."""

    def __init__(self, keeper: Keeper, scope: AsyncExitStack, run_id: RunId | None) -> None:
        self._keeper = keeper
        self._scope = scope
        self._run_id = run_id

    async def enter(self) -> None:
        for _ in range(MOST_TRIES):
            self._engine = await self._keeper.side()
            try:
                self._events = await self._scope.enter_async_context(
                    self._engine.watch(self._run_id)
                )
                return
            except ConnectionLost as exc:
                self._keeper.lost(self._engine)
                lost = exc
        raise lost

    async def events(self) -> AsyncIterator[Event]:
        while True:
            try:
                async for event in self._events:
                    yield event
                return
            except ConnectionLost:
                self._keeper.lost(self._engine)
            await self.enter()
            yield Resync(self._run_id)
            if end := await self._end():
                yield end
                return

    async def _end(self) -> RunEnded | None:
        """How the watched run ended while nobody told; None while it goes on."""
        if self._run_id is None:
            return None
        details = await self._engine.get(self._run_id)
        run = details.run
        if run.status == "running":
            return None
        last = details.states[-1].seq if details.states else 1
        return RunEnded(run.id, last, run.status, run.error, run.finished_at or "", run.stop_reason)
