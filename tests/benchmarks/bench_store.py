"""How many transactions a second the store does, beside plain aiosqlite transactions.

    python -m tests.benchmarks.bench_store [DIRECTORY]

FULL and NORMAL, 1 and 100 writers at once, one row of 300 bytes a transaction. The two take turns,
five rounds each, in files beside each other; printed is the median round, with its spread, and the
commits it took. The last line is one barrier of the journal (seven statements) by 100 writers.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import aiosqlite

from engine.domain.exchange import Outcome
from engine.domain.run import Run, RunId, State, StoredStep
from engine.domain.usage import Usage
from engine.store import journal, runs
from engine.store.database import Transaction, Work
from engine.store.sqlite import SqliteDatabase, open_sqlite
from engine.store.sqlite_files import Synchronous
from tests.fakes.clock import FakeClock

ROUNDS = 5
TRANSACTIONS = {("FULL", 1): 200, ("FULL", 100): 4000, ("NORMAL", 1): 2000, ("NORMAL", 100): 6000}
PLAIN_FULL_AT_MOST = 400
SEND = (
    "INSERT INTO gb_agent_messages(root_id, from_run, to_run, text, sent_at)"
    " VALUES(1, 1, 2, ?, '2026-11-01T10:00:00.000Z')"
)
TEXT = "x" * 300
MOMENT = "2026-11-01T10:00:00.000Z"

Once: TypeAlias = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Round:
    """Transactions a second, and transactions a commit."""

    per_second: float
    per_commit: float


async def main(directory: Path) -> None:
    print(f"{'':22}{'this store':>50}{'plain aiosqlite':>30}")
    for (synchronous, writers), transactions in TRANSACTIONS.items():
        path = directory / f"{synchronous}-{writers}.db"
        ours, plain = [], []
        async with (
            open_sqlite(path, clock=FakeClock(), synchronous=_word(synchronous)) as database,
            _plain(path.with_suffix(".plain"), synchronous) as connection,
        ):
            fewer = min(transactions, PLAIN_FULL_AT_MOST) if synchronous == "FULL" else transactions
            for _ in range(ROUNDS):
                ours.append(await _measured(database, _send, writers, transactions))
                plain.append(await _measured_plain(connection, writers, fewer))
        print(f"{synchronous:<8}{writers:>4} writers{_told(ours):>52}{_told(plain):>30}")
    await _barriers(directory)


async def _barriers(directory: Path) -> None:
    for synchronous in ("FULL", "NORMAL"):
        path = directory / f"barrier-{synchronous}.db"
        async with open_sqlite(path, clock=FakeClock(), synchronous=_word(synchronous)) as database:
            found = [await _measured(database, _barrier(), 100, 4000) for _ in range(ROUNDS)]
        print(f"{synchronous:<8} 100 writers, barrier{_told(found):>43}")


async def _measured(
    database: SqliteDatabase, work: Work[object], writers: int, transactions: int
) -> Round:
    commits = database.commits
    per_second = await _timed(lambda: database.write(work), writers, transactions)
    return Round(per_second, transactions / (database.commits - commits))


async def _measured_plain(
    connection: aiosqlite.Connection, writers: int, transactions: int
) -> Round:
    """As one writes it without a store: a lock, and every statement awaited."""
    lock = asyncio.Lock()

    async def once() -> None:
        async with lock:
            await connection.execute("BEGIN IMMEDIATE")
            await connection.execute(SEND, (TEXT,))
            await connection.commit()

    return Round(await _timed(once, writers, transactions), 1)


async def _timed(once: Once, writers: int, transactions: int) -> float:
    async def writer() -> None:
        for _ in range(transactions // writers):
            await once()

    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(writers):
            group.create_task(writer())
    return transactions / (time.perf_counter() - began)


@asynccontextmanager
async def _plain(path: Path, synchronous: str) -> AsyncIterator[aiosqlite.Connection]:
    async with open_sqlite(path, clock=FakeClock()):
        pass
    async with aiosqlite.connect(path, isolation_level=None) as connection:
        await connection.execute(f"PRAGMA synchronous = {synchronous}")
        yield connection


def _send(tx: Transaction) -> int:
    return tx.insert(SEND, (TEXT,))


def _barrier() -> Work[object]:
    """What the journal writes when a reply was received, for one run after another."""
    content = ({"type": "text", "text": "x" * 1000},)

    def work(tx: Transaction) -> None:
        run = runs.create(tx, NEW, at=MOMENT) if not known else known[0]
        known[:] = [run]
        step = next(steps)
        sent = journal.start_attempt(tx, _attempt(run.id, step), at=MOMENT)
        journal.end_attempt(tx, sent, Outcome("done", "m", Usage(1, 2)), at=MOMENT)
        journal.add_step(tx, StoredStep(run.id, step, content, "x", "m", "", Usage(), MOMENT))
        runs.set_totals(tx, run.id, runs.Totals(step, 0, 1, 2, 0.1))
        runs.end_state(tx, run.id, step, error="", at=MOMENT)
        runs.enter_state(tx, State(run.id, step + 1, "thinking", 1, "", "", MOMENT, None))

    known: list[Run] = []
    steps = iter(range(1, 1_000_000))
    return work


def _attempt(run_id: RunId, step: int) -> journal.NewAttempt:
    return journal.NewAttempt("agent", run_id, step, 1, "m", "v", "hash", 0.1)


NEW = runs.NewRun("admin", "topic", "m", 20, "default", "1", "hash", "{}")


def _word(synchronous: str) -> Synchronous:
    return "FULL" if synchronous == "FULL" else "NORMAL"


def _told(rounds: Sequence[Round]) -> str:
    speeds = sorted(each.per_second for each in rounds)
    size = statistics.median(each.per_commit for each in rounds)
    middle = f"{statistics.median(speeds):,.0f}/s ({speeds[0]:,.0f} to {speeds[-1]:,.0f})"
    return f"{middle}, {size:.0f} a commit" if size > 1 else middle


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(main(Path(sys.argv[1])))
    else:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(main(Path(folder)))
