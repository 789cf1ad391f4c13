"""The engine as the app has it: opened, lost and opened again, told of, and closed at the end.

It never does the engine's work; all of it runs on the screen's loop.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from textual.app import App

from engine.api import CannotStart, GligabaoError, RunId, StartRequest
from gligabao_tui.bridge import Bridge, EngineCalls, Opener
from gligabao_tui.screens.faults import Answer, FaultsDialog
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.screens.run_actions import BY_THE_APP
from gligabao_tui.view.status_line import EngineState
from gligabao_tui.widgets.bindings import keymap_of
from gligabao_tui.widgets.plain import say


@dataclass(frozen=True, slots=True)
class Hooks:
    """`on_loop` runs something on the screen's loop, from any thread; `news` is called there when
    the first event waits to be drained, `opened` when everything was read."""

    on_loop: Callable[..., None]
    news: Callable[[], None]
    opened: Callable[[], None]


class Connection:
    """`failure` is what kept the engine from opening, or a fault that ended it; `has_opened`: it
    was open at some time."""

    def __init__(self, app: App[Any], opener: Opener, hooks: Hooks) -> None:
        self._app = app
        self._opener = opener
        self._hooks = hooks
        self.has_opened = False
        self.is_leaving = False
        self.was_joined = False
        self.failure: BaseException | None = None
        self.main: MainScreen
        self.bridge = self._new_bridge()

    @property
    def can_lose_work(self) -> bool:
        """Whether leaving would end agents that work."""
        return self.main.engine == "owned" and not self.is_leaving

    def open(self, main: MainScreen, first: RunId | StartRequest | None) -> None:
        """Open the engine for the workspace, which then opens or starts `first`."""
        self.main = main
        self._app.run_worker(self._open(first))

    def open_again(self) -> None:
        """After it was lost."""
        self.bridge = self._new_bridge()
        self._app.run_worker(self._open(None))

    def see_owner(self) -> None:
        """A joined engine becomes the owner when the process that was it has gone."""
        owner: EngineState = "owned" if self.bridge.owns_data else "joined"
        if self.main.engine in ("owned", "joined") and self.main.engine != owner:
            self.main.engine_is(owner)

    def leave(self, code: int) -> None:
        """Close the engine, then the app, whose exit code that is."""
        if not self.is_leaving:
            self.is_leaving = True
            self.was_joined = self.main.engine == "joined"
            self.main.engine_is("closing")
            self._app.run_worker(self._close(code))

    def stop_all_and_leave(self) -> None:
        self._app.run_worker(self._stop_all())

    def _new_bridge(self) -> Bridge:
        return Bridge(
            self._opener,
            wake=lambda: self._hooks.on_loop(self._hooks.news),
            ended=lambda error: self._hooks.on_loop(self._ended, error),
        )

    async def _open(self, first: RunId | StartRequest | None) -> None:
        self.main.engine_is("opening")
        try:
            await self.bridge.open()
        except GligabaoError as error:
            if self.has_opened:
                self._lost(error)
            elif self.failure is None and not self.is_leaving:
                self._cannot_open(error, first)
            return
        self.has_opened = True
        self.main.engine_is("owned" if self.bridge.owns_data else "joined")
        await self.main.engine_opened(first)
        self._hooks.opened()

    def _cannot_open(self, error: GligabaoError, first: RunId | StartRequest | None) -> None:
        """Faults in files are shown until they are mended, or the app is left."""
        problems = error.problems if isinstance(error, CannotStart) else ()
        if not any(problem.where for problem in problems):
            self._fail(error)
            return

        def answered(answer: Answer | None) -> None:
            if answer is None:
                self._fail(error)
                return
            self.failure = None
            self.bridge = self._new_bridge()
            self._app.run_worker(self._open(first))

        self.failure = error  # it is told however the app is left
        self._app.push_screen(FaultsDialog(problems, self.main.given), answered)

    def _ended(self, error: BaseException | None) -> None:
        """Without being asked to: a joined owner has gone, or the program has a fault."""
        if self.is_leaving or error is None or self.main.engine == "opening":
            return
        if isinstance(error, GligabaoError):
            self._lost(error)
        else:
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        self.failure = error
        self._app.exit(return_code=1)

    def _lost(self, error: GligabaoError) -> None:
        if not self.is_leaving:
            self.main.engine_is("lost")
            key = keymap_of(self._app).spelled("app.reconnect")
            say(self._app, f"{error}. Press {key} to open it again.", is_bad=True)

    async def _stop_all(self) -> None:
        calls = EngineCalls(lambda: self.bridge)
        for run in self.main.working:
            with suppress(GligabaoError):  # it ended meanwhile, or ends with the engine
                await calls.stop(run.id, by=BY_THE_APP)
        self.leave(0)

    async def _close(self, code: int) -> None:
        await self.bridge.close()
        self._app.exit(return_code=code)
