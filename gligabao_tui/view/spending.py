"""The charges of a run added up: in all, by kind of state, by model, and by step."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields

from engine.api import Charge, Run, RunCosts
from gligabao_tui.view.forecast import Forecast, forecast


@dataclass(frozen=True, slots=True)
class Spent:
    """Sums of charges. `sent_tokens` is everything that went to a model, also what was cached."""

    calls: int = 0
    sent_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    searches: int = 0
    cost_usd: float = 0.0
    failed: int = 0

    @property
    def tokens(self) -> int:
        return self.sent_tokens + self.output_tokens

    @property
    def fresh_tokens(self) -> int:
        """Sent, and not taken from the cache."""
        return self.sent_tokens - self.cache_read_tokens

    @property
    def cache_share(self) -> float:
        """How much of what was sent came from the cache: 0 to 1."""
        return self.cache_read_tokens / self.sent_tokens if self.sent_tokens else 0.0


@dataclass(frozen=True, slots=True)
class Part:
    """The sums of one kind of state or of one model; `share` is of the cost of the run (of its
    tokens where nothing costs, of its calls where there are no tokens)."""

    name: str
    spent: Spent
    share: float


def spent(charges: Iterable[Charge]) -> Spent:
    whole = Spent()
    for charge in charges:
        whole = _plus(whole, charge)
    return whole


def parts_of(charges: Iterable[Charge], name_of: Callable[[Charge], str]) -> tuple[Part, ...]:
    """By name, the dearest first."""
    charges = tuple(charges)
    names = dict.fromkeys(name_of(charge) for charge in charges)
    sums = {name: spent(c for c in charges if name_of(c) == name) for name in names}
    measure = _measure(spent(charges))
    whole = sum(measure(one) for one in sums.values())
    parts = [Part(name, one, measure(one) / whole if whole else 0.0) for name, one in sums.items()]
    return tuple(sorted(parts, key=lambda part: -part.share))


def steps_of(costs: RunCosts) -> tuple[Spent, ...]:
    """What each step from the first on has spent; nothing for a step without charges."""
    by_step: dict[int, Spent] = {}
    for charge in costs.charges:
        by_step[charge.step] = _plus(by_step.get(charge.step, Spent()), charge)
    # what was spent before the first step belongs to it
    first = by_step.pop(0, Spent())
    last = max(by_step, default=1 if first != Spent() else 0)
    return tuple(
        _both(by_step.get(step, Spent()), first) if step == 1 else by_step.get(step, Spent())
        for step in range(1, last + 1)
    )


def forecast_of(costs: RunCosts, run: Run) -> Forecast | None:
    """None for a run that has ended; a step that is going on does not count yet."""
    if run.status != "running":
        return None
    steps = [step.cost_usd for step in steps_of(costs)]
    going_on = any(one.finished_at is None and one.step == len(steps) for one in costs.charges)
    done = steps[:-1] if going_on else steps
    return forecast(done, steps=run.max_steps, cap_usd=costs.max_cost_usd)


def _plus(known: Spent, charge: Charge) -> Spent:
    return Spent(
        known.calls + charge.calls,
        known.sent_tokens + charge.prompt_tokens,
        known.output_tokens + charge.output_tokens,
        known.cache_read_tokens + charge.cache_read_tokens,
        known.cache_write_tokens + charge.cache_write_tokens,
        known.searches + charge.searches,
        known.cost_usd + charge.cost_usd,
        known.failed + charge.failed,
    )


def _both(one: Spent, other: Spent) -> Spent:
    return Spent(*(getattr(one, f.name) + getattr(other, f.name) for f in fields(Spent)))


def _measure(whole: Spent) -> Callable[[Spent], float]:
    if whole.cost_usd:
        return lambda one: one.cost_usd
    return (lambda one: one.tokens) if whole.tokens else (lambda one: one.calls)
