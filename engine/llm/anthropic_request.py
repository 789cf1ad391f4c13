"""Turns a Request into the parameters of the Messages API: pure, without the SDK.

Equal requests must give equal parameters in equal order: the prompt cache and the signatures of
thinking blocks are bound to the bytes of tools, system and earlier messages.
"""

from collections.abc import Mapping
from typing import TypeAlias

from engine.domain.blocks import Block, Message, text_block
from engine.domain.exchange import AUTO, Request, ServerToolSpec, ToolSpec
from engine.llm.capabilities import Capabilities, capabilities_of

Parameters: TypeAlias = dict[str, object]

CACHED: Mapping[str, object] = {"type": "ephemeral"}
"""A cache breakpoint: what stands before it is kept for five minutes."""


def parameters(request: Request) -> Parameters:
    """Everything but the stream flag and the headers.

    A tool is forced only where the model allows it (D6); elsewhere that tool alone is offered, and
    the last user turn ends with the instruction to call it.
    """
    capabilities = capabilities_of(request.model)
    forced = request.tool_choice.kind == "tool"
    told: Parameters = {"model": request.model, "max_tokens": request.max_tokens}
    told |= _prefix(request, only_forced=forced and not capabilities.forced_tool)
    told |= _tool_choice(request, capabilities)
    told |= _thinking(request, capabilities)
    if request.output_schema is not None:
        schema = {"type": "json_schema", "schema": request.output_schema}
        told["output_config"] = {"format": schema}
    messages = [_message(message) for message in request.messages]
    if forced and not capabilities.forced_tool:
        messages = _with_instruction(messages, request.tool_choice.name)
    told["messages"] = messages
    if request.cache and request.tool_choice.kind != "none":
        told["cache_control"] = dict(CACHED)
    return told


def uses_server_tools(request: Request) -> bool:
    return any(isinstance(tool, ServerToolSpec) for tool in request.tools)


def _prefix(request: Request, *, only_forced: bool) -> Parameters:
    """Tools and system with one breakpoint behind them: what stays the same from call to call."""
    offered = [
        _tool(tool)
        for tool in request.tools
        if not only_forced or tool.name == request.tool_choice.name
    ]
    system: list[dict[str, object]] = (
        [dict(text_block(request.system))] if request.system.strip() else []
    )
    if request.cache and (system or offered):
        (system or offered)[-1]["cache_control"] = dict(CACHED)
    prefix: Parameters = {}
    if offered:
        prefix["tools"] = offered
    if system:
        prefix["system"] = system
    return prefix


def _tool(tool: ToolSpec | ServerToolSpec) -> dict[str, object]:
    if isinstance(tool, ServerToolSpec):
        return {"type": tool.type, "name": tool.name, **tool.settings}
    return {"name": tool.name, "description": tool.description, "input_schema": tool.schema}


def _tool_choice(request: Request, capabilities: Capabilities) -> Parameters:
    choice = request.tool_choice
    if not request.tools or choice == AUTO:
        return {}
    if choice.kind == "none":
        return {"tool_choice": {"type": "none"}}
    if choice.kind == "tool" and capabilities.forced_tool:
        return {"tool_choice": {"type": "tool", "name": choice.name}}
    return {}


def _thinking(request: Request, capabilities: Capabilities) -> Parameters:
    """Agents think; the small calls beside them do not, so that their few tokens go to the answer.

    A forced tool and thinking exclude each other.
    """
    is_forcing = request.tool_choice.kind == "tool" and capabilities.forced_tool
    thinks = request.purpose == "agent" and not is_forcing
    setting = capabilities.thinking if thinks else capabilities.no_thinking
    return {} if setting is None else {"thinking": dict(setting)}


def _message(message: Message) -> dict[str, object]:
    return {"role": message.role, "content": [dict(block) for block in message.content]}


def _with_instruction(messages: list[dict[str, object]], tool: str) -> list[dict[str, object]]:
    """The instruction stands last, so that the turns before it stay as they were."""
    instruction = text_block(f"Answer by calling the tool {tool} now, and with nothing else.")
    last = messages[-1]
    if last["role"] != "user":
        return [*messages, {"role": "user", "content": [instruction]}]
    return [*messages[:-1], {"role": "user", "content": [*_blocks(last), instruction]}]


def _blocks(message: Mapping[str, object]) -> list[Block]:
    content = message["content"]
    assert isinstance(content, list)
    return content
