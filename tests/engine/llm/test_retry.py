"""Tests of engine.llm.retry: which failures are tried again, and after which wait."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.errors import ProviderDetails, ProviderError, ProviderFailure
from engine.domain.timing import Timing
from engine.llm.retry import RETRIED, GiveUp, Retry, backoff, decide

TIMING = Timing()
FINAL = {"spend_limit", "auth", "bad_request", "not_found", "too_large", "refusal", "replay"}


def failure(
    kind: ProviderFailure, *, wait: float | None = None, final: bool = False
) -> ProviderError:
    details = ProviderDetails(retry_after_seconds=wait, is_final=final)
    return ProviderError(kind, "it failed", details=details)


@pytest.mark.parametrize("kind", get_args(ProviderFailure))
def test_every_kind_is_either_tried_again_or_final(kind: ProviderFailure) -> None:
    decision = decide(failure(kind), 1, timing=TIMING, fraction=0.0)
    assert decision == (GiveUp() if kind in FINAL else Retry(0.5))
    assert (kind in RETRIED) is (kind not in FINAL)


@pytest.mark.parametrize(
    ("attempt", "lowest", "highest"), [(1, 0.5, 1.0), (2, 0.5, 2.0), (3, 0.5, 4.0), (9, 0.5, 30.0)]
)
def test_backoff_doubles_its_ceiling(attempt: int, lowest: float, highest: float) -> None:
    assert backoff(attempt, TIMING, fraction=0.0) == lowest
    assert backoff(attempt, TIMING, fraction=1.0) == highest


@given(st.integers(1, 60), st.floats(0, 1))
def test_backoff_stays_between_half_a_second_and_thirty(attempt: int, fraction: float) -> None:
    assert 0.5 <= backoff(attempt, TIMING, fraction=fraction) <= 30.0


def test_the_fifth_failure_is_the_last() -> None:
    assert decide(failure("overloaded"), 4, timing=TIMING, fraction=0.5) == Retry(4.25)
    assert decide(failure("overloaded"), 5, timing=TIMING, fraction=0.5) == GiveUp()


@pytest.mark.parametrize(
    ("asked", "decision"),
    [
        (0.0, Retry(0.0)),
        (-3.0, Retry(0.0)),
        (7.0, Retry(7.0)),
        (600.0, Retry(600.0)),
        (600.5, GiveUp(asked_wait_seconds=600.5)),
        (302_539.0, GiveUp(asked_wait_seconds=302_539.0)),
    ],
)
def test_a_wait_that_is_asked_for_is_obeyed_up_to_the_limit(
    asked: float, decision: Retry | GiveUp
) -> None:
    assert decide(failure("rate_limit", wait=asked), 1, timing=TIMING, fraction=0.9) == decision


def test_what_the_service_calls_final_is_not_tried_again() -> None:
    assert decide(failure("server", final=True), 1, timing=TIMING, fraction=0.0) == GiveUp()


def test_a_spending_limit_is_final_whatever_wait_comes_with_it() -> None:
    assert decide(failure("spend_limit", wait=1.0), 1, timing=TIMING, fraction=0.0) == GiveUp()
