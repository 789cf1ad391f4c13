"""The app over an engine in memory that works as hard as it is told: the child of `bench_app`.

    python -m tests.benchmarks.bench_app_program SOCKET DATA_DIR RUNS AGENTS

Commands come by the socket (a number of a descriptor), one JSON a line: `load` begins to make
events in the engine's thread, `mark` begins to measure, `tell` answers what was measured since.
"""

import asyncio
import json
import random
import resource
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from engine.api import Run, RunFilter, RunId, RunPage, State, Status, timestamp
from gligabao_tui.app import run_app
from tests.fakes.clock import FakeClock
from tests.fakes.engine import FakeEngine
from tests.tui.scenes import settings_in

BEAT_SECONDS = 0.01
LAG_SLEEP_SECONDS = 0.005
STATES_BEFORE = 300
WATCHED_SHARE = 0.2
"""Of all events: those of the newest run, which is the one that somebody looks at."""
TOP_OF_REPORT = "Opening-words-of-the-report"
ENDED: tuple[Status, ...] = ("completed", "completed", "completed", "failed", "stopped")
STATES = ("thinking", "searching", "reading", "thinking", "using_tool")
WORDS = ("the", "log", "of", "a", "write", "is", "kept", "beside", "its", "pages", "until", "read")
TOPIC = "How do database number {} and its neighbours reclaim the space of rows that nobody sees?"


class LiveClock(FakeClock):
    """The time of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)


@dataclass
class Measured:
    """What has happened since `mark`. CPU in seconds of the process and of the engine's thread."""

    wall: float = field(default_factory=time.perf_counter)
    process: float = field(default_factory=time.process_time)
    engine: float = field(default_factory=time.thread_time)
    asked: int = 0
    """First pages of the list: one is read for each Resync."""
    events: int = 0
    late: list[float] = field(default_factory=list)


class BusyEngine(FakeEngine):
    """Made in the main thread, used in the engine's."""

    def __init__(self, control: socket.socket, runs: int, agents: int) -> None:
        super().__init__(LiveClock())
        self._control = control
        self._chance = random.Random(7)
        self._measured = Measured()
        self._first_pages = 0
        for number in range(1, runs + agents + 1):
            self._remember(RunId(number), works=number > runs)
        self._working = [run.id for run in self.runs.values() if run.status == "running"]

    @asynccontextmanager
    async def opened(self) -> AsyncIterator["BusyEngine"]:
        self._control.setblocking(False)
        async with super().opened(), asyncio.TaskGroup() as tasks:
            obeying = tasks.create_task(self._obey(tasks))
            yield self
            obeying.cancel()
            for other in self._others:
                other.cancel()

    _others: tuple[asyncio.Task[None], ...] = ()

    async def _obey(self, tasks: asyncio.TaskGroup) -> None:
        loop = asyncio.get_running_loop()
        waiting = b""
        while read := await loop.sock_recv(self._control, 4096):
            *lines, waiting = (waiting + read).split(b"\n")
            for line in lines:
                command = json.loads(line)
                if command["do"] == "load":
                    load, lag = self._load(command["rate"], command["kind"]), self._watch_lag()
                    self._others = (tasks.create_task(load), tasks.create_task(lag))
                elif command["do"] == "mark":
                    self._measured = Measured(asked=self._first_pages)
                else:
                    told = json.dumps(self._told()) + "\n"
                    await loop.sock_sendall(self._control, told.encode())

    def _told(self) -> dict[str, Any]:
        was = self._measured
        wall = time.perf_counter() - was.wall
        process, engine = time.process_time() - was.process, time.thread_time() - was.engine
        return {
            "wall": wall,
            "cpu": 100 * process / wall,
            "cpu_app": 100 * (process - engine) / wall,
            "late": was.late,
            "events": was.events / wall,
            "resyncs": self._first_pages - was.asked,
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }

    async def list(self, which: RunFilter) -> RunPage:
        self._first_pages += not which.cursor
        return await super().list(which)

    async def _watch_lag(self) -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(LAG_SLEEP_SECONDS)
            self._measured.late.append(time.perf_counter() - began - LAG_SLEEP_SECONDS)

    async def _load(self, rate: float, kind: str) -> None:
        """`rate` events a second; in `kind` report the newest run writes its report."""
        if kind == "report":
            self.enter(self._working[-1], "writing_report", "step 4 of 40")
            self.say(self._working[-1], f"# {TOP_OF_REPORT}\n\n")
        began, made = time.perf_counter(), 0
        while True:
            wanted = int((time.perf_counter() - began) * rate)
            while made < wanted:
                made += self._happens(kind)
            await asyncio.sleep(BEAT_SECONDS)

    def _happens(self, kind: str) -> int:
        """Something happens to one of the agents: how many events it was."""
        is_watched = self._chance.random() < WATCHED_SHARE
        run_id = self._working[-1] if is_watched else self._chance.choice(self._working[:-1])
        before, dice = self._measured.events, self._chance.random()
        if dice > 0.08 or (is_watched and kind == "report"):
            self.say(run_id, self._words(kind), self._kind_of_speech())
        elif dice > 0.02:
            run = self.runs[run_id]
            self.use(run_id, steps=min(39, run.steps + 1), cost=run.cost_usd + 0.001, tokens=9_000)
        else:
            self.enter(run_id, self._chance.choice(STATES), "https://example.org/pages/" + "x" * 20)
        return self._measured.events - before

    def emit(self, event: Any) -> None:
        self._measured.events += 1
        super().emit(event)

    def _words(self, kind: str) -> str:
        chosen = self._chance.choices(WORDS, k=2)
        end = "\n\n" if kind == "report" and self._chance.random() < 0.02 else " "
        return " ".join(chosen) + end

    def _kind_of_speech(self) -> Literal["text", "thinking"]:
        return "text" if self._chance.random() < 0.9 else "thinking"

    def _remember(self, run_id: RunId, *, works: bool) -> None:
        """A run that is there from the beginning."""
        ago = timedelta(minutes=2 if works else 60)
        created = timestamp(self.clock.now() - ago)
        status: Status = "running" if works else ENDED[run_id % len(ENDED)]
        self.runs[run_id] = Run(
            id=run_id,
            user_id="admin",
            topic=TOPIC.format(run_id),
            status=status,
            state="thinking" if works else status,
            model="offline",
            max_steps=40,
            created_at=created,
            steps=3,
            cost_usd=0.01,
            error="the model API is overloaded" if status == "failed" else "",
            finished_at=None if works else created,
        )
        count = STATES_BEFORE if works else 1
        self.states[run_id] = [
            State(run_id, seq, "thinking", seq, f"step {seq} of 40", "", created, created)
            for seq in range(1, count + 1)
        ]
        if works:
            entered = State(run_id, count + 1, "thinking", 4, "step 4 of 40", "", created, None)
            self.states[run_id].append(entered)


if __name__ == "__main__":
    number, data_dir, runs, agents = sys.argv[1:]
    engine = BusyEngine(socket.socket(fileno=int(number)), int(runs), int(agents))
    sys.exit(run_app(settings_in(Path(data_dir)), engine.opened))
