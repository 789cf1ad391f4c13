"""What every store promises: whole transactions, snapshots for readers, commits in groups."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.domain.errors import StoreError
from engine.store.database import Database, Transaction
from engine.store.sqlite import open_sqlite
from tests.fakes.clock import FakeClock


@dataclass(frozen=True, slots=True)
class Opened:
    """A database, and how often it has committed so far."""

    database: Database
    commits: Callable[[], int]


@pytest.fixture
async def sqlite(tmp_path: Path) -> AsyncIterator[Opened]:
    async with open_sqlite(tmp_path / "gligabao.db", clock=FakeClock()) as opened:
        yield Opened(opened, lambda: opened.commits)


@pytest.fixture(params=["sqlite"])
def opened(request: pytest.FixtureRequest) -> Opened:
    """One after the other, every kind of database there is."""
    found: Opened = request.getfixturevalue(request.param)
    return found


async def test_what_a_transaction_returns_comes_back_and_is_read_by_others(opened: Opened) -> None:
    first = await opened.database.write(lambda tx: send(tx, "a"))
    second = await opened.database.write(lambda tx: send(tx, "b"))
    assert second > first > 0
    assert await texts(opened.database) == ["a", "b"]


async def test_a_transaction_sees_what_it_has_written(opened: Opened) -> None:
    def work(tx: Transaction) -> tuple[object, int]:
        new = send(tx, "a")
        row = tx.row("SELECT text FROM gb_agent_messages WHERE id = ?", (new,))
        assert tx.row("SELECT text FROM gb_agent_messages WHERE id = ?", (new + 1,)) is None
        changed = tx.execute("UPDATE gb_agent_messages SET text = ? WHERE id = ?", ("b", new))
        assert row is not None
        return row["text"], changed

    assert await opened.database.write(work) == ("a", 1)
    assert await texts(opened.database) == ["b"]


async def test_a_function_that_raises_leaves_nothing_and_its_error_passes_unchanged(
    opened: Opened,
) -> None:
    error = KeyError("mine")

    def fails(tx: Transaction) -> None:
        send(tx, "half")
        raise error

    with pytest.raises(KeyError) as caught:
        await opened.database.write(fails)
    assert caught.value is error
    assert await texts(opened.database) == []


async def test_others_of_the_group_stay_when_one_raises(opened: Opened) -> None:
    def fails(tx: Transaction) -> None:
        send(tx, "half")
        raise ValueError("half")

    before = opened.commits()
    errors: list[ValueError] = []

    async def failing() -> None:
        try:
            await opened.database.write(fails)
        except ValueError as error:
            errors.append(error)

    async with asyncio.TaskGroup() as group:
        group.create_task(sending(opened.database, "before"))
        group.create_task(failing())
        group.create_task(sending(opened.database, "after"))
    assert await texts(opened.database) == ["before", "after"]
    assert [str(error) for error in errors] == ["half"]
    assert opened.commits() == before + 1


async def test_a_failed_statement_is_a_store_error_and_the_transaction_may_go_on(
    opened: Opened,
) -> None:
    def work(tx: Transaction) -> str:
        send(tx, "kept")
        with pytest.raises(StoreError):
            tx.execute("INSERT INTO gb_agent_messages(root_id) VALUES(1)")
        return "went on"

    assert await opened.database.write(work) == "went on"
    assert await texts(opened.database) == ["kept"]


async def test_a_cancelled_callers_work_is_done_whole(opened: Opened) -> None:
    def work(tx: Transaction) -> None:
        send(tx, "first half")
        send(tx, "second half")

    async with asyncio.TaskGroup() as group:
        task = group.create_task(opened.database.write(work))
        await asyncio.sleep(0)
        task.cancel()
    assert task.cancelled()
    await opened.database.write(lambda tx: send(tx, "later"))
    assert await texts(opened.database) == ["first half", "second half", "later"]


async def test_an_iteration_that_stops_is_an_error_for_its_caller_alone(opened: Opened) -> None:
    def stops(_: Transaction) -> None:
        raise StopIteration

    with pytest.raises(RuntimeError):
        await opened.database.write(stops)
    assert await opened.database.write(lambda tx: send(tx, "a")) > 0


async def test_a_reader_sees_one_moment(opened: Opened) -> None:
    await opened.database.write(lambda tx: send(tx, "a"))
    async with opened.database.reading() as reader:
        assert await reader.row("SELECT COUNT(*) AS n FROM gb_agent_messages") == {"n": 1}
        await opened.database.write(lambda tx: send(tx, "b"))
        assert await reader.row("SELECT COUNT(*) AS n FROM gb_agent_messages") == {"n": 1}
    assert await texts(opened.database) == ["a", "b"]


async def test_rows_are_mappings_in_the_order_asked_for(opened: Opened) -> None:
    await opened.database.write(lambda tx: send(tx, "a"))
    sql = "SELECT text AS told, read_at, root_id, 0.5 AS half FROM gb_agent_messages WHERE id > ?"
    expected = [{"told": "a", "read_at": None, "root_id": 1, "half": 0.5}]
    assert await opened.database.write(lambda tx: tx.rows(sql, (0,))) == expected
    async with opened.database.reading() as reader:
        assert await reader.rows(sql, (0,)) == expected
        assert await reader.row(sql, (99,)) is None


async def test_nothing_is_written_through_a_reader(opened: Opened) -> None:
    async with opened.database.reading() as reader:
        with pytest.raises(StoreError):
            await reader.rows("DELETE FROM gb_agent_messages")
    async with opened.database.reading() as reader:
        assert await reader.rows("SELECT 1 AS one") == [{"one": 1}]


async def test_a_cancelled_reader_leaves_its_connection_usable(opened: Opened) -> None:
    async def reading_on(begun: asyncio.Event) -> None:
        async with opened.database.reading() as reader:
            begun.set()
            while True:
                await reader.rows("SELECT 1 AS one")

    for _ in range(4):
        begun = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            task = group.create_task(reading_on(begun))
            await begun.wait()
            task.cancel()
    assert await texts(opened.database) == []


async def test_many_readers_share_the_few_connections(opened: Opened) -> None:
    await opened.database.write(lambda tx: send(tx, "a"))
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(texts(opened.database)) for _ in range(20)]
    assert [task.result() for task in tasks] == [["a"]] * 20


async def test_a_reference_to_nothing_is_refused(opened: Opened) -> None:
    sql = "INSERT INTO gb_agent_run_specs(run_id, spec) VALUES(?, ?)"
    with pytest.raises(StoreError):
        await opened.database.write(lambda tx: tx.execute(sql, (999, "{}")))


async def test_a_hundred_writers_need_far_fewer_commits(opened: Opened) -> None:
    before = opened.commits()

    async def writer(name: int) -> None:
        for turn in range(5):
            await sending(opened.database, f"{name} {turn}")

    async with asyncio.TaskGroup() as group:
        for name in range(100):
            group.create_task(writer(name))
    assert len(await texts(opened.database)) == 500
    assert opened.commits() - before <= 50


async def test_transactions_are_done_in_the_order_they_are_asked_for(opened: Opened) -> None:
    async with asyncio.TaskGroup() as group:
        for name in range(50):
            group.create_task(sending(opened.database, str(name)))
    assert await texts(opened.database) == [str(name) for name in range(50)]


def send(tx: Transaction, text: str) -> int:
    return tx.insert(
        "INSERT INTO gb_agent_messages(root_id, from_run, to_run, text, sent_at)"
        " VALUES(1, 1, 2, ?, '2026-11-01T10:00:00.000Z')",
        (text,),
    )


async def sending(database: Database, text: str) -> None:
    await database.write(lambda tx: send(tx, text))


async def texts(database: Database) -> list[object]:
    async with database.reading() as reader:
        found = await reader.rows("SELECT text FROM gb_agent_messages ORDER BY id")
    return [row["text"] for row in found]
