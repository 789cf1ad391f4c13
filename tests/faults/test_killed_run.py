"""A process that is killed during a run loses no row, and the next command marks the run."""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.fakes.messages_api import FakeMessagesApi
from tests.fakes.messages_script import reply, stalled, tool_call

READS = tool_call("fetch_url", {"url": "http://127.0.0.1/"}, words="I look at it.")


@asynccontextmanager
async def command(data_dir: Path, *words: str, base_url: str = "") -> AsyncIterator[Process]:
    environment = {
        **os.environ,
        "GLIGABAO_DATA_DIR": str(data_dir),
        "ANTHROPIC_API_KEY": "sk-test",
        "ANTHROPIC_BASE_URL": base_url,
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "gligabao_tui", *words, stdout=PIPE, stderr=PIPE, env=environment
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def printed(data_dir: Path, *words: str) -> dict[str, object]:
    async with command(data_dir, *words) as process:
        out, err = await process.communicate()
        assert process.returncode == 0, err.decode()
    answer: dict[str, object] = json.loads(out)
    return answer


@pytest.mark.req("R090", "R097")
async def test_a_killed_run_is_interrupted_and_whole_for_the_next_command(tmp_path: Path) -> None:
    async with FakeMessagesApi() as api:
        api.script(READS, stalled(reply("never"), after=3))
        start = ("research", "start", "How deep is it?")
        async with command(tmp_path, *start, base_url=api.base_url) as process:
            seen = await api.received(2)
            await seen.is_halfway.wait()
            process.send_signal(signal.SIGKILL)
            await process.wait()
        run = await printed(tmp_path, "research", "get", "1", "--json")
    assert (run["status"], run["error"], run["steps"]) == ("failed", "interrupted", 1)
    states = run["states"]
    assert isinstance(states, list)
    assert [state["state"] for state in states] == [
        "starting",
        "thinking",
        "reading",
        "thinking",
        "failed",
    ]
    assert states[-2]["error"] == states[-1]["error"] == "interrupted"
    assert all(state["finished_at"] for state in states)
