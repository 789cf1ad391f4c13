"""The table of actions as Textual's bindings."""

from collections.abc import Sequence

from textual.binding import Binding

from gligabao_tui.keys import ACTIONS, Scope, actions_of


def bindings(scope: Scope) -> list[Binding]:
    """What a screen or widget binds for its part of the table."""
    return [
        Binding(
            action.keys,
            action.name,
            action.label,
            show=bool(action.in_footer),
            tooltip=action.tells,
            id=action.id,
        )
        for action in actions_of(scope)
    ]


def footer_order(found: Sequence[Binding]) -> list[Binding]:
    """The bindings that a footer shows, the most wanted first, each action once."""
    known = {action.id: action for action in ACTIONS}
    shown: dict[str, Binding] = {}
    for binding in found:
        action = known.get(binding.id or "")
        is_first = action is not None and binding.key == action.keys.split(",")[0]
        if action is not None and binding.show and (is_first or action.id not in shown):
            shown[action.id] = binding
    return sorted(shown.values(), key=lambda binding: known[binding.id or ""].in_footer)
