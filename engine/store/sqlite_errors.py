"""What SQLite's failures mean to the operator: which file, what happened, what to do.

Never shows values of a statement: they may hold what a person wrote.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from engine.domain.errors import StoreError

_PRIMARY_CODE = 0xFF
"""The low byte of an extended result code is the code it belongs to."""

_REMEDIES: Mapping[int, str] = {
    sqlite3.SQLITE_FULL: "the disk is full: make room, then try again",
    sqlite3.SQLITE_READONLY: "it may not be written: check the permissions of gligabao.db, of the "
    "files beside it that begin with its name, and of their directory",
    sqlite3.SQLITE_PERM: "access was refused: check the permissions of the file",
    sqlite3.SQLITE_BUSY: "another process is writing it: let that end, then try again",
    sqlite3.SQLITE_LOCKED: "it is locked: let other work on it end, then try again",
    sqlite3.SQLITE_CORRUPT: "the database is damaged: move it with its -wal and -shm files aside "
    "and restore a backup",
    sqlite3.SQLITE_NOTADB: "this is not a database: move the file aside or choose another data "
    "directory",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: check that its directory exists and may be "
    "written",
    sqlite3.SQLITE_IOERR: "the disk could not be read or written: check the disk",
    sqlite3.SQLITE_CONSTRAINT: "a row breaks a rule of its table",
}


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turns whatever goes wrong while `path` is opened into a StoreError that names it."""
    try:
        yield
    except StoreError as error:
        raise StoreError(f"{path}: {error}") from error
    except sqlite3.Error as error:
        raise store_error(path, error) from error
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or error}") from error


def store_error(path: Path, error: sqlite3.Error) -> StoreError:
    """The StoreError to raise `from error`."""
    code = getattr(error, "sqlite_errorcode", None)
    remedy = _REMEDIES.get(code & _PRIMARY_CODE) if isinstance(code, int) else None
    return StoreError(f"{path}: {remedy} ({error})" if remedy else f"{path}: {error}")
