"""Tests of engine.llm.recorded: what a replay answers, and what it refuses."""

from dataclasses import replace

import pytest

from engine.domain.blocks import Message, text_block, user_message
from engine.domain.errors import ProviderError
from engine.domain.exchange import Delta, Request, UsageSeen
from engine.domain.run import RunId, StoredStep
from engine.domain.usage import Usage
from engine.llm.recorded import RecordedModel

ASKED = Request("agent", "recorded:7", "You research.", (user_message("Owls."),))


def stored(step: int, text: str) -> StoredStep:
    return StoredStep(
        run_id=RunId(7),
        step=step,
        content=(text_block(text),),
        stop_reason="end_turn",
        model="claude-sonnet-5-5",
        request_id="req_1",
        usage=Usage(input_tokens=1000, cost_usd=1.0),
        created_at="2026-11-01T10:00:00.000Z",
    )


RECORDED = RecordedModel((stored(2, "Second."), stored(1, "First.")))


def after(steps: int) -> Request:
    turns = (Message("assistant", (text_block("x"),)), user_message("go on")) * steps
    return replace(ASKED, messages=(*ASKED.messages, *turns))


@pytest.mark.parametrize(("steps", "text"), [(0, "First."), (1, "Second.")])
async def test_the_step_follows_from_the_turns_so_far(steps: int, text: str) -> None:
    told: list[Delta | UsageSeen] = []
    reply = await RECORDED.reply(after(steps), told.append)
    assert (reply.text, reply.usage, reply.stop_reason) == (text, Usage(), "end_turn")
    assert told == [Delta("text", text)]


async def test_a_step_that_was_not_recorded_is_refused_with_the_last_one_that_was() -> None:
    with pytest.raises(ProviderError, match="has no step 3, its last one is step 2") as raised:
        await RECORDED.reply(after(2), lambda _: None)
    assert raised.value.kind == "replay"


async def test_an_empty_recording_refuses_too() -> None:
    with pytest.raises(ProviderError, match="has no step 1"):
        await RecordedModel(()).reply(ASKED, lambda _: None)


async def test_calls_beside_the_loop_are_refused() -> None:
    with pytest.raises(ProviderError, match="no replies to calls for web_search"):
        await RECORDED.reply(replace(ASKED, purpose="web_search"), lambda _: None)
