"""What commands tell a person: aligned, cut to the terminal, and on one line where it must be."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from engine.domain.answers import Check
from engine.domain.clock import timestamp
from engine.domain.events import ReplyDelta, RunEnded, StateEnded, StateEntered
from engine.domain.run import Run, RunDetails, RunId, State
from gligabao_tui.headless.words import (
    checks_table,
    end_words,
    event_words,
    run_words,
    runs_table,
    table,
)
from gligabao_tui.view.text import width_of

NOW = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)


def at(**ago: float) -> str:
    return timestamp(NOW - timedelta(**ago))


WORKING = Run(
    RunId(12),
    "ann",
    "How do 电池 compare?",
    "running",
    "searching",
    "m",
    20,
    at(minutes=5),
    steps=3,
)
ENDED = Run(
    id=RunId(7),
    user_id="ann",
    topic="A topic\nof two lines",
    status="completed",
    state="completed",
    model="m",
    max_steps=20,
    created_at=at(days=2),
    finished_at=at(days=2, seconds=-65),
    steps=5,
    cost_usd=0.131,
    agent_name="default",
    agent_version="1.0.0",
)


def test_runs_are_aligned_and_nothing_is_cut_in_a_pipe() -> None:
    assert list(runs_table([WORKING, ENDED], NOW, cells=None)) == [
        "id  status              started  time  steps   cost  topic",
        "12  running: searching  5m ago   5:00   3/20  $0.00  How do 电池 compare?",
        " 7  completed           2d ago   1:05   5/20  $0.13  A topic of two lines",
    ]


@pytest.mark.parametrize("cells", [20, 40, 60, 80])
def test_runs_fit_any_terminal_and_keep_number_and_topic(cells: int) -> None:
    lines = list(runs_table([WORKING, ENDED], NOW, cells=cells))
    assert max(width_of(line) for line in lines) <= cells
    assert all(line.split()[0] in ("id", "12", "7") for line in lines)
    assert "A topic" in lines[2]


def test_a_terminal_of_no_width_breaks_nothing() -> None:
    assert list(table(("a", "b"), [("x", "y")], cells=0)) == ["", ""]


def test_a_run_is_told_with_its_states_and_its_report_as_it_is() -> None:
    states = (
        State(RunId(7), 1, "starting", 0, "", "", at(minutes=2), at(minutes=1)),
        State(RunId(7), 2, "reading", 1, "https://a.b", "status 404", at(minutes=1), None),
    )
    run = replace(ENDED, report="# R\n\ntext", error="odd")
    assert list(run_words(RunDetails(run, states), NOW, cells=None)) == [
        "run 7: A topic of two lines",
        "completed, started 2d ago, 1:05, 5 steps, $0.13",
        "user ann  m  default 1.0.0",
        "",
        "at        time  state     detail",
        "11:58:00  1:00  starting",
        "11:59:00  1:00  reading   https://a.b; error: status 404",
        "",
        "error: odd",
        "",
        "# R\n\ntext",
    ]


def test_states_and_their_errors_are_told_and_deltas_are_not() -> None:
    entered = StateEntered(RunId(7), 3, "searching", 1, "lake\ndepth", at(minutes=1))
    assert event_words(entered) == "11:59:00  searching       lake depth"
    ended = StateEnded(RunId(7), 3, "status 404", at(minutes=1))
    assert event_words(ended) == "11:59:00                  error: status 404"
    assert event_words(StateEnded(RunId(7), 3, "", at(minutes=1))) == ""
    assert event_words(ReplyDelta(RunId(7), "text", "x")) == ""


def test_an_end_is_one_sentence() -> None:
    ended = RunEnded(RunId(7), 9, "stopped", "stopped by ann", at())
    assert end_words(ENDED, ended, NOW) == ("run 7 stopped (stopped by ann): 1:05, 5 steps, $0.13")


def test_checks_are_a_table_that_is_never_cut() -> None:
    checks = checks_table([Check("disk", "ok", "free"), Check("key", "warning", "x" * 200)])
    assert list(checks)[2] == f"warning  key    {'x' * 200}"
