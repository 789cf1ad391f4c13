"""The terminal app: its first frame at once, everything else behind it, and an end in order.

What is on the screen is the screens' affair, what stands behind it that of the house, what the
terminal is asked for that of `terminal/`. It never does the engine's work on its own loop, and at
import it takes only what the first frame needs.
"""

import asyncio
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import Context, copy_context
from dataclasses import replace
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import App
from textual.binding import BindingType
from textual.filter import LineFilter
from textual.screen import Screen

from engine.api import AppSettings, Settings
from gligabao_tui.keymap import read_keymap
from gligabao_tui.keys import EVERYWHERE
from gligabao_tui.resources import stylesheets
from gligabao_tui.screens.means import NOTHING, Means, own_clock, utc_now
from gligabao_tui.screens.means import Opening as Opening
from gligabao_tui.screens.opening import OpeningScreen
from gligabao_tui.screens.preferences import tell_faults, use_preferences
from gligabao_tui.terminal.clipboard import CopyWanted
from gligabao_tui.terminal.line_guard import LineGuard
from gligabao_tui.terminal.looks import without_colours
from gligabao_tui.terminal.output import Output, house_driver
from gligabao_tui.terminal.plain_symbols import PlainSymbols
from gligabao_tui.terminal.signals import (
    ENDED_BY_SIGNAL,
    end_by_force_later,
    hearing_signals,
    is_hang_up,
)
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.widgets.bindings import bindings

if TYPE_CHECKING:  # what stands behind the first frame is imported after it
    from gligabao_tui.bridge import Bridge, Opener
    from gligabao_tui.screens.house import House
    from gligabao_tui.screens.main import MainScreen
    from gligabao_tui.screens.pulse import Pulse
    from gligabao_tui.terminal.terminal import Terminal

WIDTHS = [(0, "-tiny"), (60, "-narrow"), (100, "-wide")]
HEIGHTS = [(0, "-flat"), (15, "-low"), (30, "-tall")]
"""Classes of a screen that has at least so many columns, or rows."""


def run_app(settings: Settings, opener: "Opener", *, opening: Opening = NOTHING) -> int:
    """Show the app until it is left, and return the exit code: 0, or 128 plus a signal's number.

    Raises what kept the engine from opening (CannotStart, StoreError, EngineUnreachable), or the
    fault that ended it, once the terminal is as it was. The engine is closed in any case.
    """
    return shown_until_left(GligabaoApp(settings, opener, opening=opening))


def run_at_once(look: AppSettings, read: Callable[[], Means]) -> int:
    """The same, shown before its settings are read: `read` is called in another thread.

    Raises what that raises, too.
    """
    return shown_until_left(OpeningApp(look, read))


def shown_until_left(app: "OpeningApp") -> int:
    """The same for an app that is there."""
    with hearing_signals(app.ended_by):
        try:
            app.run(mouse=app.look.mouse)
        finally:
            app.close_now()
    if app.failure is not None:
        raise app.failure
    if note := app.parting_note():
        sys.stderr.write(f"{note}\n")
    return app.return_code or 0


class OpeningApp(App[int]):
    """The app from its first frame on. `look` is what is known of its settings by then, `read`
    reads the rest; `line_guard` counts what no widget should have drawn."""

    TITLE = "gligabao"
    BINDINGS: ClassVar[list[BindingType]] = [
        replace(one, priority=one.id in EVERYWHERE) for one in bindings("app")
    ]
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    PAUSE_GC_ON_SCROLL = True

    def __init__(self, look: AppSettings, read: Callable[[], Means]) -> None:
        super().__init__(css_path=[stylesheets()[0]], watch_css=False)
        self.animation_level = "none"
        self.driver_class = house_driver(self.driver_class)
        self.look = look
        self.keymap = read_keymap(look.keymap)
        self.line_guard = LineGuard()
        self._read = read
        self._house: House | None = None
        self._is_opening = True
        self._typed: list[events.Event] = []
        self._output = Output(self)
        self._own_loop: asyncio.AbstractEventLoop | None = None
        self._own_context = Context()
        self._failure: BaseException | None = None
        self._left_with: int | None = None
        use_preferences(self, look, self.keymap)

    @property
    def house(self) -> "House":
        assert self._house is not None, "asked for before the first frame"
        return self._house

    @property
    def settings(self) -> Settings:
        return self.main.given.settings

    @property
    def main(self) -> "MainScreen":
        return self.house.main

    @property
    def terminal(self) -> "Terminal":
        return self.house.terminal

    @property
    def pulse(self) -> "Pulse":
        return self.house.pulse

    @property
    def bridge(self) -> "Bridge":
        return self.house.engine.bridge

    @property
    def failure(self) -> BaseException | None:
        """What kept the app or the engine from opening, or a fault that ended it."""
        of_engine = self._house.engine.failure if self._house else None
        fault = self._exception
        return self._failure or of_engine or getattr(fault, "error", fault)

    def _fatal_error(self) -> None:
        """Textual would print all that was known where the fault happened, on the terminal alone;
        `failure` is told and logged like that of any other command."""
        self._close_messages_no_wait()

    def get_default_screen(self) -> Screen[None]:
        if self._house is not None:
            return super().get_default_screen()
        return OpeningScreen(ASCII if self.look.ascii else DRAWN, self.keymap)

    async def on_mount(self) -> None:
        self._own_loop, self._own_context = asyncio.get_running_loop(), copy_context()
        if self._left_with is not None:
            self.exit(return_code=self._left_with)
        elif self._house is None:
            self.screen.call_after_refresh(self._read_on)
        else:
            await self._begin(self._house)

    def on_unmount(self) -> None:
        if self._house is not None:
            self._house.end()

    async def on_event(self, event: events.Event) -> None:
        """What is typed before the workspace is there is kept for it."""
        if self._is_opening and self._is_for_later(event):
            self._typed.append(event)
            return
        if self._house is not None and isinstance(
            event, events.Key | events.MouseDown | events.Paste
        ):
            self._house.touched()
        await super().on_event(event)

    def on_app_blur(self) -> None:
        if self._house is not None:
            self.terminal.focus_reported()

    def on_app_focus(self) -> None:
        if self._house is not None:
            self.terminal.focus_reported()

    def drain(self) -> None:
        self.house.drain()

    def tick(self) -> None:
        self.house.tick()

    async def action_leave(self) -> None:
        if self._house is None:
            self.leave(0)
        else:
            await self._house.departure.leave()

    async def action_interrupt(self) -> None:
        if self._house is None:
            self.leave(0)
        else:
            await self._house.departure.interrupt()

    def action_slow_link(self) -> None:
        self.terminal.slow_link.switch()

    def leave(self, code: int) -> None:
        """Close the engine, then the app, whose exit code that is."""
        if self._house is not None:
            self._house.engine.leave(code)
        else:
            self._left_with = code
            self.exit(return_code=code)

    def ended_by(self, number: int, _: object) -> None:
        """A signal handler: let the engine begin to close at once, then leave."""
        code = ENDED_BY_SIGNAL + number
        if self._house is not None:
            self.bridge.ask_to_close(hurry=True)
        if is_hang_up(number):
            self._output.hang_up()
        if not self.is_headless:
            end_by_force_later(code)
        if self._own_loop is None:
            self._left_with = code
        self.on_loop(self.leave, code)

    def on_loop(self, do: Callable[..., object], *given: object) -> None:
        """Run something on the app's loop; when that has ended, nobody needs it any more."""
        if self._own_loop is not None:
            with suppress(RuntimeError):
                self._own_loop.call_soon_threadsafe(do, *given, context=self._own_context)

    def close_now(self) -> None:
        """After the app has ended."""
        if self._house is not None:
            self.bridge.close_now()

    def action_help(self) -> None:
        self.house.openings.help()

    def action_handbook(self) -> None:
        self.house.openings.handbook()

    def action_doctor(self) -> None:
        self.house.openings.doctor()

    def action_agents(self, name: str = "") -> None:
        self.house.openings.agents(name)

    def action_schedules(self, agent: str = "") -> None:
        self.house.openings.schedules(agent)

    def action_knowledge_base(self, dataset: str = "") -> None:
        self.house.openings.knowledge_base(dataset)

    def action_jump(self) -> None:
        self.house.openings.jump()

    def action_command_palette(self) -> None:
        self.house.openings.commands()

    def action_change_theme(self) -> None:
        self.house.openings.themes()

    def action_reconnect(self) -> None:
        """Open the engine again after it was lost."""
        self.house.engine.open_again()

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        if action == "suspend_process":
            return self._output.can_suspend
        is_lost = self._house is not None and self.main.engine == "lost"
        return is_lost if action == "reconnect" else True

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's, then ours; the guard comes last and sees what they made."""
        filters = super().get_line_filters()
        if self.no_color:
            filters = without_colours(filters, is_ansi=self.native_ansi_color)
        plain = [PlainSymbols()] if self.look.ascii else []
        return [*filters, *plain, self.line_guard]

    def on_copy_wanted(self, wanted: CopyWanted) -> None:
        """A screen asks by `copy_text`."""
        self._clipboard = wanted.text
        self.run_worker(self.terminal.copy(wanted), group="copy")

    def copy_to_clipboard(self, text: str) -> None:
        """What Textual's own fields ask for."""
        self._clipboard = text
        self.terminal.send_copy(text)

    def write_sequence(self, sequence: str) -> None:
        """Send something to the terminal that no widget draws."""
        self._output.send(sequence)

    def parting_note(self) -> str:
        """What to say when the app has gone and agents of another process go on."""
        return self._house.parting_note() if self._house is not None else ""

    def furnish(self, means: Means) -> "House":
        """What stands behind the first frame, from what is known by now."""
        from gligabao_tui.screens.house import House

        return House(
            self,
            means,
            send=lambda sequence: self.write_sequence(sequence),
            on_loop=self.on_loop,
        )

    def _read_on(self) -> None:
        """The first frame is painted: read and import the rest while the loop lives."""
        thread = ThreadPoolExecutor(1, thread_name_prefix="opening")
        reading = thread.submit(self._read_everything)
        thread.shutdown(wait=False)
        reading.add_done_callback(lambda done: self.on_loop(self._was_read, done))

    def _read_everything(self) -> Means:
        """In another thread; nothing more is imported when the app is left meanwhile."""
        means = self._read()
        if self._left_with is None:
            import_module("gligabao_tui.screens.house")
        return means

    def _was_read(self, reading: Future[Means]) -> None:
        if self._left_with is not None:
            return
        if (error := reading.exception()) is not None:
            self._failure = error
            self.exit(return_code=1)
        else:
            self.run_worker(self._move_in(reading.result()))

    async def _move_in(self, means: Means) -> None:
        """The workspace in the place of the first frame; then what was typed goes to it."""
        for sheet in stylesheets()[1:]:
            self.stylesheet.read(sheet)
        self.stylesheet.parse()
        self._house = self.furnish(means)
        await self._begin(self._house)
        self.main.call_after_refresh(self._type_again)

    def _type_again(self) -> None:
        self._is_opening = False
        for event in self._typed:
            self.post_message(event)

    def _is_for_later(self, event: events.Event) -> bool:
        """Leaving is not, unless it belongs to what was typed before it."""
        if not isinstance(event, events.Key):
            return isinstance(event, events.Paste)
        leaving = () if self._typed else self.keymap.keys_of("app.leave")
        return event.key not in (*leaving, *self.keymap.keys_of("app.interrupt"))

    async def _begin(self, house: "House") -> None:
        tell_faults(self, self.look, self.keymap)
        await house.begin()


class GligabaoApp(OpeningApp):
    """The app whose settings are known: the workspace is its first frame."""

    def __init__(
        self,
        settings: Settings,
        opener: "Opener",
        *,
        opening: Opening = NOTHING,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        means = Means(settings, opener, opening, now, self.here)
        super().__init__(settings.app, lambda: means)
        self.css_path = [*stylesheets()]
        self._house = self.furnish(means)
        self._is_opening = False

    def here(self, moment: datetime) -> datetime:
        """The same moment on the clock of whoever reads the screen."""
        return own_clock(moment)
