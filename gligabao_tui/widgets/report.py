"""The report of a run: laid out when it is done, and block by block while it is written."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from gligabao_tui.view.details import Details
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.markdown import split_open
from gligabao_tui.view.markdown_lines import LINK, markdown_lines
from gligabao_tui.view.report_notes import report_note
from gligabao_tui.view.text import EMPTY, Line, paragraph
from gligabao_tui.widgets.line_view import LineView
from gligabao_tui.widgets.plain import Drawn

READING_CELLS = 100
"""Longer lines are hard to read."""


class ReportView(Vertical):
    """What still grows is shown below the rest as plain text."""

    class LinkAsked(Message):
        """A link was clicked; nobody follows it."""

        def __init__(self, address: str) -> None:
            super().__init__()
            self.address = address

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(id="report")
        self._glyphs = glyphs
        self._note = Drawn(id="report-note")
        self._text = LineView(id="report-text")
        self._shown = ("", "")
        self._laid_out: tuple[str, int, tuple[Line, ...]] = ("", 0, ())

    def compose(self) -> ComposeResult:
        yield self._note
        yield self._text

    def show(self, details: Details) -> None:
        """The report, or what is being written, or why there is none."""
        note, tone = report_note(details)
        closed, tail = (details.report, "") if details.report else split_open(details.writing)
        self._note.show(lambda width: paragraph(note, width, tone))
        self._note.display = bool(note)
        if (closed, tail) != self._shown:
            self._shown = (closed, tail)
            self._text.show(lambda width: self._lines(closed, tail, width))

    def begin(self) -> None:
        """Another run is shown: from its start."""
        self._text.scroll_home(animate=False)

    def focus_text(self) -> None:
        self._text.focus()

    def on_line_view_clicked(self, event: LineView.Clicked) -> None:
        event.stop()
        self.post_message(self.LinkAsked(event.target.removeprefix(LINK)))

    def _lines(self, closed: str, tail: str, width: int) -> tuple[Line, ...]:
        """Only the part that grows is laid out again for every piece of it."""
        cells = min(width, READING_CELLS)
        if self._laid_out[:2] != (closed, cells):
            self._laid_out = (closed, cells, markdown_lines(closed, cells, glyphs=self._glyphs))
        lines = self._laid_out[2]
        return (*lines, EMPTY, *paragraph(tail, cells)) if tail else lines
