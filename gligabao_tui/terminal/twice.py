"""A key that must be pressed twice before it does what cannot be taken back: pure."""

from dataclasses import dataclass, replace

AGAIN_SECONDS = 2.0
AGAIN_WORDS = "ctrl+c again leaves"


@dataclass(frozen=True, slots=True)
class Twice:
    pressed_at: float = float("-inf")
    is_meant: bool = False


def pressed(before: Twice, at: float) -> Twice:
    """`is_meant` when the press before was at most two seconds ago; then it begins again."""
    if at - before.pressed_at <= AGAIN_SECONDS and not before.is_meant:
        return replace(before, is_meant=True)
    return Twice(at)
