"""When the app's state is written: soon after a change, off the screen's loop, and at the end.

What the state is, the screens know; `read` gives it as text whenever it is asked.
"""

from asyncio import to_thread
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from textual.app import App

from gligabao_tui.resources import write_whole

KEEP_AFTER_SECONDS = 0.5
"""Whoever loses the program loses no more of it than this and a write."""


class Keeping:
    """Nothing is written while the text is what was written last."""

    def __init__(self, app: App[Any], file: Path, read: Callable[[], str]) -> None:
        self._app = app
        self._file = file
        self._read = read
        self._kept = ""
        self._is_armed = False
        self._newest = self._asked = 0
        self._writing = Lock()

    def touch(self) -> None:
        """Something may have changed: look soon, once for all that changes meanwhile."""
        if not self._is_armed:
            self._is_armed = True
            self._app.set_timer(KEEP_AFTER_SECONDS, self._keep)

    def keep_now(self) -> None:
        """At the end; waits for the disk."""
        if (text := self._read()) != self._kept:
            self._write(text, self._next())

    async def _keep(self) -> None:
        self._is_armed = False
        text = self._read()
        if text != self._kept and await to_thread(self._write, text, self._next()):
            self._kept = text

    def _next(self) -> int:
        self._asked += 1
        return self._asked

    def _write(self, text: str, number: int) -> bool:
        """Whether it was written: an older state never replaces a newer one."""
        with self._writing, suppress(OSError):  # a full disk must not keep anybody from working
            if number > self._newest:
                write_whole(self._file, text)
                self._newest = number
                return True
        return False
