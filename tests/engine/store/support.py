"""What the tests of the store share: a database in memory, and ordinary values to put into it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from engine.domain.run import RunId, State
from engine.store import runs
from engine.store.database import Row, Transaction
from engine.store.migrate import migrate_sqlite
from engine.store.sqlite_group import SqliteTransaction

NEW = runs.NewRun(
    user_id="admin",
    topic="Salt in the Baltic Sea",
    model="offline",
    max_steps=20,
    agent_name="default",
    agent_version="1.0.0",
    agent_hash="abc",
    spec='{"topic":"Salt in the Baltic Sea"}',
)


@contextmanager
def memory() -> Iterator[Transaction]:
    """A fresh database of this program's schema, for transaction functions."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate_sqlite(connection, keep_copy=lambda _: None)
        connection.execute("PRAGMA foreign_keys = ON")
        yield SqliteTransaction(connection, Path("memory"))


def at(second: int) -> str:
    return f"2026-11-01T10:00:{second:02d}.000Z"


def new_run(tx: Transaction, **changes: object) -> RunId:
    return runs.create(tx, replace(NEW, **changes), at=at(0)).id  # type: ignore[arg-type]


def state(run_id: RunId, seq: int, name: str = "thinking") -> State:
    return State(run_id, seq, name, seq - 1, f"step {seq - 1} of 20", "", at(seq), None)


def enter(tx: Transaction, new: State) -> None:
    """As the journal does it: end the state before, enter the next."""
    runs.end_state(tx, new.run_id, new.seq - 1, error="", at=new.started_at)
    runs.enter_state(tx, new)


def run_row(tx: Transaction, run_id: RunId) -> Row:
    row = tx.row("SELECT *, 0 AS children FROM gb_agent_research_runs WHERE id = ?", (run_id,))
    assert row is not None
    return row


def state_rows(tx: Transaction, run_id: RunId) -> list[Row]:
    return tx.rows(
        "SELECT * FROM gb_agent_research_states WHERE run_id = ? ORDER BY seq", (run_id,)
    )
