"""The chooser of the start form's agent: turned by arrows, jumped through by letters, and asked for
the whole list, since there may be dozens of agents.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from gligabao_tui.view.text import Line, Span, crop
from gligabao_tui.widgets.fields import Choice
from gligabao_tui.widgets.plain import Drawn

LIST = "\nlist"
"""A target that no agent can be called."""
MOVES = frozenset({"-", "_"})


class AgentChoice(Choice, inherit_bindings=False):
    """Letters that are typed one after another are the beginning of a name."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(-1)", "Previous", show=False),
        Binding("right", "turn(1)", "Next", show=False),
        Binding("enter,space", "list", "List", show=False),
    ]

    class ListWanted(Message):
        """All agents are to be shown, to choose from."""

    _typed = ""

    def action_turn(self, by: int) -> None:
        self._typed = ""
        super().action_turn(by)

    def action_list(self) -> None:
        self._typed = ""
        self.post_message(self.ListWanted())

    def on_blur(self) -> None:
        self._typed = ""

    def on_key(self, event: events.Key) -> None:
        letter = event.character or ""
        if letter.isalnum() or letter in MOVES:
            event.stop()
            self._jump(letter.casefold())

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        if event.target == LIST:
            event.stop()
            event.prevent_default()
            self.action_list()

    def _jump(self, letter: str) -> None:
        """To the next name that begins with what was typed, or with its last letter alone."""
        for typed, values in (
            (self._typed + letter, self._from(0)),
            (letter, self._from(1)),
        ):
            found = next((one for one in values if one.casefold().startswith(typed)), None)
            if found is not None:
                self._typed = typed
                self.choose(found)
                return
        self._typed = ""

    def _from(self, by: int) -> Sequence[str]:
        """All values in their order, round the end, from so many after the chosen one on."""
        place = self._values.index(self.chosen) + by
        return (*self._values[place:], *self._values[:place])

    def _one_of_many(self, width: int) -> Line:
        hint = (Span("   enter ", "key", LIST), Span("all", "muted", LIST))
        return crop((*super()._one_of_many(width), *hint), width)
