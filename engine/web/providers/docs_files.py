"""The files of a folder of documents: which there are, and their bytes. Never leaves the folder.

Links to folders are not followed and links to files not listed: what they point to inside the
folder is listed under its own name, and what lies outside must not be read.
"""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from engine.domain.errors import ToolError
from engine.web.body import GZIP_MAGIC, BadEncoding, Body

MOST_BYTES = 20 * 1_048_576
"""Of one document, inflated; a larger one is not read."""

SUFFIXES = (".html", ".htm", ".xhtml", ".md", ".markdown", ".txt", ".rst", ".pdf")
_PACKED = ".gz"
_LEFT_OUT = frozenset({"node_modules", "__pycache__"})
_PACKED_FACTOR = 20
_PIECE_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class FileState:
    """What tells whether a file has changed."""

    size: int
    mtime_ns: int


class UnreadableFile(Exception):
    """A file cannot be read; the text says why, without its path."""


class BuildingStopped(Exception):
    """Whoever wanted the index does not want it any more."""


IsStopped: TypeAlias = Callable[[], bool]


def never() -> bool:
    """For work that nobody stops."""
    return False


def scan(root: Path, is_stopped: IsStopped = never) -> dict[str, FileState]:
    """Relative path -> state of every document, in order.

    Raises OSError when `root` is none, BuildingStopped.
    """
    found: dict[str, FileState] = {}
    for path, entry in _documents(root, is_stopped):
        state = entry.stat(follow_symlinks=False)
        if stat.S_ISREG(state.st_mode):
            found[path] = FileState(state.st_size, state.st_mtime_ns)
    return dict(sorted(found.items()))


def suffix_of(path: str) -> str:
    """The suffix that says what a document is, in lower case: `.html` of `Page.HTML.gz`."""
    name = path.lower().removesuffix(_PACKED)
    return next((suffix for suffix in SUFFIXES if name.endswith(suffix)), "")


def inflated_size(path: str, state: FileState) -> int:
    """How many bytes there are to read, guessed where they are packed."""
    return state.size * _PACKED_FACTOR if path.lower().endswith(_PACKED) else state.size


def file_in(root: Path, path: str) -> str:
    """The path of a regular file, without links in it. Raises ToolError when it is none, lies
    outside, or is hidden."""
    try:
        found = (root / path).resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as exc:
        raise ToolError("no such document") from exc
    inside = root.resolve()
    if not found.is_relative_to(inside):
        raise ToolError("leaves its folder of documents")
    if found.is_dir():
        raise ToolError("is a folder: give the address of a document in it")
    if not found.is_file():
        raise ToolError("is not a document")
    relative = found.relative_to(inside).as_posix()
    if any(_is_left_out(step) for step in relative.split("/")):
        raise ToolError("no such document")
    return relative


def bytes_of(root: Path, path: str) -> bytes:
    """The content, inflated when the name ends in `.gz`. Raises UnreadableFile.

    No link is followed on the way, so that nothing outside is read, whatever is swapped meanwhile.
    """
    try:
        with os.fdopen(_regular(_opened(root, path)), "rb") as opened:
            body = opened.read(MOST_BYTES + 1)
    except OSError as exc:
        raise UnreadableFile(exc.strerror or "cannot be read") from exc
    if path.lower().endswith(_PACKED):
        body = _inflated(body)
    if len(body) > MOST_BYTES:
        raise UnreadableFile(f"larger than {MOST_BYTES:,} bytes")
    return body


def _opened(root: Path, path: str) -> int:
    """A descriptor, reached step by step from the root; a pipe does not make it wait."""
    if os.open not in os.supports_dir_fd:  # Windows
        return os.open(root / path, os.O_RDONLY)
    *folders, name = path.split("/")
    at = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for step in folders:
            below = os.open(step, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=at)
            os.close(at)
            at = below
        return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=at)
    finally:
        os.close(at)


def _regular(descriptor: int) -> int:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnreadableFile("is not a document")
    return descriptor


def _documents(root: Path, is_stopped: IsStopped) -> Iterator[tuple[str, "os.DirEntry[str]"]]:
    """Every regular document, depth first; a sub-folder that cannot be listed is passed over."""
    waiting = [(root, "")]
    while waiting:
        if is_stopped():
            raise BuildingStopped
        folder, prefix = waiting.pop()
        try:
            with os.scandir(folder) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError:
            if folder == root:
                raise
            continue
        for entry in entries:
            if _is_left_out(entry.name) or entry.is_symlink():
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append((folder / entry.name, f"{prefix}{entry.name}/"))
            elif suffix_of(entry.name):
                yield f"{prefix}{entry.name}", entry


def _is_left_out(name: str) -> bool:
    return name.startswith(".") or name in _LEFT_OUT


def _inflated(packed: bytes) -> bytes:
    """All members of a gzip file, up to one byte more than is allowed."""
    if not packed.startswith(GZIP_MAGIC):
        raise UnreadableFile("not a .gz file")
    body = Body("gzip", lambda _: MOST_BYTES + 1)
    for at in range(0, len(packed), _PIECE_BYTES):
        body.feed(packed[at : at + _PIECE_BYTES])
    with suppress(BadEncoding):  # is_broken tells
        body.end()
    if body.is_broken:
        raise UnreadableFile("a cut or damaged .gz file")
    return bytes(body.data)
