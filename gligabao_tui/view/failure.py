"""Why a run failed or was stopped: what the error dialog says, and what it copies."""

from engine.api import Run
from gligabao_tui.view import formatting
from gligabao_tui.view.details import Details
from gligabao_tui.view.text import Line, Span, flat, line, paragraph
from gligabao_tui.view.words import STATUS_WORDS, state_word


def failure_title(run: Run) -> str:
    return f"#{run.id} {STATUS_WORDS[run.status]}"


def failure_lines(details: Details, width: int) -> tuple[Line, ...]:
    """The error in full, then the state it happened in."""
    run = details.run
    error = run.error or "No error was recorded."
    return (
        *paragraph(flat(run.topic), width, "strong")[:2],
        (),
        *paragraph(error, width, "bad"),
        (),
        *_state_lines(details, width),
    )


def failure_text(details: Details) -> str:
    """The same as plain text, for the clipboard."""
    rows = failure_lines(details, 1000)
    title = failure_title(details.run)
    return "\n".join([title, *("".join(span.text for span in row) for row in rows)])


def _state_lines(details: Details, width: int) -> tuple[Line, ...]:
    moment = details.failed_in
    run = details.run
    figures = f"step {run.steps} of {run.max_steps}, {formatting.money(run.cost_usd)} so far"
    if moment is None:
        return (line(Span(figures, "muted")),)
    state = moment.state
    took = formatting.seconds_between(
        state.started_at, state.finished_at or run.finished_at, _NEVER
    )
    ran = f"began {formatting.time_of_day(state.started_at)} UTC, ran {formatting.duration(took)}"
    return (
        line(
            Span("in state ", "muted"),
            Span(f"{state.seq} {state_word(state.state)}", "strong"),
        ),
        *(paragraph(state.detail, width) if state.detail else ()),
        line(Span(f"{ran}, {figures}", "muted")),
    )


_NEVER = formatting.EPOCH
