"""No agent can slow down, confuse or break another: each has its task, its rows and its reader."""

import asyncio
import sqlite3
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from engine.agent.agent import Agent
from engine.agent.tool import ToolContext
from engine.definitions.catalog import load_catalog
from engine.domain.exchange import Reply, Request, ToolResult
from engine.domain.run import RunId, StartRequest
from engine.domain.timing import Timing
from engine.knowledge_contract import KnowledgeBase
from engine.llm.model import Answering, Attempts, OnDelta, OnProgress
from engine.llm.price_table import PriceTable
from engine.manager.outfit import Workshop, ready_agent
from engine.manager.spec import RunSpec
from engine.settings import FetchSettings, Settings
from engine.tools.fetch_page import FetchInput
from tests.fakes.clock import FakeClock
from tests.fakes.knowledge import FakeKnowledge
from tests.fakes.models import BookedAttempts, text_reply, tool_reply
from tests.flows.conftest import House, ended, run_to_end

TABLES_BY_RUN = (
    *("gb_agent_run_specs", "gb_agent_research_states", "gb_agent_steps"),
    *("gb_agent_tool_calls", "gb_citations", "gb_inferences"),
)


class Companions:
    """A model that takes a note, then reports; the topic `slow` waits until it may go on."""

    def __init__(self) -> None:
        self.tasks: dict[str, set[str]] = defaultdict(set)
        self.slow_has_asked = asyncio.Event()
        self.slow_may_go_on = asyncio.Event()

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        topic = str(request.messages[0].content[0]["text"])
        task = asyncio.current_task()
        self.tasks[topic].add(task.get_name() if task else "")
        if topic == "slow":
            self.slow_has_asked.set()
            await self.slow_may_go_on.wait()
        if len(request.messages) == 1:
            return tool_reply("note", {"text": f"about {topic}"})
        return text_reply(f"# {topic}")


@pytest.mark.req("R021")
async def test_every_run_works_in_a_task_of_its_own(house: House) -> None:
    model = Companions()
    model.slow_may_go_on.set()
    async with house.open(model) as manager:
        for topic in ("slow", "quick"):
            await run_to_end(manager, StartRequest(topic, "ann"))
    assert model.tasks == {"slow": {"run 1"}, "quick": {"run 2"}}


@pytest.mark.req("R030")
async def test_a_run_writes_to_its_own_rows_only(house: House) -> None:
    model = Companions()
    async with house.open(model) as manager:
        slow = await manager.start(StartRequest("slow", "ann"))
        await model.slow_has_asked.wait()
        before = _rows_of(house, slow.id)
        quick = await run_to_end(manager, StartRequest("quick", "ann"))
        assert quick.run.report == "# quick"
        assert _rows_of(house, slow.id) == before
        model.slow_may_go_on.set()
        assert (await ended(manager, slow.id)).run.report == "# slow"
    assert all(
        _rows_of(house, quick.run.id)[table] for table in ("gb_agent_steps", "gb_inferences")
    )


@pytest.mark.req("R027")
async def test_every_agent_has_connections_of_its_own_and_keeps_no_cookies(tmp_path: Path) -> None:
    async with _site() as site, _agents_of(site, tmp_path) as (one, other):
        for agent in (one, other, one):
            result = await _read(agent, site)
            assert "a page" in result.text
    assert len({visit.port for visit in site.visits}) == len(site.visits) == 3
    assert [visit.cookies for visit in site.visits] == ["", "", ""]


@pytest.mark.req("R028")
async def test_the_reader_of_an_agent_is_closed_when_the_agent_ends(tmp_path: Path) -> None:
    async with _site() as site:
        async with _agents_of(site, tmp_path) as (agent, _):
            await _read(agent, site)
        with pytest.raises(RuntimeError, match="closed"):
            await _read(agent, site)
    assert len(site.visits) == 1


@pytest.mark.req("R029")
async def test_agents_share_the_model_client_and_nothing_else_of_what_works(tmp_path: Path) -> None:
    async with _site() as site, _agents_of(site, tmp_path) as (one, other):
        assert one.model is other.model
        assert {id(tool) for tool in one.tools} & {id(tool) for tool in other.tools} == set()
        assert [tool.name for tool in one.tools] == [tool.name for tool in other.tools]


@dataclass
class Visit:
    port: int
    cookies: str


@dataclass
class Site:
    """A site on loopback that gives every visitor a cookie."""

    port: int = 0
    visits: list[Visit] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/page"

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        cookies = head.partition("\r\ncookie:")[2].partition("\r\n")[0]
        self.visits.append(Visit(writer.get_extra_info("peername")[1], cookies))
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n"
            b"Set-Cookie: seen=before\r\n\r\na page"
        )
        await writer.drain()
        writer.close()


@asynccontextmanager
async def _site() -> AsyncIterator[Site]:
    site = Site()
    server = await asyncio.start_server(site.answer, "127.0.0.1", 0)
    site.port = server.sockets[0].getsockname()[1]
    async with server:
        yield site


class Silent:
    """Stands where a model with retry would: these agents are never asked to think."""

    async def reply(self, request: Request, on_delta: OnDelta, *, attempts: Attempts) -> Reply:
        raise AssertionError("nobody thinks here")


@asynccontextmanager
async def _agents_of(site: Site, data_dir: Path) -> AsyncIterator[tuple[Agent, Agent]]:
    shared: Answering = Silent()
    knowledge: KnowledgeBase = FakeKnowledge()
    workshop = Workshop(
        settings=Settings(data_dir, fetch=FetchSettings(allow=(f"127.0.0.1:{site.port}",))),
        timing=Timing(),
        clock=FakeClock(),
        answering=lambda _: shared,
        prices=PriceTable(),
        catalog=load_catalog,
        knowledge=knowledge,
    )
    tools = ("fetch_url", "query", "remember")
    spec = RunSpec("topic", "ann", "scripted", 20, 0.0, "default", "", "", tools, "1")
    async with (
        ready_agent(spec, workshop, BookedAttempts()) as one,
        ready_agent(spec, workshop, BookedAttempts()) as other,
    ):
        yield one, other


async def _read(agent: Agent, site: Site) -> ToolResult:
    fetch = next(tool for tool in agent.tools if tool.name == "fetch_url")
    context = ToolContext(RunId(1), "ann", step=1, ord=1, attempts=BookedAttempts())
    return await fetch.run(context, FetchInput(url=site.url))


def _rows_of(house: House, run_id: RunId) -> dict[str, list[Any]]:
    """Everything that is stored of a run."""
    database = f"file:{house.data_dir / 'gligabao.db'}?mode=ro"
    with closing(sqlite3.connect(database, uri=True)) as connection:
        rows = {
            table: connection.execute(
                f"SELECT * FROM {table} WHERE run_id = ? ORDER BY 1, 2", (run_id,)
            ).fetchall()
            for table in TABLES_BY_RUN
        }
        rows["gb_agent_research_runs"] = connection.execute(
            "SELECT * FROM gb_agent_research_runs WHERE id = ?", (run_id,)
        ).fetchall()
    return rows
