"""Owner or joined: who gets the lock, who joins, and what happens when the owner goes."""

import asyncio
import os
import stat
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TypeAlias

import pytest

from engine.domain.errors import CannotStart, EngineUnreachable, NotFound, StoreError
from engine.domain.events import Resync, RunEnded
from engine.domain.run import RunId, StartRequest
from engine.domain.timing import Timing
from engine.remote.keeper import Opener, OwnedEngine, Pace
from engine.remote.lock import OwnerLock
from engine.remote.server import serve_engine
from engine.remote.session import AttachedEngine, Session, attach
from tests.engine.remote.small_engine import SmallEngine
from tests.fakes.clock import FakeClock

REQUEST = StartRequest("topic", "ann")
Ask: TypeAlias = Callable[[AttachedEngine], Awaitable[object]]


class Machine:
    """One data directory, and the one engine that every owner of it opens."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.engine = SmallEngine()
        self.clock = FakeClock()

    def process(self, *, stay: bool = True, opener: Opener | None = None) -> Session:
        """What another process would do; all of them share the clock."""
        opener = opener or self.engine.opener()
        pace = Pace(self.clock, Timing(owner_call=5))
        return attach(self.data_dir, opener, stay=stay, pace=pace)

    def guest(self) -> Session:
        """A process that never owns anything."""
        return attach(self.data_dir, None, stay=False, pace=Pace(self.clock, Timing(owner_call=5)))


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "data")


async def test_the_first_owns_and_the_second_joins_and_sees_the_same(machine: Machine) -> None:
    async with machine.process() as owner, machine.process() as joined:
        assert (owner.owned, joined.owned) == (True, False)
        run = await joined.start(REQUEST)
        assert await owner.get(run.id) == await joined.get(run.id)
        await owner.stop(run.id, by="ann")
    assert machine.engine.calls.count("opened") == 1


async def test_who_only_joins_sees_the_same_and_leaves_the_lock_alone(machine: Machine) -> None:
    with pytest.raises(EngineUnreachable, match="no process that could be joined"):
        async with machine.guest():
            pass
    async with machine.process() as owner, machine.guest() as guest:
        run = await guest.start(REQUEST)
        assert (owner.owned, guest.owned) == (True, False)
        await owner.stop(run.id, by="ann")
    assert OwnerLock.try_acquire(machine.data_dir / "engine.lock") is not None


async def test_who_only_joins_follows_the_next_owner_and_becomes_none(machine: Machine) -> None:
    async with AsyncExitStack() as staying:
        async with machine.process():
            guest = await staying.enter_async_context(machine.guest())
        async with machine.process() as owner:
            run = await owner.start(REQUEST)
            assert (await guest.get(run.id)).run.status == "running"
            assert not guest.owned
            await owner.stop(run.id, by="ann")


async def test_the_data_directory_is_made_for_its_owner_alone(machine: Machine) -> None:
    async with machine.process():
        assert stat.S_IMODE(machine.data_dir.stat().st_mode) == 0o700


async def test_a_data_directory_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CannotStart, match="cannot be made or used"):
        async with Machine(tmp_path / "file" / "data").process():
            pass


async def test_leaving_lets_go_of_the_lock_and_of_the_socket(machine: Machine) -> None:
    async with machine.process():
        pass
    assert {path.name for path in machine.data_dir.iterdir()} == {"engine.lock"}
    async with machine.process() as again:
        assert again.owned


async def test_an_error_of_the_surface_leaves_as_it_is(machine: Machine) -> None:
    with pytest.raises(NotFound, match=r"^no run 7$"):
        async with machine.process() as engine:
            await engine.get(RunId(7))


async def test_an_engine_that_cannot_be_opened_says_why_and_leaves_nothing_behind(
    machine: Machine,
) -> None:
    def broken() -> object:
        raise StoreError("the database is newer than this program")

    with pytest.raises(StoreError, match="newer"):
        async with machine.process(opener=broken):  # type: ignore[arg-type]  # it never opens
            pass
    assert OwnerLock.try_acquire(machine.data_dir / "engine.lock") is not None


async def test_a_fault_while_opening_is_not_swallowed_and_frees_the_lock(machine: Machine) -> None:
    @asynccontextmanager
    async def faulty() -> AsyncIterator[OwnedEngine]:
        if not machine.engine.calls:
            raise ZeroDivisionError
        yield machine.engine

    with pytest.raises(ExceptionGroup) as caught:
        async with machine.process(opener=faulty):
            pass
    assert caught.group_contains(ZeroDivisionError)
    assert OwnerLock.try_acquire(machine.data_dir / "engine.lock") is not None


async def test_a_successor_that_cannot_open_the_data_says_why(machine: Machine) -> None:
    def broken() -> object:
        raise StoreError("the disk is full")

    owner = await _Dying.start(machine)
    async with machine.process(opener=broken) as joined:  # type: ignore[arg-type]  # it never opens
        assert await joined.agents()
        await owner.die()
        with pytest.raises(StoreError, match="the disk is full"):
            await joined.agents()


async def test_a_reading_process_opens_no_socket(machine: Machine) -> None:
    async with machine.process(stay=False) as reader:
        assert reader.owned
        assert {path.name for path in machine.data_dir.iterdir()} == {"engine.lock"}


async def test_a_locked_directory_without_a_socket_is_tried_for_two_seconds(
    machine: Machine,
) -> None:
    async with machine.process(stay=False):
        with pytest.raises(EngineUnreachable, match=f"process {os.getpid()} owns the data"):
            async with machine.process():
                pass
    assert set(machine.clock.slept) == {0.05}
    assert sum(machine.clock.slept) == pytest.approx(2, abs=0.06)


async def test_who_is_turned_away_at_first_gets_in_when_the_holder_leaves(
    machine: Machine,
) -> None:
    holder = machine.process(stay=False)
    await holder.__aenter__()
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(_is_owner(machine.process()))
        while not machine.clock.slept:  # noqa: ASYNC110  # the fake clock tells it, no event does
            await asyncio.sleep(0)
        await holder.__aexit__(None, None, None)
    assert waiting.result()


async def test_an_owner_stays_while_a_run_that_a_joined_process_started_is_worked_on(
    machine: Machine,
) -> None:
    owner = machine.process()
    await owner.__aenter__()
    async with machine.process() as joined:
        run = await joined.start(REQUEST)
        async with joined.watch(run.id) as events, asyncio.TaskGroup() as group:
            leaving = group.create_task(owner.__aexit__(None, None, None))
            for _ in range(20):
                await asyncio.sleep(0)
            assert not leaving.done()
            assert (await joined.get(run.id)).run.status == "running"
            machine.engine.end(run.id)
            assert isinstance(await anext(events), RunEnded)
    assert machine.engine.runs[run.id].error == ""


async def test_a_cancelled_owner_leaves_at_once_and_its_runs_are_interrupted(
    machine: Machine,
) -> None:
    async def own() -> None:
        async with machine.process() as owner:
            await owner.start(REQUEST)
            started.set()
            await asyncio.Event().wait()

    started = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        task = group.create_task(own())
        await started.wait()
        task.cancel()
    assert machine.engine.runs[RunId(1)].error == "interrupted"


async def test_an_owner_that_waits_for_the_runs_of_others_can_be_cancelled(
    machine: Machine,
) -> None:
    async def own() -> None:
        async with machine.process() as owner:
            await owner.start(REQUEST)
        raise AssertionError("it left although a run was being worked on")

    async with asyncio.TaskGroup() as group:
        task = group.create_task(own())
        await machine.engine.asked.wait()
        for _ in range(20):
            await asyncio.sleep(0)
        task.cancel()
    assert machine.engine.runs[RunId(1)].error == "interrupted"


async def test_quitting_a_joined_process_stops_nothing(machine: Machine) -> None:
    async with machine.process() as owner:
        async with machine.process() as joined:
            run = await joined.start(REQUEST)
        assert (await owner.get(run.id)).run.status == "running"
        await owner.stop(run.id, by="ann")


async def test_a_joined_process_becomes_the_owner_when_the_owner_dies(machine: Machine) -> None:
    owner = await _Dying.start(machine)
    async with machine.process() as joined:
        run = await joined.start(REQUEST)
        async with joined.watch(run.id) as events:
            await owner.die()
            seen = [event async for event in events]
        assert joined.owned
        assert [type(event) for event in seen] == [Resync, RunEnded]
        details = await joined.get(run.id)
        assert (details.run.error, seen[1].error) == ("interrupted", "interrupted")  # type: ignore[union-attr]  # a RunEnded, as asserted
        async with machine.process() as third:
            assert await third.get(run.id) == details
            assert not third.owned


async def test_a_watch_of_all_runs_goes_on_after_a_switch(machine: Machine) -> None:
    owner = await _Dying.start(machine)
    async with machine.process() as joined, joined.watch() as events:
        await owner.die()
        assert await anext(events) == Resync(None)
        run = await joined.start(REQUEST)
        assert (await anext(events)).run == run  # type: ignore[union-attr]  # a RunStarted
        await joined.stop(run.id, by="ann")


READS: tuple[Ask, ...] = (
    lambda engine: engine.read("page"),
    lambda engine: engine.agent("default"),
    lambda engine: engine.agents_read(),
    lambda engine: engine.reload_agents(),
    lambda engine: engine.schedules(),
)
CHANGES: tuple[Ask, ...] = (
    lambda engine: engine.start(REQUEST),
    lambda engine: engine.run_schedule("default"),
    lambda engine: engine.pause_schedule("default", paused=True),
)


@pytest.mark.parametrize("ask", READS)
async def test_a_read_in_flight_is_asked_again_after_a_switch(machine: Machine, ask: Ask) -> None:
    owner = await _Dying.start(machine)
    async with machine.process() as joined:
        machine.engine.may_answer.clear()
        async with asyncio.TaskGroup() as group:
            reading = group.create_task(_answer(ask, joined))
            await machine.engine.asked.wait()
            await owner.die()
            machine.engine.may_answer.set()
        assert joined.owned
        assert reading.result() == await ask(joined)


@pytest.mark.parametrize("ask", CHANGES)
async def test_a_change_in_flight_is_never_sent_twice(machine: Machine, ask: Ask) -> None:
    owner = await _Dying.start(machine)
    async with machine.process() as joined:
        machine.engine.may_answer.clear()
        async with asyncio.TaskGroup() as group:
            changing = group.create_task(_error_of(joined, ask))
            await machine.engine.asked.wait()
            await owner.die()
        assert "whether it was carried out shows in the list of runs" in changing.result()
        machine.engine.may_answer.set()
        changes = ("start", "run_schedule", "pause_schedule")
        assert len([call for call in machine.engine.calls if call in changes]) == 1


async def test_an_owner_that_cannot_be_replaced_is_told_and_tried_again_on_the_next_call(
    machine: Machine,
) -> None:
    owner = await _Dying.start(machine)
    async with machine.process() as joined:
        assert await joined.agents()
        await owner.die()
        held = OwnerLock.try_acquire(machine.data_dir / "engine.lock")
        assert held is not None
        machine.clock.slept.clear()
        with pytest.raises(EngineUnreachable, match="owns the data"):
            await joined.agents()
        assert set(machine.clock.slept) == {0.05}
        assert sum(machine.clock.slept) == pytest.approx(5, abs=0.06)
        held.release()
        assert await joined.agents()
        assert joined.owned


async def _is_owner(session: Session) -> bool:
    async with session as engine:
        return engine.owned


async def _answer(ask: Ask, engine: AttachedEngine) -> object:
    return await ask(engine)


async def _error_of(engine: AttachedEngine, ask: Ask) -> str:
    with pytest.raises(EngineUnreachable) as caught:
        await ask(engine)
    return str(caught.value)


class _Dying:
    """An owner that goes without ending anything: the lock is free and the connections are cut."""

    def __init__(self, lock: OwnerLock, scope: AsyncExitStack) -> None:
        self._lock = lock
        self._scope = scope

    @classmethod
    async def start(cls, machine: Machine) -> "_Dying":
        machine.data_dir.mkdir()
        lock = OwnerLock.try_acquire(machine.data_dir / "engine.lock")
        assert lock is not None
        scope = AsyncExitStack()
        wanted, timing = machine.data_dir / "engine.sock", Timing(closing_calls=0)
        await scope.enter_async_context(serve_engine(machine.engine, wanted, timing=timing))
        return cls(lock, scope)

    async def die(self) -> None:
        await self._scope.aclose()
        self._lock.release()
