"""The bridge: calls go to the engine's thread, events come back, and nothing makes it wait."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from engine.api import (
    CannotStart,
    Engine,
    EngineUnreachable,
    Event,
    NotFound,
    ReplyDelta,
    Resync,
    RunFilter,
    RunId,
    RunStarted,
    StartRequest,
)
from gligabao_tui.bridge import EVENTS_MOST, Bridge, EngineCalls
from tests.fakes.engine import FakeEngine


class Ends:
    """What the bridge told of its end, and how often it woke the screen."""

    def __init__(self) -> None:
        self.errors: list[BaseException | None] = []
        self.wakes = 0

    def ended(self, error: BaseException | None) -> None:
        self.errors.append(error)

    def wake(self) -> None:
        self.wakes += 1


def bridge_to(opener: Callable[[], object], ends: Ends) -> Bridge:
    return Bridge(opener, wake=ends.wake, ended=ends.ended)  # type: ignore[arg-type]  # any opener


@asynccontextmanager
async def opened(engine: FakeEngine, ends: Ends | None = None) -> AsyncIterator[Bridge]:
    bridge = bridge_to(engine.opened, ends or Ends())
    await bridge.open()
    yield bridge
    await bridge.close()


async def thread_of(_: Engine) -> str:
    return threading.current_thread().name


async def test_the_engine_works_in_a_thread_of_its_own() -> None:
    async with opened(FakeEngine()) as bridge:
        assert (await bridge.call(thread_of)).startswith("engine")


async def test_the_engine_is_open_until_the_bridge_is_closed() -> None:
    engine, ends = FakeEngine(), Ends()
    async with opened(engine, ends):
        open_while = engine.is_open
    assert (open_while, engine.is_open, ends.errors) == (True, False, [None])


async def test_every_call_of_the_protocol_is_answered() -> None:
    engine = FakeEngine()
    async with opened(engine) as bridge:
        calls = EngineCalls(lambda: bridge)
        run = await calls.start(StartRequest("Rivers", "admin"))
        assert (await calls.get(run.id)).run == run
        assert (await calls.list(RunFilter())).runs == (run,)
        assert (await calls.counts()).by_status == {"running": 1}
        assert (await calls.wrap_up(run.id, by="ann")).wrap_up_by == "ann"
        assert (await calls.stop(run.id, by="ann")).error == "stopped by ann"
        assert (await calls.agents())[0].name == "default"
        assert (await calls.read("nowhere")).error
        assert (await calls.doctor())[0].status == "ok"
        engine.runs[run.id] = replace(run, report="# Rivers")
        assert await calls.report(run.id) == "# Rivers"


async def test_an_error_of_the_engine_reaches_the_caller_and_nobody_else() -> None:
    async with opened(FakeEngine()) as bridge:
        calls = EngineCalls(lambda: bridge)
        with pytest.raises(NotFound):
            await calls.get(RunId(9))
        assert (await calls.counts()).by_status == {}


async def test_what_keeps_the_engine_from_opening_is_raised() -> None:
    may_open = False

    @asynccontextmanager
    async def refuses() -> AsyncIterator[Engine]:
        if not may_open:
            raise CannotStart("the config is broken")
        yield FakeEngine()

    bridge = bridge_to(refuses, Ends())
    with pytest.raises(CannotStart, match="broken"):
        await bridge.open()
    await bridge.close()
    with pytest.raises(EngineUnreachable):
        await bridge.call(thread_of)


async def test_a_bridge_that_was_never_opened_can_be_closed() -> None:
    bridge = bridge_to(FakeEngine().opened, Ends())
    await bridge.close()
    bridge.close_now()
    with pytest.raises(EngineUnreachable):
        await bridge.call(thread_of)


async def test_events_are_handed_over_in_order_and_the_screen_is_woken_once() -> None:
    engine, ends = FakeEngine(), Ends()
    async with opened(engine, ends) as bridge:
        run_id = engine.begin("Rivers")
        engine.say(run_id, "Hello")
        await bridge.call(lambda _: engine.delivered())
        events = bridge.drain()
        assert [type(event) for event in events] == [RunStarted, ReplyDelta]
        assert ends.wakes == 1
        assert bridge.drain() == ()
        engine.say(run_id, "again")
        await bridge.call(lambda _: engine.delivered())
        assert ends.wakes == 2


async def test_a_screen_that_does_not_drain_is_told_to_read_again() -> None:
    engine = FakeEngine()
    async with opened(engine) as bridge:
        run_id = engine.begin("Rivers")
        for _ in range(EVENTS_MOST + 5):
            engine.say(run_id, "x")
        await bridge.call(lambda _: engine.delivered())
        assert bridge.drain() == (Resync(None),)
        assert bridge.drain() == ()


async def test_the_engine_goes_on_while_the_screen_stands_still() -> None:
    """The screen's loop is blocked by the wait; all the work is done meanwhile."""
    engine = FakeEngine()
    async with opened(engine) as bridge:
        run_id = engine.begin("Rivers")
        has_worked = threading.Event()

        async def work(_: Engine) -> None:
            for step in range(500):
                engine.use(run_id, steps=step, cost=0.1)
            await engine.delivered()
            has_worked.set()

        async with asyncio.TaskGroup() as group:
            group.create_task(bridge.call(work))
            await asyncio.sleep(0)
            assert has_worked.wait(timeout=30)
        assert engine.runs[run_id].steps == 499


async def test_an_engine_that_stops_telling_is_lost_and_calls_in_flight_say_so() -> None:
    ends, may_end = Ends(), asyncio.Event()

    @asynccontextmanager
    async def falls_silent() -> AsyncIterator[Engine]:
        yield Silent(may_end)

    async def waits(_: Engine) -> None:
        may_end.set()
        await asyncio.Event().wait()

    bridge = bridge_to(falls_silent, ends)
    await bridge.open()
    with pytest.raises(EngineUnreachable, match="closed meanwhile"):
        await bridge.call(waits)
    await bridge.close()
    assert isinstance(ends.errors[0], EngineUnreachable)


async def test_a_fault_of_the_program_ends_the_engine_and_is_told() -> None:
    ends = Ends()
    bridge = bridge_to(FakeEngine().opened, ends)
    await bridge.open()

    async def faulty(_: Engine) -> None:
        raise AssertionError("this cannot be")

    with pytest.raises(EngineUnreachable):
        await bridge.call(faulty)
    await bridge.close()
    assert isinstance(ends.errors[0], AssertionError)


async def test_an_engine_that_does_not_say_so_owns_its_data() -> None:
    async with opened(FakeEngine(owned=False)) as bridge:
        assert not bridge.owns_data
    assert bridge_to(FakeEngine().opened, Ends()).owns_data


class Silent(FakeEngine):
    """Tells nothing, and at last not even that."""

    def __init__(self, may_end: asyncio.Event) -> None:
        super().__init__()
        self._may_end = may_end

    @asynccontextmanager
    async def watch(self, run_id: RunId | None = None) -> AsyncIterator[AsyncIterator[Event]]:
        yield self._nothing()

    async def _nothing(self) -> AsyncIterator[Event]:
        await self._may_end.wait()
        for event in list[Event]():
            yield event
