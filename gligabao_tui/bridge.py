"""The engine in a thread of its own, and the two ways across: calls there, events back.

Events cross by a bounded deque that is drained by the screen when it has time; when it overflows
the screen is told to read everything again. Nothing here may make the engine wait for the screen.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, suppress
from typing import TypeAlias, TypeVar

from engine.api import (
    AgentDetails,
    AgentInfo,
    AgentsRead,
    Check,
    CitedSource,
    Engine,
    EngineUnreachable,
    Event,
    GligabaoError,
    RelayedKnowledge,
    Resync,
    Run,
    RunCosts,
    RunCounts,
    RunDetails,
    RunFilter,
    RunId,
    RunPage,
    ScheduleInfo,
    Schedules,
    SourceText,
    StartRequest,
)

Answer = TypeVar("Answer")
Opener: TypeAlias = Callable[[], AbstractAsyncContextManager[Engine]]
EVENTS_MOST = 2_000


class Bridge:
    """Opened, closed and called on the screen's loop; `wake` and `ended` are called in the
    engine's thread: when the first event waits to be drained, and when the engine is gone (with
    what ended it, or None after `close`)."""

    def __init__(
        self,
        opener: Opener,
        *,
        wake: Callable[[], None],
        ended: Callable[[BaseException | None], None],
    ) -> None:
        self._opener = opener
        self._wake = wake
        self._tell_end = ended
        self._events: deque[Event] = deque(maxlen=EVENTS_MOST)
        self._is_armed = self._has_lost = self._is_begun = False
        self._must_close = self._must_hurry = False
        self._serving: asyncio.Task[None] | None = None
        self._engine: Engine | None = None
        self._tasks: asyncio.TaskGroup | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="engine")
        self._opened: Future[None] = Future()
        self._gone: Future[None] = Future()

    @property
    def owns_data(self) -> bool:
        """Whether the engine is this process's own; an engine that does not say so is."""
        return bool(getattr(self._engine, "owned", True))

    async def open(self) -> None:
        """Raises what kept the engine from opening."""
        self._is_begun = True
        self._thread.submit(lambda: asyncio.run(self._serve())).add_done_callback(self._end)
        await asyncio.wrap_future(self._opened)

    async def call(self, work: Callable[[Engine], Awaitable[Answer]]) -> Answer:
        """Do `work` on the engine's loop. Raises its GligabaoError, or EngineUnreachable."""
        if self._loop is None or self._gone.done() or not self._opened.done():
            raise EngineUnreachable("the engine is not open: it is opening, closing or gone")
        answer: Future[Answer] = Future()
        try:
            self._loop.call_soon_threadsafe(self._begin, work, answer)
        except RuntimeError as error:  # its loop closed between the two lines
            raise EngineUnreachable("the engine has closed") from error
        return await asyncio.wrap_future(answer)

    def drain(self) -> tuple[Event, ...]:
        """What was announced since the last time; one Resync of everything when some was lost."""
        self._is_armed = False
        has_lost, self._has_lost = self._has_lost, False
        events = [self._events.popleft() for _ in range(len(self._events))]
        return (Resync(None),) if has_lost else tuple(events)

    def ask_to_close(self, *, hurry: bool = False) -> None:
        """Let the engine begin to close; safe in any thread and in a signal handler.

        An owner closes when nothing is being worked on; in a `hurry` runs are interrupted.
        """
        self._must_close = True
        self._must_hurry = self._must_hurry or hurry
        if self._loop is not None and not self._gone.done():
            with suppress(RuntimeError):  # its loop has closed meanwhile
                self._loop.call_soon_threadsafe(self._obey)

    async def ended(self) -> None:
        """Until the engine is gone, for whatever reason."""
        await asyncio.wrap_future(self._gone)

    async def close(self) -> None:
        """Close the engine and wait until it has recorded everything."""
        self.ask_to_close()
        if self._is_begun:
            await self.ended()

    def close_now(self) -> None:
        """At once, after the screen has ended: nobody watches what would be waited for."""
        self.ask_to_close(hurry=True)
        self._thread.shutdown(wait=True)

    async def _serve(self) -> None:
        self._loop, self._serving = asyncio.get_running_loop(), asyncio.current_task()
        if self._must_close:
            self._obey()
        async with (
            self._opener() as self._engine,
            self._engine.watch() as events,
            asyncio.TaskGroup() as self._tasks,
        ):
            pump = self._tasks.create_task(self._pump(events))
            self._opened.set_result(None)
            await self._closing.wait()
            pump.cancel()

    def _obey(self) -> None:
        """An engine that must not wait is told by cancellation, wherever it waits."""
        self._closing.set()
        if self._must_hurry and self._serving is not None:
            self._serving.cancel()

    async def _pump(self, events: AsyncIterator[Event]) -> None:
        async for event in events:
            self._has_lost = self._has_lost or len(self._events) == EVENTS_MOST
            self._events.append(event)
            if not self._is_armed:
                self._is_armed = True
                self._wake()
        raise EngineUnreachable("the engine has stopped telling what happens")

    def _begin(self, work: Callable[[Engine], Awaitable[Answer]], answer: Future[Answer]) -> None:
        if not answer.set_running_or_notify_cancel():
            return
        if self._tasks is None or self._closing.is_set():
            answer.set_exception(EngineUnreachable("the engine is closing"))
            return
        self._tasks.create_task(self._answer(work, answer))

    async def _answer(
        self, work: Callable[[Engine], Awaitable[Answer]], answer: Future[Answer]
    ) -> None:
        """A fault of the program is not caught: it ends the engine, and `ended` tells it."""
        assert self._engine is not None
        try:
            answer.set_result(await work(self._engine))
        except GligabaoError as error:
            answer.set_exception(error)
        finally:
            if not answer.done():
                answer.set_exception(EngineUnreachable("the engine was closed meanwhile"))

    def _end(self, served: Future[None]) -> None:
        error = _only_error(served.exception())
        if self._must_hurry and isinstance(error, asyncio.CancelledError):
            error = None  # it was told so
        if not self._opened.done():
            self._opened.set_exception(error or EngineUnreachable("the engine was closed"))
        self._thread.shutdown(wait=False)
        self._tell_end(error)
        self._gone.set_result(None)


class EngineCalls:
    """The methods of the Engine protocol as a screen awaits them; it follows no events."""

    def __init__(self, bridge: Callable[[], Bridge]) -> None:
        self._bridge = bridge
        self.knowledge = RelayedKnowledge(_Across(bridge))

    async def start(self, request: StartRequest) -> Run:
        return await self._bridge().call(lambda engine: engine.start(request))

    async def get(self, run_id: RunId) -> RunDetails:
        return await self._bridge().call(lambda engine: engine.get(run_id))

    async def list(self, which: RunFilter) -> RunPage:
        return await self._bridge().call(lambda engine: engine.list(which))

    async def counts(self) -> RunCounts:
        return await self._bridge().call(lambda engine: engine.counts())

    async def report(self, run_id: RunId) -> str:
        return await self._bridge().call(lambda engine: engine.report(run_id))

    async def costs(self, run_id: RunId) -> RunCosts:
        return await self._bridge().call(lambda engine: engine.costs(run_id))

    async def source(self, run_id: RunId, n: int) -> CitedSource:
        return await self._bridge().call(lambda engine: engine.source(run_id, n))

    async def stop(self, run_id: RunId, *, by: str) -> Run:
        return await self._bridge().call(lambda engine: engine.stop(run_id, by=by))

    async def wrap_up(self, run_id: RunId, *, by: str) -> Run:
        return await self._bridge().call(lambda engine: engine.wrap_up(run_id, by=by))

    async def agents(self) -> tuple[AgentInfo, ...]:
        return await self._bridge().call(lambda engine: engine.agents())

    async def agent(self, name: str) -> AgentDetails:
        return await self._bridge().call(lambda engine: engine.agent(name))

    async def agents_read(self) -> AgentsRead:
        return await self._bridge().call(lambda engine: engine.agents_read())

    async def reload_agents(self) -> AgentsRead:
        return await self._bridge().call(lambda engine: engine.reload_agents())

    async def schedules(self) -> Schedules:
        return await self._bridge().call(lambda engine: engine.schedules())

    async def pause_schedule(self, agent: str, *, paused: bool) -> ScheduleInfo:
        return await self._bridge().call(lambda engine: engine.pause_schedule(agent, paused=paused))

    async def run_schedule(self, agent: str) -> Run:
        return await self._bridge().call(lambda engine: engine.run_schedule(agent))

    async def read(self, source: str) -> SourceText:
        return await self._bridge().call(lambda engine: engine.read(source))

    async def doctor(self) -> tuple[Check, ...]:
        return await self._bridge().call(lambda engine: engine.doctor())


class _Across:
    """The way to the engine's loop, where a call is made once, whatever it does."""

    def __init__(self, bridge: Callable[[], Bridge]) -> None:
        self._bridge = bridge

    async def again(self, call: Callable[[Engine], Awaitable[Answer]]) -> Answer:
        return await self._bridge().call(call)

    async def once(
        self,
        call: Callable[[Engine], Awaitable[Answer]],
        *,
        shows_in: str,  # noqa: ARG002 - the bridge never loses what was sent
    ) -> Answer:
        return await self._bridge().call(call)


def _only_error(error: BaseException | None) -> BaseException | None:
    """The one error inside groups of one."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error
