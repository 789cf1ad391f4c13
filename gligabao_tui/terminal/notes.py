"""Tells a person who looks elsewhere that an agent ended: a bell, and a note on the desktop."""

from collections.abc import Callable
from typing import Any

from textual.app import App

from gligabao_tui.terminal.attention import (
    Attention,
    focus_reported,
    telling,
    told,
    touched,
    wait_before_telling,
)
from gligabao_tui.terminal.outside import Outside
from gligabao_tui.terminal.sequences import note_sequence


class Notes:
    """`send` writes to the terminal, `clock` counts seconds. At most one note a second: what
    happens meanwhile is told together."""

    def __init__(
        self,
        app: App[Any],
        outside: Outside,
        *,
        send: Callable[[str], None],
        clock: Callable[[], float],
    ) -> None:
        self._app = app
        self._outside = outside
        self._send = send
        self._clock = clock
        self._attention = Attention(touched_at=clock())
        self._waiting = ""

    def touched(self) -> None:
        """The person pressed something."""
        self._attention = touched(self._attention, self._clock())

    def focus_reported(self) -> None:
        self._attention = focus_reported(self._attention)

    def tell(self, words: str) -> None:
        """Now, or within a second; nothing when the person looks on, or where none are wanted."""
        if not self._outside.may_note or not words:
            return
        is_waiting, self._waiting = bool(self._waiting), _joined(self._waiting, words)
        if is_waiting:
            return
        if wait := wait_before_telling(self._attention, self._clock()):
            self._app.set_timer(wait, self._tell_now)
        else:
            self._tell_now()

    def _tell_now(self) -> None:
        words, self._waiting = self._waiting, ""
        now = self._clock()
        how = telling(self._attention, now, has_focus=self._app.app_focus)
        if how == "nothing":
            return
        self._attention = told(self._attention, now)
        self._app.bell()
        if how == "note" and (note := self._note(words)):
            self._send(note)

    def _note(self, words: str) -> str:
        return note_sequence(words, self._outside.notes, self._outside.multiplexer)


def _joined(before: str, words: str) -> str:
    return f"{before}; {words}" if before else words
