"""Books the model calls of one remember or query run: each attempt is a row before it is sent.

What they cost is the knowledge base's own and never part of a research run (seed 000).
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from engine.domain.clock import Clock, timestamp
from engine.domain.exchange import Outcome, Request
from engine.llm.meter import RequestMeter
from engine.store import journal
from engine.store.database import Database, Transaction


@dataclass(frozen=True, slots=True)
class Books:
    """Where attempts are written. `reservation`: USD that a request of so many characters may
    cost."""

    database: Database
    clock: Clock
    reservation: Callable[[Request, int], float]

    @asynccontextmanager
    async def of(self, kind: Literal["remember", "query"], number: int) -> AsyncIterator["Booking"]:
        """The attempts of one run; how the last one ended is stored with the scope's end."""
        booking = Booking(self, kind, number)
        try:
            yield booking
        finally:
            await booking.flush()


@dataclass(slots=True)
class _Open:
    """The attempt under way: its row, known once it is written."""

    id: int = 0


@dataclass(slots=True)
class Booking:
    """Fulfils `engine.llm.model.Attempts`."""

    books: Books
    kind: Literal["remember", "query"]
    number: int
    _meter: RequestMeter = field(default_factory=RequestMeter)
    _open: _Open = field(default_factory=_Open)
    _ends: list[Callable[[Transaction], None]] = field(default_factory=list)

    async def start(self, request: Request, attempt: int) -> None:
        measure = self._meter.measure(request)
        at = timestamp(self.books.clock.now())
        is_query = self.kind == "query"
        new = journal.NewAttempt(
            purpose=self.kind,
            run_id=None,
            step=0,
            attempt=attempt,
            model=request.model,
            prompt_version=request.prompt_version,
            request_hash=measure.hash,
            reserved_usd=self.books.reservation(request, measure.characters),
            remember_run_id=None if is_query else self.number,
            query_run_id=self.number if is_query else None,
        )
        begun = self._open = _Open()

        def begin(tx: Transaction) -> None:
            begun.id = journal.start_attempt(tx, new, at=at)

        await self._written(begin)

    def end(self, outcome: Outcome) -> None:
        at = timestamp(self.books.clock.now())
        ended = self._open
        self._ends.append(lambda tx: journal.end_attempt(tx, ended.id, outcome, at=at))

    async def wait(self, until: datetime, why: str) -> None:  # noqa: ARG002 - the protocol's
        """Nobody watches: the wait is in the row of the attempt that follows."""
        await self.flush()

    def discard(self) -> None:
        """Nothing of it was shown."""

    async def flush(self) -> None:
        """Store what has ended."""
        if self._ends:
            await self._written(None)

    async def _written(self, more: Callable[[Transaction], None] | None) -> None:
        writes, self._ends = self._ends, []

        def work(tx: Transaction) -> None:
            for write in (*writes, *((more,) if more else ())):
                write(tx)

        await self.books.database.write(work)
