"""Puts what was booked for a run together by step, state and model: pure.

    attempt of the agent's model     -> the step's `thinking` or `writing_report`
    attempt that a tool made         -> the state of the call that made it
    call of a tool without any       -> the state of the call, no model

A call's own cost is that of its attempts; what it says beyond them is charged without a model.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from engine.domain.costs import Charge
from engine.domain.run import State
from engine.domain.usage import Usage
from engine.store.journal import StoredAttempt
from engine.store.spending import CallCost

MODEL_STATES = ("thinking", "writing_report")
_NOT_OF_TOOLS = (*MODEL_STATES, "starting", "waiting", "completed", "failed", "stopped")
_NEARLY_NOTHING_USD = 1e-9


@dataclass(frozen=True, slots=True)
class Books:
    """Everything that is written down of what a run spent, each in its order."""

    states: tuple[State, ...]
    attempts: tuple[StoredAttempt, ...]
    calls: tuple[CallCost, ...]


def models_of(books: Books) -> Mapping[str, Usage]:
    """What each model has used, in the order they were first asked."""
    used: dict[str, Usage] = {}
    for attempt in books.attempts:
        used[attempt.model] = used.get(attempt.model, Usage()) + attempt.usage
    return used


def charges_of(books: Books, *, is_unpriced: Callable[[str], bool]) -> tuple[Charge, ...]:
    """By step, and within one in the order they happened."""
    steps = {attempt.step for attempt in books.attempts} | {call.step for call in books.calls}
    return tuple(
        replace(charge, is_estimate=charge.is_estimate or is_unpriced(charge.model))
        for step in sorted(steps)
        for charge in _merged(_of_step(books, step))
    )


def _of_step(books: Books, step: int) -> Iterator[Charge]:
    """One charge for every attempt and every call without one."""
    attempts = [attempt for attempt in books.attempts if attempt.step == step]
    calls = [call for call in books.calls if call.step == step]
    names = _names_of(books.states, step)
    for attempt in attempts:
        if attempt.purpose == "agent":
            yield _of_attempt(attempt, names.model)
    made = {id_of: list(group) for id_of, group in _by_call(attempts, calls, names)}
    for call in calls:
        yield from _of_call(call, made.get(call.id, []), names.of(call))
    yield from (_of_attempt(attempt, "using_tool") for attempt in made.get(0, []))


@dataclass(frozen=True, slots=True)
class _Names:
    """The states of a step: that of its model, and those of its calls in their order."""

    model: str
    tools: tuple[str, ...]

    def of(self, call: CallCost) -> str:
        return self.tools[call.ord - 1] if call.ord <= len(self.tools) else "using_tool"


def _names_of(states: Sequence[State], step: int) -> _Names:
    here = [state.state for state in _entered(states) if state.step == step]
    model = next((state for state in here if state in MODEL_STATES), MODEL_STATES[0])
    return _Names(model, tuple(state for state in here if state not in _NOT_OF_TOOLS))


def _entered(states: Sequence[State]) -> Iterator[State]:
    """Without `waiting`, and without what was entered again after it."""
    before: State | None = None
    has_waited = False
    for state in states:
        is_again = has_waited and before is not None and _place(before) == _place(state)
        has_waited = state.state == "waiting"
        if has_waited or is_again:
            continue
        before = state
        yield state


def _place(state: State) -> tuple[int, str, str]:
    return state.step, state.state, state.detail


def _by_call(
    attempts: Sequence[StoredAttempt], calls: Sequence[CallCost], names: _Names
) -> Iterator[tuple[int, Iterator[StoredAttempt]]]:
    """The attempts that tools made, by the call that made them; 0 where there is none."""
    made = [attempt for attempt in attempts if attempt.purpose != "agent"]
    caller = {attempt.id: _caller(attempt, calls, names) for attempt in made}
    made.sort(key=lambda attempt: (caller[attempt.id], attempt.id))
    return groupby(made, key=lambda attempt: caller[attempt.id])


def _caller(attempt: StoredAttempt, calls: Sequence[CallCost], names: _Names) -> int:
    searching = [call for call in calls if names.of(call) == "searching"]
    possible = searching if attempt.purpose == "web_search" and searching else calls
    begun = [call for call in possible if call.started_at <= attempt.started_at]
    return begun[-1].id if begun else 0


def _of_attempt(attempt: StoredAttempt, state: str) -> Charge:
    used = attempt.usage
    return Charge(
        step=attempt.step,
        state=state,
        model=attempt.model,
        calls=1,
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        cache_read_tokens=used.cache_read_tokens,
        cache_write_tokens=used.cache_write_tokens,
        searches=used.searches,
        cost_usd=used.cost_usd,
        is_estimate=used.is_estimate,
        finished_at=attempt.finished_at,
        failed=int(attempt.state in ("failed", "lost")),
    )


def _of_call(call: CallCost, made: Sequence[StoredAttempt], state: str) -> Iterator[Charge]:
    yield from (_of_attempt(attempt, state) for attempt in made)
    beyond = call.cost_usd - sum(attempt.usage.cost_usd for attempt in made)
    if not made or beyond > _NEARLY_NOTHING_USD:
        yield Charge(call.step, state, "", 1, 0, 0, 0, 0, 0, beyond, False, call.finished_at)


def _merged(charges: Iterator[Charge]) -> tuple[Charge, ...]:
    """One charge for each state and model, at the place of the first."""
    merged: dict[tuple[str, str], Charge] = {}
    for charge in charges:
        key = charge.state, charge.model
        merged[key] = _sum(merged[key], charge) if key in merged else charge
    return tuple(merged.values())


def _sum(one: Charge, other: Charge) -> Charge:
    ends = (one.finished_at, other.finished_at)
    return replace(
        one,
        calls=one.calls + other.calls,
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
        cache_read_tokens=one.cache_read_tokens + other.cache_read_tokens,
        cache_write_tokens=one.cache_write_tokens + other.cache_write_tokens,
        searches=one.searches + other.searches,
        cost_usd=one.cost_usd + other.cost_usd,
        is_estimate=one.is_estimate or other.is_estimate,
        finished_at=None if None in ends else max(end for end in ends if end is not None),
        failed=one.failed + other.failed,
    )
