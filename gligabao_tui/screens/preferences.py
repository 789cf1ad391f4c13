"""Puts the person's own settings of the look and the keys to use, and says what cannot be used."""

from typing import Any

from textual.app import App

from engine.api import Settings
from gligabao_tui.keymap import Keymap, faults_note
from gligabao_tui.terminal.looks import use_theme
from gligabao_tui.widgets.plain import say


def use_preferences(app: App[Any], settings: Settings, keymap: Keymap) -> None:
    """Whatever of them is wrong, the rest is used."""
    _use_look(app, settings, keymap)
    changed = keymap.changed
    app.set_keymap({action_id: ",".join(keys) for action_id, keys in changed.items()})
    if note := faults_note(keymap):
        say(app, note, is_bad=True)


def _use_look(app: App[Any], settings: Settings, keymap: Keymap) -> None:
    wanted = settings.app.theme
    if not use_theme(app, wanted):
        key = keymap.word("app.change_theme")
        say(app, f"There is no theme {wanted!r}: {key} shows those there are.", is_bad=True)
    app.set_class(settings.app.ascii, "-ascii")
