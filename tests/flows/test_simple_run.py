"""A research from the request to the report: what is stored, in which order, whatever happens."""

import asyncio

import pytest

from engine.domain.blocks import text_block
from engine.domain.errors import NotFound, ProviderError, Refused, UserError
from engine.domain.events import Event, RunEnded, StateEntered, UsageChanged
from engine.domain.exchange import Reply, Request
from engine.domain.run import RunFilter, StartRequest
from engine.domain.usage import Usage
from engine.llm.model import OnProgress
from engine.store import journal
from tests.fakes.models import ScriptedModel, text_reply, tool_reply
from tests.flows.conftest import House, ended, run_to_end

SPENT = Usage(input_tokens=1_000_000, output_tokens=100_000)
TOPIC = StartRequest("How deep is the lake?", "ann", model="claude-sonnet-5-5")


def asks(text: str = "plain") -> Reply:
    reply = tool_reply("note", {"text": text})
    return Reply(reply.content, reply.stop_reason, SPENT, reply.model)


class Waiting:
    """A model that answers when it is told to; `asked` says that it was."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self.asked = asyncio.Event()
        self.go_on = asyncio.Event()
        self.requests: list[Request] = []

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        self.requests.append(request)
        self.asked.set()
        await self.go_on.wait()
        return self._replies.pop(0)


@pytest.mark.req("R087", "R089", "R091", "R093", "R096", "R110", "R111", "R113", "R198", "R201")
async def test_a_run_is_stored_from_its_first_state_to_its_report(house: House) -> None:
    async with house.open(ScriptedModel([asks(), text_reply("# Deep", SPENT)])) as manager:
        run = await manager.start(TOPIC)
        assert (run.status, run.state, run.finished_at) == ("running", "starting", None)
        assert (run.steps, run.tool_calls, run.cost_usd) == (0, 0, 0)
        details = await ended(manager, run.id)
    told = [(state.seq, state.state, state.step, state.detail) for state in details.states]
    assert told == [
        (1, "starting", 0, ""),
        (2, "thinking", 1, "step 1 of 20"),
        (3, "using_tool", 1, "note"),
        (4, "thinking", 2, "step 2 of 20"),
        (5, "completed", 0, ""),
    ]
    run = details.run
    assert (run.status, run.state, run.report, run.error) == (
        "completed",
        "completed",
        "# Deep",
        "",
    )
    assert (run.steps, run.tool_calls) == (2, 1)
    assert (run.input_tokens, run.output_tokens) == (2_000_000, 200_000)
    assert run.cost_usd == pytest.approx(2 * (2.0 + 1.0))


@pytest.mark.req("R097", "R098", "R114")
async def test_states_are_ended_once_with_milliseconds_and_none_stays_open(house: House) -> None:
    async with house.open(ScriptedModel([asks(), text_reply("done")])) as manager:
        details = await run_to_end(manager, TOPIC)
    assert all(state.finished_at for state in details.states)
    assert all(
        state.started_at.endswith("Z") and "." in state.started_at for state in details.states
    )
    assert details.run.state == details.states[-1].state


@pytest.mark.req("R112")
async def test_no_tool_in_step_one_is_starting_thinking_completed(house: House) -> None:
    async with house.open(ScriptedModel([text_reply("known")])) as manager:
        details = await run_to_end(manager, TOPIC)
    assert [state.state for state in details.states] == ["starting", "thinking", "completed"]


@pytest.mark.req("R109", "R111")
async def test_all_steps_used_ends_with_writing_report(house: House) -> None:
    request = StartRequest("topic", "ann", max_steps=2)
    async with house.open(ScriptedModel([asks(), text_reply("done")])) as manager:
        details = await run_to_end(manager, request)
    last = details.states[-2]
    assert last.state == "writing_report"
    assert last.detail.startswith("step 2 of 2, the last: ")


@pytest.mark.req("R115", "R108")
async def test_a_failing_tool_marks_its_state_and_the_run_completes(house: House) -> None:
    async with house.open(ScriptedModel([asks("fail"), text_reply("done")])) as manager:
        details = await run_to_end(manager, TOPIC)
    assert details.run.status == "completed"
    assert details.states[2].error == "there is no paper left"


@pytest.mark.req("R116", "R088")
async def test_a_failed_model_call_marks_the_state_and_the_run(house: House) -> None:
    broken = ProviderError("auth", "the key was refused (401)")
    async with house.open(ScriptedModel([asks(), broken])) as manager:
        details = await run_to_end(manager, TOPIC)
    thinking, failed = details.states[-2:]
    assert (thinking.state, failed.state) == ("thinking", "failed")
    assert "the key was refused" in thinking.error
    assert thinking.error == failed.error == details.run.error
    assert details.run.report == ""


@pytest.mark.req("R017")
async def test_a_run_without_text_fails_and_says_so(house: House) -> None:
    async with house.open(ScriptedModel([text_reply("  ")])) as manager:
        details = await run_to_end(manager, TOPIC)
    assert details.run.error == "the agent ended without a report"


@pytest.mark.req("R541")
async def test_every_step_call_and_attempt_is_in_the_journal(house: House) -> None:
    model = ScriptedModel([asks("hello"), text_reply("done", SPENT)])
    async with house.open(model) as manager:
        details = await run_to_end(manager, TOPIC)
        async with manager.database.reading() as reader:
            steps = await journal.steps(reader, details.run.id)
            calls = await journal.calls(reader, details.run.id)
            attempts = await journal.attempts(reader, details.run.id)
    assert [step.content for step in steps] == [asks("hello").content, (text_block("done"),)]
    assert [(call.name, call.result, call.url) for call in calls] == [
        ("note", "noted: hello", "note://1")
    ]
    assert [(attempt.state, attempt.step) for attempt in attempts] == [("done", 1), ("done", 2)]
    assert len(model.requests) == len(attempts)
    assert sum(attempt.usage.cost_usd for attempt in attempts) == pytest.approx(
        details.run.cost_usd
    )


@pytest.mark.req("R080", "R199", "R200")
async def test_events_tell_each_state_after_it_is_stored(house: House) -> None:
    seen: list[Event] = []
    model = ScriptedModel([asks(), text_reply("done")])
    async with house.open(model) as manager, manager.watch() as events:
        run = await manager.start(TOPIC)
        async for event in events:
            if isinstance(event, StateEntered):
                stored = await manager.get(run.id)
                assert event.seq <= len(stored.states)
            seen.append(event)
            if isinstance(event, RunEnded):
                break
    entered = [event.state for event in seen if isinstance(event, StateEntered)]
    assert entered == ["starting", "thinking", "using_tool", "thinking", "completed"]
    costs = [event.steps for event in seen if isinstance(event, UsageChanged)]
    assert costs == sorted(costs)
    assert costs[-1] == 2


@pytest.mark.req("R166", "R167", "R170", "R533")
async def test_a_stop_interrupts_the_call_and_leaves_no_report(house: House) -> None:
    model = Waiting(text_reply("never"))
    async with house.open(model) as manager:
        run = await manager.start(TOPIC)
        await model.asked.wait()
        stopped = await manager.stop(run.id, by="the admin UI")
        assert (stopped.status, stopped.error, stopped.report) == (
            "stopped",
            "stopped by the admin UI",
            "",
        )
        with pytest.raises(Refused, match=r"agent 1 has ended \(stopped\)"):
            await manager.stop(run.id, by="ann")
        async with manager.database.reading() as reader:
            (attempt,) = await journal.attempts(reader, run.id)
    assert attempt.state == "lost"


async def test_a_wrap_up_writes_the_report_with_the_next_call(house: House) -> None:
    model = Waiting(asks(), text_reply("what I have"))
    async with house.open(model) as manager:
        run = await manager.start(TOPIC)
        await model.asked.wait()
        asked = await manager.wrap_up(run.id, by="ann")
        assert asked.wrap_up_by == "ann"
        model.go_on.set()
        details = await ended(manager, run.id)
    assert (details.run.status, details.run.report) == ("completed", "what I have")
    assert details.run.stop_reason == "wrap_up"
    assert model.requests[1].tool_choice.kind == "none"
    assert details.states[-2].state == "writing_report"
    assert "wrap up" in details.states[-2].detail


async def test_a_reached_cost_cap_makes_the_next_call_the_last_and_is_said(house: House) -> None:
    request = StartRequest("topic", "ann", model="claude-sonnet-5-5", max_cost_usd=2.5)
    async with house.open(ScriptedModel([asks(), text_reply("so far")])) as manager:
        details = await run_to_end(manager, request)
    assert details.run.status == "completed"
    assert details.run.report == (
        "so far\n\n*Stopped early: the cost cap of this research ($2.50) was reached, so this "
        "report is based on what had been gathered until then and may be incomplete.*"
    )
    assert details.run.stop_reason == "cap:research"
    assert "early" in details.states[-2].detail


async def test_what_ended_a_run_early_is_told_with_its_end(house: House) -> None:
    request = StartRequest("topic", "ann", model="claude-sonnet-5-5", max_cost_usd=2.5)
    async with house.open(ScriptedModel([asks(), text_reply("so far")])) as manager:
        async with manager.watch() as events:
            await manager.start(request)
            end = await anext(event async for event in events if isinstance(event, RunEnded))
        listed = (await manager.list(RunFilter())).runs[0]
    assert end.stop_reason == listed.stop_reason == "cap:research"


async def test_a_wrap_up_that_came_too_late_ended_nothing_early(house: House) -> None:
    model = Waiting(text_reply("all of it"))
    async with house.open(model) as manager:
        run = await manager.start(TOPIC)
        await model.asked.wait()
        await manager.wrap_up(run.id, by="ann")
        model.go_on.set()
        details = await ended(manager, run.id)
    assert (details.run.report, details.run.stop_reason) == ("all of it", "")


async def test_a_run_that_failed_at_its_last_call_has_no_stop_reason(house: House) -> None:
    request = StartRequest("topic", "ann", model="claude-sonnet-5-5", max_cost_usd=2.5)
    failing = ScriptedModel([asks(), ProviderError("auth", "no")])
    async with house.open(failing) as manager:
        details = await run_to_end(manager, request)
    assert (details.run.status, details.run.stop_reason) == ("failed", "")


async def test_a_run_that_was_wrapped_up_is_replayed_as_such(house: House) -> None:
    model = Waiting(asks(), text_reply("what I have"))
    async with house.open(model) as manager:
        run = await manager.start(TOPIC)
        await model.asked.wait()
        await manager.wrap_up(run.id, by="ann")
        model.go_on.set()
        await ended(manager, run.id)
        again = await run_to_end(manager, StartRequest("", "ann", model="recorded:1"))
    assert (again.run.report, again.run.stop_reason) == ("what I have", "wrap_up")


async def test_a_capped_run_is_replayed_with_its_last_sentence(house: House) -> None:
    request = StartRequest("topic", "ann", model="claude-sonnet-5-5", max_cost_usd=2.5)
    async with house.open(ScriptedModel([asks(), text_reply("so far")])) as manager:
        first = await run_to_end(manager, request)
        again = await run_to_end(manager, StartRequest("", "ann", model="recorded:1"))
    assert "Stopped early" in first.run.report
    assert again.run.report == first.run.report
    assert again.run.stop_reason == first.run.stop_reason == "cap:research"


@pytest.mark.req("R022", "R124")
async def test_at_most_three_agents_of_a_user_work_at_once(house: House) -> None:
    model = Waiting(*[text_reply("done")] * 4)
    async with house.open(model) as manager:
        for _ in range(3):
            await manager.start(TOPIC)
        with pytest.raises(Refused, match="you already have 3 agents working"):
            await manager.start(TOPIC)
        await manager.start(StartRequest("topic", "bob"))
        model.go_on.set()
        await manager.idle()
        assert (await manager.counts()).by_status == {"completed": 4}


@pytest.mark.req("R137", "R129", "R130")
async def test_a_user_sees_only_their_own_runs(house: House) -> None:
    async with house.open(ScriptedModel([text_reply("a"), text_reply("b")])) as manager:
        first = await run_to_end(manager, TOPIC)
        second = await run_to_end(manager, StartRequest("topic", "bob"))
        with pytest.raises(NotFound, match="no run 2"):
            await manager.get(second.run.id, user="ann")
        page = await manager.list(RunFilter(user="ann"))
        assert [run.id for run in page.runs] == [first.run.id]
        assert len((await manager.list(RunFilter())).runs) == 2


async def test_every_problem_of_a_request_is_told_and_nothing_is_written(house: House) -> None:
    async with house.open(ScriptedModel([])) as manager:
        with pytest.raises(UserError) as told:
            await manager.start(StartRequest("", "ann", max_steps=50))
        assert len(told.value.problems) == 2
        assert (await manager.list(RunFilter())).runs == ()


@pytest.mark.req("R043", "R125")
async def test_without_a_key_only_the_offline_model_may_start(house: House) -> None:
    house.key = ""
    async with house.open(ScriptedModel([])) as manager:
        with pytest.raises(UserError, match="--model offline"):
            await manager.start(TOPIC)


@pytest.mark.req("R204")
async def test_closing_the_engine_ends_its_runs_as_interrupted(house: House) -> None:
    model = Waiting(asks(), text_reply("never"))
    async with house.open(model) as manager:
        run = await manager.start(TOPIC)
        await model.asked.wait()
        model.go_on.set()
    async with house.open(model) as manager:
        details = await manager.get(run.id)
    assert (details.run.status, details.run.error) == ("failed", "interrupted")
    assert details.states[-1].state == "failed"


@pytest.mark.req("R081")
async def test_a_model_without_a_price_counts_nothing(house: House) -> None:
    async with house.open(ScriptedModel([asks(), text_reply("done", SPENT)])) as manager:
        details = await run_to_end(manager, StartRequest("topic", "ann", model="nobody-knows-me"))
    assert details.run.cost_usd == 0
    assert details.states[0].detail == "no price is known for nobody-knows-me: it counts as $0"
    assert details.run.input_tokens == 2_000_000


async def test_a_recorded_run_ends_with_the_same_report_for_nothing(house: House) -> None:
    model = ScriptedModel([asks("hello"), asks("fail"), text_reply("# The report", SPENT)])
    async with house.open(model) as manager:
        first = await run_to_end(manager, TOPIC)
        request = StartRequest("", "ann", model=f"recorded:{first.run.id}")
        again = await run_to_end(manager, request)
    assert again.run.report == first.run.report
    assert again.run.topic == first.run.topic
    assert (again.run.cost_usd, again.run.steps) == (0, first.run.steps)
    assert [state.state for state in again.states] == [state.state for state in first.states]


async def test_a_caller_that_goes_away_while_starting_leaves_a_run_that_is_worked_on(
    house: House,
) -> None:
    async with house.open(ScriptedModel([text_reply("done")])) as manager:
        async with asyncio.TaskGroup() as group:
            starting = group.create_task(manager.start(TOPIC))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            starting.cancel()
        await manager.idle()
        for run in (await manager.list(RunFilter())).runs:
            assert run.status == "completed"
