"""Stopping: a cancel is seen within a second wherever reading stands, and leaves nothing behind."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import httpcore
import pytest

from engine.domain.run import DocsFolder
from engine.domain.timing import Timing
from engine.settings import FetchSettings
from engine.web.guard import Guard, GuardedBackend
from engine.web.providers.docs import DocsLibrary
from engine.web.reader import WebReader, Wire
from tests.fakes.pdf import pdf
from tests.fakes.web import HOST, FakeWeb, Names, answer, fake_web, stalling

SEEN_WITHIN_SECONDS = 1.0
PAST_START_SECONDS = 0.6
PROC = Path("/proc")


@pytest.fixture
async def web() -> AsyncIterator[FakeWeb]:
    async with fake_web() as web:
        yield web


async def stopped(work: Coroutine[Any, Any, object], *, when: Callable[[], bool]) -> None:
    """Cancels `work` once `when` says so, and waits until it has seen that."""
    now = asyncio.get_running_loop().time
    async with asyncio.TaskGroup() as group:
        task = group.create_task(work)
        while not when():
            assert not task.done(), "it ended before it could be stopped"
            await asyncio.sleep(0)
        task.cancel()
        began = now()
        await asyncio.wait([task])
        assert task.cancelled()
        assert now() - began < SEEN_WITHIN_SECONDS


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(SEEN_WITHIN_SECONDS):
        while not done():  # noqa: ASYNC110  # nobody tells of the end of a stranger's process
            await asyncio.sleep(0)


async def stopped_reading(
    web: FakeWeb, url: str, *, when: Callable[[], bool], names: Names | None = None
) -> None:
    wire = Wire(resolver=names or Names())
    reader = WebReader(FetchSettings(allow=(web.allow,)), Timing(), wire=wire)
    await stopped(reader.read(url), when=when)
    await reader.aclose()


async def test_a_look_up_that_hangs_is_stopped(web: FakeWeb) -> None:
    names = Names(hangs=True)
    await stopped_reading(web, web.url("/x"), names=names, when=lambda: bool(names.asked))


class Unanswered(httpcore.AsyncNetworkBackend):
    """A network in which nothing is ever connected."""

    asked = False

    async def connect_tcp(self, *_: object, **__: object) -> httpcore.AsyncNetworkStream:
        self.asked = True
        await asyncio.Event().wait()
        raise AssertionError


async def test_a_connection_that_is_not_answered_is_stopped() -> None:
    network = Unanswered()
    guard = Guard((), Timing(), Names({HOST: [("8.8.8.8",)]}))
    backend = GuardedBackend(guard, network)
    await stopped(backend.connect_tcp(HOST, 443), when=lambda: network.asked)


@pytest.mark.parametrize("sent", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\n\r\n<p>begun"])
async def test_an_answer_that_stalls_is_stopped_and_its_connection_closed(
    web: FakeWeb, sent: bytes
) -> None:
    await stopped_reading(web, web.add("/x", stalling(sent)), when=lambda: bool(web.seen))
    await until(lambda: not web.serving)


async def test_the_parsing_of_a_page_is_left_alone(web: FakeWeb) -> None:
    url = web.add("/x", answer("<p>ab" * 20_000))
    await stopped_reading(web, url, when=lambda: is_running("html.py"))


@pytest.mark.skipif(not PROC.is_dir(), reason="processes are looked up in /proc")
async def test_a_pdf_of_the_web_is_stopped_with_its_process(web: FakeWeb) -> None:
    started: set[str] = set()
    url = web.add("/x", answer(long_pdf(600)))
    await stopped_reading(web, url, when=lambda: have_started(started, "pdf_worker"))
    await gone(started)


@pytest.mark.skipif(not PROC.is_dir(), reason="processes are looked up in /proc")
async def test_indexing_is_stopped_with_the_process_that_reads_a_pdf(tmp_path: Path) -> None:
    folder, index = tmp_path / "docs", tmp_path / "index"
    folder.mkdir()
    (folder / "long.pdf").write_bytes(long_pdf(2_000))
    started: set[str] = set()
    opening = DocsLibrary.open([DocsFolder("book", str(folder))], index)
    await stopped(opening, when=lambda: have_started(started, "docs_build", "pdf_worker"))
    await gone(started)
    assert list(index.rglob("*")) == []


def long_pdf(pages: int) -> bytes:
    return pdf(["\n".join(["A line that says a little about how it was made"] * 120)] * pages)


def is_running(name: str) -> bool:
    """Whether a thread is in a function of the module `engine/web/NAME`."""
    return any(
        file.endswith(f"engine/web/{name}")
        for frame in sys._current_frames().values()
        for file in files_of(frame)
    )


def files_of(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        yield frame.f_code.co_filename
        frame = frame.f_back


def have_started(found: set[str], *modules: str) -> bool:
    """Whether a process below this one runs each of the modules; their ids go to `found`.

    The last of them must be past its start: before that it ends by itself when its input does.
    """
    below = {pid: command(pid) for pid in descendants()}
    running = [pid for name in modules for pid, told in below.items() if name in told]
    found.update(running)
    return len(running) >= len(modules) and cpu_seconds(running[-1]) > PAST_START_SECONDS


def descendants() -> set[str]:
    """The ids of all processes that this one and those below it started."""
    parents = {path.parent.name: parent_of(path) for path in PROC.glob("[0-9]*/stat")}
    below = {str(os.getpid())}
    while more := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= more
    return below - {str(os.getpid())}


def parent_of(stat: Path) -> str:
    try:
        return stat.read_text().rpartition(")")[2].split()[1]
    except OSError:
        return ""


def cpu_seconds(pid: str) -> float:
    try:
        fields = (PROC / pid / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def command(pid: str) -> str:
    """Empty for one that has ended, also when nobody has asked for its end yet."""
    try:
        return (PROC / pid / "cmdline").read_text()
    except OSError:
        return ""


async def gone(pids: set[str]) -> None:
    assert pids
    await until(lambda: not any(command(pid) for pid in pids))
