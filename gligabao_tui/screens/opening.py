"""The first frame: the two lines that stay, around nothing yet.

It knows no engine, no settings and none of the workspace's parts, and imports nothing slow: it is
painted while they are read. What it shows stays where it is when the workspace takes its place.
"""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from gligabao_tui.keymap import Keymap
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.key_bar import KeyBar
from gligabao_tui.widgets.top_line import TopLine

OF_A_RUN = frozenset(
    {"stop_run", "stop_all", "wrap_up", "show_error", "undock", "copy", "copy_menu", "demo"}
)
"""Actions that the workspace hints at when it knows what runs there are."""


class OpeningScreen(Screen[None]):
    """Its keys are the workspace's, and are hinted at only: the app keeps them until that is
    there."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings("main"))

    def __init__(self, glyphs: Glyphs, keymap: Keymap) -> None:
        super().__init__()
        self._top = TopLine(glyphs, keymap)

    def compose(self) -> ComposeResult:
        yield self._top
        yield KeyBar(id="keys")

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        return action not in OF_A_RUN
