"""The details of a run: states as they come, speech as it streams."""

import pytest

from engine.api import (
    Citation,
    Event,
    ReplyDelta,
    ReplyDiscarded,
    RunDetails,
    RunId,
)
from engine.domain.run import Verdict
from gligabao_tui.view.details import details_of, fold_details, read_again
from tests.tui.view.samples import (
    T1,
    a_run,
    a_state,
    entered,
    run_ended,
    some_details,
    state_ended,
    usage,
)

HELLO = ReplyDelta(RunId(1), "text", "Hello")


def test_states_are_entered_and_ended_in_order() -> None:
    details = some_details(a_state(1, "starting", ended=None))
    details = fold_details(details, [entered(2), state_ended(2, "status 404"), entered(3)])
    assert [moment.state.state for moment in details.moments] == ["starting", "reading", "reading"]
    assert details.moments[0].state.finished_at == T1
    assert details.moments[1].state.error == "status 404"
    assert details.moments[2].is_live


def test_a_state_told_twice_is_entered_once() -> None:
    states = [entered(2), entered(3)]
    details = fold_details(some_details(), states)
    assert fold_details(details, states) == details


def test_events_of_other_runs_are_passed_over() -> None:
    details = some_details(a_state(1, ended=None))
    assert fold_details(details, [entered(2, run_id=2), run_ended(run_id=2)]) == details


def test_unchanged_states_keep_their_identity() -> None:
    before = some_details(a_state(1), a_state(2, ended=None))
    after = fold_details(before, [HELLO])
    assert after.moments[0] is before.moments[0]
    assert after.moments[1] is not before.moments[1]


def test_what_streams_belongs_to_the_state_it_streamed_in() -> None:
    details = some_details(a_state(1, ended=None))
    details = fold_details(details, [HELLO, ReplyDelta(RunId(1), "text", " there"), entered(2)])
    assert details.moments[0].said.text == "Hello there"
    assert details.moments[1].said.text == ""
    assert details.writing == ""


def test_an_attempt_that_was_given_up_leaves_nothing_said() -> None:
    details = fold_details(some_details(a_state(1, ended=None)), [HELLO, ReplyDiscarded(RunId(1))])
    assert details.moments[0].said.text == ""


def test_text_before_a_tool_call_is_not_taken_for_the_report() -> None:
    details = fold_details(some_details(a_state(1, ended=None)), [HELLO])
    assert details.writing == "Hello"
    details = fold_details(details, [ReplyDelta(RunId(1), "tool_input", '{"query": 1}')])
    assert details.writing == ""


def test_the_end_of_a_run_is_its_last_state_whether_told_once_or_twice() -> None:
    details = some_details(a_state(8, ended=None))
    once = fold_details(details, [run_ended("failed", "boom")])
    assert [moment.state.state for moment in once.moments] == ["thinking", "failed"]
    assert once.run.status == "failed"
    told_both: list[Event] = [entered(9, "failed"), run_ended("failed", "boom")]
    assert [m.key for m in fold_details(details, told_both).moments] == [8, 9]


@pytest.mark.req("R156")
def test_the_state_that_a_run_failed_in_is_the_one_before_its_end() -> None:
    failed = a_state(3, "failed", error="boom")
    details = some_details(a_state(1), a_state(2, "reading", error="boom"), failed)
    assert details.failed_in is not None
    assert details.failed_in.state.state == "reading"
    assert [moment.key for moment in details.failures] == [2, 3]
    assert some_details().failed_in is None


def test_totals_are_those_of_the_last_event() -> None:
    details = fold_details(some_details(), [usage(1, 0.1), usage(2, 0.3)])
    assert (details.run.steps, details.run.cost_usd) == (2, 0.3)


def test_a_second_read_keeps_what_had_streamed() -> None:
    known = fold_details(some_details(a_state(1, ended=None)), [HELLO])
    again = read_again(known, RunDetails(a_run(), (a_state(1), a_state(2))))
    assert [moment.said.text for moment in again.moments] == ["Hello", ""]


def test_quotations_are_counted_by_verdict() -> None:
    verdicts: tuple[Verdict, ...] = ("exact", "exact", "missing")
    citations = tuple(Citation(n, 1, None, 0, 1, "q", verdicts[n]) for n in range(3))
    details = details_of(RunDetails(a_run(), (), citations))
    assert details.quotations == {"exact": 2, "missing": 1}
