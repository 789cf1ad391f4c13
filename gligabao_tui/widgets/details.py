"""The details of one run: head, tabs, its states and its report."""

from datetime import datetime
from typing import ClassVar, Literal, TypeAlias

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import ContentSwitcher

from gligabao_tui.view.details import Details, Moment
from gligabao_tui.view.formatting import EPOCH
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.state_rows import Frame, details_head, state_lines
from gligabao_tui.view.tabs import TABS, TabName, below_line, report_line, tab_line
from gligabao_tui.view.text import Line
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.block_list import BlockList
from gligabao_tui.widgets.plain import Drawn, copy_text
from gligabao_tui.widgets.report import ReportView

Wish: TypeAlias = Literal["back", "write", "error"]


class DetailsView(Vertical):
    """Keeps tab, cursor, opened states and place while the run it shows goes on."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings("details"))

    class Asked(Message):
        """Somebody wants to go back, or to write the report to a file."""

        def __init__(self, wish: Wish) -> None:
            super().__init__()
            self.wish: Wish = wish

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(id="details")
        self._glyphs = glyphs
        self._now = EPOCH
        self._details: Details | None = None
        self._tab: TabName = "states"
        self._head = Drawn(id="details-head")
        self._tabs = Drawn(id="details-tabs")
        self._states: BlockList[Moment] = BlockList(self._draw, id="states")
        self._report = ReportView(glyphs)
        self._below = Drawn(id="details-below")

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._tabs
        with ContentSwitcher(initial="states", id="details-pages"):
            yield self._states
            yield self._report
        yield self._below

    @property
    def details(self) -> Details | None:
        return self._details

    @property
    def _is_working(self) -> bool:
        return self._details is not None and self._details.run.status == "running"

    @property
    def tab(self) -> TabName:
        return self._tab

    @property
    def _topic(self) -> str:
        return self._details.run.topic if self._details else ""

    @property
    def moment(self) -> Moment | None:
        """The state under the cursor."""
        return self._states.current

    def show(self, details: Details, now: datetime) -> None:
        """This run as it is now; a run that was not shown before begins at its end."""
        is_another = self._details is None or self._details.id != details.id
        self._details, self._now = details, now
        if is_another:
            self._begin(details)
        self._states.show(details.moments)
        self._report.show(details)
        self._show_head()

    def tick(self, now: datetime) -> None:
        self._now = now
        self._states.tick()
        self._show_head()

    def close(self) -> None:
        self._details = None

    def focus_page(self) -> None:
        if self._tab == "states":
            self._states.focus()
        else:
            self._report.focus_text()

    def show_tab(self, tab: TabName) -> None:
        self._tab = tab
        self.query_one(ContentSwitcher).current = tab
        self._show_head()
        self.focus_page()

    def turn(self, by: int) -> None:
        self.show_tab(TABS[(TABS.index(self._tab) + by) % len(TABS)])

    def go_to_state(self, seq: int) -> None:
        """Open a state and put the cursor on it."""
        self.show_tab("states")
        self._states.go_to(seq, opened=True)

    def copied_text(self) -> str:
        """What copying takes: the report, or the state under the cursor."""
        if self._details is None:
            return ""
        if self._tab == "report":
            return self._details.report or self._details.writing
        return self._states.text_of(self.moment) if self.moment else ""

    def action_back(self) -> None:
        self.post_message(self.Asked("back"))

    def action_write_report(self) -> None:
        self.post_message(self.Asked("write"))

    def action_show_states(self) -> None:
        self.show_tab("states")

    def action_show_report(self) -> None:
        self.show_tab("report")

    def action_expand(self) -> None:
        self._states.toggle()

    def action_follow(self) -> None:
        self._states.follows = not self._states.follows

    def action_open_all(self) -> None:
        self._states.set_all(opened=True)

    def action_close_all(self) -> None:
        self._states.set_all(opened=False)

    def action_next_failure(self) -> None:
        if self._details and self._details.failures:
            at = self.moment.key if self.moment else 0
            keys = [moment.key for moment in self._details.failures]
            self.go_to_state(next((key for key in keys if key > at), keys[0]))

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        """Hints that would do nothing are not shown."""
        if action in ("expand", "open_all", "close_all"):
            return self._tab == "states"
        if action == "follow":
            return self._tab == "states" and self._is_working
        if action == "write_report":
            return bool(self._details and self._details.report)
        if action == "next_failure":
            return bool(self._details and self._details.failures)
        return True

    def on_report_view_link_asked(self, event: ReportView.LinkAsked) -> None:
        """Addresses of pages are for reading and copying; nothing is opened from here."""
        event.stop()
        copy_text(self.app, event.address, f"the address {event.address}")

    def on_block_list_chosen(self, event: BlockList.Chosen) -> None:
        event.stop()
        self._states.toggle()

    def on_block_list_moved(self, event: BlockList.Moved) -> None:
        event.stop()
        self._show_below()

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        event.stop()
        if event.target == "follow":
            self._states.follows = True
        elif event.target == "error":
            self.post_message(self.Asked("error"))
        else:
            self._click_tab(event.target)

    def _click_tab(self, target: str) -> None:
        for tab in TABS:
            if target == f"tab:{tab}":
                self.show_tab(tab)

    def _begin(self, details: Details) -> None:
        self._states.restart()
        is_working = details.run.status == "running"
        self._states.follows = is_working
        self._tab = "report" if details.report and not is_working else "states"
        self.query_one(ContentSwitcher).current = self._tab
        self._report.begin()

    def _draw(self, item: Moment, width: int, *, is_open: bool | None) -> tuple[Line, ...]:
        return state_lines(item, Frame(width, self._now, self._glyphs, is_open, self._topic))

    def _show_head(self) -> None:
        details, now, glyphs = self._details, self._now, self._glyphs
        if details is not None:
            self._head.show(lambda width: details_head(details, width, now=now, glyphs=glyphs))
            self._tabs.show(lambda width: (tab_line(details, self._tab, width),))
            self._show_below()

    def _show_below(self) -> None:
        states, glyphs = self._states, self._glyphs
        below, follows = states.blocks_below, states.follows
        has_report = bool(self._details and self._details.report)
        is_told = self._is_working or has_report or below > 0
        self._below.display = self._tab == "states" and is_told
        if has_report:
            self._below.show(lambda width: (report_line(width, glyphs),))
            return
        self._below.show(lambda width: (below_line(below, width, follows=follows, glyphs=glyphs),))
