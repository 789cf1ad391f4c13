"""What stands behind the app's first frame: the workspace, the engine's connection, the terminal.

The app imports it late and in another thread, and builds it once, when the settings are there.
"""

from collections.abc import Callable
from typing import Any

from textual.app import App

from engine.api import RunId, StartRequest
from gligabao_tui.bridge import EngineCalls
from gligabao_tui.messages import EngineTold
from gligabao_tui.resources import read_small
from gligabao_tui.screens.connection import Connection, Hooks
from gligabao_tui.screens.departure import Departure
from gligabao_tui.screens.given import Given
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.screens.means import Means
from gligabao_tui.screens.openings import Openings
from gligabao_tui.screens.pulse import Pulse
from gligabao_tui.terminal.garbage import settle
from gligabao_tui.terminal.keeping import Keeping
from gligabao_tui.terminal.terminal import Terminal
from gligabao_tui.view.desktop_note import ended_note, parting_note
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.view.status_line import window_title
from gligabao_tui.view.ui_state import ui_state_of, ui_state_text
from gligabao_tui.widgets.bindings import keymap_of
from gligabao_tui.widgets.plain import say

OnLoop = Callable[..., None]


class House:
    """`send` writes to the terminal; `on_loop` runs something on the app's loop, from anywhere."""

    def __init__(
        self,
        app: App[Any],
        means: Means,
        *,
        send: Callable[[str], None],
        on_loop: OnLoop,
    ) -> None:
        settings = means.settings
        self._app = app
        self._means = means
        self._on_loop = on_loop
        self._glyphs = ASCII if settings.app.ascii else DRAWN
        self.pulse = Pulse(
            app,
            drain=self.drain,
            tick=self.tick,
            drain_seconds=lambda: self.terminal.slow_link.pace.drain_seconds,
        )
        hooks = Hooks(on_loop, news=self.pulse.news, opened=self._engine_opened)
        self.engine = Connection(app, means.opener, hooks)
        self.departure = Departure(app, self.engine)
        self.terminal = Terminal(
            app, send=send, tell=lambda words: say(app, words), is_slow=settings.app.slow_link
        )
        state_file = settings.data_dir / "ui_state.json"
        calls = EngineCalls(lambda: self.engine.bridge)
        given = Given(calls, settings, self._glyphs, means.now, keymap_of(app), means.here)
        self.main = MainScreen(given, ui_state_of(read_small(state_file)))
        self.engine.main = self.main
        self.openings = Openings(app, self.main)
        self.keeping = Keeping(app, state_file, lambda: ui_state_text(self.main.ui_state))

    async def begin(self) -> None:
        """The app has its loop and its terminal: show the workspace, and open the engine then."""
        self.terminal.begin(self._on_loop)
        await self._app.push_screen(self.main)
        self.main.bindings_updated_signal.subscribe(self._app, lambda _: self._keep_soon())
        self.terminal.entitle("gligabao")
        self.pulse.begin()
        self.main.call_after_refresh(self.engine.open, self.main, self._first)

    def end(self) -> None:
        """The app goes; its terminal is still there."""
        self.engine.bridge.ask_to_close()
        if self.engine.has_opened or self.engine.failure is None:
            self.keeping.keep_now()
        self.terminal.end()

    def touched(self) -> None:
        """Whatever a person does may change what is to be kept."""
        self.terminal.touched()
        self._keep_soon()

    def drain(self) -> None:
        """Hand over what was announced: called when something was, at most ten times a second."""
        self.pulse.drained()
        self.terminal.slow_link.keep()
        if told := self.engine.bridge.drain():
            if self._means.settings.app.notify:
                self.terminal.note(ended_note(self.main.working, told))
            self.main.post_message(EngineTold(told))
            self.pulse.set_pace(works=True)

    def tick(self) -> None:
        """Time has passed: every second while an agent works, else now and then."""
        self.engine.see_owner()
        if self.pulse.is_new_day(self._means.now()):  # what today has cost begins again
            self.main.recount()
        self.terminal.slow_link.keep()
        self.main.tick()
        self.terminal.entitle(window_title(self.main.counts, self._glyphs))
        self.pulse.set_pace(works=bool(self.main.working))

    def parting_note(self) -> str:
        """What to say when the app has gone and agents of another process go on."""
        working = len(self.main.working) if self.engine.was_joined else 0
        lock = self._means.settings.data_dir / "engine.lock"
        return parting_note(working, read_small(lock).strip())

    @property
    def _first(self) -> RunId | StartRequest | None:
        return self._means.opening.open_run or self._means.opening.start

    def _keep_soon(self) -> None:
        """Nothing is written beside data that perhaps must not be touched."""
        if self.engine.has_opened:
            self.keeping.touch()

    def _engine_opened(self) -> None:
        self.tick()
        self._keep_soon()
        if not self._app.is_headless:
            settle()
