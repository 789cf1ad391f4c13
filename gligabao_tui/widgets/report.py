"""The report of a run: laid out when it is done, and block by block while it is written."""

from datetime import datetime

from textual.app import ComposeResult
from textual.containers import Vertical

from gligabao_tui.keys import Scope
from gligabao_tui.view.details import Details
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.markdown import split_open
from gligabao_tui.view.markdown_lines import LINK, markdown_lines
from gligabao_tui.view.report_notes import report_note
from gligabao_tui.view.text import EMPTY, Line, paragraph
from gligabao_tui.widgets.line_view import LineView
from gligabao_tui.widgets.plain import Drawn, copy_text

READING_CELLS = 100
"""Longer lines are hard to read."""


class ReportView(Vertical):
    """What still grows is shown below the rest as plain text."""

    SCOPE: Scope = "report"

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(id="report")
        self._glyphs = glyphs
        self._note = Drawn(id="report-note")
        self._text = LineView(id="report-text")
        self._shown = ("", "")
        self._copied = ""
        self._laid_out: tuple[str, int, tuple[Line, ...]] = ("", 0, ())

    def compose(self) -> ComposeResult:
        yield self._note
        yield self._text

    def show(self, details: Details, now: datetime) -> None:  # noqa: ARG002  # see `tick`
        """The report, or what is being written, or why there is none."""
        note, tone = report_note(details)
        self._copied = details.report or details.writing
        closed, tail = (details.report, "") if details.report else split_open(details.writing)
        self._note.show(lambda width: paragraph(note, width, tone))
        self._note.display = bool(note)
        if (closed, tail) != self._shown:
            self._shown = (closed, tail)
            self._text.show(lambda width: self._lines(closed, tail, width))

    def begin(self, details: Details) -> None:  # noqa: ARG002  # every report begins at its start
        self._text.scroll_home(animate=False)

    def tick(self, now: datetime) -> None:
        """Nothing of it looks different as time passes."""

    def focus_page(self) -> None:
        self._text.focus()

    def copied_text(self) -> str:
        return self._copied

    def on_line_view_clicked(self, event: LineView.Clicked) -> None:
        """Addresses of pages are for reading and copying; nothing is opened from here."""
        event.stop()
        address = event.target.removeprefix(LINK)
        copy_text(self.app, address, f"the address {address}")

    def _lines(self, closed: str, tail: str, width: int) -> tuple[Line, ...]:
        """Only the part that grows is laid out again for every piece of it."""
        cells = min(width, READING_CELLS)
        if self._laid_out[:2] != (closed, cells):
            self._laid_out = (closed, cells, markdown_lines(closed, cells, glyphs=self._glyphs))
        lines = self._laid_out[2]
        return (*lines, EMPTY, *paragraph(tail, cells)) if tail else lines
