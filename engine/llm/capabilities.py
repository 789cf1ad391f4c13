"""What each model accepts, as data: a new model is a line here and never a branch in code.

Sources: the model pages and migration guides of November 2026 (model API version 2026-10-21).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

Setting = Mapping[str, object]

ADAPTIVE: Setting = {"type": "adaptive", "display": "summarized"}
"""Summarised, because what these models say between tool calls is hidden otherwise."""
ADAPTIVE_SHOWN: Setting = {"type": "adaptive"}
"""For the models that show their thinking anyway."""
BETWEEN_TOOLS: Setting = {"type": "between_tools"}
DISABLED: Setting = {"type": "disabled"}

MILLION = 1_000_000
SMALL_CONTEXT = 200_000


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What may be sent to one model. The defaults are for models that nobody here knows."""

    forced_tool: bool = False
    """`tool_choice` may name a tool; elsewhere that is an error or ignored."""
    thinking: Setting | None = None
    """What to send so that it thinks; None: nothing."""
    no_thinking: Setting | None = None
    """What to send so that it thinks as little as it can; None: nothing."""
    web_search: bool = False
    """The server tool `web_search_20250305`."""
    context_tokens: int = SMALL_CONTEXT


UNKNOWN = Capabilities()

ALWAYS_THINKING = Capabilities(
    thinking=ADAPTIVE, no_thinking=ADAPTIVE, web_search=True, context_tokens=MILLION
)
SWITCHED_OFF = Capabilities(
    forced_tool=True,
    thinking=ADAPTIVE,
    no_thinking=DISABLED,
    web_search=True,
    context_tokens=MILLION,
)
ASKED_TO_THINK = Capabilities(
    forced_tool=True, thinking=ADAPTIVE, web_search=True, context_tokens=MILLION
)
ASKED_AND_SHOWN = replace(ASKED_TO_THINK, thinking=ADAPTIVE_SHOWN)
WITHOUT_ADAPTIVE = Capabilities(forced_tool=True, web_search=True)

KNOWN: Mapping[str, Capabilities] = {
    "claude-fable-5-2": ALWAYS_THINKING,
    "claude-mythos-5-2": ALWAYS_THINKING,
    "claude-fable-5-1": ALWAYS_THINKING,
    "claude-mythos-5-1": ALWAYS_THINKING,
    "claude-fable-5": ALWAYS_THINKING,
    "claude-mythos-5": ALWAYS_THINKING,
    "claude-opus-5-5": ALWAYS_THINKING,
    "claude-sonnet-5-5": Capabilities(
        thinking=ADAPTIVE, no_thinking=BETWEEN_TOOLS, web_search=True, context_tokens=MILLION
    ),
    "claude-haiku-5-5": Capabilities(
        thinking=ADAPTIVE, no_thinking=DISABLED, web_search=True, context_tokens=MILLION
    ),
    "claude-opus-5": SWITCHED_OFF,
    "claude-sonnet-5": SWITCHED_OFF,
    "claude-opus-4-8": ASKED_TO_THINK,
    "claude-opus-4-7": ASKED_TO_THINK,
    "claude-opus-4-6": ASKED_AND_SHOWN,
    "claude-sonnet-4-6": ASKED_AND_SHOWN,
    "claude-opus-4-5": WITHOUT_ADAPTIVE,
    "claude-sonnet-4-5": WITHOUT_ADAPTIVE,
    "claude-haiku-4-5": WITHOUT_ADAPTIVE,
}

_DATE = re.compile(r"-\d{8}$")
_GATEWAY_PREFIX = "anthropic/"


def capabilities_of(model: str) -> Capabilities:
    """By the model's id, with or without its date and a gateway's prefix."""
    plain = _DATE.sub("", model.removeprefix(_GATEWAY_PREFIX))
    return KNOWN.get(plain, UNKNOWN)
