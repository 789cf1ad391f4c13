"""The frame of every dialog: a title, what it says, and a row of choices with their keys."""

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Button

from gligabao_tui.keys import Action, Scope, actions_of
from gligabao_tui.screens.layer import Layer, Outcome
from gligabao_tui.view.text import Line, Span, Tone, flat, line
from gligabao_tui.widgets.bindings import bindings, keymap_of
from gligabao_tui.widgets.plain import Draw, Drawn, PlainButton

SHORT_BELOW, SLIM_BELOW = 20, 76


class Dialog(Layer[Outcome]):
    """A modal whose buttons are the actions of its scope. Pressing one runs its action."""

    SCOPE: Scope
    BINDINGS: ClassVar[list[BindingType]] = [
        replace(one, action=f"app.{one.action}")
        for one in bindings("app")
        if one.action == "handbook"
    ]
    """A modal hides the keys of the app; the handbook is wanted in dialogs most of all."""
    DANGERS: tuple[str, ...] = ()
    """Actions that lose something: their buttons are red."""
    TITLE_TONE: Tone = "title"
    PRIMARY: str = ""
    """The action that is asked for; its button is green."""
    BUTTONS: tuple[str, ...] = ()
    """The actions that have buttons, where not all of them have."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = flat(title)

    def content(self) -> Iterable[Widget]:
        """What lies between the title and the buttons."""
        raise AssertionError("every dialog says something")

    def key_of(self, action: Action) -> str:
        """What a button says of its key."""
        return keymap_of(self.app).word(action.id)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Drawn(self._title_line, classes="dialog-title")
            yield from self.content()
            with Horizontal(classes="dialog-buttons"):
                for action in self._with_buttons():
                    yield PlainButton(
                        action.label,
                        self.key_of(action),
                        id=f"do-{action.name}",
                        classes=self._look(action.name),
                    )

    def entitle(self, title: str) -> None:
        """Say something else at the top."""
        self._title = flat(title)
        self.query_one(".dialog-title", Drawn).show(self._title_line)

    async def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        await self.run_action((event.button.id or "").removeprefix("do-"))

    def on_resize(self) -> None:
        """Below so many rows an empty line is one too many; in few columns some buttons are."""
        self.set_class(self.size.height < SHORT_BELOW, "-short")
        self.set_class(self.size.width < SLIM_BELOW, "-slim")

    def _with_buttons(self) -> Iterable[Action]:
        actions = actions_of(self.SCOPE)
        return (one for one in actions if not self.BUTTONS or one.name in self.BUTTONS)

    def _title_line(self, _: int) -> tuple[Line, ...]:
        return (line(Span(self._title, self.TITLE_TONE)),)

    def _look(self, name: str) -> str:
        if name in self.DANGERS:
            return "-danger"
        return "-primary" if name == self.PRIMARY else ""


def says(draw: Draw) -> Drawn:
    """The words of a dialog."""
    return Drawn(draw, classes="dialog-text")
