"""What a model is asked and what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from engine.domain.blocks import Block, Message, ToolUse, text_of, tool_uses_of
from engine.domain.usage import Usage

Purpose = Literal["agent", "web_search", "remember", "query"]

StopReason: TypeAlias = str
"""`end_turn`, `tool_use`, `max_tokens`, `pause_turn`, `refusal`, `stop_sequence`,
`model_context_window_exceeded`; unknown strings pass through."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool of ours, as a model is told about it."""

    name: str
    description: str
    schema: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ServerToolSpec:
    """A tool that the model's service runs itself, such as `web_search_20250305`."""

    type: str
    name: str
    settings: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """`auto`, `none`, or `tool` with the name of one."""

    kind: Literal["auto", "none", "tool"] = "auto"
    name: str = ""


AUTO = ToolChoice("auto")
NO_TOOLS = ToolChoice("none")


@dataclass(frozen=True, slots=True)
class Request:
    """Everything a model is asked once. Equal requests have equal bytes on the wire."""

    purpose: Purpose
    model: str
    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec | ServerToolSpec, ...] = ()
    tool_choice: ToolChoice = AUTO
    max_tokens: int = 8192
    output_schema: Mapping[str, object] | None = None
    cache: bool = True
    prompt_version: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete answer: its blocks are exactly as they were received."""

    content: tuple[Block, ...]
    stop_reason: StopReason
    usage: Usage
    model: str
    request_id: str = ""

    @property
    def text(self) -> str:
        return text_of(self.content)

    @property
    def tool_uses(self) -> tuple[ToolUse, ...]:
        return tool_uses_of(self.content)


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a reply as it streams: `text`, `thinking`, or `tool_input` (partial JSON)."""

    kind: Literal["text", "thinking", "tool_input"]
    text: str


@dataclass(frozen=True, slots=True)
class UsageSeen:
    """What an open attempt is known to have used so far, and the service's id of it."""

    usage: Usage
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one attempt (one HTTP request) ended. `usage.cost_usd` is set."""

    state: Literal["done", "failed", "lost"]
    model: str
    usage: Usage
    http_status: int | None = None
    request_id: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a tool read: one page or document, with its whole cleaned text."""

    url: str
    final_url: str
    media_type: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gives back: the text for the model, what it spent, what it read."""

    text: str
    is_error: bool = False
    usage: Usage = Usage()
    read: Reading | None = None
