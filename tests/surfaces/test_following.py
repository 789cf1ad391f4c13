"""A run is told from its beginning to its end, each state once, whatever was missed."""

from contextlib import aclosing

import pytest

from engine.domain.errors import NotFound
from engine.domain.events import (
    Event,
    ReplyDelta,
    Resync,
    RunEnded,
    RunStarted,
    StateEnded,
    StateEntered,
)
from engine.domain.run import RunId
from gligabao_tui.headless.following import following
from tests.fakes.engine import FakeEngine


class Forgetful(FakeEngine):
    """Stores what is scripted, and tells nobody while `is_deaf`."""

    is_deaf = False

    def emit(self, event: Event) -> None:
        if not self.is_deaf:
            super().emit(event)


@pytest.fixture
def engine() -> Forgetful:
    return Forgetful()


@pytest.fixture
def run_id(engine: Forgetful) -> RunId:
    """A run that has thought once and is searching."""
    run_id = engine.begin("topic")
    engine.enter(run_id, "thinking", "step 1 of 20")
    engine.enter(run_id, "searching", "lake", error="slow")
    return run_id


def told(events: list[Event]) -> list[str]:
    """States as they were entered (`3 searching`) and ended (`-3`), and the rest by name."""
    words = []
    for event in events:
        match event:
            case StateEntered(seq=seq, state=state):
                words.append(f"{seq} {state}")
            case StateEnded(seq=seq):
                words.append(f"-{seq}")
            case _:
                words.append(type(event).__name__)
    return words


async def test_an_ended_run_is_told_whole(engine: Forgetful, run_id: RunId) -> None:
    engine.use(run_id, steps=1, cost=0.1)
    engine.complete(run_id, "# R")
    async with following(engine, run_id, user="admin") as events:
        seen = [event async for event in events]
    assert told(seen) == [
        *("RunStarted", "1 starting", "-1", "2 thinking", "-2", "3 searching", "-3"),
        *("4 completed", "UsageChanged", "ReportReady", "RunEnded"),
    ]
    assert isinstance(seen[0], RunStarted)
    assert next(event.error for event in seen if isinstance(event, StateEnded) and event.error)


async def test_what_happens_is_told_after_what_has_happened(
    engine: Forgetful, run_id: RunId
) -> None:
    async with following(engine, run_id, user="admin") as events:
        seen = [await anext(events) for _ in range(6)]
        engine.enter(run_id, "thinking", "step 2 of 20")
        engine.say(run_id, "Hm")
        engine.complete(run_id, "# R")
        seen += [event async for event in events]
    assert told(seen) == [
        *("RunStarted", "1 starting", "-1", "2 thinking", "-2", "3 searching"),
        *("-3", "4 thinking", "ReplyDelta", "ReportReady", "-4", "RunEnded"),
    ]


async def test_what_is_announced_while_the_past_is_read_is_told_once(
    engine: Forgetful, run_id: RunId
) -> None:
    async with following(engine, run_id, user="admin") as events:
        for state in engine.states[run_id]:
            engine.emit(
                StateEntered(run_id, state.seq, state.state, state.step, "", state.started_at)
            )
        engine.end(run_id, "stopped", "stopped by ann")
        seen = [event async for event in events]
    assert told(seen).count("3 searching") == 1
    assert told(seen)[-1] == "RunEnded"


async def test_what_was_lost_is_read_from_the_store(engine: Forgetful, run_id: RunId) -> None:
    async with following(engine, run_id, user="admin") as events:
        seen = [await anext(events) for _ in range(6)]
        engine.is_deaf = True
        engine.enter(run_id, "thinking", "step 2 of 20")
        engine.enter(run_id, "reading", "page")
        engine.is_deaf = False
        engine.emit(Resync(run_id))
        engine.enter(run_id, "thinking", "step 3 of 20")
        engine.end(run_id, "failed", "no")
        seen += [event async for event in events]
    states = [word for word in told(seen) if word[0].isdigit()]
    assert states == [
        *("1 starting", "2 thinking", "3 searching", "4 thinking", "5 reading", "6 thinking"),
        "7 failed",
    ]
    assert "Resync" not in told(seen)


async def test_an_end_that_was_lost_ends_it_too(engine: Forgetful, run_id: RunId) -> None:
    async with following(engine, run_id, user="admin") as events:
        await anext(events)
        engine.is_deaf = True
        engine.end(run_id, "stopped", "stopped by ann")
        engine.is_deaf = False
        engine.emit(Resync(run_id))
        seen = [event async for event in events]
    end = seen[-1]
    assert isinstance(end, RunEnded)
    assert (end.status, end.error) == ("stopped", "stopped by ann")


async def test_a_run_that_is_not_there_is_not_found_on_entering(engine: Forgetful) -> None:
    with pytest.raises(NotFound):
        async with following(engine, RunId(9), user="admin"):
            pass


async def test_leaving_in_the_middle_leaves_no_reader(engine: Forgetful, run_id: RunId) -> None:
    async with following(engine, run_id, user="admin") as events, aclosing(events):  # type: ignore[type-var]  # a generator
        assert not isinstance(await anext(events), ReplyDelta)
    assert engine._readers == []
