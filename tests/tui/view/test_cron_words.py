"""Cron in words: the usual forms are told, everything else is left as it is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.cron import CronError, parse
from gligabao_tui.view.cron_words import cron_words


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("30 7 * * 1-5", "Monday to Friday at 07:30"),
        ("30 7 * * mon-fri", "Monday to Friday at 07:30"),
        ("0 0 * * *", "every day at 00:00"),
        ("@daily", "every day at 00:00"),
        ("@Weekly", "Sunday at 00:00"),
        ("@hourly", "every hour"),
        ("5 * * * *", "every hour at :05"),
        ("*/15 * * * *", "every 15 minutes"),
        ("*/15 * * * 6,0", "every 15 minutes on Saturday and Sunday"),
        ("0 */6 * * *", "every 6 hours from 00:00"),
        ("0 6,18 * * *", "every day at 06:00 and 18:00"),
        ("0 6,12,18 * * sun,wed,mon", "Monday, Wednesday and Sunday at 06:00, 12:00 and 18:00"),
        ("0 9 * * fri-sun", "Friday, Saturday and Sunday at 09:00"),
        ("0 9 * * 5-7", "Friday, Saturday and Sunday at 09:00"),
        ("0 0 1 * *", "day 1 of every month at 00:00"),
        ("0 8 1,15 * *", "days 1 and 15 of every month at 08:00"),
        ("@yearly", "1 January at 00:00"),
        ("0 0 29 feb *", "29 February at 00:00"),
    ],
)
def test_the_usual_forms_are_told_in_words(expression: str, words: str) -> None:
    assert cron_words(expression) == words


@pytest.mark.parametrize(
    "expression",
    [
        "0 9 1 * 1",
        "*/7 * * * *",
        "*/1 * * * *",
        "0 */5 * * *",
        "10-40/10 9 * * *",
        "* 9 * * *",
        "0 0-23 * * *",
        "0 0 1-20 * *",
        "",
        "0 9 * *",
        "@reboot",
        "0 9 * * moon",
    ],
)
def test_what_would_need_many_words_or_could_be_misread_has_none(expression: str) -> None:
    assert cron_words(expression) == ""


def field(low: int, high: int) -> st.SearchStrategy[str]:
    number = st.integers(low, high).map(str)
    ranges = st.tuples(st.integers(low, high), st.integers(low, high)).map(
        lambda pair: f"{min(pair)}-{max(pair)}"
    )
    step = st.integers(1, high).map(lambda size: f"*/{size}")
    listed = st.lists(st.one_of(number, ranges), min_size=1, max_size=3).map(",".join)
    return st.one_of(st.just("*"), number, ranges, step, listed)


EXPRESSIONS = st.tuples(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7)).map(
    " ".join
)
SAID: dict[str, tuple[object, ...]] = {}
"""What the expressions with these words were found to mean, over all examples."""


@given(EXPRESSIONS)
def test_two_expressions_with_the_same_words_mean_the_same(expression: str) -> None:
    words = cron_words(expression)
    if not words:
        return
    cron = parse(expression)
    days = () if "every day" in words else cron.days
    meaning = (cron.times, days, cron.months, cron.weekdays, cron.either_day)
    assert SAID.setdefault(words, meaning) == meaning


@given(st.text("0123456789*/,-@ adfijmnorstuy", max_size=30))
def test_words_are_found_for_nothing_that_is_no_expression(written: str) -> None:
    if cron_words(written):
        try:
            parse(written)
        except CronError:
            # the numbers may be out of range: such an agent is never loaded
            assert any(part.isdigit() for part in written)
