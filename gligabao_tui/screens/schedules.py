"""The agents that run by themselves: when, what came of it, and pausing or running them by hand.

Whatever it shows was asked of the engine; it starts nothing by the clock itself.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Literal, TypeAlias

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widget import Widget
from textual.worker import Worker

from engine.api import OFFLINE_MODEL, AgentInfo, GligabaoError, RunId, ScheduleInfo, Schedules
from gligabao_tui.keys import Scope
from gligabao_tui.screens.dialog import Dialog, says
from gligabao_tui.screens.given import Given
from gligabao_tui.screens.layer import Layer
from gligabao_tui.view.run_now import RunNow, run_now_lines
from gligabao_tui.view.schedules import (
    RUN,
    Frame,
    Row,
    followed_line,
    is_due,
    last_run,
    no_schedules,
    paused_words,
    schedule_block,
    schedule_lines,
    schedules_title,
)
from gligabao_tui.view.text import Line, Span, line, paragraph, spread
from gligabao_tui.widgets.bindings import bindings, keymap_of
from gligabao_tui.widgets.block_list import BlockList
from gligabao_tui.widgets.key_bar import KeyBar
from gligabao_tui.widgets.line_view import LineView
from gligabao_tui.widgets.plain import Drawn, say

STACKED_BELOW, SHORT_BELOW, TALL_FROM = 72, 20, 30
"""In fewer columns the list lies above the rest; its blocks have two to four rows, by how many
there are."""
STACKED = "-stacked"
TICK_SECONDS = 15.0
ASKING = "asking the engine"
OF_ONE = frozenset({"pause", "run_now", "agent"})
Answer: TypeAlias = Literal["keep", "run"]


@dataclass(frozen=True, slots=True)
class Leaving:
    """Where to go on from here: to a run, to an agent, or (neither) to where the person was."""

    run: RunId | None = None
    agent: str = ""


class SchedulesScreen(Layer[Leaving]):
    AUTO_FOCUS = ""
    SCOPE: Scope = "schedules"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("schedules"),
        *(
            replace(one, action=f"app.{one.action}")
            for one in bindings("app")
            if one.action in ("handbook", "help")
        ),
    ]

    def __init__(self, given: Given, *, agent: str = "") -> None:
        """The schedule of this agent is shown first."""
        super().__init__()
        self._given = given
        self._wanted = agent
        self._found = Schedules(followed=False)
        self._agents: tuple[AgentInfo, ...] = ()
        self._doing, self._fault = ASKING, ""
        self._block_rows = 4
        self._top = Drawn(self._top_line, id="schedules-top")
        self._note = Drawn(self._note_lines, id="schedules-note")
        self._rows = ScheduleRows(self._draw_row, id="schedules-rows")
        self._text = LineView(id="schedules-text")

    def compose(self) -> ComposeResult:
        yield self._top
        yield self._note
        with Container(id="schedules-body"):
            yield self._rows
            yield self._text
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        self._rows.focus()
        self._show()
        self.set_interval(TICK_SECONDS, self.tick)
        self.action_again()

    def on_resize(self) -> None:
        self.set_class(self.size.width < STACKED_BELOW, STACKED)
        self._show_text()
        height = self.size.height
        rows = 4 if height >= TALL_FROM else 2 if height < SHORT_BELOW else 3
        if rows != self._block_rows:
            self._block_rows = rows
            self._rows.restart()
            self._show_rows()

    def tick(self) -> None:
        """Time has passed: the next times are nearer, or were reached."""
        self._rows.tick(live_only=True)
        self._show_text()
        if is_due(self._found, self._given.now()):
            self.action_again()

    # What is told

    def on_block_list_moved(self, event: BlockList.Moved) -> None:
        event.stop()
        name = self._rows.current.key if self._rows.current else ""
        if name and name != self._wanted:
            self._wanted = name
            self._show_text()
            self._text.jump_to(0)
            self.refresh_bindings()

    def on_block_list_chosen(self, event: BlockList.Chosen) -> None:
        event.stop()

    def on_line_view_clicked(self, event: LineView.Clicked) -> None:
        event.stop()
        if event.target.startswith(RUN):
            self.dismiss(Leaving(run=RunId(int(event.target.removeprefix(RUN)))))

    # What is asked for

    def action_close(self) -> None:
        self.dismiss(Leaving())

    def action_open(self) -> None:
        last = last_run(self._current)
        if last is not None and last.run_id is not None:
            self.dismiss(Leaving(run=last.run_id))

    def action_agent(self) -> None:
        if self._current is not None:
            self.dismiss(Leaving(agent=self._current.agent))

    def action_again(self) -> None:
        self._doing = ASKING
        self._top.show(self._top_line)
        _: Worker[None] = self.run_worker(self._read, group="read", exclusive=True)

    def action_pause(self) -> None:
        if (info := self._current) is not None:
            pause = partial(self._pause, info.agent, paused=not info.schedule.paused_here)
            _: Worker[None] = self.run_worker(pause, group="pause")

    def action_run_now(self) -> None:
        """Asks first when it may cost something."""
        if (info := self._current) is None:
            return
        run = partial(self._run, info.agent)
        asked = self._what_runs(info)

        def answered(answer: Answer | None) -> None:
            if answer == "run":
                _: Worker[None] = self.run_worker(run, group="run")

        if asked.model == OFFLINE_MODEL:
            answered("run")
        else:
            self.app.push_screen(RunNowDialog(asked), answered)

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        if action == "open":
            last = last_run(self._current)
            return last is not None and last.run_id is not None
        return self._current is not None if action in OF_ONE else True

    # What is asked of the engine

    async def _read(self) -> None:
        calls = self._given.calls
        try:
            found, agents = await calls.schedules(), await calls.agents()
        except GligabaoError as error:
            self._doing, self._fault = "", f"The schedules cannot be told: {error}"
        else:
            self._doing = self._fault = ""
            self._found, self._agents = found, agents
        if self.is_open:
            self._show()

    async def _pause(self, agent: str, *, paused: bool) -> None:
        try:
            info = await self._given.calls.pause_schedule(agent, paused=paused)
        except GligabaoError as error:
            say(self.app, str(error), is_bad=True)
            return
        say(self.app, paused_words(info, self._given.here))
        changed = tuple(info if one.agent == agent else one for one in self._found.schedules)
        self._found = replace(self._found, schedules=changed)
        if self.is_open:
            self._show()

    async def _run(self, agent: str) -> None:
        try:
            run = await self._given.calls.run_schedule(agent)
        except GligabaoError as error:
            say(self.app, str(error), is_bad=True)
            return
        say(self.app, f"#{run.id} was started: {run.topic}")
        if self.is_open:
            self.action_again()

    # What is shown

    @property
    def _current(self) -> ScheduleInfo | None:
        """The schedule under the cursor, as it is known now."""
        known = {info.agent: info for info in self._found.schedules}
        row = self._rows.current
        return known.get(row.key) if row else None

    @property
    def _frame(self) -> Frame:
        given = self._given
        return Frame(given.now(), given.here, given.glyphs, self._found.followed)

    def _what_runs(self, info: ScheduleInfo) -> RunNow:
        agent = next((one for one in self._agents if one.name == info.agent), None)
        return RunNow.of(info, agent, self._given.settings)

    def _show(self) -> None:
        self._top.show(self._top_line)
        self._note.show(self._note_lines)
        self._show_rows()
        self._rows.display = self._text.display = bool(self._found.schedules)
        self._show_text()
        self.refresh_bindings()

    def _show_rows(self) -> None:
        wanted = self._wanted
        self._rows.show([Row(info) for info in self._found.schedules])
        self._rows.go_to(wanted)

    def _show_text(self) -> None:
        info = self._current
        has_head = not self.has_class(STACKED)
        self._text.show(
            lambda width: (
                schedule_lines(info, width - 1, self._frame, has_head=has_head) if info else ()
            )
        )

    def _top_line(self, width: int) -> tuple[Line, ...]:
        told = self._doing or ("" if self._fault else schedules_title(self._found))
        left = line(Span(" Schedules", "title"))
        return (spread(left, line(Span(f"{told} ", "muted")), width),)

    def _note_lines(self, width: int) -> tuple[Line, ...]:
        """What went wrong, else whether anybody follows them, else what a schedule is."""
        if self._fault:
            told = paragraph(self._fault, width - 2, "bad")
        elif self._found.schedules:
            return followed_line(self._found, width, self._given.glyphs)
        elif self._doing:
            return ()
        else:
            told = no_schedules(width - 2, key=keymap_of(self.app).word("app.handbook"))
        return tuple((Span(" "), *row) for row in told)

    def _draw_row(self, item: Row, width: int, *, is_open: bool | None) -> tuple[Line, ...]:
        _ = is_open  # a block has no body
        return schedule_block(item, width - 1, self._frame, rows=self._block_rows)


class ScheduleRows(BlockList[Row]):
    @property
    def shows_cursor(self) -> bool:
        """Also while the text beside it has the focus: that is about this one."""
        return True


class RunNowDialog(Dialog[Answer]):
    """Asks before something is spent."""

    SCOPE: Scope = "run_now"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("run_now"))
    PRIMARY = "run_now"

    def __init__(self, asked: RunNow) -> None:
        super().__init__(f"Run {asked.agent} now?")
        self._asked = asked

    def content(self) -> Iterable[Widget]:
        yield says(lambda width: run_now_lines(self._asked, width))

    def action_keep(self) -> None:
        self.dismiss("keep")

    def action_run_now(self) -> None:
        self.dismiss("run")
