"""Tests of engine.llm.attempting: booking, retry and the visible wait around any model."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import pytest

from engine.domain.blocks import user_message
from engine.domain.errors import ProviderDetails, ProviderError
from engine.domain.exchange import Delta, Reply, Request, UsageSeen
from engine.domain.timing import Timing
from engine.domain.usage import Usage
from engine.llm.attempting import Attempting, Surroundings
from engine.llm.model import Model, OnProgress, no_delta
from engine.llm.price_table import PriceTable
from engine.settings import PriceOverride
from tests.fakes.clock import START, FakeClock
from tests.fakes.models import Bench, BookedAttempts, ScriptedModel, text_reply

REQUEST = Request("agent", "priced", "system", (user_message("hello"),))
OVERLOADED = ProviderError("overloaded", "busy", details=ProviderDetails(http_status=529))
SPENT = Usage(input_tokens=1000, output_tokens=100)


PRICES = PriceTable({"priced": PriceOverride(1000.0, 10_000.0)})


def around(model: Model, timing: Timing = Timing()) -> Bench:
    return Bench(model, timing, PRICES)


def bench(answers: Sequence[Reply | ProviderError]) -> Bench:
    return around(ScriptedModel(answers))


async def test_a_reply_comes_back_priced_and_its_attempt_is_booked_done() -> None:
    on = bench([text_reply("hi", SPENT)])
    reply = await on.reply(REQUEST)
    assert (reply.text, reply.usage.cost_usd) == ("hi", 2.0)
    assert on.booked.log == ["start", "end done"]
    assert on.booked.outcomes[0].usage == reply.usage
    assert on.deltas == [Delta("text", "hi")]


async def test_every_attempt_is_started_before_it_is_sent_and_ended_after() -> None:
    on = bench([OVERLOADED, OVERLOADED, text_reply("hi")])
    await on.reply(REQUEST)
    failed = ["start", "end failed", "discard", "wait"]
    assert on.booked.log == [*failed, *failed, "start", "end done"]
    assert on.booked.started == [1, 2, 3]


async def test_a_wait_is_announced_with_its_end_before_it_begins() -> None:
    on = bench([OVERLOADED, text_reply("hi")])
    await on.reply(REQUEST)
    assert on.booked.waits == [(START + timedelta(seconds=0.5), "the model API")]
    assert on.clock.slept == [0.5]


async def test_a_wait_that_the_service_asks_for_is_obeyed() -> None:
    limited = ProviderError("rate_limit", "slow", details=ProviderDetails(retry_after_seconds=42.0))
    on = bench([limited, text_reply("hi")])
    await on.reply(REQUEST)
    assert on.clock.slept == [42.0]


async def test_a_wait_over_the_limit_fails_with_the_time_when_it_may_be_asked_again() -> None:
    limited = ProviderError("rate_limit", "slow", details=ProviderDetails(retry_after_seconds=3600))
    on = bench([limited])
    with pytest.raises(ProviderError, match="2026-11-01 11:00:00Z") as raised:
        await on.reply(REQUEST)
    assert raised.value.details.resets_at == START + timedelta(hours=1)
    assert on.clock.slept == []


async def test_after_the_last_attempt_the_error_says_how_often_it_was_tried() -> None:
    on = bench([OVERLOADED] * 5)
    with pytest.raises(ProviderError, match=r"busy \(5 attempts\)") as raised:
        await on.reply(REQUEST)
    assert raised.value.kind == "overloaded"
    assert on.booked.started == [1, 2, 3, 4, 5]
    assert [outcome.http_status for outcome in on.booked.outcomes] == [529] * 5


async def test_a_final_error_is_not_tried_again() -> None:
    denied = ProviderError("auth", "wrong key", details=ProviderDetails(http_status=401))
    on = bench([denied])
    with pytest.raises(ProviderError, match="wrong key") as raised:
        await on.reply(REQUEST)
    assert raised.value is denied
    assert on.booked.log == ["start", "end failed", "discard"]


async def test_a_failed_attempt_is_booked_with_what_the_error_says_it_used() -> None:
    cut = ProviderError("incomplete", "cut", details=ProviderDetails(usage=SPENT))
    on = bench([cut, text_reply("hi", SPENT)])
    await on.reply(REQUEST)
    assert [outcome.usage.cost_usd for outcome in on.booked.outcomes] == [2.0, 2.0]


async def test_a_failure_before_anything_came_back_costs_nothing() -> None:
    on = bench([OVERLOADED, text_reply("hi")])
    await on.reply(REQUEST)
    assert on.booked.outcomes[0].usage == Usage()
    assert on.booked.outcomes[0].error == "overloaded: busy"


class HalfwayModel:
    """Tells its usage, streams 350 characters, and then fails or never goes on."""

    def __init__(self, failure: ProviderError | None = None) -> None:
        self.failure = failure
        self.is_halfway = asyncio.Event()

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        on_progress(UsageSeen(Usage(input_tokens=1000, output_tokens=1), "req_7"))
        on_progress(Delta("text", "x" * 350))
        self.is_halfway.set()
        if self.failure is not None:
            raise self.failure
        await asyncio.Event().wait()
        raise AssertionError("nothing wakes this model")


async def test_a_broken_stream_is_booked_with_an_estimate_of_what_it_used() -> None:
    on = around(HalfwayModel(ProviderError("incomplete", "cut")), Timing(model_attempts=1))
    with pytest.raises(ProviderError):
        await on.reply(REQUEST)
    usage = on.booked.outcomes[0].usage
    assert (usage.input_tokens, usage.output_tokens, usage.is_estimate) == (1000, 100, True)
    assert usage.cost_usd == 2.0


async def test_a_cancelled_attempt_is_booked_lost_with_an_estimate() -> None:
    model = HalfwayModel()
    on = around(model)
    async with asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(on.reply(REQUEST))
        await model.is_halfway.wait()
        asking.cancel()
    assert asking.cancelled()
    (outcome,) = on.booked.outcomes
    assert (outcome.state, outcome.request_id, outcome.error) == ("lost", "req_7", "cancelled")
    assert (outcome.usage.output_tokens, outcome.usage.is_estimate) == (100, True)
    assert on.booked.log == ["start", "end lost"]


class SilentModel:
    """Never answers; `is_asked` tells that it was asked."""

    def __init__(self) -> None:
        self.is_asked = asyncio.Event()

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        self.is_asked.set()
        await asyncio.Event().wait()
        raise AssertionError("nothing wakes this model")


async def test_an_attempt_cancelled_before_anything_came_back_is_marked_as_an_estimate() -> None:
    model = SilentModel()
    on = around(model)
    async with asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(on.reply(REQUEST))
        await model.is_asked.wait()
        asking.cancel()
    assert on.booked.outcomes[0].usage == Usage(is_estimate=True)


async def test_a_call_over_its_deadline_fails_and_is_not_tried_again() -> None:
    on = around(SilentModel(), Timing(model_call=0.01))
    with pytest.raises(ProviderError, match=r"did not finish its reply within 0\.01 seconds"):
        await on.reply(REQUEST)
    assert on.booked.log == ["start", "end failed", "discard"]


class SleeplessClock(FakeClock):
    """Its sleep never ends by itself; `is_asleep` tells that it began."""

    def __init__(self) -> None:
        super().__init__()
        self.is_asleep = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self.is_asleep.set()
        await asyncio.Event().wait()


async def test_a_cancel_while_waiting_sends_nothing_more() -> None:
    clock = SleeplessClock()
    model = ScriptedModel([OVERLOADED, text_reply("never asked for")])
    on = Bench(model, clock=clock, prices=PRICES)
    async with asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(on.reply(REQUEST))
        await clock.is_asleep.wait()
        asking.cancel()
    assert len(model.requests) == 1
    assert on.booked.log == ["start", "end failed", "discard", "wait"]


class BrokenModel:
    """Breaks the contract: raises what no model may raise."""

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        raise AssertionError("a fault in the program")


async def test_even_a_programming_fault_ends_the_attempt() -> None:
    on = around(BrokenModel())
    with pytest.raises(AssertionError):
        await on.reply(REQUEST)
    assert on.booked.log == ["start", "end lost"]
    assert "a fault in the program" in on.booked.outcomes[0].error


async def test_terminal_sequences_in_an_error_do_not_reach_the_books() -> None:
    on = bench([ProviderError("bad_request", "no\x1b[31m\nway")])
    with pytest.raises(ProviderError):
        await on.reply(REQUEST)
    assert on.booked.outcomes[0].error == "bad_request: no way"


async def test_one_attempting_serves_many_requests_at_once() -> None:
    model = ScriptedModel([text_reply(str(number), SPENT) for number in range(20)])
    table = PriceTable({"priced": PriceOverride(1.0, 1.0)})
    answering = Attempting(model, Surroundings(FakeClock(), Timing(), table, lambda: 0.5))
    books = [BookedAttempts() for _ in range(20)]
    async with asyncio.TaskGroup() as tasks:
        for book in books:
            tasks.create_task(answering.reply(REQUEST, no_delta, attempts=book))
    assert all(book.log == ["start", "end done"] for book in books)
