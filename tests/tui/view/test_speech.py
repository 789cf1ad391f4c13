"""Speech: what streamed before the details of a run were opened is shown when they are."""

from engine.api import (
    Event,
    ReplyDelta,
    ReplyDiscarded,
    Resync,
    RunDetails,
    RunId,
    StateEntered,
    UsageChanged,
)
from gligabao_tui.view.desk import Desk, details_taken, read_begun, read_ended, told
from gligabao_tui.view.details import Details
from gligabao_tui.view.speech import KEPT_CHARS
from tests.tui.view.samples import a_run, a_state, entered, run_ended, usage

LIVE = RunDetails(a_run(), (a_state(1), a_state(2, ended=None)))


def text(words: str, run_id: int = 1) -> ReplyDelta:
    return ReplyDelta(RunId(run_id), "text", words)


def opened(desk: Desk, read: RunDetails = LIVE) -> Details:
    details = details_taken(desk, read).details
    assert details is not None
    return details


def after(*events: Event) -> Desk:
    return told(Desk(), events)


def test_what_streamed_before_the_details_were_opened_is_in_them() -> None:
    desk = after(entered(2), text("Hello, "), text("rivers"), text("not mine", run_id=2))
    assert opened(desk).writing == "Hello, rivers"


def test_speech_of_a_state_whose_begin_nobody_heard_is_that_of_the_live_one() -> None:
    assert opened(after(text("Hello"))).writing == "Hello"


def test_the_next_state_and_a_reply_given_up_begin_anew() -> None:
    assert opened(after(text("Old"), entered(2), text("New"))).writing == "New"
    assert opened(after(text("Half"), ReplyDiscarded(RunId(1)), text("Whole"))).writing == "Whole"


def test_a_state_that_is_told_again_keeps_what_was_said_in_it() -> None:
    assert opened(after(entered(2), text("Hello"), entered(2))).writing == "Hello"


def test_speech_is_not_put_into_a_state_that_it_was_not_said_in() -> None:
    desk = after(entered(2), text("Hello"))
    newer = RunDetails(a_run(), (a_state(1), a_state(2), a_state(3, ended=None)))
    details = opened(desk, newer)
    assert [moment.said.text for moment in details.moments] == ["", "Hello", ""]


def test_a_state_entered_while_the_details_were_read_has_its_own_speech() -> None:
    desk = told(read_begun(after(text("Old"))), [entered(3), text("New")])
    details = read_ended(details_taken(desk, LIVE)).details
    assert details is not None
    assert [moment.said.text for moment in details.moments] == ["", "", "New"]


def test_what_the_details_have_heard_themselves_stays() -> None:
    desk = told(details_taken(after(text("One ")), LIVE), [text("two")])
    assert opened(desk).writing == "One two"


def test_nothing_is_kept_of_runs_that_ended_or_that_may_have_said_more() -> None:
    assert after(text("x"), run_ended()).speech == {}
    assert set(after(text("x"), text("y", run_id=2), Resync(RunId(1))).speech) == {RunId(2)}
    assert after(text("x"), Resync(None)).speech == {}


def test_what_is_kept_of_a_run_is_bounded_and_is_the_end() -> None:
    desk = after(*[text("a" * 1_000)] * 150, text("the end"))
    kept = desk.speech[RunId(1)].said.text
    assert len(kept) == KEPT_CHARS
    assert kept.endswith("the end")


def test_events_without_speech_leave_it_as_it_is() -> None:
    events: tuple[StateEntered | UsageChanged, ...] = (usage(1, 0.1),)
    assert told(after(text("Hello")), events).speech == after(text("Hello")).speech
