"""What is SQLite's own: the file, its settings, its failures, and who may open it how."""

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engine.domain.errors import StoreError
from engine.store.database import Database, Row, Transaction, Work
from engine.store.sqlite import SqliteDatabase, open_sqlite, read_sqlite
from engine.store.sqlite_files import Synchronous
from tests.engine.store.support import new_run
from tests.fakes.clock import FakeClock

MANY = "INSERT INTO gb_agent_messages(root_id, from_run, to_run, text, sent_at) VALUES(1,1,1,?,'')"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "gligabao.db"


async def test_the_file_is_private_from_its_first_moment_and_alone_after_a_clean_end(
    path: Path,
) -> None:
    async with open_sqlite(path, clock=FakeClock()) as database:
        await database.write(new_run)
        assert files_of(path) == ["gligabao.db", "gligabao.db-shm", "gligabao.db-wal"]
        assert {mode(path.with_name(name)) for name in files_of(path)} == {0o600}
    assert files_of(path) == ["gligabao.db"]


async def test_a_file_that_others_could_read_is_made_private(path: Path) -> None:
    await open_once(path)
    os.chmod(path, 0o644)
    await open_once(path)
    assert mode(path) == 0o600


@pytest.mark.parametrize(("synchronous", "number"), [("FULL", 2), ("NORMAL", 1)])
async def test_the_writing_connection_is_set_up_to_be_safe(
    path: Path, synchronous: Synchronous, number: int
) -> None:
    async with open_sqlite(path, clock=FakeClock(), synchronous=synchronous) as database:
        assert await pragmas(database) == {
            "journal_mode": "wal",
            "synchronous": number,
            "foreign_keys": 1,
            "trusted_schema": 0,
            "busy_timeout": 10_000,
            "wal_autocheckpoint": 1000,
            "journal_size_limit": 64 * 1024 * 1024,
        }


async def test_what_was_written_is_there_when_it_is_opened_again(path: Path) -> None:
    async with open_sqlite(path, clock=FakeClock()) as database:
        first = await database.write(new_run)
    async with open_sqlite(path, clock=FakeClock()) as database:
        assert await database.write(new_run) == first + 1


async def test_a_half_made_draft_of_a_killed_start_is_thrown_away(path: Path) -> None:
    put(path.with_name("gligabao.db.new"), b"half")
    await open_once(path)
    assert files_of(path) == ["gligabao.db"]


async def test_an_empty_file_where_a_database_was_is_never_taken_for_a_fresh_start(
    path: Path,
) -> None:
    put(path, b"")
    with pytest.raises(StoreError, match=r"gligabao\.db: the file is empty.*restore a backup"):
        await open_once(path)
    assert content(path) == b""


async def test_a_database_that_is_gone_but_for_its_log_is_not_begun_anew(path: Path) -> None:
    put(path.with_name("gligabao.db-wal"), b"committed pages")
    with pytest.raises(StoreError, match=r"is gone, but gligabao\.db-wal is there"):
        await open_once(path)
    assert files_of(path) == ["gligabao.db-wal"]


async def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(path: Path) -> None:
    put(path, b"a text, and no database" * 100)
    with pytest.raises(StoreError, match=r"gligabao\.db: this is not a database: move the file"):
        await open_once(path)
    assert content(path) == b"a text, and no database" * 100


async def test_a_damaged_database_says_what_to_do(path: Path) -> None:
    async with open_sqlite(path, clock=FakeClock()) as database:
        await database.write(lambda tx: [tx.insert(MANY, ("x" * 900,)) for _ in range(200)])
    whole = content(path)
    put(path, whole[:8192] + b"\x55" * (len(whole) - 8192))
    with pytest.raises(StoreError, match=r"database is damaged: .* restore a backup"):
        async with open_sqlite(path, clock=FakeClock()) as database, database.reading() as reader:
            await reader.rows("SELECT * FROM gb_agent_messages")


async def test_a_directory_that_is_missing_is_named(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "gligabao.db"
    with pytest.raises(StoreError, match=r"missing/gligabao\.db: No such file or directory"):
        await open_once(path)


async def test_a_full_disk_fails_the_whole_group_with_its_reason_and_work_goes_on_after_it(
    path: Path,
) -> None:
    async with open_sqlite(path, clock=FakeClock()) as database:
        await database.write(fill_the_disk)
        failures = await failures_of(database, new_run, filling_and_going_on, new_run)
        assert all("gligabao.db: the disk is full: make room" in failure for failure in failures)
        assert len(failures) == 3
        await database.write(lambda tx: tx.rows("PRAGMA max_page_count = 100000"))
        assert await count(database, "gb_agent_messages") == 0
        assert await count(database, "gb_agent_research_runs") == 0
        await database.write(new_run)
        assert await count(database, "gb_agent_research_runs") == 1


async def test_a_full_disk_fails_a_lone_transaction_alike(path: Path) -> None:
    async with open_sqlite(path, clock=FakeClock()) as database:
        await database.write(fill_the_disk)
        with pytest.raises(StoreError, match="the disk is full"):
            await database.write(filling_and_going_on)
        assert await count(database, "gb_agent_messages") == 0


async def test_a_commit_that_fails_fails_the_whole_group(path: Path) -> None:
    def breaking_later(tx: Transaction) -> None:
        tx.rows("PRAGMA defer_foreign_keys = ON")
        tx.execute("INSERT INTO gb_agent_run_specs(run_id, spec) VALUES(99, '')")

    async with open_sqlite(path, clock=FakeClock()) as database:
        failures = await failures_of(database, new_run, breaking_later)
        assert ["breaks a rule" in failure for failure in failures] == [True, True]
        assert await count(database, "gb_agent_research_runs") == 0
        await database.write(new_run)
        assert await count(database, "gb_agent_research_runs") == 1


async def test_a_database_that_another_process_holds_is_busy(path: Path) -> None:
    async with open_sqlite(path, clock=FakeClock()) as database:
        await database.write(lambda tx: tx.rows("PRAGMA busy_timeout = 1"))
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="another process is writing it"):
                await database.write(new_run)
        assert await database.write(new_run) == 1


async def test_a_wrong_statement_is_a_store_error_that_names_the_file(path: Path) -> None:
    async with open_sqlite(path, clock=FakeClock()) as database:
        with pytest.raises(StoreError, match=r"gligabao\.db: no such table: ghosts"):
            await database.write(lambda tx: tx.execute("DELETE FROM ghosts"))
        async with database.reading() as reader:
            with pytest.raises(StoreError, match=r"gligabao\.db: no such table: ghosts"):
                await reader.rows("SELECT * FROM ghosts")


async def test_a_closed_database_says_so(path: Path) -> None:
    async with open_sqlite(path, clock=FakeClock()) as database:
        pass
    with pytest.raises(StoreError, match="the database is closed"):
        await database.write(new_run)
    with pytest.raises(StoreError, match="the database is closed"):
        await count(database, "gb_agent_messages")


async def test_closing_lets_readings_end_and_tells_who_waits_for_one(path: Path) -> None:
    reading, let_go = asyncio.Event(), asyncio.Event()

    async def reads(database: SqliteDatabase) -> int:
        async with database.reading() as reader:
            reading.set()
            await let_go.wait()
            return len(await reader.rows("SELECT * FROM gb_agent_messages"))

    async def waits(database: SqliteDatabase) -> str:
        try:
            async with database.reading():
                return "read"
        except StoreError as error:
            return str(error)

    async with (
        asyncio.TaskGroup() as group,
        open_sqlite(path, clock=FakeClock(), readers=1) as database,
    ):
        first = group.create_task(reads(database))
        await reading.wait()
        waiting = [group.create_task(waits(database)) for _ in range(3)]
        asyncio.get_running_loop().call_later(0.05, let_go.set)
        await asyncio.sleep(0)
    assert first.result() == 0
    assert {wait.result().partition(": ")[2] for wait in waiting} == {"the database is closed"}


async def test_what_was_asked_for_before_the_end_is_written_also_when_the_end_is_cancelled(
    path: Path,
) -> None:
    async def work() -> None:
        async with open_sqlite(path, clock=FakeClock()) as database, asyncio.TaskGroup() as group:
            task = group.create_task(database.write(new_run))
            await asyncio.sleep(0)
            task.cancel()
            raise asyncio.CancelledError

    async with asyncio.TaskGroup() as group:
        task = group.create_task(work())
    assert task.cancelled()
    async with open_sqlite(path, clock=FakeClock()) as database:
        assert await count(database, "gb_agent_research_runs") == 1


async def test_an_opening_that_is_cancelled_leaves_nothing_open(path: Path) -> None:
    async def work() -> None:
        async with open_sqlite(path, clock=FakeClock()):
            raise AssertionError("it was cancelled before")

    async with asyncio.TaskGroup() as group:
        task = group.create_task(work())
        await asyncio.sleep(0)
        task.cancel()
    assert task.cancelled()
    assert files_of(path) == ["gligabao.db"]


async def test_one_who_does_not_own_the_data_reads_beside_the_owner_and_writes_nothing(
    path: Path,
) -> None:
    async with open_sqlite(path, clock=FakeClock()) as owner, read_sqlite(path) as guest:
        await owner.write(new_run)
        assert await count(guest, "gb_agent_research_runs") == 1
        with pytest.raises(StoreError, match="only the owner"):
            await guest.write(new_run)


async def test_what_a_killed_owner_has_left_in_its_log_is_read_too(path: Path) -> None:
    async with open_sqlite(path, clock=FakeClock()) as owner:
        await owner.write(new_run)
        left = {name: content(path.with_name(name)) for name in files_of(path)}
    for name in ("gligabao.db", "gligabao.db-wal"):
        put(path.with_name(name), left[name])
    async with read_sqlite(path) as guest:
        assert await count(guest, "gb_agent_research_runs") == 1


async def test_one_who_only_reads_neither_makes_nor_upgrades_a_database(path: Path) -> None:
    with pytest.raises(StoreError, match="there is no database yet"):
        async with read_sqlite(path):
            pass
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE gb_agent_research_runs(id INTEGER)")
    with pytest.raises(StoreError, match="the schema is older: start the program once"):
        async with read_sqlite(path):
            pass


def fill_the_disk(tx: Transaction) -> None:
    """From here on the file may not grow, which SQLite tells as it tells a full disk."""
    (pages,) = (row["page_count"] for row in tx.rows("PRAGMA page_count"))
    tx.rows(f"PRAGMA max_page_count = {pages!r}")


def filling_and_going_on(tx: Transaction) -> None:
    """A function that does not believe the first failure, and would lose its savepoint by it."""
    for _ in range(50):
        try:
            tx.insert(MANY, ("x" * 5000,))
        except StoreError:
            continue


async def failures_of(database: Database, *works: Work[object]) -> list[str]:
    """What StoreErrors say that transactions of one group end with."""
    failures: list[str] = []

    async def failing(work: Work[object]) -> None:
        try:
            await database.write(work)
        except StoreError as error:
            failures.append(str(error))

    async with asyncio.TaskGroup() as group:
        for work in works:
            group.create_task(failing(work))
    return failures


async def open_once(path: Path) -> None:
    async with open_sqlite(path, clock=FakeClock()):
        pass


async def pragmas(database: SqliteDatabase) -> Row:
    names = (
        "journal_mode",
        "synchronous",
        "foreign_keys",
        "trusted_schema",
        "busy_timeout",
        "wal_autocheckpoint",
        "journal_size_limit",
    )

    def ask(tx: Transaction) -> Row:
        return {name: next(iter(tx.rows(f"PRAGMA {name}")[0].values())) for name in names}

    return await database.write(ask)


async def count(database: Database, table: str) -> object:
    async with database.reading() as reader:
        row = await reader.row(f"SELECT COUNT(*) AS n FROM {table}")
    return row and row["n"]


def files_of(path: Path) -> list[str]:
    """The database and what lies beside it."""
    return sorted(file.name for file in path.parent.glob(f"{path.name}*"))


def put(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def content(path: Path) -> bytes:
    return path.read_bytes()


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777
