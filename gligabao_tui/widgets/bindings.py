"""The table of actions as Textual's bindings."""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from textual.app import App
from textual.binding import Binding

from gligabao_tui.keymap import DEFAULT_KEYMAP, Keymap
from gligabao_tui.keys import ACTIONS, Scope, actions_of


@runtime_checkable
class HasKeymap(Protocol):
    """An app whose keys a person can change."""

    keymap: Keymap


def keymap_of(app: App[Any]) -> Keymap:
    """The keys as this person has them."""
    return app.keymap if isinstance(app, HasKeymap) else DEFAULT_KEYMAP


def bindings(scope: Scope) -> list[Binding]:
    """What a screen or widget binds for its part of the table."""
    return [
        Binding(
            action.keys,
            action.call,
            action.label,
            show=bool(action.in_footer),
            tooltip=action.tells,
            id=action.id,
        )
        for action in actions_of(scope)
        if action.keys
    ]


def footer_order(found: Sequence[Binding], keymap: Keymap) -> list[Binding]:
    """The bindings that a footer shows, the most wanted first, each action once."""
    known = {action.id: action for action in ACTIONS}
    shown: dict[str, Binding] = {}
    for binding in found:
        action = known.get(binding.id or "")
        is_first = action is not None and binding.key == keymap.keys_of(action.id)[0]
        if action is not None and binding.show and (is_first or action.id not in shown):
            shown[action.id] = binding
    return sorted(shown.values(), key=lambda binding: known[binding.id or ""].in_footer)
