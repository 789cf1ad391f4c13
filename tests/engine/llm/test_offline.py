"""Tests of engine.llm.offline: the policy runs beside the loop, and its text streams."""

import asyncio
import threading

import pytest

from engine.domain.blocks import user_message
from engine.domain.exchange import Delta, Reply, Request, UsageSeen
from engine.domain.usage import Usage
from engine.llm.offline import OfflineModel
from tests.fakes.models import text_reply, tool_reply

ASKED = Request("agent", "offline", "You research.", (user_message("Owls."),))


async def test_the_text_streams_in_pieces_and_costs_nothing() -> None:
    report = "Owls are birds of the night. " * 40
    told: list[Delta | UsageSeen] = []
    model = OfflineModel(lambda _: text_reply(report, Usage(input_tokens=9)))
    reply = await model.reply(ASKED, told.append)
    assert (reply.text, reply.usage, reply.model) == (report.strip(), Usage(), "offline")
    pieces = [piece for piece in told if isinstance(piece, Delta)]
    assert len(pieces) == len(told) > 3
    assert "".join(piece.text for piece in pieces) == report


async def test_tool_calls_come_back_as_the_policy_made_them() -> None:
    decided = tool_reply("web_search", {"query": "owls"})
    reply = await OfflineModel(lambda _: decided).reply(ASKED, lambda _: None)
    assert reply.content == decided.content
    assert reply.stop_reason == "tool_use"


async def test_the_loop_goes_on_while_the_policy_thinks() -> None:
    may_answer, is_thinking = threading.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def decide(_: Request) -> Reply:
        loop.call_soon_threadsafe(is_thinking.set)
        assert may_answer.wait(5)
        return text_reply("Done.")

    async with asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(OfflineModel(decide).reply(ASKED, lambda _: None))
        await is_thinking.wait()
        may_answer.set()
    assert asking.result().text == "Done."


async def test_a_fault_of_the_policy_is_not_hidden() -> None:
    def decide(_: Request) -> Reply:
        raise AssertionError("a fault in the program")

    with pytest.raises(AssertionError):
        await OfflineModel(decide).reply(ASKED, lambda _: None)
