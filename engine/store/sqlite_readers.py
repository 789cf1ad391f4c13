"""A few reading connections that share the work: each reading is one snapshot of the database.

Nothing can be written through them, and none of them is ever the cause that the process cannot end.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import cast

import aiosqlite

from engine.domain.errors import StoreError
from engine.store.database import Reader, Row, Value
from engine.store.sqlite_errors import explained
from engine.store.sqlite_files import open_to_read


class SqliteReader:
    """Fulfils `database.Reader` on a connection that is inside a transaction."""

    __slots__ = ("_connection", "_path")

    def __init__(self, connection: aiosqlite.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    async def rows(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        with explained(self._path):
            found = await self._connection.execute_fetchall(sql, values)
        return cast("list[Row]", found)

    async def row(self, sql: str, values: Sequence[Value] = ()) -> Row | None:
        found = await self.rows(sql, values)
        return found[0] if found else None


class Readers:
    """The pool. A task reads within one `reading` at a time: with two it could wait for itself."""

    def __init__(self, path: Path, connections: Sequence[aiosqlite.Connection]) -> None:
        self._path = path
        self._count = len(connections)
        self._is_open = True
        self._free: asyncio.LifoQueue[aiosqlite.Connection] = asyncio.LifoQueue()
        for connection in connections:
            self._free.put_nowait(connection)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Reader]:
        """The database as it is at the first query, until the end of the block."""
        self._refuse_when_closed()
        connection = await self._free.get()
        if not self._is_open:
            self._free.put_nowait(connection)  # for whoever waits next, to be refused as well
        self._refuse_when_closed()
        try:
            with explained(self._path):
                await connection.execute_fetchall("BEGIN")
            yield SqliteReader(connection, self._path)
        finally:
            # The connection works in order: whoever gets it next comes after this rollback, also
            # when waiting for it is cancelled.
            try:
                await connection.rollback()
            finally:
                self._free.put_nowait(connection)

    async def close(self) -> None:
        """Begin no reading any more; returns when those that were begun have ended."""
        self._is_open = False
        ended = [await self._free.get() for _ in range(self._count)]
        for connection in ended:
            self._free.put_nowait(connection)

    def _refuse_when_closed(self) -> None:
        if not self._is_open:
            raise StoreError(f"{self._path}: the database is closed")


@asynccontextmanager
async def open_readers(path: Path, count: int) -> AsyncIterator[Readers]:
    """`count` connections to an existing database. Raises StoreError."""
    async with AsyncExitStack() as opened:
        connections = []
        for _ in range(count):
            connection = aiosqlite.Connection(partial(open_to_read, path), iter_chunk_size=64)
            # aiosqlite's threads keep a process alive until they are closed, and it has no option.
            connection._thread.daemon = True
            with explained(path):
                connections.append(await opened.enter_async_context(connection))
        readers = Readers(path, connections)
        try:
            yield readers
        finally:
            await readers.close()
