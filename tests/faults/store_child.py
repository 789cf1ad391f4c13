"""A process of its own for the fault tests: it opens a database and then does what it is told.

`acknowledge` prints the number of every row once it is stored, until it is killed. The other words
say how it is to end.
"""

import asyncio
import sys
from functools import partial
from pathlib import Path

from engine.store.database import Database, Transaction
from engine.store.sqlite import open_sqlite
from tests.fakes.clock import FakeClock

WRITERS = 8


async def acknowledge(database: Database, writer: int) -> None:
    """Each transaction writes two rows, so that a torn one would show."""

    def work(tx: Transaction) -> int:
        tx.insert(SEND, (writer, "first"))
        return tx.insert(SEND, (writer, "second"))

    while True:
        print(await database.write(work), flush=True)  # noqa: T201 - the parent reads it


def say(tx: Transaction, *, writer: int) -> int:
    return tx.insert(SEND, (writer, "last"))


SEND = (
    "INSERT INTO gb_agent_messages(root_id, from_run, to_run, text, sent_at)"
    " VALUES(1, ?, 2, ?, '2026-11-01T10:00:00.000Z')"
)


async def keep_writing(path: Path) -> None:
    async with open_sqlite(path, clock=FakeClock()) as database, asyncio.TaskGroup() as group:
        for writer in range(WRITERS):
            group.create_task(acknowledge(database, writer))


async def end_by(path: Path, error: BaseException) -> None:
    async with open_sqlite(path, clock=FakeClock()) as database, asyncio.TaskGroup() as group:
        for writer in range(WRITERS):
            group.create_task(database.write(partial(say, writer=writer)))
        await asyncio.sleep(0)  # every writer asks before the end comes
        print("open", flush=True)  # noqa: T201
        raise error


def abandon(path: Path) -> None:
    """Leave the loop without closing anything, while the database is still referred to."""
    loop = asyncio.new_event_loop()
    opening = open_sqlite(path, clock=FakeClock())
    KEPT.append(loop.run_until_complete(opening.__aenter__()))
    KEPT.append(opening)
    print("open", flush=True)  # noqa: T201


KEPT: list[object] = []

ENDINGS: dict[str, BaseException] = {
    "error": RuntimeError("on purpose"),
    "exit": SystemExit(7),
    "interrupt": KeyboardInterrupt(),
    "cancel": asyncio.CancelledError(),
}


def main(word: str, path: Path) -> None:
    if word == "acknowledge":
        asyncio.run(keep_writing(path))
    elif word == "abandon":
        abandon(path)
    else:
        asyncio.run(end_by(path, ENDINGS[word]))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
