"""Asks for the name of a copy of an agent, and makes it: a definition of one's own to be changed.

Nothing that is there is overwritten; what cannot be written is said under the name.
"""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import Input

from engine.api import GligabaoError
from gligabao_tui.keys import Scope
from gligabao_tui.screens.dialog import Dialog, says
from gligabao_tui.view.agent_copy import copied_told, copy_lines, copy_name
from gligabao_tui.view.text import Line, flat, paragraph
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.fields import PlainInput, fault_line, labelled
from gligabao_tui.widgets.plain import Drawn, say


class OwnCopyDialog(Dialog[str]):
    """Its outcome is the name of the copy."""

    SCOPE: Scope = "own_copy"
    PRIMARY = "make"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("own_copy"))

    def __init__(self, origin: str, directory: Path) -> None:
        super().__init__(f"A copy of {flat(origin)}")
        self._origin = origin
        self._directory = directory
        self._is_writing = False
        self._field = PlainInput(copy_name(origin), id="own-name")

    def content(self) -> Iterable[Widget]:
        yield says(self._lines)
        yield labelled("Its name", self._field)
        yield fault_line("own-name")

    def on_mount(self) -> None:
        self._show_fault("")
        self._field.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_make()

    def on_plain_input_left(self, event: PlainInput.Left) -> None:
        event.stop()
        self.action_cancel()

    def action_cancel(self) -> None:
        self.dismiss(None)

    def action_make(self) -> None:
        """Once, however often it is asked for."""
        if not self._is_writing:
            self._is_writing = True
            self.run_worker(self._make(self._field.value.strip()))

    async def _make(self, name: str) -> None:
        """In a thread: the disk may take its time."""
        from engine.api import write_copy

        try:
            copied = await asyncio.to_thread(
                write_copy, name, self._origin, directory=self._directory
            )
        except GligabaoError as error:
            self._show_fault(str(error))
        else:
            told = copied_told(
                copied.paths[0].name,
                is_paused=copied.is_paused,
                other_skills=copied.other_skills,
            )
            say(self.app, told)
            self.dismiss(name)
        finally:
            self._is_writing = False

    def _show_fault(self, told: str) -> None:
        if self.is_open:
            fault = self.query_one("#fault-own-name", Drawn)
            fault.show(lambda width: paragraph(told, width, "bad"))
            fault.display = bool(told)

    def _lines(self, width: int) -> tuple[Line, ...]:
        return copy_lines(str(self._directory), width)
