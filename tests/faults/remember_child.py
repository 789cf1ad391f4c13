"""A process of its own that remembers texts and is killed while it does.

    killed DIR COUNT     COUNT texts, by one process after the other; each kills itself at another
                         place, until one finds nothing left to do
    together DIR COUNT   COUNT texts that are there already, by two processes at once

Every process is forked from this one, which has no threads. What was accepted and what the model
was asked stands in files of DIR, a line each, written before anything follows from it.
"""

import asyncio
import os
import re
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path

from engine.domain.exchange import Reply, Request
from engine.domain.knowledge import RememberRequest
from engine.knowledge.remember import RememberQueue
from engine.knowledge.requests import text_to_remember
from engine.llm.model import OnProgress
from engine.manager.workers import Workers
from engine.store.database import Database, Reader, Result, Transaction, Work
from engine.store.sqlite import open_sqlite
from tests.engine.knowledge.absorbed import Place
from tests.fakes.reading import ReadingModel, StandingClock

PLACES = 45
"""A process is killed at its 1st, 2nd ... 45th step, and then at the first one again."""
ACCEPTED_AT_ONCE = 4
SOURCES = 10
_TEXT = re.compile(r"Ann(\d+)x")
_CHECKPOINTS = {"remember-extract": "extraction", "remember-reconcile": "reconciling"}


def text(number: int) -> str:
    """Ten things that trust one after another: most texts are compared with stored facts."""
    return f"Ohm{number % SOURCES}y trusts Ann{number}x since {1900 + number}."


@dataclass
class Fate:
    """Counts the steps of this process and ends it at one of them."""

    at: int
    steps: int = 0

    def step(self) -> None:
        self.steps += 1
        if self.steps == self.at:
            os.kill(os.getpid(), signal.SIGKILL)


NO_FATE = Fate(0)


@dataclass(frozen=True)
class Notes:
    folder: Path

    def say(self, name: str, line: str) -> None:
        with (self.folder / name).open("a") as file:
            file.write(f"{line}\n")

    def lines(self, name: str) -> list[str]:
        path = self.folder / name
        return path.read_text().splitlines() if path.exists() else []


class DeadlyDatabase:
    """Fulfils `engine.store.database.Database`; the process may end before a write, inside it when
    all is written and nothing committed, and after it."""

    def __init__(self, inner: Database, fate: Fate) -> None:
        self._inner = inner
        self._fate = fate

    async def write(self, work: Work[Result]) -> Result:
        def deadly(tx: Transaction) -> Result:
            found = work(tx)
            self._fate.step()
            return found

        self._fate.step()
        found = await self._inner.write(deadly)
        self._fate.step()
        return found

    def reading(self) -> AbstractAsyncContextManager[Reader]:
        return self._inner.reading()


@dataclass
class DeadlyModel(ReadingModel):
    """Notes what it is asked, and whether the answer was stored already; the process may end
    before the answer and after it."""

    fate: Fate = field(default_factory=lambda: NO_FATE)
    notes: Notes = field(default_factory=lambda: Notes(Path()))

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        self._note(request)
        self.fate.step()
        found = await super().reply(request, on_progress)
        self.fate.step()
        return found

    def _note(self, request: Request) -> None:
        kind = request.prompt_version.rpartition("-")[0]
        with closing(sqlite3.connect(self.notes.folder / "gligabao.db")) as connection:
            (row,) = connection.execute(
                f"SELECT id, {_CHECKPOINTS[kind]} FROM gb_remember_runs WHERE status = 'running'"
            ).fetchall()
        self.notes.say("asked", f"{kind} {row[0]} {'again' if row[1] is not None else 'first'}")


@asynccontextmanager
async def queue_of(folder: Path, fate: Fate) -> AsyncIterator[RememberQueue]:
    path = folder / "gligabao.db"
    async with open_sqlite(path, clock=StandingClock(), synchronous="NORMAL") as store:
        model = DeadlyModel(verdict="updates", fate=fate, notes=Notes(folder))
        place = Place(folder, model, StandingClock())
        yield place.base(DeadlyDatabase(store, fate)).queue


async def live(folder: Path, count: int, fate: Fate) -> None:
    """Accept a few more texts and work, until nothing is left."""
    notes = Notes(folder)
    async with queue_of(folder, fate) as queue, Workers() as workers:
        await queue.begin()
        workers.start(queue.run())
        known = len(notes.lines("accepted"))
        for number in range(known, min(count, known + ACCEPTED_AT_ONCE)):
            request = RememberRequest("ann", text(number), source=f"https://{number}.example/")
            run = await queue.submit(text_to_remember(request))
            notes.say("accepted", f"{number} {run.id}")
        await queue.rested()
        workers.cancel()


async def share(folder: Path) -> None:
    """Work as one of several, until nothing is left."""
    async with queue_of(folder, NO_FATE) as queue, Workers() as workers:
        workers.start(queue.run())
        for line in Notes(folder).lines("accepted"):
            await queue.settled(int(line.split()[1]))
        workers.cancel()


def in_a_process(work: Callable[[], None]) -> int:
    process = os.fork()
    if process == 0:
        work()
        os._exit(0)
    return process


def killed(folder: Path, count: int) -> None:
    lives = 0
    while True:
        at = lives % PLACES + 1
        process = in_a_process(lambda at=at: asyncio.run(live(folder, count, Fate(at))))  # type: ignore[misc]
        _, status = os.waitpid(process, 0)
        lives += 1
        is_over = len(Notes(folder).lines("accepted")) >= count and not open_in(folder)
        if is_over:
            break
        assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, status
    Notes(folder).say("lives", str(lives))


def open_in(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "gligabao.db")) as connection:
        (row,) = connection.execute(
            "SELECT COUNT(*) FROM gb_remember_runs WHERE status IN('queued', 'running')"
        ).fetchall()
    return int(row[0])


def together(folder: Path, count: int) -> None:
    async def accept() -> None:
        async with queue_of(folder, NO_FATE) as queue:
            for number in range(count):
                run = await queue.submit(text_to_remember(RememberRequest("ann", text(number))))
                Notes(folder).say("accepted", f"{number} {run.id}")

    processes = [in_a_process(lambda: asyncio.run(accept()))]
    os.waitpid(processes[0], 0)
    workers = [in_a_process(lambda: asyncio.run(share(folder))) for _ in range(2)]
    for worker in workers:
        _, status = os.waitpid(worker, 0)
        assert status == 0, status


def main(word: str, folder: Path, count: int) -> None:
    {"killed": killed, "together": together}[word](folder, count)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
