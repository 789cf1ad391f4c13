"""The outline of a report: its headings, indented by their level, the one being read marked."""

from bisect import bisect_right
from collections.abc import Sequence

from gligabao_tui.view.blocks import Place
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.report_layout import Entry
from gligabao_tui.view.text import Line, Span, Tone, fit, line

FEWEST = 2
"""With fewer headings there is nothing to choose from."""
DEEPEST = 3
INDENT = 2
HEADING = "heading:"


def outline_lines(
    entries: Sequence[Entry], reading: int, width: int, *, glyphs: Glyphs
) -> tuple[Line, ...]:
    """One row for each; each is a target `heading:NUMBER`."""
    top = min((entry.level for entry in entries), default=1)
    rows: list[Line] = []
    for at, entry in enumerate(entries):
        mark = glyphs.cursor if at == reading else " "
        indent = " " * (INDENT * min(entry.level - top, DEEPEST))
        room = width - len(mark) - 1 - len(indent)
        title = fit(entry.title or glyphs.dot, room, glyphs.ellipsis)
        tone: Tone = "accent" if at == reading else "" if not indent else "muted"
        target = f"{HEADING}{at}"
        shown = Span(f"{mark} ", "accent", target), Span(indent + title, tone, target)
        rows.append(line(*shown))
    return tuple(rows)


def reading_of(entries: Sequence[Entry], place: Place) -> int:
    """Which heading a place stands under; -1 above the first."""
    return bisect_right(entries, place, key=lambda entry: entry.place) - 1
