"""Content blocks as the Messages API has them: kept verbatim, read through these few functions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Block: TypeAlias = Mapping[str, object]
"""One content block, verbatim: `{"type": "text", "text": ...}` and the like."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One tool call that a model asked for."""

    id: str
    name: str
    input: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation: role `user` or `assistant`, and its blocks."""

    role: str
    content: tuple[Block, ...]


def text_block(text: str) -> Block:
    return {"type": "text", "text": text}


def user_message(text: str) -> Message:
    return Message("user", (text_block(text),))


def tool_result_block(tool_use_id: str, text: str, *, is_error: bool = False) -> Block:
    """The answer to one tool call, as it goes back in the next user turn."""
    block: dict[str, object] = {
        "type": "tool_result",
        "tool_use_id": tool_use_id,
        "content": [text_block(text)],
    }
    if is_error:
        block["is_error"] = True
    return block


def text_of(blocks: Sequence[Block]) -> str:
    """The text blocks joined without separators, trimmed."""
    return "".join(str(block["text"]) for block in blocks if block.get("type") == "text").strip()


def tool_uses_of(blocks: Sequence[Block]) -> tuple[ToolUse, ...]:
    return tuple(_tool_use(block) for block in blocks if block.get("type") == "tool_use")


def _tool_use(block: Block) -> ToolUse:
    given = block.get("input")
    arguments: Mapping[str, object] = given if isinstance(given, Mapping) else {}
    return ToolUse(id=str(block["id"]), name=str(block["name"]), input=arguments)
