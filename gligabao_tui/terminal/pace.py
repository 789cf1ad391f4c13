"""When a connection is slow, and what that changes: pure.

A terminal that does not read makes a write wait. One long write says nothing (a laptop slept, a
window was dragged); two within a minute say that frames come faster than they are taken.
"""

from dataclasses import dataclass, replace

LONG_WRITE_SECONDS = 0.25
WITHIN_SECONDS = 60.0
LONG_WRITES = 2
FAST_FRAME_SECONDS, SLOW_FRAME_SECONDS = 1 / 60, 1 / 5
FAST_DRAIN_SECONDS, SLOW_DRAIN_SECONDS = 0.1, 0.5
SLOW_WORDS = "This connection is slow: drawing 5 times a second"
FAST_WORDS = "Drawing as fast as the terminal takes it"


@dataclass(frozen=True, slots=True)
class Pace:
    """`is_chosen`: the person has said how fast; it is not changed behind their back then.
    `long_writes` are the moments of the last ones."""

    is_slow: bool = False
    is_chosen: bool = False
    long_writes: tuple[float, ...] = ()

    @property
    def frame_seconds(self) -> float:
        return SLOW_FRAME_SECONDS if self.is_slow else FAST_FRAME_SECONDS

    @property
    def drain_seconds(self) -> float:
        return SLOW_DRAIN_SECONDS if self.is_slow else FAST_DRAIN_SECONDS

    @property
    def words(self) -> str:
        return SLOW_WORDS if self.is_slow else FAST_WORDS


def written(pace: Pace, took: float, at: float) -> Pace:
    """The pace after something took so many seconds to be handed to the terminal."""
    if took < LONG_WRITE_SECONDS or pace.is_slow or pace.is_chosen:
        return pace
    recent = tuple(moment for moment in pace.long_writes if at - moment < WITHIN_SECONDS)
    long_writes = (*recent, at)
    return replace(pace, long_writes=long_writes, is_slow=len(long_writes) >= LONG_WRITES)


def switched(pace: Pace) -> Pace:
    """The other pace, as the person wants it."""
    return Pace(is_slow=not pace.is_slow, is_chosen=True)
