"""Shows why a run failed or was stopped, what to do, and leads to the state or to a new start."""

from collections.abc import Iterable
from typing import ClassVar, Literal, TypeAlias

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget

from gligabao_tui.keys import Scope
from gligabao_tui.screens.dialog import Dialog, says
from gligabao_tui.screens.given import Given
from gligabao_tui.view.failure import Failure, failure_lines, failure_text, failure_title
from gligabao_tui.view.text import Line, Tone
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.plain import copy_text

Answer: TypeAlias = int | Literal["again"]
"""The seq of the state to go to, or that the same shall be started again."""


class FailureDialog(Dialog[Answer]):
    """Dismissed with None when it is only closed."""

    SCOPE: Scope = "error"
    TITLE_TONE: Tone = "bad"
    PRIMARY = "go_to_state"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("error"))

    def __init__(self, failure: Failure, given: Given) -> None:
        super().__init__(failure_title(failure.details))
        self.add_class("-bad")
        self._failure = failure
        self._given = given

    def content(self) -> Iterable[Widget]:
        yield VerticalScroll(says(self._lines), classes="dialog-scroll")

    def action_close(self) -> None:
        self.dismiss(None)

    def action_go_to_state(self) -> None:
        moment = self._failure.details.failed_in
        self.dismiss(moment.key if moment else None)

    def action_copy(self) -> None:
        copy_text(self.app, failure_text(self._failure), "the error")

    def action_again(self) -> None:
        self.dismiss("again")

    def _lines(self, width: int) -> tuple[Line, ...]:
        given = self._given
        return failure_lines(self._failure, width, now=given.now(), glyphs=given.glyphs)
