"""A Markdown table as lines: columns as wide as they need, less where there is no room."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import TypeAlias

from gligabao_tui.view.text import EMPTY, Line, Span, line_width, wrap_spans

Cell: TypeAlias = Line
GAP = 3
NARROWEST_COLUMN = 4


def table_lines(rows: Sequence[Sequence[Cell]], cells: int, *, rule: str) -> tuple[Line, ...]:
    """The first row is the head, with a rule below it."""
    widths = _widths(rows, cells)
    lines: list[Line] = []
    for at, row in enumerate(rows):
        lines.extend(_row(row, widths))
        if at == 0:
            total = sum(widths) + GAP * (len(widths) - 1)
            lines.append((Span(rule * min(total, cells), "quiet"),))
    return tuple(lines)


def _row(row: Sequence[Cell], widths: Sequence[int]) -> list[Line]:
    columns = [wrap_spans(cell, width) for cell, width in zip(row, widths, strict=False)]
    return [_side_by_side(parts, widths) for parts in zip_longest(*columns, fillvalue=EMPTY)]


def _side_by_side(parts: Sequence[Line], widths: Sequence[int]) -> Line:
    spans: list[Span] = []
    for at, (part, width) in enumerate(zip(parts, widths, strict=False)):
        is_last = at == len(parts) - 1
        filling = 0 if is_last else width - line_width(part) + GAP
        spans.extend((*part, Span(" " * max(0, filling))))
    return tuple(spans)


def _widths(rows: Sequence[Sequence[Cell]], cells: int) -> list[int]:
    """What each column needs; the widest give way until all of it fits."""
    columns = max((len(row) for row in rows), default=0)
    widths = [
        max([NARROWEST_COLUMN, *(line_width(row[at]) for row in rows if at < len(row))])
        for at in range(columns)
    ]
    room = max(columns * NARROWEST_COLUMN, cells - GAP * (columns - 1))
    while sum(widths) > room:
        widest = widths.index(max(widths))
        widths[widest] -= 1
    return widths
