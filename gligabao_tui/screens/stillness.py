"""Whether the screen stands still for somebody who reads it, and what has happened meanwhile."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from engine.api import Event


class Stillness:
    """The desk goes on; what the engine announces is not drawn until `end`. What a person does
    is drawn all the same."""

    def __init__(self) -> None:
        self.is_on = False
        self.missed = 0
        self._is_told = False

    @property
    def holds(self) -> bool:
        """Whether what changes now must not be drawn."""
        return self.is_on and self._is_told

    def toggle(self) -> bool:
        """Begin or end; whether it is on now."""
        self.is_on, self.missed = not self.is_on, 0
        return self.is_on

    @contextmanager
    def told(self, events: Sequence[Event]) -> Iterator[None]:
        """Around what the engine announces."""
        self.missed += len(events) if self.is_on else 0
        self._is_told = True
        try:
            yield
        finally:
            self._is_told = False
