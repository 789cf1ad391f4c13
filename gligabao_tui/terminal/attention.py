"""Whether the person looks at the terminal, and whether they are told that an agent ended: pure."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

Telling: TypeAlias = Literal["nothing", "bell", "note"]
LEFT_ALONE_SECONDS = 60.0
"""Who pressed nothing for so long may be elsewhere: asked of terminals that do not tell."""
NOTE_EACH_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Attention:
    """`has_reported`: this terminal tells when it gains or loses the focus. `touched_at` is when a
    key was pressed or the mouse was moved, `told_at` when the person was told something, both in
    seconds of one clock."""

    has_reported: bool = False
    touched_at: float = 0.0
    told_at: float = float("-inf")


def focus_reported(attention: Attention) -> Attention:
    return replace(attention, has_reported=True)


def touched(attention: Attention, at: float) -> Attention:
    return replace(attention, touched_at=at)


def told(attention: Attention, at: float) -> Attention:
    return replace(attention, told_at=at)


def telling(attention: Attention, at: float, *, has_focus: bool) -> Telling:
    """How to tell that something ended: never to somebody who sees it happen."""
    if not has_focus:
        return "note"
    left_alone = at - attention.touched_at >= LEFT_ALONE_SECONDS
    return "bell" if left_alone and not attention.has_reported else "nothing"


def wait_before_telling(attention: Attention, at: float) -> float:
    """Seconds until the next note may be given; 0 when it may be given now."""
    return max(0.0, attention.told_at + NOTE_EACH_SECONDS - at)
