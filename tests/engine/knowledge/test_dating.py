"""Dates are as exact as the text and no more; what the text does not show is no date."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.dates import stated
from engine.domain.facts import Span
from engine.knowledge.dating import Claimed, Dates, dates_of, is_date, shows_year, written

REFERENCE = stated("2024-05-10")
TEXT = "From 2015 to 2018, again since 12 March 2021 and last year; the 1990s; in 44 BC; Q3 2022."


@pytest.mark.parametrize(
    ("words", "dates"),
    [
        ("since 12 March 2021", Dates("2021-03-12")),
        ("From 2015 to 2018", Dates("2015", "2018")),
        ("until 2018", Dates("", "2018")),
        ("the 1990s", Dates("199X")),
        ("44 BC", Dates("-0044")),
        ("Q3 2022", Dates("2022-Q3")),
        ("last year", Dates("2023", is_inferred=True)),
        ("before 2018", Dates()),
        ("after 2018", Dates()),
        ("soon", Dates()),
        ("", Dates()),
    ],
)
def test_the_words_of_a_text_are_read_to_what_they_say(words: str, dates: Dates) -> None:
    assert dates_of(Claimed(time_words=words), TEXT, REFERENCE) == dates


def test_relative_words_say_nothing_without_the_date_of_the_source() -> None:
    assert dates_of(Claimed(time_words="last year"), TEXT, None) == Dates()


@pytest.mark.parametrize(
    ("claimed", "dates"),
    [
        (Claimed("2021-03-12"), Dates("2021-03-12")),
        (Claimed("2015", "2018"), Dates("2015", "2018")),
        (Claimed("2023", "", "last year"), Dates("2023", is_inferred=True)),
        (Claimed("2031"), Dates(untold=("2031",))),
        (Claimed("whenever"), Dates(untold=("whenever",))),
        (Claimed("2018", "2015"), Dates("2018", untold=("2015",))),
        (Claimed("2020", "", "since 12 March 2021"), Dates("2021-03-12")),
        (Claimed("2024-05-10"), Dates("2024-05-10", is_inferred=True)),
        (Claimed("2024-02-30"), Dates(untold=("2024-02-30",))),
    ],
)
def test_a_claimed_date_is_held_against_the_text(claimed: Claimed, dates: Dates) -> None:
    assert dates_of(claimed, TEXT, REFERENCE) == dates


def test_todays_date_is_not_taken_where_the_text_speaks_of_no_time() -> None:
    assert dates_of(Claimed("2024-05-10"), "SQLite is small.", REFERENCE).start == ""


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("In 1998 it", "1998-03"),
        ("back in '98", "1998"),
        ("the 1990s", "1994"),
        ("二〇二四年三月", "2024-03"),
        ("٢٠٢٤", "2024"),
        ("２０２４年", "2024"),
        ("令和6年", "2024"),
        ("44 BC", "-0044"),
        ("the 90s", "199X"),
    ],
)
def test_a_year_is_seen_in_every_writing(text: str, date: str) -> None:
    assert shows_year(text, date)


def test_a_year_inside_another_number_is_none() -> None:
    assert not shows_year("port 19980, 1 998", "1998")


@given(
    st.integers(1, 9999),
    st.integers(1, 12),
    st.sampled_from(["{y:04d}", "{y:04d}-{m:02d}", "{y:04d}-{m:02d}-28", "-{y:04d}", "{d:03d}X"]),
)
def test_a_span_is_written_in_the_format_that_means_it(year: int, month: int, form: str) -> None:
    date = stated(form.format(y=year, m=month, d=year // 10 or 1))
    assert date is not None
    assert written(date.span) == date.text


def test_a_span_of_no_format_is_not_written() -> None:
    first, last = stated("2020"), stated("2022")
    assert first is not None
    assert last is not None
    assert written(Span(first.span.lo, last.span.hi)) == ""


def test_a_date_alone_is_a_date() -> None:
    assert [
        words for words in ("2021-03", "12 March 2021", "2024 Olympics", "x") if is_date(words)
    ] == [*("2021-03", "12 March 2021")]
