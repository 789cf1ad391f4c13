"""What is drawn row by row, so that only what is seen is drawn, and can be selected."""

from textual.geometry import Region
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from gligabao_tui.view.selected import cut
from gligabao_tui.view.text import Line
from gligabao_tui.widgets.plain import Toned, strip_of


class Rows(Toned, ScrollView):
    """Draws its rows itself. Only what looks for the place of the mouse is told the places of
    the text: painting does without, since it paints often."""

    _is_painting = False

    def render_lines(self, crop: Region) -> list[Strip]:
        self._is_painting = True
        try:
            return super().render_lines(crop)
        finally:
            self._is_painting = False

    def jump_to(self, y: int) -> None:
        """Scroll at once, also before there is a scrollbar to tell it."""
        self.scroll_to(y=y, animate=False, force=True)
        self.vertical_scrollbar.position = self.scroll_y

    def drawn_row(self, spans: Line, base: Style, y: int, width: int) -> Strip:
        """Row `y` of all, with what is selected of it."""
        selection = self.text_selection
        chosen = selection.get_span(y) if selection is not None else None
        strip = strip_of(self, spans, base) if chosen is None else self._marked(spans, base, chosen)
        strip = strip.adjust_cell_length(width, base.rich_style)
        return strip if self._is_painting else strip.apply_offsets(0, y)

    def _marked(self, spans: Line, base: Style, chosen: tuple[int, int]) -> Strip:
        """A row whose characters `chosen` (from, to; -1: to its end) are selected."""
        first, last = chosen[0], None if chosen[1] < 0 else chosen[1]
        look = self._selected_look()
        parts = (cut(spans, 0, first), cut(spans, first, last), cut(spans, last, None))
        return Strip.join(
            strip_of(self, part, base, over=over)
            for part, over in zip(parts, (None, look, None), strict=True)
        )

    def _selected_look(self) -> Style:
        styles = self.screen.get_component_styles("screen--selection")
        return Style(styles.background, styles.color if styles.color.a else None)


def cursor_look(widget: Widget, name: str) -> Style:
    """Of a row that is chosen. Where there are the terminal's own colours only, it is turned
    round: no background of theirs suits every text."""
    styles = widget.get_component_styles(name)
    return Style(styles.background, reverse=styles.text_style.reverse or None)
