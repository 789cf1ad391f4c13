"""Selecting text with the mouse in what is drawn by rows; a drag is never taken for a click."""

from collections.abc import Sequence

from textual.geometry import Offset
from textual.selection import Selection
from textual.widget import Widget

from gligabao_tui.view.selected import selected_text
from gligabao_tui.view.text import Line


class Selectable(Widget):
    """A widget whose text is rows, numbered from the top of all it could show."""

    def selectable_rows(
        self,
        first: int,  # noqa: ARG002  # of whoever has rows
        last: int | None,  # noqa: ARG002  # of whoever has rows
    ) -> Sequence[Line]:
        """The rows from `first` to `last` and with it; None: to the end. Fewer where it ends, and
        none where nothing can be selected."""
        return ()

    def get_selection(self, selection: Selection) -> tuple[str, str]:
        """Textual asks for this when it copies."""
        start, end = selection.start or Offset(0, 0), selection.end
        rows = self.selectable_rows(start.y, end.y if end else None)
        is_whole = end is None or start.y + len(rows) <= end.y
        return selected_text(rows, start.x, None if is_whole or end is None else end.x), "\n"

    @property
    def was_dragged(self) -> bool:
        """Whether the click that is heard is the end of a selection."""
        return self.text_selection is not None

    def text_select_all(self) -> None:
        """A double click opens what is clicked; it does not select thousands of rows."""
