"""What a cron expression may say, and when it is due on the days on which clocks are changed."""

from datetime import UTC, datetime, time, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.cron import MACROS, CronError, parse, shortest_gap

BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")
LORD_HOWE = ZoneInfo("Australia/Lord_Howe")
"""Its clock goes back by thirty minutes."""
CASABLANCA = ZoneInfo("Africa/Casablanca")
"""Its clock goes back for Ramadan, and forward after it."""
UTC_ZONE = ZoneInfo("UTC")
MONDAY = datetime(2026, 11, 30, 6, 0, tzinfo=UTC)


def walls(expression: str, zone: ZoneInfo, after: str, count: int = 3) -> list[str]:
    """The next times on the zone's clock; `after` is one of them."""
    start = datetime.fromisoformat(after).replace(tzinfo=zone)
    found = islice(parse(expression).due_after(start, zone), count)
    return [f"{due.astimezone(zone):%m-%d %H:%M%z}" for due in found]


@pytest.mark.req("R304")
@pytest.mark.parametrize(
    ("field", "minutes"),
    [
        ("*", range(60)),
        ("7", [7]),
        ("10-13", range(10, 14)),
        ("1,3,5", [1, 3, 5]),
        ("*/15", [0, 15, 30, 45]),
        ("10-40/10", [10, 20, 30, 40]),
        ("50-59/4,3", [3, 50, 54, 58]),
        ("5,*/30,5", [0, 5, 30]),
        ("*/60", [0]),
    ],
)
def test_a_field_is_stars_numbers_ranges_lists_and_steps(field: str, minutes: list[int]) -> None:
    assert [moment.minute for moment in parse(f"{field} 4 * * *").times] == list(minutes)


@pytest.mark.req("R305")
def test_months_and_days_have_names_and_sunday_two_numbers() -> None:
    assert parse("0 0 * jan,MAR-may,12 *").months == {1, 3, 4, 5, 12}
    assert parse("0 0 * * sun").weekdays == parse("0 0 * * 7").weekdays == {0}
    assert parse("0 0 * * 0,7").weekdays == {0}
    assert parse("0 0 * * Mon-Fri").weekdays == {1, 2, 3, 4, 5}
    assert parse("0 0 * * 5-7").weekdays == parse("0 0 * * fri-sun").weekdays == {5, 6, 0}
    assert parse("0 0 * * sun-tue").weekdays == {0, 1, 2}
    assert parse("0 0 * * *").weekdays == set(range(7))


@pytest.mark.req("R306")
@pytest.mark.parametrize(
    ("macro", "due"),
    [
        ("@hourly", "11-30 07:00"),
        ("@daily", "12-01 00:00"),
        ("@midnight", "12-01 00:00"),
        ("@weekly", "12-06 00:00"),
        ("@monthly", "12-01 00:00"),
        ("@yearly", "01-01 00:00"),
        (" @Annually ", "01-01 00:00"),
    ],
)
def test_macros_stand_for_expressions(macro: str, due: str) -> None:
    found = parse(macro).next(MONDAY, UTC_ZONE)
    assert found is not None
    assert f"{found:%m-%d %H:%M}" == due


@pytest.mark.req("R307")
def test_a_day_that_matches_either_restricted_field_counts() -> None:
    assert walls("0 0 13 * fri", UTC_ZONE, "2026-11-30", 4) == [
        "12-04 00:00+0000",
        "12-11 00:00+0000",
        "12-13 00:00+0000",
        "12-18 00:00+0000",
    ]
    assert walls("0 0 */10 * mon", UTC_ZONE, "2026-11-30", 4) == [
        "12-01 00:00+0000",
        "12-07 00:00+0000",
        "12-11 00:00+0000",
        "12-14 00:00+0000",
    ]


def test_a_field_that_says_every_value_restricts_nothing() -> None:
    assert walls("0 0 */1 * fri", UTC_ZONE, "2026-11-30", 1) == ["12-04 00:00+0000"]
    assert walls("0 0 13 * *,2", UTC_ZONE, "2026-11-30", 1) == ["12-13 00:00+0000"]


@pytest.mark.req("R308", "R349")
@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("61 * * * *", 'minute: "61": 61 is out of range (0 to 59)'),
        ("* 24 * * *", 'hour: "24": 24 is out of range (0 to 23)'),
        ("0 0 0 * *", 'day of month: "0": 0 is out of range (1 to 31)'),
        ("0 0 1 13 *", 'month: "13": 13 is out of range (1 to 12)'),
        ("0 0 * * 1,8", 'day of week: "8": 8 is out of range (0 to 7)'),
        ("50-70 * * * *", 'minute: "50-70": 70 is out of range (0 to 59)'),
        ("50-10 * * * *", 'minute: "50-10": 50 comes after 10'),
        ("0 0 * * sat-mon", 'day of week: "sat-mon": sat comes after mon'),
        ("*/0 * * * *", 'minute: "*/0": the step 0 is out of range (1 to 60)'),
        ("*/90 * * * *", 'minute: "*/90": the step 90 is out of range (1 to 60)'),
        ("0 5/2 * * *", 'hour: "5/2": a step needs * or a range before it, as in 0-23/2'),
        ("1,,2 * * * *", 'minute: "": a number is missing'),
        ("-5 * * * *", 'minute: "-5": a number is missing'),
        ("5- * * * *", 'minute: "5-": a number is missing'),
        ("*/ * * * *", 'minute: "*/": a number is missing'),
        ("1-2-3 * * * *", 'minute: "1-2-3": 2-3 is not a number'),
        ("1.5 * * * *", 'minute: "1.5": 1.5 is not a number'),
        ("٣ * * * *", 'minute: "٣": ٣ is not a number'),
        ("0 0 L * *", 'day of month: "L": L is not a number'),
        ("jan 0 * * *", 'minute: "jan": jan is not a number'),
        (
            "0 0 * * 5#2",
            'day of week: "5#2": 5#2 is not a number or one of sun, mon, tue, wed, thu, fri, sat',
        ),
        (
            "0 7 * *",
            '"0 7 * *" has 4 fields, five are needed: minute, hour, day of month, month, '
            "day of week",
        ),
        (
            "0 0 7 * * *",
            '"0 0 7 * * *" has 6 fields, five are needed: minute, hour, day of month, month, '
            "day of week (there is no field for seconds)",
        ),
        ("@reboot", f'"@reboot" is none of {", ".join(MACROS)}'),
        ("@daily *", f'"@daily *" is none of {", ".join(MACROS)}'),
    ],
)
def test_what_is_no_expression_is_told_with_its_field(expression: str, told: str) -> None:
    with pytest.raises(CronError) as wrong:
        parse(expression)
    assert str(wrong.value) == told


@pytest.mark.parametrize("expression", ["", " ", "9" * 900 + " * * * *", "*" * 5000, "\x1b[31m"])
def test_a_hostile_expression_gives_one_short_clean_line(expression: str) -> None:
    with pytest.raises(CronError) as wrong:
        parse(expression)
    assert len(str(wrong.value)) < 250
    assert str(wrong.value).isprintable()


@given(st.text(alphabet="0123456789*/-,@ \t\nLW#?Hjansunw\x00é٣", max_size=60))
def test_any_text_is_an_expression_or_an_error(text: str) -> None:
    try:
        cron = parse(text)
    except CronError:
        return
    assert cron.times
    assert cron.days <= set(range(1, 32))
    assert parse(cron.text) == cron


@pytest.mark.req("R315")
@pytest.mark.parametrize("expression", ["0 0 31 2 *", "0 0 30 feb *", "5 5 31 4,6,9,11 *"])
def test_a_day_that_no_month_has_never_comes(expression: str) -> None:
    assert parse(expression).next(MONDAY, BERLIN) is None
    assert parse(expression).never_matches()
    assert shortest_gap(parse(expression), BERLIN, MONDAY) == timedelta.max


def test_a_day_of_the_week_saves_a_day_that_no_month_has() -> None:
    assert walls("0 0 31 2 mon", UTC_ZONE, "2026-11-30", 1) == ["02-01 00:00+0000"]


def test_the_rarest_day_is_found_across_a_century_without_a_leap_year() -> None:
    due = parse("0 12 29 2 *").next(datetime(2096, 3, 1, tzinfo=UTC), UTC_ZONE)
    assert due == datetime(2104, 2, 29, 12, tzinfo=UTC)


def test_the_end_of_the_calendar_is_no_error() -> None:
    assert parse("@daily").next(datetime(9999, 12, 31, 12, tzinfo=UTC), BERLIN) is None


def test_the_next_time_is_strictly_later_also_within_its_minute() -> None:
    cron = parse("30 7 * * *")
    due = datetime(2026, 12, 1, 7, 30, tzinfo=UTC)
    assert cron.next(due - timedelta(microseconds=1), UTC_ZONE) == due
    assert cron.next(due, UTC_ZONE) == due + timedelta(days=1)
    assert cron.next(due + timedelta(seconds=20), UTC_ZONE) == due + timedelta(days=1)


def test_a_time_that_the_clock_leaves_out_is_skipped() -> None:
    assert walls("30 2 * * *", BERLIN, "2026-03-27T03:00") == [
        "03-28 02:30+0100",
        "03-30 02:30+0200",
        "03-31 02:30+0200",
    ]
    assert walls("*/30 1-3 * * *", NEW_YORK, "2026-03-08T01:00") == [
        "03-08 01:30-0500",
        "03-08 03:00-0400",
        "03-08 03:30-0400",
    ]
    assert walls("15 2 * * *", LORD_HOWE, "2026-10-03T00:00", 2) == [
        "10-03 02:15+1030",
        "10-05 02:15+1100",
    ]
    assert walls("30 2 * * *", CASABLANCA, "2026-03-21T03:00", 2) == [
        "03-23 02:30+0100",
        "03-24 02:30+0100",
    ]


def test_a_time_that_the_clock_has_twice_counts_once_at_its_first() -> None:
    assert walls("30 2 * * *", BERLIN, "2026-10-24T03:00", 2) == [
        "10-25 02:30+0200",
        "10-26 02:30+0100",
    ]
    assert walls("*/30 0-2 * * *", NEW_YORK, "2026-11-01T00:30", 4) == [
        "11-01 01:00-0400",
        "11-01 01:30-0400",
        "11-01 02:00-0500",
        "11-01 02:30-0500",
    ]
    assert walls("45 1 * * *", LORD_HOWE, "2026-04-04T03:00", 2) == [
        "04-05 01:45+1100",
        "04-06 01:45+1030",
    ]
    assert walls("30 2 * * *", CASABLANCA, "2026-02-14T03:00", 2) == [
        "02-15 02:30+0100",
        "02-16 02:30+0000",
    ]


def test_from_within_the_repeated_hour_its_times_are_over() -> None:
    second = datetime(2026, 10, 25, 2, 10, fold=1, tzinfo=BERLIN)
    due = parse("*/15 * * * *").next(second, BERLIN)
    assert due is not None
    assert f"{due.astimezone(BERLIN):%H:%M%z}" == "03:00+0100"


def test_midnight_may_be_left_out_or_come_twice() -> None:
    beirut, havana = ZoneInfo("Asia/Beirut"), ZoneInfo("America/Havana")
    assert walls("0 0 * * *", beirut, "2026-03-28T12:00", 1) == ["03-30 00:00+0300"]
    assert walls("0 0 * * *", havana, "2026-10-31T12:00", 2) == [
        "11-01 00:00-0400",
        "11-02 00:00-0500",
    ]


def test_a_day_that_a_zone_left_out_whole_is_skipped() -> None:
    apia = ZoneInfo("Pacific/Apia")
    assert walls("0 9 * * *", apia, "2011-12-28T12:00", 2) == [
        "12-29 09:00-1000",
        "12-31 09:00+1400",
    ]


@pytest.mark.req("R314")
@pytest.mark.parametrize(
    ("expression", "gap"),
    [
        ("* * * * *", timedelta(minutes=1)),
        ("*/5 * * * *", timedelta(minutes=5)),
        ("0,59 * * * *", timedelta(minutes=1)),
        ("58 23 * * *", timedelta(days=1) - timedelta(hours=1)),
        ("0,58 0,23 * * *", timedelta(minutes=2)),
        ("@yearly", timedelta(days=365)),
        ("0 0 29 2 *", timedelta(days=4 * 365 + 1)),
        ("0 12 1 * mon", timedelta(days=1)),
        ("0 12 * * *", timedelta(hours=23)),
    ],
)
def test_the_shortest_gap_is_that_of_a_whole_cycle(expression: str, gap: timedelta) -> None:
    assert shortest_gap(parse(expression), BERLIN, MONDAY) == gap


def test_a_change_of_the_clock_can_bring_two_times_together() -> None:
    cron = parse("0,58 1,3 * * *")
    assert shortest_gap(cron, UTC_ZONE, MONDAY) == timedelta(minutes=58)
    assert shortest_gap(cron, BERLIN, MONDAY) == timedelta(minutes=2)
    assert time(1, 58) in cron.times
