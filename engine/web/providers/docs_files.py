"""The files of a folder of documents: which there are, and their bytes. Never leaves the folder.

Links to folders are not followed and links to files not listed: what they point to inside the
folder is listed under its own name, and what lies outside must not be read.
"""

import os
import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.domain.errors import ToolError

MOST_BYTES = 20 * 1_048_576
"""Of one document, inflated; a larger one is not read."""

SUFFIXES = (".html", ".htm", ".xhtml", ".md", ".markdown", ".txt", ".rst", ".pdf")
_PACKED = ".gz"
_LEFT_OUT = frozenset({"node_modules", "__pycache__"})
_GZIP_WINDOW = 31


@dataclass(frozen=True, slots=True)
class FileState:
    """What tells whether a file has changed."""

    size: int
    mtime_ns: int


class UnreadableFile(Exception):
    """A file cannot be read; the text says why, without its path."""


def scan(root: Path) -> dict[str, FileState]:
    """Relative path -> state of every document, in order. Raises OSError when `root` is none."""
    found: dict[str, FileState] = {}
    for path, entry in _documents(root):
        state = entry.stat(follow_symlinks=False)
        if stat.S_ISREG(state.st_mode):
            found[path] = FileState(state.st_size, state.st_mtime_ns)
    return dict(sorted(found.items()))


def suffix_of(path: str) -> str:
    """The suffix that says what a document is, in lower case: `.html` of `Page.HTML.gz`."""
    name = path.lower().removesuffix(_PACKED)
    return next((suffix for suffix in SUFFIXES if name.endswith(suffix)), "")


def file_in(root: Path, path: str) -> Path:
    """The regular file at a relative path. Raises ToolError when it is none, or lies outside."""
    try:
        found = (root / path).resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as exc:
        raise ToolError("no such document") from exc
    if not found.is_relative_to(root.resolve()):
        raise ToolError("leaves its folder of documents")
    if found.is_dir():
        raise ToolError("is a folder: give the address of a document in it")
    if not found.is_file():
        raise ToolError("is not a document")
    return found


def bytes_of(file: Path) -> bytes:
    """The content, inflated when the name ends in `.gz`. Raises UnreadableFile."""
    try:
        with file.open("rb") as opened:
            body = opened.read(MOST_BYTES + 1)
    except OSError as exc:
        raise UnreadableFile(exc.strerror or "cannot be read") from exc
    if file.name.lower().endswith(_PACKED):
        body = _inflated(body)
    if len(body) > MOST_BYTES:
        raise UnreadableFile(f"larger than {MOST_BYTES:,} bytes")
    return body


def _documents(root: Path) -> Iterator[tuple[str, "os.DirEntry[str]"]]:
    """Every regular document, depth first; a sub-folder that cannot be listed is passed over."""
    waiting = [(root, "")]
    while waiting:
        folder, prefix = waiting.pop()
        try:
            with os.scandir(folder) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError:
            if folder == root:
                raise
            continue
        for entry in entries:
            if entry.name.startswith(".") or entry.is_symlink():
                continue
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _LEFT_OUT:
                    waiting.append((folder / entry.name, f"{prefix}{entry.name}/"))
            elif suffix_of(entry.name):
                yield f"{prefix}{entry.name}", entry


def _inflated(packed: bytes) -> bytes:
    """All members of a gzip file, up to one byte more than is allowed."""
    pieces: list[bytes] = []
    left = MOST_BYTES + 1
    try:
        while packed and left > 0:
            inflater = zlib.decompressobj(wbits=_GZIP_WINDOW)
            pieces.append(inflater.decompress(packed, left))
            left -= len(pieces[-1])
            if not inflater.eof and left > 0:
                raise UnreadableFile("a cut or damaged .gz file")
            packed = inflater.unused_data
    except zlib.error as exc:
        raise UnreadableFile(f"not a .gz file ({exc})") from exc
    return b"".join(pieces)
