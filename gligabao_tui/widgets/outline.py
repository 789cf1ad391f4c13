"""The headings of a report to choose from, beside its text or over it."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.message import Message
from textual.strip import Strip

from gligabao_tui.keys import Scope
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.outline import HEADING, outline_lines
from gligabao_tui.view.report_layout import Entry
from gligabao_tui.view.text import Line
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.block_list import MOVES
from gligabao_tui.widgets.line_view import LineView
from gligabao_tui.widgets.rows import cursor_look


class OutlineList(LineView):
    """Its cursor is seen while it has the focus; the heading being read is marked always."""

    SCOPE: Scope = "outline"
    COMPONENT_CLASSES: ClassVar[set[str]] = {"outline--cursor"}
    BINDINGS: ClassVar[list[BindingType]] = [*MOVES, *bindings("outline")]

    class Chosen(Message):
        """Go to heading `number`, or only back to the text (None)."""

        def __init__(self, number: int | None) -> None:
            super().__init__()
            self.number = number

    def __init__(self, glyphs: Glyphs, *, id: str) -> None:
        super().__init__(id=id)
        self._glyphs = glyphs
        self._entries: Sequence[Entry] = ()
        self._reading = self._cursor = -1

    def show_entries(self, entries: Sequence[Entry], reading: int) -> None:
        """These headings, of which number `reading` is being read."""
        if entries == self._entries and reading == self._reading:
            return
        self._entries, self._reading = entries, reading
        if not self.has_focus:
            self._cursor = max(0, reading)
        self.show(self._drawn)
        self._reveal(self._cursor if self.has_focus else max(0, reading))

    def on_focus(self) -> None:
        self._cursor = max(0, self._reading)
        self._reveal(self._cursor)

    def action_move(self, by: int) -> None:
        self._move_to(self._cursor + by)

    def action_move_page(self, by: int) -> None:
        self._move_to(self._cursor + by * self.rows)

    def action_move_to_start(self) -> None:
        self._move_to(0)

    def action_move_to_end(self) -> None:
        self._move_to(len(self._entries) - 1)

    def action_choose(self) -> None:
        if 0 <= self._cursor < len(self._entries):
            self.post_message(self.Chosen(self._cursor))

    def action_leave(self) -> None:
        self.post_message(self.Chosen(None))

    def on_line_view_clicked(self, event: LineView.Clicked) -> None:
        event.stop()
        self.post_message(self.Chosen(int(event.target.removeprefix(HEADING))))

    def render_line(self, y: int) -> Strip:
        at, base = y + int(self.scroll_y), self.visual_style
        if self.has_focus and at == self._cursor:
            base += cursor_look(self, "outline--cursor")
        return self.drawn_row(self.row(at), base, at, self.scrollable_content_region.width)

    def _drawn(self, width: int) -> Sequence[Line]:
        return outline_lines(self._entries, self._reading, width, glyphs=self._glyphs)

    def _move_to(self, at: int) -> None:
        self._cursor = min(max(at, 0), max(0, len(self._entries) - 1))
        self._reveal(self._cursor)
        self.refresh()

    def _reveal(self, at: int) -> None:
        top = int(self.scroll_y)
        if not top <= at < top + self.rows:
            self.scroll_to(y=at if at < top else at - self.rows + 1, animate=False, force=True)
