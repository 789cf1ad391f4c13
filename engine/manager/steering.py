"""Ends a run early without losing its report: a wrap up was asked for, or a cap is reached."""

from collections.abc import Callable
from dataclasses import dataclass

from engine.agent.agent import LastCall
from engine.domain.template import render
from engine.limits.caps import Caps, Spent, breach
from engine.resources import prompt

WRAP_UP = "wrap_up"
"""The stop reason of a run that a person asked to wrap up (`domain.run.Run.stop_reason`)."""


@dataclass(frozen=True, slots=True)
class Closing:
    """What is said of an early end: the sentence that ends the report, and the stop reason."""

    sentence: str = ""
    stop_reason: str = ""


NOT_EARLY = Closing()


@dataclass(slots=True)
class RunSteering:
    """Asked by the loop before each model call. `spent` gives the run's cost so far in USD."""

    caps: Caps
    spent: Callable[[], float]
    wrap_up_by: str = ""
    closing: Closing = NOT_EARLY
    """Of the call that was made the last one; empty while none was."""

    async def last_call(self) -> LastCall | None:
        if self.wrap_up_by:
            self.closing = Closing(stop_reason=WRAP_UP)
            return LastCall(f"wrap up, asked by {self.wrap_up_by}", prompt("wrap_up"))
        reached = breach(self.caps, Spent(self.spent(), self.spent()))
        if reached:
            self.closing = Closing(reached.sentence, reached.stop_reason)
            cap = f"{reached.cap_usd:.2f}"
            tell = render(prompt("cost_cap"), {"cap": cap})
            return LastCall(f"early, because the cost cap of ${cap} was reached", tell)
        return None
