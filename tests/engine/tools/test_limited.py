"""A tool that may be called a few times in a run."""

import pytest

from engine.agent.agent import UnbookedAttempts
from engine.agent.tool import ToolContext
from engine.domain.errors import ToolError
from engine.domain.run import RunId
from engine.tools.limited import limited
from tests.fakes.notes import NOTE_TOOL, Note

HERE = ToolContext(RunId(1), "ann", step=1, ord=1, attempts=UnbookedAttempts())


@pytest.mark.req("R247", "R250", "R253")
async def test_calls_over_the_limit_are_refused_with_what_to_do() -> None:
    tool = limited(NOTE_TOOL, 2)
    for _ in range(2):
        assert (await tool.run(HERE, Note(text="plain"))).text == "noted: plain"
    for _ in range(2):
        with pytest.raises(ToolError, match=r"limit of 2 calls of note .* write your report now"):
            await tool.run(HERE, Note(text="plain"))


async def test_a_failed_call_counts() -> None:
    tool = limited(NOTE_TOOL, 1)
    with pytest.raises(ToolError, match="paper"):
        await tool.run(HERE, Note(text="fail"))
    with pytest.raises(ToolError, match="limit of 1 call of note"):
        await tool.run(HERE, Note(text="plain"))


async def test_each_run_has_its_own_limit() -> None:
    one, other = limited(NOTE_TOOL, 1), limited(NOTE_TOOL, 1)
    await one.run(HERE, Note(text="plain"))
    assert (await other.run(HERE, Note(text="plain"))).text == "noted: plain"


def test_no_limit_leaves_the_tool_as_it_is() -> None:
    assert limited(NOTE_TOOL, 0) is NOTE_TOOL
