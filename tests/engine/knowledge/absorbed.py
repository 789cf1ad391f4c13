"""A knowledge base with its queue on a real database, as the tests of remembering drive it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.domain.knowledge import FactFilter, FactInfo, RememberRequest, RememberRun
from engine.domain.timing import Timing
from engine.knowledge.absorbing import Reader
from engine.knowledge.base import Base
from engine.knowledge.booking import Books
from engine.knowledge.opening import Given, knowledge_base
from engine.llm.attempting import Attempting, Surroundings
from engine.llm.model import Model
from engine.llm.price_table import PriceTable
from engine.manager.workers import Workers
from engine.settings import KnowledgeSettings
from engine.store.database import Database
from engine.store.sqlite import open_sqlite
from tests.fakes.clock import FakeClock
from tests.fakes.reading import QueueClock, ReadingModel

MODEL = "claude-sonnet-5-5"


@dataclass
class Place:
    """Opens knowledge bases on one file, one after the other or at once."""

    data_dir: Path
    model: Model | None = field(default_factory=ReadingModel)
    clock: FakeClock = field(default_factory=QueueClock)
    attempts: int = 1
    """How often one call is sent before its failure is the text's."""

    @asynccontextmanager
    async def open(self, *, works: bool = True) -> AsyncIterator["Opened"]:
        """`works`: the queue is begun and worked through until the scope ends."""
        path = self.data_dir / "gligabao.db"
        async with open_sqlite(path, clock=self.clock, synchronous="NORMAL") as database:
            opened = Opened(self.base(database), database)
            async with Workers() as workers:
                if works:
                    await opened.base.queue.begin()
                    workers.start(opened.base.queue.run())
                try:
                    yield opened
                finally:
                    workers.cancel()

    def base(self, database: Database) -> Base:
        prices = PriceTable()
        books = Books(database, self.clock, prices.reservation)
        around = Surroundings(self.clock, Timing(model_attempts=self.attempts), prices, lambda: 0.0)
        reader = Reader(Attempting(self.model, around), MODEL) if self.model else None
        return knowledge_base(Given(database, self.clock, books, KnowledgeSettings(), reader))


@dataclass
class Opened:
    base: Base
    database: Database

    async def remember(self, text: str, *, wait: bool = True, **more: Any) -> RememberRun:
        return await self.base.remember(RememberRequest("ann", text, **more), wait=wait)

    async def facts(self, **which: Any) -> tuple[FactInfo, ...]:
        return (await self.base.facts(FactFilter(user="ann", **which))).facts

    async def lines(self) -> list[str]:
        """Every fact with its status and its support."""
        return sorted(
            f"{fact.source} {fact.relation} {fact.target}: {fact.status}, {fact.support}"
            for fact in await self.facts(limit=200)
        )

    async def rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        async with self.database.reading() as reader:
            return [tuple(row.values()) for row in await reader.rows(sql, values)]

    async def calls(self) -> list[tuple[Any, ...]]:
        return await self.rows(
            "SELECT purpose, remember_run_id, state, cost_usd > 0, run_id FROM gb_inferences"
            " ORDER BY id"
        )


async def soon(what: asyncio.Event) -> None:
    """Wait for what must come, and fail rather than hang."""
    async with asyncio.timeout(20):
        await what.wait()


async def until(is_so: Callable[[], bool]) -> None:
    """Let the others go on until it is so, and fail rather than hang."""
    async with asyncio.timeout(20):
        while not is_so():  # noqa: ASYNC110 - nothing of the program announces it
            await asyncio.sleep(0)
