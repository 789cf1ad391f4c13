"""The dock: a block for every agent that works, or ended and was not dismissed."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import ClassVar, Literal, TypeAlias

from textual import events
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.message import Message

from engine.api import Run, RunId
from gligabao_tui.view.cards import card, strip_card
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.words import is_healthy
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.jumpable import JumpSpot
from gligabao_tui.widgets.plain import Drawn

Wish: TypeAlias = Literal["open", "error", "stop", "dismiss"]
HALF_PAGE = 4
"""Blocks, of which about twice as many are in view on a usual screen."""


class Card(Drawn):
    """One block. Its class says whether it is green or red."""

    def __init__(self, run: Run, glyphs: Glyphs) -> None:
        super().__init__(id=f"card-{run.id}")
        self.run_id = run.id
        self._glyphs = glyphs
        self._told: tuple[Run, datetime, bool] | None = None

    def jump_spots(self) -> Iterable[JumpSpot]:
        """The whole block is one."""
        act = partial(self.post_message, self.Clicked(self, ""))
        yield JumpSpot(*self.content_region.offset, act)

    def tell(self, run: Run, now: datetime, *, is_strip: bool) -> None:
        """Costs nothing when there is nothing new: its times are of whole seconds."""
        told = (run, now.replace(microsecond=0), is_strip)
        if self._told is not None and self._told[0] is run and self._told[1:] == told[1:]:
            return
        self._told = told
        draw = strip_card if is_strip else card
        self.set_class(is_healthy(run.status), "-good")
        self.set_class(not is_healthy(run.status), "-bad")
        self.set_class(run.status == "running", "-working")
        self.show(lambda width: draw(run, width, now=now, glyphs=self._glyphs))


class Dock(VerticalScroll, can_focus=True, can_focus_children=False):
    """Hidden while it is empty. `selected` is the block under its cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("dock"), *bindings("moves")]

    class Asked(Message):
        """Somebody wants to open a run, see its error, or dismiss it."""

        def __init__(self, run_id: RunId, wish: Wish) -> None:
            super().__init__()
            self.run_id = run_id
            self.wish = wish

    class Selected(Message):
        """The cursor of the dock is on another block."""

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(id="dock")
        self._glyphs = glyphs
        self._cards: dict[RunId, Card] = {}
        self._order: list[RunId] = []
        self._opened: RunId | None = None
        self.selected: RunId | None = None

    def show(self, runs: Sequence[Run], now: datetime, *, is_strip: bool) -> None:
        """The blocks of these runs, in this order."""
        order = [run.id for run in runs]
        is_another = order != self._order
        if is_another:
            self._match(runs)
            self._order = order
        for run in runs:
            self._cards[run.id].tell(run, now, is_strip=is_strip)
        self.display = bool(runs)
        if is_another:
            self._select(self.selected if self.selected in self._cards else self._first())
            self._mark()

    def mark(self, opened: RunId | None) -> None:
        """The block of the run whose details are shown looks different."""
        if opened != self._opened:
            self._opened = opened
            self._mark()

    def step(self, by: int, start: RunId | None = None) -> RunId | None:
        """Select the block `by` places after that of `start`, round the end.

        When `start` has none, the selected block stays.
        """
        if start in self._order and start is not None:
            place = self._order.index(start) + by
            self._select(self._order[place % len(self._order)])
        return self.selected

    def action_move(self, by: int) -> None:
        self.step(by, self.selected)

    def action_move_half(self, by: int) -> None:
        self._go_by(by * HALF_PAGE)

    def action_move_page(self, by: int) -> None:
        self._go_by(by * HALF_PAGE * 2)

    def action_move_to_start(self) -> None:
        self._go_by(-len(self._order))

    def action_move_to_end(self) -> None:
        self._go_by(len(self._order))

    def action_choose(self) -> None:
        if self.selected is not None:
            self.post_message(self.Asked(self.selected, "open"))

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        event.stop()
        if isinstance(event.drawn, Card):
            wish: Wish = "open"
            if event.target in ("error", "dismiss"):
                wish = "error" if event.target == "error" else "dismiss"
            self._select(event.drawn.run_id)
            self.post_message(self.Asked(event.drawn.run_id, wish))

    def on_focus(self, _: events.Focus) -> None:
        self.post_message(self.Selected())

    def _match(self, runs: Sequence[Run]) -> None:
        """Make and remove blocks so that there is one for each of these runs."""
        wanted = [run.id for run in runs]
        for run_id in [known for known in self._cards if known not in wanted]:
            self._cards.pop(run_id).remove()
        for place, run in enumerate(runs):
            if run.id not in self._cards:
                made = Card(run, self._glyphs)
                before = next((self._cards[n] for n in wanted[place:] if n in self._cards), None)
                self._cards[run.id] = made
                self.mount(made, before=before)

    def _mark(self) -> None:
        for known, one in self._cards.items():
            one.set_class(known == self._opened, "-open")

    def _select(self, run_id: RunId | None) -> None:
        changed = run_id != self.selected
        self.selected = run_id
        for known, one in self._cards.items():
            one.set_class(known == run_id, "-selected")
        if changed and run_id is not None:
            self._cards[run_id].scroll_visible(animate=False)
            self.post_message(self.Selected())

    def _go_by(self, by: int) -> None:
        """On by so many blocks, and no further than to the end."""
        if self.selected in self._order and self.selected is not None:
            place = self._order.index(self.selected) + by
            self._select(self._order[min(max(place, 0), len(self._order) - 1)])

    def _first(self) -> RunId | None:
        return self._order[0] if self._order else None
