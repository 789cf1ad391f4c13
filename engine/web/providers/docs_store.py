"""The stored form of an index of documents: one file, written atomically, mapped when read.

It must never be trusted: whatever does not fit together is DamagedIndex, and built anew.
"""

import json
import mmap
import os
import struct
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.retrieval.bm25 import Index

FORMAT = 1
"""Raised whenever tokens, passages or this file's form change: older files are built anew."""

FILE_NAME = "index.bin"
_MAGIC = b"GLIGDOCS"
_HEAD = struct.Struct("<8sIIQ")
_ALIGNED = 64
_OLD_SECONDS = 3600
Buffer: TypeAlias = mmap.mmap | bytes
Integers: TypeAlias = NDArray[np.int32]


class DamagedIndex(Exception):
    """The stored index cannot be used; the text says why."""


class IndexUnwritable(Exception):
    """There is no writing where the index is to be kept; the text is the system's reason."""


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A file as it was when it was read. Its text is `texts[at:at + size_of_text]` in UTF-8."""

    path: str
    size: int
    mtime_ns: int
    title: str = ""
    media_type: str = ""
    note: str = ""
    skipped: str = ""
    """Why it has no text here: it lists other pages, or cannot be read."""
    anchors: Mapping[str, int] = field(default_factory=dict)
    at: int = 0
    size_of_text: int = 0


@dataclass(frozen=True, slots=True)
class Passages:
    """Parallel arrays, a row per document of the BM25 index: where the passage is."""

    page: Integers
    start: Integers
    end: Integers
    section: Integers
    """Where the section that it is in begins, with its heading."""


@dataclass(frozen=True, slots=True)
class StoredIndex:
    """Everything that is known of one folder."""

    pages: tuple[StoredPage, ...]
    passages: Passages
    index: Index
    texts: Buffer

    def text(self, page: StoredPage) -> str:
        return self.texts[page.at : page.at + page.size_of_text].decode()


def load(folder: Path) -> StoredIndex:
    """The index stored in `folder`. Raises DamagedIndex; FileNotFoundError when there is none."""
    try:
        with (folder / FILE_NAME).open("rb") as opened:
            mapped = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as exc:
        raise DamagedIndex(str(exc)) from exc
    try:
        return _parsed(mapped)
    except (ValueError, KeyError, TypeError, struct.error, zlib.error) as exc:
        raise DamagedIndex(str(exc)) from exc


def save(stored: StoredIndex, folder: Path) -> None:
    """Replace what `folder` holds in one step; readers keep what they have.

    Raises IndexUnwritable, which is never the fault of the documents.
    """
    try:
        _replace(stored, folder)
    except OSError as exc:
        raise IndexUnwritable(exc.strerror or str(exc)) from exc


def _replace(stored: StoredIndex, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor, name = tempfile.mkstemp(prefix="index.", suffix=".tmp", dir=folder)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as opened:
            opened.writelines(_written(stored))
            opened.flush()
            os.fsync(opened.fileno())
        _remove_left_over(folder, temporary)
        temporary.replace(folder / FILE_NAME)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _written(stored: StoredIndex) -> Sequence[bytes]:
    """Head, JSON about everything, then the arrays and the texts, each aligned."""
    payload: list[bytes] = []
    places: dict[str, tuple[str, int, int]] = {}
    at = 0
    for name, column in {**stored.index.to_arrays(), **_columns(stored.passages)}.items():
        told = np.ascontiguousarray(column)
        raw = told.tobytes()
        places[name] = (told.dtype.str, at, len(raw))
        payload += [raw, b"\0" * (-len(raw) % _ALIGNED)]
        at += len(raw) + -len(raw) % _ALIGNED
    texts = bytes(stored.texts)
    about = {
        "pages": [asdict(page) for page in stored.pages],
        "arrays": places,
        "texts": (at, len(texts)),
    }
    told_about = json.dumps(about, separators=(",", ":")).encode()
    told_about += b" " * (-(_HEAD.size + len(told_about)) % _ALIGNED)
    body = b"".join([told_about, *payload, texts])
    return [_HEAD.pack(_MAGIC, FORMAT, zlib.crc32(body), len(told_about)), body]


def _columns(passages: Passages) -> dict[str, Integers]:
    return {
        "passage_page": passages.page,
        "passage_start": passages.start,
        "passage_end": passages.end,
        "passage_section": passages.section,
    }


def _remove_left_over(folder: Path, mine: Path) -> None:
    """Files of builders that were killed long ago."""
    now = mine.stat().st_mtime
    for other in folder.glob("index.*.tmp"):
        try:
            if now - other.stat().st_mtime > _OLD_SECONDS:
                other.unlink()
        except FileNotFoundError:
            continue


def _parsed(mapped: mmap.mmap) -> StoredIndex:
    magic, version, checksum, size = _HEAD.unpack_from(mapped)
    if magic != _MAGIC or version != FORMAT:
        raise ValueError("another format")
    with memoryview(mapped) as view:
        if zlib.crc32(view[_HEAD.size :]) != checksum:
            raise ValueError("the checksum does not fit")
    about = json.loads(mapped[_HEAD.size : _HEAD.size + size])
    begin = _HEAD.size + size
    columns = {
        name: np.frombuffer(mapped, kind, length // np.dtype(kind).itemsize, begin + at)
        for name, (kind, at, length) in about["arrays"].items()
    }
    at, length = about["texts"]
    if begin + at + length != len(mapped):
        raise ValueError("the file is cut")
    pages = tuple(_page(told, begin + at) for told in about["pages"])
    return StoredIndex(pages, _passages(columns), Index.from_arrays(columns), mapped)


def _page(told: dict[str, Any], texts_at: int) -> StoredPage:
    return StoredPage(**{**told, "at": told["at"] + texts_at})


def _passages(columns: Mapping[str, NDArray[Any]]) -> Passages:
    return Passages(
        *(
            columns[f"passage_{name}"].astype(np.int32)
            for name in ("page", "start", "end", "section")
        )
    )
