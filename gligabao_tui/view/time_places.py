"""Where the events of a timeline lie on the screen, and how many lie outside of it. Pure.

Where there is room a fact has a row, below the one of its subject; else a subject has one row for
all its facts. Rows that do not fit are scrolled; the chosen event is always in view.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gligabao_tui.view.text import flat
from gligabao_tui.view.time_axis import Window
from gligabao_tui.view.timeline import (
    Bar,
    Group,
    Lane,
    Look,
    Timeline,
    seen_span,
)

UNDATED_CELLS = 3
LEAST_CELLS = 10
LABEL_PARTS, MOST_LABEL_CELLS = 3, 38


@dataclass(frozen=True, slots=True)
class Room:
    """The cells of a row, its label included, the rows that there are, and how many rows were
    scrolled away before."""

    cells: int
    rows: int
    top: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the plot. `depth` 1 is a fact below its subject, which has a row without marks."""

    label: str
    dataset: str
    depth: int
    marks: Group
    bars: tuple[Bar, ...]


class Spot(NamedTuple):
    """A row of those in view, and a cell of the plot; the cell is that of the column of those
    without a date where the event has none."""

    row: int
    cell: int


@dataclass(frozen=True, slots=True)
class Placed:
    """`rows` are those in view, `top` is the number of the first of them. `spots` are the events
    on the screen by their ids; the other numbers count those that are not."""

    window: Window
    label_cells: int
    rows: tuple[Row, ...]
    top: int
    spots: dict[int, Spot]
    earlier: int
    later: int
    above: int
    below: int
    has_undated: bool


def placed(timeline: Timeline, look: Look, room: Room) -> Placed:
    rows = rows_of(timeline, room.rows)
    top = _top(rows, look, room)
    seen = rows[top : top + max(1, room.rows)]
    window, label_cells = _window(timeline, look, room)
    spots: dict[int, Spot] = {}
    earlier = later = 0
    for at, row in enumerate(seen):
        for mark in row.marks:
            cell = window.cells if mark.at is None else window.cell(mark.at)
            if mark.at is None or 0 <= cell < window.cells:
                spots[mark.key] = Spot(at, cell)
            elif cell < 0:
                earlier += 1
            else:
                later += 1
    return Placed(
        window=window,
        label_cells=label_cells,
        rows=tuple(seen),
        top=top,
        spots=spots,
        earlier=earlier,
        later=later,
        above=sum(len(row.marks) for row in rows[:top]),
        below=sum(len(row.marks) for row in rows[top + len(seen) :]),
        has_undated=timeline.undated > 0,
    )


def rows_of(timeline: Timeline, room_rows: int) -> tuple[Row, ...]:
    """A row a fact where all fit, or where lanes alone would leave half of the room empty."""
    lanes = timeline.lanes
    detailed = sum(_rows_wanted(lane) for lane in lanes)
    if detailed <= room_rows or 2 * len(lanes) < room_rows:
        return tuple(row for lane in lanes for row in _detailed(lane))
    return tuple(_whole(lane) for lane in lanes)


def has_cursor(row: Row, look: Look) -> bool:
    return any(mark.key == look.cursor for mark in row.marks)


def groups_of(rows: Sequence[Row]) -> tuple[Group, ...]:
    """What up and down go through: the rows that have events."""
    return tuple(row.marks for row in rows if row.marks)


def _rows_wanted(lane: Lane) -> int:
    return 1 if len(lane.tracks) == 1 else 1 + len(lane.tracks)


def _detailed(lane: Lane) -> Sequence[Row]:
    if len(lane.tracks) == 1:
        (track,) = lane.tracks
        words = flat(f"{lane.name} {track.fact.relation} {track.fact.target}")
        return [Row(words, lane.dataset, 0, track.marks, track.bars)]
    head = Row(lane.name, lane.dataset, 0, (), ())
    tracks = (
        Row(
            flat(f"{track.fact.relation} {track.fact.target}"),
            lane.dataset,
            1,
            track.marks,
            track.bars,
        )
        for track in lane.tracks
    )
    return [head, *tracks]


def _whole(lane: Lane) -> Row:
    bars = tuple(bar for track in lane.tracks for bar in track.bars)
    return Row(lane.name, lane.dataset, 0, lane.marks, bars)


def _top(rows: Sequence[Row], look: Look, room: Room) -> int:
    """As little as possible away from where it was, so that the chosen event is in view."""
    count = max(1, room.rows)
    top, most = room.top, max(0, len(rows) - count)
    at = next((n for n, row in enumerate(rows) if has_cursor(row, look)), None)
    if at is not None:
        has_head = at > 0 and rows[at].depth and not rows[at - 1].depth and count > 1
        top = max(min(top, at - 1 if has_head else at), at - count + 1)
    return min(max(top, 0), most)


def _window(timeline: Timeline, look: Look, room: Room) -> tuple[Window, int]:
    label = min(MOST_LABEL_CELLS, room.cells // LABEL_PARTS)
    undated = UNDATED_CELLS if timeline.undated else 0
    cells = max(LEAST_CELLS, room.cells - label - undated)
    lo, hi = seen_span(timeline, look)
    return Window(lo, hi, cells), label
