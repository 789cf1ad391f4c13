"""Definitions and schedules as the Manager answers for them, on a real database and real files."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from engine.domain.answers import AgentSchedule, ScheduledRun
from engine.domain.errors import NotFound, Problem, Refused, StoreError
from engine.domain.exchange import Reply, Request
from engine.domain.run import RunFilter, StartRequest
from engine.domain.timing import Timing
from engine.llm.model import OnProgress
from engine.manager.manager import Manager
from engine.manager.rereading import reread_on_change
from tests.engine.definitions.files import toml, write
from tests.engine.manager.conftest import Bureau
from tests.fakes.models import ScriptedModel, text_reply

DAILY = '[schedule]\ncron = "30 7 * * *"\ntimezone = "Europe/Berlin"\ntopic = "News of {{.Time}}"\n'
FAULT = "press.toml:6: max_steps: 41 must be between 1 and 40"


class Pending:
    """A model that never answers."""

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        await asyncio.Event().wait()
        raise AssertionError("nothing ends this wait")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return write(
        tmp_path / "own", {"press.toml": toml("press", DAILY), "plain.toml": toml("plain")}
    )


@pytest.fixture
def press(bureau: Bureau, own: Path) -> Bureau:
    return replace(bureau, definitions=own, timing=Timing(closing_calls=0.05))


async def last_of(manager: Manager) -> ScheduledRun | None:
    (info,) = (await manager.schedules()).schedules
    return info.schedule.last


async def test_one_agent_is_told_and_another_is_not_found(press: Bureau) -> None:
    async with press.open(Pending()) as manager:
        details = await manager.agent("press")
        with pytest.raises(NotFound, match=r'no agent called "pres" \(did you mean "press"\?\)'):
            await manager.agent("pres")
        listed = {agent.name: agent for agent in await manager.agents()}
    assert details.info == listed["press"]
    assert (details.prompt, details.definition.source) == ("Do research.", "press.toml")


async def test_the_first_reading_is_told_with_its_place_and_warnings(
    press: Bureau, own: Path
) -> None:
    write(own, {"plain.toml": toml("plain", 'skills = ["ghost"]')})
    async with press.open(Pending()) as manager:
        read = await manager.agents_read()
        (warning,) = (await manager.agent("plain")).warnings
    assert (read.directory, read.problems, read.changed) == (str(own), (), ())
    assert read.read_at == "2026-11-01T10:00:00.000Z"
    assert read.warnings == (warning,)
    assert warning.where == "plain.toml:6"


@pytest.mark.req("R554")
async def test_a_reading_says_what_came_went_and_changed(press: Bureau, own: Path) -> None:
    write(own, {"same.toml": toml("same"), "when.toml": toml("when", DAILY)})
    async with press.open(Pending()) as manager:
        write(own, {"plain.toml": toml("plain", "max_steps = 3"), "new.toml": toml("new")})
        write(own, {"when.toml": toml("when", DAILY.replace("30 7", "45 7"))})
        (own / "same.toml").rename(own / "moved.toml")
        (own / "press.toml").unlink()
        press.clock.advance(60)
        read = await manager.reload_agents()
        assert read == await manager.agents_read()
        names = {agent.name for agent in await manager.agents()}
        again = await manager.reload_agents()
    assert read.changed == ("new", "plain", "press", "when")
    assert read.read_at == "2026-11-01T10:01:00.000Z"
    assert {"new", "plain", "same"} <= names
    assert "press" not in names
    assert again.changed == ()


@pytest.mark.req("R554")
async def test_a_broken_change_keeps_the_agents_and_says_why(
    press: Bureau, own: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with press.open(Pending()) as manager:
        before = await manager.agents()
        write(own, {"press.toml": toml("press", "max_steps = 41"), "new.toml": toml("new")})
        read = await manager.reload_agents()
        assert await manager.agents() == before
    assert read.problems == (Problem("press.toml:6", FAULT.partition(": ")[2]),)
    assert read.changed == ()
    assert FAULT in caplog.text


@pytest.mark.req("R554")
async def test_a_run_keeps_what_it_was_started_with_and_the_next_has_the_new(
    press: Bureau, own: Path
) -> None:
    request = StartRequest("topic", "ann", model="claude-sonnet-5-5", agent="plain")
    async with press.open(Pending()) as manager:
        first = await manager.start(request)
        write(own, {"plain.toml": toml("plain", "max_steps = 3").replace("1.2.0", "1.3.0")})
        await manager.reload_agents()
        second = await manager.start(request)
        kept = (await manager.get(first.id)).run
    assert (kept.agent_version, kept.max_steps) == ("1.2.0", 20)
    assert (second.agent_version, second.max_steps) == ("1.3.0", 3)


async def test_schedules_are_told_and_only_a_server_follows_them(press: Bureau) -> None:
    async with press.open(Pending()) as manager:
        told = await manager.schedules()
    (info,) = told.schedules
    assert (told.followed, info.agent, info.past) == (False, "press", ())
    assert info.schedule == AgentSchedule(
        cron="30 7 * * *",
        timezone="Europe/Berlin",
        topic="News of {{.Time}}",
        user="scheduler",
        paused=False,
        next_run="2026-11-02T06:30:00.000Z",
        words="every day at 07:30",
    )


async def test_a_person_s_pause_is_told_beside_the_file_s_and_taken_back(press: Bureau) -> None:
    async with press.open(Pending()) as manager:
        paused = await manager.pause_schedule("press", paused=True)
        assert (await manager.schedules()).schedules == (paused,)
        gone_on = await manager.pause_schedule("press", paused=False)
        with pytest.raises(NotFound, match='the agent "plain" has no schedule'):
            await manager.pause_schedule("plain", paused=True)
        with pytest.raises(NotFound, match='no agent called "ghost"'):
            await manager.pause_schedule("ghost", paused=True)
    assert (paused.schedule.paused, paused.schedule.paused_here) == (False, True)
    assert paused.schedule.next_run is None
    assert gone_on.schedule.paused_here is False
    assert gone_on.schedule.next_run == "2026-11-02T06:30:00.000Z"


@pytest.mark.req("R309", "R310", "R320")
async def test_a_schedule_that_is_run_by_hand_is_its_scheduled_run(press: Bureau) -> None:
    async with press.open(ScriptedModel([text_reply("# News")])) as manager:
        await manager.pause_schedule("press", paused=True)
        run = await manager.run_schedule("press")
        await manager.idle()
        done = ScheduledRun("2026-11-01T10:00:00.000Z", "started", run.id, "completed")
        (info,) = (await manager.schedules()).schedules
        with pytest.raises(NotFound, match='the agent "plain" has no schedule'):
            await manager.run_schedule("plain")
    assert (run.user_id, run.agent_name) == ("scheduler", "press")
    assert run.topic == "News of 2026-11-01T11:00:00+01:00"
    assert info.past == (done,)
    assert info.schedule.last == done


@pytest.mark.req("R312")
async def test_while_the_scheduled_run_works_none_is_started_by_hand(press: Bureau) -> None:
    async with press.open(Pending()) as manager:
        run = await manager.run_schedule("press")
        press.clock.advance(1)
        with pytest.raises(Refused, match=f"its scheduled run {run.id} still works"):
            await manager.run_schedule("press")
        (info,) = (await manager.schedules()).schedules
        assert [done.run_id for done in info.past] == [run.id]
        await manager.stop(run.id, by="ann")
        press.clock.advance(1)
        assert (await manager.run_schedule("press")).id == run.id + 1


@pytest.mark.req("R312")
async def test_two_who_run_one_schedule_at_once_start_one_run(press: Bureau) -> None:
    async def ask(manager: Manager) -> str:
        try:
            return (await manager.run_schedule("press")).status
        except Refused as error:
            return str(error)

    async with press.open(Pending()) as manager, asyncio.TaskGroup() as group:
        asked = [group.create_task(ask(manager)) for _ in range(5)]
        await asyncio.wait(asked)
        started = (await manager.list(RunFilter())).runs
    assert len(started) == 1
    answers = [task.result() for task in asked]
    assert answers.count("running") == 1
    assert sum("started already" in answer for answer in answers) == 4


async def test_a_start_that_is_refused_is_told_and_kept_with_its_reason(press: Bureau) -> None:
    request = StartRequest("topic", "scheduler", model="claude-sonnet-5-5")
    async with press.open(Pending()) as manager:
        for _ in range(3):
            await manager.start(request)
        with pytest.raises(Refused, match="you already have 3 agents working"):
            await manager.run_schedule("press")
        done = await last_of(manager)
    assert done is not None
    assert (done.outcome, done.run_id) == ("refused", None)
    assert "3 agents working" in done.why


async def test_a_schedule_of_a_caller_that_goes_away_is_carried_out_whole(press: Bureau) -> None:
    async with press.open(Pending()) as manager:
        hold = press.database.hold(1)
        async with asyncio.TaskGroup() as group:
            asking = group.create_task(manager.run_schedule("press"))
            await hold.reached.wait()
            asking.cancel()
            await asyncio.sleep(0)
            hold.let_go()
        done = await last_of(manager)
    assert asking.cancelled()
    assert done is not None
    assert (done.outcome, done.status) == ("started", "running")


async def test_a_claim_that_cannot_be_stored_starts_nothing(press: Bureau) -> None:
    async with press.open(Pending()) as manager:
        press.database.fail(1)
        with pytest.raises(StoreError):
            await manager.run_schedule("press")
        assert (await manager.list(RunFilter())).runs == ()
        assert await last_of(manager) is None


@asynccontextmanager
async def rereading(manager: Manager, bureau: Bureau) -> AsyncIterator[None]:
    """The files are looked at while this is open."""
    async with asyncio.TaskGroup() as group:
        look = reread_on_change(manager.definitions, bureau.clock, every=2.0)
        task = group.create_task(look)
        yield
        task.cancel()


async def until_read(manager: Manager, bureau: Bureau) -> None:
    """Until the files were read again since now."""
    before = (await manager.agents_read()).read_at
    while (await manager.agents_read()).read_at == before:
        await bureau.clock.sleep(0.1)


@pytest.mark.req("R554")
async def test_changed_files_are_read_without_being_asked_for(
    press: Bureau, own: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with press.open(Pending()) as manager, rereading(manager, press):
        write(own, {"new.toml": toml("new")})
        await until_read(manager, press)
        assert (await manager.agents_read()).changed == ("new",)
        assert (await manager.agent("new")).info.version == "1.2.0"
        write(own, {"press.toml": toml("press", "max_steps = 41")})
        await until_read(manager, press)
        assert [str(one) for one in (await manager.agents_read()).problems] == [FAULT]
        assert (await manager.agent("press")).info.max_steps == 20
        write(own, {"press.toml": toml("press", "max_steps = 40")})
        await until_read(manager, press)
        assert (await manager.agents_read()).problems == ()
    assert set(press.clock.slept) == {0.1, 2.0}
    assert caplog.text.count(FAULT) == 1
    told = [line for line in caplog.messages if "read again" in line]
    assert told == [
        f"the definitions were read again; changed: {name}" for name in ("new", "press")
    ]
