"""A Manager over a real database whose writes a test can hold up or let fail."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from engine.agent.tool import Tool
from engine.definitions.shelf import Shelf
from engine.domain.answers import Check, SourceText
from engine.domain.errors import StoreError
from engine.domain.timing import Timing
from engine.knowledge.base import Base
from engine.knowledge.booking import Books
from engine.knowledge.opening import Given, knowledge_base
from engine.llm.attempting import Attempting, Surroundings
from engine.llm.model import Answering, Model
from engine.llm.price_table import PriceTable
from engine.manager.afterwards import Afterwards
from engine.manager.agents import Agents
from engine.manager.hub import Hub
from engine.manager.journal import Desk
from engine.manager.manager import Manager, managing
from engine.manager.outfit import Books as RunBooks
from engine.manager.outfit import Workshop
from engine.manager.planning import Planner
from engine.manager.recording import Recording
from engine.manager.spec import RunSpec
from engine.settings import KnowledgeSettings, Settings
from engine.store.database import Database, Reader, Result, Transaction, Work
from engine.store.sqlite import open_sqlite
from tests.fakes.clock import FakeClock
from tests.fakes.notes import NOTE_TOOL


@dataclass
class Hold:
    """A write that waits in the writer's own thread: `reached` says so, `let_go` ends it."""

    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    gate: threading.Event = field(default_factory=threading.Event)

    def let_go(self) -> None:
        self.gate.set()

    def wait(self) -> None:
        self.loop.call_soon_threadsafe(self.reached.set)
        self.gate.wait()


class TroubledDatabase:
    """Fulfils `engine.store.database.Database` over a real one."""

    def __init__(self, inner: Database) -> None:
        self._inner = inner
        self._writes = 0
        self._failing: frozenset[int] = frozenset()
        self._holds: dict[int, Hold] = {}

    async def write(self, work: Work[Result]) -> Result:
        self._writes += 1
        if self._writes in self._failing:
            raise StoreError("gligabao.db: the disk is full: make room, then try again")
        return await self._inner.write(_held(work, self._holds.get(self._writes)))

    def reading(self) -> AbstractAsyncContextManager[Reader]:
        return self._inner.reading()

    def fail(self, *writes: int) -> None:
        """These writes fail, counted from 1."""
        self._failing = frozenset(writes)

    def hold(self, write: int) -> Hold:
        """This write waits until it is let go, counted from 1."""
        return self._holds.setdefault(write, Hold())


def _held(work: Work[Result], hold: Hold | None) -> Work[Result]:
    if hold is None:
        return work

    def held(tx: Transaction) -> Result:
        hold.wait()
        return work(tx)

    return held


class StandingClock(FakeClock):
    """A clock on which no wait ever ends; `asked` says that somebody waits."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self.asked.set()
        await asyncio.Event().wait()


@dataclass(frozen=True)
class FewServices:
    agents: Agents
    knowledge: Base
    rules: KnowledgeSettings

    def afterwards(self, spec: RunSpec, books: RunBooks) -> Afterwards:
        return Afterwards(self.knowledge, self.rules, spec, books)

    async def read(self, source: str, *, full: bool) -> SourceText:
        return SourceText(source)

    async def doctor(self) -> tuple[Check, ...]:
        return ()


@dataclass
class Bureau:
    """Opens a Manager with one model. `database` and `knowledge` are there while it is open.

    Nobody works through the queue of texts but who calls `knowledge.queue.run()`.
    """

    data_dir: Path
    tools: tuple[Tool[Any], ...] = (NOTE_TOOL,)
    timing: Timing = Timing()
    definitions: Path | None = None
    clock: FakeClock = field(default_factory=FakeClock)
    rules: KnowledgeSettings = field(default_factory=KnowledgeSettings)
    database: TroubledDatabase = field(init=False)
    knowledge: Base = field(init=False)

    @asynccontextmanager
    async def open(self, model: Model) -> AsyncIterator[Manager]:
        shelf, hub = Shelf(self.definitions), Hub()
        async with open_sqlite(self.data_dir / "gligabao.db", clock=self.clock) as store:
            self.database = TroubledDatabase(store)
            workshop = self._workshop(model, shelf, store)
            desk = Desk(self.database, hub, self.clock, workshop.prices.reservation)
            planner = Planner(workshop, self.database, _no_replay)
            agents = Agents(shelf, self.database, self.clock)
            services = FewServices(agents, self.knowledge, self.rules)
            try:
                async with managing(
                    desk, planner, services=services, timing=self.timing
                ) as manager:
                    yield manager
            finally:
                hub.close()

    def _workshop(self, model: Model, shelf: Shelf, store: Database) -> Workshop:
        prices = PriceTable()
        around = Surroundings(self.clock, self.timing, prices, lambda: 0.0)
        books = Books(store, self.clock, prices.reservation)
        self.knowledge = knowledge_base(Given(store, self.clock, books, self.rules))
        return Workshop(
            settings=Settings(data_dir=self.data_dir, anthropic_api_key="sk-test"),
            timing=self.timing,
            clock=self.clock,
            answering=lambda _: Attempting(model, around),
            prices=prices,
            catalog=lambda: shelf.catalog,
            knowledge=self.knowledge,
            extra_tools=self.tools,
        )


def _no_replay(recording: Recording) -> Answering:
    raise AssertionError(f"nothing is replayed here: {recording.spec.topic}")


@pytest.fixture
def bureau(tmp_path: Path) -> Bureau:
    return Bureau(tmp_path)
