"""Events reach every reader in order; a reader that is too slow gets one Resync."""

from collections.abc import AsyncIterator

from engine.domain.events import Event, ReplyDelta, Resync, RunEnded, StateEnded
from engine.domain.run import RunId
from engine.manager.hub import QUEUE_MOST, Hub

ONE, TWO = RunId(1), RunId(2)


def ended(run: RunId, seq: int = 1) -> StateEnded:
    return StateEnded(run, seq, "", "2026-11-01T10:00:00.000Z")


def over(run: RunId) -> RunEnded:
    return RunEnded(run, 9, "completed", "", "2026-11-01T10:00:00.000Z")


async def all_of(events: AsyncIterator[Event]) -> list[Event]:
    return [event async for event in events]


async def test_a_watch_of_one_run_sees_only_it_and_ends_with_it() -> None:
    hub = Hub()
    async with hub.watch(ONE) as events:
        hub.announce([ended(ONE), ended(TWO), over(TWO), over(ONE), ended(ONE, 3)])
        assert await all_of(events) == [ended(ONE), over(ONE)]


async def test_a_watch_of_all_goes_on_until_the_hub_closes() -> None:
    hub = Hub()
    async with hub.watch() as events:
        hub.announce([ended(ONE), over(TWO)])
        hub.close()
        assert await all_of(events) == [ended(ONE), over(TWO)]


async def test_a_full_queue_drops_deltas_first() -> None:
    hub = Hub()
    async with hub.watch(ONE) as events:
        hub.announce([ended(ONE, seq) for seq in range(QUEUE_MOST - 10)])
        hub.announce([ReplyDelta(ONE, "text", "x")] * 10)
        hub.announce([over(ONE)])
        seen = await all_of(events)
    assert len(seen) == QUEUE_MOST - 9
    assert not any(isinstance(event, ReplyDelta) for event in seen)


async def test_then_everything_gives_way_to_one_resync() -> None:
    hub = Hub()
    async with hub.watch(ONE) as events:
        hub.announce([ended(ONE, seq) for seq in range(3 * QUEUE_MOST)])
        hub.announce([over(ONE)])
        seen = await all_of(events)
    assert seen[0] == Resync(ONE)
    assert sum(isinstance(event, Resync) for event in seen) == 1
    assert seen[-1] == over(ONE)


async def test_the_end_of_a_run_is_never_lost_to_its_watcher() -> None:
    hub = Hub()
    async with hub.watch(ONE) as events:
        hub.announce([ended(ONE, seq) for seq in range(QUEUE_MOST - 1)])
        hub.announce([over(ONE)])
        hub.announce([ended(ONE, 7)])
        assert await all_of(events) == [Resync(ONE), over(ONE)]
