"""Whatever happens at its end, a run ends once, whole, and as its rows say."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from engine.domain.errors import Refused, StoreError
from engine.domain.events import Event, RunEnded, StateEntered, event_id
from engine.domain.exchange import Reply, Request
from engine.domain.run import RunDetails, RunId, StartRequest
from engine.domain.timing import Timing
from engine.domain.usage import Usage
from engine.llm.model import OnProgress
from engine.manager.manager import Manager
from engine.store import journal
from engine.store.journal import StoredAttempt
from tests.engine.manager.conftest import Bureau, StandingClock
from tests.fakes.models import ScriptedModel, text_reply, tool_reply

TOPIC = StartRequest("How deep is the lake?", "ann", model="claude-sonnet-5-5")
SPENT = Usage(input_tokens=1_000_000, output_tokens=100_000)


class Silent:
    """A model that is asked and never answers."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError("nobody wakes it")


def asks() -> Reply:
    reply = tool_reply("note", {"text": "plain"})
    return Reply(reply.content, reply.stop_reason, SPENT, reply.model)


async def attempts_of(manager: Manager, run_id: RunId) -> tuple[StoredAttempt, ...]:
    async with manager.database.reading() as reader:
        return await journal.attempts(reader, run_id)


async def ended(manager: Manager, run_id: RunId) -> RunDetails:
    await manager.idle()
    return await manager.get(run_id)


CREATED, FIRST_ATTEMPT, FIRST_CALL = 1, 2, 3
"""The writes of a run, counted from 1: its row, its first model call, its first tool call."""


async def test_a_stop_while_an_attempt_is_booked_leaves_no_attempt_open(bureau: Bureau) -> None:
    async with bureau.open(Silent()) as manager, asyncio.TaskGroup() as group:
        booking = bureau.database.hold(FIRST_ATTEMPT)
        run = await manager.start(TOPIC)
        await booking.reached.wait()
        stopping = group.create_task(manager.stop(run.id, by="ann"))
        await until_cut_off(manager, times=1)
        booking.let_go()
        assert (await stopping).status == "stopped"
        (attempt,) = await attempts_of(manager, run.id)
    assert (attempt.state, attempt.reserved_usd) == ("lost", 0)


async def test_a_second_stop_waits_for_the_end_too(bureau: Bureau) -> None:
    model = Silent()
    async with bureau.open(model) as manager, asyncio.TaskGroup() as group:
        ending = bureau.database.hold(FIRST_ATTEMPT + 1)
        run = await manager.start(TOPIC)
        await model.asked.wait()
        stops = [group.create_task(manager.stop(run.id, by="ann"))]
        await ending.reached.wait()
        stops.append(group.create_task(manager.stop(run.id, by="bob")))
        await until_cut_off(manager, times=2)
        ending.let_go()
        told = [await stop for stop in stops]
    assert [(run.status, run.error) for run in told] == [("stopped", "stopped by ann")] * 2


async def test_closing_does_not_lose_a_report_that_is_being_written(bureau: Bureau) -> None:
    bureau.timing = Timing(closing_calls=0.01)
    async with bureau.open(ScriptedModel([text_reply("# Deep")])) as manager:
        report = bureau.database.hold(FIRST_ATTEMPT + 1)
        run = await manager.start(TOPIC)
        await report.reached.wait()
        asyncio.get_running_loop().call_later(0.1, report.let_go)
    async with bureau.open(Silent()) as manager:
        assert (await manager.get(run.id)).run.report == "# Deep"


async def test_a_stop_that_comes_too_late_says_how_the_run_has_ended(bureau: Bureau) -> None:
    async with bureau.open(ScriptedModel([text_reply("# Deep")])) as manager:
        report = bureau.database.hold(FIRST_ATTEMPT + 1)
        run = await manager.start(TOPIC)
        await report.reached.wait()
        asyncio.get_running_loop().call_later(0.05, report.let_go)
        with pytest.raises(Refused, match=r"agent 1 has ended \(completed\)"):
            await manager.stop(run.id, by="ann")


async def test_a_run_that_is_created_while_the_engine_closes_is_interrupted(
    bureau: Bureau,
) -> None:
    async with asyncio.TaskGroup() as group:
        async with bureau.open(Silent()) as manager:
            creation = bureau.database.hold(CREATED)
            starting = group.create_task(manager.start(TOPIC))
            await creation.reached.wait()
            asyncio.get_running_loop().call_later(0.05, creation.let_go)
        run = await starting
    async with bureau.open(Silent()) as manager:
        details = await manager.get(run.id)
    assert (details.run.status, details.run.error) == ("failed", "interrupted")
    assert details.run.finished_at is not None


async def test_a_store_that_fails_for_a_while_loses_nothing_of_the_run(bureau: Bureau) -> None:
    async with bureau.open(ScriptedModel([asks()])) as manager, manager.watch() as events:
        bureau.database.fail(FIRST_CALL, FIRST_CALL + 1)
        run = await manager.start(TOPIC)
        details = await ended(manager, run.id)
        (attempt,) = await attempts_of(manager, run.id)
        told = await all_until_the_end(events)
    assert details.run.status == "failed"
    assert "the disk is full" in details.run.error
    assert (attempt.state, attempt.usage.input_tokens) == ("done", 1_000_000)
    assert (details.run.steps, details.run.input_tokens) == (1, 1_000_000)
    assert told == [state.seq for state in details.states]


async def test_what_cannot_be_stored_at_all_is_never_told(bureau: Bureau) -> None:
    async with bureau.open(ScriptedModel([asks()])) as manager, manager.watch() as events:
        bureau.database.fail(*range(FIRST_CALL, FIRST_CALL + 10))
        run = await manager.start(TOPIC)
        details = await ended(manager, run.id)
        (attempt,) = await attempts_of(manager, run.id)
        told = await all_until_the_end(events)
    assert details.run.status == "failed"
    assert attempt.state == "lost"
    assert told == [state.seq for state in details.states]


async def test_an_end_that_cannot_be_written_is_written_when_it_can(bureau: Bureau) -> None:
    async with bureau.open(ScriptedModel([text_reply("# Deep")])) as manager:
        bureau.database.fail(*range(FIRST_ATTEMPT + 1, FIRST_ATTEMPT + 30))
        async with manager.watch() as events:
            run = await manager.start(TOPIC)
            await all_until_the_end(events)
        details = await ended(manager, run.id)
    assert (details.run.status, details.run.report) == ("completed", "# Deep")
    assert bureau.clock.slept


async def test_a_stop_gives_up_writing_an_end_that_cannot_be_written(bureau: Bureau) -> None:
    bureau.clock = clock = StandingClock()
    async with bureau.open(ScriptedModel([text_reply("# Deep")])) as manager:
        bureau.database.fail(*range(FIRST_ATTEMPT + 1, 100))
        run = await manager.start(TOPIC)
        await clock.asked.wait()
        with pytest.raises(StoreError, match="the end of run 1 could not be stored"):
            await manager.stop(run.id, by="ann")
        await manager.idle()


@pytest.mark.parametrize("place", ["9" * 5_000, "9" * 25, str(2**63)], ids=len)
async def test_a_report_with_absurd_places_ends_its_own_run_only(
    bureau: Bureau, place: str
) -> None:
    report = f'"quoted" [1](http://example.com/#chars=1-{place})'
    async with bureau.open(ScriptedModel([text_reply(report)])) as manager:
        run = await manager.start(TOPIC)
        details = await ended(manager, run.id)
    assert (details.run.status, details.run.report) == ("completed", report)


async def until_cut_off(manager: Manager, *, times: int) -> None:
    """Returns when the only run has been cancelled so often."""
    (runner,) = manager._runners.values()
    while runner._task.cancelling() < times:  # noqa: ASYNC110 - a task tells nobody of it
        await asyncio.sleep(0)


async def all_until_the_end(events: AsyncIterator[Event]) -> list[int]:
    """The numbers of the states that were told as entered."""
    told: list[int] = []
    async for event in events:
        if isinstance(event, StateEntered):
            told.append(event.seq)
        if isinstance(event, RunEnded):
            assert event_id(event) == f"{event.run_id}:{told[-1]}"
            return told
    raise AssertionError("the end was never told")
