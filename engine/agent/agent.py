"""An agent made ready: a model, a prompt, tools and limits. The value is only read by its runs."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from engine.agent.observer import Observer, SilentObserver
from engine.agent.tool import Tool
from engine.domain.exchange import Outcome, Request, ToolSpec
from engine.domain.run import DEFAULT_MAX_STEPS, RunId
from engine.llm.model import Answering, Attempts

DEFAULT_MAX_TOKENS = 8192
NO_RUN = RunId(0)


@dataclass(frozen=True, slots=True)
class LastCall:
    """Why the next model call may use no tool: for the state row, and for the model."""

    why: str
    tell: str = ""


class Steering(Protocol):
    """Asked before each model call whether it must be the last."""

    async def last_call(self) -> LastCall | None: ...


class FreeSteering:
    """Nothing but the number of steps ends the work."""

    async def last_call(self) -> LastCall | None:
        return None


class UnbookedAttempts:
    """For an agent outside a run: attempts are written nowhere."""

    async def start(self, request: Request, attempt: int) -> None: ...

    def end(self, outcome: Outcome) -> None: ...

    async def wait(self, until: datetime, why: str) -> None: ...

    def discard(self) -> None: ...


@dataclass(frozen=True, slots=True)
class RunContext:
    """What one run of an agent brings: who it is for, who books and watches, who steers."""

    run_id: RunId = NO_RUN
    user: str = ""
    attempts: Attempts = field(default_factory=UnbookedAttempts)
    observer: Observer = field(default_factory=SilentObserver)
    steering: Steering = field(default_factory=FreeSteering)


@dataclass(frozen=True, slots=True)
class Agent:
    """Change one with `dataclasses.replace`; two runs of the same value share nothing.

    `model_name` is what requests ask for; empty lets the model choose its own.
    """

    model: Answering
    model_name: str
    system: str
    tools: tuple[Tool[Any], ...] = ()
    max_tokens: int = DEFAULT_MAX_TOKENS
    max_steps: int = DEFAULT_MAX_STEPS
    prompt_version: str = ""

    def tool_specs(self) -> tuple[ToolSpec, ...]:
        return specs(self.tools)


@dataclass(frozen=True, slots=True)
class Result:
    """What a run of an agent gave. Tokens and USD are those of the loop and of its tools."""

    answer: str
    steps: int
    tool_calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float


def specs(tools: Sequence[Tool[Any]]) -> tuple[ToolSpec, ...]:
    """The tools as a model is told about them, in order."""
    return tuple(
        ToolSpec(tool.name, tool.description, tool.input_model.model_json_schema())
        for tool in tools
    )
