"""The text of a report: scrolls, follows what is written, and has a cursor that goes by its links.

What is seen is laid out at once and the rest in slices between frames, so that a long report
never keeps anybody waiting. Addresses become hyperlinks of the terminal only when they are plain.
"""

import asyncio
from collections.abc import Sequence

from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style

from gligabao_tui.view.blocks import Place
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.link import hyperlink
from gligabao_tui.view.markdown import Piece
from gligabao_tui.view.markdown_inline import BACK, NO_MARKS, NOTE, Marks
from gligabao_tui.view.outline import reading_of
from gligabao_tui.view.report_layout import SLICE_CHARS, Cursor, Entry, ReportLayout
from gligabao_tui.view.text import Line, Span, Tone
from gligabao_tui.widgets.line_view import LineView

READING_CELLS = 100
"""Longer lines are hard to read."""
PAUSE_SECONDS = 0.004
"""Between two slices: what was asked meanwhile comes first."""
SLICES_A_TELLING = 12
"""So often scrollbar and outline are told what was laid out where nobody looks."""
START = Place(0, 0)
ABOVE_TARGET = 1
"""A row is left above what is jumped to."""


class ReportText(LineView):
    """Call `show` with the text as it is now; place and marked link survive it."""

    follows: reactive[bool] = reactive(False)

    class Moved(Message):
        """Another part is in view, another link is marked, or more is laid out."""

    def __init__(self, glyphs: Glyphs, *, id: str) -> None:
        super().__init__(id=id)
        self._layout_of_text = ReportLayout(glyphs)
        self._links: dict[tuple[Tone, str], Style] = {}
        self._cursor: Cursor | None = None
        self._top = START
        self._is_placing = self._is_at_end = self._has_worker = False
        self._slices = 0

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self._layout_of_text.entries

    @property
    def reading(self) -> int:
        """The number of the heading that the top of the view stands under; -1: none."""
        return reading_of(self.entries, self._layout_of_text.place(int(self.scroll_y) + 1))

    @property
    def target(self) -> str:
        """Where the marked link leads; empty when none is marked."""
        return self._layout_of_text.stop(self._cursor).target if self._cursor else ""

    @property
    def is_whole(self) -> bool:
        """Whether all of the text is laid out."""
        return self._layout_of_text.is_whole

    @property
    def is_at_end(self) -> bool:
        return self.scroll_y >= self.max_scroll_y

    @property
    def part(self) -> float:
        if not self._width:
            return self._wanted
        return min(1.0, self.scroll_y / max(1, self._layout_of_text.height))

    def laid_out_text(self) -> str:
        """The whole as it is laid out, as plain text."""
        return self._layout_of_text.text()

    def show_text(self, pieces: tuple[Piece, ...], marks: Marks = NO_MARKS, tail: str = "") -> None:
        """This text from now on."""
        self._layout_of_text.show(pieces, marks, tail)
        self._cursor = self._cursor if self._cursor and self._still_there(self._cursor) else None
        self._place()

    def show_finished(self, pieces: tuple[Piece, ...], marks: Marks) -> None:
        """Nothing will be added: who followed it goes on seeing its end."""
        self._is_at_end = self._is_at_end or (self.follows and self.scroll_y > 0)
        self.show_text(pieces, marks)
        self.follows = False

    def restart(self, *, follows: bool) -> None:
        """Another text begins."""
        self._cursor, self._top, self._wanted, self._is_at_end = None, START, 0.0, False
        self._layout_of_text.show((), NO_MARKS)
        self.follows = follows
        self._place()

    def go_to_part(self, part: float) -> None:
        self._wanted = part
        if self._width and part > 0:
            self.follows = False
            self.go_to(self._layout_of_text.place(round(part * self._layout_of_text.height)))

    def go_to(self, place: Place, *, above: int = 0) -> None:
        """Bring a place of the text to the top of the view."""
        self.follows = self._is_at_end = False
        self._layout_of_text.lay_out_from(place.block, self.rows + place.row)
        self._top = self._layout_of_text.place(max(0, self._layout_of_text.y(place) - above))
        self._place()

    def go_to_heading(self, number: int) -> None:
        self.go_to(self.entries[number].place)

    def go_to_note(self, target: str) -> bool:
        """Whether it led somewhere: from a mark to its footnote, or from that back to its mark."""
        kind, other = (NOTE, BACK) if target.startswith(NOTE) else (BACK, NOTE)
        if not target.startswith(kind):
            return False
        found = self._layout_of_text.find(other + target.removeprefix(kind))
        if found is not None:
            self._mark(found)
        return found is not None

    def move_link(self, by: int) -> None:
        """Mark the next link or the one before; the nearest in view when none in view is marked."""
        layout, top = self._layout_of_text, int(self.scroll_y)
        if self._cursor and top <= layout.y(layout.place_of(self._cursor)) < top + self.rows:
            step = layout.stop_after if by > 0 else layout.stop_before
            found = step(self._cursor)
        elif by > 0:
            found = layout.stop_from(layout.place(top))
        else:
            below = layout.stop_from(layout.place(top + self.rows))
            found = layout.stop_before(below or Cursor(layout.count, 0))
        if found is not None:
            self._mark(found)

    def watch_follows(self) -> None:
        if self.follows:
            self._place()
        self.post_message(self.Moved())

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """The person scrolls. What comes into view is laid out before it is drawn."""
        super().watch_scroll_y(old_value, new_value)
        if self._is_placing or round(old_value) == round(new_value):
            return
        self.follows = self.follows and new_value >= self.max_scroll_y
        self._is_at_end = False
        layout = self._layout_of_text
        self._top = layout.place(round(new_value))
        layout.lay_out_from(self._top.block, self.rows + max(0, self._top.row))
        if layout.y(self._top) != round(new_value) or layout.height != self.virtual_size.height:
            self._place()
        self.post_message(self.Moved())

    def on_resize(self) -> None:
        """The same row stays at the top."""
        width = self.scrollable_content_region.width
        wanted = self._wanted if not self._width else 0.0
        if width != self._width:
            self._width = width
            self._layout_of_text.set_width(min(width, READING_CELLS))
        self._place()
        if wanted:
            self.go_to_part(wanted)
        self.refresh(layout=True)  # so that the scrollbar tells it

    def action_move_to_end(self) -> None:
        self._is_at_end = True
        self._place()

    def row(self, y: int) -> Line:
        line = self._layout_of_text.row(y)
        return line if self._cursor is None else self._with_cursor(line, y)

    def selectable_rows(self, first: int, last: int | None) -> Sequence[Line]:
        end = self._layout_of_text.height if last is None else last + 1
        return [self.row(y) for y in range(first, min(end, self._layout_of_text.height))]

    def look_of(self, span: Span) -> Style:
        """With the hyperlink of the terminal, if that may be."""
        if not span.target:
            return super().look_of(span)
        key = (span.tone, span.target)
        if key not in self._links:
            address = hyperlink(span.target)
            look = self.look(span.tone)
            self._links[key] = look + Style(link=address) if address else look
        return self._links[key]

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._links = {}

    def _with_cursor(self, line: Line, y: int) -> Line:
        place = self._layout_of_text.place(y)
        if self._cursor is None or place.block != self._cursor.piece:
            return line
        spots = self._layout_of_text.stop(self._cursor).spots
        return tuple(
            span._replace(tone="link-on") if (place.row, at) in spots else span
            for at, span in enumerate(line)
        )

    def _mark(self, cursor: Cursor) -> None:
        self._cursor = cursor
        layout = self._layout_of_text
        place = layout.place_of(cursor)
        top, y = int(self.scroll_y), layout.y(place)
        if not top <= y < top + self.rows:
            self.go_to(place, above=ABOVE_TARGET if y < top else self.rows // 2)
        self.refresh()
        self.post_message(self.Moved())

    def _still_there(self, cursor: Cursor) -> bool:
        layout = self._layout_of_text
        return cursor.piece < layout.count and cursor.stop < len(layout.stops(cursor.piece))

    def _place(self) -> None:
        """Lay out what is seen, and keep the same row at the top, or the end in view."""
        if not self._width:
            return
        layout = self._layout_of_text
        if self.follows or self._is_at_end:
            layout.lay_out_end(self.rows)
            self._top = layout.place(max(0, layout.height - self.rows))
        else:
            layout.lay_out_from(self._top.block, self.rows + max(0, self._top.row))
        self._is_at_end = self._is_at_end and not layout.is_whole
        self._scroll_quietly()
        self.refresh()
        self._go_on()
        self.post_message(self.Moved())

    def _scroll_quietly(self) -> None:
        """To where the top is now. Not the person's doing, so that it does not end following."""
        self._is_placing = True
        self.virtual_size = Size(self._width, self._layout_of_text.height)
        self.jump_to(self._layout_of_text.y(self._top))
        self._is_placing = False

    def _go_on(self) -> None:
        """With what is not seen: at once if it is little, else by and by."""
        if self._layout_of_text.is_whole or self._has_worker:
            return
        if self._layout_of_text.chars_left <= SLICE_CHARS:
            self._layout_of_text.lay_out_more()
            self._place()
            return
        self._has_worker = True
        self.run_worker(self._lay_out_rest(), group="layout")

    async def _lay_out_rest(self) -> None:
        try:
            while not self._layout_of_text.is_whole:
                await asyncio.sleep(PAUSE_SECONDS)
                self._layout_of_text.lay_out_more()
                self._tell_slice()
        finally:
            self._has_worker = False

    def _tell_slice(self) -> None:
        """What is seen does not change by it; where it is and how long the whole is do."""
        if self._layout_of_text.is_whole or self.follows or self._is_at_end:
            self._place()
            return
        self._slices += 1
        is_moved = self._layout_of_text.y(self._top) != round(self.scroll_y)
        if is_moved or self._slices % SLICES_A_TELLING == 0:
            self._scroll_quietly()
            self.post_message(self.Moved())
