"""One tool call: find the tool, check its input, run it. Whatever goes wrong is told to the model.

This is one of the few places that catch every exception: a tool that breaks must not end a run.
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
from engine.domain.faults import fault
from engine.domain.text_safety import clean, one_line

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
    unknown = StateDetail("using_tool", one_line(use.name))
    tool = next((tool for tool in tools if tool.name == use.name), None)
    if tool is None:
        names = ", ".join(tool.name for tool in tools) or "none"
        what = f"there is no tool called {unknown.detail!r}: use {names}"
        return ParsedCall(unknown, problem=what)
    try:
        given = tool.input_model.model_validate(use.input)
    except ValidationError as error:
        return ParsedCall(unknown, problem=f"{use.name}: {clean(_all_faults(error))}")
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
        return ToolResult(f"{parsed.tool.name} broke: {fault(error)}", is_error=True)


def _all_faults(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(str(part) for part in fault['loc']) or 'input'}: {fault['msg']}"
        for fault in error.errors(include_url=False, include_context=False)
    )
