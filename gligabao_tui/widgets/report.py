"""The report of a run: laid out when it is done, and piece by piece while it is written.

Beside it its outline where there is room, over it where there is none. Asks for what its links
lead to; opens nothing itself.
"""

from dataclasses import replace
from datetime import datetime
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message

from gligabao_tui.keys import Scope
from gligabao_tui.view.bookmarks import Bookmark
from gligabao_tui.view.details import Details
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.link import Cited, address_of, cited_of
from gligabao_tui.view.markdown import NOTHING, Split, pieces, split_open
from gligabao_tui.view.outline import FEWEST
from gligabao_tui.view.report_layout import marks_of, notes_last
from gligabao_tui.view.report_notes import Below, below_report, note_lines, report_notes
from gligabao_tui.widgets.bindings import bindings, keymap_of
from gligabao_tui.widgets.line_view import LineView
from gligabao_tui.widgets.outline import OutlineList
from gligabao_tui.widgets.plain import Drawn
from gligabao_tui.widgets.report_text import ReportText

BESIDE_FROM, ROOMY_FROM = 84, 110
"""Cells of the pane from which the outline stands beside the text, and from which it is wider."""


class ReportView(Vertical):
    """What still grows is shown below the rest as plain text."""

    SCOPE: Scope = "report"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("report"))

    class SourceWanted(Message):
        """What is quoted from a source of the report is to be shown."""

        def __init__(self, cited: Cited) -> None:
            super().__init__()
            self.cited = cited

    class LinkWanted(Message):
        """Somebody wants to know where a link leads."""

        def __init__(self, address: str) -> None:
            super().__init__()
            self.address = address

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(id="report")
        self._glyphs = glyphs
        self._note = Drawn(id="report-note")
        self._outline = OutlineList(glyphs, id="report-outline")
        self._text = ReportText(glyphs, id="report-text")
        self._below = Drawn(id="report-below")
        self._report = self._written = ""
        self._split: Split = NOTHING
        self._wants_outline, self._is_over = True, False
        self._told = (False, False)

    def compose(self) -> ComposeResult:
        yield self._note
        with Horizontal(id="report-body"):
            yield self._outline
            yield self._text
        yield self._below

    def show(self, details: Details, now: datetime) -> None:  # noqa: ARG002  # see `tick`
        """The report, or what is being written, or why there is none."""
        notes = report_notes(details, keymap_of(self.app))
        self._note.show(lambda width: note_lines(notes, width))
        self._note.display = bool(notes)
        if details.report:
            self._show_report(details)
        elif details.writing != self._written or self._report:
            self._show_writing(details.writing)

    def begin(self, details: Details) -> None:
        """From its start, or from its end while it is written."""
        self._report = self._written = ""
        self._split, self._is_over = NOTHING, False
        self._text.restart(follows=details.run.status == "running")

    def mark(self, bookmark: Bookmark) -> Bookmark:
        return replace(bookmark, report=self._text.part)

    def go_back(self, bookmark: Bookmark) -> None:
        self._text.go_to_part(bookmark.report)

    def tick(self, now: datetime) -> None:
        """Nothing of it looks different as time passes."""

    def focus_page(self) -> None:
        self._text.focus()

    def copied_text(self) -> str:
        """The report as Markdown."""
        return self._report or self._written

    def laid_out_text(self) -> str:
        """The report as it is laid out, as plain text."""
        return self._text.laid_out_text()

    def action_outline(self) -> None:
        """Show or hide it; remembered as long as the app runs. Over the text, only once."""
        if self._is_beside:
            self._wants_outline = not self._wants_outline
        else:
            self._is_over = not self._is_over
        self._show_around()
        (self._outline if self._is_over else self._text).focus()

    def action_next_link(self) -> None:
        self._text.move_link(1)

    def action_previous_link(self) -> None:
        self._text.move_link(-1)

    def action_follow_link(self) -> None:
        self._follow(self._text.target)

    def action_follow(self) -> None:
        self._text.follows = not self._text.follows

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        """Hints that would do nothing are not shown."""
        match action:
            case "follow":
                return self._is_written
            case "follow_link":
                return bool(self._text.target) and not self._outline.has_focus
            case "outline":
                return self._has_outline
            case "next_link" | "previous_link":
                return bool(self._report or self._written)
            case _:
                return True

    def on_resize(self) -> None:
        self._show_around()

    def on_report_text_moved(self, event: ReportText.Moved) -> None:
        event.stop()
        self._show_around()

    def on_outline_list_chosen(self, event: OutlineList.Chosen) -> None:
        event.stop()
        self._is_over = False
        if event.number is not None:
            self._text.go_to_heading(event.number)
        self._text.focus()
        self._show_around()

    def on_line_view_clicked(self, event: LineView.Clicked) -> None:
        event.stop()
        self._follow(event.target)

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        event.stop()
        if event.target == "follow":
            self._text.follows = True

    @property
    def _is_written(self) -> bool:
        return bool(self._written) and not self._report

    @property
    def _is_beside(self) -> bool:
        return self.outer_size.width >= BESIDE_FROM

    @property
    def _has_outline(self) -> bool:
        return len(self._text.entries) >= FEWEST

    def _show_report(self, details: Details) -> None:
        if details.report == self._report:
            return
        self._report, self._written = details.report, ""
        found = pieces(details.report)
        self._text.show_finished(notes_last(found), marks_of(details.report, found, details.cited))

    def _show_writing(self, text: str) -> None:
        """Only what follows the closed pieces is looked at again."""
        known = self._split if text.startswith(self._written) and not self._report else NOTHING
        self._report, self._written = "", text
        self._split = split_open(text, known)
        self._text.show_text(self._split.closed, tail=self._split.tail.text)

    def _follow(self, target: str) -> None:
        """What a link leads to: inside the report it is gone to, outside it is asked for."""
        if (cited := cited_of(target)) is not None:
            self.post_message(self.SourceWanted(cited))
        elif address := address_of(target):
            self.post_message(self.LinkWanted(address))
        else:
            self._text.go_to_note(target)

    def _show_around(self) -> None:
        """The outline and the line below, as they must be now."""
        is_shown = self._has_outline and (self._wants_outline if self._is_beside else self._is_over)
        self.set_class(not self._is_beside, "-outline-over")
        self.set_class(self.outer_size.width >= ROOMY_FROM, "-outline-roomy")
        self._outline.display = is_shown
        if is_shown:
            self._outline.show_entries(self._text.entries, self._text.reading)
        self._show_below()
        told = (bool(self._text.target), self._has_outline)
        if told != self._told:
            self._told = told
            self.refresh_bindings()

    def _show_below(self) -> None:
        text, glyphs = self._text, self._glyphs
        has_new = self._is_written and not text.follows and not text.is_at_end
        key = keymap_of(self.app).word("report.follow")
        below = Below(text.target, self._is_written and text.follows, has_new, key)
        self._below.display = bool(text.target) or self._is_written
        self._below.show(lambda width: (below_report(below, width, glyphs),))
