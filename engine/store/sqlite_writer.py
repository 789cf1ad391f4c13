"""The thread that owns the writing connection: it commits all waiting transactions together.

    write() ──> fresh ──(next turn of the loop)──> queue ──> thread: BEGIN IMMEDIATE
      ^                                                        SAVEPOINT, work, RELEASE   each
      └────────────(one call per group)──────────────────────  COMMIT                     once

While a group is synced to disk the next one gathers, so a busy store syncs for many at once. The
thread waits for SQLite and for nothing else; the loop never waits for the thread.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import cast

from engine.domain.errors import StoreError
from engine.store.database import Result, Work
from engine.store.sqlite_files import close_for_good
from engine.store.sqlite_group import GroupCommitter, Job


class Writer:
    """Runs transactions, from `start` until `close`. Belongs to the loop it is made in."""

    def __init__(self, path: Path, connect: Callable[[], sqlite3.Connection]) -> None:
        self._path = path
        self._connect = connect
        self._loop = asyncio.get_running_loop()
        self._opened: asyncio.Future[None] = self._loop.create_future()
        self._closed: asyncio.Future[None] = self._loop.create_future()
        self._opening = Job(self._open, self._opened)
        self._closing = Job(self._close, self._closed)
        self._committer: GroupCommitter | None = None
        self._connection: sqlite3.Connection | None = None
        self._is_open = False
        self._fresh: list[Job] = []
        self._queue: SimpleQueue[list[Job] | None] = SimpleQueue()
        # A daemon, so that even a program that never closes its database can end. What it has
        # promised by then is on disk.
        self._thread = Thread(target=self._live, name="gligabao-store", daemon=True)

    @property
    def commits(self) -> int:
        """Groups committed so far."""
        return self._committer.commits if self._committer else 0

    async def start(self) -> None:
        """Open the database, in the thread. Raises what `connect` raises."""
        self._thread.start()
        try:
            await self._opened
        except asyncio.CancelledError:
            await self.close()
            raise
        if self._opening.error is not None:
            raise self._opening.error
        self._is_open = True

    async def write(self, work: Work[Result]) -> Result:
        """What `work` returns, once it is on disk; what it raises, once it has left nothing."""
        if not self._is_open or self._committer is None:
            raise StoreError(f"{self._path}: the database is closed")
        done: asyncio.Future[None] = self._loop.create_future()
        job = Job(partial(work, self._committer.transaction), done)
        if not self._fresh:
            self._loop.call_soon(self._hand_over)
        self._fresh.append(job)
        await done
        if job.error is not None:
            raise job.error
        return cast("Result", job.result)

    async def close(self) -> None:
        """Do what was asked for so far, then close the file; also when cancelled meanwhile."""
        self._is_open = False
        self._hand_over()
        self._queue.put(None)
        try:
            await asyncio.shield(self._closed)
        except asyncio.CancelledError:
            await self._closed
            raise

    def _hand_over(self) -> None:
        """One message to the thread for all that was asked for in this turn of the loop."""
        if self._fresh:
            self._queue.put(self._fresh)
            self._fresh = []

    def _live(self) -> None:
        self._opening.run()
        self._tell([self._opening])
        if self._committer is not None:
            while group := self._next_group():
                self._committer.commit(group)
                self._tell(group)
        self._closing.run()
        self._tell([self._closing])

    def _open(self) -> None:
        self._connection = self._connect()
        # By its name alone: what goes wrong in a transaction may be stored with a run.
        self._committer = GroupCommitter(self._connection, Path(self._path.name))

    def _close(self) -> None:
        if self._connection is not None:
            close_for_good(self._connection)

    def _next_group(self) -> list[Job]:
        """Everything that waits; nothing when the database is to be closed."""
        group = self._queue.get() or []
        while group and not self._queue.empty():
            more = self._queue.get()
            if more is None:
                self._queue.put(None)
                return group
            group += more
        return group

    def _tell(self, group: Sequence[Job]) -> None:
        # A loop that was closed without closing its database has nobody left to tell.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(_settle, group)


def _settle(group: Sequence[Job]) -> None:
    for job in group:
        if job.done is not None and not job.done.done():
            job.done.set_result(None)
