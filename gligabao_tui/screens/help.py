"""The keys of what has the focus, then those that work everywhere."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget

from gligabao_tui.keys import Scope
from gligabao_tui.screens.dialog import Dialog
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.help import help_lines
from gligabao_tui.view.text import Line
from gligabao_tui.widgets.bindings import bindings, keymap_of
from gligabao_tui.widgets.line_view import LineView


class HelpDialog(Dialog[None]):
    """`scopes` are those of the focused thing, the nearest first."""

    SCOPE: Scope = "help"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("help"))

    def __init__(self, scopes: Sequence[Scope], glyphs: Glyphs) -> None:
        super().__init__("Keys")
        self.add_class("-tall-dialog", "-help")
        self._scopes = scopes
        self._glyphs = glyphs
        self._text = LineView(id="help-text")

    def content(self) -> Iterable[Widget]:
        yield self._text

    def on_mount(self) -> None:
        self._text.show(self._lines)
        self._text.focus()

    async def action_handbook(self) -> None:
        await self.run_action("app.handbook")

    def action_close(self) -> None:
        self.dismiss(None)

    def _lines(self, width: int) -> tuple[Line, ...]:
        keymap = keymap_of(self.app)
        return help_lines(self._scopes, width, keymap=keymap, glyphs=self._glyphs)
