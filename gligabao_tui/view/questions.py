"""What the stop and quit dialogs say, so that nobody loses work unawares."""

from collections.abc import Sequence
from datetime import datetime

from engine.api import Run
from gligabao_tui.view import formatting
from gligabao_tui.view.text import Line, Span, between, fit, flat, line, paragraph

MOST_NAMED = 4


def stop_question(run: Run, width: int, now: datetime) -> tuple[Line, ...]:
    took = formatting.seconds_between(run.created_at, run.finished_at, now)
    figures = [
        Span(f"step {run.steps} of {run.max_steps}", "muted"),
        Span(formatting.duration(took), "muted"),
        Span(formatting.money(run.cost_usd), "muted"),
    ]
    return (
        *paragraph(flat(run.topic), width, "strong")[:3],
        between(figures, Span("  ")),
        (),
        *paragraph("Wrap up: the next model call writes the report from what it has.", width),
        *paragraph("Stop now: it ends at once, and there is no report.", width),
    )


def leave_title(working: Sequence[Run]) -> str:
    count = len(working)
    return "1 agent is still working" if count == 1 else f"{count} agents are still working"


def leave_question(working: Sequence[Run], width: int) -> tuple[Line, ...]:
    named = [
        line(Span(f"#{run.id} ", "quiet"), Span(fit(flat(run.topic), width - 6)))
        for run in working[:MOST_NAMED]
    ]
    more = len(working) - MOST_NAMED
    if more > 0:
        named.append(line(Span(f"and {more} more", "muted")))
    told = "They work inside this program: leaving stops them, and they write no report."
    return (*named, (), *paragraph(told, width))
