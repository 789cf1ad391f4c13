"""Brings the stored index of a folder up to date off the loop, then opens it.

A few changed files are read in a thread, many in a process of their own: so a large folder holds
up no screen, and giving up ends the work at once.
"""

import asyncio
import hashlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from engine.domain.errors import CannotStart, Problem
from engine.domain.run import DocsFolder
from engine.web.providers.docs_build import UNWRITABLE, build_and_save, stored_in
from engine.web.providers.docs_files import (
    BuildingStopped,
    FileState,
    IsStopped,
    inflated_size,
    suffix_of,
)
from engine.web.providers.docs_folder import Folder
from engine.web.providers.docs_index import Building, OnProgress, changed
from engine.web.providers.docs_pdf import read_pdf
from engine.web.providers.docs_store import IndexUnwritable, StoredIndex

FEW_FILES = 60
FEW_BYTES = 2 * 1_048_576
"""Up to so many changed files of so many bytes are read in a thread, which cannot be stopped in the
middle of one; more, in a process of their own."""

_BUILDER = "engine.web.providers.docs_build"
_HASH_DIGITS = 32
_KEPT_VARIABLES = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR")


async def opened(
    folder: DocsFolder, index_dir: Path, *, on_reading: Callable[[str, int, int], None]
) -> Folder:
    """The folder with a fresh index. Raises CannotStart; cancelled, it leaves nothing half done."""

    def on_progress(read: int, of: int) -> None:
        on_reading(folder.name, read, of)

    try:
        look = await _looked(folder.path, index_dir)
        stored = look.stored
        if stored is None or look.to_read is not None:
            stored = await _built(look, on_progress)
    except OSError as exc:
        raise _cannot_start(folder, exc.strerror or str(exc)) from exc
    except IndexUnwritable as exc:
        raise _cannot_keep(folder, str(exc)) from exc
    if not stored.pages:
        raise _cannot_start(folder, "it holds no document (.html, .md, .txt, .rst or .pdf)")
    return Folder(folder.name, stored, look.root)


def _cannot_start(folder: DocsFolder, why: str) -> CannotStart:
    return CannotStart(Problem("docs", f"the folder {folder.name!r} cannot be used: {why}"))


def _cannot_keep(folder: DocsFolder, why: str) -> CannotStart:
    told = (
        f"the index of the folder {folder.name!r} cannot be kept in docs_index of the data "
        f"directory: {why}; make room there and check that it may be written"
    )
    return CannotStart(Problem("docs", told))


class _Look(NamedTuple):
    root: Path
    where: Path
    """The folder of its index."""
    stored: StoredIndex | None
    to_read: Mapping[str, FileState] | None
    """New and changed files by path; None when the stored index is right."""


async def _looked(path: str, index_dir: Path) -> _Look:
    stop = threading.Event()
    try:
        return await asyncio.to_thread(_look, path, index_dir, stop.is_set)
    finally:
        stop.set()


def _look(path: str, index_dir: Path, is_stopped: IsStopped) -> _Look:
    root = Path(path).resolve(strict=True)
    where = index_dir / hashlib.sha256(os.fsencode(root)).hexdigest()[:_HASH_DIGITS]
    stored = stored_in(where)
    return _Look(root, where, stored, changed(root, stored, is_stopped))


async def _built(look: _Look, on_progress: OnProgress) -> StoredIndex:
    if _takes_long(look.to_read or {}):
        await _build_in_process(look, on_progress)
    else:
        await _build_in_thread(look, on_progress)
    stored = await asyncio.to_thread(stored_in, look.where)
    if stored is None:
        raise OSError(f"its index was damaged while it was read, in {look.where.name}")
    return stored


def _takes_long(files: Mapping[str, FileState]) -> bool:
    """A PDF alone may take a minute."""
    if len(files) > FEW_FILES or any(suffix_of(path) == ".pdf" for path in files):
        return True
    return sum(inflated_size(path, state) for path, state in files.items()) > FEW_BYTES


async def _build_in_thread(look: _Look, on_progress: OnProgress) -> None:
    stop = threading.Event()
    how = Building(read_pdf, on_progress, stop.is_set)

    def work() -> None:
        with suppress(BuildingStopped):
            build_and_save(look.root, look.where, how)

    try:
        await asyncio.to_thread(work)
    finally:
        stop.set()


async def _build_in_process(look: _Look, on_progress: OnProgress) -> None:
    process = await asyncio.create_subprocess_exec(
        *_command(look),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=_environment(),
        start_new_session=True,  # Ctrl-C is for us alone, and we end it with what it started
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        async with asyncio.TaskGroup() as reading:
            said = reading.create_task(process.stderr.read())
            reading.create_task(_follow(process.stdout, on_progress))
        if code := await process.wait():
            why = _last_line(said.result()) or f"the indexing ended with {code}"
            raise IndexUnwritable(why) if code == UNWRITABLE else OSError(why)
    finally:
        if process.returncode is None:
            _kill(process)
            await asyncio.shield(process.wait())


def _kill(process: asyncio.subprocess.Process) -> None:
    """End it and the reader of PDFs that it may have started."""
    if not hasattr(os, "killpg"):  # Windows
        process.kill()
        return
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _command(look: _Look) -> Sequence[str]:
    return (sys.executable, "-m", _BUILDER, str(look.root), str(look.where))


def _environment() -> dict[str, str]:
    """Where the code is, and what programs need to start: it reads strangers' files, so no key."""
    here = str(Path(__file__).resolve().parents[3])
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return {**kept, "PYTHONPATH": here, "PYTHONUTF8": "1"}


async def _follow(lines: asyncio.StreamReader, on_progress: OnProgress) -> None:
    async for line in lines:
        read, _, of = line.decode().strip().partition(" ")
        if read.isdigit() and of.isdigit():
            on_progress(int(read), int(of))


def _last_line(said: bytes) -> str:
    lines = said.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else ""
