"""Why a run failed or was stopped, and what to do: what the error dialog says and copies."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from engine.api import Run, State
from gligabao_tui.view import formatting
from gligabao_tui.view.details import Details
from gligabao_tui.view.glyphs import DRAWN, Glyphs
from gligabao_tui.view.text import Line, Span, Tone, fit, flat, line, pad, paragraph, plain, spread
from gligabao_tui.view.words import STATUS_WORDS, state_word

INTERRUPTED = "interrupted"
STOPPED_BY = "stopped by "
IN_THE_APP = "the admin UI"
MOST_BEFORE = 3
INDENT = "  "
COPIED_CELLS = 1000
_FILL = re.compile(r"(?<=\S) {3,}")
"""What only pushes a figure to the edge of a window."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A run that failed or was stopped, and what its error asks for (`advice`, or nothing)."""

    details: Details
    advice: str = ""

    @property
    def run(self) -> Run:
        return self.details.run


def failure_title(details: Details) -> str:
    """`#3 failed in state 4, thinking`."""
    run, moment = details.run, details.failed_in
    verb = "failed" if run.status == "failed" else f"was {STATUS_WORDS[run.status]}"
    where = f" in state {moment.state.seq}, {state_word(moment.state.state)}" if moment else ""
    return f"#{run.id} {verb}{where}"


def failure_lines(
    failure: Failure, width: int, *, now: datetime = formatting.EPOCH, glyphs: Glyphs = DRAWN
) -> tuple[Line, ...]:
    """The error in full, what it means, what to do, where it happened and what came before."""
    run = failure.run
    return (
        *paragraph(flat(run.topic), width, "strong")[:2],
        (),
        *paragraph(_error(run), width, "bad"),
        *_part("What to do", paragraph(_to_do(failure), width)),
        *_part("Where", _where(failure.details, width, now)),
        *_part("Before it", tuple(_before(failure.details, width, glyphs))),
    )


def failure_text(failure: Failure) -> str:
    """The same as plain text, for the clipboard."""
    rows = [plain(row) for row in failure_lines(failure, COPIED_CELLS)]
    told = (_FILL.sub("  ", row.rstrip()) for row in rows)
    return "\n".join([failure_title(failure.details), *told])


def _error(run: Run) -> str:
    """Its own words, and in ours what those do not say."""
    error = flat(run.error)
    if not error:
        return "No error was recorded."
    if error == INTERRUPTED:
        return (
            "interrupted: the program that this agent worked in ended before it. It was closed "
            "or killed, or the computer went off."
        )
    if error == STOPPED_BY + IN_THE_APP:
        return f"{error}: somebody stopped it in this app, or in another window of it."
    return error


def _to_do(failure: Failure) -> str:
    run = failure.run
    again = "Start again opens the form with the same topic and settings."
    if run.status == "stopped":
        return f"Nothing is broken. What it read is kept, without a report. {again}"
    if run.error == INTERRUPTED:
        return f"What it did until then is kept. Its work does not go on by itself. {again}"
    return f"{flat(failure.advice)} {again}".strip()


def _part(title: str, rows: tuple[Line, ...]) -> Iterator[Line]:
    if rows:
        yield ()
        yield line(Span(title, "accent"))
        yield from rows


def _where(details: Details, width: int, now: datetime) -> tuple[Line, ...]:
    run, moment = details.run, details.failed_in
    cost = f"cost so far {formatting.money(run.cost_usd)}"
    tokens = run.input_tokens + run.output_tokens
    spent = f"{cost}, {formatting.tokens(tokens)} tokens" if tokens else cost
    if moment is None:
        return (line(Span(f"before its first state, {spent}", "muted")),)
    state = moment.state
    ended = state.finished_at or run.finished_at
    took = formatting.duration(formatting.seconds_between(state.started_at, ended, now))
    place = (
        Span(f"state {state.seq} of {len(details.moments)} "),
        Span(state_word(state.state), "strong"),
        Span(f", {_step(state, run)}"),
    )
    began = f"began {formatting.time_of_day(state.started_at)} UTC, ran {took}, {spent}"
    return (place, *_detail(state, width), *paragraph(began, width, "muted"))


def _step(state: State, run: Run) -> str:
    """The step it was in, counted as the states count: the one that was not finished."""
    return f"step {state.step} of {run.max_steps}" if state.step else "before the first step"


def _detail(state: State, width: int) -> tuple[Line, ...]:
    """What it was about, unless that only says the step again."""
    detail = flat(state.detail)
    if not detail or detail.startswith("step "):
        return ()
    return paragraph(detail, width)[:2]


def _before(details: Details, width: int, glyphs: Glyphs) -> Iterator[Line]:
    """The last states before the one it ended in, the oldest first."""
    ended_in = details.failed_in
    if ended_in is None:
        return
    for moment in [m for m in details.moments if m.key < ended_in.key][-MOST_BEFORE:]:
        yield _state_line(moment.state, width, glyphs)


def _state_line(state: State, width: int, glyphs: Glyphs) -> Line:
    tone: Tone = "bad" if state.error else "muted"
    mark = glyphs.failed if state.error else glyphs.ended
    took = formatting.seconds_between(state.started_at, state.finished_at, formatting.EPOCH)
    time = Span(formatting.short_duration(took), "muted")
    about = flat(state.error or state.detail)
    head = f"{state.seq:>4}  {mark} {pad(state_word(state.state), 13)} "
    room = width - len(head) - len(time.text) - 2
    return spread(
        line(Span(head, tone), Span(fit(about, room, glyphs.ellipsis), tone)), line(time), width
    )
