"""The rows of the States tab: a head for every state, and below it what there is to read of it."""

from dataclasses import dataclass
from datetime import datetime

from gligabao_tui.view import formatting
from gligabao_tui.view.details import Details, Moment, Said
from gligabao_tui.view.early_end import cut_words, is_capped, mark_of, tone_of, word_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import (
    Line,
    Span,
    Tone,
    between,
    fit,
    flat,
    line,
    pad,
    pad_left,
    paragraph,
    spread,
    width_of,
    wrap,
)
from gligabao_tui.view.words import STATUS_WORDS, state_word

STATE_CELLS = 14
TIME_CELLS = 8
INDENT = 11
ABOUT_FROM = INDENT + STATE_CELLS - 2
PEEK_ROWS = 8
TOPIC_ROWS = 2
STEPPING = ("thinking", "writing_report")
"""States whose detail only says which step it is."""


@dataclass(frozen=True, slots=True)
class Frame:
    """How a row is drawn. `is_open` None: nobody opened or closed it by hand."""

    width: int
    now: datetime
    glyphs: Glyphs
    is_open: bool | None = None
    topic: str = ""
    """Of the run: its first state tells it in full."""

    @property
    def about_cells(self) -> int:
        """The room that a head has for what its state is about."""
        return self.width - ABOUT_FROM - TIME_CELLS


def state_lines(moment: Moment, frame: Frame) -> tuple[Line, ...]:
    """The head of a state and, where it is open, its body. Live speech shows its end by itself."""
    if frame.is_open is None and moment.is_live:
        return (_head(moment, frame), *_said(moment.said, frame)[-PEEK_ROWS:])
    if frame.is_open:
        return (_head(moment, frame), *_body(moment, frame))
    return (_head(moment, frame),)


def details_head(
    details: Details, width: int, *, now: datetime, glyphs: Glyphs
) -> tuple[Line, ...]:
    """Topic and status of a run, and a line of its figures."""
    run = details.run
    status = Span(f"{mark_of(run, glyphs)} {word_of(run)}", tone_of(run))
    number = Span(f"#{run.id} ", "quiet")
    room = max(10, width - width_of(number.text) - width_of(status.text) - 2)
    first, *more = _topic_rows(flat(run.topic), room)
    indent = " " * width_of(number.text)
    return (
        spread(line(number, Span(first, "title")), line(status), width),
        *(line(indent, Span(row, "title")) for row in more),
        _figures(details, now),
    )


def _topic_rows(topic: str, cells: int) -> list[str]:
    """At most two rows; its first state tells a longer topic in full."""
    rows = wrap(topic, cells)
    return rows if len(rows) <= TOPIC_ROWS else [rows[0], fit(" ".join(rows[1:]), cells)]


def _figures(details: Details, now: datetime) -> Line:
    run = details.run
    took = formatting.seconds_between(run.created_at, run.finished_at, now)
    since = formatting.ago(formatting.seconds_between(run.created_at, None, now))
    tokens = run.input_tokens + run.output_tokens
    parts = [
        f"step {run.steps} of {run.max_steps}",
        formatting.duration(took),
        formatting.money(run.cost_usd),
        f"{formatting.tokens(tokens)} tokens" if tokens else "",
        flat(run.model),
        f"started {since}",
        formatting.count_of(details.children, "child", "children") if details.children else "",
    ]
    is_wrapping = run.wrap_up_at is not None and run.status == "running"
    tone: Tone = "warn" if is_wrapping or is_capped(run) else "muted"
    first = Span("wrapping up" if is_wrapping else cut_words(run), tone)
    return between([first, *(Span(part, "muted") for part in parts)], Span("  "))


def _head(moment: Moment, frame: Frame) -> Line:
    state = moment.state
    tone = _tone(moment)
    caret = frame.glyphs.opened if frame.is_open else frame.glyphs.closed
    left = line(
        Span(f"{caret} ", "quiet"),
        Span(pad_left(str(state.seq), max(3, len(str(state.seq)))) + "  ", "quiet"),
        Span(f"{_glyph(moment, frame.glyphs)} ", tone or "good"),
        Span(pad(state_word(state.state), STATE_CELLS), tone),
        *_about(moment, frame.about_cells),
    )
    return spread(
        left, line(Span(pad_left(_took(moment, frame.now), TIME_CELLS), "muted")), frame.width
    )


def _about(moment: Moment, cells: int) -> Line:
    """What the state is about; if it failed the error too, which has the first right to room."""
    state = moment.state
    error = flat(state.error)
    detail = flat(state.detail) or ("" if error else flat(moment.said.text))
    if error:
        gap = "  " if detail else ""
        room = max(cells - width_of(error) - 3, cells // 3)
        return line(Span(fit(detail, room), "bad"), Span(gap + error, "bad"))
    said = flat(moment.said.text) if state.detail and not moment.is_live else ""
    tone: Tone = "muted" if state.state in STEPPING else ""
    return line(Span(detail, tone), Span(f"  {fit(said, 200)}" if said else "", "quote"))


def _tone(moment: Moment) -> Tone:
    if moment.state.error or moment.state.state in ("failed", "stopped"):
        return "bad"
    return "accent" if moment.is_live else ""


def _glyph(moment: Moment, glyphs: Glyphs) -> str:
    state = moment.state
    if state.state == "stopped":
        return glyphs.stopped
    if state.error or state.state == "failed":
        return glyphs.failed
    return glyphs.working if moment.is_live else glyphs.ended


def _took(moment: Moment, now: datetime) -> str:
    state = moment.state
    if state.state in STATUS_WORDS:
        return ""
    seconds = formatting.seconds_between(state.started_at, state.finished_at, now)
    return formatting.duration(seconds) if moment.is_live else formatting.short_duration(seconds)


def _body(moment: Moment, frame: Frame) -> tuple[Line, ...]:
    state = moment.state
    cells = frame.width - INDENT - 1
    when = f"began {formatting.time_of_day(state.started_at)} UTC"
    if state.step:
        when += f", step {state.step}"
    is_cut = bool(state.error) or width_of(flat(state.detail)) > frame.about_cells
    rows = (
        *(paragraph(frame.topic, cells) if state.state == "starting" else ()),
        *(paragraph(state.detail, cells) if state.detail and is_cut else ()),
        *(paragraph(state.error, cells, "bad") if state.error else ()),
        line(Span(when, "quiet")),
    )
    return (*_indented(rows), *_said(moment.said, frame))


def _said(said: Said, frame: Frame) -> tuple[Line, ...]:
    cells = frame.width - INDENT - 1
    rows: list[Line] = []
    if said.thinking:
        rows.extend(paragraph(said.thinking.strip(), cells, "quiet"))
    if said.text:
        rows.extend(paragraph(said.text.strip(), cells, "quote"))
    if said.tool_input:
        rows.extend(paragraph(said.tool_input.strip(), cells, "muted"))
    return _indented(tuple(rows))


def _indented(rows: tuple[Line, ...]) -> tuple[Line, ...]:
    return tuple((Span(" " * INDENT), *row) for row in rows)
