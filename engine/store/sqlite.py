"""SQLite as the store: one writing thread with group commit, a few reading connections (D3).

Must be closed on every way out, which `open_sqlite` does: as the outermost scope of the engine,
so that the last rows of cancelled runs are still written (D21).
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path

from engine.domain.clock import Clock
from engine.domain.errors import StoreError
from engine.store.database import Database, Reader, Result, Work
from engine.store.sqlite_files import SqliteFile, Synchronous, check_to_read, open_to_write
from engine.store.sqlite_readers import Readers, open_readers
from engine.store.sqlite_writer import Writer


class SqliteDatabase:
    """Fulfils `database.Database`, for the loop it was opened in."""

    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    @property
    def commits(self) -> int:
        """Commits so far: with many writers far fewer than transactions."""
        return self._writer.commits

    async def write(self, work: Work[Result]) -> Result:
        return await self._writer.write(work)

    def reading(self) -> AbstractAsyncContextManager[Reader]:
        return self._readers.reading()


@asynccontextmanager
async def open_sqlite(
    path: Path, *, clock: Clock, synchronous: Synchronous = "FULL", readers: int = 2
) -> AsyncIterator[SqliteDatabase]:
    """The database at `path`, made or brought to this program's schema as needed.

    Only the owner of the data directory may call this. `synchronous` FULL survives a power cut,
    NORMAL may lose the last moments in one. Raises StoreError when it cannot be opened.
    """
    writer = Writer(path, partial(open_to_write, SqliteFile(path, clock, synchronous)))
    await writer.start()
    try:
        async with open_readers(path, readers) as pool:
            yield SqliteDatabase(writer, pool)
    finally:
        await writer.close()


class _ReadOnly:
    """Fulfils `database.Database` for those who do not own the data."""

    def __init__(self, path: Path, readers: Readers) -> None:
        self._path = path
        self._readers = readers

    async def write(self, work: Work[Result]) -> Result:
        raise StoreError(f"{self._path}: only the owner of the data may write {work!r}")

    def reading(self) -> AbstractAsyncContextManager[Reader]:
        return self._readers.reading()


@asynccontextmanager
async def read_sqlite(path: Path, *, readers: int = 1) -> AsyncIterator[Database]:
    """An existing database for reading beside its owner. Raises StoreError, also for an old one."""
    await asyncio.to_thread(check_to_read, path)
    async with open_readers(path, readers) as pool:
        yield _ReadOnly(path, pool)
