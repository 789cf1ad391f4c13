"""What every Model promises, over all of them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeAlias

import pytest

from engine.domain.blocks import ToolUse, user_message
from engine.domain.exchange import Delta, Reply, Request, UsageSeen
from engine.domain.run import RunId, StoredStep
from engine.domain.usage import Usage
from engine.llm.model import Model
from engine.llm.offline import OfflineModel
from engine.llm.recorded import RecordedModel
from tests.fakes.messages_script import said, text, use
from tests.fakes.messages_service import MODEL, serving
from tests.fakes.models import Bench, ScriptedModel

Blocks: TypeAlias = tuple[dict[str, Any], ...]
Opening: TypeAlias = Callable[[Blocks], AbstractAsyncContextManager[Model]]
"""Opens a model that answers every request with these blocks."""

REPORT = "Owls are birds of the night; they hunt by ear. " * 12 + "That is all."
TEXT: Blocks = (text(REPORT),)
CALLS: Blocks = (
    text("Let me look."),
    use("web_search", {"query": "owls"}, id="toolu_1"),
    use("fetch_page", {"url": "https://example.com/owls"}, id="toolu_2"),
)
ASKED = Request("agent", MODEL, "You research.", (user_message("Owls."),))


def reply_of(blocks: Blocks) -> Reply:
    return Reply(blocks, said(*blocks).stop_reason or "", Usage(), MODEL)


@asynccontextmanager
async def anthropic(blocks: Blocks) -> AsyncIterator[Model]:
    async with serving() as service:
        service.api.always(said(*blocks))
        yield service.model


@asynccontextmanager
async def recorded(blocks: Blocks) -> AsyncIterator[Model]:
    stop_reason = reply_of(blocks).stop_reason
    moment = "2026-11-01T10:00:00.000Z"
    yield RecordedModel(
        (StoredStep(RunId(1), 1, blocks, stop_reason, MODEL, "req_1", Usage(), moment),)
    )


@asynccontextmanager
async def offline(blocks: Blocks) -> AsyncIterator[Model]:
    yield OfflineModel(lambda _: reply_of(blocks))


@asynccontextmanager
async def scripted(blocks: Blocks) -> AsyncIterator[Model]:
    yield ScriptedModel([reply_of(blocks)] * 10)


@pytest.fixture(params=[anthropic, recorded, offline, scripted])
def opening(request: pytest.FixtureRequest) -> Opening:
    opened: Opening = request.param
    return opened


async def test_a_reply_holds_the_blocks_and_the_stop_reason(opening: Opening) -> None:
    async with opening(CALLS) as model:
        reply = await model.reply(ASKED, lambda _: None)
    assert (reply.text, reply.stop_reason) == ("Let me look.", "tool_use")
    assert reply.tool_uses == (
        ToolUse("toolu_1", "web_search", {"query": "owls"}),
        ToolUse("toolu_2", "fetch_page", {"url": "https://example.com/owls"}),
    )


async def test_the_text_streams_whole_and_before_the_reply_returns(opening: Opening) -> None:
    told: list[Delta | UsageSeen] = []
    async with opening(TEXT) as model:
        reply = await model.reply(ASKED, told.append)
    assert "".join(piece.text for piece in told if isinstance(piece, Delta)) == REPORT
    assert (reply.text, reply.stop_reason) == (REPORT, "end_turn")


async def test_a_model_never_prices_its_usage_itself(opening: Opening) -> None:
    async with opening(TEXT) as model:
        reply = await model.reply(ASKED, lambda _: None)
    assert reply.usage.cost_usd == 0.0
    assert not reply.usage.is_estimate


async def test_one_model_serves_several_runs_at_once(opening: Opening) -> None:
    async with opening(TEXT) as model, asyncio.TaskGroup() as tasks:
        asked = [tasks.create_task(model.reply(ASKED, lambda _: None)) for _ in range(5)]
    assert {task.result().text for task in asked} == {REPORT}


async def test_equal_requests_get_equal_replies(opening: Opening) -> None:
    async with opening(CALLS) as model:
        first = await model.reply(ASKED, lambda _: None)
        second = await model.reply(ASKED, lambda _: None)
    assert (first.content, first.stop_reason) == (second.content, second.stop_reason)


async def test_a_cancelled_call_is_cancelled_and_the_model_stays_usable(opening: Opening) -> None:
    async with opening(TEXT) as model:
        async with asyncio.TaskGroup() as tasks:

            def cancel_at_the_first_sign(_: Delta | UsageSeen) -> None:
                asking.cancel()

            asking = tasks.create_task(model.reply(ASKED, cancel_at_the_first_sign))
        assert asking.cancelled() or asking.result().text == REPORT
        assert (await model.reply(ASKED, lambda _: None)).text == REPORT


async def test_each_call_is_booked_once_whatever_the_model(opening: Opening) -> None:
    async with opening(TEXT) as model:
        on = Bench(model)
        await on.reply(ASKED)
    assert on.booked.log == ["start", "end done"]
