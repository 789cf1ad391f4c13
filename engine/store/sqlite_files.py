"""Makes, checks and opens the database file, before anybody reads or writes through it.

A database comes into being whole, under another name, and is then moved into its place: so an
empty file in that place is always damage, and is never taken for a fresh start.
"""

import contextlib
import os
import sqlite3
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from engine.domain.clock import Clock
from engine.domain.errors import StoreError
from engine.store.database import Row, Value
from engine.store.migrate import checked_version, migrate_sqlite, newest_version
from engine.store.sqlite_errors import explained

Synchronous = Literal["FULL", "NORMAL"]

BUSY_TIMEOUT_MS = 10_000
CACHED_STATEMENTS = 256
_WAL_MOST_BYTES = 64 * 1024 * 1024
_CHECKPOINT_PAGES = 1000
_PRIVATE = 0o600
_OTHERS = 0o077


@dataclass(frozen=True, slots=True)
class SqliteFile:
    """Which file, and how its owner opens it."""

    path: Path
    clock: Clock
    synchronous: Synchronous = "FULL"


def open_to_write(file: SqliteFile) -> sqlite3.Connection:
    """The one writing connection; the file is made, checked and migrated as needed.

    Raises StoreError. The connection may be used in any thread, by one at a time.
    """
    with explained(file.path):
        _refuse_remains(file.path)
        if not file.path.exists():
            _make(file.path)
        with _closed_on_error(_connect(file.path)) as connection:
            migrate_sqlite(connection, keep_copy=lambda version: _copy(connection, file, version))
            _make_private(file.path)
            _set_up(connection, file.synchronous)
            return connection


def check_to_read(path: Path) -> None:
    """Raise StoreError unless `path` is a database of ours with the schema of this program."""
    with explained(path):
        _refuse_remains(path)
        if not path.exists():
            raise StoreError("there is no database yet")
        with contextlib.closing(_connect(_read_only(path))) as connection:
            newest = newest_version()
            if checked_version(connection, newest) < newest:
                raise StoreError("the schema is older: start the program once to bring it forward")


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection that cannot write, with rows as mappings. Raises sqlite3.Error."""
    with _closed_on_error(_connect(_read_only(path))) as connection:
        connection.row_factory = _as_mapping
        connection.execute("PRAGMA query_only = 1")
        connection.execute("PRAGMA trusted_schema = OFF")
        return connection


def close_for_good(connection: sqlite3.Connection) -> None:
    """Move the write-ahead log into the file, as far as nobody reads it, and close."""
    # What cannot be moved, as on a full disk, stays in the log and is found there by the next.
    with contextlib.closing(connection), contextlib.suppress(sqlite3.Error):
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _refuse_remains(path: Path) -> None:
    if path.exists() and path.stat().st_size == 0:
        raise StoreError(
            "the file is empty, and this program never leaves it so: restore a backup, or remove "
            "it with its -wal and -shm files to begin anew"
        )
    log = path.with_name(f"{path.name}-wal")
    if not path.exists() and log.exists() and log.stat().st_size:
        raise StoreError(
            f"the database is gone, but {log.name} is there: put the file back, or remove "
            f"{log.name} to begin anew"
        )


def _make(path: Path) -> None:
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    _make_empty(draft)
    with contextlib.closing(_connect(draft)) as connection:
        # A draft that is not finished is thrown away, so it needs no journal of its own.
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        migrate_sqlite(connection, keep_copy=lambda _: None)
    _sync(draft)
    draft.replace(path)
    _sync(path.parent)


def _make_empty(path: Path) -> None:
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _PRIVATE))


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _make_private(path: Path) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & _OTHERS:
        path.chmod(mode & ~_OTHERS)


def _connect(place: Path | str) -> sqlite3.Connection:
    """`place` is a path, or the address of one (`file:...`)."""
    return sqlite3.connect(
        place,
        uri=isinstance(place, str),
        timeout=BUSY_TIMEOUT_MS / 1000,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=CACHED_STATEMENTS,
    )


def _copy(connection: sqlite3.Connection, file: SqliteFile, version: int) -> None:
    """A copy beside the file, of what it was before its schema changed."""
    stamp = f"{file.clock.now():%Y%m%dT%H%M%S%f}"
    copy = file.path.with_name(f"{file.path.name}.schema-{version}-{stamp}")
    _make_empty(copy)
    connection.execute("VACUUM INTO ?", (str(copy),))


def _set_up(connection: sqlite3.Connection, synchronous: Synchronous) -> None:
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreError(
            f"no write-ahead log can be kept here (the journal stays {mode!r}): choose a data "
            "directory on a local disk"
        )
    for pragma in (
        f"synchronous = {synchronous}",
        "foreign_keys = ON",
        "trusted_schema = OFF",
        f"wal_autocheckpoint = {_CHECKPOINT_PAGES}",
        f"journal_size_limit = {_WAL_MOST_BYTES}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _read_only(path: Path) -> str:
    return f"{path.absolute().as_uri()}?mode=ro"


def _as_mapping(cursor: sqlite3.Cursor, row: tuple[Value, ...]) -> Row:
    return {column[0]: value for column, value in zip(cursor.description, row, strict=True)}


@contextlib.contextmanager
def _closed_on_error(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield connection
    except BaseException:
        connection.close()
        raise
