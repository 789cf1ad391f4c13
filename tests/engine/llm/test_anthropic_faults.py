"""Tests of engine.llm.anthropic under faults: every request is booked, the right ones repeated."""

import asyncio

import pytest

from engine.domain.blocks import user_message
from engine.domain.errors import ProviderError, ProviderFailure
from engine.domain.exchange import Request, ServerToolSpec
from engine.domain.timing import Timing
from tests.fakes import messages_script as api_says
from tests.fakes.messages_script import Answer, reply
from tests.fakes.messages_service import MODEL, Service, asked, serving
from tests.fakes.models import Bench

WORDS = "Once upon a time there was a model that answered in several pieces, one after another."

BROKEN: list[tuple[str, Answer, ProviderFailure]] = [
    ("429", api_says.rate_limited(7), "rate_limit"),
    ("429 without a wait", api_says.rate_limited(), "rate_limit"),
    ("529", api_says.overloaded(), "overloaded"),
    ("500", api_says.http_error(500, "oops"), "server"),
    ("504", api_says.http_error(504, "too slow"), "timeout"),
    ("html 502", api_says.html(502), "server"),
    ("html 200", api_says.html(200), "bad_reply"),
    ("foreign json 200", api_says.Raw(200, "application/json", "{}"), "bad_reply"),
    ("overloaded inside", api_says.error_event(reply(WORDS), after=4), "overloaded"),
    ("api_error inside", api_says.error_event(reply("x"), after=0, type="api_error"), "server"),
    ("cut before the start", api_says.cut(reply(WORDS), after=0), "bad_reply"),
    ("cut in the text", api_says.cut(reply(WORDS), after=4), "incomplete"),
    ("cut before the last event", api_says.cut(reply("Hi"), after=6), "incomplete"),
    ("without a stop reason", api_says.Said((api_says.text("Hi"),), None), "incomplete"),
    ("chopped", api_says.chopped(reply(WORDS), after=4), "connection"),
    ("reset", api_says.reset(reply(WORDS), after=4), "connection"),
    ("hung up before headers", api_says.hang_up(), "connection"),
    ("silence before headers", api_says.no_answer(), "stalled"),
    ("silence inside", api_says.stalled(reply(WORDS), after=4), "stalled"),
    ("malformed event", api_says.malformed(reply(WORDS), after=4), "bad_reply"),
    ("malformed tool input", api_says.broken_tool_call("f", '{"a": tru!'), "bad_reply"),
]


@pytest.mark.parametrize(
    ("answer", "kind"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN]
)
async def test_what_may_pass_is_asked_again_and_every_request_is_booked(
    impatient: Service, answer: Answer, kind: ProviderFailure
) -> None:
    impatient.api.script(answer, reply("Now it works."))
    on = Bench(impatient.model)
    assert (await on.reply(asked())).text == "Now it works."
    assert [outcome.state for outcome in on.booked.outcomes] == ["failed", "done"]
    assert on.booked.outcomes[0].error.startswith(f"{kind}: ")
    assert len(impatient.api.requests) == len(on.booked.started) == 2


FINAL: list[tuple[str, Answer, ProviderFailure]] = [
    ("spending limit", api_says.spend_limit(), "spend_limit"),
    ("402", api_says.http_error(402, "pay first"), "spend_limit"),
    ("400", api_says.http_error(400, "You have reached your limits"), "bad_request"),
    ("401", api_says.http_error(401, "invalid x-api-key"), "auth"),
    ("403", api_says.http_error(403, "not yours"), "auth"),
    ("404", api_says.http_error(404, "model: claude-none"), "not_found"),
    ("413", api_says.http_error(413, "too long"), "too_large"),
    ("422 of a gateway", api_says.Raw(422, "application/json", '{"detail":"no"}'), "bad_request"),
    ("said to be final", api_says.http_error(529, "no", x_should_retry="false"), "overloaded"),
]


@pytest.mark.parametrize(
    ("answer", "kind"), [case[1:] for case in FINAL], ids=[case[0] for case in FINAL]
)
async def test_what_cannot_pass_is_asked_once(
    service: Service, answer: Answer, kind: ProviderFailure
) -> None:
    service.api.script(answer)
    on = Bench(service.model)
    with pytest.raises(ProviderError) as raised:
        await on.reply(asked())
    assert raised.value.kind == kind
    assert raised.value.details.request_id in ("req_0001", "")
    assert len(service.api.requests) == len(on.booked.started) == 1


async def test_five_requests_are_the_most_that_an_overload_sees(service: Service) -> None:
    service.api.always(api_says.overloaded())
    on = Bench(service.model)
    with pytest.raises(ProviderError, match=r"Overloaded.*\(5 attempts\)"):
        await on.reply(asked())
    assert len(service.api.requests) == len(on.booked.started) == 5
    assert all(seen.headers["x-stainless-retry-count"] == "0" for seen in service.api.requests)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "7"}, 7.0),
        ({"retry_after_ms": "1500", "retry_after": "7"}, 1.5),
        ({"retry_after": "soon"}, 0.5),
    ],
)
async def test_the_wait_that_the_api_asks_for_is_kept(
    service: Service, headers: dict[str, str], seconds: float
) -> None:
    service.api.script(api_says.http_error(429, "slow down", **headers), reply("Hi"))
    on = Bench(service.model)
    await on.reply(asked())
    assert on.clock.slept == [seconds]


async def test_a_cancel_hangs_up_and_books_what_was_used(service: Service) -> None:
    service.api.script(api_says.stalled(reply(WORDS, usage={"input_tokens": 1000}), after=4))
    on = Bench(service.model)
    has_streamed = asyncio.Event()
    on.follow = has_streamed.set
    async with asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(on.reply(asked()))
        await has_streamed.wait()
        asking.cancel()
    async with asyncio.timeout(5):
        await service.api.requests[0].hung_up.wait()
    (outcome,) = on.booked.outcomes
    streamed = sum(len(delta.text) for delta in on.deltas)
    assert (outcome.state, outcome.request_id) == ("lost", "req_0001")
    assert (outcome.usage.input_tokens, outcome.usage.is_estimate) == (1000, True)
    assert outcome.usage.output_tokens == round(streamed / 3.5) > 0
    assert outcome.usage.cost_usd > 0


async def test_the_client_is_as_good_as_new_after_a_cancel(service: Service) -> None:
    service.api.script(api_says.stalled(reply(WORDS), after=4), reply("Still here."))
    async with asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(service.ask(asked()))
        await (await service.api.received(1)).is_halfway.wait()
        asking.cancel()
    assert (await service.ask(asked())).text == "Still here."


async def test_a_broken_stream_is_booked_with_what_it_had_used(service: Service) -> None:
    usage = {"input_tokens": 1000}
    service.api.script(api_says.chopped(reply(WORDS, usage=usage), after=4), reply("Hi"))
    on = Bench(service.model)
    await on.reply(asked())
    broken = on.booked.outcomes[0].usage
    assert (broken.input_tokens, broken.is_estimate) == (1000, True)
    assert on.booked.log == ["start", "end failed", "discard", "wait", "start", "end done"]


async def test_a_deadline_for_the_whole_call_hangs_up_too(service: Service) -> None:
    service.api.script(reply("Loaded."), api_says.stalled(reply(WORDS), after=4))
    await service.ask(asked())
    on = Bench(service.model, Timing(model_call=0.3))
    with pytest.raises(ProviderError, match="did not finish"):
        await on.reply(asked())
    async with asyncio.timeout(5):
        await service.api.requests[1].hung_up.wait()
    assert len(service.api.requests) == 2


async def test_a_silent_search_has_a_deadline_of_its_own() -> None:
    timing = Timing(stream_idle=600.0, stream_idle_searching=0.3)
    search = ServerToolSpec("web_search_20250305", "web_search")
    request = Request("web_search", MODEL, "Search.", (user_message("owls"),), tools=(search,))
    async with serving(timing) as service:
        service.api.script(api_says.stalled(api_says.searched("owls", [], "None."), after=5))
        with pytest.raises(ProviderError) as raised:
            await service.ask(request)
    assert raised.value.kind == "stalled"
