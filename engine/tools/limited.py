"""Limits how often a tool is called in one run (`max_calls` of a definition)."""

from dataclasses import replace
from itertools import count
from typing import Any

from pydantic import BaseModel

from engine.agent.tool import Tool, ToolContext
from engine.domain.errors import ToolError
from engine.domain.exchange import ToolResult


def limited(tool: Tool[Any], most_calls: int) -> Tool[Any]:
    """`tool` for one run: calls beyond `most_calls` (0: no limit) are refused with the advice to
    write the report. Calls that fail count too."""
    if not most_calls:
        return tool
    numbers = count(1)

    async def run(context: ToolContext, given: BaseModel) -> ToolResult:
        if next(numbers) > most_calls:
            raise ToolError(_refusal(tool.name, most_calls))
        return await tool.run(context, given)

    return replace(tool, run=run)


def _refusal(name: str, most_calls: int) -> str:
    calls = "1 call" if most_calls == 1 else f"{most_calls} calls"
    return (
        f"the limit of {calls} of {name} in this run is reached: write your report now, with what "
        "you have gathered"
    )
