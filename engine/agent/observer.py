"""Who is told what a loop does, one thing at a time, before and after each call (seed 000)."""

from dataclasses import dataclass
from typing import Protocol

from engine.agent.tool import StateDetail
from engine.domain.blocks import Block, ToolUse
from engine.domain.exchange import Delta, Reply, ToolResult


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A model call of the loop. `why_last` is empty unless no tool may follow."""

    step: int
    max_steps: int
    why_last: str = ""
    told: tuple[Block, ...] = ()
    """What the loop itself adds to the conversation before this call."""

    @property
    def state(self) -> StateDetail:
        place = f"step {self.step} of {self.max_steps}"
        if self.why_last:
            return StateDetail("writing_report", f"{place}, the last: {self.why_last}")
        return StateDetail("thinking", place)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call of the loop; `ord` counts from 1 within its step."""

    step: int
    ord: int
    use: ToolUse
    state: StateDetail


class Observer(Protocol):
    """Called on the agent's own task. What it raises ends the run."""

    async def before_model(self, call: ModelCall, /) -> None: ...

    async def after_model(self, call: ModelCall, reply: Reply, /) -> None: ...

    async def before_tool(self, call: ToolCall, /) -> None: ...

    async def after_tool(self, call: ToolCall, result: ToolResult, /) -> None: ...

    def streamed(self, delta: Delta, /) -> None: ...


class SilentObserver:
    """For a loop that nobody watches."""

    async def before_model(self, call: ModelCall, /) -> None: ...

    async def after_model(self, call: ModelCall, reply: Reply, /) -> None: ...

    async def before_tool(self, call: ToolCall, /) -> None: ...

    async def after_tool(self, call: ToolCall, result: ToolResult, /) -> None: ...

    def streamed(self, delta: Delta, /) -> None: ...
