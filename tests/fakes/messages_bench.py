"""An Answering made for a test: any model with a fake clock, known prices and no chance."""

from dataclasses import dataclass, field

from engine.domain.exchange import Delta, Reply, Request
from engine.domain.timing import Timing
from engine.llm.attempting import Attempting, Surroundings
from engine.llm.model import Model
from engine.llm.price_table import PriceTable
from tests.fakes.clock import FakeClock
from tests.fakes.models import BookedAttempts


@dataclass
class Bench:
    """One Attempting with everything around it at hand."""

    model: Model
    timing: Timing = Timing()
    prices: PriceTable = field(default_factory=PriceTable)
    clock: FakeClock = field(default_factory=FakeClock)
    booked: BookedAttempts = field(default_factory=BookedAttempts)
    deltas: list[Delta] = field(default_factory=list)

    async def reply(self, request: Request) -> Reply:
        around = Surroundings(self.clock, self.timing, self.prices, lambda: 0.0)
        answering = Attempting(self.model, around)
        return await answering.reply(request, self.deltas.append, attempts=self.booked)
