"""Asks how an agent should end: not at all, with a report, or at once."""

from collections.abc import Iterable
from typing import ClassVar, Literal, TypeAlias

from textual.binding import BindingType
from textual.widget import Widget

from engine.api import Run
from gligabao_tui.keys import Scope
from gligabao_tui.screens.dialog import Dialog, says
from gligabao_tui.screens.given import Given
from gligabao_tui.view.questions import stop_question
from gligabao_tui.widgets.bindings import bindings

Ending: TypeAlias = Literal["keep", "wrap_up", "stop"]


class StopDialog(Dialog[Ending]):
    SCOPE: Scope = "stop"
    DANGERS = ("stop_now",)
    PRIMARY = "keep"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("stop"))

    def __init__(self, run: Run, context: Given) -> None:
        super().__init__(f"Stop #{run.id}?")
        self._run = run
        self._given = context

    def content(self) -> Iterable[Widget]:
        yield says(lambda width: stop_question(self._run, width, self._given.now()))

    def action_keep(self) -> None:
        self.dismiss("keep")

    def action_wrap_up(self) -> None:
        self.dismiss("wrap_up")

    def action_stop_now(self) -> None:
        self.dismiss("stop")
