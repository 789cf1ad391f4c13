"""Where the marks of a time axis stand, and what they say: from millennia to single days. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from gligabao_tui.view.calendar import (
    DAY,
    date_of,
    day_words,
    month_words,
    second_of,
    year_words,
)
from gligabao_tui.view.text import width_of

GAP_CELLS = 2
YEAR = 365 * DAY
_YEAR_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
_MONTH_STEPS = (1, 3, 6)
_DAY_STEPS = (1, 2, 5, 10)
_MONTH, _MONTHS = 30 * DAY, 12


class Tick(NamedTuple):
    second: int
    label: str


@dataclass(frozen=True, slots=True)
class Window:
    """The time that is seen, `[lo, hi)` in seconds since 1970, over so many cells."""

    lo: int
    hi: int
    cells: int

    def cell(self, second: int) -> int:
        """The cell in which a second lies; below 0 or from `cells` on when it is outside."""
        return (second - self.lo) * self.cells // max(1, self.hi - self.lo)

    def second(self, cell: int) -> int:
        """The first second of a cell."""
        return self.lo + -(-cell * (self.hi - self.lo) // self.cells)


def ticks(window: Window) -> tuple[Tick, ...]:
    """As many as have room: their labels begin at their cells and do not touch each other."""
    for candidates in _steps(window):
        if _have_room(candidates, window):
            return candidates
    return ()


def _steps(window: Window) -> Iterator[tuple[Tick, ...]]:
    """The marks of every step, the finest first, without those that could never have room."""
    least = GAP_CELLS * (window.hi - window.lo) // window.cells
    for days in (step for step in _DAY_STEPS if step * DAY > least):
        yield _days(window, days)
    for months in (step for step in _MONTH_STEPS if step * _MONTH > least):
        yield _months(window, months)
    for years in (step for step in _YEAR_STEPS if step * YEAR > least):
        yield _years(window, years)


def _days(window: Window, step: int) -> tuple[Tick, ...]:
    """Every day, or the first and then every so many days of each month."""
    first = -(-window.lo // DAY) * DAY
    found = ((second, date_of(second)) for second in range(first, window.hi, DAY))
    return tuple(
        Tick(second, day_words(date))
        for second, date in found
        if (date.day - 1) % step == 0 and (step == 1 or date.day <= 31 - step // 2)
    )


def _months(window: Window, step: int) -> tuple[Tick, ...]:
    start = date_of(window.lo)
    count = (window.hi - window.lo) // (28 * DAY) + 2
    found: list[Tick] = []
    for months in range(start.month - 1, start.month + count):
        second = second_of(start.year, months + 1)
        if months % step == 0 and window.lo <= second < window.hi:
            found.append(Tick(second, month_words(date_of(second))))
    return tuple(found)


def _years(window: Window, step: int) -> tuple[Tick, ...]:
    """At round years of either era; there is no year 0, so the first of the era stands for it."""
    first, last = date_of(window.lo).year, date_of(window.hi).year
    if step == 1:
        years = list(range(first, last + 1))
    else:
        numbers = range(first // step - 1, last // step + 2)
        years = [_round_year(number * step) for number in numbers]
    found = ((second_of(year), year) for year in years)
    return tuple(
        Tick(second, year_words(year)) for second, year in found if window.lo <= second < window.hi
    )


def _round_year(number: int) -> int:
    """-100 is 100 BCE, which is the year -99 of the count."""
    return number if number > 0 else 1 + number


def _have_room(found: tuple[Tick, ...], window: Window) -> bool:
    return bool(found) and all(
        window.cell(one.second) + width_of(one.label) + GAP_CELLS <= window.cell(two.second)
        for one, two in pairwise(found)
    )
