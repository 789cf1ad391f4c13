"""Words about time: read to the window they mean, and left alone when they mean none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.dates import months, stated, year_of, years
from engine.domain.facts import LONG_AGO, Span, Stated
from engine.domain.time_words import FAR_AHEAD, asks_history, says_now, window, windows


def date(text: str) -> Stated:
    found = stated(text)
    assert found is not None
    return found


def span(text: str) -> Span:
    return date(text).span


REFERENCE = date("2024-06-10")
WINDOWS = {
    "Who led it in 2024?": span("2024"),
    "in March 2025": span("2025-03"),
    "in Sept. 1939": span("1939-09"),
    "May 2020": span("2020-05"),
    "on 15 March 2024": span("2024-03-15"),
    "on the 3rd of May 2001": span("2001-05-03"),
    "on May 3rd, 2001": span("2001-05-03"),
    "by the date 2024-03-15": span("2024-03-15"),
    "in 2024-03": span("2024-03"),
    "Q2 2024": span("2024-Q2"),
    "the third quarter of 2024": span("2024-Q3"),
    "2024-Q3": span("2024-Q3"),
    "the first half of 2020": months(2020, 1, last=(2020, 6)),
    "spring 2023": months(2023, 3, last=(2023, 5)),
    "in the fall of 2023": months(2023, 9, last=(2023, 11)),
    "winter 2023": months(2022, 12, last=(2024, 2)),
    "early 2024": months(2024, 1, last=(2024, 4)),
    "mid-2024": months(2024, 5, last=(2024, 8)),
    "at the end of 2024": months(2024, 9, last=(2024, 12)),
    "in the 1990s": span("199X"),
    "199X": span("199X"),
    "early 1960s": years(1960, 1963),
    "in the mid 1960s": years(1963, 1966),
    "in the late 1960s": years(1966, 1969),
    "the 19th century": years(1801, 1900),
    "in the 1st century BC": years(-100, -1),
    "in 44 BCE": span("-0044"),
    "in AD 79": span("0079"),
    "from 1811 to 1827": years(1811, 1827),
    "between Feb 1967 and Jun 1968": months(1967, 2, last=(1968, 6)),
    "2010\N{EN DASH}2015": years(2010, 2015),
    "since 2019": Span(span("2019").lo, FAR_AHEAD),
    "from 2019": Span(span("2019").lo, FAR_AHEAD),
    "after May 2001": Span(span("2001-05").hi, FAR_AHEAD),
    "until 2015": Span(LONG_AGO, span("2015").hi),
    "before 1984": Span(LONG_AGO, span("1984").lo),
    "last year": span("2023"),
    "this year": span("2024"),
    "next month": span("2024-07"),
    "three years ago": span("2021"),
    "2024年3月15日": span("2024-03-15"),
    "2024年3月以前": Span(LONG_AGO, span("2024-03").lo),
    "2010年から2015年まで": years(2010, 2015),
    "2019年以来": Span(span("2019").lo, FAR_AHEAD),
}


@pytest.mark.parametrize("text", WINDOWS)
def test_words_mean_their_window(text: str) -> None:
    found = window(text, REFERENCE)
    assert found is not None
    assert found.span == WINDOWS[text]
    assert found.text in text


@pytest.mark.parametrize(
    "text",
    [
        *("", "12", "Who leads it?", "it has 2000 employees", "version 2019.5", "$2000", "3.1415"),
        *(
            "1,999 of them",
            "port 8080",
            "31 February 2023 or so"[:11],
            "yesterday",
            "in May",
            "50%",
        ),
        *("for 2000 km", "the year of the cat", "the last word", "march to 12"),
    ],
)
def test_what_means_no_time_has_no_window(text: str) -> None:
    assert window(text, REFERENCE) is None


def test_a_relative_word_means_nothing_without_a_precise_reference() -> None:
    assert window("last year", None) is None
    assert window("last year", date("199X")) is None
    assert window("last month", date("2024")) is None
    assert window("last year", date("2024")) is not None


def test_the_month_before_january_is_of_the_year_before() -> None:
    found = window("last month", date("2024-01"))
    assert found is not None
    assert found.span == span("2023-12")


def test_two_dates_with_an_and_are_a_range_only_after_between() -> None:
    found = windows("in 2010 and 2015", None)
    assert [each.span for each in found] == [span("2010"), span("2015")]


@given(st.text(max_size=60))
def test_any_text_has_a_window_of_its_own_words_or_none(text: str) -> None:
    found = window(text, REFERENCE)
    assert found is None or (found.span.lo < found.span.hi and found.text in text)


@given(st.lists(st.sampled_from(list(WINDOWS)), min_size=2, max_size=3))
def test_all_times_of_a_text_are_read_in_their_order(texts: list[str]) -> None:
    found = windows(" ; ".join(texts), REFERENCE)
    assert [each.span for each in found] == [WINDOWS[text] for text in texts]


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("What did the painter born on 2 March 1911 do from 1939 to 1941?", years(1939, 1941)),
        ("From 2004 to 2006, who owned the bank that was founded in 1991?", years(2004, 2006)),
        ("In 1960, who led the party that won in 1955?", span("1960")),
        ("Which prize did the premier of 1999 to 2008 get in 2010?", span("2010")),
        ("In the time period from 880 to 887, what was his title?", years(880, 887)),
    ],
)
def test_the_time_asked_for_opens_the_question_or_closes_it(question: str, meant: Span) -> None:
    found = window(question, None)
    assert found is not None
    assert found.span == meant


@given(st.integers(1000, 2199), st.integers(1000, 2199))
def test_a_range_runs_from_its_first_to_its_last_year(one: int, other: int) -> None:
    first, last = min(one, other), max(one, other)
    found = window(f"Who owned it from {first} to {last}?", None)
    assert found is not None
    assert found.span == years(first, last)
    assert (year_of(found.span.lo), year_of(found.span.hi - 1)) == (first, last)


@pytest.mark.parametrize(
    ("question", "history"),
    [
        ("Who was the head before Ann?", True),
        ("When did it change?", True),
        ("以前谁是总裁", True),
        ("Who is the head of Acme?", False),
        ("What is the default port?", False),
    ],
)
def test_a_question_about_the_past_is_known_by_its_words(question: str, *, history: bool) -> None:
    assert asks_history(question) is history


@pytest.mark.parametrize("words", ["is now", "No longer", "currently", "現在", "不再"])
def test_words_that_say_how_it_is_now_are_known(words: str) -> None:
    assert says_now(words)


@pytest.mark.parametrize("words", ["", "in 2024", "known since then", "snow", "in March"])
def test_other_words_do_not_say_how_it_is_now(words: str) -> None:
    assert not says_now(words)
