"""What a model is to the engine, and how its attempts are booked."""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol, TypeAlias

from engine.domain.exchange import Delta, Outcome, Reply, Request, UsageSeen

OnDelta: TypeAlias = Callable[[Delta], None]
OnProgress: TypeAlias = Callable[[Delta | UsageSeen], None]


class Model(Protocol):
    """Answers requests. One value serves many runs at once.

    `reply` makes one attempt and returns only complete replies, their usage without a price. It
    raises ProviderError for everything else, and lets CancelledError pass after closing its
    stream. What an attempt has used so far is told as UsageSeen as soon as it is known, so that
    a failed or cancelled attempt can be booked too.
    """

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply: ...


class Attempts(Protocol):
    """Where every attempt of a request is written down, made per run."""

    async def start(self, request: Request, attempt: int) -> None:
        """Store that attempt number `attempt` (from 1) is about to be sent; then it may be."""
        ...

    def end(self, outcome: Outcome) -> None:
        """How the attempt ended; collected here and stored with what follows from it."""
        ...

    async def wait(self, until: datetime, why: str) -> None:
        """Store that the run waits for the service until then, and why. Does not sleep."""
        ...

    def discard(self) -> None:
        """What streamed of the given-up attempt is void."""
        ...


class Answering(Protocol):
    """A model with retry and booking around it: what the loop and the tools call."""

    async def reply(self, request: Request, on_delta: OnDelta, *, attempts: Attempts) -> Reply:
        """The complete reply, its usage priced. Raises ProviderError when attempts ran out."""
        ...


def no_delta(_: Delta) -> None:
    """For callers that do not follow the stream."""
