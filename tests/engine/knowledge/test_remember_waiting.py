"""Waiting for texts, taking them back meanwhile, and how the queue rests and closes."""

import asyncio
from pathlib import Path

import pytest

from engine.domain.errors import NotFound
from engine.domain.knowledge import ForgetRequest
from engine.knowledge.absorbing import NO_MODEL, ONLY_QUOTED
from engine.store import knowledge_queue
from engine.store.database import Transaction
from tests.engine.knowledge.absorbed import Opened, Place, soon, until
from tests.fakes.reading import HeldModel, ReadingModel

OHM = "Ohm trusts Ann since 2020. Bob knows Ann."
LATER = "Ohm trusts Cy since 2023."


@pytest.fixture
def model() -> ReadingModel:
    return ReadingModel()


@pytest.fixture
def place(tmp_path: Path, model: ReadingModel) -> Place:
    return Place(tmp_path, model)


# Waiting ------------------------------------------------------------------------------------------


@pytest.mark.req("R077")
async def test_who_waits_for_a_text_waits_for_all_before_it(tmp_path: Path) -> None:
    model = HeldModel()
    async with Place(tmp_path, model).open() as kb:
        first = await kb.remember("A knows B.", wait=False)
        second = await kb.remember("C knows D.", wait=False, session_id="research-9")
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(kb.base.queue.settled(second.id))
            await soon(model.asked)
            assert (await kb.base.remember_run(second.id)).status == "queued"
            assert not waiting.done()
            model.may_answer.set()
        assert (await kb.base.remember_run(first.id)).status == "completed"
        ended = await kb.rows("SELECT id FROM gb_remember_runs ORDER BY finished_at, id")
        assert ended == [(first.id,), (second.id,)]


async def test_who_stops_waiting_leaves_nothing_behind(tmp_path: Path) -> None:
    model = HeldModel()
    async with Place(tmp_path, model).open() as kb:
        run = await kb.remember(OHM, wait=False)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(kb.base.queue.settled(run.id)) for _ in range(5)]
            await soon(model.asked)
            for task in tasks[:4]:
                task.cancel()
            await asyncio.wait(tasks[:4])
            assert len(kb.base.queue._waiting[run.id]) == 1
            model.may_answer.set()
        assert tasks[4].result().status == "completed"
        assert kb.base.queue._waiting == {}


async def test_a_text_that_is_only_stored_is_not_waited_for(tmp_path: Path) -> None:
    async with Place(tmp_path, model=None).open() as kb:
        run = await kb.remember("SQLite 3.35.0 was released on 12 March 2021.")
        assert (run.status, run.error, run.facts) == ("stored_only", NO_MODEL, 1)
        (fact,) = await kb.facts()
        assert fact.actor == "pattern"


async def test_what_is_quoted_is_read_by_a_model_only_when_somebody_asks_for_it(
    place: Place, model: ReadingModel
) -> None:
    async with place.open() as kb:
        run = await kb.remember(OHM, kind="quoted")
        assert (run.status, run.error, model.requests) == ("stored_only", ONLY_QUOTED, [])
        await kb.base.retry_remember(run.id)
        assert (await kb.base.queue.settled(run.id)).facts == 2


# Forgetting ---------------------------------------------------------------------------------------


async def test_a_text_can_be_forgotten_while_it_waits(tmp_path: Path) -> None:
    async with Place(tmp_path).open(works=False) as kb:
        run = await kb.remember(OHM, wait=False)
        async with asyncio.timeout(20), asyncio.TaskGroup() as group:
            waiting = group.create_task(_gone(kb, run.id))
            await until(lambda: bool(kb.base.queue._waiting))
            await kb.base.forget(ForgetRequest("ann", artifact_id=run.artifact_id))
            await waiting
        assert kb.base.queue._waiting == {}


async def test_a_text_that_is_forgotten_while_it_is_read_leaves_nothing(tmp_path: Path) -> None:
    model = HeldModel()
    async with Place(tmp_path, model).open() as kb:
        run = await kb.remember(OHM, wait=False)
        async with asyncio.timeout(20), asyncio.TaskGroup() as group:
            group.create_task(_gone(kb, run.id))
            await model.asked.wait()
            await kb.base.forget(ForgetRequest("ann", artifact_id=run.artifact_id))
            model.may_answer.set()
        await kb.base.queue.rested()
        assert await kb.rows("SELECT * FROM gb_edges") == []
        assert await kb.rows("SELECT * FROM gb_entities") == []
        assert await kb.rows("SELECT * FROM gb_terms") == []
        assert (await kb.remember(LATER)).status == "completed"


async def _gone(kb: Opened, number: int) -> None:
    with pytest.raises(NotFound):
        await kb.base.queue.settled(number)


# At rest ------------------------------------------------------------------------------------------


async def test_the_queue_rests_when_nothing_is_due_and_asks_the_clock_for_nothing(
    place: Place,
) -> None:
    async with place.open() as kb:
        await kb.base.queue.rested()
        await kb.remember(OHM, wait=False)
        await kb.base.queue.rested()
        assert await kb.lines() != []
    assert place.clock.slept == []


async def test_what_is_to_be_tried_in_a_while_lets_the_queue_rest(tmp_path: Path) -> None:
    place = Place(tmp_path)
    async with place.open(works=False) as kb:
        run = await kb.remember(OHM, wait=False)
        until = "2999-01-01T00:00:00.000Z"
        at = "2026-11-01T10:00:00.000Z"

        def later(tx: Transaction) -> bool:
            claimed = knowledge_queue.claim(tx, at=at, lease_until=until)
            assert claimed is not None
            return knowledge_queue.postpone(tx, claimed.held, until=until, error="later")

        assert await kb.database.write(later)
        async with asyncio.timeout(20), asyncio.TaskGroup() as group:
            working = group.create_task(kb.base.queue.run())
            await kb.base.queue.rested()
            waited = await kb.base.queue.attempted(run.id)
            assert (waited.status, waited.error) == ("queued", "later")
            working.cancel()


async def test_a_text_that_is_given_while_the_queue_comes_to_rest_is_not_overlooked(
    tmp_path: Path,
) -> None:
    place = Place(tmp_path)
    async with place.open(works=False) as kb:
        given: list[int] = []

        async def one_more() -> None:
            if not given:
                given.append((await kb.remember(LATER, wait=False)).id)

        kb.base.queue._at_rest = one_more
        async with asyncio.timeout(20), asyncio.TaskGroup() as group:
            working = group.create_task(kb.base.queue.run())
            await kb.remember(OHM)
            await kb.base.queue.rested()
            assert (await kb.base.remember_run(given[0])).status == "completed"
            working.cancel()


async def test_many_at_once_are_done_in_the_order_of_their_numbers(
    place: Place, model: ReadingModel
) -> None:
    async with place.open() as kb, asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(kb.remember(f"N{n} knows M{n}.", source=f"{n}")) for n in range(20)
        ]
        await asyncio.wait(tasks)
        assert {task.result().status for task in tasks} == {"completed"}
        assert await kb.rows("SELECT COUNT(*) FROM gb_edges") == [(20,)]
    assert len(model.requests) == 20


# Closing ------------------------------------------------------------------------------------------


async def test_a_closing_queue_ends_what_it_has_in_hand_and_what_needs_no_model(
    tmp_path: Path,
) -> None:
    model = HeldModel()
    async with Place(tmp_path, model).open() as kb:
        first = await kb.remember("A knows B.", wait=False)
        second = await kb.remember("C knows D.", wait=False)
        quoted = await kb.remember("E knows F.", wait=False, kind="quoted")
        await soon(model.asked)
        async with asyncio.timeout(20), asyncio.TaskGroup() as group:
            closing = group.create_task(kb.base.queue.close(15))
            await asyncio.sleep(0)
            model.may_answer.set()
            await closing
        statuses = [(await kb.base.remember_run(run.id)).status for run in (first, second, quoted)]
    assert statuses == ["completed", "queued", "stored_only"]


async def test_a_closing_queue_does_not_wait_for_a_model_that_does_not_answer(
    tmp_path: Path,
) -> None:
    model = HeldModel()
    async with Place(tmp_path, model).open() as kb:
        run = await kb.remember("A knows B.", wait=False)
        await soon(model.asked)
        await kb.base.queue.close(0.01)
        assert (await kb.base.remember_run(run.id)).status == "running"
