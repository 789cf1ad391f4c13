"""What a run will have cost at its last step, told from its steps so far: a range, never a promise.

The context grows, so the last steps say more about the next ones than the first do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

WEIGHT_OF_THE_STEP_BEFORE = 0.75
FEWEST_STEPS = 2
EXACT = 1e-9
"""USD: less than that is what sums of fractions lose."""
MOST_GROWTH = 2.0
"""No step to come is taken for dearer than so many times the dearest one so far."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """USD at step `steps`, the last one that the run may use; `low_usd` is never the higher."""

    steps: int
    low_usd: float
    high_usd: float
    path_usd: tuple[float, ...] = ()
    """What the run has cost after each step to come, halfway between low and high."""
    cap_step: int | None = None
    """The step that reaches the cap if the run goes on halfway; None: none does."""
    may_reach_cap: bool = False
    """Whether it reaches the cap when it becomes as dear as it may."""

    @property
    def middle_usd(self) -> float:
        return (self.low_usd + self.high_usd) / 2


class _Trend(NamedTuple):
    """USD a step: the weighted mean, its error, and how much dearer each step is."""

    mean: float
    error: float
    slope: float
    centre: float


def forecast(step_costs: Sequence[float], *, steps: int, cap_usd: float = 0.0) -> Forecast | None:
    """From the USD of each step that is done, in order. None before two of them, and when no
    step is left."""
    done = len(step_costs)
    if done < FEWEST_STEPS or done >= steps or not sum(step_costs):
        return None
    trend = _trend(step_costs)
    dearest = MOST_GROWTH * max(step_costs)
    ahead = range(done, steps)
    lows = [max(0.0, trend.mean - trend.error)] * len(ahead)
    highs = [
        max(low, min(dearest, _at(trend, step))) for low, step in zip(lows, ahead, strict=True)
    ]
    spent = sum(step_costs)
    middle = _sums(spent, [(low + high) / 2 for low, high in zip(lows, highs, strict=True)])
    cap_step = next((at for at, usd in enumerate(middle, done + 1) if usd >= cap_usd - EXACT), None)
    return Forecast(
        steps=steps,
        low_usd=spent + sum(lows),
        high_usd=spent + sum(highs),
        path_usd=middle,
        cap_step=cap_step if cap_usd else None,
        may_reach_cap=bool(cap_usd) and spent + sum(highs) >= cap_usd - EXACT,
    )


def _trend(costs: Sequence[float]) -> _Trend:
    """A line through the steps by weighted least squares; steps are not taken to become cheaper."""
    places = range(len(costs))
    weights = [WEIGHT_OF_THE_STEP_BEFORE ** (len(costs) - 1 - place) for place in places]
    whole = sum(weights)
    mean = sum(w * cost for w, cost in zip(weights, costs, strict=True)) / whole
    centre = sum(w * place for w, place in zip(weights, places, strict=True)) / whole
    spread = sum(w * (place - centre) ** 2 for w, place in zip(weights, places, strict=True))
    shared = sum(
        w * (place - centre) * (cost - mean)
        for w, place, cost in zip(weights, places, costs, strict=True)
    )
    variance = sum(w * (cost - mean) ** 2 for w, cost in zip(weights, costs, strict=True)) / whole
    effective = whole**2 / sum(w**2 for w in weights)
    return _Trend(mean, sqrt(variance / effective), max(0.0, shared / spread), centre)


def _at(trend: _Trend, step: int) -> float:
    """As dear as the step after `step` others may be."""
    return max(trend.mean + trend.error, trend.mean + trend.slope * (step - trend.centre))


def _sums(start: float, parts: Sequence[float]) -> tuple[float, ...]:
    """What there is after each part."""
    sums = [start]
    for part in parts:
        sums.append(sums[-1] + part)
    return tuple(sums[1:])
