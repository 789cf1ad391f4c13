"""The command palette: whatever can be done right now, found by its name."""

from collections.abc import Iterator
from typing import Any

from textual.app import App
from textual.dom import DOMNode
from textual.screen import Screen

from engine.api import RunId
from gligabao_tui.keys import ACTIONS, Scope, actions_of
from gligabao_tui.resources import theme_tables
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.view.palette import (
    Entry,
    action_entry,
    run_entry,
    theme_entry,
)
from gligabao_tui.widgets.bindings import keymap_of

KEYS_ALONE = ("app.command_palette", "app.interrupt", "app.jump", "app.change_theme")
"""What makes no sense as a choice in the palette, or is there in another form."""
RUN, THEME = "run:", "theme:"


class Palette:
    """Knows what can be done on the workspace, and does it. Made anew whenever it is opened."""

    def __init__(self, app: App[Any], main: MainScreen) -> None:
        self._app = app
        self._main = main
        self._calls = dict(_possible(app, main))

    def entries(self) -> tuple[Entry, ...]:
        """The nearest actions first, then the runs at hand, then the themes."""
        return (*self._actions(), *self._runs(), *self.themes())

    def themes(self) -> tuple[Entry, ...]:
        names = dict.fromkeys((*theme_tables(), *self._app.available_themes))
        return tuple(theme_entry(name, is_chosen=name == self._app.theme) for name in names)

    async def do(self, key: str | None) -> None:
        """What was chosen; nothing when nothing was."""
        if key is None:
            return
        if key.startswith(RUN):
            self._main.open_run(RunId(int(key.removeprefix(RUN))))
        elif key.startswith(THEME):
            self._app.theme = key.removeprefix(THEME)
        else:
            call, node = self._calls[key]
            await self._app.run_action(call, node)

    def _actions(self) -> Iterator[Entry]:
        keymap = keymap_of(self._app)
        for action in actions_of(*self._main.scopes()):
            if action.id in self._calls:
                yield action_entry(action, keymap)

    def _runs(self) -> Iterator[Entry]:
        return (run_entry(run, self._main.glyphs) for run in self._main.at_hand)


def _possible(app: App[Any], screen: Screen[Any]) -> Iterator[tuple[str, tuple[str, DOMNode]]]:
    """The actions whose keys work on the screen now, and those that have none."""
    for one in screen.active_bindings.values():
        action_id = one.binding.id or ""
        if one.enabled and action_id and action_id not in KEYS_ALONE and _is_no_move(action_id):
            yield action_id, (one.binding.action, one.node)
    nodes: dict[Scope, DOMNode] = {"app": app, "main": screen}
    for action in ACTIONS:
        node = nodes.get(action.scope)
        if node is not None and not action.keys and app._check_action_state(action.call, node):
            yield action.id, (action.call, node)


def _is_no_move(action_id: str) -> bool:
    return not action_id.startswith("moves.")
