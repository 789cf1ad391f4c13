"""Which state and which model every cost belongs to, and that nothing is lost on the way."""

from dataclasses import replace
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from engine.domain.exchange import Purpose
from engine.domain.run import RunId, State
from engine.domain.usage import Usage
from engine.limits.prices import FREE, Price, Rates, lacks_price
from engine.manager.charges import Books, charges_of, models_of
from engine.store.journal import AttemptState, StoredAttempt
from engine.store.spending import CallCost

RUN = RunId(1)
ATTEMPT_STATES: tuple[AttemptState, ...] = get_args(AttemptState)
DEAR = Price(Rates(1.0, 5.0, 0.1, 1.25, 2.0))
START = State(RUN, 1, "starting", 0, "", "", "00", "00")


def at(second: int) -> str:
    return f"{second:02d}"


def states(*entered: tuple[int, str]) -> tuple[State, ...]:
    """Step and name of each, entered in the seconds 1, 2, 3, ..."""
    rows = [
        State(RUN, n + 1, name, step, f"step {step}", "", at(n), at(n + 1))
        for n, (step, name) in enumerate(entered, start=1)
    ]
    return (START, *rows)


def attempt(
    id: int, step: int, second: int, *, purpose: Purpose = "agent", usd: float = 1.0
) -> StoredAttempt:
    return StoredAttempt(
        id=id,
        purpose=purpose,
        run_id=RUN,
        step=step,
        attempt=1,
        model="m",
        prompt_version="",
        request_hash="",
        state="done",
        http_status=200,
        request_id="",
        usage=Usage(input_tokens=10, output_tokens=1, cost_usd=usd),
        reserved_usd=0.0,
        error="",
        started_at=at(second),
        finished_at=at(second + 1),
    )


def call(id: int, place: tuple[int, int], second: int, usd: float = 0.0) -> CallCost:
    step, ord_ = place
    return CallCost(id, step, ord_, usd, at(second), at(second + 1))


def told(books: Books) -> list[tuple[int, str, str, int, float]]:
    charges = charges_of(books, is_unpriced=lambda _: False)
    return [(one.step, one.state, one.model, one.calls, one.cost_usd) for one in charges]


def test_each_call_is_charged_in_its_own_state_and_calls_of_a_kind_together() -> None:
    books = Books(
        states((1, "thinking"), (1, "searching"), (1, "reading"), (1, "reading")),
        (attempt(1, 1, 1), attempt(2, 1, 2, purpose="web_search", usd=0.5)),
        (call(1, (1, 1), 2, 0.5), call(2, (1, 2), 3), call(3, (1, 3), 4)),
    )
    assert told(books) == [
        (1, "thinking", "m", 1, 1.0),
        (1, "searching", "m", 1, 0.5),
        (1, "reading", "", 2, 0.0),
    ]


def test_what_was_entered_again_after_a_wait_is_not_another_call() -> None:
    books = Books(
        states(
            *((1, "thinking"), (1, "searching"), (1, "waiting"), (1, "searching")),
            *((1, "using_tool"), (2, "writing_report")),
        ),
        (
            attempt(1, 1, 1),
            attempt(2, 1, 2, purpose="web_search"),
            attempt(3, 1, 4, purpose="web_search"),
            attempt(4, 2, 6),
        ),
        (call(1, (1, 1), 2, 2.0), call(2, (1, 2), 5)),
    )
    assert told(books) == [
        (1, "thinking", "m", 1, 1.0),
        (1, "searching", "m", 2, 2.0),
        (1, "using_tool", "", 1, 0.0),
        (2, "writing_report", "m", 1, 1.0),
    ]


def test_a_first_call_after_the_wait_for_an_index_keeps_its_state() -> None:
    books = Books(states((0, "waiting"), (1, "writing_report")), (attempt(1, 1, 2),), ())
    assert told(books) == [(1, "writing_report", "m", 1, 1.0)]


def test_a_cost_that_a_call_reports_itself_is_charged_without_a_model() -> None:
    books = Books(
        states((1, "thinking"), (1, "searching"), (1, "using_tool")),
        (attempt(1, 1, 1), attempt(2, 1, 2, purpose="web_search", usd=0.5)),
        (call(1, (1, 1), 2, 0.75), call(2, (1, 2), 3, 0.125)),
    )
    assert told(books)[1:] == [
        (1, "searching", "m", 1, 0.5),
        (1, "searching", "", 1, 0.25),
        (1, "using_tool", "", 1, 0.125),
    ]


def test_what_is_going_on_has_no_end_and_an_estimate_makes_the_charge_one() -> None:
    open_ = replace(attempt(2, 1, 2), finished_at=None)
    lost = replace(open_, usage=Usage(is_estimate=True))
    (charge,) = charges_of(
        Books(states((1, "thinking")), (attempt(1, 1, 1), lost), ()), is_unpriced=lambda _: False
    )
    assert (charge.calls, charge.finished_at, charge.is_estimate) == (2, None, True)


def test_failed_and_lost_attempts_are_counted_among_the_calls() -> None:
    rows = [replace(attempt(n, 1, n), state=state) for n, state in enumerate(ATTEMPT_STATES, 1)]
    books = Books(states((1, "thinking")), tuple(rows), ())
    (charge,) = charges_of(books, is_unpriced=lambda _: False)
    assert (charge.calls, charge.failed) == (4, 2)


def test_a_charge_of_a_model_without_a_price_is_an_estimate() -> None:
    books = Books(states((1, "thinking")), (attempt(1, 1, 1, usd=0.0),), ())
    (charge,) = charges_of(books, is_unpriced=lambda model: model == "m")
    assert charge.is_estimate
    assert models_of(books)["m"].input_tokens == 10


@given(
    st.lists(
        st.tuples(
            st.integers(0, 4),
            st.sampled_from(["agent", "web_search", "query"]),
            st.integers(0, 30),
            st.floats(0, 9),
        ),
        max_size=30,
    ),
    st.lists(st.tuples(st.integers(1, 4), st.integers(0, 30)), max_size=20),
    st.lists(
        st.tuples(
            st.integers(0, 4),
            st.sampled_from(["thinking", "waiting", "searching", "reading", "writing_report"]),
        ),
        max_size=30,
    ),
)
def test_every_attempt_is_charged_once_whatever_the_rows_say(
    asked: list[tuple[int, Purpose, int, float]],
    called: list[tuple[int, int]],
    entered: list[tuple[int, str]],
) -> None:
    attempts = tuple(
        attempt(n, step, second, purpose=purpose, usd=usd)
        for n, (step, purpose, second, usd) in enumerate(asked, start=1)
    )
    calls = tuple(
        call(n, (step, n), second) for n, (step, second) in enumerate(sorted(called), start=1)
    )
    charges = charges_of(Books(states(*entered), attempts, calls), is_unpriced=lambda _: False)
    assert sum(one.calls for one in charges if one.model) == len(attempts)
    total = sum(one.usage.cost_usd for one in attempts)
    assert abs(sum(one.cost_usd for one in charges) - total) < 1e-6
    assert sum(one.input_tokens for one in charges) == 10 * len(attempts)


def test_a_price_is_lacking_where_tokens_cost_nothing_and_should() -> None:
    used = Usage(input_tokens=10, searches=2, cost_usd=0.02)
    assert lacks_price(None, used)
    assert lacks_price(DEAR, used)
    assert not lacks_price(FREE, used)
    assert not lacks_price(DEAR, Usage())
    assert not lacks_price(None, replace(used, cost_usd=0.03))
