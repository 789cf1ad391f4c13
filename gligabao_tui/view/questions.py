"""What the stop and quit dialogs say, so that nobody loses work unawares."""

from collections.abc import Sequence
from datetime import datetime

from engine.api import Run, State
from gligabao_tui.view import formatting
from gligabao_tui.view.glyphs import DRAWN, Glyphs
from gligabao_tui.view.text import (
    Line,
    Span,
    between,
    fit,
    flat,
    line,
    line_width,
    paragraph,
    spread,
)

MOST_NAMED = 6
WRAPPING = "It is wrapping up already: its next answer is the report."
WRAP_UP = "Wrap up: the next model call writes the report from what it has."
STOP_NOW = "Stop now: it ends at once, and there is no report. What it read is kept."


def stop_question(
    run: Run, width: int, now: datetime, *, sources: int | None = None
) -> tuple[Line, ...]:
    """What is at stake; `sources` is how many it has read, None while that is not known."""
    figures = [Span(told, "muted") for told in _figures(run, now)]
    if sources is not None:
        figures.append(Span(formatting.count_of(sources, "source read", "sources read"), "muted"))
    return (
        *paragraph(flat(run.topic), width, "strong")[:3],
        between(figures, Span("  ")),
        (),
        *(paragraph(WRAPPING, width, "warn") if run.wrap_up_at else paragraph(WRAP_UP, width)),
        *paragraph(STOP_NOW, width),
    )


def sources_read(states: Sequence[State]) -> int:
    """How many different sources were read without an error."""
    read = {state.detail for state in states if state.state == "reading" and not state.error}
    return len(read)


def stop_all_title(working: Sequence[Run]) -> str:
    count = len(working)
    return "Stop the one agent that works?" if count == 1 else f"Stop all {count} agents?"


def stop_all_question(
    working: Sequence[Run], width: int, now: datetime, *, glyphs: Glyphs = DRAWN
) -> tuple[Line, ...]:
    return (
        *_named(working, width, now, glyphs=glyphs),
        (),
        *paragraph("Wrap up: each writes its report from what it has.", width),
        *paragraph("Stop all: they end at once, without reports.", width),
    )


def leave_title(working: Sequence[Run]) -> str:
    count = len(working)
    return "1 agent is still working" if count == 1 else f"{count} agents are still working"


def leave_question(
    working: Sequence[Run], width: int, now: datetime, *, glyphs: Glyphs = DRAWN
) -> tuple[Line, ...]:
    told = (
        "They work inside this program: leaving stops them, and they write no report. "
        "To keep them working, leave this window open."
    )
    return (*_named(working, width, now, glyphs=glyphs), (), *paragraph(told, width))


def stopped_words(run: Run) -> str:
    """The note after a stop."""
    steps = formatting.count_of(run.steps, "step", "steps")
    spent = f"{steps}, {formatting.money(run.cost_usd)}"
    return f"#{run.id} is stopped, without a report ({spent}); what it read is kept"


def wrapping_words(run: Run) -> str:
    return f"#{run.id} writes its report with the next model call"


def all_ended_words(ended: Sequence[Run], *, wraps_up: bool) -> str:
    """The note after stopping all, or letting all wrap up."""
    names = ", ".join(f"#{run.id}" for run in ended)
    if not ended:
        return "No agent was working any more"
    if wraps_up:
        return f"{names}: the next model call writes the report"
    return f"Stopped, without a report: {names}"


def _named(
    working: Sequence[Run], width: int, now: datetime, *, glyphs: Glyphs
) -> tuple[Line, ...]:
    rows = [_row(run, width, now, glyphs=glyphs) for run in working[:MOST_NAMED]]
    more = len(working) - MOST_NAMED
    if more > 0:
        rows.append(line(Span(f"and {more} more", "muted")))
    return tuple(rows)


def _row(run: Run, width: int, now: datetime, *, glyphs: Glyphs) -> Line:
    figures = between([Span(told, "muted") for told in _figures(run, now)], Span("  "))
    name = f"#{run.id} "
    room = width - len(name) - line_width(figures) - 2
    topic = fit(flat(run.topic), room, glyphs.ellipsis)
    return spread(line(Span(name, "quiet"), Span(topic)), figures, width)


def _figures(run: Run, now: datetime) -> tuple[str, ...]:
    took = formatting.seconds_between(run.created_at, run.finished_at, now)
    step = f"step {run.steps}/{run.max_steps}"
    return (step, formatting.duration(took), formatting.money(run.cost_usd))
