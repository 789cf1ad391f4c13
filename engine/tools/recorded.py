"""Tools that answer from a stored run, by step and order, without any network."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from engine.agent.tool import Tool, ToolContext
from engine.domain.exchange import Reading, ToolResult


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """What a stored call gave, and what it had read."""

    name: str
    text: str
    is_error: bool
    read: Reading | None


RecordedAnswers = Mapping[tuple[int, str], list[RecordedAnswer]]
"""Step and tool name -> the answers of that step in order."""


def recorded_tool(tool: Tool[Any], answers: RecordedAnswers) -> Tool[Any]:
    """`tool` as the model knows it, answering what the stored run was answered."""
    given_out: dict[int, int] = {}

    async def run(context: ToolContext, _: BaseModel) -> ToolResult:
        stored = answers.get((context.step, tool.name), [])
        place = given_out.get(context.step, 0)
        given_out[context.step] = place + 1
        if place >= len(stored):
            text = f"the recording has no answer of {tool.name} in step {context.step}"
            return ToolResult(text, is_error=True)
        answer = stored[place]
        return ToolResult(answer.text, is_error=answer.is_error, read=answer.read)

    return replace(tool, run=run)
