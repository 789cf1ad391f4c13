"""A long text drawn by lines: it scrolls, keeps its place, and says which target was clicked."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from gligabao_tui.view.text import Line, target_at
from gligabao_tui.widgets.block_list import MOVES
from gligabao_tui.widgets.plain import Draw, Toned, nothing, strip_of


class LineView(Toned, ScrollView, can_focus=True):
    """Draws anew when it is shown something else or its width changes, never when it scrolls."""

    BINDINGS: ClassVar[list[BindingType]] = MOVES

    class Clicked(Message):
        """Something with a target of its own was clicked."""

        def __init__(self, target: str) -> None:
            super().__init__()
            self.target = target

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._looks = {}
        self._draw: Draw = nothing
        self._lines: Sequence[Line] = ()
        self._width = 0

    def show(self, draw: Draw) -> None:
        """Show this text; who reads its end goes on reading its end."""
        was_at_end = self.scroll_y > 0 and self.scroll_y >= self.max_scroll_y
        self._draw = draw
        self._lay_out()
        if was_at_end:
            self.scroll_to(y=self.max_scroll_y, animate=False)

    def on_resize(self) -> None:
        """The same part of the text stays at the top."""
        width = self.scrollable_content_region.width
        if width == self._width:
            return
        part = self.scroll_y / max(1, len(self._lines))
        self._width = width
        self._lay_out()
        self.scroll_to(y=int(part * len(self._lines)), animate=False)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        row = offset.y + int(self.scroll_y) if offset else len(self._lines)
        if offset and row < len(self._lines) and (found := target_at(self._lines[row], offset.x)):
            self.post_message(self.Clicked(found))

    def action_move(self, by: int) -> None:
        self.scroll_relative(y=by, animate=False)

    def action_move_page(self, by: int) -> None:
        rows = max(1, self.scrollable_content_region.height - 2)
        self.scroll_relative(y=by * rows, animate=False)

    def action_move_to_start(self) -> None:
        self.scroll_home(animate=False)

    def action_move_to_end(self) -> None:
        self.scroll_end(animate=False)

    def render_line(self, y: int) -> Strip:
        row = y + int(self.scroll_y)
        width, base = self.scrollable_content_region.width, self.visual_style
        if row >= len(self._lines):
            return Strip.blank(width, base.rich_style)
        return strip_of(self, self._lines[row], base).adjust_cell_length(width, base.rich_style)

    def _lay_out(self) -> None:
        if self._width:
            self._lines = self._draw(self._width)
            self.virtual_size = Size(self._width, len(self._lines))
            self.refresh()
