"""Dates as people give them: partial ones are intervals, others than the known forms are none."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.dates import DAY_SECONDS, day, months, shown, stated, year_of, years
from engine.domain.facts import Span

EPOCH = date(1970, 1, 1)


def span(text: str) -> Span:
    found = stated(text)
    assert found is not None
    assert found.text == text
    return found.span


def since_1970(then: date) -> int:
    return (then - EPOCH).days * DAY_SECONDS


@given(st.dates(max_value=date(9999, 12, 30)))
def test_a_day_is_the_day_of_the_calendar(then: date) -> None:
    first = since_1970(then)
    assert span(then.isoformat()) == Span(first, first + DAY_SECONDS)
    assert year_of(first) == year_of(first + DAY_SECONDS - 1) == then.year


@given(st.dates(max_value=date(9998, 12, 31)))
def test_a_month_and_a_year_are_all_their_days(then: date) -> None:
    first = then.replace(day=1)
    after = (first + timedelta(days=32)).replace(day=1)
    assert span(then.isoformat()[:7]) == Span(since_1970(first), since_1970(after))
    assert span(then.isoformat()[:4]) == Span(
        since_1970(date(then.year, 1, 1)), since_1970(date(then.year + 1, 1, 1))
    )


@given(st.integers(1, 9999), st.integers(1, 4))
def test_a_quarter_is_three_months(year: int, quarter: int) -> None:
    first = 3 * quarter - 2
    assert span(f"{year:04}-Q{quarter}") == months(year, first, last=(year, first + 2))


@given(st.integers(-9999, 9999).filter(bool))
def test_years_follow_one_another_without_a_year_nought(year: int) -> None:
    following = 1 if year == -1 else year + 1
    assert years(year, year).hi == years(following, following).lo
    assert year_of(years(year, year).lo) == year_of(years(year, year).hi - 1) == year


def test_a_decade_is_its_ten_years_and_the_first_has_nine() -> None:
    assert span("199X") == years(1990, 1999)
    assert span("000X") == years(1, 9)
    assert span("-004X") == years(-49, -40)


def test_years_before_the_common_era_are_counted_as_people_count_them() -> None:
    assert span("-0044-03-15") == day(-44, 3, 15)
    assert span("-0044").hi == span("-0043").lo
    assert span("-0001").hi == span("0001").lo


@pytest.mark.parametrize(
    "text",
    [
        *("", "24", "20245", "March 2025", "2024-3", "2024-13", "2024-00", "2024-Q5", "2024-q1"),
        *("2023-02-29", "2024-04-31", "1900-02-29", "0000", "-0000", "199x", "19XX", " 2024"),
        *("2024-01-01T00:00:00Z", "2024/01/02", "２０２４", "2024-01-00", "circa 2024", "12"),
    ],
)
def test_another_form_is_no_date(text: str) -> None:
    assert stated(text) is None


@given(st.text(max_size=12))
def test_any_text_is_read_or_none_and_never_an_empty_interval(text: str) -> None:
    found = stated(text)
    assert found is None or found.span.lo < found.span.hi


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2024-03", "2024-03"),
        ("199X", "1990s"),
        ("-004X", "40s BCE"),
        ("2024-Q2", "Q2 2024"),
        ("-0044", "44 BCE"),
        ("-0044-03-15", "44-03-15 BCE"),
    ],
)
def test_a_date_is_shown_as_it_was_given(text: str, words: str) -> None:
    found = stated(text)
    assert found is not None
    assert shown(found) == words
