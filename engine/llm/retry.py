"""Decides after a failed attempt whether to try again and when: pure, it never waits itself.

    failed attempt ── final kind, or told to be final ─────────────> GiveUp
                   ├─ the last attempt ────────────────────────────> GiveUp
                   ├─ asked to wait longer than allowed ───────────> GiveUp, with the wait
                   ├─ asked to wait ───────────────────────────────> Retry after that wait
                   └─ else ────────────────────────────────────────> Retry after backoff

Source of the rules: D5, and docs/agents.md, "When the model API fails".
"""

from dataclasses import dataclass
from typing import TypeAlias

from engine.domain.errors import ProviderError, ProviderFailure
from engine.domain.timing import Timing

RETRIED: frozenset[ProviderFailure] = frozenset(
    {
        "overloaded",
        "rate_limit",
        "server",
        "connection",
        "timeout",
        "stalled",
        "incomplete",
        "bad_reply",
    }
)
"""The kinds that may pass by themselves. A reached spending limit, a wrong key or a wrong request
do not."""


@dataclass(frozen=True, slots=True)
class Retry:
    """Send the request again after this wait."""

    wait_seconds: float


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Do not send it again. `asked_wait_seconds` is set when the wait was longer than allowed."""

    asked_wait_seconds: float | None = None


Decision: TypeAlias = Retry | GiveUp


def decide(error: ProviderError, attempt: int, *, timing: Timing, fraction: float) -> Decision:
    """What follows from the failure of attempt number `attempt` (from 1).

    `fraction` is a random number from 0 to 1: it spreads the waits of agents that failed together.
    """
    if error.kind not in RETRIED or error.details.is_final or attempt >= timing.model_attempts:
        return GiveUp()
    asked = error.details.retry_after_seconds
    if asked is None:
        return Retry(backoff(attempt, timing, fraction=fraction))
    if asked > timing.retry_after_most:
        return GiveUp(asked_wait_seconds=asked)
    return Retry(max(asked, 0.0))


def backoff(attempt: int, timing: Timing, *, fraction: float) -> float:
    """Seconds between `backoff_first` and a ceiling that doubles with every attempt, up to
    `backoff_most`: full jitter."""
    ceiling = min(timing.backoff_most, timing.backoff_first * 2.0**attempt)
    return timing.backoff_first + fraction * max(0.0, ceiling - timing.backoff_first)
