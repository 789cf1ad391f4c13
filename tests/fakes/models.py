"""Models and books of attempts for tests: the real protocols, without a service behind them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from engine.domain.blocks import Block, text_block
from engine.domain.errors import ProviderError
from engine.domain.exchange import Delta, Outcome, Reply, Request, UsageSeen
from engine.domain.run import RunId
from engine.domain.timing import Timing
from engine.domain.usage import Usage
from engine.llm.attempting import Attempting, Surroundings
from engine.llm.model import Model, OnProgress
from engine.llm.price_table import PriceTable
from tests.fakes.clock import FakeClock


def text_reply(text: str, usage: Usage = Usage(), *, model: str = "scripted") -> Reply:
    """A reply that ends the turn with this text."""
    return Reply((text_block(text),), "end_turn", usage, model)


def tool_reply(
    name: str, given: dict[str, object], *, id: str = "toolu_1", text: str = ""
) -> Reply:
    """A reply that asks for one tool call, after `text` if there is any."""
    call: Block = {"type": "tool_use", "id": id, "name": name, "input": given}
    said = (text_block(text),) if text else ()
    return Reply((*said, call), "tool_use", Usage(), "scripted")


class ScriptedModel:
    """Fulfils `engine.llm.model.Model`: gives its answers one after the other, at once.

    Usage is told before the text streams, as a service does. `requests` is what it was asked.
    Running out of answers is a fault of the test.
    """

    def __init__(self, answers: Sequence[Reply | ProviderError]) -> None:
        self._answers = list(answers)
        self.requests: list[Request] = []

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        self.requests.append(request)
        assert self._answers, f"the script has no answer number {len(self.requests)}"
        answer = self._answers.pop(0)
        if isinstance(answer, ProviderError):
            raise answer
        if answer.usage != Usage():
            on_progress(UsageSeen(answer.usage, answer.request_id))
        if answer.text:
            on_progress(Delta("text", answer.text))
        return answer


@dataclass
class BookedAttempts:
    """Fulfils `engine.llm.model.Attempts` in memory. `log` holds every call by name, in order."""

    started: list[int] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    waits: list[tuple[datetime, str]] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    run_id: RunId = field(default=RunId(1))

    async def start(self, request: Request, attempt: int) -> None:
        self.started.append(attempt)
        self.log.append("start")

    def end(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        self.log.append(f"end {outcome.state}")

    async def wait(self, until: datetime, why: str) -> None:
        self.waits.append((until, why))
        self.log.append("wait")

    async def say_waiting(self, what: str) -> None:
        self.log.append("say_waiting")

    def discard(self) -> None:
        self.log.append("discard")


@dataclass
class Bench:
    """One Attempting around any model, with everything around it at hand."""

    model: Model
    timing: Timing = Timing()
    prices: PriceTable = field(default_factory=PriceTable)
    clock: FakeClock = field(default_factory=FakeClock)
    booked: BookedAttempts = field(default_factory=BookedAttempts)
    deltas: list[Delta] = field(default_factory=list)
    follow: Callable[[], None] = lambda: None
    """Called after every delta."""

    async def reply(self, request: Request) -> Reply:
        around = Surroundings(self.clock, self.timing, self.prices, lambda: 0.0)
        answering = Attempting(self.model, around)
        return await answering.reply(request, self._keep, attempts=self.booked)

    def _keep(self, delta: Delta) -> None:
        self.deltas.append(delta)
        self.follow()
