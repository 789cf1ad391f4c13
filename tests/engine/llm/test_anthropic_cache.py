"""Tests that a conversation is asked so that the prompt cache pays for most of it."""

from dataclasses import replace

import pytest

from engine.domain.blocks import Message, tool_result_block, user_message
from engine.domain.exchange import NO_TOOLS, Request, ToolSpec
from engine.domain.usage import Usage
from tests.fakes import messages_script as api_says
from tests.fakes.messages_script import reply
from tests.fakes.messages_service import MODEL, Service
from tests.fakes.models import Bench

TOOL = ToolSpec("web_search", "Searches the web. " * 100, {"type": "object", "properties": {}})
SYSTEM = "You research, with care. " * 500
RESULTS = "Owls hunt at night and sleep by day. " * 40


def step_request(messages: tuple[Message, ...]) -> Request:
    return Request("agent", MODEL, SYSTEM, messages, tools=(TOOL,))


async def conversation(service: Service, steps: int) -> tuple[tuple[Message, ...], list[Usage]]:
    """That many steps, each adding a call and its results; the turns, and each step's usage."""
    messages: tuple[Message, ...] = (user_message("Research owls."),)
    usages = []
    for step in range(1, steps + 1):
        call = api_says.use("web_search", {"query": "owls"}, id=f"toolu_{step}")
        service.api.script(api_says.said(api_says.thinking("Hm."), call))
        answer = await service.ask(step_request(messages))
        usages.append(answer.usage)
        result = tool_result_block(f"toolu_{step}", f"Search {step}. {RESULTS}")
        messages = (*messages, Message("assistant", answer.content), Message("user", (result,)))
    return messages, usages


async def test_on_the_seventh_step_nine_tenths_of_the_prompt_are_read_from_the_cache(
    service: Service,
) -> None:
    _, usages = await conversation(service, 7)
    assert usages[6].cache_read_tokens >= 0.9 * usages[6].prompt_tokens


async def test_each_step_reads_all_that_the_step_before_has_sent(service: Service) -> None:
    _, usages = await conversation(service, 4)
    kept = [usage.cache_read_tokens + usage.cache_write_tokens for usage in usages[:-1]]
    assert [usage.cache_read_tokens for usage in usages[1:]] == kept
    assert all(usage.input_tokens < 10 for usage in usages)


async def test_without_tools_the_prefix_is_read_and_nothing_is_written(service: Service) -> None:
    messages, usages = await conversation(service, 3)
    service.api.script(reply("The report."))
    last = await service.ask(replace(step_request(messages), tool_choice=NO_TOOLS))
    assert 0 < last.usage.cache_read_tokens < usages[0].prompt_tokens
    assert last.usage.cache_write_tokens == 0
    assert service.api.requests[3].body["tools"] == service.api.requests[0].body["tools"]


async def test_a_request_without_cache_marks_nothing(service: Service) -> None:
    service.api.script(reply("Hi"))
    answer = await service.ask(
        replace(step_request((user_message("Research owls."),)), cache=False)
    )
    assert "cache_control" not in str(service.api.requests[0].body)
    assert answer.usage.prompt_tokens == answer.usage.input_tokens


@pytest.mark.req("R078")
async def test_what_was_read_from_the_cache_is_charged_at_its_own_price(service: Service) -> None:
    messages, _ = await conversation(service, 2)
    service.api.script(reply("The report."))
    usage = (await Bench(service.model).reply(step_request(messages))).usage
    assert usage.cache_read_tokens > 0
    assert usage.cost_usd == pytest.approx(
        (
            2.0 * usage.input_tokens
            + 0.10 * usage.cache_read_tokens
            + 2.5 * usage.cache_write_5m_tokens
            + 10.0 * usage.output_tokens
        )
        / 1_000_000
    )
