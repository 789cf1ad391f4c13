"""Puts the person's own settings of the look and the keys to use, and says what cannot be used."""

from typing import Any

from textual.app import App

from engine.api import AppSettings
from gligabao_tui.keymap import Keymap, faults_note
from gligabao_tui.terminal.looks import begin_with_theme
from gligabao_tui.widgets.plain import say


def use_preferences(app: App[Any], look: AppSettings, keymap: Keymap) -> None:
    """Before the app runs. Whatever of them is wrong, the rest is used."""
    begin_with_theme(app, look.theme)
    app.set_class(look.ascii, "-ascii")
    app.set_keymap({action_id: ",".join(keys) for action_id, keys in keymap.changed.items()})


def tell_faults(app: App[Any], look: AppSettings, keymap: Keymap) -> None:
    """As soon as notes can be shown."""
    if look.theme and look.theme not in app.available_themes:
        key = keymap.word("app.change_theme")
        say(app, f"There is no theme {look.theme!r}: {key} shows those there are.", is_bad=True)
    if note := faults_note(keymap):
        say(app, note, is_bad=True)
