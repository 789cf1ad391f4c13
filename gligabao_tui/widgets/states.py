"""The States tab: what the agent did, state by state, and what lies below the view."""

from collections.abc import Hashable
from dataclasses import replace
from datetime import datetime
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message

from gligabao_tui.keys import Scope
from gligabao_tui.view.blocks import Spot
from gligabao_tui.view.bookmarks import Bookmark
from gligabao_tui.view.details import Details, Moment
from gligabao_tui.view.formatting import EPOCH
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.state_rows import Frame, state_lines
from gligabao_tui.view.tabs import Below, below_line, report_line
from gligabao_tui.view.text import Line
from gligabao_tui.widgets.bindings import bindings, keymap_of
from gligabao_tui.widgets.block_list import BlockList
from gligabao_tui.widgets.plain import Drawn


class StatesPage(Vertical):
    """Keeps cursor, opened states and place while the run goes on."""

    SCOPE: Scope = "states"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("states"))

    class ReportWanted(Message):
        """The way to the finished report was clicked."""

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(id="states")
        self._glyphs = glyphs
        self._now = EPOCH
        self._details: Details | None = None
        self._blocks: BlockList[Moment] = BlockList(self._draw, id="state-blocks")
        self._below = Drawn(id="states-below")

    def compose(self) -> ComposeResult:
        yield self._blocks
        yield self._below

    @property
    def moment(self) -> Moment | None:
        """The state under the cursor."""
        return self._blocks.current

    def begin(self, details: Details) -> None:
        self._blocks.restart()
        self._blocks.follows = details.run.status == "running"

    def mark(self, bookmark: Bookmark) -> Bookmark:
        spot = self._blocks.spot
        by_hand = {seq: is_open for seq, is_open in spot.by_hand.items() if isinstance(seq, int)}
        top = (spot.top[0], spot.top[1]) if spot.top and isinstance(spot.top[0], int) else None
        cursor = spot.cursor if isinstance(spot.cursor, int) else None
        return replace(bookmark, top=top, cursor=cursor, opened=by_hand, follows=spot.follows)

    def go_back(self, bookmark: Bookmark) -> None:
        """An end that was followed is followed again only while there is more to come."""
        follows = bookmark.follows and self._is_working
        by_hand: dict[Hashable, bool] = dict(bookmark.opened.items())
        self._blocks.go_back(Spot(bookmark.top, bookmark.cursor, by_hand, follows))

    def show(self, details: Details, now: datetime) -> None:
        self._details, self._now = details, now
        self._blocks.show(details.moments)
        self._show_below()

    def tick(self, now: datetime) -> None:
        self._now = now
        self._blocks.tick(live_only=True)

    def focus_page(self) -> None:
        self._blocks.focus()

    def copied_text(self) -> str:
        return self._blocks.text_of(self.moment) if self.moment else ""

    def go_to(self, seq: int) -> None:
        """Open a state and put the cursor on it."""
        self._blocks.go_to(seq, opened=True)

    def action_expand(self) -> None:
        self._blocks.toggle()

    def action_follow(self) -> None:
        self._blocks.follows = not self._blocks.follows

    def action_open_all(self) -> None:
        self._blocks.set_all(opened=True)

    def action_close_all(self) -> None:
        self._blocks.set_all(opened=False)

    def action_next_failure(self) -> None:
        if self._details and self._details.failures:
            at = self.moment.key if self.moment else 0
            keys = [moment.key for moment in self._details.failures]
            self.go_to(next((key for key in keys if key > at), keys[0]))

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        """Hints that would do nothing are not shown."""
        if action == "follow":
            return self._is_working
        if action == "next_failure":
            return bool(self._details and self._details.failures)
        return True

    def on_block_list_chosen(self, event: BlockList.Chosen) -> None:
        event.stop()
        self._blocks.toggle()

    def on_block_list_moved(self, event: BlockList.Moved) -> None:
        event.stop()
        self._show_below()

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        event.stop()
        if event.target == "follow":
            self._blocks.follows = True
        elif event.target == "tab:report":
            self.post_message(self.ReportWanted())

    @property
    def _is_working(self) -> bool:
        return self._details is not None and self._details.run.status == "running"

    def _draw(self, item: Moment, width: int, *, is_open: bool | None) -> tuple[Line, ...]:
        topic = self._details.run.topic if self._details else ""
        return state_lines(item, Frame(width, self._now, self._glyphs, is_open, topic))

    def _show_below(self) -> None:
        blocks, glyphs = self._blocks, self._glyphs
        below, follows = blocks.blocks_below, blocks.follows
        has_report = bool(self._details and self._details.report)
        self._below.display = self._is_working or has_report or below > 0
        if has_report:
            key = keymap_of(self.app).word("details.show_report")
            self._below.show(lambda width: (report_line(width, glyphs, key),))
            return
        seen = Below(below, follows, keymap_of(self.app).word("states.follow"))
        self._below.show(lambda width: (below_line(seen, width, glyphs),))
