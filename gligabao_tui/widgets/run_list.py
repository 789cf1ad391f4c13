"""The list of all runs: filters, column names, a row a run, and what to do when it is empty."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input

from engine.api import Run, RunId, Status
from gligabao_tui.view.empty import nothing_found
from gligabao_tui.view.formatting import EPOCH
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.listing import FILTERS, SORT_WORDS, Listing, Sort, after, sort_after
from gligabao_tui.view.query import HINT
from gligabao_tui.view.run_rows import (
    NO_EXTRAS,
    Extras,
    Table,
    extras_of,
    filter_tabs,
    header_row,
    run_row,
)
from gligabao_tui.view.text import Line, Span, paragraph
from gligabao_tui.view.welcome import TARGET
from gligabao_tui.widgets.bindings import bindings, keymap_of
from gligabao_tui.widgets.block_list import BlockList
from gligabao_tui.widgets.dock import Wish
from gligabao_tui.widgets.fields import PlainInput, SearchInput
from gligabao_tui.widgets.plain import Draw, Drawn

NEAR_THE_END = 40
SHORT_BELOW = 16


@dataclass(frozen=True, slots=True)
class Row:
    """A run as a block of the list."""

    run: Run
    extras: Extras = NO_EXTRAS

    @property
    def key(self) -> RunId:
        return self.run.id

    @property
    def is_live(self) -> bool:
        return False


class RunList(Vertical):
    """Knows no runs but those it is shown; asks for more when its end comes near."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings("runs"))

    class Wanted(Message):
        """Another filter, other words, or another order."""

        def __init__(self, status: Status | None, text: str, sort: Sort) -> None:
            super().__init__()
            self.status: Status | None = status
            self.text = text
            self.sort: Sort = sort

    class MoreWanted(Message):
        """The cursor comes near the end of what was read."""

    class Asked(Message):
        """Somebody wants to open a run, stop it, or see its error."""

        def __init__(self, run_id: RunId, wish: Wish) -> None:
            super().__init__()
            self.run_id = run_id
            self.wish: Wish = wish

    class Selected(Message):
        """The cursor is on another run."""

    def __init__(self, glyphs: Glyphs, *, welcome: Draw) -> None:
        super().__init__(id="runs")
        self._welcome = welcome
        self._glyphs = glyphs
        self._now = EPOCH
        self._listing = Listing()
        self._made: dict[RunId, Row] = {}
        self._extras = NO_EXTRAS
        self._tabs = Drawn(id="run-filters")
        self._order = Drawn(id="run-order")
        self._top = Horizontal(self._tabs, self._order, id="run-top")
        self._search = SearchInput(placeholder=HINT, id="run-search")
        self._faults = Drawn(id="run-faults")
        self._header = Drawn(id="run-header")
        self._rows: BlockList[Row] = BlockList(self._draw, id="run-rows")
        self._empty = Drawn(id="run-empty")

    def compose(self) -> ComposeResult:
        yield self._top
        yield self._search
        yield self._faults
        yield self._header
        yield self._rows
        yield self._empty

    def on_resize(self) -> None:
        """Where rows are few the welcome needs all of them."""
        self.set_class(self.size.height < SHORT_BELOW, "-short")

    def on_mount(self) -> None:
        self._search.display = False

    @property
    def rows(self) -> tuple[Row, ...]:
        return self._rows.items

    @property
    def selected(self) -> RunId | None:
        return self._rows.current.key if self._rows.current else None

    def show(self, listing: Listing, runs: Sequence[Run], now: datetime) -> None:
        """These runs; `listing` says which they are and whether there are more."""
        if listing.which != self._listing.which:
            self._rows.restart()
            self._keep_words(listing.ask.text)
        self._listing, self._now = listing, now
        extras = self._extras = _same_or(self._extras, extras_of(runs))
        self._rows.show(self._rows_of(runs, extras))
        self._tabs.show(lambda _: (filter_tabs(listing, self._glyphs),))
        self._order.show(lambda width: (_order_line(listing, len(runs), width),))
        self._show_faults(listing)
        self._header.show(lambda width: (header_row(Table(width, extras)),))
        if listing.is_read and listing.next_cursor and len(runs) < NEAR_THE_END:
            self.post_message(self.MoreWanted())
        self._show_empty(listing, is_empty=not runs)

    def tick(self, now: datetime) -> None:
        self._now = now
        self._rows.tick()

    def focus_rows(self) -> None:
        """At once: a moment later it may be the other one that can have the focus."""
        self.screen.set_focus(self._rows if self._rows.display else self)

    def select(self, run_id: RunId | None) -> None:
        """Put the cursor on a run, if it is in the list."""
        if run_id is not None:
            self._rows.go_to(run_id)

    def turn(self, by: int) -> None:
        """The filter beside the chosen one."""
        self._want(status=after(self._listing.ask.status, by))

    def choose(self, status: Status | None) -> None:
        self._want(status=status)

    def action_open(self) -> None:
        if self.selected is not None:
            self.post_message(self.Asked(self.selected, "open"))

    def action_sort(self) -> None:
        self._want(status=self._listing.ask.status, sort=sort_after(self._listing.which.sort))

    def action_search(self) -> None:
        self._search.display = True
        self._search.focus()

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        """Without a run there is nothing to open or to put in order."""
        if action in ("open", "sort"):
            return self.selected is not None
        return self.selected is not None or self._listing.is_filtered

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        ask = self._listing.ask
        self.post_message(self.Wanted(ask.status, event.value, ask.sort))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._search.display = bool(event.value.strip())
        self.focus_rows()

    def on_plain_input_left(self, event: PlainInput.Left) -> None:
        event.stop()
        self._search.value = ""
        self._search.display = False
        self.focus_rows()

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        event.stop()
        if event.target.startswith("filter:"):
            word = event.target.removeprefix("filter:")
            self.choose(next((status for status in FILTERS if status == word), None))
        elif event.target.startswith(TARGET):
            self.app.simulate_key(event.target.removeprefix(TARGET))

    def on_block_list_chosen(self, event: BlockList.Chosen) -> None:
        event.stop()
        if self.selected is not None:
            wish: Wish = "open"
            if event.target in ("error", "stop"):
                wish = "error" if event.target == "error" else "stop"
            self.post_message(self.Asked(self.selected, wish))

    def on_block_list_moved(self, event: BlockList.Moved) -> None:
        event.stop()
        self.post_message(self.Selected())
        if self._listing.next_cursor and self._rows.blocks_below < NEAR_THE_END:
            self.post_message(self.MoreWanted())

    def _rows_of(self, runs: Sequence[Run], extras: Extras) -> list[Row]:
        """A run that is the same keeps its row, so that thousands are compared quickly."""
        made = self._made
        self._made = {}
        for run in runs:
            row = made.get(run.id)
            is_same = row is not None and row.run is run and row.extras is extras
            self._made[run.id] = row if row is not None and is_same else Row(run, extras)
        return [*self._made.values()]

    def _nothing_found(self, width: int) -> tuple[Line, ...]:
        return nothing_found(width, keymap_of(self.app))

    def _draw(self, item: Row, width: int, *, is_open: bool | None) -> tuple[Line, ...]:
        _ = is_open  # a row has no body
        table = Table(width, item.extras)
        return (run_row(item.run, table, now=self._now, glyphs=self._glyphs),)

    def _want(self, *, status: Status | None, sort: Sort | None = None) -> None:
        ask = self._listing.ask
        self.post_message(self.Wanted(status, ask.text, sort or ask.sort))

    def _show_empty(self, listing: Listing, *, is_empty: bool) -> None:
        self._move_focus(is_empty=is_empty)
        self._header.display = self._rows.display = not is_empty
        self._top.display = not is_empty or listing.is_filtered
        self._empty.display = is_empty and listing.is_read
        if self._empty.display:
            self._empty.show(self._nothing_found if listing.is_filtered else self._welcome)

    def _show_faults(self, listing: Listing) -> None:
        """What was typed and not understood, below the field."""
        faults = listing.query.problems
        self._faults.display = bool(faults)
        self.set_class(bool(faults), "-faulty")
        self._faults.show(lambda width: paragraph("; ".join(faults), width, "bad"))

    def _keep_words(self, text: str) -> None:
        """The words that the list was filtered by last time, where nobody has typed them."""
        if text and not self._search.value:
            with self.prevent(Input.Changed):
                self._search.value = text
            self._search.display = True

    def _move_focus(self, *, is_empty: bool) -> None:
        """Rows that are not shown cannot have it: then the list itself answers to the keys."""
        had, gets = (self._rows, self) if is_empty else (self, self._rows)
        self.can_focus = is_empty
        if self.screen.focused is had:
            gets.display = True
            self.screen.set_focus(gets)


def _order_line(listing: Listing, shown: int, width: int) -> Line:
    """Number and order, or what there is room for of it."""
    more = "+" if listing.next_cursor else ""
    told = (f"{shown}{more} runs, {SORT_WORDS[listing.which.sort]} ", f"{shown}{more} runs ", "")
    fitting = next(one for one in told if len(one) <= width or not one)
    return (Span(fitting if shown > 1 else "", "quiet"),)


def _same_or(known: Extras, found: Extras) -> Extras:
    """The known one where they are equal, so that rows need not compare them."""
    return known if known == found else found
