"""Asks how an agent, or all of them, should end: not at all, with a report, or at once."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal, TypeAlias

from textual.binding import BindingType
from textual.widget import Widget

from engine.api import GligabaoError, Run
from gligabao_tui.keys import Scope
from gligabao_tui.screens.dialog import Dialog, says
from gligabao_tui.screens.given import Given
from gligabao_tui.view.questions import (
    sources_read,
    stop_all_question,
    stop_all_title,
    stop_question,
)
from gligabao_tui.view.text import Line
from gligabao_tui.widgets.bindings import bindings

Ending: TypeAlias = Literal["keep", "wrap_up", "stop"]


class StopQuestion(Dialog[Ending]):
    """What both questions have in common: their three answers."""

    DANGERS = ("stop_now",)
    PRIMARY = "keep"

    def action_keep(self) -> None:
        self.dismiss("keep")

    def action_wrap_up(self) -> None:
        self.dismiss("wrap_up")

    def action_stop_now(self) -> None:
        self.dismiss("stop")


class StopDialog(StopQuestion):
    SCOPE: Scope = "stop"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("stop"))

    def __init__(self, run: Run, given: Given) -> None:
        super().__init__(f"Stop #{run.id}?")
        self._run = run
        self._given = given
        self._sources: int | None = None
        self._words = says(self._lines)

    def content(self) -> Iterable[Widget]:
        yield self._words

    def on_mount(self) -> None:
        self.run_worker(self._read())

    async def _read(self) -> None:
        """What it has read is said when it is known; the question does not wait for it."""
        try:
            read = await self._given.calls.get(self._run.id)
        except GligabaoError:
            return
        if not self.is_open:  # it was answered meanwhile
            return
        self._run, self._sources = read.run, sources_read(read.states)
        self._words.show(self._lines)

    def _lines(self, width: int) -> tuple[Line, ...]:
        return stop_question(self._run, width, self._given.now(), sources=self._sources)


class StopAllDialog(StopQuestion):
    SCOPE: Scope = "stop_all"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("stop_all"))

    def __init__(self, working: Sequence[Run], given: Given) -> None:
        super().__init__(stop_all_title(working))
        self._working = working
        self._given = given

    def content(self) -> Iterable[Widget]:
        yield says(self._lines)

    def _lines(self, width: int) -> tuple[Line, ...]:
        given = self._given
        return stop_all_question(self._working, width, given.now(), glyphs=given.glyphs)
