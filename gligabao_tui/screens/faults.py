"""Shown instead of the app when definitions of agents are not sound: every problem of every file.

Nothing was started; the files can be mended and read again from here.
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal, TypeAlias

from textual.binding import BindingType
from textual.widget import Widget

from engine.api import Problem
from gligabao_tui.keys import Scope
from gligabao_tui.screens.dialog import Dialog
from gligabao_tui.screens.given import Given
from gligabao_tui.terminal.lending import edit_file
from gligabao_tui.view.agent_problems import cannot_start_lines, problems_text
from gligabao_tui.view.agents import faulty_file, problems_told
from gligabao_tui.view.text import Line, Tone
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.line_view import LineView
from gligabao_tui.widgets.plain import copy_text, say

Answer: TypeAlias = Literal["again"]


class FaultsDialog(Dialog[Answer]):
    """Dismissed with None when the app is to be left."""

    SCOPE: Scope = "faults"
    TITLE_TONE: Tone = "bad"
    PRIMARY = "again"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("faults"))

    def __init__(self, problems: Sequence[Problem], given: Given) -> None:
        super().__init__(f"gligabao cannot start: {problems_told(problems)}")
        self.add_class("-bad", "-tall-dialog")
        self._problems = problems
        self._given = given
        directory, name = given.settings.agent_defs_dir, faulty_file(problems)
        self._file = directory / name if directory and name else None
        self._text = LineView(id="faults-text")

    def content(self) -> Iterable[Widget]:
        yield self._text

    def on_mount(self) -> None:
        self._text.show(self._lines)
        self._text.focus()

    def action_leave(self) -> None:
        self.dismiss(None)

    def action_again(self) -> None:
        self.dismiss("again")

    def action_edit(self) -> None:
        """Lend the terminal to the person's editor, then try again."""
        if self._file is None:
            say(self.app, "None of these files is your own", is_bad=True)
        elif problem := edit_file(self.app, self._file):
            say(self.app, problem, is_bad=True)
        else:
            self.dismiss("again")

    def action_copy(self) -> None:
        copy_text(self.app, problems_text(self._problems, ()), "the problems")

    def _lines(self, width: int) -> tuple[Line, ...]:
        key, glyphs = self._given.keymap.spelled("faults.again"), self._given.glyphs
        return cannot_start_lines(self._problems, width - 1, key=key, glyphs=glyphs)
