"""What jump mode can go to in a widget."""

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol, runtime_checkable


class JumpSpot(NamedTuple):
    """A place of the screen, and what going there does."""

    x: int
    y: int
    act: Callable[[], object]


@runtime_checkable
class Jumpable(Protocol):
    """A widget that knows its targets. What it shows of them may be hidden by others."""

    def jump_spots(self) -> Iterable[JumpSpot]:
        """The targets that are in view, in the order in which they are read."""
        ...
