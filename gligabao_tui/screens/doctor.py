"""What is set up and what is not, with what to do about it; looked at anew at a key."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget
from textual.worker import Worker

from engine.api import Check, GligabaoError
from gligabao_tui.keys import Scope
from gligabao_tui.screens.dialog import Dialog
from gligabao_tui.screens.given import Given
from gligabao_tui.view.doctor import doctor_lines, doctor_text, doctor_title, engine_check
from gligabao_tui.view.status_line import EngineState
from gligabao_tui.view.text import Line
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.line_view import LineView
from gligabao_tui.widgets.plain import copy_text

LOOKING = "Doctor: looking"


class DoctorDialog(Dialog[None]):
    """`extra` are checks of the app's own, such as those of the person's keys."""

    SCOPE: Scope = "doctor"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("doctor"))

    def __init__(self, given: Given, engine: EngineState, extra: Sequence[Check] = ()) -> None:
        super().__init__(LOOKING)
        self.add_class("-tall-dialog")
        self._given = given
        self._known = (engine_check(engine), *extra)
        self._checks: tuple[Check, ...] = self._known
        self._text = LineView(id="doctor-text")

    def content(self) -> Iterable[Widget]:
        yield self._text

    def on_mount(self) -> None:
        self._text.focus()
        self.action_again()

    def action_again(self) -> None:
        self.entitle(LOOKING)
        _: Worker[None] = self.run_worker(self._examine, exclusive=True)

    def action_copy(self) -> None:
        copy_text(self.app, doctor_text(self._checks, self._given.glyphs), "what the doctor found")

    def action_close(self) -> None:
        self.dismiss(None)

    async def _examine(self) -> None:
        try:
            self._checks = (*self._known, *await self._given.calls.doctor())
        except GligabaoError as error:
            told = f"The rest cannot be looked at: {error}"
            self._checks = (*self._known, Check("engine's checks", "problem", told))
        if self.is_open:
            self.entitle(doctor_title(self._checks))
            self._text.show(self._lines)

    def _lines(self, width: int) -> tuple[Line, ...]:
        return doctor_lines(self._checks, width - 1, self._given.glyphs)
