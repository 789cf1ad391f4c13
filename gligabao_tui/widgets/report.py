"""The report of a run: Markdown that grows block by block while it is written."""

from typing import ClassVar

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widgets import Markdown

from engine.api import clean
from gligabao_tui.view.details import Details
from gligabao_tui.view.markdown import split_open
from gligabao_tui.view.report_notes import report_note
from gligabao_tui.view.text import paragraph
from gligabao_tui.widgets.block_list import MOVES
from gligabao_tui.widgets.plain import Drawn


class ReportView(VerticalScroll, can_focus=True):
    """Lays out what is finished; what still grows is shown below it as plain text."""

    BINDINGS: ClassVar[list[BindingType]] = MOVES

    def __init__(self) -> None:
        super().__init__(id="report")
        self._note = Drawn(id="report-note")
        self._markdown = Markdown(id="report-text", parser_factory=_parser, open_links=False)
        self._tail = Drawn(id="report-tail")
        self._wanted = self._laid_out = ""
        self._is_busy = False

    def compose(self) -> ComposeResult:
        yield self._note
        yield self._markdown
        yield self._tail

    def show(self, details: Details) -> None:
        """The report, or what is being written, or why there is none."""
        note, tone = report_note(details)
        closed, tail = split_open(details.writing)
        if details.report:
            closed, tail = details.report, ""
        self._note.show(lambda width: paragraph(note, width, tone))
        self._note.display = bool(note)
        self._tail.show(lambda width: paragraph(tail, width))
        self._tail.display = bool(tail)
        self._lay_out(closed)

    def action_move(self, by: int) -> None:
        self.scroll_relative(y=by, animate=False)

    def action_move_page(self, by: int) -> None:
        self.scroll_relative(y=by * max(1, self.size.height - 2), animate=False)

    def action_move_to_start(self) -> None:
        self.scroll_home(animate=False)

    def action_move_to_end(self) -> None:
        self.scroll_end(animate=False)

    def _lay_out(self, text: str) -> None:
        self._wanted = text
        if not self._is_busy and self._wanted != self._laid_out:
            self._is_busy = True
            self.run_worker(self._catch_up(), exit_on_error=True)

    async def _catch_up(self) -> None:
        """Append what is new; begin again only when what was laid out is void."""
        try:
            while self._laid_out != self._wanted:
                wanted = self._wanted
                if not wanted.startswith(self._laid_out):
                    await self._markdown.update("")
                    self._laid_out = ""
                if wanted:
                    await self._markdown.append(wanted[len(self._laid_out) :])
                self._laid_out = wanted
        finally:
            self._is_busy = False


def _parser() -> MarkdownIt:
    """Also what entities decode to is cleaned: `&#x202E;` is no way around it."""
    parser = MarkdownIt("gfm-like")
    parser.core.ruler.push("clean", _clean_tokens)
    return parser


def _clean_tokens(state: StateCore) -> None:
    for token in state.tokens:
        for inner in (token, *(token.children or ())):
            inner.content = clean(inner.content)
            inner.attrs = {
                name: clean(value) if isinstance(value, str) else value
                for name, value in inner.attrs.items()
            }
