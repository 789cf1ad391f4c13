"""What the app lays over its workspace: help, handbook, doctor, palette, themes, jump mode."""

from typing import Any

from textual.app import App

from engine.api import AgentInfo
from gligabao_tui.keymap import keymap_checks
from gligabao_tui.keys import Scope
from gligabao_tui.screens.agents import AgentsScreen
from gligabao_tui.screens.commands import Palette
from gligabao_tui.screens.dialog import Dialog
from gligabao_tui.screens.doctor import DoctorDialog
from gligabao_tui.screens.handbook import handbook_at
from gligabao_tui.screens.help import HelpDialog
from gligabao_tui.screens.jump import JumpScreen, do, jump_spots
from gligabao_tui.screens.knowledge import KnowledgeScreen
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.screens.palette import PaletteDialog
from gligabao_tui.screens.schedules import Leaving as LeavingSchedules
from gligabao_tui.screens.schedules import SchedulesScreen
from gligabao_tui.view.answers import Asked

FULL_SCREENS = (AgentsScreen, SchedulesScreen, KnowledgeScreen)


class Openings:
    """Each opens one thing over `main`, from wherever the person is."""

    def __init__(self, app: App[Any], main: MainScreen) -> None:
        self._app = app
        self._main = main
        self._given = main.given
        self._asked: list[Asked] = []

    def help(self) -> None:
        screen = self._app.screen
        if isinstance(screen, FULL_SCREENS):
            scopes: tuple[Scope, ...] = (screen.SCOPE,)
        else:
            scopes = self._main.scopes()
        self._app.push_screen(HelpDialog(scopes, self._given.glyphs))

    def handbook(self) -> None:
        """At the page about what is in front of the person."""
        screen = self._app.screen
        if isinstance(screen, (Dialog, *FULL_SCREENS)):
            scope = screen.SCOPE
        else:
            scope = self._main.scopes()[0]
        self._app.push_screen(handbook_at(scope, self._given.glyphs))

    def doctor(self) -> None:
        extra = keymap_checks(self._given.settings.app.keymap)
        self._app.push_screen(DoctorDialog(self._given, self._main.engine, extra))

    def agents(self, name: str = "") -> None:
        """All agents, with this one chosen."""

        def start(info: AgentInfo) -> None:
            self._main.start_with(info, started=lambda: screen.dismiss(None))

        screen = AgentsScreen(self._given, start, name=name)
        self._app.push_screen(screen, self._left_agents)

    def _left_agents(self, agent: str | None) -> None:
        if agent is not None:
            self.schedules(agent)

    def schedules(self, agent: str = "") -> None:
        """When agents run by themselves, with the schedule of this one chosen."""
        screen = SchedulesScreen(self._given, agent=agent)
        self._app.push_screen(screen, self._left_schedules)

    def _left_schedules(self, leaving: LeavingSchedules | None) -> None:
        if leaving is not None and leaving.run is not None:
            self._main.open_run(leaving.run)
        elif leaving is not None and leaving.agent:
            self.agents(leaving.agent)

    def knowledge_base(self, dataset: str = "") -> None:
        """What is known, with this dataset chosen."""
        self._app.push_screen(KnowledgeScreen(self._given, self._asked, dataset=dataset))

    def jump(self) -> None:
        screen = self._app.screen
        if isinstance(screen, JumpScreen):
            screen.action_leave()
        elif spots := jump_spots(screen):
            self._app.push_screen(JumpScreen(spots), do)

    def commands(self) -> None:
        palette = Palette(self._app, self._main)
        asks = "What do you want to do?"
        self._app.push_screen(PaletteDialog(palette.entries(), asks), palette.do)

    def themes(self) -> None:
        palette = Palette(self._app, self._main)
        self._app.push_screen(PaletteDialog(palette.themes(), "Which colours?"), palette.do)
