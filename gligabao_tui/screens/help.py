"""The keys of what has the focus, then those that work everywhere."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget

from engine.api import docs_dir
from gligabao_tui.keys import SCOPE_TITLES, Scope, actions_of, key_word
from gligabao_tui.resources import texts_in
from gligabao_tui.screens.dialog import Dialog, says
from gligabao_tui.screens.handbook import HandbookDialog
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.handbook import Page, in_order
from gligabao_tui.view.text import Line, Span, fit, line, pad, paragraph
from gligabao_tui.widgets.bindings import bindings

KEYS_CELLS = 13
MOVES = (
    ("pgup pgdn", "Move by a page"),
    ("g G", "To the top, to the bottom"),
    ("space", "Open or close a state"),
    ("tab", "To the next part of the screen"),
)
MOUSE = (
    "Click what you see. To select text with the mouse as usual, hold Shift while dragging "
    "(Option or Fn in some terminals)."
)


class HelpDialog(Dialog[None]):
    """`scopes` are those of the focused thing, the nearest first."""

    SCOPE: Scope = "help"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("help"))

    def __init__(self, scopes: Sequence[Scope], glyphs: Glyphs) -> None:
        super().__init__("Keys")
        self._scopes = scopes
        self._glyphs = glyphs

    def content(self) -> Iterable[Widget]:
        yield VerticalScroll(
            says(lambda width: help_lines(self._scopes, width, self._glyphs)), id="help-scroll"
        )

    def action_handbook(self) -> None:
        pages = in_order(Page(name, text) for name, text in texts_in(docs_dir(), ".md"))
        self.app.push_screen(HandbookDialog(pages, self._glyphs))

    def action_close(self) -> None:
        self.dismiss(None)


def help_lines(scopes: Sequence[Scope], width: int, glyphs: Glyphs) -> tuple[Line, ...]:
    lines: list[Line] = []
    for scope in scopes:
        rows = [(_keys(action.keys), action.tells) for action in actions_of(scope)]
        lines.extend(_section(SCOPE_TITLES[scope], rows, width))
    moves = ((f"{glyphs.arrows} j k", "Move by one"), *MOVES)
    lines.extend(_section("Moving", moves, width))
    return (*lines, *paragraph(MOUSE, width, "muted"))


def _section(title: str, rows: Sequence[tuple[str, str]], width: int) -> Iterable[Line]:
    yield line(Span(title, "accent"))
    for keys, tells in rows:
        room = width - KEYS_CELLS - 1
        yield line(Span(pad(keys, KEYS_CELLS), "strong"), Span(" "), Span(fit(tells, room)))
    yield ()


def _keys(keys: str) -> str:
    return " ".join(key_word(key) for key in keys.split(","))
