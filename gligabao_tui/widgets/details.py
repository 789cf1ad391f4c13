"""The details of one run: its head, and a tab for every side of it."""

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar, Literal, TypeAlias, cast

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widget import Widget
from textual.widgets import ContentSwitcher

from engine.api import RunId
from gligabao_tui.keys import Scope
from gligabao_tui.view.bookmarks import Bookmark
from gligabao_tui.view.details import Details
from gligabao_tui.view.formatting import EPOCH
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.state_rows import details_head
from gligabao_tui.view.tabs import TABS, TabName, tab_line
from gligabao_tui.widgets.bindings import bindings, keymap_of
from gligabao_tui.widgets.cost import CostPage
from gligabao_tui.widgets.knowledge_page import KnowledgePage
from gligabao_tui.widgets.page import Page
from gligabao_tui.widgets.plain import Drawn
from gligabao_tui.widgets.report import ReportView
from gligabao_tui.widgets.states import StatesPage
from gligabao_tui.widgets.time_page import TimePage

Wish: TypeAlias = Literal["back", "write", "page", "error"]


class DetailsView(Vertical):
    """Keeps the tab, and each tab its place, while the run it shows goes on."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings("details"))

    class Asked(Message):
        """Somebody wants to go back, to write the report to a file or to read it in the pager, or
        to see the error."""

        def __init__(self, wish: Wish) -> None:
            super().__init__()
            self.wish: Wish = wish

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(id="details")
        self._glyphs = glyphs
        self._now = EPOCH
        self._details: Details | None = None
        self._tab: TabName = "states"
        self._bookmarks: dict[RunId, Bookmark] = {}
        self._head = Drawn(id="details-head")
        self._tabs = Drawn(id="details-tabs")
        self._states = StatesPage(glyphs)
        self._report = ReportView(glyphs)
        self._pages: Mapping[TabName, Page] = {
            "states": self._states,
            "report": self._report,
            "knowledge": KnowledgePage(glyphs),
            "time": TimePage(glyphs),
            "cost": CostPage(glyphs),
        }

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._tabs
        with ContentSwitcher(initial="states", id="details-pages"):
            for page in self._pages.values():
                yield cast(Widget, page)

    @property
    def details(self) -> Details | None:
        return self._details

    @property
    def tab(self) -> TabName:
        return self._tab

    @property
    def scope(self) -> Scope:
        """Of the tab that is shown."""
        return self._page.SCOPE

    def show(self, details: Details, now: datetime) -> None:
        """This run as it is now; of another run than before, what matters most comes first."""
        is_another = self._details is None or self._details.id != details.id
        if is_another:
            self._leave_bookmark()
        self._details, self._now = details, now
        if is_another:
            self._begin(details)
        for page in self._pages.values():
            page.show(details, now)
        if is_another and details.id in self._bookmarks:
            self._go_back(details, self._bookmarks[details.id])
        self._show_head()

    def tick(self, now: datetime) -> None:
        self._now = now
        self._page.tick(now)
        self._show_head()

    def close(self) -> None:
        self._leave_bookmark()
        self._details = None

    @property
    def bookmarks(self) -> Mapping[RunId, Bookmark]:
        """Where the person is, or was, in each run; the latest last."""
        if self._details is not None:
            self._leave_bookmark()
        return dict(self._bookmarks)

    def know_bookmarks(self, bookmarks: Mapping[RunId, Bookmark]) -> None:
        """What was kept from an earlier time."""
        self._bookmarks = {**bookmarks, **self._bookmarks}

    def focus_page(self) -> None:
        self._page.focus_page()

    def show_tab(self, tab: TabName) -> None:
        self._turn_to(tab)
        self._show_head()
        self.focus_page()

    def turn(self, by: int) -> None:
        self.show_tab(TABS[(TABS.index(self._tab) + by) % len(TABS)])

    def go_to_state(self, seq: int) -> None:
        """Open a state and put the cursor on it."""
        self.show_tab("states")
        self._states.go_to(seq)

    def copied_text(self) -> str:
        """What copying takes from the tab that is shown."""
        return self._page.copied_text() if self._details else ""

    def action_back(self) -> None:
        self.post_message(self.Asked("back"))

    def action_write_report(self) -> None:
        self.post_message(self.Asked("write"))

    def action_page_report(self) -> None:
        self.post_message(self.Asked("page"))

    def action_show_states(self) -> None:
        self.show_tab("states")

    def action_show_report(self) -> None:
        self.show_tab("report")

    def action_show_knowledge(self) -> None:
        self.show_tab("knowledge")

    def action_show_time(self) -> None:
        self.show_tab("time")

    def action_show_cost(self) -> None:
        self.show_tab("cost")

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        """Hints that would do nothing are not shown."""
        if action == "write_report":
            return self._can_write
        return bool(self._details and self._details.report) if action == "page_report" else True

    def on_states_page_report_wanted(self, event: StatesPage.ReportWanted) -> None:
        event.stop()
        self.show_tab("report")

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        event.stop()
        if event.target == "error":
            self.post_message(self.Asked("error"))
        for tab in TABS:
            if event.target == f"tab:{tab}":
                self.show_tab(tab)

    @property
    def _page(self) -> Page:
        return self._pages[self._tab]

    @property
    def _can_write(self) -> bool:
        """Whether there is what the tab shows, or a report."""
        details = self._details
        if details is None:
            return False
        if self._tab == "knowledge":
            return details.known is not None and bool(details.known.provenance.artifacts)
        if self._tab == "time":
            return details.dated is not None and bool(details.dated.temporal.events)
        return bool(details.report)

    def _begin(self, details: Details) -> None:
        is_read = bool(details.report) and details.run.status != "running"
        self._turn_to("report" if is_read else "states")
        for page in self._pages.values():
            page.begin(details)

    def _leave_bookmark(self) -> None:
        """Remember where the person is in the run that is shown."""
        if self._details is None:
            return
        bookmark = Bookmark(tab=self._tab)
        for page in self._pages.values():
            bookmark = page.mark(bookmark)
        self._bookmarks.pop(self._details.id, None)
        self._bookmarks[self._details.id] = bookmark

    def _go_back(self, details: Details, bookmark: Bookmark) -> None:
        """Who watched the states to their end wants the report that came of them."""
        if not (details.report and bookmark.follows and bookmark.tab == "states"):
            self._turn_to(bookmark.tab)
        for page in self._pages.values():
            page.go_back(bookmark)

    def _turn_to(self, tab: TabName) -> None:
        self._tab = tab
        self.query_one(ContentSwitcher).current = tab

    def _show_head(self) -> None:
        details, now, glyphs = self._details, self._now, self._glyphs
        if details is not None:
            keymap = keymap_of(self.app)
            self._head.show(lambda width: details_head(details, width, now=now, glyphs=glyphs))
            self._tabs.show(lambda width: (tab_line(details, self._tab, width, keymap=keymap),))
