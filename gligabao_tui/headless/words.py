"""What commands tell a person: aligned plain lines, cut to the terminal they are shown on."""

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from engine.api import (
    Check,
    Event,
    Run,
    RunDetails,
    RunEnded,
    State,
    StateEnded,
    StateEntered,
)
from gligabao_tui.view.formatting import (
    ago,
    count_of,
    duration,
    money,
    seconds_between,
    time_of_day,
)
from gligabao_tui.view.text import fit, flat, pad, pad_left, width_of

GAP = "  "
NARROWEST_LAST_COLUMN = 16
_NUMBERS_OF_KNOWLEDGE = ("text", "texts", "entities", "facts", "waiting", "failed")
_RIGHT = ("id", "time", "cost", "steps", *_NUMBERS_OF_KNOWLEDGE)


def room() -> int | None:
    """The terminal's width in cells; None where stdout is no terminal and nothing is cut."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def own_clock(moment: datetime) -> datetime:
    """The same moment as this machine's clock shows it, then: a zone may change its clock."""
    return moment.astimezone()


def runs_table(runs: Sequence[Run], now: datetime, *, cells: int | None) -> Iterator[str]:
    """A header and a line a run, as many columns as fit: the topic is always among them."""
    head = ("id", "status", "started", "time", "steps", "cost", "topic")
    rows = [_run_row(run, now) for run in runs]
    return table(head, rows, cells=cells)


def run_words(details: RunDetails, now: datetime, *, cells: int | None) -> Iterator[str]:
    """A run with its states, and its report or error."""
    run = details.run
    yield f"run {run.id}: {flat(run.topic)}"
    yield f"{_status(run)}, started {_started(run, now)}, {_spent(run, now)}"
    agent = f"{run.agent_name} {run.agent_version}".strip()
    yield GAP.join(part for part in (f"user {run.user_id}", run.model, agent) if part)
    yield ""
    yield from states_table(details.states, now, cells=cells)
    if run.error:
        yield from ("", f"error: {flat(run.error)}")
    if run.report:
        yield from ("", run.report)


def states_table(states: Sequence[State], now: datetime, *, cells: int | None) -> Iterator[str]:
    head = ("at", "time", "state", "detail")
    return table(head, [_state_row(state, now) for state in states], cells=cells)


def event_words(event: Event) -> str:
    """One line for what a person wants to know as it happens; empty for everything else."""
    match event:
        case StateEntered(state=state, detail=detail, started_at=at):
            return f"{time_of_day(at)}  {state:<14}  {flat(detail)}".rstrip()
        case StateEnded(error=error, finished_at=at) if error:
            return f"{time_of_day(at)}  {'':<14}  error: {flat(error)}"
        case _:
            return ""


def end_words(run: Run, event: RunEnded, now: datetime) -> str:
    """`run 7 completed: 0:12, 5 steps, $0.13`."""
    why = f" ({flat(event.error)})" if event.error else ""
    return f"run {run.id} {event.status}{why}: {_spent(run, now)}"


def checks_table(checks: Iterable[Check]) -> Iterator[str]:
    """Nothing is cut: what is to be done stands at the end of the line."""
    rows = [(check.status, check.name, check.text) for check in checks]
    return table(("status", "check", "found"), rows, cells=None)


def table(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, cells: int | None
) -> Iterator[str]:
    """Columns as wide as what is in them, the last one cut to fit.

    Where even that does not fit, columns before the last are left out, from the right.
    """
    lines = [head, *([flat(cell) for cell in row] for row in rows)]
    widths = [max(width_of(line[place]) for line in lines) for place in range(len(head) - 1)]
    shown = _shown(widths, cells)
    for line in lines:
        fixed = [_aligned(head[place], line[place], widths[place]) for place in shown]
        before = "".join(cell + GAP for cell in fixed)
        last = line[-1] if cells is None else fit(line[-1], cells - width_of(before))
        yield (before + last).rstrip()


def _shown(widths: Sequence[int], cells: int | None) -> Sequence[int]:
    """The places of the columns before the last that leave it room enough."""
    shown = list(range(len(widths)))
    if cells is None:
        return shown
    while (
        shown and sum(widths[place] + len(GAP) for place in shown) > cells - NARROWEST_LAST_COLUMN
    ):
        shown.pop()
    return shown


def _aligned(column: str, cell: str, width: int) -> str:
    return pad_left(cell, width) if column in _RIGHT else pad(cell, width)


def _run_row(run: Run, now: datetime) -> Sequence[str]:
    time = duration(seconds_between(run.created_at, run.finished_at, now))
    steps = f"{run.steps}/{run.max_steps}"
    started, cost = _started(run, now), money(run.cost_usd)
    return (str(run.id), _status(run), started, time, steps, cost, run.topic)


def _state_row(state: State, now: datetime) -> Sequence[str]:
    time = duration(seconds_between(state.started_at, state.finished_at, now))
    error = f"error: {state.error}" if state.error else ""
    detail = "; ".join(part for part in (state.detail, error) if part)
    return (time_of_day(state.started_at), time, state.state, detail)


def _status(run: Run) -> str:
    return run.status if run.status == run.state else f"{run.status}: {run.state}"


def _started(run: Run, now: datetime) -> str:
    return ago(seconds_between(run.created_at, None, now))


def _spent(run: Run, now: datetime) -> str:
    time = duration(seconds_between(run.created_at, run.finished_at, now))
    return f"{time}, {count_of(run.steps, 'step', 'steps')}, {money(run.cost_usd)}"
