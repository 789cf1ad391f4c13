"""Tools that answer from a stored run, by step and order, without any network."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pydantic import BaseModel

from engine.agent.tool import Tool, ToolContext
from engine.domain.errors import ToolError
from engine.domain.exchange import Reading, ToolResult


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """What a stored call gave, and what it had read."""

    text: str
    is_error: bool
    read: Reading | None


RecordedAnswers: TypeAlias = Mapping[tuple[int, int], RecordedAnswer]
"""Step and order within it -> what the call was answered."""


def recorded_tool(tool: Tool[Any], answers: RecordedAnswers) -> Tool[Any]:
    """`tool` as the model knows it, answering what the stored run was answered."""

    async def run(context: ToolContext, _: BaseModel) -> ToolResult:
        answer = answers.get((context.step, context.ord))
        if answer is None:
            raise ToolError(f"the recording has no call {context.ord} in step {context.step}")
        return ToolResult(answer.text, is_error=answer.is_error, read=answer.read)

    return replace(tool, run=run)
