"""Ends a run early without losing its report: a wrap up was asked for, or a cap is reached."""

from collections.abc import Callable
from dataclasses import dataclass

from engine.agent.agent import LastCall
from engine.domain.template import render
from engine.limits.caps import Breach, Caps, Spent, breach
from engine.resources import prompt


@dataclass(slots=True)
class RunSteering:
    """Asked by the loop before each model call. `spent` gives the run's cost so far in USD."""

    caps: Caps
    spent: Callable[[], float]
    wrap_up_by: str = ""
    breach: Breach | None = None

    async def last_call(self) -> LastCall | None:
        if self.wrap_up_by:
            return LastCall(f"wrap up, asked by {self.wrap_up_by}", prompt("wrap_up"))
        self.breach = breach(self.caps, Spent(self.spent(), self.spent()))
        if self.breach:
            cap = f"{self.breach.cap_usd:.2f}"
            tell = render(prompt("cost_cap"), {"cap": cap})
            return LastCall(f"early, because the cost cap of ${cap} was reached", tell)
        return None
