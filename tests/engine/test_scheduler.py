"""Days of schedules in milliseconds, on a real database: every due time once, none too often."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from engine.domain.answers import ScheduledRun
from engine.domain.definition import Schedule
from engine.domain.errors import CannotStart, Refused, StoreError
from engine.domain.run import Run, RunId, StartRequest
from engine.scheduler import LONGEST_SLEEP, Scheduler
from engine.store import runs, schedules
from engine.store.database import Database, Result, Work
from engine.store.sqlite import SqliteDatabase, open_sqlite
from tests.fakes.clock import FakeClock

SUNDAY = datetime(2026, 11, 1, 0, 0, tzinfo=UTC)
MORNING = Schedule(cron="30 7 * * *", topic="News of {{.Date}}")


class Starts:
    """Starts runs as the Manager does, as far as a scheduler sees: a row that ends, or an error."""

    def __init__(self, database: SqliteDatabase, clock: FakeClock) -> None:
        self._database = database
        self._clock = clock
        self.asked: list[StartRequest] = []
        self.at: list[str] = []
        self.errors: list[Exception] = []
        self.ends = True
        self.begun = asyncio.Event()

    async def __call__(self, request: StartRequest) -> Run:
        self.asked.append(request)
        self.begun.set()
        if self.errors:
            raise self.errors.pop(0)
        now = f"{self._clock.now():%m-%d %H:%M:%S}"
        self.at.append(now)
        new = runs.NewRun(request.user, request.topic, "m", 1, request.agent, "1", "", "{}")
        run = await self._database.write(lambda tx: runs.create(tx, new, at=now))
        if self.ends:
            await self.end(run.id)
        return run

    async def end(self, run_id: RunId) -> None:
        ending = runs.Ending("completed")
        await self._database.write(lambda tx: runs.end(tx, run_id, ending, at="later"))


class World:
    """One clock, one database and what is written in the files."""

    def __init__(self, database: SqliteDatabase) -> None:
        self.clock = FakeClock(SUNDAY)
        self.database = database
        self.starts = Starts(database, self.clock)
        self.schedules: Mapping[str, Schedule] = {"scout": MORNING}

    def scheduler(self, database: Database | None = None) -> Scheduler:
        return Scheduler(
            database or self.database, lambda: self.schedules, self.starts, clock=self.clock
        )

    async def pass_by(self, *schedulers: Scheduler, hours: float) -> None:
        """Let the schedulers look and sleep until so much time has passed."""
        end = self.clock.now() + timedelta(hours=hours)
        while self.clock.now() < end:
            async with asyncio.TaskGroup() as group:
                looks = [group.create_task(scheduler.look()) for scheduler in schedulers]
            await self.clock.sleep(min(look.result() for look in looks))

    async def fires(self, agent: str = "scout") -> Sequence[ScheduledRun]:
        """The first due time first."""
        async with self.database.reading() as reader:
            return (await schedules.latest(reader, [agent], limit=1000)).get(agent, ())[::-1]

    async def outcomes(self) -> list[str]:
        return [f"{fire.due[5:16]} {fire.outcome}" for fire in await self.fires()]

    async def pause(self, paused: bool) -> None:
        await self.database.write(
            lambda tx: schedules.set_paused(tx, "scout", paused=paused, at="now")
        )


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[SqliteDatabase]:
    async with open_sqlite(tmp_path / "g.db", clock=FakeClock(), synchronous="NORMAL") as opened:
        yield opened


@pytest.fixture
def world(database: SqliteDatabase) -> World:
    return World(database)


@pytest.mark.req("R302", "R310", "R320")
async def test_an_agent_is_started_each_time_it_is_due_as_its_user_would(world: World) -> None:
    await world.pass_by(world.scheduler(), hours=48)
    assert world.starts.asked == [
        StartRequest("News of 2026-11-01", user="scheduler", agent="scout"),
        StartRequest("News of 2026-11-02", user="scheduler", agent="scout"),
    ]
    assert world.starts.at == ["11-01 07:30:00", "11-02 07:30:00"]
    first, second = await world.fires()
    assert (first.due, first.outcome, first.run_id) == ("2026-11-01T07:30:00.000Z", "started", 1)
    assert (second.outcome, second.run_id) == ("started", 2)


async def test_it_never_sleeps_longer_than_half_a_minute_nor_past_a_due_time(world: World) -> None:
    await world.pass_by(world.scheduler(), hours=8)
    assert max(world.clock.slept) == LONGEST_SLEEP
    world.schedules = {}
    assert await world.scheduler().look() == LONGEST_SLEEP


@pytest.mark.req("R558")
async def test_two_schedulers_on_one_database_fire_each_due_time_once(
    world: World, tmp_path: Path
) -> None:
    world.schedules = {"scout": Schedule("*/20 * * * *", "a"), "reader": Schedule("@hourly", "b")}
    async with open_sqlite(tmp_path / "g.db", clock=world.clock) as other:
        await world.pass_by(world.scheduler(), world.scheduler(other), hours=10.01)
    times = [(fire.due, fire.outcome) for fire in await world.fires()]
    assert len(times) == len(set(times)) == 30
    assert {outcome for _, outcome in times} == {"started"}
    assert len(world.starts.asked) == 30 + 10


@pytest.mark.req("R312")
async def test_a_run_that_still_works_lets_the_next_one_pass_with_a_warning(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.starts.ends = False
    scheduler = world.scheduler()
    await world.pass_by(scheduler, hours=48)
    assert await world.outcomes() == ["11-01T07:30 started", "11-02T07:30 skipped"]
    assert "'scout' due at 2026-11-02T07:30:00.000Z was skipped: its scheduled run 1" in caplog.text
    await world.starts.end(RunId(1))
    await world.pass_by(scheduler, hours=24)
    assert (await world.outcomes())[-1] == "11-03T07:30 started"


@pytest.mark.req("R313")
async def test_times_missed_while_nobody_was_there_are_lost(world: World) -> None:
    world.clock.advance(7.5 * 3600 + 1)
    await world.pass_by(world.scheduler(), hours=20)
    world.clock.advance(24 * 3600)
    await world.pass_by(world.scheduler(), hours=24)
    assert await world.outcomes() == ["11-03T07:30 started"]


@pytest.mark.req("R557")
async def test_the_last_missed_time_is_made_up_for_once_when_the_schedule_says_so(
    world: World,
) -> None:
    world.schedules = {"scout": Schedule("30 7 * * *", "a", catch_up="once")}
    world.clock.advance(10 * 3600)
    await world.pass_by(world.scheduler(), hours=2)
    assert await world.outcomes() == []
    world.clock.advance(72 * 3600)
    await world.pass_by(world.scheduler(), world.scheduler(), hours=2)
    assert await world.outcomes() == ["11-04T07:30 started"]
    await world.pass_by(world.scheduler(), hours=24)
    assert await world.outcomes() == ["11-04T07:30 started", "11-05T07:30 started"]


async def test_a_computer_that_slept_for_a_minute_starts_what_was_due_meanwhile(
    world: World,
) -> None:
    scheduler = world.scheduler()
    await world.pass_by(scheduler, hours=7.49)
    world.clock.advance(60)
    await world.pass_by(scheduler, hours=1)
    assert await world.outcomes() == ["11-01T07:30 started"]


async def test_a_clock_that_jumps_forward_misses_what_it_jumped_over_and_goes_on(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    scheduler = world.scheduler()
    await world.pass_by(scheduler, hours=7)
    world.clock.advance(3 * 3600)
    await world.pass_by(scheduler, hours=22)
    assert await world.outcomes() == ["11-02T07:30 started"]
    assert "the run of 'scout' due at 2026-11-01T07:30:00.000Z was missed" in caplog.text


@pytest.mark.parametrize("hours_back", [0.01, 1, 30])
async def test_a_clock_that_jumps_back_fires_nothing_twice(world: World, hours_back: float) -> None:
    scheduler = world.scheduler()
    await world.pass_by(scheduler, hours=32)
    world.clock.advance(-hours_back * 3600)
    await world.pass_by(scheduler, hours=hours_back + 24)
    assert world.starts.at == ["11-01 07:30:00", "11-02 07:30:00", "11-03 07:30:00"]
    assert len(await world.outcomes()) == 3


async def test_changes_of_the_clock_skip_a_time_and_run_one_once(world: World) -> None:
    world.schedules = {"scout": Schedule("30 2 * * *", "{{.Time}}", "Europe/Berlin")}
    for start in (datetime(2026, 3, 28, tzinfo=UTC), datetime(2026, 10, 24, tzinfo=UTC)):
        world.clock.advance((start - world.clock.now()).total_seconds())
        await world.pass_by(world.scheduler(), hours=72)
    assert [request.topic for request in world.starts.asked] == [
        "2026-03-28T02:30:00+01:00",
        "2026-03-30T02:30:00+02:00",
        "2026-10-24T02:30:00+02:00",
        "2026-10-25T02:30:00+02:00",
        "2026-10-26T02:30:00+01:00",
    ]


@pytest.mark.parametrize("error", [Refused("three work"), CannotStart("no key")])
async def test_a_refused_start_is_told_and_the_next_time_is_another_chance(
    world: World, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    world.starts.errors = [error]
    await world.pass_by(world.scheduler(), hours=48)
    assert await world.outcomes() == ["11-01T07:30 refused", "11-02T07:30 started"]
    assert (await world.fires())[0].why == str(error)
    assert f"was refused: {error}" in caplog.text


async def test_a_topic_with_an_unknown_field_is_a_refused_start(world: World) -> None:
    world.schedules = {"scout": Schedule("30 7 * * *", "{{.Day}}")}
    await world.pass_by(world.scheduler(), hours=24)
    assert await world.outcomes() == ["11-01T07:30 refused"]
    assert world.starts.asked == []


async def test_a_store_that_fails_is_asked_again(world: World) -> None:
    world.starts.errors = [StoreError("busy"), StoreError("busy")]
    await world.pass_by(world.scheduler(), hours=24)
    assert await world.outcomes() == ["11-01T07:30 started"]
    world.starts.errors = [StoreError("full")] * 3
    await world.pass_by(world.scheduler(), hours=24)
    assert (await world.fires())[-1].why == "full"


async def test_a_due_time_that_cannot_be_claimed_is_claimed_at_the_next_look(
    world: World, database: SqliteDatabase
) -> None:
    failing = Failing(database)
    scheduler = Scheduler(failing, lambda: world.schedules, world.starts, clock=world.clock)
    await world.pass_by(scheduler, hours=7)
    failing.times = 3
    await world.pass_by(scheduler, hours=1)
    assert failing.times == 0
    assert await world.outcomes() == ["11-01T07:30 started"]
    assert world.starts.at == ["11-01 07:31:30"]


async def test_a_process_that_dies_while_it_starts_a_run_starts_none_twice(world: World) -> None:
    world.starts.errors = [asyncio.CancelledError()]  # type: ignore[list-item]  # as a kill would
    scheduler = world.scheduler()
    with pytest.raises(asyncio.CancelledError):
        await world.pass_by(scheduler, hours=24)
    assert await world.outcomes() == ["11-01T07:30 claimed"]
    world.schedules = {"scout": Schedule("30 7 * * *", "a", catch_up="once")}
    await world.pass_by(world.scheduler(), hours=26)
    assert await world.outcomes() == ["11-01T07:30 claimed", "11-02T07:30 started"]


async def test_what_a_person_pauses_passes_and_is_never_made_up_for(world: World) -> None:
    world.schedules = {"scout": Schedule("30 7 * * *", "a", catch_up="once")}
    scheduler = world.scheduler()
    await world.pause(True)
    await world.pass_by(scheduler, hours=28)
    await world.pause(False)
    await world.pass_by(world.scheduler(), hours=2)
    assert await world.outcomes() == []
    await world.pass_by(scheduler, hours=3)
    assert await world.outcomes() == ["11-02T07:30 started"]


async def test_what_a_file_pauses_passes_and_is_never_made_up_for(world: World) -> None:
    world.schedules = {"scout": Schedule("30 7 * * *", "a", paused=True, catch_up="once")}
    await world.pass_by(world.scheduler(), hours=28)
    world.schedules = {"scout": Schedule("30 7 * * *", "a", catch_up="once")}
    await world.pass_by(world.scheduler(), hours=2)
    assert await world.outcomes() == []
    await world.pass_by(world.scheduler(), hours=3)
    assert await world.outcomes() == ["11-02T07:30 started"]


async def test_what_is_written_is_asked_for_at_every_look(world: World) -> None:
    scheduler = world.scheduler()
    await world.pass_by(scheduler, hours=1)
    world.schedules = {"scout": Schedule("0 3 * * *", "a"), "new": Schedule("0 2 * * *", "b")}
    await world.pass_by(scheduler, hours=8)
    assert world.starts.at == ["11-01 02:00:00", "11-01 03:00:00"]
    world.schedules = {}
    await world.pass_by(scheduler, hours=24)
    assert len(world.starts.at) == 2


async def test_a_schedule_that_cannot_be_read_is_told_once_and_holds_up_no_other(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.schedules = {
        "mars": Schedule("@daily", "a", "Mars/Base"),
        "odd": Schedule("61 * * * *", "a"),
        "scout": MORNING,
    }
    await world.pass_by(world.scheduler(), hours=8)
    assert await world.outcomes() == ["11-01T07:30 started"]
    errors = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert [each.args[0] for each in errors if isinstance(each.args, tuple)] == ["mars", "odd"]


async def test_the_loop_goes_on_until_it_is_cancelled(world: World) -> None:
    scheduler = world.scheduler()
    async with asyncio.TaskGroup() as group:
        task = group.create_task(scheduler.run())
        await world.starts.begun.wait()
        task.cancel()
    assert [request.topic for request in world.starts.asked] == ["News of 2026-11-01"]


class Failing:
    """A database whose next writes fail."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database
        self.reading = database.reading
        self.times = 0

    async def write(self, work: Work[Result]) -> Result:
        if self.times:
            self.times -= 1
            raise StoreError("the disk is full")
        return await self._database.write(work)
