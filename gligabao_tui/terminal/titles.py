"""The title of the terminal's window: pushed, changed only when it differs, and put back."""

from collections.abc import Callable

from gligabao_tui.terminal.sequences import TITLE_POP, TITLE_PUSH, title_sequence


class Title:
    """`send` writes to the terminal."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send
        self._shown = ""
        self._wanted = ""

    def show(self, title: str) -> None:
        self._wanted = title
        if title != self._shown:
            self._send(("" if self._shown else TITLE_PUSH) + title_sequence(title))
            self._shown = title

    def put_back(self) -> None:
        """Before the terminal is left to others."""
        if self._shown:
            self._send(TITLE_POP)
            self._shown = ""

    def show_again(self) -> None:
        """After others had the terminal."""
        if self._wanted:
            self.show(self._wanted)
