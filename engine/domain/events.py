"""What the hub announces: a closed union of frozen values.

Stored events carry the id `<run>:<state seq>`; deltas carry none and may be lost.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.domain.run import Run, RunId, Status


@dataclass(frozen=True, slots=True)
class RunStarted:
    run: Run


@dataclass(frozen=True, slots=True)
class StateEntered:
    run_id: RunId
    seq: int
    state: str
    step: int
    detail: str
    started_at: str


@dataclass(frozen=True, slots=True)
class StateEnded:
    run_id: RunId
    seq: int
    error: str
    finished_at: str


@dataclass(frozen=True, slots=True)
class UsageChanged:
    """The running totals of a run, not the increase."""

    run_id: RunId
    seq: int
    steps: int
    tool_calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float


@dataclass(frozen=True, slots=True)
class ReplyDelta:
    run_id: RunId
    kind: Literal["text", "thinking", "tool_input"]
    text: str


@dataclass(frozen=True, slots=True)
class ReplyDiscarded:
    """An attempt was given up: what has streamed since the last state is void."""

    run_id: RunId


@dataclass(frozen=True, slots=True)
class ReportReady:
    run_id: RunId
    seq: int


@dataclass(frozen=True, slots=True)
class RunEnded:
    run_id: RunId
    seq: int
    status: Status
    error: str
    finished_at: str
    stop_reason: str = ""
    """What ended it early though it completed; empty when nothing did."""


@dataclass(frozen=True, slots=True)
class Resync:
    """Events of this run were lost to this reader: read it from the store. None: of any run."""

    run_id: RunId | None


Event: TypeAlias = (
    RunStarted
    | StateEntered
    | StateEnded
    | UsageChanged
    | ReplyDelta
    | ReplyDiscarded
    | ReportReady
    | RunEnded
    | Resync
)


def run_id_of(event: Event) -> RunId | None:
    """The run an event is about; None for a Resync of everything."""
    return event.run.id if isinstance(event, RunStarted) else event.run_id


def event_id(event: Event) -> str:
    """`<run>:<state seq>` for stored events, empty for deltas and resyncs."""
    match event:
        case RunStarted(run):
            return f"{run.id}:1"
        case ReplyDelta() | ReplyDiscarded() | Resync():
            return ""
        case _:
            return f"{event.run_id}:{event.seq}"
