"""One contract for every way to hold an Engine: owned, over the socket, and attached either way."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

import pytest

from engine.contract import Engine
from engine.domain.errors import CannotStart, NotFound, ProviderError, Refused, UserError
from engine.domain.events import (
    Event,
    ReplyDelta,
    ReportReady,
    RunEnded,
    RunStarted,
    StateEntered,
    UsageChanged,
)
from engine.domain.exchange import Reply, Request
from engine.domain.run import RunDetails, RunFilter, RunId, StartRequest
from engine.domain.usage import Usage
from engine.llm.model import OnProgress
from engine.remote.client import JoinedEngine
from engine.remote.server import serve_engine
from engine.settings import Settings
from engine.wiring import Parts, connect, open_engine
from tests.fakes.clock import FakeClock
from tests.fakes.models import ScriptedModel, text_reply, tool_reply
from tests.fakes.notes import NOTE_TOOL

TOPIC = StartRequest("How deep is the lake?", "ann", model="claude-sonnet-5-5")
SPENT = Usage(input_tokens=1_000, output_tokens=100)


class GatedModel:
    """A scripted model that answers only once `open` is set; `asked` says that it was."""

    def __init__(self) -> None:
        self.script = ScriptedModel([])
        self.asked = asyncio.Event()
        self.open = asyncio.Event()
        self.open.set()

    def answers(self, *replies: Reply | ProviderError) -> None:
        self.script = ScriptedModel(replies)

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        self.asked.set()
        await self.open.wait()
        return await self.script.reply(request, on_progress)


@dataclass
class Place:
    """Where engines are opened, and with which model."""

    settings: Settings
    model: GatedModel = field(default_factory=GatedModel)
    clock: FakeClock = field(default_factory=FakeClock)

    def parts(self) -> Parts:
        return Parts(clock=self.clock, models=lambda _: self.model, extra_tools=(NOTE_TOOL,))


Holding: TypeAlias = Callable[[Place], AbstractAsyncContextManager[Engine]]


@asynccontextmanager
async def owned(place: Place) -> AsyncIterator[Engine]:
    async with open_engine(place.settings, place.parts()) as engine:
        yield engine


@asynccontextmanager
async def over_the_socket(place: Place) -> AsyncIterator[Engine]:
    wanted = place.settings.data_dir / "engine.sock"
    async with open_engine(place.settings, place.parts()) as engine, serve_engine(engine, wanted):
        yield JoinedEngine(wanted)


@asynccontextmanager
async def attached_as_the_owner(place: Place) -> AsyncIterator[Engine]:
    async with connect(place.settings, stay=True, parts=place.parts()) as engine:
        yield engine


@asynccontextmanager
async def attached_to_another(place: Place) -> AsyncIterator[Engine]:
    parts = place.parts()
    async with (
        connect(place.settings, stay=True, parts=parts),
        connect(place.settings, stay=True, parts=parts) as engine,
    ):
        yield engine


HOLDINGS = (owned, over_the_socket, attached_as_the_owner, attached_to_another)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(Settings(data_dir=tmp_path / "data", anthropic_api_key="sk-test"))


@pytest.fixture
def model(place: Place) -> GatedModel:
    return place.model


@pytest.fixture(params=HOLDINGS, ids=lambda holding: holding.__name__)
async def engine(request: pytest.FixtureRequest, place: Place) -> AsyncIterator[Engine]:
    holding: Holding = request.param
    async with holding(place) as engine:
        yield engine


async def seen_of(engine: Engine, run_id: RunId, model: GatedModel) -> list[Event]:
    """Every event from now on to the run's end; the model answers once they are watched."""
    async with engine.watch(run_id) as events:
        model.open.set()
        return [event async for event in events]


async def run_to_end(engine: Engine, model: GatedModel, request: StartRequest) -> RunDetails:
    model.open.clear()
    run = await engine.start(request)
    await seen_of(engine, run.id, model)
    return await engine.get(run.id)


@pytest.mark.req("R093", "R122")
async def test_a_start_returns_the_run_at_once(engine: Engine, model: GatedModel) -> None:
    model.open.clear()
    run = await engine.start(TOPIC)
    assert (run.id, run.user_id, run.topic, run.model) == (1, "ann", TOPIC.topic, TOPIC.model)
    assert (run.status, run.state, run.steps, run.finished_at) == ("running", "starting", 0, None)
    await engine.stop(run.id, by="ann")


@pytest.mark.req("R135", "R136")
async def test_a_run_is_read_with_its_states_citations_and_report(
    engine: Engine, model: GatedModel
) -> None:
    model.answers(
        tool_reply("note", {"text": "水"}), text_reply("# Tief\n\n水深 \U0001f30a", SPENT)
    )
    details = await run_to_end(engine, model, TOPIC)
    assert (details.run.status, details.run.report) == ("completed", "# Tief\n\n水深 \U0001f30a")
    assert details.run.cost_usd > 0
    assert [state.seq for state in details.states] == [1, 2, 3, 4, 5]
    assert details.states[-1].state == "completed"
    assert (details.citations, details.children) == ((), 0)
    assert await engine.report(details.run.id, user="ann") == details.run.report
    assert await engine.get(details.run.id, user="ann") == details


async def test_events_are_told_in_order_from_entering_to_the_end(
    engine: Engine, model: GatedModel
) -> None:
    model.answers(text_reply("# Deep", SPENT))
    model.open.clear()
    run = await engine.start(TOPIC)
    await model.asked.wait()
    seen = await seen_of(engine, run.id, model)
    assert [type(event) for event in seen if not isinstance(event, ReplyDelta)][-3:] == [
        *(StateEntered, ReportReady, RunEnded),
    ]
    assert ReplyDelta(run.id, "text", "# Deep") in seen
    assert any(isinstance(event, UsageChanged) and event.output_tokens == 100 for event in seen)
    end = seen[-1]
    assert isinstance(end, RunEnded)
    assert (end.status, end.error) == ("completed", "")


async def test_a_watch_of_all_runs_tells_of_every_start(engine: Engine, model: GatedModel) -> None:
    model.open.clear()
    async with engine.watch() as events:
        first = await engine.start(TOPIC)
        second = await engine.start(TOPIC)
        started: list[RunId] = []
        async for event in events:
            if isinstance(event, RunStarted):
                started.append(event.run.id)
            if len(started) == 2:
                break
    assert started == [first.id, second.id]
    for run_id in started:
        await engine.stop(run_id, by="ann")


@pytest.mark.req("R129", "R130", "R131", "R137")
async def test_runs_are_listed_and_counted_by_user_and_status(
    engine: Engine, model: GatedModel
) -> None:
    model.answers(text_reply("one"), ProviderError("auth", "no"), text_reply("three"))
    for user in ("ann", "ann", "bob"):
        await run_to_end(engine, model, StartRequest("topic", user))
    page = await engine.list(RunFilter(user="ann"))
    assert [(run.id, run.status, run.report) for run in page.runs] == [
        *((2, "failed", ""), (1, "completed", "")),
    ]
    assert [run.id for run in (await engine.list(RunFilter(status="completed"))).runs] == [3, 1]
    assert (await engine.list(RunFilter(active=True))).runs == ()
    first = await engine.list(RunFilter(limit=1))
    rest = await engine.list(RunFilter(limit=5, cursor=first.next_cursor))
    assert [run.id for run in (*first.runs, *rest.runs)] == [3, 2, 1]
    assert (await engine.counts()).by_status == {"completed": 2, "failed": 1}
    assert (await engine.counts(user="bob")).by_status == {"completed": 1}


async def test_runs_are_found_by_agent_model_time_and_cost(
    engine: Engine, model: GatedModel
) -> None:
    model.answers(text_reply("dear", SPENT), text_reply("free"))
    dear = (await run_to_end(engine, model, TOPIC)).run
    await run_to_end(engine, model, replace(TOPIC, model="some-other-model"))
    wanted: tuple[tuple[RunFilter, list[int]], ...] = (
        (RunFilter(agent="DEF"), [2, 1]),
        (RunFilter(agent="deep"), []),
        (RunFilter(model="sonnet"), [1]),
        (RunFilter(since=dear.created_at), [2, 1]),
        (RunFilter(since="2999"), []),
        (RunFilter(cost_above=dear.cost_usd / 2), [1]),
        (RunFilter(cost_above=dear.cost_usd), []),
    )
    for which, ids in wanted:
        page = await engine.list(which)
        assert [run.id for run in page.runs] == ids, which
    assert {run.children for run in (await engine.list(RunFilter())).runs} == {0}


async def test_what_is_not_there_or_another_s_is_not_found(
    engine: Engine, model: GatedModel
) -> None:
    model.open.clear()
    run = await engine.start(TOPIC)
    calls = (
        lambda: engine.get(RunId(99)),
        lambda: engine.get(run.id, user="bob"),
        lambda: engine.report(run.id, user="bob"),
        lambda: engine.costs(RunId(99)),
        lambda: engine.costs(run.id, user="bob"),
        lambda: engine.source(RunId(99), 1),
        lambda: engine.source(run.id, 1, user="bob"),
        lambda: engine.stop(run.id, by="bob", user="bob"),
        lambda: engine.wrap_up(run.id, by="bob", user="bob"),
    )
    for call in calls:
        with pytest.raises(NotFound, match=r"^no run \d+$"):
            await call()
    with pytest.raises(Refused, match="has no report"):
        await engine.report(run.id)
    await engine.stop(run.id, by="ann")


async def test_costs_tell_of_every_step_and_their_sum_is_the_run_s(
    engine: Engine, model: GatedModel
) -> None:
    asks = replace(tool_reply("note", {"text": "x"}), usage=SPENT)
    model.answers(asks, text_reply("# Deep", SPENT))
    capped = replace(TOPIC, max_cost_usd=5.0)
    run = (await run_to_end(engine, model, capped)).run
    costs = await engine.costs(run.id, user="ann")
    assert [
        (charge.step, charge.state, charge.model, charge.calls) for charge in costs.charges
    ] == [
        (1, "thinking", "claude-sonnet-5-5", 1),
        (1, "using_tool", "", 1),
        (2, "thinking", "claude-sonnet-5-5", 1),
    ]
    assert sum(charge.cost_usd for charge in costs.charges) == pytest.approx(run.cost_usd)
    assert sum(charge.prompt_tokens for charge in costs.charges) == run.input_tokens == 2_000
    assert sum(charge.output_tokens for charge in costs.charges) == run.output_tokens == 200
    assert (costs.run_id, costs.max_cost_usd, costs.unpriced) == (run.id, 5.0, ())
    assert all(charge.finished_at and not charge.is_estimate for charge in costs.charges)


async def test_a_cited_source_is_told_with_its_passages(engine: Engine, model: GatedModel) -> None:
    text = "The lake is old. It is 288 m deep. Nobody swims 🌊 in it."
    quotes = (
        '"It is 288 m deep." [1](note://1#chars=17-34)',
        '"It is 999 m deep." [1](note://1#chars=17-34)',
        '"Never read." [2](https://elsewhere.example/#chars=0-11)',
    )
    model.answers(tool_reply("note", {"text": text}), text_reply("\n\n".join(quotes)))
    run = (await run_to_end(engine, model, TOPIC)).run
    source = await engine.source(run.id, 1, user="ann")
    assert (source.url, source.title, source.media_type) == ("note://1", "A note", "text/plain")
    assert (source.n, source.chars, bool(source.read_at)) == (1, len(text), True)
    exact, wrong = source.passages
    assert (exact.ord, exact.verdict, exact.quote) == (1, "exact", "It is 288 m deep.")
    assert exact.before + exact.quoted + exact.after == text
    assert (wrong.verdict, wrong.before, wrong.quoted, wrong.after) == ("missing", "", "", "")
    never = await engine.source(run.id, 2)
    assert (never.url, never.read_at, never.chars) == ("https://elsewhere.example/", "", 0)
    assert [passage.verdict for passage in never.passages] == ["missing"]
    with pytest.raises(NotFound, match="cites no source 3"):
        await engine.source(run.id, 3)


@pytest.mark.req("R167", "R170", "R542")
async def test_a_stop_ends_a_run_and_says_who(engine: Engine, model: GatedModel) -> None:
    model.open.clear()
    run = await engine.start(TOPIC)
    await model.asked.wait()
    stopped = await engine.stop(run.id, by="ann", user="ann")
    assert (stopped.status, stopped.error, stopped.report) == ("stopped", "stopped by ann", "")
    with pytest.raises(Refused, match=r"^agent 1 has ended \(stopped\)$"):
        await engine.stop(run.id, by="ann")
    with pytest.raises(Refused, match=r"^agent 1 has ended \(stopped\)$"):
        await engine.wrap_up(run.id, by="ann")


async def test_a_wrap_up_is_written_down_and_the_next_call_is_the_last(
    engine: Engine, model: GatedModel
) -> None:
    model.answers(tool_reply("note", {"text": "x"}), text_reply("so far"))
    model.open.clear()
    run = await engine.start(TOPIC)
    await model.asked.wait()
    asked = await engine.wrap_up(run.id, by="ann", user="ann")
    assert (asked.wrap_up_by, asked.status) == ("ann", "running")
    await seen_of(engine, run.id, model)
    assert await engine.report(run.id) == "so far"


async def test_every_problem_of_a_request_is_told_at_once(engine: Engine) -> None:
    with pytest.raises(UserError) as told:
        await engine.start(StartRequest("", "ann", max_steps=41, dataset="A B"))
    assert type(told.value) is UserError
    assert [problem.where for problem in told.value.problems] == ["topic", "max_steps", "dataset"]


@pytest.mark.req("R022", "R124")
async def test_a_fourth_agent_of_a_user_is_refused(engine: Engine, model: GatedModel) -> None:
    model.open.clear()
    runs = [await engine.start(TOPIC) for _ in range(3)]
    with pytest.raises(Refused, match="you already have 3 agents working"):
        await engine.start(TOPIC)
    for run in runs:
        await engine.stop(run.id, by="ann")


async def test_a_start_without_a_needed_key_cannot_be(tmp_path: Path, model: GatedModel) -> None:
    for number, holding in enumerate(HOLDINGS):
        keyless = Place(Settings(data_dir=tmp_path / str(number)), model)
        async with holding(keyless) as engine:
            with pytest.raises(CannotStart, match="--model offline"):
                await engine.start(TOPIC)


@pytest.mark.req("R326")
async def test_an_agent_of_another_version_is_not_started(engine: Engine) -> None:
    request = replace(TOPIC, agent="default", agent_version=">=2")
    with pytest.raises(UserError, match="which does not meet"):
        await engine.start(request)
    run = await engine.start(replace(TOPIC, agent_version="^1.0"))
    assert (run.agent_version, len(run.agent_hash)) == ("1.0.0", 64)


async def test_agents_doctor_and_read_answer(engine: Engine, tmp_path: Path) -> None:
    agent, *others = await engine.agents()
    assert "news_scanner" in [other.name for other in others]
    assert (agent.name, agent.max_steps) == ("default", 20)
    assert {check.name for check in await engine.doctor()} >= {"python", "sqlite", "disk"}
    (tmp_path / "note.txt").write_text("word " * 4_000)
    short = await engine.read(str(tmp_path / "note.txt"))
    assert (short.truncated, short.chars, len(short.text)) == (True, 19_999, 15_000)
    assert len((await engine.read(str(tmp_path / "note.txt"), full=True)).text) == 19_999
    refused = await engine.read("http://127.0.0.1:1/")
    assert (refused.refused, bool(refused.error), refused.text) == (True, True, "")
