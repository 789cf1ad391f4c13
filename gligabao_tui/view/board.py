"""All runs that the screen knows of, folded from what the engine tells and what was read.

Folding is idempotent: events that arrive again, or that a read has taken in, change nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.api import (
    Event,
    ReplyDelta,
    ReplyDiscarded,
    ReportReady,
    Resync,
    Run,
    RunCounts,
    RunEnded,
    RunId,
    RunStarted,
    StateEnded,
    StateEntered,
    UsageChanged,
    run_id_of,
)

NOTHING_COUNTED = RunCounts()
PASSED_OVER = (ReplyDelta, ReplyDiscarded, ReportReady, Resync, StateEnded)
"""Events that change no run: most of those that come, so that they must cost little."""


@dataclass(frozen=True, slots=True)
class Board:
    """`docked` are the runs that have a block in the dock, newest first."""

    runs: Mapping[RunId, Run] = field(default_factory=dict)
    docked: tuple[RunId, ...] = ()
    counts: RunCounts = NOTHING_COUNTED

    @property
    def working(self) -> tuple[Run, ...]:
        return tuple(run for run in self.runs.values() if run.status == "running")

    @property
    def dock(self) -> tuple[Run, ...]:
        return tuple(self.runs[run_id] for run_id in self.docked if run_id in self.runs)


def fold(board: Board, events: Sequence[Event]) -> Board:
    """The board after these events, in order.

    What runs cost is added to the counts at once, but for a run that is new to the board: it and
    the counts by status are read again instead (`counts_are_stale`), since a run may be told of
    that they have counted already. Runs that no event changed keep their identity.
    """
    told = [event for event in events if not isinstance(event, PASSED_OVER)]
    if not told:
        return board
    runs = dict(board.runs)
    for event in told:
        _apply(runs, event)
    more = sum(_spent(board, runs[run_id]) for run_id in {*map(run_id_of, told)} if run_id in runs)
    counts = _dearer(board.counts, more) if more else board.counts
    changed = replace(board, runs=runs, counts=counts)
    begun = _begun(board, told)
    return _docked(changed, {*board.docked, *begun}) if begun else changed


def taken_in(board: Board, runs: Iterable[Run]) -> Board:
    """The board with runs as they were read, unless the board knows of later news of them."""
    known = dict(board.runs)
    for run in runs:
        known[run.id] = _later(known.get(run.id), run)
    return _docked(replace(board, runs=known), set(board.docked))


def dismissed(board: Board, *run_ids: RunId) -> Board:
    """Without the blocks of these runs; one that works keeps its block."""
    ended = {run_id for run_id in run_ids if not _works(board.runs.get(run_id))}
    kept = tuple(run_id for run_id in board.docked if run_id not in ended)
    return replace(board, docked=kept)


def ended_in_dock(board: Board) -> tuple[RunId, ...]:
    return tuple(run.id for run in board.dock if run.status != "running")


def working_of(board: Board, user: str) -> tuple[Run, ...]:
    """The agents of this person that work, without those that another agent started."""
    return tuple(run for run in board.working if run.user_id == user and run.parent_id is None)


def newest_of(board: Board, user: str) -> Run | None:
    """The run that this person started last, of those that are known."""
    theirs = [run for run in board.runs.values() if run.user_id == user and run.parent_id is None]
    return max(theirs, key=lambda run: run.id, default=None)


def counts_are_stale(events: Iterable[Event]) -> bool:
    """Whether what happened changes the counts by status, or may have."""
    return any(isinstance(event, RunStarted | RunEnded | Resync) for event in events)


def _apply(runs: dict[RunId, Run], event: Event) -> None:
    """Changes the copy that `fold` made for itself."""
    match event:
        case RunStarted(run):
            runs[run.id] = _later(runs.get(run.id), run)
        case ReplyDelta() | ReplyDiscarded() | ReportReady() | Resync() | StateEnded():
            return
        case _ if event.run_id not in runs or not _works(runs[event.run_id]):
            return
        case StateEntered():
            runs[event.run_id] = replace(runs[event.run_id], state=event.state)
        case UsageChanged() | RunEnded():
            runs[event.run_id] = updated(runs[event.run_id], event)


def updated(run: Run, event: UsageChanged | RunEnded) -> Run:
    """The run with its new totals, or with its end."""
    if isinstance(event, UsageChanged):
        return replace(
            run,
            steps=event.steps,
            tool_calls=event.tool_calls,
            input_tokens=event.input_tokens,
            output_tokens=event.output_tokens,
            cost_usd=event.cost_usd,
        )
    return replace(
        run,
        status=event.status,
        state=event.status,
        error=event.error,
        finished_at=event.finished_at,
        stop_reason=event.stop_reason,
    )


def _begun(board: Board, events: Iterable[Event]) -> set[RunId]:
    """Runs that are new to the board: they get a block even if they have ended already."""
    started = {event.run.id for event in events if isinstance(event, RunStarted)}
    return started - set(board.runs)


def _docked(board: Board, docked: set[RunId]) -> Board:
    """With these blocks and one for every run that works, newest first."""
    wanted = tuple(sorted({*docked, *(run.id for run in board.working)}, reverse=True))
    return board if wanted == board.docked else replace(board, docked=wanted)


def _spent(board: Board, run: Run) -> float:
    """What the counts do not know of yet; a run that is new to the board is counted by a read."""
    known = board.runs.get(run.id)
    return max(0.0, run.cost_usd - known.cost_usd) if known else 0.0


def _dearer(counts: RunCounts, usd: float) -> RunCounts:
    return replace(
        counts, cost_usd=counts.cost_usd + usd, cost_today_usd=counts.cost_today_usd + usd
    )


def _later(known: Run | None, read: Run) -> Run:
    if known is None or (_works(known) and read.steps >= known.steps):
        return read
    return known if _works(read) else read


def _works(run: Run | None) -> bool:
    return run is not None and run.status == "running"
