"""Shows where a link leads before anything is opened."""

import asyncio
import webbrowser
from collections.abc import Callable, Iterable
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget

from gligabao_tui.keys import Scope
from gligabao_tui.screens.dialog import Dialog, says
from gligabao_tui.view.link import link_lines
from gligabao_tui.view.text import Line
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.plain import copy_text, say

Opener = Callable[[str], bool]
"""Opens an address in a browser; whether it could. Takes its time."""


class LinkDialog(Dialog[None]):
    """`why_not` is why it cannot be opened from here; empty when it can."""

    SCOPE: Scope = "link"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("link"))

    def __init__(self, address: str, why_not: str, opener: Opener) -> None:
        super().__init__("Link")
        self._address = address
        self._why_not = why_not
        self._opener = opener
        if why_not:
            self.BUTTONS = ("close", "copy")

    def content(self) -> Iterable[Widget]:
        yield says(self._lines)

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        return not self._why_not if action == "open" else True

    def action_close(self) -> None:
        self.dismiss(None)

    def action_copy(self) -> None:
        copy_text(self.app, self._address, "the address")
        self.dismiss(None)

    def action_open(self) -> None:
        self.app.run_worker(self._open())
        self.dismiss(None)

    async def _open(self) -> None:
        """In a thread: a browser may take seconds to answer."""
        if await asyncio.to_thread(self._opener, self._address):
            say(self.app, "Opened in the browser")
        else:
            say(self.app, "No browser could be opened: copy the address.", is_bad=True)

    def _lines(self, width: int) -> tuple[Line, ...]:
        return link_lines(self._address, width, self._why_not)


def open_in_browser(address: str) -> bool:
    """Never in a browser that would run in the terminal that the app has."""
    try:
        browser = webbrowser.get()
        is_in_terminal = isinstance(browser, webbrowser.GenericBrowser) and not isinstance(
            browser, webbrowser.BackgroundBrowser
        )
        return not is_in_terminal and browser.open(address)
    except (webbrowser.Error, OSError, ValueError):  # ValueError: $BROWSER cannot be read
        return False
