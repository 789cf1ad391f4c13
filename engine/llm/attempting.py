"""Retry, booking and the visible wait, once for every model.

Each attempt is booked before it is sent and ended whatever happens to it, so that the requests a
service has seen and the attempts that are stored are the same number. It must never send a request
again that was answered, and never swallow a cancellation.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from engine.domain.clock import Clock
from engine.domain.errors import ProviderDetails, ProviderError
from engine.domain.exchange import Delta, Outcome, Reply, Request, UsageSeen
from engine.domain.faults import fault, redacted
from engine.domain.text_safety import one_line
from engine.domain.timing import Timing
from engine.domain.usage import Usage
from engine.limits.prices import estimated_tokens
from engine.llm.model import Attempts, Model, OnDelta
from engine.llm.price_table import PriceTable
from engine.llm.retry import GiveUp, decide

WAITING_FOR = "the model API"
MOST_ERROR_CHARACTERS = 1000


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What attempts need beside the model: time, deadlines, prices, and chance (0 to 1)."""

    clock: Clock
    timing: Timing
    prices: PriceTable
    random: Callable[[], float]


class Attempting:
    """Fulfils `engine.llm.model.Answering` around any Model; one value serves many runs."""

    def __init__(self, model: Model, around: Surroundings) -> None:
        self._model = model
        self._around = around

    async def reply(self, request: Request, on_delta: OnDelta, *, attempts: Attempts) -> Reply:
        """The complete reply, its usage priced.

        Raises ProviderError when the failure is final, when attempts ran out, or when the service
        asks for a longer wait than allowed (then with `resets_at`).
        """
        await self._around.prices.prepare(request.model)
        attempt = 1
        while True:
            await attempts.start(request, attempt)
            try:
                return await _Attempt(request, on_delta, self._around).run(self._model, attempts)
            except ProviderError as error:
                attempts.discard()
                await self._wait_or_raise(error, attempt, attempts)
            attempt += 1

    async def _wait_or_raise(self, error: ProviderError, attempt: int, attempts: Attempts) -> None:
        around = self._around
        decision = decide(error, attempt, timing=around.timing, fraction=around.random())
        now = around.clock.now()
        if isinstance(decision, GiveUp):
            resets_at = _after(now, decision.asked_wait_seconds)
            raise _final_error(error, attempt, resets_at=resets_at) from error.__cause__
        await attempts.wait(now + timedelta(seconds=decision.wait_seconds), WAITING_FOR)
        await around.clock.sleep(decision.wait_seconds)


class _Attempt:
    """One request under way: what has streamed of it, and what it has used so far."""

    def __init__(self, request: Request, on_delta: OnDelta, around: Surroundings) -> None:
        self._request = request
        self._on_delta = on_delta
        self._around = around
        self._seen = UsageSeen(Usage())
        self._streamed_characters = 0

    async def run(self, model: Model, attempts: Attempts) -> Reply:
        """Ends the attempt in `attempts` exactly once, whatever happens."""
        try:
            received = await self._answer(model)
        except ProviderError as error:
            attempts.end(self._failed(error))
            raise
        except BaseException as gone:
            attempts.end(self._lost(gone))
            raise
        reply = replace(received, usage=self._priced(received.usage))
        attempts.end(self._done(reply))
        return reply

    async def _answer(self, model: Model) -> Reply:
        seconds = self._around.timing.model_call
        try:
            async with asyncio.timeout(seconds):
                return await model.reply(self._request, self._on_progress)
        except TimeoutError as error:
            raise ProviderError(
                "timeout",
                f"{self._request.model} did not finish its reply within {seconds:g} seconds",
                details=ProviderDetails(is_final=True),
            ) from error

    def _on_progress(self, progress: Delta | UsageSeen) -> None:
        if isinstance(progress, UsageSeen):
            self._seen = progress
            return
        self._streamed_characters += len(progress.text)
        self._on_delta(progress)

    def _done(self, reply: Reply) -> Outcome:
        return Outcome("done", self._request.model, reply.usage, request_id=reply.request_id)

    def _failed(self, error: ProviderError) -> Outcome:
        known = error.details.usage
        return Outcome(
            "failed",
            self._request.model,
            self._priced(known) if known != Usage() else self._estimated_if_any(),
            http_status=error.details.http_status,
            request_id=error.details.request_id or self._seen.request_id,
            error=redacted(one_line(f"{error.kind}: {error}", MOST_ERROR_CHARACTERS)),
        )

    def _lost(self, gone: BaseException) -> Outcome:
        return Outcome(
            "lost",
            self._request.model,
            self._priced(replace(self._estimated_if_any(), is_estimate=True)),
            request_id=self._seen.request_id,
            error="cancelled" if isinstance(gone, asyncio.CancelledError) else fault(gone),
        )

    def _estimated_if_any(self) -> Usage:
        """Input as the service told it, output by what streamed; nothing told, nothing booked."""
        used = self._seen.usage
        if used == Usage() and not self._streamed_characters:
            return Usage()
        written = max(used.output_tokens, estimated_tokens(self._streamed_characters))
        return self._priced(replace(used, output_tokens=written, is_estimate=True))

    def _priced(self, usage: Usage) -> Usage:
        return replace(usage, cost_usd=self._around.prices.cost(self._request.model, usage))


def _after(now: datetime, seconds: float | None) -> datetime | None:
    return None if seconds is None else now + timedelta(seconds=seconds)


def _final_error(
    error: ProviderError, attempt: int, *, resets_at: datetime | None
) -> ProviderError:
    """The last attempt's error, with how often it was tried, or when it may be again."""
    if resets_at is not None:
        text = f"{error}; it may be asked again at {resets_at:%Y-%m-%d %H:%M:%S}Z, later than"
        text += " [retry] max_wait_seconds allows to wait: start again then"
        return ProviderError(error.kind, text, details=replace(error.details, resets_at=resets_at))
    if attempt == 1:
        return error
    return ProviderError(error.kind, f"{error} ({attempt} attempts)", details=error.details)
