"""The terminal app: it puts the screens, the engine and the terminal together, and ends in order.

What is on the screen is the screens' affair, what the terminal is asked for that of `terminal/`.
It never does the engine's work on its own loop.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import ClassVar

from textual import events
from textual.app import App
from textual.binding import BindingType
from textual.filter import LineFilter

from engine.api import RunId, Settings, StartRequest
from gligabao_tui.bridge import Bridge, EngineCalls, Opener
from gligabao_tui.keymap import read_keymap
from gligabao_tui.keys import EVERYWHERE
from gligabao_tui.messages import EngineTold
from gligabao_tui.resources import read_small, stylesheets
from gligabao_tui.screens.connection import Connection
from gligabao_tui.screens.departure import Departure
from gligabao_tui.screens.given import Given
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.screens.openings import Openings
from gligabao_tui.screens.preferences import use_preferences
from gligabao_tui.screens.pulse import Pulse
from gligabao_tui.terminal.clipboard import CopyWanted
from gligabao_tui.terminal.garbage import settle
from gligabao_tui.terminal.keeping import Keeping
from gligabao_tui.terminal.line_guard import LineGuard
from gligabao_tui.terminal.looks import without_colours
from gligabao_tui.terminal.output import house_driver
from gligabao_tui.terminal.plain_symbols import PlainSymbols
from gligabao_tui.terminal.signals import (
    ENDED_BY_SIGNAL,
    end_by_force_later,
    hearing_signals,
    is_hang_up,
)
from gligabao_tui.terminal.terminal import Terminal
from gligabao_tui.view.desktop_note import ended_note, parting_note
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.view.status_line import window_title
from gligabao_tui.view.ui_state import ui_state_of, ui_state_text
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.plain import say

WIDTHS = [(0, "-tiny"), (60, "-narrow"), (100, "-wide")]
HEIGHTS = [(0, "-flat"), (15, "-low"), (30, "-tall")]
"""Classes of a screen that has at least so many columns, or rows."""


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
    return shown_until_left(GligabaoApp(settings, opener, opening=opening))


def shown_until_left(app: "GligabaoApp") -> int:
    """The same for an app that is there."""
    with hearing_signals(app.ended_by):
        try:
            app.run(mouse=app.settings.app.mouse)
        finally:
            app.bridge.close_now()
    if app.failure is not None:
        raise app.failure
    if note := app.parting_note():
        sys.stderr.write(f"{note}\n")
    return app.return_code or 0


class GligabaoApp(App[int]):
    """`line_guard` counts what no widget should have drawn."""

    TITLE = "gligabao"
    BINDINGS: ClassVar[list[BindingType]] = [
        replace(one, priority=one.id in EVERYWHERE) for one in bindings("app")
    ]
    ENABLE_COMMAND_PALETTE = False
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
        self.driver_class = house_driver(self.driver_class)
        self.settings = settings
        self.keymap = read_keymap(settings.app.keymap)
        self.line_guard = LineGuard()
        self._opening = opening
        self._now = now
        self.pulse = Pulse(
            self,
            drain=self.drain,
            tick=self.tick,
            drain_seconds=lambda: self.terminal.slow_link.pace.drain_seconds,
        )
        self._glyphs = ASCII if settings.app.ascii else DRAWN
        self._engine = Connection(self, opener, news=self.pulse.news, opened=self._engine_opened)
        self._departure = Departure(self, self._engine)
        self.terminal = Terminal(
            self,
            send=self.write_sequence,
            tell=lambda words: say(self, words),
            is_slow=settings.app.slow_link,
        )
        state_file = settings.data_dir / "ui_state.json"
        calls = EngineCalls(lambda: self.bridge)
        given = Given(calls, settings, self._glyphs, now, self.keymap)
        self.main = MainScreen(given, ui_state_of(read_small(state_file)))
        self._openings = Openings(self, self.main)
        self._keeping = Keeping(self, state_file, lambda: ui_state_text(self.main.ui_state))

    @property
    def bridge(self) -> Bridge:
        return self._engine.bridge

    @property
    def failure(self) -> BaseException | None:
        """What kept the engine from opening, or a fault that ended it."""
        return self._engine.failure

    async def on_mount(self) -> None:
        self.terminal.begin(self._engine.on_loop)
        use_preferences(self, self.settings, self.keymap)
        await self.push_screen(self.main)
        self.main.bindings_updated_signal.subscribe(self, lambda _: self._keeping.touch())
        self.terminal.entitle(self.TITLE)
        self.pulse.begin()
        first = self._opening.open_run or self._opening.start
        self.main.call_after_refresh(self._engine.open, self.main, first)

    def on_unmount(self) -> None:
        self.bridge.ask_to_close()
        self._keeping.keep_now()
        self.terminal.end()

    async def on_event(self, event: events.Event) -> None:
        """Whatever a person does may change what is to be kept."""
        if isinstance(event, events.Key | events.MouseDown | events.Paste):
            self.terminal.touched()
            self._keeping.touch()
        await super().on_event(event)

    def on_app_blur(self) -> None:
        self.terminal.focus_reported()

    def on_app_focus(self) -> None:
        self.terminal.focus_reported()

    def drain(self) -> None:
        """Hand over what was announced: called when something was, at most ten times a second."""
        self.pulse.drained()
        self.terminal.slow_link.keep()
        if told := self.bridge.drain():
            if self.settings.app.notify:
                self.terminal.note(ended_note(self.main.working, told))
            self.main.post_message(EngineTold(told))
            self.pulse.set_pace(works=True)

    def tick(self) -> None:
        """Time has passed: every second while an agent works, else now and then."""
        self._engine.see_owner()
        if self.pulse.is_new_day(self._now()):  # what today has cost begins again
            self.main.recount()
        self.terminal.slow_link.keep()
        self.main.tick()
        self.terminal.entitle(window_title(self.main.counts, self._glyphs))
        self.pulse.set_pace(works=bool(self.main.working))

    async def action_leave(self) -> None:
        await self._departure.leave()

    async def action_interrupt(self) -> None:
        await self._departure.interrupt()

    def action_slow_link(self) -> None:
        self.terminal.slow_link.switch()

    def leave(self, code: int) -> None:
        """Close the engine, then the app, whose exit code that is."""
        self._engine.leave(code)

    def ended_by(self, number: int, _: object) -> None:
        """A signal handler: let the engine begin to close at once, then leave."""
        self.bridge.ask_to_close()
        code = ENDED_BY_SIGNAL + number
        if is_hang_up(number):
            self.terminal.output.hang_up()
        if not self.is_headless:
            end_by_force_later(code)
        self._engine.on_loop(self.leave, code)

    def action_help(self) -> None:
        self._openings.help()

    def action_handbook(self) -> None:
        self._openings.handbook()

    def action_doctor(self) -> None:
        self._openings.doctor()

    def action_jump(self) -> None:
        self._openings.jump()

    def action_command_palette(self) -> None:
        self._openings.commands()

    def action_change_theme(self) -> None:
        self._openings.themes()

    def action_reconnect(self) -> None:
        """Open the engine again after it was lost."""
        self._engine.open_again()

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        if action == "suspend_process":
            return self.terminal.output.can_suspend
        return self.main.engine == "lost" if action == "reconnect" else True

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's, then ours; the guard comes last and sees what they made."""
        filters = super().get_line_filters()
        if self.no_color:
            filters = without_colours(filters, is_ansi=self.native_ansi_color)
        plain = [PlainSymbols()] if self.settings.app.ascii else []
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
        self.terminal.output.send(sequence)

    def parting_note(self) -> str:
        """What to say when the app has gone and agents of another process go on."""
        working = len(self.main.working) if self._engine.was_joined else 0
        return parting_note(working, read_small(self.settings.data_dir / "engine.lock").strip())

    def _engine_opened(self) -> None:
        self.tick()
        if not self.is_headless:
            settle()
