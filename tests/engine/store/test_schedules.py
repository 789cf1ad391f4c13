"""A due time is taken once, and what came of it is told; what a person paused stays paused."""

import asyncio
from dataclasses import replace

import pytest

from engine.domain.answers import ScheduledRun
from engine.domain.run import RunId
from engine.domain.scheduling import Fire
from engine.store import runs, schedules
from engine.store.database import Work
from engine.store.sqlite import SqliteDatabase
from tests.engine.store.support import NEW, at

DUE = "2026-11-01T07:30:00.000Z"
NEXT = "2026-11-02T07:30:00.000Z"


async def take(
    database: SqliteDatabase, due: str, agent: str = "scout", *, now: str = ""
) -> Fire | None:
    return await database.write(lambda tx: schedules.claim(tx, agent, due, at=now or at(1)))


async def fires(database: SqliteDatabase, agent: str = "scout") -> tuple[ScheduledRun, ...]:
    async with database.reading() as reader:
        return (await schedules.latest(reader, [agent], limit=10)).get(agent, ())


async def started(database: SqliteDatabase, due: str) -> RunId:
    fire = await take(database, due)
    assert fire is not None
    run = await database.write(lambda tx: runs.create(tx, NEW, at=at(2)))
    settled = replace(fire, outcome="started", run_id=run.id)
    await database.write(lambda tx: schedules.settle(tx, settled))
    return run.id


@pytest.mark.req("R558")
async def test_a_due_time_is_taken_once(database: SqliteDatabase) -> None:
    async with asyncio.TaskGroup() as group:
        taking = [group.create_task(take(database, DUE)) for _ in range(5)]
    got = [task.result() for task in taking if task.result() is not None]
    assert got == [Fire("scout", DUE, "claimed", at(1))]
    assert await take(database, NEXT) is not None
    assert await take(database, DUE, "another") is not None


async def test_what_came_of_a_due_time_is_told_the_latest_first(database: SqliteDatabase) -> None:
    run_id = await started(database, DUE)
    await database.write(lambda tx: runs.end(tx, run_id, runs.Ending("completed"), at=at(3)))
    fire = await take(database, NEXT)
    assert fire is not None
    refused = replace(fire, outcome="refused", why="three agents work already")
    await database.write(lambda tx: schedules.settle(tx, refused))
    assert await fires(database) == (
        ScheduledRun(NEXT, "refused", why="three agents work already"),
        ScheduledRun(DUE, "started", run_id, "completed"),
    )


async def test_what_was_settled_is_not_settled_again(database: SqliteDatabase) -> None:
    run_id = await started(database, DUE)
    late = Fire("scout", DUE, "refused", at(9), why="late")
    await database.write(lambda tx: schedules.settle(tx, late))
    assert await fires(database) == (ScheduledRun(DUE, "started", run_id, "running"),)


@pytest.mark.req("R312")
async def test_while_the_scheduled_run_before_works_the_next_one_is_skipped(
    database: SqliteDatabase,
) -> None:
    run_id = await started(database, DUE)
    skipped = await take(database, NEXT)
    why = f"its scheduled run {run_id} still works"
    assert skipped == Fire("scout", NEXT, "skipped", at(1), why=why)
    assert (await fires(database))[0] == ScheduledRun(NEXT, "skipped", why=why)
    assert await take(database, NEXT) is None


async def test_missed_times_count_from_the_first_sight_or_the_last_due_time(
    database: SqliteDatabase,
) -> None:
    async def baseline(now: str) -> str:
        return await database.write(lambda tx: schedules.baseline(tx, "scout", at=now))

    assert await baseline(at(5)) == at(5)
    assert await baseline(at(9)) == at(5)
    assert await fires(database) == ()
    await database.write(lambda tx: schedules.arm(tx, "scout", at=at(7)))
    assert await baseline(at(9)) == at(7)
    await take(database, at(8))
    assert await baseline(at(9)) == at(8)
    assert await baseline(at(8)) == at(8)
    await take(database, at(30))
    assert await baseline(at(9)) == at(8)


async def test_what_passed_while_nobody_served_a_paused_schedule_is_not_missed(
    database: SqliteDatabase,
) -> None:
    def pause(paused: bool, now: str) -> Work[None]:
        return lambda tx: schedules.set_paused(tx, "scout", paused=paused, at=now)

    await take(database, at(1))
    await database.write(pause(True, at(2)))
    await database.write(pause(False, at(7)))
    await database.write(pause(False, at(8)))
    assert await database.write(lambda tx: schedules.baseline(tx, "scout", at=at(9))) == at(7)


async def test_a_person_s_pause_stays_until_it_is_taken_back(database: SqliteDatabase) -> None:
    async def pause(agent: str, paused: bool) -> frozenset[str]:
        await database.write(lambda tx: schedules.set_paused(tx, agent, paused=paused, at=at(1)))
        async with database.reading() as reader:
            return await schedules.paused(reader)

    assert await pause("scout", False) == set()
    assert await pause("scout", True) == {"scout"}
    assert await pause("scout", True) == {"scout"}
    assert await pause("reader", True) == {"scout", "reader"}
    assert await pause("scout", False) == {"reader"}


@pytest.mark.req("R312")
async def test_while_one_is_being_started_no_other_is_and_a_dead_one_s_claim_passes(
    database: SqliteDatabase,
) -> None:
    async def claimed(due: str) -> Fire:
        fire = await take(database, due, now=due)
        assert fire is not None
        return fire

    assert (await claimed("2026-11-01T07:30:00.000Z")).outcome == "claimed"
    second = await claimed("2026-11-01T07:30:59.000Z")
    assert (second.outcome, "is being started" in second.why) == ("skipped", True)
    assert (await claimed("2026-11-01T07:31:01.000Z")).outcome == "claimed"
    assert (await claimed("2026-11-01T07:20:00.000Z")).outcome == "claimed"


async def test_the_latest_due_times_of_many_agents_are_told_at_once(
    database: SqliteDatabase,
) -> None:
    for agent, days in (("scout", 12), ("reader", 2), ("other", 1)):
        for day in range(1, days + 1):
            due = f"2026-11-{day:02}T07:30:00.000Z"
            await take(database, due, agent, now=due)
    await database.write(lambda tx: schedules.arm(tx, "reader", at="2026-11-09T00:00:00.000Z"))
    async with database.reading() as reader:
        found = await schedules.latest(reader, ["scout", "reader", "unknown"], limit=10)
        assert await schedules.latest(reader, [], limit=10) == {}
        (only,) = (await schedules.latest(reader, ["scout"], limit=1))["scout"]
    assert {agent: [int(one.due[8:10]) for one in past] for agent, past in found.items()} == {
        "scout": [12, 11, 10, 9, 8, 7, 6, 5, 4, 3],
        "reader": [2, 1],
    }
    assert only == ScheduledRun("2026-11-12T07:30:00.000Z", "claimed")
