"""Databases of the program before this one: their runs are shown, and new ones work on them."""

from pathlib import Path

import pytest

from engine.domain.run import RunFilter, RunId, StartRequest
from tests.engine.store import legacy
from tests.fakes.models import ScriptedModel, text_reply, tool_reply
from tests.flows.conftest import House, run_to_end

TOPIC = StartRequest("How deep is the lake?", "u1", model="claude-sonnet-5-5")


@pytest.mark.req("R489", "R493")
@pytest.mark.parametrize("shape", sorted(legacy.OLDER))
async def test_the_simple_loop_runs_on_an_upgraded_database(house: House, shape: str) -> None:
    put_older_database(house.data_dir, shape)
    replies = [tool_reply("note", {"text": "plain"}), text_reply("# Deep")]
    async with house.open(ScriptedModel(replies)) as manager:
        details = await run_to_end(manager, TOPIC)
        listed = await manager.list(RunFilter(user="u1"))
        old = await manager.get(RunId(1))
    assert (details.run.status, details.run.report) == ("completed", "# Deep")
    assert [(run.id, run.status) for run in listed.runs] == [
        (3, "completed"),
        (2, "failed"),
        (1, "completed"),
    ]
    assert (old.run.report, old.run.phase, old.run.stop_reason) == ("# Report", "", "")
    assert [state.state for state in old.states] == ["starting", "completed"]


def put_older_database(data_dir: Path, shape: str) -> None:
    data_dir.mkdir(mode=0o700)
    legacy.make(data_dir / "gligabao.db", legacy.OLDER[shape])
