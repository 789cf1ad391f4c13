"""What a step of the simple loop costs through the Manager, with a model that answers at once.

    python -m tests.benchmarks.bench_steps

Two settings side by side, FULL and NORMAL: one agent alone (25 runs of 40 steps, one after another;
a step is one model call and one tool call, two commits), and 100 agents of 34 users at once. Prints
the median and 95th percentile of a step, steps a second, commits a step, and memory per agent.
"""

import asyncio
import itertools
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from engine.domain.exchange import Reply, Request
from engine.domain.run import StartRequest
from engine.domain.usage import Usage
from engine.llm.model import OnProgress
from engine.manager.manager import Manager
from engine.settings import Settings
from engine.wiring import Parts, open_engine
from tests.fakes.models import text_reply, tool_reply
from tests.fakes.notes import NOTE_TOOL

STEPS = 40
RUNS_ALONE = 25
AGENTS = 100
USERS = 34
Synchronous = Literal["FULL", "NORMAL"]


class Instant:
    """Asks for a note in every step, writes a report when it may not; notes when it is asked."""

    def __init__(self) -> None:
        self.asked_at: list[float] = []
        self._asks = tool_reply("note", {"text": "plain"})
        self._ends = text_reply("done", Usage(input_tokens=100, output_tokens=10))

    async def reply(self, request: Request, on_progress: OnProgress) -> Reply:
        self.asked_at.append(time.perf_counter())
        return self._ends if request.tool_choice.kind == "none" else self._asks


@dataclass(frozen=True, slots=True)
class Figures:
    median_ms: float
    p95_ms: float
    commits_per_step: float


async def alone(synchronous: Synchronous) -> Figures:
    model = Instant()
    with tempfile.TemporaryDirectory() as folder:
        async with open_engine(settings(folder, synchronous), parts(model)) as manager:
            gaps: list[float] = []
            before = commits(manager)
            for _ in range(RUNS_ALONE):
                model.asked_at.clear()
                await manager.start(StartRequest("topic", "ann", max_steps=STEPS))
                await manager.idle()
                gaps += [1_000 * (b - a) for a, b in itertools.pairwise(model.asked_at)]
            made = commits(manager) - before
            await check_all_completed(manager, RUNS_ALONE)
    return Figures(
        statistics.median(gaps),
        statistics.quantiles(gaps, n=20)[-1],
        made / (RUNS_ALONE * STEPS),
    )


async def together(synchronous: Synchronous) -> tuple[float, float]:
    """Steps a second of 100 agents at once, and the memory in KiB that each took."""
    model = Instant()
    with tempfile.TemporaryDirectory() as folder:
        async with open_engine(settings(folder, synchronous), parts(model)) as manager:
            memory = resident_kib()
            began = time.perf_counter()
            for number in range(AGENTS):
                user = f"user {number % USERS}"
                await manager.start(StartRequest("topic", user, max_steps=STEPS))
            grown = resident_kib() - memory
            await manager.idle()
            took = time.perf_counter() - began
            await check_all_completed(manager, AGENTS)
    return AGENTS * STEPS / took, max(grown, 0) / AGENTS


async def check_all_completed(manager: Manager, expected: int) -> None:
    """A figure of runs that failed would say nothing."""
    by_status = (await manager.counts()).by_status
    assert by_status == {"completed": expected}, by_status


def settings(folder: str, synchronous: Synchronous) -> Settings:
    return Settings(data_dir=Path(folder), anthropic_api_key="sk-none", synchronous=synchronous)


def parts(model: Instant) -> Parts:
    return Parts(models=lambda _: model, extra_tools=(NOTE_TOOL,))


def commits(manager: Manager) -> int:
    return int(getattr(manager.database, "commits", 0))


def resident_kib() -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS:")).split()[1])


def measure(kind: Synchronous) -> None:
    figures = asyncio.run(alone(kind))
    rate, memory = asyncio.run(together(kind))
    print(
        f"{kind:6}  one agent: {figures.median_ms:.2f} ms median, {figures.p95_ms:.2f} ms p95, "
        f"{figures.commits_per_step:.2f} commits a step   "
        f"{AGENTS} agents: {rate:,.0f} steps/s, {memory:.0f} KiB an agent"
    )


def main() -> None:
    """Each setting in a process of its own, so that memory is counted from the same start."""
    for kind in ("FULL", "NORMAL"):
        subprocess.run([sys.executable, "-m", "tests.benchmarks.bench_steps", kind], check=True)


if __name__ == "__main__":
    if sys.argv[1:]:
        measure("FULL" if sys.argv[1] == "FULL" else "NORMAL")
    else:
        main()
