"""What every screen that lies over the workspace has in common: it is left once, and it alone."""

from collections.abc import Callable
from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen

Outcome = TypeVar("Outcome")


class Layer(ModalScreen[Outcome]):
    """Textual's `dismiss` takes away the screen at the top, whichever that is: a key or an answer
    that comes once more would take the workspace, one that comes to a layer below another would
    take that one."""

    _leave_later: Callable[[], object] | None = None

    @property
    def is_open(self) -> bool:
        """Whether it is shown, or lies below another. To be asked after every wait: what is told
        to a layer that was left finds no widget any more, which would end the app."""
        return self.is_attached and self in self.app.screen_stack

    def dismiss(self, result: Outcome | None = None) -> AwaitComplete:
        """Leave with this outcome: at once, or as soon as nothing lies over it; only once."""
        if not self.is_open:
            return AwaitComplete()
        if self.is_active:
            return super().dismiss(result)
        self._leave_later = lambda: self.dismiss(result)
        return AwaitComplete()

    def on_screen_resume(self) -> None:
        if self._leave_later is not None:
            self._leave_later()
