"""What a transaction function sees of SQLite, and how a group of them is committed.

Runs in the writer's thread alone. A statement after the transaction was lost would be committed by
itself, so none is let through.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType

from engine.domain.errors import StoreError
from engine.store.database import Row, Value
from engine.store.sqlite_errors import store_error


class Job:
    """A function to call in the writer's thread, and what came of it.

    `done` belongs to the loop, where somebody waits for it; None when nobody does.
    """

    __slots__ = ("done", "error", "result", "work")

    def __init__(
        self, work: Callable[[], object], done: asyncio.Future[None] | None = None
    ) -> None:
        self.work = work
        self.done = done
        self.result: object = None
        self.error: BaseException | None = None

    def run(self) -> None:
        with self:
            self.result = self.work()

    def __enter__(self) -> None:
        """What is raised inside is kept in `error`: it is raised again where the caller waits."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self.error = error
        return True


class SqliteTransaction:
    """Fulfils `database.Transaction`; the same value serves all transactions, one by one."""

    __slots__ = ("_connection", "_cursor", "_path", "lost_by")

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._cursor = connection.cursor()
        self._path = path
        self.lost_by: sqlite3.Error | None = None
        """The failure on which SQLite has rolled back everything, as on a full disk."""

    def execute(self, sql: str, values: Sequence[Value] = ()) -> int:
        return self._run(sql, values).rowcount

    def insert(self, sql: str, values: Sequence[Value] = ()) -> int:
        new_id = self._run(sql, values).lastrowid
        assert new_id is not None
        return new_id

    def rows(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        cursor = self._run(sql, values)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def row(self, sql: str, values: Sequence[Value] = ()) -> Row | None:
        found = self.rows(sql, values)
        return found[0] if found else None

    def _run(self, sql: str, values: Sequence[Value]) -> sqlite3.Cursor:
        if self.lost_by is not None:
            raise store_error(self._path, self.lost_by)
        try:
            return self._cursor.execute(sql, values)
        except sqlite3.Error as error:
            if not self._connection.in_transaction:
                self.lost_by = error
            raise store_error(self._path, error) from error
        except (OverflowError, UnicodeError) as error:
            raise StoreError(f"{self._path}: a value cannot be stored: {error}") from error


class GroupCommitter:
    """Commits groups of jobs on one connection: each job whole or not at all, one sync for all."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.transaction = SqliteTransaction(connection, path)
        self.commits = 0
        self._connection = connection
        self._path = path

    def commit(self, group: Sequence[Job]) -> None:
        """Run the jobs in order and commit. A job without an error is on disk afterwards."""
        whole = Job(partial(self._commit, group))
        whole.run()
        if whole.error is not None:
            self._roll_back()
            for job in group:
                job.error = job.error or self._explained(whole.error)

    def _commit(self, group: Sequence[Job]) -> None:
        self._roll_back()
        self.transaction.lost_by = None
        self._connection.execute("BEGIN IMMEDIATE")
        if len(group) == 1:
            self._run_alone(group[0])
        else:
            self._run_each(group)

    def _run_alone(self, job: Job) -> None:
        """The transaction is the job's own: it needs no savepoint inside."""
        self._run(job)
        if job.error is None:
            self._end()
        else:
            self._roll_back()

    def _run_each(self, group: Sequence[Job]) -> None:
        execute = self._connection.execute
        for job in group:
            execute("SAVEPOINT job")
            self._run(job)
            if job.error is not None:
                execute("ROLLBACK TO job")
            execute("RELEASE job")
        self._end()

    def _run(self, job: Job) -> None:
        """Nothing of the group is left when SQLite gave up, also when the job goes on after it."""
        job.run()
        if self.transaction.lost_by is not None:
            raise self.transaction.lost_by

    def _end(self) -> None:
        self._connection.execute("COMMIT")
        self.commits += 1

    def _roll_back(self) -> None:
        """Undo what is open. When even that fails, the next group tries again."""
        if self._connection.in_transaction:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")

    def _explained(self, error: BaseException) -> BaseException:
        if not isinstance(error, sqlite3.Error):
            return error
        failed = store_error(self._path, error)
        failed.__cause__ = error
        return failed
