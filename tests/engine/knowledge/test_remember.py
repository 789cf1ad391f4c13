"""The queue of texts: nothing accepted is lost, nothing is done twice, every trouble is seen."""

import asyncio
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from engine.domain.errors import ProviderDetails, ProviderError, Refused
from engine.domain.knowledge import RememberFilter
from engine.knowledge.absorbing import NOTHING_READ
from engine.knowledge.remember import FIRST_PAUSE, MOST_FAULTS
from tests.engine.knowledge.absorbed import Place, soon, until
from tests.fakes.clock import START
from tests.fakes.reading import HeldModel, ReadingModel, StandingClock

OHM = "Ohm trusts Ann since 2020. Bob knows Ann."
LATER = "Ohm trusts Cy since 2023."


@pytest.fixture
def model() -> ReadingModel:
    return ReadingModel()


@pytest.fixture
def place(tmp_path: Path, model: ReadingModel) -> Place:
    return Place(tmp_path, model)


@pytest.mark.req("R196")
async def test_a_text_becomes_facts_with_their_quotations(
    place: Place, model: ReadingModel
) -> None:
    async with place.open() as kb:
        run = await kb.remember(OHM, source="https://a.example/", session_id="research-7")
        assert (run.status, run.entities, run.facts, run.facts_new) == ("completed", 3, 2, 2)
        assert (run.session_id, run.error, run.attempt) == ("research-7", "", 1)
        assert await kb.lines() == ["Bob knows Ann: active, 1", "Ohm trusts Ann: active, 1"]
        fact = (await kb.facts(about="Ohm"))[0]
        (support,) = (await kb.base.fact(fact.id)).supports
        assert (support.quote, support.source) == (
            "Ohm trusts Ann since 2020.",
            "https://a.example/",
        )
        assert fact.valid_from == "2020"
    assert model.versions == ["remember-extract-1"]


@pytest.mark.req("R079")
async def test_what_a_text_costs_is_booked_for_it_and_for_no_run(place: Place) -> None:
    async with place.open() as kb:
        run = await kb.remember(OHM)
        assert await kb.calls() == [("remember", run.id, "done", 1, None)]
        assert run.cost_usd > 0


@pytest.mark.req("R183", "R185")
async def test_a_text_that_another_session_gives_again_costs_nothing_and_confirms(
    place: Place, model: ReadingModel
) -> None:
    async with place.open() as kb:
        await kb.remember(OHM, session_id="research-1")
        again = await kb.remember(OHM, session_id="research-2")
        assert (again.status, again.facts, again.facts_new) == ("completed", 2, 0)
        assert again.cost_usd == 0
        assert await kb.lines() == ["Bob knows Ann: active, 2", "Ohm trusts Ann: active, 2"]
        roles = await kb.rows(
            "SELECT session_id, role, COUNT(*) FROM gb_edge_sessions GROUP BY session_id, role"
        )
        assert roles == [("research-1", "created", 2), ("research-2", "restated", 2)]
    assert len(model.requests) == 1


async def test_the_same_text_with_another_date_is_read_by_that_date(
    place: Place, model: ReadingModel
) -> None:
    async with place.open() as kb:
        await kb.remember(OHM, session_id="research-1", date="2021")
        await kb.remember(OHM, session_id="research-2", date="2024")
    assert len(model.requests) == 2
    assert "Date of the source: 2024" in str(model.requests[1].messages[0].content)


async def test_the_same_text_of_the_same_session_is_the_same_run(place: Place) -> None:
    async with place.open() as kb:
        first = await kb.remember(OHM, session_id="research-1")
        again = await kb.remember(f"  {OHM}\n", session_id="research-1")
        assert again.id == first.id
        assert await kb.lines() == ["Bob knows Ann: active, 1", "Ohm trusts Ann: active, 1"]


async def test_what_a_later_text_updates_is_superseded_by_its_date(
    place: Place, model: ReadingModel
) -> None:
    model.verdict = "updates"
    async with place.open() as kb:
        await kb.remember(OHM)
        later = await kb.remember(LATER)
        assert (later.superseded, later.facts_new) == (1, 1)
        assert "Ohm trusts Ann: superseded, 1" in await kb.lines()
    assert model.versions[-1].startswith("remember-reconcile")


async def test_a_short_text_that_states_nothing_is_done_and_a_long_one_can_be_tried_again(
    place: Place,
) -> None:
    async with place.open() as kb:
        assert (await kb.remember("Hello.")).status == "completed"
        long = await kb.remember("Nothing of this is anything that is the case. " * 20)
        assert (long.status, long.error) == ("stored_only", NOTHING_READ)
        assert long.notes == ("no facts found in this text",)
        await kb.base.retry_remember(long.id)
        assert (await kb.base.queue.settled(long.id)).attempt == 2


# Providers that fail ------------------------------------------------------------------------------


@pytest.mark.req("R075")
async def test_a_failure_that_may_pass_is_shown_and_tried_again_later(
    tmp_path: Path, model: ReadingModel
) -> None:
    model.answers = [ProviderError("overloaded", "the service is overloaded")]
    place = Place(tmp_path, model, StandingClock())
    async with place.open() as kb:
        run = await kb.remember(OHM)
        assert (run.status, run.error) == ("queued", "the service is overloaded")
        assert datetime.fromisoformat(run.next_attempt_at) == START + FIRST_PAUSE
        place.clock.advance(FIRST_PAUSE.total_seconds())
        done = await kb.base.queue.settled(run.id)
        assert (done.status, done.error, done.attempt) == ("completed", "", 2)
        assert [call[2] for call in await kb.calls()] == ["failed", "done"]


async def test_a_limit_that_ends_at_a_known_time_is_waited_for(
    tmp_path: Path, model: ReadingModel
) -> None:
    resets = START + timedelta(hours=5)
    place = Place(tmp_path, model, StandingClock())
    model.answers = [ProviderError("rate_limit", "full", details=ProviderDetails(resets_at=resets))]
    async with place.open() as kb:
        run = await kb.remember(OHM)
        assert datetime.fromisoformat(run.next_attempt_at) == resets
        place.clock.advance(timedelta(hours=5).total_seconds())
        assert (await kb.base.queue.settled(run.id)).status == "completed"


@pytest.mark.parametrize("kind", ["overloaded", "server", "connection", "timeout"])
async def test_no_number_of_passing_failures_gives_a_text_up(
    place: Place, model: ReadingModel, kind: str
) -> None:
    details = ProviderDetails(is_final=kind == "timeout")
    failure = ProviderError(kind, "not now", details=details)  # type: ignore[arg-type]
    model.answers = [failure] * 12
    async with place.open() as kb:
        run = await kb.base.queue.settled((await kb.remember(OHM, wait=False)).id)
        assert (run.status, run.attempt) == ("completed", 13)


async def test_a_final_failure_fails_the_text_alone_and_it_can_be_tried_again(
    place: Place, model: ReadingModel
) -> None:
    model.answers = [ProviderError("auth", "the key is not valid: set another one")]
    async with place.open() as kb:
        failed = await kb.remember(OHM)
        assert (failed.status, failed.error) == ("failed", "the key is not valid: set another one")
        assert (await kb.remember(LATER)).status == "completed"
        page = await kb.base.remember_runs(RememberFilter(status="failed"))
        assert [run.id for run in page.runs] == [failed.id]
        await kb.base.retry_remember(failed.id)
        assert (await kb.base.queue.settled(failed.id)).status == "completed"
        with pytest.raises(Refused, match="completed"):
            await kb.base.retry_remember(failed.id)


async def test_a_failed_text_is_found_by_its_sentences(place: Place, model: ReadingModel) -> None:
    model.answers = [ProviderError("auth", "no")]
    async with place.open() as kb:
        run = await kb.remember(OHM)
        found = await kb.rows("SELECT COUNT(*) FROM gb_terms WHERE kind = 'sentence'")
        assert run.status == "failed"
        assert found[0][0] > 0


# Faults of the program ----------------------------------------------------------------------------


async def test_a_text_that_breaks_the_program_fails_after_a_few_times_and_stops_nothing(
    place: Place, model: ReadingModel
) -> None:
    model.answers = [RuntimeError("sk-ant-api03-secret in /root/here")] * MOST_FAULTS
    async with place.open() as kb:
        broken = await kb.base.queue.settled((await kb.remember(OHM, wait=False)).id)
        assert (broken.status, broken.attempt) == ("failed", MOST_FAULTS)
        assert broken.error.startswith("RuntimeError")
        assert "secret" not in broken.error
        assert (await kb.remember(LATER)).status == "completed"


async def test_a_fault_outside_of_any_text_does_not_end_the_queue(tmp_path: Path) -> None:
    place = Place(tmp_path)
    async with place.open(works=False) as kb:
        rested = 0

        async def breaks() -> None:
            nonlocal rested
            rested += 1
            raise ZeroDivisionError

        kb.base.queue._at_rest = breaks
        async with asyncio.timeout(20), asyncio.TaskGroup() as group:
            working = group.create_task(kb.base.queue.run())
            assert (await kb.remember(OHM)).status == "completed"
            await kb.base.queue.rested()
            assert (await kb.remember(LATER)).status == "completed"
            working.cancel()
        assert rested > 0


# In whose hands -----------------------------------------------------------------------------------


async def test_who_has_lost_the_lease_changes_nothing(tmp_path: Path) -> None:
    model = HeldModel()
    place = Place(tmp_path, model)
    async with place.open() as kb:
        run = await kb.remember(OHM, wait=False)
        await soon(model.asked)
        place.clock.advance(120)
        other = Place(tmp_path, ReadingModel(), place.clock).base(kb.database)
        async with asyncio.timeout(20), asyncio.TaskGroup() as group:
            working = group.create_task(other.queue.run())
            assert (await other.queue.settled(run.id)).attempt == 2
            working.cancel()
        events = await kb.rows("SELECT COUNT(*) FROM gb_edge_events")
        model.may_answer.set()
        await kb.base.queue.rested()
        assert await kb.rows("SELECT COUNT(*) FROM gb_edge_events") == events
        assert await kb.lines() == ["Bob knows Ann: active, 1", "Ohm trusts Ann: active, 1"]


async def test_a_closed_queue_leaves_its_text_to_the_next_one(tmp_path: Path) -> None:
    model = HeldModel()
    place = Place(tmp_path, model)
    async with place.open() as kb:
        run = await kb.remember(OHM, wait=False)
        await soon(model.asked)
    async with Place(tmp_path, ReadingModel()).open() as kb:
        done = await kb.base.queue.settled(run.id)
        assert (done.status, done.attempt) == ("completed", 2)
        assert [call[2] for call in await kb.calls()] == ["lost", "done"]


async def test_what_was_read_before_the_end_is_not_read_again(tmp_path: Path) -> None:
    """The process ends between the two checkpoints: while facts are compared."""
    first = ReadingModel(verdict="updates")
    async with Place(tmp_path, first).open() as kb:
        await kb.remember(OHM)
    held = HeldModel()
    held.may_answer.set()
    held.before = lambda request: _stop(request.prompt_version, held)
    async with Place(tmp_path, held).open() as kb:
        run = await kb.remember(LATER, wait=False)
        await until(lambda: "reconcile" in "".join(held.versions))
    last = ReadingModel(verdict="updates")
    async with Place(tmp_path, last).open() as kb:
        assert (await kb.base.queue.settled(run.id)).superseded == 1
    assert [version.partition("-1")[0] for version in last.versions] == ["remember-reconcile"]


def _stop(version: str, held: HeldModel) -> None:
    if "reconcile" in version:
        held.may_answer.clear()
        held.answers = [ProviderError("server", "cut off")]


@pytest.mark.parametrize("spoiled", ["{", "[]", '{"entities": 1}'])
async def test_a_spoiled_checkpoint_is_asked_for_again(
    place: Place, model: ReadingModel, spoiled: str
) -> None:
    async with place.open(works=False) as kb:
        run = await kb.remember(OHM, wait=False)
        await kb.database.write(
            lambda tx: tx.execute(
                "UPDATE gb_remember_runs SET extraction = ?, reconciling = ?", (spoiled, spoiled)
            )
        )
    async with place.open() as kb:
        assert (await kb.base.queue.settled(run.id)).facts == 2


async def test_two_workers_on_one_database_do_no_text_twice(tmp_path: Path) -> None:
    one, other = ReadingModel(), ReadingModel()
    place = Place(tmp_path, one, StandingClock())
    async with place.open(works=False) as kb:
        second = Place(tmp_path, other, place.clock).base(kb.database)
        runs = [await kb.remember(f"N{n} knows M{n}.", wait=False) for n in range(30)]
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            working = [group.create_task(q.run()) for q in (kb.base.queue, second.queue)]
            for run in runs:
                assert (await kb.base.queue.settled(run.id)).status == "completed"
            for task in working:
                task.cancel()
        attempts = await kb.rows("SELECT DISTINCT attempt FROM gb_remember_runs")
        assert attempts == [(1,)]
        assert len(await kb.lines()) == 30
    assert len(one.requests) + len(other.requests) == 30
    assert one.requests
    assert other.requests
