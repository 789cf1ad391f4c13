"""Cron against a plain enumeration: every minute of two years, read off the clock of a zone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise, takewhile
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.domain.cron import parse, shortest_gap

FIRST = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = 2 * 366 + 10
"""A little more than the cycle that the gaps are looked for in."""
QUARTER = 15
"""No zone here changes its offset within a quarter of an hour."""
CHANGING = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca")
Minutes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Minute:
    """All minutes of the two years as the clock shows them, one array per field."""

    fields: tuple[Minutes, ...]
    is_first: npt.NDArray[np.bool_]
    """The clock has not shown this minute before."""


@dataclass(frozen=True)
class Written:
    """An expression, and the values of its fields as whoever wrote it meant them."""

    text: str
    values: tuple[frozenset[int], ...]
    is_open: tuple[bool, ...]


@cache
def enumerated(name: str) -> Minute:
    zone = ZoneInfo(name)
    quarters = range(0, DAYS * 24 * 60, QUARTER)
    offsets = [offset_minutes(FIRST + timedelta(minutes=minute), zone) for minute in quarters]
    shown = np.arange(DAYS * 24 * 60) + np.repeat(offsets, QUARTER)
    is_first = np.zeros(len(shown), dtype=bool)
    is_first[np.unique(shown, return_index=True)[1]] = True
    walls = np.datetime64(FIRST.replace(tzinfo=None), "m") + shown
    days, months = walls.astype("M8[D]"), walls.astype("M8[M]")
    return Minute(
        fields=(
            shown % 60,
            (shown // 60) % 24,
            (days - months.astype("M8[D]")).astype(np.int64) + 1,
            months.astype(np.int64) % 12 + 1,
            (days.astype(np.int64) + 4) % 7,  # 1 January 1970 was a Thursday
        ),
        is_first=is_first,
    )


def offset_minutes(moment: datetime, zone: ZoneInfo) -> int:
    offset = moment.astimezone(zone).utcoffset()
    assert offset is not None
    return offset // timedelta(minutes=1)


def due_minutes(written: Written, name: str) -> Minutes:
    """The minutes after FIRST that are due, by looking at every one of them."""
    every = enumerated(name)
    minute, hour, day, month, weekday = (
        np.isin(shown, list(values))
        for shown, values in zip(every.fields, written.values, strict=True)
    )
    either = not written.is_open[2] and not written.is_open[4]
    in_day = (day | weekday) if either else (day & weekday)
    return np.flatnonzero(minute & hour & in_day & month & every.is_first).astype(np.int64)


@st.composite
def fields(draw: st.DrawFn, low: int, high: int) -> tuple[str, frozenset[int], bool]:
    """A field as it is written, what it means, and whether it is `*`."""
    if draw(st.integers(0, 2)) == 0:
        return "*", frozenset(range(low, high + 1)), True
    parts = draw(
        st.lists(st.sampled_from(["number", "range", "stepped", "star"]), min_size=1, max_size=3)
    )
    texts, values = [], set[int]()
    for part in parts:
        first, last = sorted(draw(st.tuples(st.integers(low, high), st.integers(low, high))))
        step = draw(st.integers(2, max(2, (high - low) // 2)))
        text, meant = {
            "number": (f"{first}", range(first, first + 1)),
            "range": (f"{first}-{last}", range(first, last + 1)),
            "stepped": (f"{first}-{last}/{step}", range(first, last + 1, step)),
            "star": (f"*/{step}", range(low, high + 1, step)),
        }[part]
        texts.append(text)
        values |= set(meant)
    return ",".join(texts), frozenset(values), False


@st.composite
def expressions(draw: st.DrawFn) -> Written:
    drawn = [draw(fields(*span)) for span in ((0, 59), (0, 23), (1, 31), (1, 12), (0, 6))]
    return Written(
        text=" ".join(text for text, _, _ in drawn),
        values=tuple(values for _, values, _ in drawn),
        is_open=tuple(is_open for _, _, is_open in drawn),
    )


@pytest.mark.parametrize("name", CHANGING)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(written=expressions(), moments=st.lists(st.integers(0, 700 * 24 * 60 * 60), max_size=30))
def test_the_next_time_is_the_one_that_is_found_by_looking_at_every_minute(
    name: str, written: Written, moments: list[int]
) -> None:
    zone, cron, due = ZoneInfo(name), parse(written.text), due_minutes(written, name)
    for seconds in (*moments, *seconds_around_changes(name)):
        after = FIRST + timedelta(seconds=seconds)
        position = int(np.searchsorted(due * 60, seconds, side="right"))
        found = cron.next(after, zone)
        last = FIRST + timedelta(minutes=int(due[position - 1])) if position else None
        assert cron.last(FIRST - timedelta(minutes=1), after, zone) == last
        if position < len(due):
            assert found == FIRST + timedelta(minutes=int(due[position]))
        else:
            assert found is None or found >= FIRST + timedelta(days=DAYS)


@pytest.mark.parametrize("name", CHANGING)
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(written=expressions().filter(lambda each: len(each.values[0]) * len(each.values[1]) <= 48))
def test_two_years_of_due_times_are_those_of_every_minute(name: str, written: Written) -> None:
    zone, cron, due = ZoneInfo(name), parse(written.text), due_minutes(written, name)
    end = FIRST + timedelta(days=DAYS)
    before = FIRST - timedelta(minutes=1)
    found = list(takewhile(lambda each: each < end, cron.due_after(before, zone)))
    assert found == [FIRST + timedelta(minutes=int(minute)) for minute in due]


@pytest.mark.req("R314")
@pytest.mark.parametrize("name", CHANGING)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(written=expressions())
def test_the_shortest_gap_is_the_smallest_difference_of_two_years(
    name: str, written: Written
) -> None:
    due = due_minutes(written, name)
    shorter, longer = (smallest(due[due < days * 24 * 60]) for days in (2 * 366 - 1, DAYS))
    gap = shortest_gap(parse(written.text), ZoneInfo(name), FIRST)
    assert longer <= gap <= shorter or shorter is timedelta.max


def smallest(minutes: Minutes) -> timedelta:
    if len(minutes) < 2:
        return timedelta.max
    return timedelta(minutes=int(np.diff(minutes).min()))


def seconds_around_changes(name: str) -> Iterator[int]:
    """From before to after every change of the clock, in odd steps."""
    for change in changes(name):
        yield from range(change - 2 * 3600, change + 2 * 3600, 1117)


@cache
def changes(name: str) -> Sequence[int]:
    zone = ZoneInfo(name)
    hours = [(3600 * hour, FIRST + timedelta(hours=hour)) for hour in range(24 * 720)]
    return [
        after
        for (_, earlier), (after, later) in pairwise(hours)
        if offset_minutes(earlier, zone) != offset_minutes(later, zone)
    ]


def test_each_of_the_zones_changes_its_clock_four_times() -> None:
    assert [len(changes(name)) for name in CHANGING] == [4, 4, 4, 4]
