"""A long text drawn by lines: it scrolls, keeps its place, and says which target was clicked."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from gligabao_tui.view.text import EMPTY, Line, target_at
from gligabao_tui.widgets.block_list import MOVES
from gligabao_tui.widgets.plain import Draw, nothing
from gligabao_tui.widgets.rows import Rows


class LineView(Rows, can_focus=True):
    """Draws anew when it is shown something else or its width changes, never when it scrolls."""

    BINDINGS: ClassVar[list[BindingType]] = MOVES

    class Clicked(Message):
        """Something with a target of its own was clicked."""

        def __init__(self, target: str) -> None:
            super().__init__()
            self.target = target

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._draw: Draw = nothing
        self._lines: Sequence[Line] = ()
        self._width = 0
        self._wanted = 0.0

    def show(self, draw: Draw) -> None:
        """Show this text; who reads its end goes on reading its end."""
        was_at_end = self.scroll_y > 0 and self.scroll_y >= self.max_scroll_y
        self._draw = draw
        self._lay_out()
        if was_at_end:
            self.scroll_to(y=self.max_scroll_y, animate=False)

    @property
    def part(self) -> float:
        """How much of the text lies above the view, from 0 to 1."""
        return min(1.0, self.scroll_y / max(1, len(self._lines))) if self._width else self._wanted

    def go_to_part(self, part: float) -> None:
        """To where somebody was, at whatever width that was; also before anything is laid out."""
        self._wanted = part
        if self._width:
            self.jump_to(round(part * len(self._lines)))

    def on_resize(self) -> None:
        """The same part of the text stays at the top."""
        width = self.scrollable_content_region.width
        if width == self._width:
            return
        part = self.part
        self._width = width
        self._lay_out()
        self.go_to_part(part)

    def on_click(self, event: events.Click) -> None:
        if self.was_dragged:
            return
        offset = event.get_content_offset(self)
        found = target_at(self.row(offset.y + int(self.scroll_y)), offset.x) if offset else ""
        if found:
            self.post_message(self.Clicked(found))

    @property
    def rows(self) -> int:
        """How many rows are in view."""
        return max(1, self.scrollable_content_region.height)

    def row(self, y: int) -> Line:
        """Row `y` of the whole text; empty outside."""
        return self._lines[y] if 0 <= y < len(self._lines) else EMPTY

    def action_move(self, by: int) -> None:
        self.scroll_relative(y=by, animate=False)

    def action_move_page(self, by: int) -> None:
        self.scroll_relative(y=by * max(1, self.rows - 2), animate=False)

    def action_move_half(self, by: int) -> None:
        rows = max(1, self.scrollable_content_region.height // 2)
        self.scroll_relative(y=by * rows, animate=False)

    def action_move_to_start(self) -> None:
        self.scroll_home(animate=False)

    def action_move_to_end(self) -> None:
        self.scroll_end(animate=False)

    def render_line(self, y: int) -> Strip:
        y += int(self.scroll_y)
        return self.drawn_row(
            self.row(y), self.visual_style, y, self.scrollable_content_region.width
        )

    def selectable_rows(self, first: int, last: int | None) -> Sequence[Line]:
        return self._lines[first : None if last is None else last + 1]

    def _lay_out(self) -> None:
        if self._width:
            self._lines = self._draw(self._width)
            self.virtual_size = Size(self._width, len(self._lines))
            self.refresh()
