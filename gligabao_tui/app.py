"""The terminal app: it owns the bridge to the engine, the clock's ticks, the look and the exit.

What is on the screen is the screens' affair. It never does the engine's work on its own loop.
"""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import Context, copy_context
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import ClassVar

from textual.app import App
from textual.binding import BindingType
from textual.command import Provider
from textual.theme import Theme
from textual.timer import Timer

from engine.api import (
    EngineUnreachable,
    Event,
    GligabaoError,
    RunCounts,
    RunEnded,
    RunId,
    Settings,
    StartRequest,
    UserError,
)
from gligabao_tui.bridge import Bridge, EngineCalls, Opener
from gligabao_tui.messages import EngineTold
from gligabao_tui.resources import read_small, stylesheets, theme_tables, write_whole
from gligabao_tui.screens.commands import Commands
from gligabao_tui.screens.given import Given
from gligabao_tui.screens.help import HelpDialog
from gligabao_tui.screens.leave import LeaveDialog, Leaving
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.screens.run_actions import BY_THE_APP
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.view.status_line import EngineState, window_title
from gligabao_tui.view.ui_state import ui_state_of, ui_state_text
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.plain import say

DEFAULT_THEME = "gligabao"
DRAIN_SECONDS, SLOW_DRAIN_SECONDS = 0.1, 0.5
WORKING_TICK_SECONDS, IDLE_TICK_SECONDS = 1.0, 30.0
ENDED_BY_SIGNAL = 128
WIDTHS = [(0, "-tiny"), (60, "-narrow"), (100, "-wide")]
HEIGHTS = [(0, "-flat"), (15, "-low"), (30, "-tall")]
"""Classes of a screen that has at least so many columns, or rows."""
SIGNALS = ("SIGTERM", "SIGHUP")
LEAVE_SECONDS = 20.0
"""A process that was sent a signal ends by then, whatever its terminal does."""
TITLE_PUSH, TITLE_POP = "\x1b[22;0t", "\x1b[23;0t"


def utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Opening:
    """What the app begins with: the details of a run, or a run that it starts."""

    open_run: RunId | None = None
    start: StartRequest | None = None


NOTHING = Opening()


def run_app(settings: Settings, opener: Opener, *, opening: Opening = NOTHING) -> int:
    """Show the app until it is left, and return the exit code: 0, or 128 plus a signal's number.

    Raises what kept the engine from opening (CannotStart, StoreError, EngineUnreachable), or the
    fault that ended it, once the terminal is as it was. The engine is closed in any case.
    """
    app = GligabaoApp(settings, opener, opening=opening)
    with hearing_signals(app):
        try:
            app.run()
        finally:
            app.bridge.close_now()
    if app.failure is not None:
        raise app.failure
    return app.return_code or 0


@contextmanager
def hearing_signals(app: "GligabaoApp") -> Iterator[None]:
    """SIGTERM and SIGHUP close the engine, then the app. For the main thread only.

    A plain handler, since it also runs while the app's loop waits for a terminal that has gone.
    """
    known = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    before = [(number, signal.signal(number, app.ended_by)) for number in known]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


class GligabaoApp(App[int]):
    """`failure` is what kept the engine from opening, or a fault that ended it."""

    TITLE = "gligabao"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("app"))
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {Commands}
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    PAUSE_GC_ON_SCROLL = True

    def __init__(
        self,
        settings: Settings,
        opener: Opener,
        *,
        opening: Opening = NOTHING,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        super().__init__(css_path=[*stylesheets()], watch_css=False)
        self.animation_level = "none"
        self.failure: BaseException | None = None
        self.settings = settings
        self._opener = opener
        self._opening = opening
        self._drained_at = float("-inf")
        self._ticking: Timer | None = None
        self._has_opened = self._is_leaving = self._is_hung_up = False
        self._titled = ""
        self._now = now
        self._counted_on: date | None = None
        self.tick_seconds = IDLE_TICK_SECONDS
        self._loop_of_app: asyncio.AbstractEventLoop | None = None
        self._context_of_app = Context()
        self._glyphs = ASCII if settings.app.ascii else DRAWN
        self.bridge = self._new_bridge()
        self._state_file = settings.data_dir / "ui_state.json"
        self.calls = EngineCalls(lambda: self.bridge)
        given = Given(calls=self.calls, settings=settings, glyphs=self._glyphs, now=now)
        self.main = MainScreen(given, ui_state_of(read_small(self._state_file)))

    async def on_mount(self) -> None:
        self._guard_terminal()
        self._use_themes()
        await self.push_screen(self.main)
        self._title(counts=None)
        self._ticking = self.set_interval(IDLE_TICK_SECONDS, self.tick)
        self.run_worker(self._open_engine(self._opening.open_run or self._opening.start))

    def on_unmount(self) -> None:
        self.bridge.ask_to_close()
        self._keep_state()
        self.write_sequence(TITLE_POP)

    def drain(self) -> None:
        """Hand over what was announced: called when something was, at most ten times a second."""
        self._drained_at = self._loop_time()
        if events := self.bridge.drain():
            self.main.post_message(EngineTold(events))
            self._ring(events)
            self._tick_every(WORKING_TICK_SECONDS)

    def tick(self) -> None:
        """Time has passed: every second while an agent works, else now and then."""
        self._see_owner()
        self._see_day()
        self.main.tick()
        self._title(self.main.counts)
        self._tick_every(WORKING_TICK_SECONDS if self.main.working else IDLE_TICK_SECONDS)

    async def action_leave(self) -> None:
        """Leave at once when nothing can be lost, else ask."""
        working = self.main.working
        if working and self._can_lose_work:
            await self.push_screen(LeaveDialog(working), self._leave_answered)
        else:
            self.leave(0)

    def leave(self, code: int) -> None:
        """Close the engine, then the app, whose exit code that is."""
        if not self._is_leaving:
            self._is_leaving = True
            self.main.engine_is("closing")
            self.run_worker(self._close(code))

    def ended_by(self, number: int, _: object) -> None:
        """A signal handler: let the engine begin to close at once, then leave."""
        self.bridge.ask_to_close()
        code = ENDED_BY_SIGNAL + number
        self._is_hung_up = self._is_hung_up or number == getattr(signal, "SIGHUP", None)
        if not self.is_headless:
            last_resort = threading.Timer(LEAVE_SECONDS, os._exit, [code])
            last_resort.daemon = True
            last_resort.start()
        self._from_engine(self.leave, code)

    def action_help(self) -> None:
        self.push_screen(HelpDialog(self.main.scopes(), self._glyphs))

    def action_reconnect(self) -> None:
        """Open the engine again after it was lost."""
        self.main.engine_is("opening")
        self.bridge = self._new_bridge()
        self.run_worker(self._open_engine(None))

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        return self.main.engine == "lost" if action == "reconnect" else True

    @property
    def _can_lose_work(self) -> bool:
        return self.main.engine == "owned" and not self._is_leaving

    def _guard_terminal(self) -> None:
        """Write nothing to a terminal that has hung up: Textual would wait for it for ever."""
        if self._driver is None or self.is_headless:
            return
        write = self._driver.write

        def guarded(data: str) -> None:
            if not self._is_hung_up:
                write(data)

        self._driver.write = guarded  # type: ignore[method-assign]  # of this one terminal

    def _see_owner(self) -> None:
        """A joined engine becomes the owner when the process that was it has gone."""
        owner: EngineState = "owned" if self.bridge.owns_data else "joined"
        if self.main.engine in ("owned", "joined") and self.main.engine != owner:
            self.main.engine_is(owner)

    def _see_day(self) -> None:
        """What today has cost begins again at midnight UTC."""
        today = self._now().date()
        if self._counted_on not in (None, today):
            self.main.recount()
        self._counted_on = today

    def _new_bridge(self) -> Bridge:
        return Bridge(
            self._opener,
            wake=lambda: self._from_engine(self._arm),
            ended=lambda error: self._from_engine(self._engine_ended, error),
        )

    def _from_engine(self, do: Callable[..., None], *given: object) -> None:
        """Run something on the app's loop; when that has ended, nobody needs it any more."""
        if self._loop_of_app is not None:
            with suppress(RuntimeError):
                self._loop_of_app.call_soon_threadsafe(do, *given, context=self._context_of_app)

    def _arm(self) -> None:
        """The first event since the last drain is there."""
        interval = SLOW_DRAIN_SECONDS if self.settings.app.slow_link else DRAIN_SECONDS
        wait = max(0.0, self._drained_at + interval - self._loop_time())
        asyncio.get_running_loop().call_later(wait, self.drain)

    async def _open_engine(self, first: RunId | StartRequest | None) -> None:
        self._loop_of_app, self._context_of_app = asyncio.get_running_loop(), copy_context()
        self.main.engine_is("opening")
        try:
            await self.bridge.open()
        except GligabaoError as error:
            if self._has_opened:
                self._engine_lost(error)
            elif self.failure is None and not self._is_leaving:
                self.failure = error
                self.exit(return_code=1)
            return
        self._has_opened = True
        self.main.engine_is("owned" if self.bridge.owns_data else "joined")
        await self.main.engine_opened(first)
        self.tick()

    def _engine_ended(self, error: BaseException | None) -> None:
        """Without being asked to: a joined owner has gone, or the program has a fault."""
        if self._is_leaving or error is None or self.main.engine == "opening":
            return
        if not isinstance(error, GligabaoError):
            self.failure = error
            self.exit(return_code=1)
            return
        self._engine_lost(error)

    def _engine_lost(self, error: GligabaoError) -> None:
        if not self._is_leaving:
            self.main.engine_is("lost")
            say(self, f"{error}. Press ctrl+r to open it again.", is_bad=True)

    def _leave_answered(self, choice: Leaving | None) -> None:
        if choice == "stop_all":
            self.run_worker(self._stop_all())

    async def _stop_all(self) -> None:
        for run in self.main.working:
            with suppress(UserError, EngineUnreachable):  # it ended meanwhile
                await self.calls.stop(run.id, by=BY_THE_APP)
        self.leave(0)

    async def _close(self, code: int) -> None:
        await self.bridge.close()
        self.exit(return_code=code)

    def _tick_every(self, seconds: float) -> None:
        if self._ticking is not None and self.tick_seconds != seconds:
            self.tick_seconds = seconds
            self._ticking.stop()
            self._ticking = self.set_interval(seconds, self.tick)

    def _ring(self, events: Sequence[Event]) -> None:
        """An agent ended while the person looks at something else."""
        ended = any(isinstance(event, RunEnded) for event in events)
        if ended and self.settings.app.notify and not self.app_focus:
            self.bell()

    def _use_themes(self) -> None:
        for name, table in theme_tables().items():
            self.register_theme(replace(Theme(name=name, primary=""), **table))
        wanted = self.settings.app.theme or DEFAULT_THEME
        if wanted in self.available_themes:
            self.theme = wanted
        else:
            self.theme = DEFAULT_THEME
            say(self, f"There is no theme {wanted!r}: T shows those there are.", is_bad=True)
        self.set_class(self.settings.app.ascii, "-ascii")

    def _keep_state(self) -> None:
        with suppress(OSError):  # a full disk must not keep anybody from leaving
            write_whole(self._state_file, ui_state_text(self.main.ui_state))

    def _title(self, counts: RunCounts | None) -> None:
        """The terminal's own title, which is put back at the end."""
        title = window_title(counts, self._glyphs) if counts else "gligabao"
        if title != self._titled:
            self.write_sequence(("" if self._titled else TITLE_PUSH) + f"\x1b]0;{title}\x07")
            self._titled = title

    def write_sequence(self, sequence: str) -> None:
        """Send something to the terminal that no widget draws."""
        if self._driver is not None and not self.is_headless:
            self._driver.write(sequence)

    def _loop_time(self) -> float:
        return asyncio.get_running_loop().time()
