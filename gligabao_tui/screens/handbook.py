"""The handbook, page by page."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget

from gligabao_tui.keys import Scope
from gligabao_tui.screens.dialog import Dialog
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.handbook import Page, page_title
from gligabao_tui.view.markdown_lines import markdown_lines
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.line_view import LineView


class HandbookDialog(Dialog[None]):
    SCOPE: Scope = "handbook"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("handbook"))

    def __init__(self, pages: Sequence[Page], glyphs: Glyphs) -> None:
        super().__init__(page_title(pages, 0))
        self.add_class("-tall-dialog")
        self._pages = pages
        self._glyphs = glyphs
        self._at = 0
        self._text = LineView(id="handbook-text")

    def content(self) -> Iterable[Widget]:
        yield self._text

    def on_mount(self) -> None:
        self._turn(0)
        self._text.focus()

    def action_turn_on(self) -> None:
        self._turn(1)

    def action_turn_back(self) -> None:
        self._turn(-1)

    def action_close(self) -> None:
        self.dismiss(None)

    def _turn(self, by: int) -> None:
        if self._pages:
            self._at = (self._at + by) % len(self._pages)
            page = self._pages[self._at]
            self.entitle(page_title(self._pages, self._at))
            self._text.show(lambda width: markdown_lines(page.text, width, glyphs=self._glyphs))
            self._text.scroll_home(animate=False)
