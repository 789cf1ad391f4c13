"""What commands tell of agents: every line fits the terminal, and times stand on two clocks."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from engine.definitions.inspecting import Finding
from engine.domain.answers import AgentInfo, AgentSchedule, ScheduledRun, ScheduleInfo
from engine.domain.clock import timestamp
from engine.domain.run import RunId
from engine.domain.scheduling import FireOutcome
from gligabao_tui.headless.agent_words import (
    agents_words,
    counted_words,
    finding_words,
    pausing_words,
    schedule_words,
)
from gligabao_tui.view.text import width_of

NOW = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)
IN_UTC = NOW.replace(day=2, hour=6, minute=30)
SCHEDULE = AgentSchedule(
    cron="30 7 * * 1-5",
    timezone="Europe/Berlin",
    topic="The news of {{.Date}}",
    user="press",
    paused=False,
    next_run=timestamp(IN_UTC),
    words="Monday to Friday at 07:30",
)
PLAIN = AgentInfo("default", "1.0.0", "Searches and reports", 20)
NEWS = AgentInfo(
    name="news",
    version="2.0.0",
    description="Scans what was printed " * 6,
    max_steps=25,
    source="news.toml",
    model="claude",
    max_cost_usd=1.5,
    max_tree_cost_usd=5,
    schedule=SCHEDULE,
)
CHECKER = replace(PLAIN, name="checker", source="packaged checker.toml", max_tree_cost_usd=2)
BOTH_CLOCKS = "Mon 2 Nov 07:30 Europe/Berlin, Mon 2 Nov 01:30 on your clock"


def here(at: datetime) -> datetime:
    return at.astimezone(timezone(timedelta(hours=-5)))


def test_an_agent_is_a_line_with_what_it_may_do_and_cost() -> None:
    head, default, news, due, checker = agents_words([PLAIN, NEWS, CHECKER], here, cells=None)
    assert head.split() == [
        *("name", "version", "model", "steps", "caps", "source", "description"),
    ]
    assert default.split()[:6] == ["default", "1.0.0", "configured", "20", "none", "built-in"]
    assert "25  $1.50, all $5.00  news.toml  Scans what was printed" in news
    assert due == f"  next run: {BOTH_CLOCKS}"
    assert "all $2.00         packaged   Searches and reports" in checker


@pytest.mark.parametrize("cells", [30, 60, 71, 72, 80, 120, 200])
def test_no_line_is_wider_than_the_terminal(cells: int) -> None:
    far = replace(SCHEDULE, timezone="America/Argentina/Buenos_Aires")
    lines = list(agents_words([PLAIN, replace(NEWS, schedule=far), CHECKER], here, cells=cells))
    assert max(map(width_of, lines)) <= cells
    assert sum("news" in line for line in lines) >= 1


def test_in_80_columns_nothing_but_the_end_of_a_description_is_left_out() -> None:
    lines = list(agents_words([PLAIN, NEWS], here, cells=80))
    assert lines[0].split() == ["name", "version", "model", "steps", "caps", "source"]
    assert lines[2] == "  Searches and reports"
    assert lines[3].endswith("$1.50, all $5.00  news.toml")
    assert lines[4].startswith("  Scans what was printed Scans")
    assert lines[5] == f"  next run: {BOTH_CLOCKS}"


def test_below_72_columns_agents_stand_one_below_the_other_and_nothing_is_left_out() -> None:
    lines = list(agents_words([PLAIN, NEWS], here, cells=60))
    assert lines[:6] == [
        "default 1.0.0",
        "  Searches and reports",
        "  model configured, 20 steps",
        "  caps: none; source: built-in",
        "",
        "news 2.0.0",
    ]
    whole = " ".join(" ".join(lines).split())
    assert "caps: itself $1.50, research $5.00; source: news.toml" in whole
    assert f"next run: {BOTH_CLOCKS}" in whole
    assert whole.count("Scans what was printed") == 6


def test_a_schedule_is_told_with_its_next_and_latest_times() -> None:
    started = ScheduledRun(timestamp(NOW - timedelta(days=2)), "started", RunId(7), "completed")
    refused = ScheduledRun(timestamp(NOW - timedelta(days=3)), "refused", why="no key")
    lines = list(schedule_words(ScheduleInfo("news", SCHEDULE, (started, refused)), NOW, here))
    assert lines == [
        "news: Monday to Friday at 07:30 (30 7 * * 1-5)",
        f"  next   {BOTH_CLOCKS} (in 18 hours)",
        "  last   Fri 30 Oct 13:00 Europe/Berlin, Fri 30 Oct 07:00 on your clock: run 7 completed",
        "         Thu 29 Oct 13:00 Europe/Berlin, Thu 29 Oct 07:00 on your clock: refused: no key",
        "  topic  The news of {{.Date}}",
        "  user   press",
    ]


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        ("armed", "watched from then on"),
        ("claimed", "being started"),
        ("started", "run 7 started"),
        ("skipped", "skipped: run 3 still works"),
    ],
)
def test_every_outcome_is_told(outcome: FireOutcome, told: str) -> None:
    run_id = RunId(7) if outcome == "started" else None
    why = "run 3 still works" if outcome == "skipped" else ""
    last = ScheduledRun(timestamp(NOW), outcome, run_id, None, why)
    info = ScheduleInfo("news", replace(SCHEDULE, last=last))
    assert list(schedule_words(info, NOW, here))[2].endswith(f": {told}")


def test_one_clock_is_told_once() -> None:
    in_utc = replace(NEWS, schedule=replace(SCHEDULE, timezone="UTC"))
    lines = agents_words([in_utc], lambda at: at.astimezone(UTC), cells=80)
    assert list(lines)[-1] == "  next run: Mon 2 Nov 06:30 UTC and on your clock"


def test_what_pausing_came_to_is_told() -> None:
    paused = replace(SCHEDULE, paused_here=True, next_run=None)
    assert pausing_words(ScheduleInfo("news", paused), here) == "news is paused"
    both = replace(paused, paused=True)
    assert pausing_words(ScheduleInfo("news", both), here).endswith("as its file says too")
    by_file = replace(both, paused_here=False)
    assert "by its file: take out paused = true" in pausing_words(ScheduleInfo("n", by_file), here)
    goes_on = pausing_words(ScheduleInfo("news", SCHEDULE), here)
    assert goes_on == f"news is not paused: next {BOTH_CLOCKS}"
    lines = list(agents_words([replace(NEWS, schedule=both)], here, cells=None))
    assert lines[-1] == "  next run: paused by its file and here"


def test_a_schedule_that_never_comes_again_says_so() -> None:
    ended = replace(NEWS, schedule=replace(SCHEDULE, next_run=None))
    assert list(agents_words([ended], here, cells=None))[-1] == "  next run: none"


@pytest.mark.parametrize(
    ("finding", "kind", "told"),
    [
        (Finding("/w/d/a.toml", 7, "x"), "", "d/a.toml:7: x"),
        (Finding("/w/d/a.toml", 7, "x"), "warning", "d/a.toml:7: warning: x"),
        (Finding("/w/d/a.json", 0, "x"), "", "d/a.json:1: x"),
        (Finding("/other/a.toml", 2, "x"), "", "/other/a.toml:2: x"),
        (Finding("/w/d", 0, "x"), "warning", "d: warning: x"),
        (Finding("", 0, "x"), "", "x"),
    ],
)
def test_findings_are_told_as_editors_read_them(finding: Finding, kind: str, told: str) -> None:
    assert finding_words(finding, cwd=Path("/w"), kind=kind) == told


def test_findings_are_counted() -> None:
    assert counted_words(0, 0) == "sound"
    assert counted_words(1, 0) == "1 problem"
    assert counted_words(2, 1) == "2 problems, 1 warning"
