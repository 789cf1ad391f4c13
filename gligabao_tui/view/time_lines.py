"""The temporal plot as lines: a density strip, a row a subject or a fact, and the axis. Pure.

Kinds of events differ in their shapes, in ASCII in their letters; colour only repeats that. A date
that is not a day is drawn as the time in which it lies.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from engine.api import EVENT_KINDS, EventKind
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import (
    EMPTY,
    Line,
    Span,
    Tone,
    crop,
    fit,
    line_width,
    pad,
    width_of,
)
from gligabao_tui.view.time_axis import Window, ticks
from gligabao_tui.view.time_places import UNDATED_CELLS, Placed, Row, has_cursor
from gligabao_tui.view.timeline import Bar, Certainty, Look, Mark, Timeline

KIND_TONES: dict[EventKind, Tone] = {
    "created": "good",
    "confirmed": "accent",
    "ended": "strong",
    "invalidated": "bad",
    "superseded": "warn",
}
CERTAINTIES: tuple[Certainty, ...] = ("known", "open", "unsure", "possible")
EVENT = "event:"
LANE = "lane:"
MOST_DIGIT = 9
_INDENT = 2


@dataclass(frozen=True, slots=True)
class _Cell:
    glyph: str = " "
    tone: Tone = ""
    target: str = ""


_BLANK = _Cell()


@dataclass(frozen=True, slots=True)
class _Plot:
    """`has_names`: rows say their dataset, since there are several."""

    look: Look
    places: Placed
    glyphs: Glyphs
    has_names: bool


def plot_lines(timeline: Timeline, look: Look, places: Placed, glyphs: Glyphs) -> tuple[Line, ...]:
    """The strip, the rows and the two rows of the axis."""
    plot = _Plot(look, places, glyphs, len(timeline.datasets) > 1)
    rows = [_row(row, plot) for row in places.rows]
    return (_density(timeline, places, glyphs), *rows, *_axis(plot))


def kind_glyph(kind: EventKind, glyphs: Glyphs, *, is_hollow: bool = False) -> str:
    return (glyphs.events_hollow if is_hollow else glyphs.events)[EVENT_KINDS.index(kind)]


def _density(timeline: Timeline, places: Placed, glyphs: Glyphs) -> Line:
    """How many events there are in each cell, of all rows, also of those out of view."""
    counts = [0] * places.window.cells
    for mark in timeline.marks:
        if mark.at is not None and 0 <= (cell := places.window.cell(mark.at)) < len(counts):
            counts[cell] += 1
    most, steps = max(counts, default=0), len(glyphs.density)
    strip = "".join(
        glyphs.density[-(-count * steps // most) - 1] if count else " " for count in counts
    )
    word = f"{sum(counts)} events" if sum(counts) != 1 else "1 event"
    head = Span(pad(f"  {word}", places.label_cells), "muted")
    undated = (Span("?".rjust(UNDATED_CELLS), "muted"),)
    return (head, Span(strip, "quiet"), *(undated if places.has_undated else ()))


def _row(row: Row, plot: _Plot) -> Line:
    places, glyphs = plot.places, plot.glyphs
    cells = [_BLANK] * places.window.cells
    _draw_bars(cells, row.bars, places.window, glyphs)
    _draw_spans(cells, row.marks, places.window, glyphs)
    by_cell: dict[int, list[Mark]] = {}
    for mark in row.marks:
        cell = len(cells) if mark.at is None else places.window.cell(mark.at)
        by_cell.setdefault(cell, []).append(mark)
    for at, marks in by_cell.items():
        if 0 <= at < len(cells):
            cells[at] = _mark_cell(marks, plot)
    column = _undated(by_cell.get(len(cells), ()), plot) if places.has_undated else EMPTY
    return (*_label(row, plot), *_spans(cells), *column)


def _label(row: Row, plot: _Plot) -> Line:
    cells, glyphs = plot.places.label_cells, plot.glyphs
    is_chosen = has_cursor(row, plot.look)
    mark = f"{glyphs.closed} " if is_chosen else "  "
    tone: Tone = "accent" if is_chosen else "muted" if row.depth else "strong"
    room = cells - width_of(mark) - 1 - _INDENT * row.depth
    has_name = plot.has_names and not row.depth
    dataset = f" {fit(row.dataset, room // 3)}" if has_name else ""
    words = fit(row.label, room - width_of(dataset), glyphs.ellipsis)
    target = f"{EVENT}{row.marks[0].key}" if row.marks else ""
    spans = (
        Span(mark + " " * (_INDENT * row.depth), "accent"),
        Span(words, tone, target),
        Span(dataset, "quiet", target),
    )
    return (*spans, Span(" " * (cells - line_width(spans))))


def _draw_bars(cells: list[_Cell], bars: Iterable[Bar], window: Window, glyphs: Glyphs) -> None:
    """What is known is drawn over what is not."""
    for bar in sorted(bars, key=lambda bar: -CERTAINTIES.index(bar.certainty)):
        first = 0 if bar.lo is None else window.cell(bar.lo)
        last = len(cells) if bar.hi is None else window.cell(bar.hi - 1) + 1
        tone: Tone = "muted" if bar.certainty == "known" else "quiet"
        glyph = glyphs.bars[CERTAINTIES.index(bar.certainty)]
        _fill(cells, first, last, _Cell(glyph, tone))
        if bar.certainty == "open" and last > max(0, first):
            cells[-1] = _Cell(glyphs.later, "quiet")


def _draw_spans(cells: list[_Cell], marks: Iterable[Mark], window: Window, glyphs: Glyphs) -> None:
    """The time in which each event lies, where it is more than a cell."""
    unsure = glyphs.bars[CERTAINTIES.index("unsure")]
    for mark in marks:
        if mark.lo is None or mark.hi is None:
            continue
        first, last = window.cell(mark.lo), window.cell(mark.hi - 1) + 1
        if last - first > 1:
            _fill(cells, first, last, _Cell(unsure, KIND_TONES[mark.kind]))


def _fill(cells: list[_Cell], first: int, last: int, cell: _Cell) -> None:
    for at in range(max(0, first), min(last, len(cells))):
        cells[at] = cell


def _mark_cell(marks: Sequence[Mark], plot: _Plot) -> _Cell:
    """Its shape; where several kinds meet, how many events they are."""
    mark = next((mark for mark in marks if mark.key == plot.look.cursor), marks[0])
    target = f"{EVENT}{mark.key}"
    if mark.key == plot.look.cursor:
        return _Cell(_glyph(mark, plot), "link-on", target)
    if len({mark.kind for mark in marks}) == 1:
        return _Cell(_glyph(mark, plot), KIND_TONES[mark.kind], target)
    return _Cell(str(len(marks)) if len(marks) <= MOST_DIGIT else "+", "title", target)


def _glyph(mark: Mark, plot: _Plot) -> str:
    return kind_glyph(mark.kind, plot.glyphs, is_hollow=mark.is_hollow)


def _undated(marks: Sequence[Mark], plot: _Plot) -> Line:
    if not marks:
        return (Span(" " * UNDATED_CELLS),)
    cell = _mark_cell(marks, plot)
    return (Span(" " * (UNDATED_CELLS - 1)), Span(cell.glyph, cell.tone, cell.target))


def _spans(cells: Sequence[_Cell]) -> Line:
    """Neighbours that look the same are one span."""
    return tuple(
        Span("".join(cell.glyph for cell in run), tone, target)
        for (tone, target), run in groupby(cells, key=lambda cell: (cell.tone, cell.target))
    )


def _axis(plot: _Plot) -> tuple[Line, Line]:
    """A rule with a mark at every date and a pointer below the chosen event, and the dates."""
    places, glyphs, window = plot.places, plot.glyphs, plot.places.window
    found = {window.cell(tick.second): tick.label for tick in ticks(window)}
    rule = [
        _Cell(glyphs.tick if cell in found else glyphs.rule, "quiet")
        for cell in range(window.cells)
    ]
    key = plot.look.cursor
    pointed = places.spots[key].cell if key in places.spots else -1
    if 0 <= pointed < window.cells:
        rule[pointed] = _Cell(glyphs.pointer, "accent")
    words = ""
    for cell, label in found.items():
        if cell + width_of(label) <= window.cells:
            words = words.ljust(cell) + label
    column = EMPTY
    if places.has_undated:
        column = (
            Span(
                (glyphs.pointer if pointed == window.cells else "").rjust(UNDATED_CELLS), "accent"
            ),
        )
    dates = (Span(" " * places.label_cells), Span(words, "muted"))
    return (*_outside(places), *_spans(rule), *column), dates


def _outside(places: Placed) -> Line:
    """How many events lie above and below the rows in view."""
    told = ((places.above, "above"), (places.below, "below"))
    words = ", ".join(f"{count} {where}" for count, where in told if count)
    shown = crop((Span(f"  {words}", "accent"),), places.label_cells - 1) if words else EMPTY
    return (*shown, Span(" " * (places.label_cells - line_width(shown))))
