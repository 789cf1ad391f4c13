"""Where blocks of different heights lie in a list, and where to scroll when they change."""

from bisect import bisect_right
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple


class Place(NamedTuple):
    """A block by its index, and a line within it."""

    block: int
    row: int


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a person is in a list: the block at the top and the line within it, the block under
    the cursor, those opened (True) or closed by hand, and whether the end is followed."""

    top: tuple[Hashable, int] | None = None
    cursor: Hashable | None = None
    by_hand: Mapping[Hashable, bool] = field(default_factory=dict)
    follows: bool = False


@dataclass(frozen=True, slots=True)
class Stack:
    """Blocks one below the other. `tops` has one more entry than there are blocks: the height."""

    tops: tuple[int, ...] = (0,)

    @property
    def height(self) -> int:
        return self.tops[-1]

    @property
    def count(self) -> int:
        return len(self.tops) - 1

    def at(self, y: int) -> Place | None:
        """The block at line `y`; None outside."""
        if not 0 <= y < self.height:
            return None
        index = bisect_right(self.tops, y) - 1
        return Place(index, y - self.tops[index])

    def top(self, index: int) -> int:
        return self.tops[index]

    def bottom(self, index: int) -> int:
        """One past the last line of a block."""
        return self.tops[index + 1]


def stacked(heights: Sequence[int]) -> Stack:
    return Stack((0, *accumulate(heights)))


def first_difference(old: Sequence[object], new: Sequence[object]) -> int:
    """The index up to which two sequences are the same; quick where objects were kept."""
    most = min(len(old), len(new))
    return next((at for at in range(most) if not _same(old[at], new[at])), most)


def into_view(stack: Stack, index: int, *, scroll: int, rows: int) -> int:
    """Where to scroll so that a block is seen, moving as little as possible."""
    top, bottom = stack.top(index), stack.bottom(index)
    if top < scroll or bottom - top >= rows:
        return top
    return max(scroll, bottom - rows)


def _same(one: object, other: object) -> bool:
    return one is other or one == other
