"""The rows of the runs list: one line a run, columns that go from the right where it is narrow."""

from dataclasses import dataclass
from datetime import datetime

from engine.api import Run
from gligabao_tui.view import formatting
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.listing import FILTERS, Listing
from gligabao_tui.view.text import Line, Span, Tone, fit, flat, line, pad, pad_left, spread
from gligabao_tui.view.words import STATUS_TONES, STATUS_WORDS

STATUS_CELLS = 11
STOP_CELLS = 7


@dataclass(frozen=True, slots=True)
class Column:
    """A right-aligned column; it is shown in lists of at least `from_width` cells."""

    title: str
    cells: int
    from_width: int


NUMBER = Column("", 5, 96)
STEPS = Column("steps", 6, 66)
TIME = Column("time", 8, 48)
COST = Column("cost", 8, 74)
AGE = Column("age", 5, 40)
COLUMNS = (STEPS, TIME, COST, AGE)


def run_row(run: Run, width: int, *, now: datetime, glyphs: Glyphs) -> Line:
    """One run on one line of exactly `width` cells."""
    cells = {
        STEPS: f"{run.steps}/{run.max_steps}",
        TIME: formatting.duration(formatting.seconds_between(run.created_at, run.finished_at, now)),
        COST: formatting.money(run.cost_usd),
        AGE: formatting.age(formatting.seconds_between(run.created_at, None, now)),
    }
    shown = _columns(width)
    figures = tuple(Span(pad_left(cells[column], column.cells), "muted") for column in shown)
    topic = fit(flat(run.topic), _topic_cells(width))
    left = (_status(run, glyphs), *_number(run, width), Span(topic, _topic_tone(run)))
    return spread(left, (*figures, *_stop(run, width)), width)


def header_row(width: int) -> Line:
    shown = _columns(width)
    figures = tuple(Span(pad_left(column.title, column.cells), "quiet") for column in shown)
    number = " " * NUMBER.cells if width >= NUMBER.from_width else ""
    left = line(Span(pad(" status", STATUS_CELLS) + number + "topic", "quiet"))
    return spread(left, (*figures, Span(" " * _stop_cells(width))), width)


def filter_tabs(listing: Listing, glyphs: Glyphs) -> Line:
    """`all  working  done  failed  stopped`, the chosen one marked; each is a target of its own."""
    spans: list[Span] = []
    for status in FILTERS:
        word = "all" if status is None else STATUS_WORDS[status]
        chosen = listing.which.status == status
        label = f"[{word}]" if chosen and glyphs.cursor == ">" else f" {word} "
        spans.append(Span(label, "pill-on" if chosen else "muted", f"filter:{status or ''}"))
        spans.append(Span(" "))
    return tuple(spans)


def _columns(width: int) -> tuple[Column, ...]:
    return tuple(column for column in COLUMNS if width >= column.from_width)


def _topic_cells(width: int) -> int:
    number = NUMBER.cells if width >= NUMBER.from_width else 0
    figures = sum(column.cells for column in _columns(width))
    return max(8, width - STATUS_CELLS - number - figures - _stop_cells(width) - 1)


def _stop_cells(width: int) -> int:
    return STOP_CELLS if width >= TIME.from_width else 0


def _status(run: Run, glyphs: Glyphs) -> Span:
    label = f" {glyphs.of(run.status)} {STATUS_WORDS[run.status]}"
    if run.status == "failed":
        return Span(pad(label + " ", STATUS_CELLS - 1), "pill-bad", "error")
    return Span(pad(label, STATUS_CELLS - 1), STATUS_TONES[run.status])


def _number(run: Run, width: int) -> Line:
    gap = Span(" ")
    if width < NUMBER.from_width:
        return (gap,)
    return (gap, Span(pad(f"#{run.id}", NUMBER.cells), "quiet"))


def _topic_tone(run: Run) -> Tone:
    return "strong" if run.status == "running" else ""


def _stop(run: Run, width: int) -> Line:
    if not _stop_cells(width):
        return ()
    if run.status != "running":
        return (Span(" " * STOP_CELLS),)
    return (Span(" "), Span(" stop ", "pill", "stop"))
