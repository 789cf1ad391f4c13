"""Textual's driver of a terminal, which also tells how long writing takes and when to stop.

It draws nothing itself. Only for systems with terminals as POSIX knows them: it is imported when
Textual has chosen the same driver.
"""

from collections.abc import Callable
from time import monotonic
from typing import IO, Any, cast

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

from gligabao_tui.terminal.pace import LONG_WRITE_SECONDS


def unheard(_: float) -> None:
    """Nobody listens yet."""


class TerminalDriver(LinuxDriver):
    """`on_long_write` is called in the writing thread with the seconds that one write took.
    `is_hung_up`: the terminal has gone, and writing to it could wait for ever."""

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self.on_long_write: Callable[[float], None] = unheard
        self.is_hung_up = False
        self._file = cast(Any, TimedFile(self._file, self._took))

    def write(self, data: str) -> None:
        if not self.is_hung_up:
            super().write(data)

    def _took(self, seconds: float) -> None:
        if seconds >= LONG_WRITE_SECONDS:
            self.on_long_write(seconds)


class TimedFile:
    """What Textual's writing thread needs of a file. It is measured here and not where frames are
    queued: the queue takes thirty frames before it makes anybody wait."""

    def __init__(self, file: IO[str] | Any, took: Callable[[float], None]) -> None:
        self._file = file
        self._took = took

    def write(self, text: str) -> None:
        begun = monotonic()
        self._file.write(text)
        self._took(monotonic() - begun)

    def flush(self) -> None:
        begun = monotonic()
        self._file.flush()
        self._took(monotonic() - begun)

    def fileno(self) -> int:
        return int(self._file.fileno())
