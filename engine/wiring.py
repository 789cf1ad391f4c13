"""The composition root: puts the parts together. The only place that knows all of them.

    open_engine      store
                       what a dead process left is marked
                         services: hub, models, planner
                           runs: the Manager's task group

Scopes are nested (D21): runs end before services, and the store closes last.
"""

import asyncio
import logging
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from engine.agent.tool import Tool
from engine.definitions.shelf import Shelf
from engine.domain.answers import Check, SourceText
from engine.domain.clock import Clock, timestamp
from engine.domain.exchange import Reply, Request
from engine.domain.run import INTERRUPTED
from engine.domain.timing import Timing
from engine.knowledge.absorbing import Reader
from engine.knowledge.base import Base
from engine.knowledge.booking import Books
from engine.knowledge.opening import Given, knowledge_base
from engine.knowledge.remember import RememberQueue
from engine.llm.attempting import Attempting, Surroundings
from engine.llm.model import Answering, Model
from engine.llm.price_table import PriceTable
from engine.llm.recorded import RecordedModel
from engine.logs import open_log
from engine.manager.afterwards import Afterwards
from engine.manager.agents import Agents
from engine.manager.doctor import examine_machine
from engine.manager.hub import Hub
from engine.manager.journal import Desk
from engine.manager.manager import Manager, managing
from engine.manager.memory import knowledge_model
from engine.manager.outfit import Books as RunBooks
from engine.manager.outfit import Workshop
from engine.manager.planning import Planner
from engine.manager.reading import read_source
from engine.manager.recording import Recording
from engine.manager.rereading import reread_on_change
from engine.manager.spec import RunSpec
from engine.manager.workers import Workers
from engine.remote.lock import LOCK_NAME, is_held
from engine.remote.session import AttachedEngine, Pace, Session, attach
from engine.scheduler import Scheduler, Schedules
from engine.settings import OFFLINE_MODEL, Settings
from engine.store import knowledge_queries, runs
from engine.store.database import Database, Transaction
from engine.store.sqlite import open_sqlite

_log = logging.getLogger(__name__)

DATABASE_NAME = "gligabao.db"


class SystemClock:
    """The machine's own time."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a test or a benchmark may exchange."""

    clock: Clock = field(default_factory=SystemClock)
    timing: Timing = Timing()
    models: Callable[[str], Model] | None = None
    """Name -> model, instead of Anthropic's and the offline one."""
    extra_tools: tuple[Tool[Any], ...] = ()
    schedules: Schedules | None = None
    """The schedules that a server follows, instead of those of the agents."""
    remembers: bool = True
    """It works on the texts that wait to be remembered."""


@asynccontextmanager
async def open_engine(settings: Settings, parts: Parts | None = None) -> AsyncIterator[Manager]:
    """The owned engine; whoever opens it must hold the data directory's lock.

    Raises CannotStart with every problem of the definitions of agents, before anything is opened,
    and StoreError when the database cannot be opened. Leaving the scope ends every run.
    """
    shelf = await asyncio.to_thread(_shelf, settings)
    async with _opened(settings, parts or Parts(), shelf) as manager:
        yield manager


def connect(
    settings: Settings, *, stay: bool, schedules: bool = False, parts: Parts | None = None
) -> AbstractAsyncContextManager[AttachedEngine]:
    """The engine of `settings.data_dir`, owned if nobody owns it, else joined (D22).

    `stay`: others may join meanwhile, and leaving waits for what is being worked on.
    `schedules`: while this process owns the data, it starts agents by the clock and reads their
    definitions again when they change.

    Faulty definitions are CannotStart before anything is written. Those of the process that owns
    the data count, if there is one: the own ones are then not read.
    """
    # Who only looks something up and goes would begin calls that cost money and come to nothing.
    given = parts or Parts()
    given = replace(given, remembers=given.remembers and stay)
    return _attached(_Opening(settings, given, schedules=schedules), stay=stay)


def join(settings: Settings, *, timing: Timing = Timing()) -> Session:
    """The engine of the process that owns `settings.data_dir`; never an owned one.

    For whoever ends when somebody else likes it, such as the app in a browser's tab.
    """
    return attach(settings.data_dir, None, stay=False, pace=Pace(SystemClock(), timing))


def has_data(settings: Settings) -> bool:
    """Whether there is anything for an engine to open: else opening it makes the data."""
    return (settings.data_dir / DATABASE_NAME).exists()


class _Opening:
    """Opens the engine, each time that this process gets the data."""

    def __init__(self, settings: Settings, parts: Parts, *, schedules: bool) -> None:
        self.settings = settings
        self.parts = parts
        self._schedules = schedules
        self._prepared: Shelf | None = None

    def prepare(self) -> None:
        """Read the definitions while nothing is written yet, unless another process has the data.
        Raises CannotStart."""
        if not is_held(self.settings.data_dir / LOCK_NAME):
            self._prepared = _shelf(self.settings)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Manager]:
        shelf = await asyncio.to_thread(self._shelf_now)
        opened = _opened(self.settings, self.parts, shelf, followed=self._schedules)
        async with opened as manager:
            if not self._schedules:
                yield manager
                return
            async with _scheduling(manager, self.parts):
                yield manager

    def _shelf_now(self) -> Shelf:
        shelf, self._prepared = self._prepared, None
        return _shelf(self.settings) if shelf is None or shelf.has_changed() else shelf


@asynccontextmanager
async def _attached(opening: _Opening, *, stay: bool) -> AsyncIterator[AttachedEngine]:
    await asyncio.to_thread(opening.prepare)
    pace = Pace(opening.parts.clock, opening.parts.timing)
    async with attach(opening.settings.data_dir, opening.open, stay=stay, pace=pace) as engine:
        yield engine


@asynccontextmanager
async def _opened(
    settings: Settings, given: Parts, shelf: Shelf, *, followed: bool = False
) -> AsyncIterator[Manager]:
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = settings.data_dir / DATABASE_NAME
    store = open_sqlite(path, clock=given.clock, synchronous=settings.synchronous)
    with open_log(settings.data_dir, settings.log_level):
        for warning in shelf.last.warnings:
            _log.warning("%s", warning)
        async with store as database:
            at = timestamp(given.clock.now())
            await database.write(lambda tx: _mark_interrupted(tx, at))
            agents = Agents(shelf, database, given.clock, followed=followed)
            async with _serving(settings, given, database, agents=agents) as manager:
                yield manager


def _mark_interrupted(tx: Transaction, at: str) -> None:
    """What a process that died was doing. Texts to remember are taken up again by their queue."""
    runs.mark_interrupted(tx, at=at)
    knowledge_queries.mark_interrupted(tx, error=INTERRUPTED, at=at)


@asynccontextmanager
async def _scheduling(manager: Manager, parts: Parts) -> AsyncIterator[None]:
    """What a server does by itself; it ends before any run does."""
    agents, clock = manager.definitions, parts.clock
    schedules = parts.schedules or (lambda: agents.catalog.schedules())
    scheduler = Scheduler(manager.database, schedules, manager.start, clock=clock)
    rereading = reread_on_change(agents, clock, every=parts.timing.definitions_look)
    async with Workers() as workers:
        workers.start(scheduler.run(), name="scheduler")
        workers.start(rereading, name="definitions")
        try:
            yield
        finally:
            workers.cancel()


@asynccontextmanager
async def _serving(
    settings: Settings, parts: Parts, database: Database, *, agents: Agents
) -> AsyncIterator[Manager]:
    timing = replace(
        parts.timing,
        model_attempts=settings.retry.attempts,
        retry_after_most=settings.retry.max_wait_seconds,
        page_whole=min(parts.timing.page_whole, settings.fetch.timeout_seconds),
    )
    prices = PriceTable(settings.prices)
    hub = Hub()
    models = _Models(settings, parts.models, Surroundings(parts.clock, timing, prices, _chance))
    books = Books(database, parts.clock, prices.reservation)
    reader = _reader(settings, models.answering)
    base = knowledge_base(Given(database, parts.clock, books, settings.knowledge, reader))
    workshop = Workshop(
        settings=settings,
        timing=timing,
        clock=parts.clock,
        answering=models.answering,
        prices=prices,
        catalog=lambda: agents.catalog,
        knowledge=base,
        extra_tools=parts.extra_tools,
    )
    planner = Planner(workshop, database, models.replaying)
    desk = Desk(database, hub, parts.clock, prices.reservation)
    try:
        async with (
            _remembering(base.queue, timing.closing_texts) if parts.remembers else nullcontext(),
            managing(
                desk, planner, services=_Services(settings, timing, agents, base), timing=timing
            ) as manager,
        ):
            yield manager
    finally:
        hub.close()
        await models.aclose()


@asynccontextmanager
async def _remembering(queue: RememberQueue, closing: float) -> AsyncIterator[None]:
    """What is remembered is absorbed until the scope ends, and a little longer what is nearly done;
    the rest waits for the next start."""
    await queue.begin()
    async with Workers() as workers:
        workers.start(queue.run(), name="remembering")
        try:
            yield
        finally:
            try:
                await queue.close(closing)
            finally:
                workers.cancel()


def _reader(settings: Settings, answering: Callable[[str], Answering]) -> Reader | None:
    """The model of the knowledge base; None without a key, and where it is the offline one."""
    name = knowledge_model(settings)
    return None if name is None else Reader(answering(name), name)


class _Models:
    """Every model of an engine, each made once, on first use."""

    def __init__(
        self,
        settings: Settings,
        made: Callable[[str], Model] | None,
        around: Surroundings,
    ) -> None:
        self._settings = settings
        self._made = made
        self._around = around
        self._known: dict[str, Answering] = {}
        self._closing: list[Callable[[], Any]] = []

    def answering(self, name: str) -> Answering:
        kind = name if self._made or name == OFFLINE_MODEL else ""
        if kind not in self._known:
            self._known[kind] = Attempting(self._model(name), self._around)
        return self._known[kind]

    def replaying(self, recording: Recording) -> Answering:
        return Attempting(RecordedModel(recording.steps), self._around)

    async def aclose(self) -> None:
        for close in self._closing:
            await close()

    def _model(self, name: str) -> Model:
        if self._made is not None:
            return self._made(name)
        return _offline() if name == OFFLINE_MODEL else self._anthropic()

    def _anthropic(self) -> Model:
        from engine.llm.anthropic import AnthropicModel

        model = AnthropicModel(
            self._settings.anthropic_api_key, self._settings.endpoint, timing=self._around.timing
        )
        self._closing.append(model.aclose)
        return model


def _offline() -> Model:
    from engine.llm.offline import OfflineModel

    return OfflineModel(_decide)


def _decide(request: Request) -> Reply:
    from engine.offline.policy import decide

    return decide(request)


@dataclass(frozen=True, slots=True)
class _Services:
    settings: Settings
    timing: Timing
    agents: Agents
    knowledge: Base

    def afterwards(self, spec: RunSpec, books: RunBooks) -> Afterwards:
        return Afterwards(self.knowledge, self.settings.knowledge, spec, books)

    async def read(self, source: str, *, full: bool) -> SourceText:
        return await read_source(source, self.settings, timing=self.timing, full=full)

    async def doctor(self) -> tuple[Check, ...]:
        return await examine_machine(self.settings, await self.knowledge.datasets())


def _shelf(settings: Settings) -> Shelf:
    """The agents of these settings; that nobody made the usual directory is nothing to be told."""
    return Shelf(
        settings.agent_defs_dir,
        is_expected="agent_defs_dir" in settings.origins,
        bundle=settings.agent_bundle,
    )


def _chance() -> float:
    return random.random()
