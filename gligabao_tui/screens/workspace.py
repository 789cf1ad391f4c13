"""The three parts of the workspace side by side: the list or the details of a run, and the dock."""

from datetime import datetime

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import ContentSwitcher

from engine.api import RunId
from gligabao_tui.screens.given import Given
from gligabao_tui.view.desk import Desk
from gligabao_tui.view.listing import shown
from gligabao_tui.view.welcome import welcome
from gligabao_tui.widgets.details import DetailsView
from gligabao_tui.widgets.dock import Dock
from gligabao_tui.widgets.run_list import RunList

NARROW_BELOW = 100
ZOOMED = "-zoomed"


class Workspace(Horizontal):
    """Shows a desk; which side of the pane is shown follows from it."""

    def __init__(self, given: Given) -> None:
        super().__init__(id="body")
        self._desk = Desk()
        self.runs = RunList(
            given.glyphs,
            welcome=lambda width: welcome(given.settings, width, given.glyphs, keymap=given.keymap),
        )
        self.details = DetailsView(given.glyphs)
        self.dock_view = Dock(given.glyphs)

    def compose(self) -> ComposeResult:
        with ContentSwitcher(initial="runs", id="pane"):
            yield self.runs
            yield self.details
        yield self.dock_view

    @property
    def opened(self) -> RunId | None:
        """The run whose details are shown."""
        return self._desk.details.id if self._desk.details is not None else None

    def show(self, desk: Desk, now: datetime) -> None:
        """The side of the pane that is seen: the list may be thousands of runs long."""
        was_hidden = self.opened is not None
        self._desk = desk
        if desk.details is not None:
            self.details.show(desk.details, now)
        else:
            self.runs.show(desk.listing, shown(desk.listing, desk.board.runs), now)
            if was_hidden:  # rows that are as they were are not drawn again, but time has passed
                self.runs.tick(now)
        self.show_dock(now)

    def tick(self, now: datetime) -> None:
        """Time has passed and nothing else."""
        self.show_dock(now)
        if self.opened is None:
            self.runs.tick(now)
        else:
            self.details.tick(now)

    def show_dock(self, now: datetime) -> None:
        """A strip where it is narrow, and nothing where the pane has all the room."""
        is_strip = self.screen.size.width < NARROW_BELOW
        self.dock_view.show(self._desk.board.dock, now, is_strip=is_strip)
        self.dock_view.mark(self.opened)
        self.dock_view.display = self.dock_view.display and not self.screen.has_class(ZOOMED)
        if self.dock_view.has_focus and not self.dock_view.display:
            self.focus_pane()

    def show_details(self, seq: int | None = None) -> None:
        """Of the run that was read, at one of its states if that is given."""
        self.query_one("#pane", ContentSwitcher).current = "details"
        if seq is None:
            self.details.focus_page()
        else:
            self.details.go_to_state(seq)

    def show_runs(self) -> None:
        self.query_one("#pane", ContentSwitcher).current = "runs"
        self.focus_pane()

    def focus_pane(self) -> None:
        if self.opened is None:
            self.runs.focus_rows()
        else:
            self.details.focus_page()

    def turn(self, by: int) -> None:
        """To the next filter of the list, or the next tab of the details."""
        (self.runs if self.opened is None else self.details).turn(by)
