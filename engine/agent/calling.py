"""One tool call: find the tool, check its input, run it. Whatever goes wrong is told to the model.

This is one of the three places that catch every exception: a tool that breaks must not end a run.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from engine.agent.tool import StateDetail, Tool, ToolContext
from engine.domain.blocks import ToolUse
from engine.domain.errors import ToolError
from engine.domain.exchange import ToolResult
from engine.domain.text_safety import clean

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ParsedCall:
    """A call that can be run, or the reason why it cannot."""

    state: StateDetail
    tool: Tool[Any] | None = None
    given: BaseModel | None = None
    problem: str = ""


def parse_call(tools: Sequence[Tool[Any]], use: ToolUse) -> ParsedCall:
    """The tool and its checked input; `using_tool` with the name where either is wrong."""
    unknown = StateDetail("using_tool", clean(use.name))
    tool = next((tool for tool in tools if tool.name == use.name), None)
    if tool is None:
        names = ", ".join(tool.name for tool in tools) or "none"
        return ParsedCall(unknown, problem=f"there is no tool called {use.name!r}: use {names}")
    try:
        given = tool.input_model.model_validate(use.input)
    except ValidationError as error:
        return ParsedCall(unknown, problem=f"{use.name}: {_all_faults(error)}")
    return ParsedCall(tool.state(given), tool=tool, given=given)


async def call_tool(parsed: ParsedCall, context: ToolContext) -> ToolResult:
    """Run a parsed call. Raises nothing but CancelledError."""
    if parsed.tool is None or parsed.given is None:
        return ToolResult(parsed.problem, is_error=True)
    try:
        return await parsed.tool.run(context, parsed.given)
    except ToolError as error:
        return ToolResult(str(error), is_error=True)
    except Exception as error:
        _log.exception("run %s: the tool %s broke", context.run_id, parsed.tool.name)
        text = f"{parsed.tool.name} broke: {type(error).__name__}: {error}"
        return ToolResult(clean(text), is_error=True)


def _all_faults(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(str(part) for part in fault['loc']) or 'input'}: {fault['msg']}"
        for fault in error.errors(include_url=False, include_context=False)
    )
