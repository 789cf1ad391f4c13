"""The calendar of any year, and the marks of a time axis."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.api import stated
from gligabao_tui.view.calendar import (
    DAY,
    Date,
    date_of,
    day_words,
    month_words,
    second_of,
    year_words,
)
from gligabao_tui.view.text import width_of
from gligabao_tui.view.time_axis import GAP_CELLS, Window, ticks

SECONDS = st.integers(second_of(-60_000), second_of(9_999))
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@given(SECONDS)
def test_a_day_begins_where_its_date_says(second: int) -> None:
    date = date_of(second)
    assert second_of(*date) <= second < second_of(*date) + DAY
    assert date_of(second_of(*date)) == date


@given(st.integers(second_of(1), second_of(9_999)))
def test_dates_of_the_common_era_are_those_of_the_standard_library(second: int) -> None:
    there = EPOCH + timedelta(seconds=second)
    assert date_of(second) == Date(there.year, there.month, there.day)


@pytest.mark.parametrize("text", ["-0044-03-15", "-0001", "2024-02-29", "0001", "199X", "2024-Q3"])
def test_the_calendar_is_that_of_stated_dates(text: str) -> None:
    date = stated(text)
    assert date is not None
    assert second_of(*date_of(date.span.lo)) == date.span.lo
    assert second_of(*date_of(date.span.hi)) == date.span.hi


def test_years_before_the_common_era_are_told_as_people_do() -> None:
    assert [year_words(year) for year in (2024, 1, 0, -43, -11_999, 12_000)] == [
        *("2024", "1 CE", "1 BCE", "44 BCE", "12,000 BCE", "12,000")
    ]
    assert day_words(Date(2024, 3, 5)) == "2024-03-05"
    assert day_words(Date(-43, 3, 15)) == "03-15 44 BCE"
    assert month_words(Date(2024, 3, 5)) == "2024-03"


@given(SECONDS, st.integers(2, 60_000 * 365), st.integers(10, 200))
def test_marks_are_in_order_inside_and_do_not_touch(lo: int, days: int, cells: int) -> None:
    window = Window(lo, lo + days * DAY, cells)
    found = ticks(window)
    assert all(window.lo <= tick.second < window.hi for tick in found)
    for one, two in pairwise(found):
        assert one.second < two.second
        room = window.cell(two.second) - window.cell(one.second)
        assert room >= width_of(one.label) + GAP_CELLS


@pytest.mark.parametrize(
    ("lo", "hi", "first"),
    [
        (second_of(-500), second_of(2024), "500 BCE"),
        (second_of(2019), second_of(2025), "2019"),
        (second_of(2024), second_of(2025), "2024-01"),
        (second_of(2024, 2, 3), second_of(2024, 2, 6), "2024-02-03"),
    ],
)
def test_marks_are_as_fine_as_there_is_room_for(lo: int, hi: int, first: str) -> None:
    assert ticks(Window(lo, hi, 80))[0].label == first
    assert len(ticks(Window(lo, hi, 80))) >= 3


@given(SECONDS, st.integers(DAY, 10**12), st.integers(1, 300), SECONDS)
def test_a_cell_holds_the_seconds_from_its_first_on(
    lo: int, length: int, cells: int, second: int
) -> None:
    window = Window(lo, lo + length, cells)
    cell = window.cell(second)
    assert window.second(cell) <= second < window.second(cell + 1)
