"""What a tool is: a name, a typed input, the state it puts the run in, and what it does."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

from engine.domain.exchange import ToolResult
from engine.domain.run import RunId
from engine.llm.model import Attempts

Input = TypeVar("Input", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Where a call happens: the `ord`-th call of a step, from 1. `attempts` books the model calls
    that a tool makes itself."""

    run_id: RunId
    user: str
    step: int
    ord: int
    attempts: Attempts


@dataclass(frozen=True, slots=True)
class StateDetail:
    """The state a run is in while a tool works, and the detail shown with it."""

    state: str
    detail: str


@dataclass(frozen=True, slots=True)
class Tool(Generic[Input]):
    """A tool as the loop knows it. Equal tools are described to the model with equal bytes."""

    name: str
    description: str
    input_model: type[Input]
    state: Callable[[Input], StateDetail]
    run: Callable[[ToolContext, Input], Awaitable[ToolResult]]
    """Raises ToolError when it cannot do what was asked; the model sees the text."""
