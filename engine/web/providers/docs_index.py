"""Builds the index of one folder of documents, reading again only what has changed.

Slow (a second for two hundred pages): call it in a thread or a process of its own. One document
that cannot be read is noted and passed over; it must never end the building.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.retrieval.blocks import TextBlock, blocks, passages
from engine.retrieval.bm25 import Document, Field, Index
from engine.retrieval.tokens import terms
from engine.web.providers.docs_files import (
    BuildingStopped,
    FileState,
    IsStopped,
    UnreadableFile,
    bytes_of,
    never,
    scan,
)
from engine.web.providers.docs_store import Passages, StoredIndex, StoredPage
from engine.web.providers.docs_text import (
    DocumentText,
    ReadPdf,
    document,
    is_directory_page,
    with_heading_anchors,
)

HEADING_WEIGHT = 2.0
TITLE_WEIGHT = 2.0
_HEADINGS_COUNTED = 2
DIRECTORY_PAGE = "only lists other pages"

OnProgress = Callable[[int, int], None]
"""Told after each document: how many are read, of how many."""


@dataclass(frozen=True, slots=True)
class Building:
    """How to build: what reads PDFs, who follows, and when to give up."""

    read_pdf: ReadPdf
    on_progress: OnProgress = lambda _read, _of: None
    is_stopped: IsStopped = never


def changed(
    root: Path, previous: StoredIndex | None, is_stopped: IsStopped = never
) -> dict[str, FileState] | None:
    """The files to read anew; None when `previous` is right as it is.

    Raises OSError, BuildingStopped.
    """
    files = scan(root, is_stopped)
    known = _known(previous)
    new = {path: state for path, state in files.items() if known.get(path) != state}
    return None if previous is not None and not new and len(files) == len(known) else new


def build(root: Path, previous: StoredIndex | None, how: Building) -> StoredIndex:
    """The index of `root` as it is now. Raises OSError for the folder itself, BuildingStopped."""
    files = scan(root, how.is_stopped)
    known = _known(previous)
    kept = [path for path, state in known.items() if files.get(path) == state]
    kept_part = _EMPTY if previous is None else _kept(previous, set(kept))
    new = {path: state for path, state in files.items() if known.get(path) != state}
    new_part = _read(root, new, how)
    return _together(kept_part, new_part)


class _Where(NamedTuple):
    """A passage: its page's place in the part, where it is, where its section begins."""

    page: int
    start: int
    end: int
    section: int


class _Part(NamedTuple):
    """Pages with their texts, their passages, and the index over those."""

    pages: list[StoredPage]
    texts: list[bytes]
    places: Passages
    ranking: Index


def _passages_of(rows: list[_Where]) -> Passages:
    table = np.array(rows, np.int32).reshape(-1, len(_Where._fields))
    return Passages(*(np.ascontiguousarray(column) for column in table.T))


_EMPTY = _Part([], [], _passages_of([]), Index.build([]))


def _known(previous: StoredIndex | None) -> Mapping[str, FileState]:
    pages = previous.pages if previous else ()
    return {page.path: FileState(page.size, page.mtime_ns) for page in pages}


def _kept(previous: StoredIndex, paths: set[str]) -> _Part:
    """What stays of the index as it was, its pages numbered anew."""
    stays = np.array([page.path in paths for page in previous.pages], bool)
    number = np.cumsum(stays) - 1
    places = previous.passages
    of_kept = stays[places.page] if len(stays) else np.zeros(0, bool)
    pages = [page for page in previous.pages if page.path in paths]
    return _Part(
        pages,
        [bytes(previous.texts[page.at : page.at + page.size_of_text]) for page in pages],
        Passages(
            number[places.page[of_kept]].astype(np.int32),
            places.start[of_kept],
            places.end[of_kept],
            places.section[of_kept],
        ),
        previous.index.without(np.flatnonzero(~of_kept).tolist()),
    )


def _read(root: Path, files: Mapping[str, FileState], how: Building) -> _Part:
    pages: list[StoredPage] = []
    texts: list[bytes] = []
    rows: list[_Where] = []

    def documents() -> Iterator[Document]:
        for path, state in files.items():
            if how.is_stopped():
                raise BuildingStopped
            page, text, found = _page(root, path, state, how=how)
            for where, fields in found:
                rows.append(where._replace(page=len(pages)))
                yield fields
            pages.append(page)
            texts.append(text.encode(errors="replace"))
            how.on_progress(len(pages), len(files))

    index = Index.build(documents())
    return _Part(pages, texts, _passages_of(rows), index)


def _page(
    root: Path, path: str, state: FileState, *, how: Building
) -> tuple[StoredPage, str, list[tuple[_Where, Document]]]:
    page = StoredPage(path, state.size, state.mtime_ns)
    try:
        read = document(path, bytes_of(root, path), read_pdf=how.read_pdf)
    except UnreadableFile as exc:
        return replace(page, skipped=str(exc)), "", []
    found = blocks(read.text)
    page = replace(page, title=read.title, media_type=read.media_type, note=read.note)
    if is_directory_page(path, read.text, found):
        return replace(page, skipped=DIRECTORY_PAGE), "", []
    anchors = with_heading_anchors(read.text, found, read.anchors)
    return replace(page, anchors=anchors), read.text, list(_documents(read, found))


def _documents(read: DocumentText, found: list[TextBlock]) -> Iterator[tuple[_Where, Document]]:
    """A document of the index per passage: its own words, its last headings, the page's title."""
    title = Field(terms(read.title), TITLE_WEIGHT)
    sections = _section_starts(read.text, found)
    for passage in passages(read.text, found):
        own = Field(terms(read.text[passage.start : passage.end]))
        headings = passage.headings[-_HEADINGS_COUNTED:]
        named = Field([term for name in headings for term in terms(name)], HEADING_WEIGHT)
        section = sections[passage.first]
        yield _Where(0, passage.start, passage.end, section), (own, named, title)


def _section_starts(text: str, found: list[TextBlock]) -> list[int]:
    """For each block the start of the line with the heading above it; its own without one."""
    starts: list[int] = []
    heading: int | None = None
    for block in found:
        starts.append(block.start if heading is None else heading)
        if block.kind == "heading":
            heading = text.rfind("\n", 0, block.start) + 1
    return starts


def _together(kept: _Part, new: _Part) -> StoredIndex:
    """Both parts as one; each page's text is placed behind the one before."""
    at = 0
    pages: list[StoredPage] = []
    texts = [*kept.texts, *new.texts]
    for page, text in zip([*kept.pages, *new.pages], texts, strict=True):
        pages.append(replace(page, at=at, size_of_text=len(text)))
        at += len(text)
    shifted = (new.places.page + len(kept.pages)).astype(np.int32)
    return StoredIndex(
        tuple(pages),
        Passages(
            np.concatenate([kept.places.page, shifted]),
            np.concatenate([kept.places.start, new.places.start]),
            np.concatenate([kept.places.end, new.places.end]),
            np.concatenate([kept.places.section, new.places.section]),
        ),
        kept.ranking.joined(new.ranking) if len(kept.ranking) else new.ranking,
        b"".join(texts),
    )
