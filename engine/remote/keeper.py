"""Holds one side of the data, owned or joined, and gets another when it is lost.

    lock free ──> owned: the engine opened here, served on the socket
    lock held ──> joined ── socket lost ──> lock or socket again, for five seconds
    no opener ──> joined, or nothing: the lock is not touched

Whoever gets the lock opens the engine, which marks what a dead process left. Never waits for the
lock: it is tried again and again (D22).
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from engine.contract import Engine
from engine.domain.clock import Clock
from engine.domain.errors import CannotStart, EngineUnreachable, GligabaoError, Problem
from engine.domain.timing import Timing
from engine.remote.client import ConnectionLost, JoinedEngine
from engine.remote.lock import LOCK_NAME, OwnerLock, holder_of
from engine.remote.place import SOCKET_NAME, place_of
from engine.remote.server import serve_engine


class OwnedEngine(Engine, Protocol):
    """The engine of the process that holds the data."""

    async def idle(self) -> None:
        """Returns when no run (and no queued text) is being worked on."""
        ...


Opener: TypeAlias = Callable[[], AbstractAsyncContextManager[OwnedEngine]]
"""Opens the engine; called only with the lock held. Leaving it ends every run."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Time, as it is passed in."""

    clock: Clock
    timing: Timing = Timing()


class Keeper:
    """The background of a session. `run` is its one task; the rest is called beside it."""

    def __init__(self, data_dir: Path, opener: Opener | None, *, stay: bool, pace: Pace) -> None:
        self._data_dir = data_dir
        self._opener = opener
        self._stay = stay
        self._pace = pace
        self._arrival: asyncio.Future[Engine] = asyncio.Future()
        self._left = asyncio.Event()
        self._asked_again = asyncio.Event()
        self._is_closing = False
        self._hurried = False
        self.owns = False

    async def run(self) -> None:
        within = self._pace.timing.join_most
        while not self._is_closing:
            self._left.clear()
            try:
                await self._hold_one(within)
            except GligabaoError as exc:
                self._fail(exc)
                await self._asked_again.wait()
            within = self._pace.timing.rejoin_most

    async def side(self) -> Engine:
        """The engine that is held now; waits while another is being looked for.

        Raises what made the last attempt fail; asking again makes another one.
        """
        if self._arrival.done() and self._arrival.exception() is not None:
            self._await_another()
            self._asked_again.set()
        return await asyncio.shield(self._arrival)

    def owner_process(self) -> str:
        return holder_of(self._data_dir / LOCK_NAME)

    def socket(self) -> Path:
        return place_of(self._data_dir / SOCKET_NAME)

    def lost(self, engine: Engine) -> None:
        """`engine` did not answer: look for the lock or another owner."""
        held = self._arrival if self._arrival.done() else None
        if held and not held.exception() and held.result() is engine:
            self._await_another()
            self._left.set()

    def close(self, *, hurry: bool) -> None:
        """Let go; `hurry` without waiting for the runs that are being worked on."""
        self._is_closing = True
        self._hurried = hurry
        self._left.set()
        self._asked_again.set()

    async def _hold_one(self, within: float) -> None:
        side = await self._lock_or_socket(within)
        if isinstance(side, JoinedEngine):
            self._arrive(side, owned=False)
            await self._left.wait()
            return
        try:
            await self._own()
        finally:
            side.release()

    async def _lock_or_socket(self, within: float) -> OwnerLock | JoinedEngine:
        clock, path = self._pace.clock, self._data_dir / LOCK_NAME
        deadline = clock.monotonic() + within
        make_private(self._data_dir)
        while True:
            if self._opener is not None and (lock := OwnerLock.try_acquire(path)):
                return lock
            joined = JoinedEngine(self._data_dir / SOCKET_NAME, self._pace.timing)
            try:
                await joined.greet()
                return joined
            except ConnectionLost:
                if self._is_closing or clock.monotonic() >= deadline:
                    raise EngineUnreachable(self._out_of_reach(path)) from None
            await clock.sleep(self._pace.timing.join_retry)

    async def _own(self) -> None:
        assert self._opener is not None
        async with AsyncExitStack() as scope:
            engine = await scope.enter_async_context(self._opener())
            if not self._stay:
                self._arrive(engine, owned=True)
                await self._left.wait()
                return
            wanted = self._data_dir / SOCKET_NAME
            serving = serve_engine(engine, wanted, timing=self._pace.timing)
            server = await scope.enter_async_context(serving)
            self._arrive(engine, owned=True)
            await self._left.wait()
            if not self._hurried:
                await engine.idle()
                await server.stop_taking()
                await engine.idle()  # a run may have been started while the door was closed

    def _arrive(self, engine: Engine, *, owned: bool) -> None:
        self.owns = owned
        if not self._arrival.done():
            self._arrival.set_result(engine)

    def _fail(self, error: GligabaoError) -> None:
        self.owns = False
        self._asked_again.clear()
        if self._arrival.done():
            self._await_another()
        self._arrival.set_exception(error)
        self._arrival.exception()  # looked at, so that asyncio does not complain of it
        if self._is_closing:
            self._asked_again.set()

    def _out_of_reach(self, lock: Path) -> str:
        if self._opener is None:
            return f"no process that could be joined holds the data in {self._data_dir}"
        holder = holder_of(lock)
        who = f"process {holder}" if holder else "another process"
        return (
            f"{who} owns the data in {self._data_dir} and does not answer: wait until it has ended"
        )

    def _await_another(self) -> None:
        self._arrival = asyncio.Future()


def make_private(data_dir: Path) -> None:
    """The data directory, for its owner alone. Raises CannotStart when it cannot be made."""
    try:
        data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as exc:
        reason = exc.strerror or str(exc)
        what = f"cannot be made or used ({reason}): choose another with --data-dir"
        raise CannotStart(Problem(str(data_dir), what)) from exc
