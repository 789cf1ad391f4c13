"""The command palette: every action of the table that can be done right now, by its name."""

from collections.abc import Callable, Iterator
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider

from gligabao_tui.keys import ACTIONS, PALETTE_ONLY, Action, key_word

SCOPES = ("main", "runs", "details", "states", "report", "dock", "app")
KEYS_ALONE = ("command_palette", "interrupt")
"""What makes no sense as a choice in the palette."""


class Commands(Provider):
    async def discover(self) -> Hits:
        for action, run in self._possible():
            yield DiscoveryHit(action.label, run, help=_help(action))

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for action, run in self._possible():
            told = f"{action.label}: {action.tells}"
            if (score := matcher.match(told)) > 0:
                yield Hit(score, matcher.highlight(action.label), run, help=_help(action))

    def _possible(self) -> Iterator[tuple[Action, Callable[[], object]]]:
        """The bindings that are active on the screen below the palette."""
        active = {
            one.binding.id: one for one in self.screen.active_bindings.values() if one.enabled
        }
        for action in ACTIONS:
            found = active.get(action.id)
            if found is not None and action.scope in SCOPES and action.name not in KEYS_ALONE:
                run = partial(self.app.run_action, found.binding.action, found.node)
                yield action, run
        for action in PALETTE_ONLY:
            yield action, partial(self.app.run_action, action.name, self.app)


def _help(action: Action) -> str:
    keys = ", ".join(key_word(key) for key in action.keys.split(",") if key)
    return f"{action.tells} ({keys})" if keys else action.tells
