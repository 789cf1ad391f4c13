"""The reader: answers that come late, in another order, or when nobody wants them any more."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from engine.api import Event, Resync, RunCounts, RunDetails, RunFilter, RunId, RunPage
from gligabao_tui.screens.reader import Reader
from tests.fakes.engine import FakeEngine
from tests.tui.scenes import REPORT

ONE, TWO = RunId(1), RunId(2)


class Slow(FakeEngine):
    """Reads what is asked for at once, but answers only when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[asyncio.Event] = []
        self.answers_at_once = False
        self._is_asked = asyncio.Event()

    async def holds(self, count: int = 1) -> None:
        """Until so many questions have been asked."""
        while len(self.waiting) < count:
            self._is_asked.clear()
            await self._is_asked.wait()

    async def get(self, run_id: RunId, *, user: str | None = None) -> RunDetails:
        read = await super().get(run_id)
        await self._turn()
        return read

    async def list(self, which: RunFilter) -> RunPage:
        page = await super().list(which)
        await self._turn()
        return page

    async def _turn(self) -> None:
        if not self.answers_at_once:
            self.waiting.append(asyncio.Event())
            self._is_asked.set()
            await self.waiting[-1].wait()


class SlowCounts(Slow):
    async def counts(self, *, user: str | None = None) -> RunCounts:
        counts = await super().counts()
        await self._turn()
        return counts


def reader_of(engine: FakeEngine) -> Reader:
    calls: Any = engine  # what it calls is the same
    return Reader(calls, lambda: None, now=engine.clock.now)


async def answered(
    engine: Slow, *works: Coroutine[Any, Any, object], order: tuple[int, ...]
) -> None:
    """Begin all of this work, then answer what it asked in this order."""
    async with asyncio.TaskGroup() as group:
        for work in works:
            group.create_task(work)
        await engine.holds(len(works))
        for place in order:
            engine.waiting[place].set()
            for _ in range(5):
                await asyncio.sleep(0)


async def test_the_run_that_was_chosen_last_is_shown_whatever_answer_comes_last() -> None:
    engine = Slow()
    engine.begin("Rivers")
    engine.begin("Lakes")
    reader = reader_of(engine)
    await answered(engine, reader.open(ONE), reader.open(TWO), order=(1, 0))
    assert reader.desk.details is not None
    assert reader.desk.details.id == TWO


async def test_details_that_were_left_while_they_were_read_stay_closed() -> None:
    engine = Slow()
    engine.begin("Rivers")
    reader = reader_of(engine)
    async with asyncio.TaskGroup() as group:
        opening = group.create_task(reader.open(ONE))
        await engine.holds()
        reader.close_details()
        engine.waiting[0].set()
    assert reader.desk.details is None
    assert opening.result() is False


async def test_a_run_that_ends_while_its_details_are_read_gets_its_report() -> None:
    engine = Slow()
    engine.begin("Rivers")
    reader = reader_of(engine)
    heard: list[Event] = []
    engine.emit = heard.append  # type: ignore[method-assign, assignment]  # to tell it by hand
    async with asyncio.TaskGroup() as group:
        group.create_task(reader.open(ONE))
        await engine.holds()
        engine.complete(ONE, REPORT)
        reader.told(heard)
        engine.answers_at_once = True
        await reader.catch_up(heard)
        engine.waiting[0].set()
    assert reader.desk.details is not None
    assert reader.desk.details.report == REPORT
    assert reader.desk.details.run.status == "completed"


async def test_a_page_of_another_filter_that_comes_late_is_not_shown() -> None:
    engine = Slow()
    engine.end(engine.begin("Rivers"), "completed", "")
    engine.begin("Lakes")
    reader = reader_of(engine)

    async def filtered() -> None:
        reader.ask("completed", "", sort="started")
        await reader.read_first_page()

    await answered(engine, reader.read_first_page(), filtered(), order=(1, 0))
    assert reader.desk.listing.order == (ONE,)


async def three_pages() -> tuple[Slow, Reader]:
    """An engine of 650 runs, of which 400 were read."""
    engine = Slow()
    engine.answers_at_once = True
    for number in range(650):
        engine.end(engine.begin(f"Topic {number}"), "completed", "")
    reader = reader_of(engine)
    await reader.read_first_page()
    await reader.read_next_page()
    return engine, reader


async def test_a_list_that_is_read_again_is_read_as_far_as_it_was() -> None:
    """Who is deep in the list when events are lost must not be thrown back to its start."""
    engine, reader = await three_pages()
    engine.end(engine.begin("News"), "completed", "")
    await reader.catch_up([Resync(None)])
    assert reader.desk.listing.order == tuple(range(651, 251, -1))
    await reader.read_next_page()
    assert reader.desk.listing.order == tuple(range(651, 51, -1))


async def test_a_next_page_that_comes_late_leaves_no_gap_in_a_list_that_was_read_again() -> None:
    engine, reader = await three_pages()
    engine.answers_at_once = False
    async with asyncio.TaskGroup() as group:
        group.create_task(reader.read_next_page())
        group.create_task(reader.read_first_page())
        await engine.holds(2)
        engine.answers_at_once = True
        engine.waiting[1].set()
        for _ in range(5):
            await asyncio.sleep(0)
        engine.waiting[0].set()
    assert reader.desk.listing.order == tuple(range(650, 50, -1))


async def test_older_counts_that_come_late_do_not_undo_newer_ones() -> None:
    engine = SlowCounts()
    reader = reader_of(engine)
    async with asyncio.TaskGroup() as group:
        group.create_task(reader.read_counts())
        await engine.holds()
        engine.begin("Rivers")
        group.create_task(reader.read_counts())
        await engine.holds(2)
        engine.waiting[1].set()
        for _ in range(5):
            await asyncio.sleep(0)
        engine.waiting[0].set()
    assert reader.desk.board.counts.by_status["running"] == 1


async def test_costs_are_kept_while_the_details_are_read_again() -> None:
    engine = Slow()
    engine.answers_at_once = True
    engine.begin("Rivers")
    reader = reader_of(engine)
    await reader.read_costs()  # nothing is shown: nothing is read
    assert "costs 1" not in engine.asked
    await reader.open(ONE)
    await reader.read_costs()
    await reader.open(ONE)
    assert reader.desk.details is not None
    assert reader.desk.details.costs is not None


async def test_a_block_that_is_dismissed_while_all_is_read_again_does_not_come_back() -> None:
    engine = Slow()
    engine.answers_at_once = True
    engine.end(engine.begin("Rivers"), "completed", "")
    reader = reader_of(engine)
    await reader.read_everything()
    await reader.dock([ONE])
    assert len(reader.desk.board.docked) == 1
    reader.ask("failed", "", sort="started")  # a list that does not have it
    engine.answers_at_once = False
    async with asyncio.TaskGroup() as group:
        group.create_task(reader.catch_up([Resync(None)]))
        await engine.holds()
        engine.answers_at_once = True
        reader.dismiss(ONE)
        engine.waiting[0].set()
    assert not reader.desk.board.docked


async def test_remembered_blocks_in_the_first_page_are_not_read_one_by_one() -> None:
    engine = FakeEngine()
    for number in range(100):
        engine.end(engine.begin(f"Topic {number}"), "completed", "")
    reader = reader_of(engine)
    await reader.read_everything()
    await reader.dock([*map(RunId, range(1, 101)), RunId(999)])
    assert len(reader.desk.board.docked) == 100
    assert [asked for asked in engine.asked if asked.startswith("get")] == ["get 999"]
