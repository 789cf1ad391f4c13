"""Cost caps: when a call must be the last, and what the report then says (seed 004)."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Caps:
    """Upper bounds in USD; 0 is none."""

    agent_usd: float = 0.0
    research_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class Breach:
    """A cap that was reached."""

    which: Literal["agent", "research"]
    cap_usd: float

    @property
    def stop_reason(self) -> str:
        """As runs store it (`domain.run.Run.stop_reason`)."""
        return f"cap:{self.which}"

    @property
    def sentence(self) -> str:
        """The line that ends a capped report; its text is the seed's."""
        whose = "the cost cap of this research" if self.which == "research" else _OWN_CAP
        return (
            f"{_BEGINNING}{whose} (${self.cap_usd:.2f}) was reached, so this report is based "
            "on what had been gathered until then and may be incomplete.*"
        )


@dataclass(frozen=True, slots=True)
class Spent:
    """What was spent in USD; `reserved` are the open reservations of the research's others."""

    agent_usd: float
    research_usd: float
    reserved_usd: float = 0.0


def lowest(*caps: float | None) -> float:
    """The lowest cap that is set; 0 when none is (0 and None are no cap)."""
    return min((cap for cap in caps if cap), default=0.0)


def breach(caps: Caps, spent: Spent) -> Breach | None:
    """The cap that the next call would start beyond: a cap is reached at its own amount."""
    if caps.agent_usd and spent.agent_usd >= caps.agent_usd:
        return Breach("agent", caps.agent_usd)
    if caps.research_usd and spent.research_usd + spent.reserved_usd >= caps.research_usd:
        return Breach("research", caps.research_usd)
    return None


def closing_sentence(report: str) -> str:
    """The sentence of a reached cap that ends `report`; empty when none does."""
    last = report.rstrip().rsplit("\n\n", 1)[-1]
    return last if last.startswith(_BEGINNING) and last.endswith("*") else ""


_BEGINNING = "*Stopped early: "
_OWN_CAP = "this agent's cost cap"
