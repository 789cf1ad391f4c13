"""A model that reads plain sentences for the knowledge base, and a clock on which leases last.

Sentences of the form `Ohm trusts Ann since 2020.` are facts to it; whatever else a text says is
none. What it says depends on the request alone.
"""

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.domain.errors import ProviderError
from engine.domain.exchange import Reply, Request
from engine.domain.usage import Usage
from engine.knowledge.remember import BEAT_SECONDS
from engine.llm.model import OnProgress
from tests.fakes.clock import FakeClock
from tests.fakes.models import text_reply

_FACT = re.compile(
    r"(?P<source>[^\s.]+) (?P<relation>trusts|knows|owns) (?P<target>[^\s.]+)"
    r"(?: since (?P<start>[0-9-]+))?\."
)
_PAIR = re.compile(r'"fact_pair": (\d+)')
_NAMES = re.compile(r'"entity_pair": (\d+)')
READ = Usage(input_tokens=100, output_tokens=50)


class QueueClock(FakeClock):
    """Sleeps cost no time, but for the beats of a lease: these never come."""

    async def sleep(self, seconds: float) -> None:
        if seconds == BEAT_SECONDS:
            await asyncio.Event().wait()
        await super().sleep(seconds)


class StandingClock(FakeClock):
    """Time stands still: a sleep only lets the others go on."""

    async def sleep(self, seconds: float) -> None:
        if seconds == BEAT_SECONDS:
            await asyncio.Event().wait()
        await asyncio.sleep(0)


@dataclass
class ReadingModel:
    """Fulfils `engine.llm.model.Model`. `answers` go first, one for each call; `verdict` is said
    of every pair of facts that it is asked to compare."""

    answers: list[str | ProviderError | Exception] = field(default_factory=list)
    verdict: str = "unrelated"
    before: Callable[[Request], None] = lambda _: None
    requests: list[Request] = field(default_factory=list)

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        self.requests.append(request)
        self.before(request)
        if self.answers:
            answer = self.answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return text_reply(answer, READ)
        matter = str(request.messages[0].content[0]["text"])
        is_comparing = request.prompt_version.startswith("remember-reconcile")
        return text_reply(self._judged(matter) if is_comparing else read(matter), READ)

    def _judged(self, matter: str) -> str:
        return json.dumps(
            {
                "entities": [
                    {"entity_pair": int(n), "verdict": "different"} for n in _NAMES.findall(matter)
                ],
                "facts": [
                    {"fact_pair": int(n), "verdict": self.verdict} for n in _PAIR.findall(matter)
                ],
            }
        )

    @property
    def versions(self) -> list[str]:
        return [request.prompt_version for request in self.requests]


class HeldModel(ReadingModel):
    """Answers only when it may; `asked` says that somebody waits for it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()
        self.may_answer = asyncio.Event()

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        self.asked.set()
        await self.may_answer.wait()
        return await super().reply(request, on_progress)


def read(matter: str) -> str:
    """What the model finds in a text."""
    found = list(_FACT.finditer(matter))
    names = dict.fromkeys(one[end] for one in found for end in ("source", "target"))
    return json.dumps(
        {
            "entities": [{"name": name, "type": "thing", "quote": name} for name in names],
            "facts": [
                {
                    "source": one["source"],
                    "relation": one["relation"],
                    "target": one["target"],
                    "description": one[0],
                    "quote": one[0],
                    "exclusive": one["relation"] == "trusts",
                    "from": one["start"] or "",
                }
                for one in found
            ],
        },
        ensure_ascii=False,
    )
