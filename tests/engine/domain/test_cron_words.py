"""Words for cron expressions: those of many, and that no words stand for two different times."""

from collections import defaultdict
from datetime import date
from itertools import product, takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.cron import Cron, parse
from engine.domain.cron_words import MOST_CHARACTERS, in_words

WORDS = {
    "30 7 * * 1-5": "every weekday at 07:30",
    "30 7 * * mon-fri": "every weekday at 07:30",
    "0 9 * * sat,sun": "every Saturday and Sunday at 09:00",
    "0 7 * * 0": "every Sunday at 07:00",
    "0 7 * * 7": "every Sunday at 07:00",
    "0 7 * * 1,3,5": "every Monday, Wednesday and Friday at 07:00",
    "0 7 * * 2-6": "every day from Tuesday to Saturday at 07:00",
    "0 7 * * 1-6": "every day but Sunday at 07:00",
    "0 7 * * fri-sun": "every day from Friday to Sunday at 07:00",
    "*/15 * * * *": "every 15 minutes",
    "0,15,30,45 * * * *": "every 15 minutes",
    "10,40 * * * *": "every 30 minutes from 00:10 on",
    "* * * * *": "every minute",
    "@hourly": "every hour",
    "5 * * * *": "every hour at :05",
    "5 9-17 * * *": "every hour from 09:05 to 17:05",
    "0 */2 * * *": "every 2 hours",
    "30 */3 * * 1,2": "every Monday and Tuesday, every 3 hours from 00:30 on",
    "0 */5 * * *": "every 5 hours from 00:00 to 20:00",
    "*/20 9-17 * * 1-5": "every weekday, every 20 minutes from 09:00 to 17:40",
    "@daily": "every day at 00:00",
    "0 6,18 * * *": "every day at 06:00 and 18:00",
    "0 */6 * * *": "every day at 00:00, 06:00, 12:00 and 18:00",
    "@weekly": "every Sunday at 00:00",
    "0 6 1 * *": "on the 1st of each month at 06:00",
    "17 3 2,20 * *": "on the 2nd and 20th of each month at 03:17",
    "0 0 1-7 * *": "on the 1st to 7th of each month at 00:00",
    "0 0 31 * *": "on the 31st of each month that has one at 00:00",
    "0 6 1 1,4,7,10 *": "on the 1st of January, April, July and October at 06:00",
    "0 6 1 4-9 *": "on the 1st of each month from April to September at 06:00",
    "@yearly": "every 1 January at 00:00",
    "0 0 * 6-8 1": "every Monday from June to August at 00:00",
    "0 0 * 12 *": "every day in December at 00:00",
    "0 8 13 * 5": "on the 13th of each month and every Friday at 08:00",
    "0 8 13 * 0-6": "every day at 08:00",
    "0 8 * * */1": "every day at 08:00",
}
WORDLESS = (
    *("*/7 * * * *", "0 0 */2 * *", "0 0 29 2 *", "0 0 31 1,2 *", "0 0 1,31 * *"),
    *("0 0 31 * 5", "5,6,9,40,41 3 * * *", "0 0 1,5,9,13,20 * *", "0 6 1,15 1,4,7,10 1-5"),
    *("0 3,4,7,8,9 * * *", "7 1,3,9,17 4,9,14,21 1,4,7,10 *"),
)
START, END = date(2026, 1, 1), date(2030, 1, 1)
DAYS = ("*", "1", "13", "28", "29", "31", "1-7", "1,15", "*/10", "1-31")
MONTHS = ("*", "1", "6-8", "1,4", "2", "2-12")
WEEKDAYS = ("*", "1", "1-5", "2-4", "0,6", "1,3", "0-6", "1-6", "*/2")
TIMES = ("0 7", "0 *", "5 *", "0 */2", "*/15 *", "*/15 9-17", "0 6,18", "0 1-23")


def field(low: int, high: int) -> st.SearchStrategy[str]:
    """Fields as people write them, and a few that nobody would."""
    one = st.integers(low, high)
    spans = st.tuples(one, one).map(lambda pair: f"{min(pair)}-{max(pair)}")
    steps = st.integers(1, min(7, high - low)).map(lambda step: f"*/{step}")
    lists = st.lists(one, min_size=1, max_size=5).map(lambda all_: ",".join(map(str, all_)))
    return st.one_of(st.just("*"), st.just("*"), one.map(str), spans, steps, lists)


EXPRESSIONS = st.tuples(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7)).map(
    " ".join
)


@pytest.mark.parametrize("expression", WORDS)
def test_an_expression_is_said_as_people_say_it(expression: str) -> None:
    assert in_words(parse(expression)) == WORDS[expression]


@pytest.mark.parametrize("expression", WORDLESS)
def test_what_has_no_sound_and_short_words_is_shown_as_it_is_written(expression: str) -> None:
    assert in_words(parse(expression)) == expression


@given(expression=EXPRESSIONS)
def test_words_are_never_longer_than_is_easily_read(expression: str) -> None:
    told = in_words(parse(expression))
    assert told == expression or 0 < len(told) <= MOST_CHARACTERS


def test_no_words_stand_for_expressions_that_are_due_at_different_times() -> None:
    said: dict[str, set[object]] = defaultdict(set)
    for days, months, weekdays in product(DAYS, MONTHS, WEEKDAYS):
        due_on = days_due(parse(f"0 0 {days} {months} {weekdays}"))
        for times in TIMES:
            cron = parse(f"{times} {days} {months} {weekdays}")
            if in_words(cron) != cron.text:
                said[in_words(cron)].add((cron.times, due_on))
    assert len(said) > 400
    assert [words for words, meant in said.items() if len(meant) > 1] == []


def days_due(cron: Cron) -> tuple[date, ...]:
    """The days of four years, in which every kind of day and of month occurs."""
    return tuple(takewhile(lambda day: day < END, cron.days_from(START)))
