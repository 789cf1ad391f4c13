"""Tests of engine.llm.anthropic: what comes back from the Messages API and how it is asked for."""

import asyncio
import subprocess
import sys
from typing import Literal

import pytest

from engine.domain.blocks import Message, tool_result_block, user_message
from engine.domain.errors import ProviderError
from engine.domain.exchange import Delta, Request, ServerToolSpec
from engine.settings import EndpointSettings
from tests.fakes import messages_script as api_says
from tests.fakes.messages_api import FakeMessagesApi
from tests.fakes.messages_script import reply
from tests.fakes.messages_service import KEY, MODEL, Service, asked, asking

WORDS = "Once upon a time there was a model that answered in several pieces, one after another."
SEARCH = ServerToolSpec("web_search_20250305", "web_search", {"max_uses": 2})


def ignore(_: object) -> None:
    """For tests that do not follow the stream."""


async def test_blocks_come_back_as_they_were_sent(service: Service) -> None:
    call = api_says.use("fetch_page", {"url": "https://example.com", "n": [1, None]}, id="toolu_9")
    service.api.script(api_says.said(api_says.thinking("Hm."), api_says.text("Let me see."), call))
    answer = await service.ask(asked())
    thought, said, called = answer.content
    assert thought.keys() == {"type", "thinking", "signature"}
    assert said == {"type": "text", "text": "Let me see."}
    assert called == {**call, "caller": {"type": "direct"}}
    assert (answer.stop_reason, answer.model) == ("tool_use", MODEL)
    assert answer.request_id == service.api.requests[0].request_id


async def test_a_conversation_with_thinking_is_taken_back_by_the_api(service: Service) -> None:
    service.api.script(
        api_says.said(api_says.thinking("Hm."), api_says.use("f", {}, id="toolu_1")),
        reply("Done."),
    )
    first = await service.ask(asked())
    turns = (
        user_message("hello"),
        Message("assistant", first.content),
        Message("user", (tool_result_block("toolu_1", "result"),)),
    )
    assert (await service.ask(asked(*turns))).text == "Done."


async def test_text_thinking_and_tool_input_stream_as_they_come(service: Service) -> None:
    service.api.script(
        api_says.said(api_says.thinking("Hm."), api_says.text(WORDS), api_says.use("f", {"a": 1}))
    )
    await service.ask(asked())
    assert service.texts("thinking") == ["Hm."]
    assert len(service.texts("text")) > 1
    assert "".join(service.texts("text")) == WORDS
    assert service.texts("tool_input") == ['{"a": 1}']


async def test_deltas_are_safe_for_a_terminal_and_content_is_verbatim(service: Service) -> None:
    service.api.script(reply("red \x1b[31mtext"))
    answer = await service.ask(asked())
    assert Delta("text", "red text") in service.told
    assert answer.content[0]["text"] == "red \x1b[31mtext"


async def test_what_an_open_attempt_has_used_is_told_before_it_streams(service: Service) -> None:
    service.api.script(reply(WORDS, usage={"input_tokens": 777, "output_tokens": 33}))
    await service.ask(asked())
    first, last = service.usages()
    assert service.told[0] == first
    assert (first.usage.input_tokens, first.request_id) == (777, "req_0001")
    assert last.usage.output_tokens == 33


async def test_empty_text_blocks_are_dropped_when_they_arrive(service: Service) -> None:
    service.api.script(api_says.said(api_says.text(" \n"), api_says.use("f", {}, id="toolu_1")))
    answer = await service.ask(asked())
    assert [block["type"] for block in answer.content] == ["tool_use"]


async def test_block_types_that_nobody_knows_pass_through(service: Service) -> None:
    strange = {"type": "hologram", "data": {"depth": 3}}
    service.api.script(api_says.said(strange, api_says.text("See above.")))
    assert (await service.ask(asked())).content[0] == strange


def searching(words: str) -> Request:
    return Request("web_search", MODEL, "Search.", (user_message(words),), tools=(SEARCH,))


@pytest.mark.req("R045")
async def test_a_search_of_the_service_is_counted_and_its_blocks_are_kept(service: Service) -> None:
    hits = [api_says.hit("https://example.com/a", "A"), api_says.hit("https://example.com/b", "B")]
    service.api.script(api_says.searched("owls", hits, "Owls are birds."))
    answer = await service.ask(searching("owls"))
    assert answer.usage.searches == 1
    assert [seen.usage.searches for seen in service.usages()] == [0, 1, 1]
    call, result, summary = answer.content
    assert call["input"] == {"query": "owls"}
    assert result["content"] == hits
    assert summary["citations"] != []
    assert service.api.requests[0].body["tools"][0]["type"] == "web_search_20250305"


async def test_a_search_that_failed_is_not_counted(service: Service) -> None:
    service.api.script(api_says.searched("owls", "too_many_requests", "I could not search."))
    assert (await service.ask(searching("owls"))).usage.searches == 0


@pytest.mark.parametrize("stop_reason", ["max_tokens", "pause_turn", "refusal", "brand_new_reason"])
async def test_every_stop_reason_comes_through(service: Service, stop_reason: str) -> None:
    service.api.script(reply("Some text", stop_reason=stop_reason))
    assert (await service.ask(asked())).stop_reason == stop_reason


async def test_many_requests_at_once_share_one_client(service: Service) -> None:
    service.api.always(reply("Hi"))
    async with asyncio.TaskGroup() as tasks:
        asking_all = [tasks.create_task(service.ask(asked())) for _ in range(20)]
    assert [task.result().text for task in asking_all] == ["Hi"] * 20


async def test_text_that_cannot_be_sent_is_a_bad_request(service: Service) -> None:
    with pytest.raises(ProviderError) as raised:
        await service.ask(asked(user_message("lone surrogate \ud800")))
    assert raised.value.kind == "bad_request"
    assert service.api.requests == []


AuthStyle = Literal["bearer", "x-api-key", "both"]


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("bearer", {"authorization": f"Bearer {KEY}"}),
        ("x-api-key", {"x-api-key": KEY}),
        ("both", {"authorization": f"Bearer {KEY}", "x-api-key": KEY}),
    ],
)
async def test_the_key_is_sent_as_the_endpoint_wants_it(
    service: Service, style: AuthStyle, expected: dict[str, str]
) -> None:
    service.api.script(reply("Hi"))
    async with asking(EndpointSettings(service.api.base_url + "/v1/", style)) as model:
        await model.reply(asked(), ignore)
    sent = service.api.requests[0].headers
    assert {name: sent[name] for name in ("authorization", "x-api-key") if name in sent} == expected


async def test_loopback_is_not_asked_through_a_proxy(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_PROXY")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    service.api.script(reply("Hi"))
    assert (await service.ask(asked())).text == "Hi"


async def test_without_a_key_nothing_is_asked_and_the_error_says_what_to_do() -> None:
    async with asking(EndpointSettings(), key="") as model:
        with pytest.raises(ProviderError, match="ANTHROPIC_API_KEY") as raised:
            await model.reply(asked(), ignore)
    assert raised.value.kind == "auth"


async def test_a_server_of_ones_own_needs_no_key() -> None:
    async with FakeMessagesApi() as api:
        api.script(reply("Hi"))
        async with asking(EndpointSettings(base_url=api.base_url), key="") as model:
            assert (await model.reply(asked(), ignore)).text == "Hi"


async def test_a_server_that_is_not_there_is_a_connection_error() -> None:
    async with FakeMessagesApi() as api:
        gone = api.base_url
    async with asking(EndpointSettings(base_url=gone)) as model:
        with pytest.raises(ProviderError) as raised:
            await model.reply(asked(), ignore)
    assert raised.value.kind == "connection"


async def test_a_closed_model_opens_a_new_connection_when_asked_again(service: Service) -> None:
    service.api.always(reply("Hi"))
    await service.ask(asked())
    await service.model.aclose()
    assert (await service.ask(asked())).text == "Hi"


def test_the_sdk_is_not_loaded_before_the_first_call() -> None:
    program = (
        "import sys; from engine.domain.timing import Timing;"
        "from engine.settings import EndpointSettings;"
        "from engine.llm.anthropic import AnthropicModel;"
        "import engine.llm.attempting, engine.llm.recorded, engine.llm.offline;"
        "AnthropicModel('k', EndpointSettings(), Timing());"
        "heavy = {'anthropic', 'httpx', 'httpx2', 'genai_prices', 'pydantic'} & set(sys.modules);"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
