"""Start-up of the app beside a bare Textual app and any other programs, taking turns.

The first frame is the first output after the alternate screen was entered that has a letter in it.
"""

import asyncio
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.store import runs
from engine.store.database import Transaction
from engine.store.sqlite import open_sqlite
from engine.wiring import DATABASE_NAME
from tests.benchmarks.bench_app_terminal import Seen, terminal
from tests.fakes.clock import FakeClock

ROUNDS = 9
RUNS = 5_000
LIMIT = 1.3
BARE = (sys.executable, "-m", "tests.benchmarks.bench_app_bare")
OURS = (sys.executable, "-m", "gligabao_tui")
MOMENT = "2026-11-01T10:00:00.000Z"
_LETTER = re.compile(rb"[A-Za-z]")


@dataclass
class Starts:
    """Seconds to the first frame, and to the list of runs where there is one."""

    command: Sequence[str]
    home: str
    listed: str = ""
    to_frame: list[float] = field(default_factory=list)
    to_list: list[float] = field(default_factory=list)


def measure_starts(programs: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        empty, full = Path(folder) / "empty", Path(folder) / "full"
        empty.mkdir()
        full.mkdir()
        asyncio.run(fill(full))
        bare = Starts(BARE, folder)
        ours = {
            "gligabao, no runs": Starts(OURS, str(empty), "start a research"),
            f"gligabao, {RUNS} runs": Starts(OURS, str(full), "200+ runs"),
        }
        others = {Path(path).name: Starts((path,), folder) for path in programs}
        everything = {"a bare Textual app": bare, **ours, **others}
        for _ in range(ROUNDS + 1):
            for starts in everything.values():
                start_once(starts)
    for name, starts in everything.items():
        tell(name, starts, beside=bare)


def tell(name: str, starts: Starts, *, beside: Starts) -> None:
    """The first round, which fills caches, is left out."""
    frame = statistics.median(starts.to_frame[1:])
    ratio = frame / statistics.median(beside.to_frame[1:])
    spread = f"{1000 * min(starts.to_frame[1:]):.0f} to {1000 * max(starts.to_frame[1:]):.0f}"
    listed = statistics.median(starts.to_list[1:]) if starts.to_list[1:] else 0
    print(
        f"start, {name:<22} first frame {1000 * frame:5.0f} ms ({spread}), "
        f"{ratio:.2f} times bare" + (f", usable {1000 * listed:.0f} ms" if listed else ""),
        flush=True,
    )


def start_once(starts: Starts) -> None:
    places = {"HOME": starts.home, "XDG_CONFIG_HOME": starts.home, "XDG_DATA_HOME": starts.home}
    environment = {**places, "GLIGABAO_DATA_DIR": starts.home}
    began = time.perf_counter()
    with terminal(starts.command, environment=environment) as screen:
        screen.expect(has_letters)
        came = screen.came()
        assert came is not None, f"{starts.command} showed nothing"
        starts.to_frame.append(came - began)
        if starts.listed:
            listed = starts.listed.encode()
            screen.expect(lambda seen: listed in seen.words)
            came = screen.came()
            assert came is not None, f"{starts.listed!r} was not shown"
            starts.to_list.append(came - began)
            screen.send(b"q")
            screen.process.wait()


def has_letters(seen: Seen) -> bool:
    return bool(_LETTER.search(seen.words))


async def fill(folder: Path) -> None:
    async with open_sqlite(folder / DATABASE_NAME, clock=FakeClock()) as database:
        await database.write(_fill)


def _fill(tx: Transaction) -> None:
    for number in range(RUNS):
        topic = f"How does database number {number} reclaim space?"
        new = runs.NewRun("admin", topic, "offline", 20, "default", "1", "", "{}")
        run = runs.create(tx, new, at=MOMENT)
        runs.end(tx, run.id, runs.Ending("completed", report="# Space"), at=MOMENT)
