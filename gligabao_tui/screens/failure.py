"""Shows why a run failed or was stopped, and leads to the state it happened in."""

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget

from gligabao_tui.keys import Scope
from gligabao_tui.screens.dialog import Dialog, says
from gligabao_tui.view.details import Details
from gligabao_tui.view.failure import failure_lines, failure_text, failure_title
from gligabao_tui.view.text import Tone
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.plain import copy_text


class FailureDialog(Dialog[int | None]):
    """Its outcome is the seq of the state to go to, or None."""

    SCOPE: Scope = "error"
    TITLE_TONE: Tone = "bad"
    PRIMARY = "go_to_state"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("error"))

    def __init__(self, details: Details) -> None:
        super().__init__(failure_title(details.run))
        self.add_class("-bad")
        self._details = details

    def content(self) -> Iterable[Widget]:
        with VerticalScroll(classes="dialog-scroll", can_focus=False) as scroll:
            yield says(lambda width: failure_lines(self._details, width))
        yield scroll

    def action_close(self) -> None:
        self.dismiss(None)

    def action_go_to_state(self) -> None:
        moment = self._details.failed_in
        self.dismiss(moment.key if moment else None)

    def action_copy(self) -> None:
        copy_text(self.app, failure_text(self._details), "the error")
