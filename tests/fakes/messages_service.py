"""The fake of the Messages API with a model that asks it, and how its attempts are booked."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from engine.domain.blocks import Message, user_message
from engine.domain.exchange import Delta, Reply, Request, UsageSeen
from engine.domain.timing import Timing
from engine.llm.anthropic import AnthropicModel
from engine.settings import EndpointSettings
from tests.fakes.messages_api import FakeMessagesApi

KEY = "sk-test"
MODEL = "claude-sonnet-5-5"
IMPATIENT = Timing(stream_idle=0.3, stream_idle_searching=0.3)
PATIENT = Timing()


@dataclass
class Service:
    """What a test of the adapter needs. `told` is everything that the model told on the way."""

    api: FakeMessagesApi
    model: AnthropicModel
    told: list[Delta | UsageSeen] = field(default_factory=list)

    async def ask(self, request: Request) -> Reply:
        return await self.model.reply(request, self.told.append)

    def texts(self, kind: str) -> list[str]:
        return [
            piece.text for piece in self.told if isinstance(piece, Delta) and piece.kind == kind
        ]

    def usages(self) -> list[UsageSeen]:
        return [piece for piece in self.told if isinstance(piece, UsageSeen)]


@asynccontextmanager
async def serving(timing: Timing = PATIENT) -> AsyncIterator[Service]:
    """The fake, and a model that asks it; both are closed at the end."""
    async with (
        FakeMessagesApi(api_key=KEY) as api,
        asking(EndpointSettings(base_url=api.base_url), timing) as model,
    ):
        yield Service(api, model)


@asynccontextmanager
async def asking(
    endpoint: EndpointSettings, timing: Timing = PATIENT, *, key: str = KEY
) -> AsyncIterator[AnthropicModel]:
    model = AnthropicModel(key, endpoint, timing)
    try:
        yield model
    finally:
        await model.aclose()


def asked(*messages: Message, system: str = "You research.") -> Request:
    """A request of an agent; without messages it says hello."""
    return Request("agent", MODEL, system, messages or (user_message("hello"),))
