"""What is due, what passes, what is missed, and what a scheduled run is asked for."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from engine.domain.cron import parse
from engine.domain.definition import Schedule
from engine.domain.run import StartRequest
from engine.domain.scheduling import (
    LATE_MOST,
    Due,
    Lapsed,
    Missed,
    Timetable,
    decide,
    next_due,
    request_for,
)

DUE = datetime(2026, 11, 2, 7, 30, tzinfo=UTC)
"""A Monday."""
BEFORE = DUE - timedelta(seconds=30)


def table(**changes: object) -> Timetable:
    schedule = replace(Schedule(cron="30 7 * * 1-5", topic="News"), **changes)  # type: ignore[arg-type]  # fields of it
    return Timetable(schedule, parse(schedule.cron), ZoneInfo(schedule.timezone))


def test_a_time_is_due_from_its_moment_on_and_five_minutes_long() -> None:
    assert decide(table(), since=BEFORE, now=DUE - timedelta(microseconds=1)) is None
    assert decide(table(), since=BEFORE, now=DUE) == Due(DUE)
    assert decide(table(), since=BEFORE, now=DUE + LATE_MOST) == Due(DUE)
    assert decide(table(), since=DUE, now=DUE + LATE_MOST) is None


@pytest.mark.req("R313")
def test_a_time_that_nobody_saw_is_missed() -> None:
    late = DUE + LATE_MOST + timedelta(microseconds=1)
    assert decide(table(), since=BEFORE, now=late) == Missed(DUE)


@pytest.mark.req("R557")
def test_of_many_missed_times_the_last_is_made_up_for_when_the_schedule_says_so() -> None:
    month_ago, hour_later = DUE - timedelta(days=30), DUE + timedelta(hours=1)
    assert decide(table(catch_up="once"), since=month_ago, now=hour_later) == Due(DUE)
    assert decide(table(), since=month_ago, now=hour_later) == Missed(DUE)
    years = decide(table(catch_up="once"), since=DUE - timedelta(days=7000), now=hour_later)
    assert years == Due(DUE)


@pytest.mark.req("R303")
def test_what_is_paused_by_its_file_or_by_a_person_passes() -> None:
    for catch_up in ("none", "once"):
        by_file = table(paused=True, catch_up=catch_up)
        assert decide(by_file, since=BEFORE, now=DUE) == Lapsed(DUE)
        by_person = table(catch_up=catch_up)
        assert decide(by_person, since=BEFORE, now=DUE, paused=True) == Lapsed(DUE)
    assert decide(table(paused=True), since=DUE, now=DUE) is None


def test_the_next_time_is_told_unless_the_file_pauses_it() -> None:
    assert next_due(table(), BEFORE) == DUE
    assert next_due(table(), DUE) == DUE + timedelta(days=1)
    assert next_due(table(paused=True), BEFORE) is None
    assert next_due(table(cron="0 0 31 2 *"), BEFORE) is None


@pytest.mark.req("R309", "R310")
def test_the_topic_has_the_day_and_the_time_of_the_moment_due_in_its_zone() -> None:
    topic = "News of {{.Date}} ({{ .Time }})"
    asked = table(topic=topic, timezone="America/New_York", user="press")
    due = datetime(2026, 11, 3, 2, 0, tzinfo=UTC)
    assert request_for("scout", asked, due) == StartRequest(
        topic="News of 2026-11-02 (2026-11-02T21:00:00-05:00)", user="press", agent="scout"
    )


def test_an_unknown_field_of_the_topic_is_told() -> None:
    with pytest.raises(ValueError, match=r'schedule\.topic: "\{\{\.Day\}\}" is not known'):
        request_for("scout", table(topic="{{.Day}}"), DUE)
