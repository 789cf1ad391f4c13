"""The desk: news that arrive while something is read are told again when the answer is there."""

from engine.api import ReplyDelta, ReplyDiscarded, RunDetails, RunId, RunPage, RunStarted
from gligabao_tui.view.desk import (
    Desk,
    details_closed,
    details_taken,
    page_taken,
    read_begun,
    read_ended,
    told,
)
from tests.tui.view.samples import a_run, a_state, entered, run_ended


def test_an_end_that_overtakes_the_page_it_belongs_to_is_not_lost() -> None:
    desk = told(read_begun(Desk()), [run_ended("failed", "boom")])
    desk = read_ended(page_taken(desk, RunPage((a_run(),)), is_first=True))
    assert desk.board.runs[RunId(1)].status == "failed"
    assert desk.meanwhile == ()


def test_a_state_that_overtakes_the_details_it_belongs_to_is_not_lost() -> None:
    desk = told(read_begun(Desk()), [entered(2)])
    desk = details_taken(desk, RunDetails(a_run(), (a_state(1, ended=None),)))
    assert desk.details is not None
    assert [moment.key for moment in desk.details.moments] == [1, 2]


def test_speech_that_was_heard_is_not_heard_again() -> None:
    hello = ReplyDelta(RunId(1), "text", "Hello")
    read = RunDetails(a_run(), (a_state(1, ended=None),))
    desk = details_taken(Desk(), read)
    desk = told(read_begun(desk), [hello])
    desk = read_ended(details_taken(desk, read))
    assert desk.details is not None
    assert desk.details.writing == "Hello"


def test_news_are_kept_until_the_last_of_several_reads_has_ended() -> None:
    desk = told(read_begun(read_begun(Desk())), [RunStarted(a_run())])
    desk = read_ended(desk)
    assert len(desk.meanwhile) == 1
    assert read_ended(desk).meanwhile == ()
    assert told(read_ended(desk), [RunStarted(a_run(2))]).meanwhile == ()


def test_closed_details_leave_the_board_as_it_is() -> None:
    desk = details_taken(Desk(), RunDetails(a_run(), ()))
    assert details_closed(desk).board == desk.board
    assert details_closed(desk).details is None


def test_speech_after_a_reply_that_was_given_up_is_not_given_up_with_it() -> None:
    read = RunDetails(a_run(), (a_state(1, ended=None),))
    desk = read_begun(details_taken(Desk(), read))
    desk = told(desk, [ReplyDelta(RunId(1), "text", "Half"), ReplyDiscarded(RunId(1))])
    desk = told(desk, [ReplyDelta(RunId(1), "text", "Whole")])
    desk = read_ended(details_taken(desk, read))
    assert desk.details is not None
    assert desk.details.writing == "Whole"
