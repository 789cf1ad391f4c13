"""The Time tab: the events of a run's facts over time, with a cursor that goes from one to another.

What lies where is decided by the views; nothing is read while nobody looks at it.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import ClassVar, cast

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message

from engine.api import EventKind, Temporal
from gligabao_tui.keys import Scope
from gligabao_tui.view import timeline as timelines
from gligabao_tui.view.bookmarks import Bookmark
from gligabao_tui.view.details import Details
from gligabao_tui.view.fact_words import KIND_WORDS, sentence, when_words
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.known import Dated
from gligabao_tui.view.provenance_lines import reason_words
from gligabao_tui.view.text import Line, Span, line
from gligabao_tui.view.time_head import (
    KIND,
    Plotted,
    event_line,
    event_lines,
    kinds_line,
    no_events_lines,
    seen_line,
    short_line,
)
from gligabao_tui.view.time_lines import EVENT, plot_lines
from gligabao_tui.view.time_places import Room, groups_of, placed, rows_of
from gligabao_tui.view.timeline import EVERYTHING, NO_KINDS, Look, Mark, Timeline, timeline_of
from gligabao_tui.widgets.bindings import bindings, keymap_of
from gligabao_tui.widgets.block_list import MOVES
from gligabao_tui.widgets.known import READ_EVERY_SECONDS, Asking, SubjectWanted
from gligabao_tui.widgets.plain import Drawn

AROUND_ROWS = 3
"""The density strip and the two rows of the axis."""
SHORT_BELOW = 11
"""Rows of the page: then the strip goes, and what stands around the plot takes two rows."""


class TimePlot(Drawn, can_focus=True):
    """Takes the keys; its page decides what they do."""

    class Resized(Message):
        """There is another room to draw in."""

    def on_resize(self) -> None:
        self.post_message(self.Resized())


class TimePage(Vertical):
    SCOPE: Scope = "time"
    BINDINGS: ClassVar[list[BindingType]] = [*MOVES, *bindings("time")]

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(id="time")
        self._glyphs = glyphs
        self._details: Details | None = None
        self._asking = Asking("dated")
        self._look = EVERYTHING
        self._top = 0
        self._made: tuple[Temporal | None, frozenset[EventKind]] = (None, NO_KINDS)
        self._timeline = Timeline()
        self._drawn: object = None
        self._head = Drawn(id="time-head")
        self._plot = TimePlot(id="time-plot")
        self._words = Drawn(id="time-words")

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._plot
        yield self._words

    def on_mount(self) -> None:
        self.set_interval(READ_EVERY_SECONDS, self.look_again)

    @property
    def chosen(self) -> Mark | None:
        """The event under the cursor."""
        return timelines.chosen(self._timeline, self._look)

    def begin(self, details: Details) -> None:
        self._details, self._look, self._top, self._drawn = details, EVERYTHING, 0, None
        self._asking.begin()

    def show(self, details: Details, now: datetime) -> None:  # noqa: ARG002  # see `tick`
        self._details = details
        if self._is_looked_at:
            self._ask()
            self._show()

    def tick(self, now: datetime) -> None:
        """Nothing of it looks different as time passes."""

    def mark(self, bookmark: Bookmark) -> Bookmark:
        agents = self._asking.with_agents
        agents = bookmark.with_agents if agents is None else agents
        return replace(bookmark, look=self._look, with_agents=agents)

    def go_back(self, bookmark: Bookmark) -> None:
        self._look, self._drawn = bookmark.look, None
        self._asking.with_agents = bookmark.with_agents
        if self._is_looked_at:
            self._ask()
            self._show()

    def focus_page(self) -> None:
        self.screen.set_focus(self._plot)

    def copied_text(self) -> str:
        """The chosen event in a line."""
        mark = self.chosen
        if mark is None:
            return ""
        event = mark.told.event
        return f"{KIND_WORDS[event.kind]}: {sentence(mark.told.fact)} ({when_words(event)})"

    def on_show(self) -> None:
        """Somebody has turned to this tab: what was read earlier may be old."""
        self._ask()
        self._show()

    def on_time_plot_resized(self, event: TimePlot.Resized) -> None:
        event.stop()
        self._show()

    def look_again(self) -> None:
        """Texts that wait bring something without the run doing anything."""
        if self._is_looked_at:
            self._ask(again=True)

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        event.stop()
        if event.target.startswith(EVENT):
            key = int(event.target.removeprefix(EVENT))
            is_open = key == self._look.cursor
            self._become(timelines.gone_to(self._timeline, self._look, key))
            if is_open:
                self.action_open()
        elif event.target.startswith(KIND):
            self.action_kind(event.target.removeprefix(KIND))
        elif event.target == "open":
            self.action_open()

    def action_open(self) -> None:
        if (mark := self.chosen) is not None:
            facts = [f"fact:{one.told.fact.id}" for one in self._timeline.marks]
            target = f"fact:{mark.told.fact.id}"
            self.post_message(SubjectWanted(target, tuple(dict.fromkeys(facts))))

    def action_step(self, by: int) -> None:
        self._become(timelines.stepped(self._timeline, self._look, by))

    def action_move(self, by: int) -> None:
        groups = groups_of(rows_of(self._timeline, self._rows))
        self._become(timelines.group_stepped(self._timeline, self._look, groups, by=by))

    def action_move_page(self, by: int) -> None:
        self.action_move(by * max(1, self._rows - 1))

    def action_move_half(self, by: int) -> None:
        self.action_move(by * max(1, self._rows // 2))

    def action_move_to_start(self) -> None:
        self._become(timelines.gone_to_end(self._timeline, self._look, last=False))

    def action_move_to_end(self) -> None:
        self._become(timelines.gone_to_end(self._timeline, self._look, last=True))

    def action_zoom_in(self) -> None:
        self._become(timelines.zoomed(self._timeline, self._look, closer=True))

    def action_zoom_out(self) -> None:
        self._become(timelines.zoomed(self._timeline, self._look, closer=False))

    def action_fit(self) -> None:
        self._become(timelines.fitted(self._look))

    def action_kind(self, kind: str) -> None:
        self._become(timelines.switched(self._look, cast(EventKind, kind)))

    def action_with_agents(self) -> None:
        if self._details is not None:
            self._asking.turn(self._details)
            self._ask()

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        """Hints that would do nothing are not shown."""
        match action:
            case "with_agents":
                return bool(self._details and self._details.children)
            case "zoom_out" | "fit":
                return self._look.span is not None
            case "open" | "zoom_in":
                return bool(self._timeline.marks)
            case _:
                return True

    @property
    def _is_looked_at(self) -> bool:
        return self.is_mounted and self.display

    @property
    def _is_short(self) -> bool:
        return self.size.height < SHORT_BELOW

    @property
    def _rows(self) -> int:
        """How many rows of the plot there are."""
        return max(1, self._plot.size.height - AROUND_ROWS + self._is_short)

    @property
    def _dated(self) -> Dated | None:
        return self._details.dated if self._details is not None else None

    def _ask(self, *, again: bool = False) -> None:
        if self._details is not None and (wish := self._asking.wish(self._details, again=again)):
            self.post_message(wish)

    def _become(self, look: Look) -> None:
        self._look = look
        self._show()

    def _show(self) -> None:
        """What is looked at now, unless that is drawn already."""
        if not self.is_mounted or self._details is None:
            return
        dated = self._dated
        wanted = (dated, self._look, self._plot.size, self.size)
        if wanted == self._drawn:
            return
        self._make(dated.temporal if dated is not None else None)
        self._drawn = (dated, self._look, self._plot.size, self.size)
        if self._timeline.counts and self._plot.size.width:
            self._draw()
        else:
            self._head.show(self._empty_lines)
            self._plot.show(lambda _: ())
            self._words.show(lambda _: ())
        self.refresh_bindings()

    def _make(self, temporal: Temporal | None) -> None:
        """The lanes, once for what was read and the kinds that are wanted."""
        if temporal is None or not temporal.events:
            self._timeline, self._made = Timeline(), (None, NO_KINDS)
            return
        if self._made[0] is not temporal or self._made[1] != self._look.off:
            self._timeline = timeline_of(temporal, self._look.off)
            self._made = (temporal, self._look.off)
        self._look = timelines.settled(self._timeline, self._look)

    def _draw(self) -> None:
        room = Room(self._plot.size.width, self._rows, self._top)
        places = placed(self._timeline, self._look, room)
        self._top = places.top
        dated = self._dated
        with_agents = dated is not None and dated.with_agents
        plotted = Plotted(self._timeline, self._look, places, self._glyphs, with_agents)
        lines = plot_lines(self._timeline, self._look, places, self._glyphs)[self._is_short :]
        self._head.show(lambda width: self._head_lines(plotted, width))
        self._plot.show(lambda _: lines)
        self._words.show(lambda width: self._event_lines(plotted, width))

    def _head_lines(self, plotted: Plotted, width: int) -> tuple[Line, ...]:
        keymap = keymap_of(self.app)
        if self._is_short:
            return (short_line(plotted, width, keymap),)
        return kinds_line(plotted, width, keymap), seen_line(plotted, width)

    def _event_lines(self, plotted: Plotted, width: int) -> Sequence[Line]:
        mark, dated = self.chosen, self._dated
        if mark is None or dated is None:
            return (line(Span(" every kind of event is switched off", "muted")),)
        if self._is_short:
            return (event_line(mark, plotted, width),)
        return event_lines(mark, dated.temporal.artifacts, plotted, width)

    def _empty_lines(self, width: int) -> tuple[Line, ...]:
        dated = self._dated
        if dated is None:
            return (line(Span(" reading what happened", "quiet")),)
        return no_events_lines(reason_words(dated.queue), width)
