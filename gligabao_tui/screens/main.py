"""The workspace: the list of runs or the details of one, and beside it the dock.

It shows what the reader keeps, hears what its widgets ask for, and does no engine work itself.
"""

from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from engine.api import AgentInfo, GligabaoError, Run, RunCounts, RunId, StartRequest
from gligabao_tui.keys import Scope
from gligabao_tui.messages import EngineTold
from gligabao_tui.screens.chosen import Chosen
from gligabao_tui.screens.copy_menu import Copying
from gligabao_tui.screens.given import Given
from gligabao_tui.screens.reader import Reader
from gligabao_tui.screens.reading import Reading
from gligabao_tui.screens.run_actions import RunActions
from gligabao_tui.screens.starting import Starting
from gligabao_tui.screens.stillness import Stillness
from gligabao_tui.screens.workspace import ZOOMED, Workspace
from gligabao_tui.view.board import counts_are_stale, ended_in_dock
from gligabao_tui.view.details import Details
from gligabao_tui.view.empty import too_small
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.listing import FILTERS, shown
from gligabao_tui.view.status_line import EngineState
from gligabao_tui.view.text import Span, line
from gligabao_tui.view.ui_state import ListState, UiState
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.details import DetailsView
from gligabao_tui.widgets.dock import Dock
from gligabao_tui.widgets.key_bar import KeyBar
from gligabao_tui.widgets.known import KnownWanted, SubjectWanted
from gligabao_tui.widgets.plain import Drawn, say
from gligabao_tui.widgets.report import ReportView
from gligabao_tui.widgets.run_list import RunList
from gligabao_tui.widgets.top_line import TopLine


class MainScreen(Screen[None]):
    AUTO_FOCUS = ""  # the first that Textual finds is a hidden field, which would take a key
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("main"))

    def __init__(self, given: Given, kept: UiState) -> None:
        super().__init__()
        self._given = given
        self._kept = kept
        self._has_read = False
        self._reader = Reader(given.calls, self._changed, now=given.now)
        self._reading = Reading(self, given)
        self._starting = Starting(
            self, given, reader=self._reader, opened=lambda run: self.open_run(run.id)
        )
        self._starting.keep(kept.draft)
        self._actions = RunActions(self, given, took=self._reader.take, again=self._starting.again)
        self._engine: EngineState = "opening"
        self._top = TopLine(given.glyphs, given.keymap)
        self._still = Stillness()
        self._body = Workspace(given)
        self._chosen = Chosen(self._reader, self._body)
        self._copying = Copying(self, given, chosen=self._chosen, details=self._body.details)

    def compose(self) -> ComposeResult:
        yield self._top
        yield self._body
        yield KeyBar(id="keys", is_hinted=self._is_hinted)
        yield Drawn(lambda _: (line(Span(too_small(*self.size), "strong")),), id="too-small")

    def on_mount(self) -> None:
        self._changed()
        self._body.runs.focus_rows()

    def on_resize(self) -> None:
        self.call_after_refresh(self._resized)

    @property
    def given(self) -> Given:
        return self._given

    @property
    def working(self) -> tuple[Run, ...]:
        return self._reader.desk.board.working

    @property
    def engine(self) -> EngineState:
        return self._engine

    @property
    def counts(self) -> RunCounts:
        return self._reader.desk.board.counts

    @property
    def ui_state(self) -> UiState:
        """What is to be remembered until the next start: as it was, if nothing could be read."""
        if not self._has_read:
            return replace(self._kept, draft=self._starting.draft)
        asked = self._reader.desk.listing.ask
        return UiState(
            docked=self._reader.desk.board.docked,
            selected=self._chosen.id,
            draft=self._starting.draft,
            opened=self._chosen.opened,
            listed=ListState(asked.status, asked.text, asked.sort),
            bookmarks=self._body.details.bookmarks,
        )

    def engine_is(self, state: EngineState) -> None:
        self._engine = state
        self.set_class(state == "lost", "-engine-lost")
        self._changed()

    async def engine_opened(self, opening: RunId | StartRequest | None) -> None:
        """Read what is there, then open or start what the app was called for, or what was open."""
        is_first = not self._has_read
        await self._attempt(self._read())
        if isinstance(opening, StartRequest):
            await self._attempt(self._start(opening))
        elif opening is not None:
            await self._attempt(self._open(opening))
        elif self._kept.opened is not None and is_first:
            with suppress(GligabaoError):  # it may be gone; the list is there
                await self._open(self._kept.opened)

    async def _read(self) -> None:
        """The first time, what was remembered too: it must not undo what was done since."""
        if not self._has_read:
            listed = self._kept.listed
            self._reader.ask(listed.status, listed.text, sort=listed.sort)
            self._body.details.know_bookmarks(self._kept.bookmarks)
        await self._reader.read_everything()
        if not self._has_read:
            await self._reader.dock(self._kept.docked)
            self._has_read = True
            self.refresh_bindings()
            self._body.runs.select(self._kept.selected)

    def tick(self) -> None:
        """A second has passed, or a while in which nothing worked."""
        if not self._still.is_on:
            self._body.tick(self._given.now())

    def recount(self) -> None:
        self._work(self._reader.read_counts())

    def on_engine_told(self, message: EngineTold) -> None:
        with self._still.told(message.events):
            self._reader.told(message.events)
        if self._still.is_on:
            return
        self._work(self._reader.catch_up(message.events))
        if counts_are_stale(message.events):
            self.recount()

    def on_run_list_asked(self, event: RunList.Asked) -> None:
        self._do(event.wish, event.run_id)

    def on_run_list_wanted(self, event: RunList.Wanted) -> None:
        if self._reader.ask(event.status, event.text, sort=event.sort):
            self.run_worker(self._attempt(self._reader.read_first_page()), group="list")

    def on_run_list_more_wanted(self) -> None:
        self._work(self._reader.read_next_page())

    def on_run_list_selected(self) -> None:
        self.refresh_bindings()

    def on_dock_selected(self) -> None:
        self.refresh_bindings()

    def on_dock_asked(self, event: Dock.Asked) -> None:
        self._do(event.wish, event.run_id)

    def on_report_view_source_wanted(self, event: ReportView.SourceWanted) -> None:
        if self._reader.desk.details is not None:
            self._reading.show_source(self._reader.desk.details, event.cited)

    def on_report_view_link_wanted(self, event: ReportView.LinkWanted) -> None:
        self._reading.show_link(event.address)

    def on_cost_page_wanted(self) -> None:
        self._work(self._reader.read_costs())

    def on_known_wanted(self, event: KnownWanted) -> None:
        read = self._reader.read_known if event.what == "known" else self._reader.read_dated
        self._work(read(with_agents=event.with_agents))

    def on_subject_wanted(self, event: SubjectWanted) -> None:
        if self._reader.desk.details is not None:
            self._reading.show_subject(self._reader.desk.details, event.target, event.order)

    def on_details_view_asked(self, event: DetailsView.Asked) -> None:
        if event.wish == "back":
            self.action_show_runs()
        elif self._chosen.opened is not None:
            self._do(event.wish, self._chosen.opened)

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        """A count in the top line leads to the runs it counts."""
        word = event.target.removeprefix("filter:")
        status = next((known for known in FILTERS if known is not None and known == word), None)
        if status is not None:
            self.action_show_runs()
            self._body.runs.choose(status)

    def action_new_run(self) -> None:
        self._starting.new()

    def action_demo(self) -> None:
        self._work(self._start(self._starting.demo()))

    def action_show_runs(self) -> None:
        self._body.details.close()
        self._reader.close_details()
        self._body.show_runs()

    def action_stop_run(self) -> None:
        if (run := self._chosen.run) is not None:
            self._actions.ask_to_stop(run)

    def action_stop_all(self) -> None:
        self._actions.ask_to_stop_all(self.working)

    def action_wrap_up(self) -> None:
        if (run := self._chosen.run) is not None:
            self._actions.wrap_up(run)

    def action_show_error(self) -> None:
        if (run := self._chosen.run) is not None:
            self._actions.explain(run.id, self._go_to)

    def action_undock(self) -> None:
        if (run_id := self._chosen.id) is not None:
            self._reader.dismiss(run_id)

    def action_undock_all(self) -> None:
        self._reader.dismiss(*ended_in_dock(self._reader.desk.board))

    def action_next_agent(self) -> None:
        self._step_dock(1)

    def action_previous_agent(self) -> None:
        self._step_dock(-1)

    def action_next_tab(self) -> None:
        self._body.turn(1)

    def action_previous_tab(self) -> None:
        self._body.turn(-1)

    def action_zoom(self) -> None:
        """The list or the details alone, or everything again."""
        self.toggle_class(ZOOMED)
        self._body.show_dock(self._given.now())

    def action_pause(self) -> None:
        """Stand still, or show what has changed meanwhile; some of it must be read first."""
        if not self._still.toggle():
            self._work(self._reader.read_everything())
        self._changed()

    def action_copy_menu(self) -> None:
        self._copying.ask()

    def action_copy(self) -> None:
        self._copying.copy()

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        return self._chosen.allows(action) if self.is_mounted else True

    @property
    def glyphs(self) -> Glyphs:
        return self._given.glyphs

    @property
    def at_hand(self) -> tuple[Run, ...]:
        """The runs of the dock and of the list, each once."""
        board = self._reader.desk.board
        listed = shown(self._reader.desk.listing, board.runs)
        return tuple({run.id: run for run in (*board.dock, *listed)}.values())

    def open_run(self, run_id: RunId) -> None:
        """Show the details of a run."""
        self._work(self._open(run_id))

    def start_with(self, info: AgentInfo, *, started: Callable[[], object]) -> None:
        """The form for this agent; `started` is called when its run is shown."""
        self._starting.with_agent(info, started=started)

    def scopes(self) -> tuple[Scope, ...]:
        """The parts of the table of keys that work now, the nearest first."""
        return self._chosen.scopes()

    def _is_hinted(self, action_id: str) -> bool:
        """The demo is hinted at only where nothing was researched; its key works at any time."""
        return action_id != "main.demo" or (self._has_read and not self._reader.desk.board.runs)

    def _changed(self) -> None:
        """Show the desk as it is now."""
        if not self.is_mounted:
            return
        desk, now = self._reader.desk, self._given.now()
        missed = self._still.missed if self._still.is_on else None
        self._top.tell(desk.board.counts, self._engine, missed)
        if self._still.holds:
            return
        self._body.show(desk, now)
        self.refresh_bindings()

    def _resized(self) -> None:
        """What had the focus lost it if there was no room for it."""
        self._changed()
        if self.focused is None:
            self._body.focus_pane()

    def _step_dock(self, by: int) -> None:
        run_id = self._body.dock_view.step(by, self._body.opened)
        if run_id is not None:
            self._work(self._open(run_id))

    def _do(self, wish: str, run_id: RunId) -> None:
        """What a widget asks for on behalf of a person, about one run."""
        run, details = self._chosen.run_of(run_id), self._reader.desk.details
        match wish:
            case "open":
                self._work(self._open(run_id))
            case "error":
                self._actions.explain(run_id, self._go_to)
            case "dismiss":
                self._reader.dismiss(run_id)
            case "stop" if run is not None:
                self._actions.ask_to_stop(run)
            case "page" if details is not None and details.report:
                self._reading.page(details)
            case "write" if details is not None:
                self._write(details)

    def _write(self, details: Details) -> None:
        """What the tab shows, or the report."""
        match self._body.details.tab:
            case "knowledge" if details.known is not None:
                self._actions.save_known(details.known)
            case "time" if details.dated is not None:
                self._actions.save_dated(details.dated)
            case _ if details.report:
                self._actions.save_report(details)

    def _go_to(self, run_id: RunId, seq: int) -> None:
        self._work(self._open(run_id, seq))

    async def _start(self, request: StartRequest) -> None:
        run = await self._given.calls.start(request)
        self._reader.take(run)
        await self._open(run.id)

    async def _open(self, run_id: RunId, seq: int | None = None) -> None:
        if await self._reader.open(run_id):
            self._body.show_details(seq)

    def _work(self, work: Coroutine[None, None, None]) -> None:
        self.run_worker(self._attempt(work))

    async def _attempt(self, work: Coroutine[None, None, None]) -> None:
        """What the engine refuses or cannot do is said; it never ends the app."""
        try:
            await work
        except GligabaoError as error:
            if self._engine not in ("lost", "closing"):
                say(self.app, str(error), is_bad=True)
