"""Interval algebra and the fold of events: nothing certain that may be otherwise."""

from dataclasses import replace
from itertools import pairwise
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from engine.domain.dates import stated
from engine.domain.facts import (
    EVENT_KINDS,
    LONG_AGO,
    FactEvent,
    FactStatus,
    Period,
    Span,
    Stated,
    certain,
    fold,
    known_at,
    order,
    possible,
)

SECONDS = st.integers(-60, 60)
STATUSES: tuple[FactStatus, ...] = ("active", "ended", "superseded", "invalidated")


@st.composite
def spans(draw: st.DrawFn) -> Span:
    lo = draw(SECONDS)
    return Span(lo, lo + draw(st.integers(1, 30)))


DATES = spans().map(lambda span: Stated(f"{span.lo}..{span.hi}", span))
PERIODS = st.builds(Period, st.none() | DATES, st.none() | DATES)
EVENTS = st.builds(
    FactEvent,
    kind=st.sampled_from(EVENT_KINDS),
    at=st.none() | DATES,
    basis=st.sampled_from(("stated", "inferred", "reference", "recorded")),
    recorded_at=st.sampled_from(("2026-01-01", "2026-01-02", "2026-01-03")),
    actor=st.just("model"),
    artifact_id=st.none() | st.integers(1, 3),
    cause_fact_id=st.none() | st.integers(1, 3),
)
HISTORIES = st.lists(EVENTS, max_size=8).map(
    lambda told: [replace(event, id=number) for number, event in enumerate(told, start=1)]
)


def date(text: str) -> Stated:
    found = stated(text)
    assert found is not None
    return found


def event(kind: str, at: str | None, *, basis: str = "stated", artifact: int = 1) -> FactEvent:
    return FactEvent(
        kind=next(known for known in EVENT_KINDS if known == kind),
        at=None if at is None else date(at),
        basis="stated" if basis == "stated" else "reference",
        recorded_at=f"2026-01-0{artifact}",
        actor="model",
        artifact_id=artifact,
        cause_fact_id=9 if kind == "superseded" else None,
    )


@given(PERIODS, st.sampled_from(STATUSES), spans())
def test_what_is_certain_is_possible_when_the_period_is_one(
    period: Period, status: FactStatus, window: Span
) -> None:
    assume(order(period.end, period.start) != "before")
    assert possible(period, status, window) or not certain(period, status, window)


@given(DATES, DATES, spans(), st.data())
def test_certain_holds_wherever_in_their_intervals_the_dates_lie(
    start: Stated, end: Stated, window: Span, data: st.DataObject
) -> None:
    began = data.draw(st.integers(start.span.lo, start.span.hi - 1))
    stopped = data.draw(st.integers(end.span.lo, end.span.hi - 1))
    if certain(Period(start, end), "ended", window):
        assert began <= window.lo
        assert window.hi <= stopped
    if began < window.hi and stopped >= window.lo:
        assert possible(Period(start, end), "ended", window)


@given(PERIODS, st.sampled_from(STATUSES), spans(), spans())
def test_certain_of_a_window_is_certain_of_its_parts_and_possible_of_a_part_of_the_whole(
    period: Period, status: FactStatus, part: Span, whole: Span
) -> None:
    assume(whole.lo <= part.lo and part.hi <= whole.hi)
    assert not certain(period, status, whole) or certain(period, status, part)
    assert not possible(period, status, part) or possible(period, status, whole)


@given(st.none() | DATES, st.none() | DATES, spans())
def test_the_unknown_stays_unknown(start: Stated | None, end: Stated | None, window: Span) -> None:
    assert not certain(Period(None, end), "active", window)
    assert not certain(Period(start, None), "ended", window)
    assert not possible(Period(start, end), "invalidated", window)
    assert possible(Period(), "active", window)


@given(DATES, DATES, DATES)
def test_order_is_a_strict_partial_order(a: Stated, b: Stated, c: Stated) -> None:
    assert order(a, a) == order(a, None) == order(None, b) == "unknown"
    assert (order(a, b) == "before") == (order(b, a) == "after")
    if order(a, b) == order(b, c) == "before":
        assert order(a, c) == "before"


def test_dates_are_ordered_only_when_every_day_of_one_is_before_the_other() -> None:
    assert order(date("2024"), date("2024-03")) == "unknown"
    assert order(date("2023"), date("2024-03")) == "before"
    assert order(date("2025-01-01"), date("2024")) == "after"


@given(HISTORIES, st.randoms(use_true_random=False))
def test_the_fold_does_not_depend_on_the_order_it_is_given(
    events: list[FactEvent],
    random: Random,
) -> None:
    shuffled = list(events)
    random.shuffle(shuffled)
    assert fold(shuffled) == fold(events)


@given(HISTORIES)
def test_a_fact_is_there_as_long_as_a_source_states_it(events: list[FactEvent]) -> None:
    supported = any(event.kind in ("created", "confirmed") for event in events)
    assert (fold(events) is not None) == supported


@given(HISTORIES, EVENTS)
def test_one_source_more_never_changes_the_status_of_a_fact(
    events: list[FactEvent], more: FactEvent
) -> None:
    before = fold(events)
    assume(before is not None)
    after = fold([*events, replace(more, kind="confirmed", id=99, recorded_at="2026-01-09")])
    assert before is not None
    assert after is not None
    assert (after.status, after.superseded_by) == (before.status, before.superseded_by)
    assert after.support in (before.support, before.support + 1)


@given(HISTORIES)
def test_no_fact_ends_before_it_starts(events: list[FactEvent]) -> None:
    state = fold(events)
    assert state is None or order(state.period.end, state.period.start) != "before"


@given(HISTORIES)
def test_what_was_known_only_grows(events: list[FactEvent]) -> None:
    times = ("2025-12-31", "2026-01-01", "2026-01-02", "2026-01-03")
    for earlier, later in pairwise([known_at(events, time) for time in times]):
        assert set(earlier) <= set(later)
    assert known_at(events, times[-1]) == tuple(events)


def test_a_fact_whose_first_source_was_forgotten_has_an_unknown_start() -> None:
    told = [
        event("confirmed", "2024-07", basis="reference", artifact=2),
        event("ended", "2024-06-30", artifact=3),
    ]
    state = fold(told)
    assert state is not None
    assert (state.status, state.period) == ("ended", Period(None, date("2024-06-30")))


def test_a_later_source_may_make_a_date_narrower_but_not_other() -> None:
    told = [event("created", "2024"), event("confirmed", "2024-05", artifact=2)]
    state = fold([*told, event("confirmed", "2021", artifact=3)])
    assert state is not None
    assert state.period.start == date("2024-05")
    assert state.support == 3


def test_the_end_that_a_text_states_goes_before_the_start_of_the_newer_fact() -> None:
    told = [event("created", "2010"), event("superseded", "2016", artifact=2)]
    state = fold([*told, event("ended", "2014", artifact=3)])
    assert state is not None
    assert (state.status, state.superseded_by) == ("superseded", 9)
    assert state.period.end == date("2014")


def test_an_end_that_is_only_known_to_have_passed_leaves_the_time_since_the_start_uncertain() -> (
    None
):
    told = [event("created", "2010"), event("ended", "2020", basis="reference", artifact=2)]
    state = fold(told)
    assert state is not None
    assert not certain(state.period, state.status, date("2015").span)
    assert possible(state.period, state.status, date("2015").span)
    assert not possible(state.period, state.status, date("2021").span)
    unknown = fold([event("confirmed", None), *told[1:]])
    assert unknown is not None
    assert unknown.period.end is not None
    assert unknown.period.end.span.lo == LONG_AGO


def test_forgetting_what_superseded_a_fact_makes_it_true_again() -> None:
    told = [event("created", "2010"), event("superseded", "2016", artifact=2)]
    state = fold([each for each in told if each.artifact_id != 2])
    assert state is not None
    assert (state.status, state.period.end, state.superseded_by) == ("active", None, None)


@given(st.permutations(["2012", "2016", "2020"]))
def test_of_several_newer_facts_the_first_in_time_ends_a_fact(starts: list[str]) -> None:
    told = [event("created", "2010")]
    told += [event("superseded", at, artifact=2 + n) for n, at in enumerate(starts)]
    state = fold(told)
    assert state is not None
    assert state.period.end == date("2012")
