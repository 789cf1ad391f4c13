"""What the real API refuses with a 400, so that the fake refuses it too.

Each rule takes the body and yields what is wrong. The first fault found is the answer.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from tests.fakes.messages_cache import without_cache_control
from tests.fakes.messages_script import Json

Rule: TypeAlias = Callable[[Json], Iterator[str]]

BOUND_MODELS = (
    "claude-fable-5-2",
    "claude-mythos-5-2",
    "claude-fable-5-1",
    "claude-mythos-5-1",
    "claude-opus-5-5",
    "claude-sonnet-5-5",
    "claude-haiku-5-5",
)
UNFORCED_MODELS = tuple(model for model in BOUND_MODELS if "haiku" not in model)
ALWAYS_THINKING = tuple(model for model in UNFORCED_MODELS if "sonnet" not in model)

TOP_LEVEL = {
    "model", "max_tokens", "messages", "system", "tools", "tool_choice", "thinking",
    "output_config", "cache_control", "container", "diagnostics", "inference_geo", "metadata",
    "service_tier", "speed", "stop_sequences", "stream",
}  # fmt: skip
BLOCK_FIELDS = {
    "text": {"text", "citations"},
    "thinking": {"thinking", "signature"},
    "redacted_thinking": {"data"},
    "tool_use": {"id", "name", "input", "caller"},
    "tool_result": {"tool_use_id", "content", "is_error"},
    "server_tool_use": {"id", "name", "input", "caller"},
    "web_search_tool_result": {"tool_use_id", "content", "caller"},
}
MOST_BREAKPOINTS = 4


def first_fault(body: Json) -> str | None:
    """The message of the 400, or None when the request is fine."""
    for rule in RULES:
        for fault in rule(body):
            return fault
    return None


def signature(body: Json, upto: int) -> str:
    """What a thinking block in the answer to the first `upto` messages is bound to."""
    bound = [
        body["model"],
        body.get("system"),
        body.get("tools"),
        _as_blocks(body["messages"][:upto]),
    ]
    told = json.dumps(without_cache_control(bound), sort_keys=True)
    return "sig_" + hashlib.sha256(told.encode()).hexdigest()


def _as_blocks(messages: Sequence[Json]) -> list[list[object]]:
    return [[message["role"], content_of(message)] for message in messages]


def content_of(message: Json) -> list[Json]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _required(body: Json) -> Iterator[str]:
    for name in ("model", "max_tokens", "messages"):
        if name not in body:
            yield f"{name}: Field required"
    if not body["messages"]:
        yield "messages: at least one message is required"


def _unknown_fields(body: Json) -> Iterator[str]:
    for name in ("temperature", "top_p", "top_k"):
        if name in body:
            yield f"{name}: is not supported in this API version"
    for name in sorted(body.keys() - TOP_LEVEL):
        yield f"{name}: Extra inputs are not permitted"
    for where, block in _blocks(body):
        known = BLOCK_FIELDS.get(block["type"])
        if known is not None:
            for name in sorted(block.keys() - known - {"type", "cache_control"}):
                yield f"{where}.{block['type']}.{name}: Extra inputs are not permitted"


def _texts(body: Json) -> Iterator[str]:
    for where, block in _blocks(body):
        if block["type"] != "text":
            continue
        if not block["text"]:
            yield f"{where}: text content blocks must be non-empty"
        if not block["text"].strip():
            yield f"{where}: text content blocks must contain non-whitespace text"
    for index, message in enumerate(body["messages"]):
        if message["role"] == "user" and any("citations" in b for b in content_of(message)):
            yield f"messages.{index}: citations are not permitted in user messages"


def _tool_results(body: Json) -> Iterator[str]:
    asked: list[str] = []
    for index, message in enumerate(body["messages"]):
        content = content_of(message)
        answered = [b["tool_use_id"] for b in content if b["type"] == "tool_result"]
        yield from _answer_faults(index, content, (asked, answered))
        asked = [b["id"] for b in content if b["type"] == "tool_use"]
    if asked:
        yield _unanswered(len(body["messages"]) - 1, asked)


def _answer_faults(
    index: int, content: list[Json], told: tuple[list[str], list[str]]
) -> Iterator[str]:
    asked, answered = told
    for unexpected in (id for id in answered if id not in asked):
        yield (
            f"messages.{index}.content: unexpected `tool_use_id` found in `tool_result` blocks:"
            f" {unexpected}. Each `tool_result` block must have a corresponding `tool_use` block in"
            " the previous message."
        )
    if len(set(answered)) < len(answered):
        yield f"messages.{index}.content: each tool_use must have a single result"
    if missing := [id for id in asked if id not in answered]:
        yield _unanswered(index - 1, missing)
    kinds = [block["type"] == "tool_result" for block in content]
    if sorted(kinds, reverse=True) != kinds:
        yield f"messages.{index}.content: `tool_result` blocks must come before other content"


def _unanswered(index: int, missing: list[str]) -> str:
    return (
        f"messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately"
        f" after: {', '.join(missing)}. Each `tool_use` block must have a corresponding"
        " `tool_result` block in the next message."
    )


def _tool_ids(body: Json) -> Iterator[str]:
    ids = [block["id"] for _, block in _blocks(body) if block["type"] == "tool_use"]
    if len(set(ids)) < len(ids):
        yield "messages: `tool_use` ids must be unique"


def _tools(body: Json) -> Iterator[str]:
    tools = body.get("tools", [])
    for index, tool in enumerate(tools):
        if "type" not in tool and "input_schema" not in tool:
            yield f"tools.{index}.custom.input_schema: Field required"
        if "allowed_domains" in tool and "blocked_domains" in tool:
            yield f"tools.{index}: only one of allowed_domains and blocked_domains may be given"
    if len({tool["name"] for tool in tools}) < len(tools):
        yield "tools: Tool names must be unique."


def _tool_choice(body: Json) -> Iterator[str]:
    choice = body.get("tool_choice")
    if choice is None:
        return
    if not body.get("tools"):
        yield "tool_choice may only be specified while providing tools"
    if choice["type"] in ("any", "tool"):
        if body["model"] in UNFORCED_MODELS:
            yield "tool_choice: forced tool use is not supported for this model"
        if body.get("thinking", {}).get("type") in ("adaptive", "enabled"):
            yield "Thinking may not be enabled when tool_choice forces tool use."


def _thinking_setting(body: Json) -> Iterator[str]:
    kind = body.get("thinking", {}).get("type")
    if kind == "disabled" and body["model"] in (*ALWAYS_THINKING, "claude-sonnet-5-5"):
        yield '"thinking.type.disabled" is not supported for this model.'
    if kind == "between_tools" and body["model"] != "claude-sonnet-5-5":
        yield '"thinking.type.between_tools" is not supported for this model.'


def _breakpoints(body: Json) -> Iterator[str]:
    system = body.get("system", [])
    marked = [block for _, block in _blocks(body) if "cache_control" in block]
    marked += [tool for tool in body.get("tools", []) if "cache_control" in tool]
    marked += [block for block in system if isinstance(block, dict) and "cache_control" in block]
    count = len(marked) + ("cache_control" in body)
    if count > MOST_BREAKPOINTS:
        yield f"A maximum of 4 blocks with cache_control may be provided. Found {count}."
    if any(block.get("text") == "" for block in marked):
        yield "cache_control cannot be set for empty text blocks"


def _turns(body: Json) -> Iterator[str]:
    messages = body["messages"]
    if messages[0]["role"] != "user":
        yield 'messages: first message must use the "user" role'
    last = messages[-1]
    is_continuation = any(b["type"] == "server_tool_use" for b in content_of(last))
    if last["role"] == "assistant" and not is_continuation:
        yield (
            "This model does not support assistant message prefill. The conversation must end with"
            " a user message."
        )


def _server_tools(body: Json) -> Iterator[str]:
    names = {tool["name"] for tool in body.get("tools", []) if "type" in tool}
    for index, message in enumerate(body["messages"]):
        content = content_of(message)
        answered = {b["tool_use_id"] for b in content if b["type"] == "web_search_tool_result"}
        for block in content:
            if block["type"] == "server_tool_use":
                if block["id"] not in answered and index < len(body["messages"]) - 1:
                    yield (
                        f"messages.{index}: `web_search` tool use with id `{block['id']}` was found"
                        " without a corresponding `web_search_tool_result` block"
                    )
                if block["name"] not in names:
                    yield f"messages.{index}: {block['name']} is used but not among the tools"
            yield from _result_faults(index, block)


def _result_faults(index: int, block: Json) -> Iterator[str]:
    found = block.get("content") if block["type"] == "web_search_tool_result" else None
    for result in found if isinstance(found, list) else []:
        if "encrypted_content" not in result:
            yield f"messages.{index}: web_search_result.encrypted_content: Field required"


def _bound_thinking(body: Json) -> Iterator[str]:
    binding = body.get("thinking", {}).get("block_binding", {})
    if body["model"] not in BOUND_MODELS:
        return
    if binding.get("prefix_mismatch_behavior") == "drop_block":
        return
    for index, message in enumerate(body["messages"]):
        for position, block in enumerate(content_of(message)):
            if block["type"] == "thinking" and block.get("signature") != signature(body, index):
                yield (
                    f"messages.{index}.content.{position}: Invalid `signature` in `thinking` block."
                    " The block is bound to a different conversation. Remove the block, or set"
                    ' `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".'
                )


def _blocks(body: Json) -> Iterator[tuple[str, Json]]:
    for index, message in enumerate(body["messages"]):
        for position, block in enumerate(content_of(message)):
            yield f"messages.{index}.content.{position}", block


RULES: tuple[Rule, ...] = (
    _required,
    _unknown_fields,
    _turns,
    _texts,
    _tool_results,
    _tool_ids,
    _tools,
    _tool_choice,
    _thinking_setting,
    _breakpoints,
    _server_tools,
    _bound_thinking,
)
