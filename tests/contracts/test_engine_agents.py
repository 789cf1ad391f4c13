"""The contract's part about definitions and schedules, for every way to hold an Engine."""

from pathlib import Path

import pytest

from engine.contract import Engine
from engine.domain.answers import AgentsRead
from engine.domain.errors import NotFound, Problem, Refused
from engine.settings import Settings
from tests.contracts.test_engine import GatedModel, Place, engine, model
from tests.engine.definitions.files import toml, write

__all__ = ["engine", "model"]

DAILY = '[schedule]\ncron = "30 7 * * *"\ntopic = "News of {{.Date}}"\n'


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Definitions of one's own."""
    files = {"press.toml": toml("press", f'skills = ["ghost"]\n{DAILY}'), "b.toml": toml("b")}
    return write(tmp_path / "agents", files)


@pytest.fixture
def place(tmp_path: Path, own: Path) -> Place:
    settings = Settings(data_dir=tmp_path / "data", anthropic_api_key="sk-test", agent_defs_dir=own)
    return Place(settings)


async def test_one_agent_is_told_whole(engine: Engine) -> None:
    details = await engine.agent("press")
    assert details.info in await engine.agents()
    assert (details.info.source, details.definition.name) == ("press.toml", "press")
    assert details.definition.schedule is not None
    assert details.prompt == "Do research."
    assert [warning.where for warning in details.warnings] == ["press.toml:6"]
    assert (await engine.agent("default")).info.name == "default"
    for name in ("pres", "", "../press"):
        with pytest.raises(NotFound, match="no agent called"):
            await engine.agent(name)


@pytest.mark.req("R554")
async def test_definitions_are_read_again_when_that_is_asked_for(engine: Engine, own: Path) -> None:
    first = await engine.agents_read()
    assert (first.directory, first.problems, first.changed) == (str(own), (), ())
    assert len(first.warnings) == 1
    write(own, {"b.toml": toml("b", "max_steps = 3"), "c.toml": toml("c")})
    (own / "press.toml").unlink()
    read = await engine.reload_agents()
    assert read == AgentsRead(str(own), changed=("b", "c", "press"), read_at=read.read_at)
    assert await engine.agents_read() == read
    assert (await engine.agent("b")).info.max_steps == 3
    with pytest.raises(NotFound):
        await engine.agent("press")


@pytest.mark.req("R554")
async def test_a_reading_that_finds_a_fault_changes_nothing(engine: Engine, own: Path) -> None:
    before = await engine.agents()
    write(own, {"b.toml": toml("b", "max_steps = 41"), "c.toml": toml("c")})
    read = await engine.reload_agents()
    assert read.problems == (Problem("b.toml:6", "max_steps: 41 must be between 1 and 40"),)
    assert read.changed == ()
    assert await engine.agents() == before


@pytest.mark.req("R319")
async def test_schedules_are_told_paused_and_taken_up_again(engine: Engine) -> None:
    told = await engine.schedules()
    (info,) = told.schedules
    assert (told.followed, info.agent, info.past) == (False, "press", ())
    assert (info.schedule.cron, info.schedule.topic) == ("30 7 * * *", "News of {{.Date}}")
    paused = await engine.pause_schedule("press", paused=True)
    assert (paused.schedule.paused_here, paused.schedule.next_run) == (True, None)
    assert (await engine.schedules()).schedules == (paused,)
    assert await engine.pause_schedule("press", paused=False) == info
    for agent, told_of in (("b", "has no schedule"), ("ghost", "no agent called")):
        with pytest.raises(NotFound, match=told_of):
            await engine.pause_schedule(agent, paused=True)
        with pytest.raises(NotFound, match=told_of):
            await engine.run_schedule(agent)


@pytest.mark.req("R312")
async def test_a_schedule_is_run_by_hand_once_at_a_time(
    engine: Engine, model: GatedModel, place: Place
) -> None:
    model.open.clear()
    await engine.pause_schedule("press", paused=True)
    run = await engine.run_schedule("press")
    assert (run.user_id, run.agent_name, run.topic) == ("scheduler", "press", "News of 2026-11-01")
    place.clock.advance(1)
    with pytest.raises(Refused, match=f"its scheduled run {run.id} still works"):
        await engine.run_schedule("press")
    (info,) = (await engine.schedules()).schedules
    (done,) = info.past
    assert (done.outcome, done.run_id, done.status) == ("started", run.id, "running")
    await engine.stop(run.id, by="ann")
    (info,) = (await engine.schedules()).schedules
    assert info.schedule.last is not None
    assert (info.schedule.last.run_id, info.schedule.last.status) == (run.id, "stopped")
