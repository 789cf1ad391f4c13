"""Everything that the app does with its terminal beside drawing on it, behind one door.

`send` is the app's way to write there, `tell` its way to say something to the person.
"""

import asyncio
import os
import sys
from collections.abc import Callable
from typing import Any

from textual.app import App

from gligabao_tui.terminal.clipboard import Clipboard, CopyWanted
from gligabao_tui.terminal.copying import copied_words
from gligabao_tui.terminal.notes import Notes
from gligabao_tui.terminal.output import Output
from gligabao_tui.terminal.outside import Outside, outside_of
from gligabao_tui.terminal.slow_link import SlowLink
from gligabao_tui.terminal.titles import Title


class Terminal:
    """`outside` is what the terminal was found to be; tests may set another before `begin`."""

    def __init__(
        self,
        app: App[Any],
        *,
        send: Callable[[str], None],
        tell: Callable[[str], None],
        is_slow: bool,
    ) -> None:
        self._app = app
        self._send = send
        self._tell = tell
        self._title = Title(send)
        self._notes: Notes | None = None
        self._has_doubted = False
        self.output = Output(app)
        self.outside: Outside = outside_of(os.environ, sys.platform)
        self.slow_link = SlowLink(app, is_slow=is_slow, tell=tell)

    def begin(self, on_loop: Callable[..., None]) -> None:
        """From now on there is a driver. `on_loop` runs something on the app's loop."""
        clock = asyncio.get_running_loop().time
        self._notes = Notes(self._app, self.outside, send=self._send, clock=clock)
        self.output.listen(lambda took: on_loop(lambda: self.slow_link.written(took, clock())))
        app = self._app
        app.app_suspend_signal.subscribe(app, lambda _: self._title.put_back(), immediate=True)
        app.app_resume_signal.subscribe(app, lambda _: self._title.show_again())

    def end(self) -> None:
        self._title.put_back()

    def entitle(self, title: str) -> None:
        if not self.outside.is_plain:
            self._title.show(title)

    def touched(self) -> None:
        """The person pressed something."""
        if self._notes is not None:
            self._notes.touched()

    def focus_reported(self) -> None:
        """This terminal tells when it gains or loses the focus."""
        if self._notes is not None:
            self._notes.focus_reported()

    def note(self, words: str) -> None:
        """Something happened that a person who looks elsewhere may want to know."""
        if self._notes is not None:
            self._notes.tell(words)

    async def copy(self, wanted: CopyWanted) -> None:
        """In every way there is; say what was done."""
        clipboard = Clipboard(self.outside, self._send)
        if not self.output.is_there:
            return self._tell(f"Copied {wanted.what}")
        copied = await clipboard.copy(wanted.text, wanted.what)
        known, self._has_doubted = self._has_doubted, self._has_doubted or not copied.took
        self._tell(copied_words(copied, self.outside, wanted.offer, is_known=known))

    def send_copy(self, text: str) -> None:
        """By the terminal alone, without a word: what Textual's own fields ask for."""
        Clipboard(self.outside, self._send).send(text, "")
