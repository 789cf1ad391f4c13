"""The rows and the text of schedules: times on two clocks, outcomes, and narrow panes."""

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from engine.api import AgentInfo, AgentSchedule, RunId, ScheduledRun, ScheduleInfo, Schedules
from gligabao_tui.view.agent_terms import Terms
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.view.run_now import RunNow, cap_words, run_now_lines
from gligabao_tui.view.schedules import (
    Frame,
    Row,
    followed_line,
    is_due,
    last_run,
    no_schedules,
    paused_words,
    schedule_block,
    schedule_lines,
    schedules_title,
    until,
)
from gligabao_tui.view.text import Line, line_width, plain
from tests.tui.schedule_scenes import MONTHLY, ODD, WEEKDAYS, agent_of
from tests.tui.view.test_start_form import WITH_KEY

NOW = datetime(2026, 11, 1, 10, tzinfo=UTC)
LONDON = ZoneInfo("Europe/London")
FRAME = Frame(NOW, lambda moment: moment.astimezone(LONDON), DRAWN)
STARTED = ScheduledRun("2026-10-30T06:30:00.000Z", "started", RunId(12), "completed")
SKIPPED = ScheduledRun("2026-10-31T06:30:00.000Z", "skipped", why="the run before it still works")


def told(
    schedule: AgentSchedule, *past: ScheduledRun, width: int = 60, frame: Frame = FRAME
) -> str:
    info = ScheduleInfo("news", replace(schedule, last=past[0] if past else None), past)
    return text(schedule_lines(info, width, frame))


def text(rows: tuple[Line, ...]) -> str:
    return "\n".join(plain(row) for row in rows)


@pytest.mark.parametrize(
    ("then", "words"),
    [
        ("2026-11-01T13:12:40.000Z", "in 3 h 12 min"),
        ("2026-11-01T10:12:00.000Z", "in 12 min"),
        ("2026-11-03T14:30:00.000Z", "in 2 d 4 h"),
        ("2026-11-01T10:00:30.000Z", "now"),
        ("2026-11-01T09:00:00.000Z", "now"),
        ("soon", ""),
    ],
)
def test_it_is_told_how_long_it_is_until_then(then: str, words: str) -> None:
    assert until(then, NOW) == words


def test_the_next_time_is_told_on_both_clocks_with_the_day() -> None:
    rows = told(WEEKDAYS).splitlines()
    assert "next   in 20 h 30 min" in rows
    assert "       Mon 2 Nov 07:30 in Europe/Berlin" in rows
    assert "       Mon 2 Nov 06:30 on your clock" in rows


def test_the_days_of_both_clocks_may_differ() -> None:
    tokyo = replace(WEEKDAYS, timezone="Asia/Tokyo", next_run="2026-11-01T22:30:00.000Z")
    assert "Mon 2 Nov 07:30 in Asia/Tokyo" in told(tokyo)
    assert "Sun 1 Nov 22:30 on your clock" in told(tokyo)


def test_one_clock_is_told_once() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    there = replace(FRAME, here=lambda moment: moment.astimezone(berlin))
    assert "Mon 2 Nov 07:30 in Europe/Berlin and on your clock" in told(WEEKDAYS, frame=there)


def test_the_expression_stands_beside_its_words_and_alone_where_there_are_none() -> None:
    assert "when   every weekday at 07:30\ncron   30 7 * * 1-5" in told(WEEKDAYS)
    assert "when   */7 3,9 * * *\npaused" in told(ODD)
    assert "when   5 4 * * *\n" in told(replace(ODD, words="", cron="5 4 * * *"))


def test_who_paused_it_is_told() -> None:
    assert "paused by its file" in told(ODD)
    assert "paused in this app" in told(MONTHLY)
    assert "paused by its file and in this app" in told(replace(ODD, paused_here=True))


def test_each_outcome_has_a_mark_and_words_and_leads_to_its_run() -> None:
    refused = replace(SKIPPED, outcome="refused", why="you have 3 agents working")
    info = ScheduleInfo("news", WEEKDAYS, (SKIPPED, STARTED, refused, replace(SKIPPED, why="")))
    rows = schedule_lines(info, 80, FRAME)
    assert "Sat 31 Oct 07:30  ! skipped: the run before it still works" in text(rows)
    assert "✗ refused: you have 3 agents working" in text(rows)
    (started,) = (row for row in rows if "#12" in plain(row))
    assert plain(started) == "Fri 30 Oct 07:30  ✓ #12 done"
    assert {span.target for span in started} == {"run:12"}


def test_the_last_run_is_that_of_the_latest_time_that_started_one() -> None:
    found = last_run(ScheduleInfo("news", WEEKDAYS, (SKIPPED, STARTED)))
    assert found == STARTED
    assert last_run(ScheduleInfo("news", replace(WEEKDAYS, last=STARTED))) == STARTED
    assert last_run(ScheduleInfo("news", WEEKDAYS)) is None
    assert last_run(None) is None


@pytest.mark.parametrize("width", [32, 44, 70])
@pytest.mark.parametrize("schedule", [WEEKDAYS, MONTHLY, ODD, replace(WEEKDAYS, last=SKIPPED)])
def test_no_line_is_wider_than_its_pane(schedule: AgentSchedule, width: int) -> None:
    info = ScheduleInfo("an_agent_with_quite_a_long_name_of_its_own", schedule, (SKIPPED, STARTED))
    block = schedule_block(Row(info), width, FRAME, rows=3)
    assert max(map(line_width, block)) <= width
    assert max(map(line_width, schedule_lines(info, width, FRAME))) <= width


@pytest.mark.parametrize("rows", [2, 3, 4])
def test_a_block_has_as_many_rows_as_there_is_room_for(rows: int) -> None:
    info = ScheduleInfo("news", replace(WEEKDAYS, last=STARTED))
    block = schedule_block(Row(info), 40, FRAME, rows=rows)
    assert len(block) == rows
    assert ("✓ #12 done, 2d ago" in text(block)) is (rows > 2)


def test_a_paused_one_says_so_instead_of_a_time_also_in_ascii() -> None:
    plainly = replace(FRAME, glyphs=ASCII)
    head = plain(schedule_block(Row(ScheduleInfo("news", ODD)), 40, plainly, rows=2)[0])
    assert head.isascii()
    assert head.endswith("paused")


def test_the_titles_count_what_there_is() -> None:
    some = Schedules(followed=False, schedules=(ScheduleInfo("a", WEEKDAYS),))
    assert schedules_title(some) == "1 agent has a schedule"
    more = replace(some, schedules=(*some.schedules, ScheduleInfo("b", ODD)))
    assert schedules_title(more) == "2 agents have schedules, 1 paused"
    assert schedules_title(Schedules(followed=True)) == "no agent runs by itself"


def test_nothing_is_said_of_following_where_there_is_nothing_to_follow() -> None:
    assert followed_line(Schedules(followed=False), 60, DRAWN) == ()
    assert len(no_schedules(78, key="f1")) == 2


def test_what_was_known_is_old_when_a_next_time_has_come() -> None:
    found = Schedules(followed=True, schedules=(ScheduleInfo("a", WEEKDAYS),))
    assert not is_due(found, NOW)
    assert is_due(found, datetime(2026, 11, 2, 6, 30, tzinfo=UTC))
    assert not is_due(Schedules(followed=True, schedules=(ScheduleInfo("b", ODD),)), NOW)


def test_going_on_says_when_it_is_next_on_the_own_clock() -> None:
    info = ScheduleInfo("news", WEEKDAYS)
    assert paused_words(info, FRAME.here) == "news goes on. Next: Mon 2 Nov 06:30."
    by_file = ScheduleInfo("odd", ODD)
    assert "its file still pauses it" in paused_words(by_file, FRAME.here)


def test_a_run_by_hand_names_its_model_and_its_caps() -> None:
    info = ScheduleInfo("news", WEEKDAYS)
    asked = RunNow.of(info, agent_of("news", WEEKDAYS), WITH_KEY)
    rows = text(run_now_lines(asked, 60))
    assert "model   claude-sonnet-5-5" in rows
    assert "cap     at most $1.50 for the agent, $5.00 for the research" in rows
    unknown: AgentInfo | None = None
    assert RunNow.of(info, unknown, WITH_KEY).model == WITH_KEY.model
    assert cap_words(Terms()) == "none: it may cost whatever it takes"
