"""The board: runs folded from events and reads, in whatever order they arrive."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.api import Event, ReplyDelta, Resync, RunCounts, RunId, RunStarted
from gligabao_tui.view.board import (
    Board,
    counts_are_stale,
    dismissed,
    ended_in_dock,
    fold,
    taken_in,
)
from tests.tui.view.samples import a_run, entered, run_ended, usage, with_steps

STORY: tuple[Event, ...] = (
    RunStarted(a_run()),
    entered(2, "searching"),
    usage(1, 0.02),
    entered(3, "reading"),
    usage(2, 0.05),
    run_ended("failed", "status 529"),
)


def test_a_run_is_followed_from_its_start_to_its_end() -> None:
    board = fold(Board(), STORY[:4])
    run = board.runs[RunId(1)]
    assert (run.state, run.steps, run.cost_usd, run.status) == ("reading", 1, 0.02, "running")
    ended = fold(board, STORY[4:]).runs[RunId(1)]
    assert (ended.status, ended.error, ended.steps) == ("failed", "status 529", 2)


@given(st.lists(st.sampled_from(STORY), max_size=12))
def test_events_told_again_after_the_end_change_nothing(again: list[Event]) -> None:
    board = fold(Board(), STORY)
    assert fold(board, again) == board


@pytest.mark.req("R161")
def test_every_working_run_has_a_block_newest_first() -> None:
    board = fold(Board(), [RunStarted(a_run(1)), RunStarted(a_run(3)), RunStarted(a_run(2))])
    assert [run.id for run in board.dock] == [3, 2, 1]


@pytest.mark.req("R163")
def test_a_block_stays_after_the_end_until_it_is_dismissed() -> None:
    board = fold(Board(), STORY)
    assert [run.status for run in board.dock] == ["failed"]
    assert ended_in_dock(board) == (1,)
    assert dismissed(board, RunId(1)).dock == ()


def test_a_working_run_cannot_be_dismissed() -> None:
    board = fold(Board(), STORY[:2])
    assert dismissed(board, RunId(1)) == board


def test_runs_that_ended_before_have_no_block() -> None:
    assert taken_in(Board(), [a_run(1, "completed")]).dock == ()


def test_a_read_that_is_older_than_the_news_does_not_undo_it() -> None:
    ended = fold(Board(), STORY)
    assert taken_in(ended, [a_run()]) == ended
    ahead = fold(Board(), STORY[:5])
    assert taken_in(ahead, [with_steps(a_run(), 1)]) == ahead


def test_a_read_that_is_newer_is_taken_in() -> None:
    board = taken_in(fold(Board(), STORY[:2]), [a_run(status="completed")])
    assert board.runs[RunId(1)].status == "completed"


def test_events_of_unknown_runs_are_passed_over() -> None:
    assert fold(Board(), [entered(2), usage(1, 0.1), run_ended()]) == Board()


def test_what_runs_cost_is_counted_at_once() -> None:
    board = Board(counts=RunCounts(cost_usd=1.0, cost_today_usd=0.5))
    board = fold(board, [RunStarted(a_run())])
    board = fold(board, [usage(1, 0.25)])
    assert (board.counts.cost_usd, board.counts.cost_today_usd) == (1.25, 0.75)


def test_counts_are_read_again_when_a_run_starts_or_ends_or_news_were_lost() -> None:
    assert counts_are_stale([RunStarted(a_run())])
    assert counts_are_stale([run_ended()])
    assert counts_are_stale([Resync(None)])
    assert not counts_are_stale([entered(2), ReplyDelta(RunId(1), "text", "x")])
