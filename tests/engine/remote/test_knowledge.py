"""The knowledge base over the socket: the same answers, no deadline for what takes long, and
nothing sent twice that costs or changes anything."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from engine.domain.errors import EngineUnreachable, NotFound, Refused, UserError
from engine.domain.knowledge import (
    REMEMBER_MOST_CHARS,
    ArtifactInfo,
    EntityFilter,
    EntityInfo,
    FactEventInfo,
    FactFilter,
    FactHistory,
    FactInfo,
    ForgetRequest,
    GivenFact,
    ImportRequest,
    PassageInfo,
    QueryAnswer,
    QueryRequest,
    RememberFilter,
    RememberRequest,
    Support,
)
from engine.domain.provenance import (
    KnowledgeSession,
    Provenance,
    ProvenanceFact,
    Temporal,
    TemporalEvent,
)
from engine.domain.run import RunId
from engine.domain.timing import Timing
from engine.knowledge_contract import KnowledgeBase
from engine.remote.client import ConnectionLost, JoinedEngine
from engine.remote.knowledge_methods import KNOWLEDGE_METHODS
from engine.remote.server import serve_engine
from tests.engine.remote.small_engine import AT, SmallEngine
from tests.engine.remote.test_session import Machine
from tests.fakes.knowledge import FakeKnowledge

FACT = FactInfo(
    *(88, "Cell X", "reached", "450 Wh/kg", "in a 2025 pilot line", "main", "superseded"),
    valid_from="2025-Q1",
    valid_to="2026",
    superseded_by=91,
    actor="pattern",
    score=0.71,
)
EVENT = FactEventInfo(
    *(301, "created", "2025-Q1", -62_135_596_800, 1_743_465_600, "stated", AT, "pattern", "main"),
    artifact_id=1,
    session_id="research-7",
    run_id=RunId(7),
)
SUPPORT = Support(1, "https://a.example", "research-7", RunId(7), "created", AT, "", "Cell X", " …")
TEXT = ArtifactInfo(1, "text", "電池", "https://a.example", 12, AT, "main", run_id=RunId(7))
ENTITY = EntityInfo(5, "C++ (O'Brien)", "product", "", ("main",), (RunId(7),))
REMEMBER = RememberRequest("admin", "Cell X reached 450 Wh/kg.", date="2025-03")
IMPORT = ImportRequest(
    "admin", "Cell X is here.", (GivenFact("Cell X", "is", "here", start="2024"),)
)
QUESTION = QueryRequest("admin", "What did Cell X reach?", as_of="in early 2025")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    found = Machine(tmp_path / "data")
    fill(found.engine.knowledge)
    return found


def fill(known: FakeKnowledge) -> None:
    known.add_fact(FactHistory(FACT, (EVENT,), (SUPPORT,), (FACT,)))
    known.add_entity(ENTITY)
    run = known.queue("Cell X reached 450 Wh/kg.", source="https://a.example")
    known.settle(run.id, "failed", error="no answer", notes=("a note",), cost_usd=0.25)
    passage = PassageInfo(1, "https://a.example", "Cell X reached 450 Wh/kg.", 0.5, 0, 25)
    known.answers[QUESTION.question] = QueryAnswer(
        31, "450 Wh/kg [F88].", empty=False, facts=(FACT,), passages=(passage,), is_grounded=True
    )
    known.provenances[RunId(7), True] = Provenance(
        RunId(7),
        (KnowledgeSession("research-7", RunId(7), "", "cells"),),
        tuple(known.known_datasets.values()),
        (TEXT,),
        (ENTITY,),
        (ProvenanceFact(FACT, True, ("main",), (RunId(7),)),),
    )
    known.temporals[RunId(7), True] = Temporal(RunId(7), (TEXT,), (TemporalEvent(EVENT, FACT),))


ASKED: dict[str, Callable[[KnowledgeBase], Awaitable[object]]] = {
    "remember": lambda known: known.remember(REMEMBER, wait=True),
    "remember_run": lambda known: known.remember_run(1, user="admin"),
    "remember_settled": lambda known: known.remember_settled(1),
    "remember_runs": lambda known: known.remember_runs(RememberFilter(status="failed")),
    "retry_remember": lambda known: known.retry_remember(1),
    "query": lambda known: known.query(QUESTION),
    "datasets": lambda known: known.datasets(user="admin"),
    "rebuild_facts": lambda known: known.rebuild(user="admin"),
    "facts": lambda known: known.facts(FactFilter(about="cell x", as_of="2025-12")),
    "fact": lambda known: known.fact(88),
    "entities": lambda known: known.entities(EntityFilter(text="c++")),
    "entity": lambda known: known.entity(5),
    "import_facts": lambda known: known.import_facts(IMPORT),
    "forget": lambda known: known.forget(ForgetRequest(None, source="https://a.example")),
    "provenance": lambda known: known.provenance(RunId(7), include_subagents=True),
    "temporal": lambda known: known.temporal(RunId(7), include_subagents=True),
    "remember_temporal": lambda known: known.remember_temporal(1),
}


@pytest.mark.parametrize("method", KNOWLEDGE_METHODS)
async def test_every_answer_over_the_socket_is_the_one_given_inside(
    machine: Machine, method: str
) -> None:
    inside = FakeKnowledge()
    fill(inside)
    expected = await ASKED[method](inside)
    async with machine.process(), machine.process() as joined:
        assert not joined.owned
        assert await ASKED[method](joined.knowledge) == expected


async def test_errors_come_back_as_they_were_raised(machine: Machine) -> None:
    async with machine.process(), machine.process() as joined:
        with pytest.raises(NotFound, match="no fact 7"):
            await joined.knowledge.fact(7)
        with pytest.raises(UserError, match="is empty"):
            await joined.knowledge.remember(RememberRequest("admin", " "))
        machine.engine.knowledge.settle(1)
        with pytest.raises(Refused, match="is completed"):
            await joined.knowledge.retry_remember(1)


async def test_the_longest_text_there_may_be_passes_the_socket(machine: Machine) -> None:
    text = "𝄞" * REMEMBER_MOST_CHARS
    async with machine.process(), machine.process() as joined:
        run = await joined.knowledge.remember(RememberRequest("admin", text))
    assert run.chars == REMEMBER_MOST_CHARS


@pytest.fixture
async def impatient(tmp_path: Path) -> AsyncIterator[tuple[SmallEngine, KnowledgeBase]]:
    """An engine, and its knowledge base through a socket whose calls have no time at all."""
    engine, wanted = SmallEngine(), tmp_path / "engine.sock"
    async with serve_engine(engine, wanted):
        yield engine, JoinedEngine(wanted, Timing(owner_call=0)).knowledge


async def test_who_waits_for_a_text_or_an_answer_has_no_deadline(
    impatient: tuple[SmallEngine, KnowledgeBase],
) -> None:
    engine, joined = impatient
    engine.knowledge.settles = None
    run = engine.knowledge.queue("a text")
    with pytest.raises(ConnectionLost, match="did not answer"):
        await joined.remember_run(run.id)
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(joined.remember_settled(run.id))
        await _asked(engine.knowledge, f"remember_run {run.id}")
        engine.knowledge.settle(run.id)
    assert waiting.result().status == "completed"
    assert (await joined.query(QUESTION)).empty
    assert (await joined.import_facts(IMPORT)).facts == 1


async def test_a_joined_process_that_goes_away_leaves_its_text_queued(machine: Machine) -> None:
    known = machine.engine.knowledge
    known.settles = None
    async with machine.process():
        async with machine.process() as joined, asyncio.TaskGroup() as group:
            waiting = group.create_task(joined.knowledge.remember(REMEMBER, wait=True))
            await _asked(known, "remember_run 2")
            waiting.cancel()
        assert known.runs[2].status == "queued"


async def test_who_waits_for_a_text_waits_on_when_the_owner_goes(machine: Machine) -> None:
    known = machine.engine.knowledge
    known.settles = None
    async with AsyncExitStack() as staying, AsyncExitStack() as leaving:
        await leaving.enter_async_context(machine.process())
        joined = await staying.enter_async_context(machine.process())
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(joined.knowledge.remember(REMEMBER, wait=True))
            await _asked(known, "remember_run 2")
            known.asked.clear()
            await leaving.aclose()
            await _asked(known, "remember_run 2")
            assert joined.owned
            known.settle(2, facts=3)
    assert (waiting.result().status, waiting.result().facts) == ("completed", 3)
    assert known.remembered == [REMEMBER]


async def test_a_question_costs_money_and_is_not_asked_again_when_the_owner_goes(
    machine: Machine,
) -> None:
    known = machine.engine.knowledge
    known.may_answer.clear()
    async with AsyncExitStack() as staying, AsyncExitStack() as leaving:
        await leaving.enter_async_context(machine.process())
        joined = await staying.enter_async_context(machine.process())
        async with asyncio.TaskGroup() as group:
            asking = group.create_task(_error_of(joined.knowledge.query(QUESTION)))
            await _asked(known, f"query {QUESTION.question}")
            await leaving.aclose()
    assert "shows in the log of questions" in asking.result()
    assert known.questions == [QUESTION]


async def _error_of(call: Awaitable[object]) -> str:
    with pytest.raises(EngineUnreachable) as caught:
        await call
    return str(caught.value)


async def _asked(known: FakeKnowledge, call: str) -> None:
    while call not in known.asked:
        known.was_asked.clear()
        await known.was_asked.wait()
