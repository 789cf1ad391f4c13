"""The whole engine against the faithful fake of the Messages API: every end is as promised, and the
requests that the fake counted equal the attempts that were stored."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from engine.domain.run import RunDetails, StartRequest
from engine.domain.timing import Timing
from engine.manager.manager import Manager
from engine.settings import EndpointSettings, Settings
from engine.store import journal
from engine.store.journal import StoredAttempt
from engine.wiring import Parts, open_engine
from tests.fakes.clock import FakeClock
from tests.fakes.messages_api import FakeMessagesApi
from tests.fakes.messages_script import (
    Answer,
    cut,
    error_event,
    hit,
    http_error,
    overloaded,
    rate_limited,
    reply,
    reset,
    said,
    searched,
    spend_limit,
    stalled,
    text,
    tool_call,
    use,
)
from tests.fakes.notes import NOTE_TOOL
from tests.flows.conftest import ended, run_to_end

TOPIC = StartRequest("Who owns the lake?", "ann", model="claude-sonnet-5-5")
QUICK = Timing(stream_idle=0.3, stream_idle_searching=0.3)


@dataclass
class Stage:
    api: FakeMessagesApi
    clock: FakeClock
    manager: Manager

    async def run(self, *answers: Answer, request: StartRequest = TOPIC) -> RunDetails:
        self.api.script(*answers)
        return await run_to_end(self.manager, request)

    async def attempts(self, details: RunDetails) -> tuple[StoredAttempt, ...]:
        async with self.manager.database.reading() as reader:
            stored = await journal.attempts(reader, details.run.id)
        assert len(stored) == len(self.api.requests)
        return stored


@asynccontextmanager
async def stage(tmp_path: Path, timing: Timing = QUICK) -> AsyncIterator[Stage]:
    clock = FakeClock()
    async with FakeMessagesApi() as api:
        settings = Settings(
            data_dir=tmp_path / "data",
            anthropic_api_key="sk-test",
            endpoint=EndpointSettings(base_url=api.base_url),
        )
        parts = Parts(clock=clock, timing=timing, extra_tools=(NOTE_TOOL,))
        async with open_engine(settings, parts) as manager:
            yield Stage(api, clock, manager)


@pytest.mark.req("R002", "R078")
async def test_a_plain_run(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        details = await on.run(tool_call("note", {"text": "plain"}), reply("# It is common land"))
        attempts = await on.attempts(details)
    assert (details.run.status, details.run.report) == ("completed", "# It is common land")
    assert [attempt.state for attempt in attempts] == ["done", "done"]
    assert details.run.cost_usd == pytest.approx(sum(a.usage.cost_usd for a in attempts))
    assert details.run.cost_usd > 0
    sent = on.api.requests[1].body["messages"]
    assert sent[2]["content"][0]["type"] == "tool_result"


@pytest.mark.req("R045", "R051", "R052", "R078", "R092")
async def test_a_web_search_brings_its_sources_and_its_fee(tmp_path: Path) -> None:
    found = searched("who owns the lake", [hit("https://a.example/", "A")], "The village does.")
    async with stage(tmp_path) as on:
        asks = tool_call("web_search", {"query": "who owns the lake"})
        details = await on.run(asks, found, reply("# The village"))
        attempts = await on.attempts(details)
        async with on.manager.database.reading() as reader:
            (call,) = await journal.calls(reader, details.run.id)
    assert call.result == "The village does.\n\nSources:\n- https://a.example/ (A)"
    assert [attempt.purpose for attempt in attempts] == ["agent", "web_search", "agent"]
    assert attempts[1].usage.searches == 1
    assert call.cost_usd == pytest.approx(attempts[1].usage.cost_usd)
    assert call.cost_usd > 0.01
    assert details.run.cost_usd == pytest.approx(sum(a.usage.cost_usd for a in attempts))
    assert [state.state for state in details.states][2] == "searching"


@pytest.mark.req("R005", "R115")
async def test_a_failing_tool_is_told_to_the_model(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        details = await on.run(tool_call("note", {"text": "fail"}), reply("# Anyway"))
    result = on.api.requests[1].body["messages"][2]["content"][0]
    assert result["is_error"] is True
    assert details.run.status == "completed"


@pytest.mark.req("R007", "R111")
async def test_the_last_step_is_sent_with_tool_choice_none(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        request = replace(TOPIC, max_steps=2)
        note = tool_call("note", {"text": "plain"})
        details = await on.run(note, reply("# Done"), request=request)
    first, last = (seen.body for seen in on.api.requests)
    assert last["tool_choice"] == {"type": "none"}
    assert last["tools"] == first["tools"]
    assert last["system"] == first["system"]
    assert details.states[-2].state == "writing_report"


async def test_a_429_with_retry_after_waits_visibly_and_goes_on(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        details = await on.run(rate_limited(7), reply("# Later"))
        attempts = await on.attempts(details)
    assert details.run.status == "completed"
    assert [attempt.state for attempt in attempts] == ["failed", "done"]
    assert attempts[0].http_status == 429
    assert 7 <= on.clock.slept[0] < 8
    waiting = details.states[2]
    assert waiting.state == "waiting"
    assert waiting.detail.startswith("the model API, until ")
    assert details.states[3].state == "thinking"


async def test_a_429_that_asks_for_hours_fails_with_the_time(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        details = await on.run(rate_limited(7_200))
        await on.attempts(details)
    assert details.run.status == "failed"
    assert "12:00" in details.run.error
    assert on.clock.slept == []


async def test_a_429_without_retry_after_is_asked_again_after_a_short_wait(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        details = await on.run(rate_limited(), reply("# Later"))
        attempts = await on.attempts(details)
    assert details.run.status == "completed"
    assert attempts[0].http_status == 429
    assert len(on.clock.slept) == 1
    assert on.clock.slept[0] <= 30


async def test_a_spending_limit_is_not_waited_for(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        details = await on.run(spend_limit())
        attempts = await on.attempts(details)
    assert details.run.status == "failed"
    assert len(attempts) == 1


@pytest.mark.parametrize(
    "broken",
    [
        overloaded(),
        error_event(reply("half"), after=3),
        cut(reply("half"), after=3),
        reset(reply("half"), after=3),
        stalled(reply("half"), after=3),
    ],
    ids=["529", "overload inside a 200 stream", "cut stream", "reset stream", "stalled stream"],
)
async def test_a_broken_reply_is_never_an_answer_and_is_asked_for_again(
    tmp_path: Path, broken: Answer
) -> None:
    async with stage(tmp_path) as on:
        details = await on.run(broken, reply("# Whole"))
        attempts = await on.attempts(details)
    assert (details.run.status, details.run.report) == ("completed", "# Whole")
    assert [attempt.state for attempt in attempts] == ["failed", "done"]


@pytest.mark.req("R014", "R116")
async def test_five_attempts_and_no_more(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        details = await on.run(*[overloaded()] * 5)
        attempts = await on.attempts(details)
    assert len(attempts) == 5
    assert details.run.status == "failed"
    assert details.states[-1].error == details.run.error != ""


async def test_a_wrong_key_fails_at_once(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        details = await on.run(http_error(401, "invalid x-api-key"))
        await on.attempts(details)
    assert details.run.status == "failed"
    assert "key" in details.run.error


@pytest.mark.req("R166")
async def test_a_stop_hangs_up_and_books_an_estimate(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        on.api.script(stalled(reply("a long report " * 50), after=20))
        run = await on.manager.start(TOPIC)
        seen = await on.api.received(1)
        await seen.is_halfway.wait()
        stopped = await on.manager.stop(run.id, by="ann")
        await seen.hung_up.wait()
        (attempt,) = await on.attempts(await ended(on.manager, run.id))
    assert (stopped.status, stopped.error) == ("stopped", "stopped by ann")
    assert attempt.state == "lost"
    assert attempt.usage.is_estimate
    assert attempt.usage.prompt_tokens > 0
    assert stopped.cost_usd == pytest.approx(attempt.usage.cost_usd)


async def test_parallel_tool_calls_are_answered_in_order_in_one_turn(tmp_path: Path) -> None:
    both = said(text("two"), use("note", {"text": "one"}), use("note", {"text": "two"}))
    async with stage(tmp_path) as on:
        await on.run(both, reply("# Done"))
    results = on.api.requests[1].body["messages"][2]["content"]
    assert [result["content"][0]["text"] for result in results] == ["noted: one", "noted: two"]


async def test_most_of_a_long_conversation_is_read_from_the_cache(tmp_path: Path) -> None:
    calls = [tool_call("note", {"text": f"plain {n} " + "long " * 800}) for n in range(6)]
    async with stage(tmp_path) as on:
        details = await on.run(*calls, reply("# Done"))
        attempts = await on.attempts(details)
    seventh = attempts[6].usage
    assert seventh.cache_read_tokens / seventh.prompt_tokens > 0.8
