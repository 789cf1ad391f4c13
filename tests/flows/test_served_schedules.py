"""A server with its scheduler and its files: what people change takes effect while it runs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine.domain.exchange import Reply, Request
from engine.domain.run import RunFilter
from engine.llm.model import Model, OnProgress
from engine.remote.session import AttachedEngine
from engine.settings import Settings
from engine.wiring import Parts, connect
from tests.engine.definitions.files import toml, write
from tests.engine.manager.test_agents import Pending
from tests.fakes.clock import SteppedClock
from tests.fakes.models import text_reply

OFTEN = '[schedule]\ncron = "*/10 * * * *"\ntopic = "News of {{.Time}}"\nuser = "press"\n'
MINUTE = 60.0


class Ready:
    """A model that writes its report at once."""

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        return text_reply("# News")


@dataclass
class Server:
    """A server at ten o'clock, whose time passes when it is told to."""

    folder: Path
    model: Model = field(default_factory=Ready)
    clock: SteppedClock = field(default_factory=lambda: SteppedClock(sleepers=2))

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[AttachedEngine]:
        settings = Settings(
            data_dir=self.folder / "data",
            anthropic_api_key="sk-test",
            agent_defs_dir=self.folder / "agents",
        )
        parts = Parts(clock=self.clock, models=lambda _: self.model)
        async with connect(settings, stay=False, schedules=True, parts=parts) as engine:
            yield engine

    def define(self, files: dict[str, str]) -> None:
        write(self.folder / "agents", files)


@pytest.fixture
def server(tmp_path: Path) -> Server:
    server = Server(tmp_path)
    server.define({"press.toml": toml("press", OFTEN)})
    return server


async def topics(engine: AttachedEngine) -> list[str]:
    """The hour and minute in the topic of each run that was started, once none works any more."""
    while (await engine.counts()).by_status.get("running"):
        pass
    runs = (await engine.list(RunFilter(user="press"))).runs
    return [run.topic.partition("T")[2][:5] for run in reversed(runs)]


async def test_a_pause_counts_from_the_next_look_on_and_so_does_its_end(server: Server) -> None:
    async with server.serving() as engine:
        assert (await engine.schedules()).followed
        await server.clock.pass_by(10 * MINUTE)
        assert await topics(engine) == ["10:10"]
        await engine.pause_schedule("press", paused=True)
        await server.clock.pass_by(10 * MINUTE)
        await engine.pause_schedule("press", paused=False)
        await server.clock.pass_by(10 * MINUTE)
        assert await topics(engine) == ["10:10", "10:30"]
        (info,) = (await engine.schedules()).schedules
    assert [(done.due[11:16], done.status) for done in info.past] == [
        *(("10:30", "completed"), ("10:10", "completed")),
    ]
    assert info.schedule.next_run == "2026-11-01T10:40:00.000Z"


@pytest.mark.req("R554")
async def test_a_schedule_that_is_changed_in_its_file_is_followed_within_half_a_minute(
    server: Server,
) -> None:
    async with server.serving() as engine:
        await server.clock.pass_by(MINUTE)
        server.define(
            {
                "press.toml": toml("press", OFTEN.replace("*/10", "2")),
                "new.toml": toml("new", OFTEN.replace("*/10", "3")),
            }
        )
        await server.clock.pass_by(9 * MINUTE)
        assert await topics(engine) == ["10:02", "10:03"]
        (server.folder / "agents" / "press.toml").unlink()
        await server.clock.pass_by(60 * MINUTE)
        assert await topics(engine) == ["10:02", "10:03", "11:03"]


@pytest.mark.req("R554")
async def test_a_broken_change_leaves_the_schedules_as_they_were(server: Server) -> None:
    async with server.serving() as engine:
        server.define({"press.toml": toml("press", OFTEN.replace("*/10", "*/1"))})
        await server.clock.pass_by(10 * MINUTE)
        assert await topics(engine) == ["10:10"]
        (problem,) = (await engine.agents_read()).problems
    assert "runs the agent every 1m0s" in problem.what


@pytest.mark.req("R312")
async def test_a_run_started_by_hand_lets_the_next_due_time_pass_while_it_works(
    server: Server,
) -> None:
    server.model = Pending()
    async with server.serving() as engine:
        await server.clock.pass_by(9 * MINUTE)
        run = await engine.run_schedule("press")
        await server.clock.pass_by(2 * MINUTE)
        (info,) = (await engine.schedules()).schedules
        await engine.stop(run.id, by="ann")
    skipped, by_hand = info.past
    assert (by_hand.run_id, by_hand.status, by_hand.due[11:19]) == (run.id, "running", "10:09:00")
    assert (skipped.outcome, skipped.due[11:19]) == ("skipped", "10:10:00")
    assert skipped.why == f"its scheduled run {run.id} still works"
