"""Asks before agents that still work are stopped by leaving."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal, TypeAlias

from textual.binding import BindingType
from textual.widget import Widget

from engine.api import Run
from gligabao_tui.keys import Scope
from gligabao_tui.screens.dialog import Dialog, says
from gligabao_tui.screens.given import Given
from gligabao_tui.view.questions import leave_question, leave_title
from gligabao_tui.view.text import Line
from gligabao_tui.widgets.bindings import bindings

Leaving: TypeAlias = Literal["stay", "stop_all"]


class LeaveDialog(Dialog[Leaving]):
    SCOPE: Scope = "quit"
    DANGERS = ("stop_all",)
    PRIMARY = "stay"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("quit"))

    def __init__(self, working: Sequence[Run], given: Given) -> None:
        super().__init__(leave_title(working))
        self._working = working
        self._given = given

    def content(self) -> Iterable[Widget]:
        yield says(self._lines)

    def action_stay(self) -> None:
        self.dismiss("stay")

    def action_stop_all(self) -> None:
        self.dismiss("stop_all")

    def _lines(self, width: int) -> tuple[Line, ...]:
        given = self._given
        return leave_question(self._working, width, given.now(), glyphs=given.glyphs)
