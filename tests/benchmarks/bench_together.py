"""Two joined apps and three commands at once on one data directory.

    python -m tests.benchmarks.bench_together [SECONDS]

Two watchers hold the engine as the app does; beside them three loops of real commands start runs,
list them and read them. Prints how long after its creation each run was seen by every watcher and
list. Then the owner is killed: no row may be lost, a watcher goes on, and the next command works.
"""

import asyncio
import json
import os
import signal
import statistics
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, PIPE
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TOPIC = "How are the quotations of a report checked?"
START = ("research", "start", TOPIC, "--model", "offline", "--docs", f"handbook={ROOT / 'docs'}")


@dataclass
class Sightings:
    """Run -> when it was created, and by whom it was seen when, in seconds since the epoch."""

    created: dict[int, float] = field(default_factory=dict)
    seen: dict[int, dict[str, float]] = field(default_factory=dict)
    late_lists: int = 0
    lists: int = 0

    def see(self, who: str, run_id: int, at: float) -> None:
        self.seen.setdefault(run_id, {}).setdefault(who, at)


async def main(seconds: float) -> None:
    sightings = Sightings()
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder)
        async with asyncio.TaskGroup() as group:
            watchers = [await watcher(data_dir) for _ in range(2)]
            for name, process in zip(("app 1", "app 2"), watchers, strict=True):
                group.create_task(follow(name, process, sightings))
            until = time.monotonic() + seconds
            async with asyncio.TaskGroup() as commands:
                commands.create_task(start_runs(data_dir, until, sightings))
                commands.create_task(list_runs(data_dir, until, sightings))
                commands.create_task(read_runs(data_dir, until, sightings))
            before = await shown(data_dir)
            owner = int((data_dir / "engine.lock").read_text(encoding="ascii"))
            os.kill(owner, signal.SIGKILL)
            killed = time.monotonic()
            after = await shown(data_dir)
            print(
                f"after killing the owner: {len(after)} of {len(before)} runs, "
                f"the next command took {time.monotonic() - killed:.2f} s"
            )
            assert set(before) <= set(after)
            extra = await printed(data_dir, *START)
            sightings.created[int(extra[0]["id"])] = epoch(extra[0]["created_at"])
            await asyncio.sleep(0.6)
            for process in watchers:
                if process.returncode is None:
                    process.terminate()
    tell(sightings)


def tell(sightings: Sightings) -> None:
    waits = [
        seen - created
        for run_id, created in sightings.created.items()
        for seen in sightings.seen.get(run_id, {}).values()
    ]
    everywhere = [
        run_id for run_id in sightings.created if len(sightings.seen.get(run_id, {})) == 2
    ]
    print(
        f"{len(sightings.created)} runs, seen by both apps: {len(everywhere)}; "
        f"median {statistics.median(waits):.3f} s, worst {max(waits):.3f} s after creation; "
        f"{sightings.lists} lists, {sightings.late_lists} lacked a run older than half a second"
    )


async def start_runs(data_dir: Path, until: float, sightings: Sightings) -> None:
    while time.monotonic() < until:
        for run in await printed(data_dir, *START):
            sightings.created[int(run["id"])] = epoch(run["created_at"])


async def list_runs(data_dir: Path, until: float, sightings: Sightings) -> None:
    while time.monotonic() < until:
        began = time.time()
        runs = await printed(data_dir, "research", "ls", "--json", "--limit", "500")
        listed = {int(run["id"]) for run in runs}
        due = {n for n, created in sightings.created.items() if created < began - 0.5}
        sightings.lists += 1
        sightings.late_lists += bool(due - listed)


async def read_runs(data_dir: Path, until: float, sightings: Sightings) -> None:
    while time.monotonic() < until:
        for run_id in list(sightings.created)[-1:]:
            await printed(data_dir, "research", "get", str(run_id), "--json")
        await asyncio.sleep(0.05)


async def shown(data_dir: Path) -> dict[int, str]:
    runs = await printed(data_dir, "research", "ls", "--json", "--limit", "500")
    return {int(run["id"]): run["status"] for run in runs}


async def printed(data_dir: Path, *words: str) -> list[dict[str, Any]]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "gligabao_tui",
        "--data-dir",
        str(data_dir),
        *words,
        stdout=PIPE,
        stderr=PIPE,
        cwd=ROOT,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, (words, process.returncode, err.decode())
    return [json.loads(line) for line in out.decode().splitlines() if line]


async def watcher(data_dir: Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.benchmarks.bench_together",
        "watch",
        str(data_dir),
        stdout=PIPE,
        stderr=DEVNULL,
        cwd=ROOT,
    )


async def follow(name: str, process: asyncio.subprocess.Process, sightings: Sightings) -> None:
    assert process.stdout is not None
    async for line in process.stdout:
        run_id, at = line.split()
        sightings.see(name, int(run_id), float(at))


async def watch(data_dir: Path) -> None:
    """What an app does with the engine; a Resync makes it read the list again."""
    from engine.api import Resync, RunFilter, RunStarted, Settings, connect

    joined = connect(Settings(data_dir=data_dir), stay=True)
    async with joined as engine, engine.watch() as events:
        async for event in events:
            found = [event.run] if isinstance(event, RunStarted) else []
            if isinstance(event, Resync):
                found = list((await engine.list(RunFilter(limit=500))).runs)
            for run in found:
                print(run.id, time.time(), flush=True)


def epoch(stamp: str) -> float:
    return datetime.strptime(stamp, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC).timestamp()


if __name__ == "__main__":
    if sys.argv[1:2] == ["watch"]:
        asyncio.run(watch(Path(sys.argv[2])))
    else:
        asyncio.run(main(float(sys.argv[1]) if sys.argv[1:] else 60.0))
