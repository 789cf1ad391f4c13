"""How the app feels: `python -m tests.benchmarks.bench_app [live|idle|frozen|start] [PROGRAM...]`.

The app runs in a terminal of 120 by 36 that this process reads at full speed.

- `live`: 50 agents, 500 events a second for 30 s, beside a list of 5,000 runs that was read to its
  end. Key to paint is the time from writing a key to the terminal until the piece of output is read
  that paints its consequence: the list's cursor on another row, or the first words of the report.
  One key at a time, at random moments; so it says nothing of keys pressed while another is waited
  for. CPU is of the process without the engine's thread, where the events are made; lateness is of
  a loop of 5 ms sleeps in that thread.
- `idle`: CPU of the whole process while nothing happens, and while two agents work silently.
- `frozen`: the same load, and a terminal that nobody reads for 10 s.
- `start`: to the first frame with any letter in it, beside a bare Textual app, and any PROGRAM.
"""

import json
import random
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.benchmarks.bench_app_program import TOP_OF_REPORT
from tests.benchmarks.bench_app_start import measure_starts
from tests.benchmarks.bench_app_terminal import Terminal, terminal

RUNS, AGENTS, EVENTS_PER_SECOND = 5_000, 50, 500
LIVE_SECONDS, IDLE_SECONDS, FROZEN_SECONDS, SETTLE_SECONDS = 30.0, 30.0, 10.0, 3.0
KEY_LIMIT_MS, IDLE_LIMIT, LATE_LIMIT_MS = 50, 1.0, 200
KINDS = ("list", "states", "report", "follow")
PATIENCE_SECONDS = 5.0
DOWN, UP = b"j", b"k"


@dataclass
class App:
    """The app in its terminal, and the line to its engine."""

    screen: Terminal
    control: socket.socket

    def do(self, command: str, **given: object) -> None:
        self.control.sendall((json.dumps({"do": command, **given}) + "\n").encode())

    def told(self) -> dict[str, Any]:
        self.do("tell")
        with self.control.makefile("r") as answers:
            answer: dict[str, Any] = json.loads(answers.readline())
        return answer


def main(what: str, programs: list[str]) -> None:
    for kind in KINDS if what in ("live", "all") else (what,) if what in KINDS else ():
        tell_live(kind)
    if what in ("idle", "all"):
        tell_idle(0)
        tell_idle(2)
    if what in ("frozen", "all"):
        tell_frozen()
    if what in ("start", "all"):
        measure_starts(programs)


def tell_live(kind: str) -> None:
    with running(AGENTS) as app:
        prepare(app, kind)
        app.do("load", rate=EVENTS_PER_SECOND, kind=kind)
        time.sleep(SETTLE_SECONDS)
        if kind == "report":
            app.screen.until_words(TOP_OF_REPORT, press=b"2g")
        app.do("mark")
        waits = key_waits(app.screen, press_top if kind == "report" else press_move)
        told = app.told()
    print(
        f"live, {kind:<7} key to paint p50 {middle(waits):4.0f} p95 {late_one(waits):4.0f} "
        f"max {1000 * max(waits):4.0f} ms of {len(waits)} (p95 at most {KEY_LIMIT_MS}); "
        f"{told_line(told)}",
        flush=True,
    )


def tell_idle(agents: int) -> None:
    with running(agents) as app:
        if agents:
            app.screen.send(b"\r")
        time.sleep(SETTLE_SECONDS)
        painted = app.screen.seen.count
        app.do("mark")
        time.sleep(IDLE_SECONDS)
        told = app.told()
        painted = app.screen.seen.count - painted
    print(
        f"idle, {agents} agents: {told['cpu']:.2f} % CPU (at most {IDLE_LIMIT}), "
        f"{painted / IDLE_SECONDS:.0f} bytes/s painted, peak {told['peak_mb']:.0f} MB",
        flush=True,
    )


def tell_frozen() -> None:
    with running(AGENTS) as app:
        prepare(app, "states")
        app.do("load", rate=EVENTS_PER_SECOND, kind="states")
        time.sleep(SETTLE_SECONDS)
        app.do("mark")
        with app.screen.frozen():
            time.sleep(FROZEN_SECONDS)
        time.sleep(SETTLE_SECONDS)
        told = app.told()
        waits = [press_move(app.screen, DOWN), press_move(app.screen, UP)]
    print(
        f"frozen {FROZEN_SECONDS:.0f} s: {told_line(told)} (late at most {LATE_LIMIT_MS}); "
        f"afterwards a key is painted in {1000 * max(waits):.0f} ms",
        flush=True,
    )


def told_line(told: dict[str, Any]) -> str:
    late = sorted(told["late"])
    return (
        f"app {told['cpu_app']:.0f} % CPU, process {told['cpu']:.0f} %; "
        f"engine late p95 {late_one(late):.0f} max {1000 * late[-1]:.0f} ms; "
        f"{told['events']:.0f} events/s, {told['resyncs']} resyncs, peak {told['peak_mb']:.0f} MB"
    )


def prepare(app: App, kind: str) -> None:
    """Read the list to its end; then show what is to be measured."""
    app.screen.until_words(f"{RUNS + AGENTS} runs", press=b"G")
    app.screen.send(b"g")
    time.sleep(0.5)
    if kind == "list":
        app.screen.send(DOWN * 8)
    else:
        app.screen.forget()
        app.screen.send(b"\r")
        app.screen.until_words("following")
        if kind in ("states", "report"):
            app.screen.send(UP * 8)
    time.sleep(0.5)


def key_waits(screen: Terminal, press: Callable[[Terminal, bytes], float]) -> list[float]:
    """Seconds from key to paint of keys at random moments, for half a minute."""
    chance = random.Random(11)
    waits: list[float] = []
    until = time.perf_counter() + LIVE_SECONDS
    while time.perf_counter() < until:
        time.sleep(chance.uniform(0.02, 0.3))
        waits.append(press(screen, DOWN if len(waits) % 2 else UP))
    return waits


def press_move(screen: Terminal, key: bytes) -> float:
    """A key that moves the cursor of a list by one row."""
    row = screen.seen.cursor_row
    screen.expect(lambda seen: seen.cursor_row != row)
    sent = screen.send(key)
    came = screen.came(PATIENCE_SECONDS)
    return (came or time.perf_counter()) - sent


def press_top(screen: Terminal, _: bytes) -> float:
    """A key that shows the start of the report, which was scrolled to its end."""
    screen.send(b"G")
    time.sleep(0.3)
    screen.forget()
    screen.expect(lambda seen: TOP_OF_REPORT.encode() in seen.words)
    sent = screen.send(b"g")
    came = screen.came(PATIENCE_SECONDS)
    return (came or time.perf_counter()) - sent


@contextmanager
def running(agents: int) -> Iterator[App]:
    """The app with the list of runs on the screen."""
    ours, theirs = socket.socketpair()
    program = [sys.executable, "-m", "tests.benchmarks.bench_app_program", str(theirs.fileno())]
    with tempfile.TemporaryDirectory() as folder, ours, theirs:
        command = [*program, folder, str(RUNS), str(agents)]
        with terminal(command, environment={}, descriptors=[theirs.fileno()]) as screen:
            screen.until_words("200+ runs")
            yield App(screen, ours)


def middle(seconds: list[float]) -> float:
    return 1000 * statistics.median(seconds)


def late_one(seconds: list[float]) -> float:
    """The 95th percentile, in milliseconds."""
    return 1000 * sorted(seconds)[min(len(seconds) - 1, int(0.95 * len(seconds)))]


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "all", sys.argv[2:])
