"""The command palette: whatever can be done right now, found by its name."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widgets import Input

from engine.api import RunId
from gligabao_tui.keys import ACTIONS, Scope, actions_of
from gligabao_tui.resources import theme_tables
from gligabao_tui.screens.layer import Layer
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.view.palette import (
    Entry,
    action_entry,
    entry_line,
    found,
    no_entry,
    run_entry,
    theme_entry,
)
from gligabao_tui.view.text import Line
from gligabao_tui.widgets.bindings import bindings, keymap_of
from gligabao_tui.widgets.block_list import BlockList
from gligabao_tui.widgets.fields import PlainInput
from gligabao_tui.widgets.plain import Drawn

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


class Choices(BlockList[Entry], can_focus=False):
    """The entries below the field, which keeps the focus."""

    @property
    def shows_cursor(self) -> bool:
        return True


class PaletteDialog(Layer[str | None]):
    """Its outcome is the key of the entry that was chosen."""

    SCOPE: Scope = "palette"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("palette"))

    def __init__(self, entries: Sequence[Entry], asks: str) -> None:
        super().__init__()
        self._entries = tuple(entries)
        self._words = PlainInput(placeholder=asks, id="palette-words")
        self._choices = Choices(_draw, id="palette-choices")
        self._nothing = Drawn(lambda width: (no_entry(width),), id="palette-nothing")

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog", id="palette"):
            yield self._words
            yield self._choices
            yield self._nothing

    def on_mount(self) -> None:
        self._words.focus()
        self._find("")

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._find(event.value)

    def on_plain_input_left(self, event: PlainInput.Left) -> None:
        event.stop()
        self.action_close()

    def on_block_list_chosen(self, event: BlockList.Chosen) -> None:
        event.stop()
        self.action_choose()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_choose()

    def action_choose(self) -> None:
        if self._choices.current is not None:
            self.dismiss(self._choices.current.key)

    def action_close(self) -> None:
        self.dismiss(None)

    def action_move(self, by: int) -> None:
        self._choices.action_move(by)

    def action_move_page(self, by: int) -> None:
        self._choices.action_move_page(by)

    def _find(self, typed: str) -> None:
        entries = found(self._entries, typed)
        self._choices.restart()
        self._choices.show(entries)
        self._choices.styles.height = max(1, len(entries))
        self._choices.display = bool(entries)
        self._nothing.display = not entries


def _draw(item: Entry, width: int, *, is_open: bool | None) -> tuple[Line, ...]:
    _ = is_open  # an entry has no body
    return (entry_line(item, width),)
