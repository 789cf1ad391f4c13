"""Tests of the fake of the Messages API: it refuses, streams and counts as the real one does."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.fakes import messages_script as api_says
from tests.fakes.messages_api import FakeMessagesApi
from tests.fakes.messages_cache import FRAME_TOKENS, Counted, PromptCache
from tests.fakes.messages_rules import first_fault, signature
from tests.fakes.messages_script import Json, reply, text, use

HEADERS = {"authorization": "Bearer k", "anthropic-version": "2026-10-21"}
TOOL = {"name": "f", "input_schema": {"type": "object"}}
SEARCH = {"type": "web_search_20250305", "name": "web_search"}


@pytest.fixture
async def api() -> AsyncIterator[FakeMessagesApi]:
    async with FakeMessagesApi() as opened:
        yield opened


def user(*blocks: Json | str) -> Json:
    return {"role": "user", "content": [text(b) if isinstance(b, str) else b for b in blocks]}


def assistant(*blocks: Json) -> Json:
    return {"role": "assistant", "content": list(blocks)}


def result(id: str) -> Json:
    return {"type": "tool_result", "tool_use_id": id, "content": "done"}


def body(*messages: Json, **more: Any) -> Json:
    turns = list(messages) or [user("hello")]
    return {"model": "claude-sonnet-5-5", "max_tokens": 10, "messages": turns, **more}


async def post(api: FakeMessagesApi, told: Json, **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False) as client:
        sent = {**HEADERS, **{name.replace("_", "-"): value for name, value in headers.items()}}
        return await client.post(f"{api.base_url}/v1/messages", json=told, headers=sent)


CALLED = assistant(use("f", {}, id="a"))
SEARCHED = assistant(
    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
)

REFUSED: dict[str, tuple[Json, str]] = {
    "no message": (body() | {"messages": []}, "at least one message"),
    "no max_tokens": ({"model": "m", "messages": [user("x")]}, "max_tokens: Field required"),
    "empty text": (body(user("")), "must be non-empty"),
    "white space": (body(user(" \n")), "non-whitespace"),
    "unanswered": (body(user("x"), CALLED, user("y"), tools=[TOOL]), "ids were found without"),
    "unexpected": (body(user(result("b"))), "unexpected `tool_use_id`"),
    "twice": (body(user("x"), CALLED, user(result("a"), result("a"))), "a single result"),
    "misplaced": (body(user("x"), CALLED, user("y", result("a"))), "must come before"),
    "same id": (
        body(user("x"), CALLED, user(result("a")), CALLED, user(result("a"))),
        "must be unique",
    ),
    "no schema": (body(tools=[{"name": "f"}]), "input_schema: Field required"),
    "same name": (body(tools=[TOOL, TOOL]), "Tool names must be unique"),
    "both lists": (
        body(tools=[{**SEARCH, "allowed_domains": ["a"], "blocked_domains": ["b"]}]),
        "only one of",
    ),
    "choice without tools": (body(tool_choice={"type": "none"}), "while providing tools"),
    "forced": (body(tools=[TOOL], tool_choice={"type": "any"}), "forced tool use"),
    "prefill": (body(user("x"), assistant(text("I"))), "prefill"),
    "assistant first": (body(assistant(text("I")), user("x")), "first message"),
    "sampling": (body(temperature=1.0), "temperature"),
    "unknown": (body(colour="red"), "colour: Extra inputs"),
    "nulls of a dump": (
        body(user("x"), assistant({**text("y"), "parsed_output": None}), user("z")),
        "text.parsed_output: Extra inputs",
    ),
    "cited by a user": (body(user({**text("x"), "citations": []})), "citations are not permitted"),
    "five marks": (
        body(user(*[{**text("x"), "cache_control": {"type": "ephemeral"}}] * 5)),
        "Found 5",
    ),
    "thinking off": (body(thinking={"type": "disabled"}), "not supported"),
    "search without end": (body(user("x"), SEARCHED, user("y"), tools=[SEARCH]), "without a"),
    "search without its tool": (body(user("x"), SEARCHED), "not among the tools"),
}


@pytest.mark.parametrize(("told", "words"), REFUSED.values(), ids=REFUSED.keys())
async def test_what_the_real_api_refuses_is_refused(told: Json, words: str) -> None:
    fault = first_fault(told)
    assert fault is not None
    assert words in fault


async def test_a_refusal_has_the_form_of_the_real_one(api: FakeMessagesApi) -> None:
    answer = await post(api, body(temperature=1.0))
    assert answer.status_code == 400
    assert answer.headers["request-id"] == "req_0001"
    assert answer.json()["error"]["type"] == "invalid_request_error"
    assert api.requests[0].status == 400


async def test_a_search_that_was_paused_may_be_continued() -> None:
    assert first_fault(body(user("x"), SEARCHED, tools=[SEARCH])) is None


async def test_thinking_is_bound_to_what_came_before_it() -> None:
    asked = body(user("x"), system="Be brief.")
    signed = {"type": "thinking", "thinking": "Hm.", "signature": signature(asked, 1)}
    turns = [user("x"), assistant(signed, text("y")), user("z")]
    assert first_fault(body(*turns, system="Be brief.")) is None
    assert "different conversation" in str(first_fault(body(*turns, system="Be long.")))
    dropping = {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}
    assert first_fault(body(*turns, system="Be long.", thinking=dropping)) is None


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"authorization": "", "x_api_key": "k"}, 200),
        ({"authorization": ""}, 401),
        ({"anthropic_version": "1999-01-01"}, 400),
    ],
)
async def test_key_and_version_are_checked(
    api: FakeMessagesApi, headers: dict[str, str], status: int
) -> None:
    api.always(reply("Hi"))
    assert (await post(api, body(), **headers)).status_code == status


async def test_an_unknown_model_is_not_found(api: FakeMessagesApi) -> None:
    answer = await post(api, body() | {"model": "gpt-9"})
    assert (answer.status_code, answer.json()["error"]["message"]) == (404, "model: gpt-9")


async def test_a_stream_has_the_events_of_the_real_one(api: FakeMessagesApi) -> None:
    api.script(api_says.said(api_says.thinking("Hm."), text("Hi"), use("f", {"a": 1})))
    answer = await post(api, body(stream=True))
    lines = [line for line in answer.text.splitlines() if line.startswith("data: ")]
    events = [json.loads(line.removeprefix("data: ")) for line in lines]
    kinds = [event["type"].removeprefix("content_block_") for event in events]
    block = ["start", "delta", "stop"]
    assert kinds == [
        "message_start",
        *["start", "ping", "delta", "delta", "stop"],
        *block,
        *["start", "delta", "delta", "stop"],
        "message_delta",
        "message_stop",
    ]
    assert "cache_creation" in events[0]["message"]["usage"]
    assert "cache_creation" not in events[-2]["usage"]
    assert api.requests[0].events_sent == len(events)


async def test_without_a_stream_the_message_comes_whole(api: FakeMessagesApi) -> None:
    api.script(reply("Hi"))
    assert (await post(api, body())).json()["content"] == [{"type": "text", "text": "Hi"}]


async def test_an_answer_may_depend_on_the_request(api: FakeMessagesApi) -> None:
    api.always(lambda told: reply(told["messages"][0]["content"][0]["text"].upper()))
    assert (await post(api, body(user("owls")))).json()["content"][0]["text"] == "OWLS"


async def test_a_script_that_is_too_short_fails_the_test() -> None:
    with pytest.raises(AssertionError, match=r"no answer was scripted for requests \[1\]"):
        async with FakeMessagesApi() as api:
            assert (await post(api, body())).status_code == 500


async def test_a_script_that_is_too_long_fails_the_test() -> None:
    with pytest.raises(AssertionError, match="1 scripted answers were never asked for"):
        async with FakeMessagesApi() as api:
            api.script(reply("Hi"))


MARKED = {"cache_control": {"type": "ephemeral"}}


def long_turn(words: str) -> Json:
    return user(words * 1000)


def test_the_cache_reads_what_was_written_until_it_expires() -> None:
    now = [0.0]
    cache = PromptCache(lambda: now[0])
    asked = body(long_turn("owls "), **MARKED)
    first = cache.count(asked)
    assert first == Counted(FRAME_TOKENS, 0, first.written_5m, 0)
    now[0] = 299.0
    assert cache.count(asked).read == first.written_5m > 0
    now[0] = 299.0 + 299.0
    assert cache.count(asked).read == first.written_5m
    now[0] = 299.0 + 299.0 + 301.0
    assert cache.count(asked).read == 0


def test_short_prompts_are_not_cached() -> None:
    cache = PromptCache(lambda: 0.0)
    assert cache.count(body(**MARKED)).written_5m == 0


def test_an_hour_of_cache_is_counted_apart() -> None:
    hour = {"type": "ephemeral", "ttl": "1h"}
    system = [{**text("Be brief. " * 1000), "cache_control": hour}]
    counted = PromptCache(lambda: 0.0).count(body(long_turn("owls "), system=system, **MARKED))
    assert counted.written_1h > 0
    assert counted.written_5m > 0
    assert counted.input == FRAME_TOKENS


def test_another_tool_choice_loses_the_messages_and_keeps_the_system() -> None:
    cache = PromptCache(lambda: 0.0)
    system = [{**text("Be brief. " * 1000), **MARKED}]
    asked = body(long_turn("owls "), system=system, tools=[TOOL], **MARKED)
    whole = cache.count(asked).prompt
    read = cache.count(asked | {"tool_choice": {"type": "none"}}).read
    assert 0 < read < whole
    assert cache.count(asked | {"tools": [{**TOOL, "description": "new"}]}).read == 0


def test_a_breakpoint_looks_back_twenty_blocks_and_no_further() -> None:
    cache = PromptCache(lambda: 0.0)
    first = long_turn("owls ")
    cache.count(body(first, **MARKED))
    near, far = ([user(*["more"] * count)] for count in (19, 20))
    assert cache.count(body(first, *near, **MARKED)).read > 0
    assert PromptCache(lambda: 0.0).count(body(first, *near, **MARKED)).read == 0
    fresh = PromptCache(lambda: 0.0)
    fresh.count(body(first, **MARKED))
    assert fresh.count(body(first, *far, **MARKED)).read == 0
