"""Datasets, and the texts in them with their parts: what everything else is taken from.

A text is stored once for each session and source that gives it, and never changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from engine.domain.facts import Span, Stated
from engine.store import knowledge_terms
from engine.store.columns import maybe_text, text, whole
from engine.store.database import Reader, Row, Transaction


class Part(Protocol):
    """`text[start:end]`."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


@dataclass(frozen=True, slots=True)
class NewText:
    """A text that is to be stored, cut into parts. `date` is its reference time, if it has one."""

    text: str
    content_hash: str
    sentences: Sequence[Part]
    chunks: Sequence[Part]
    source: str = ""
    session_id: str = ""
    kind: str = "text"
    title: str = ""
    date: Stated | None = None


@dataclass(frozen=True, slots=True)
class StoredText:
    """A row of `gb_artifacts` with its chunks."""

    id: int
    dataset_id: int
    session_id: str
    source: str
    kind: str
    title: str
    text: str
    created_at: str
    date: Stated | None
    chunks: tuple[tuple[int, int], ...] = ()
    """Their starts and ends, in characters of the text."""


class _Whole(NamedTuple):
    artifact_id: int
    dataset_id: int


def ensure_dataset(tx: Transaction, user: str, name: str, *, at: str) -> int:
    """The id of the user's dataset, which is made when it does not exist."""
    known = dataset_id(tx, user, name)
    if known is not None:
        return known
    tx.execute(
        "INSERT INTO gb_datasets(user_id, name, created_at) VALUES(?, ?, ?)"
        " ON CONFLICT(user_id, name) DO NOTHING",
        (user, name, at),
    )
    made = dataset_id(tx, user, name)
    assert made is not None
    return made


def dataset_id(tx: Transaction, user: str, name: str) -> int | None:
    found = tx.row("SELECT id FROM gb_datasets WHERE user_id = ? AND name = ?", (user, name))
    return None if found is None else whole(found, "id")


def find(tx: Transaction, dataset_id: int, new: NewText) -> int | None:
    """The text of the same session and source, if it is there already."""
    found = tx.row(
        "SELECT id FROM gb_artifacts"
        " WHERE dataset_id = ? AND session_id = ? AND source = ? AND content_hash = ?",
        (dataset_id, new.session_id, new.source, new.content_hash),
    )
    return None if found is None else whole(found, "id")


def add(tx: Transaction, dataset_id: int, new: NewText, *, at: str) -> int:
    """Store the text, its parts, and the postings of its sentences; its id."""
    date = new.date
    artifact_id = tx.insert(
        "INSERT INTO gb_artifacts(dataset_id, session_id, source, kind, title, text, content_hash,"
        " chars, ref_time, ref_lo, ref_hi, created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            dataset_id,
            new.session_id,
            new.source,
            new.kind,
            new.title,
            new.text,
            new.content_hash,
            len(new.text),
            date.text if date else None,
            date.span.lo if date else None,
            date.span.hi if date else None,
            at,
        ),
    )
    whole_text = _Whole(artifact_id, dataset_id)
    _add_parts(tx, whole_text, "chunk", new.chunks)
    ids = _add_parts(tx, whole_text, "sentence", new.sentences)
    written = (new.text[part.start : part.end] for part in new.sentences)
    knowledge_terms.index(tx, dataset_id, "sentence", zip(ids, written, strict=True))
    return artifact_id


async def get(reader: Reader, artifact_id: int) -> StoredText | None:
    """The text with the spans of its chunks, in order."""
    row = await reader.row("SELECT * FROM gb_artifacts WHERE id = ?", (artifact_id,))
    if row is None:
        return None
    parts = await reader.rows(
        "SELECT start_ch, end_ch FROM gb_artifact_parts WHERE artifact_id = ? AND kind = 'chunk'"
        " ORDER BY ord",
        (artifact_id,),
    )
    return _stored(row, parts)


def stated_of(row: Row, column: str, lo: str, hi: str) -> Stated | None:
    """A date as it was stated, from its three columns."""
    written = maybe_text(row, column)
    if written is None:
        return None
    return Stated(written, Span(whole(row, lo), whole(row, hi)))


def _add_parts(tx: Transaction, of: _Whole, kind: str, parts: Sequence[Part]) -> list[int]:
    return [
        tx.insert(
            "INSERT INTO gb_artifact_parts(artifact_id, dataset_id, kind, ord, start_ch, end_ch)"
            " VALUES(?, ?, ?, ?, ?, ?)",
            (of.artifact_id, of.dataset_id, kind, number, part.start, part.end),
        )
        for number, part in enumerate(parts)
    ]


def _stored(row: Row, chunks: Sequence[Row]) -> StoredText:
    return StoredText(
        id=whole(row, "id"),
        dataset_id=whole(row, "dataset_id"),
        session_id=text(row, "session_id"),
        source=text(row, "source"),
        kind=text(row, "kind"),
        title=text(row, "title"),
        text=text(row, "text"),
        created_at=text(row, "created_at"),
        date=stated_of(row, "ref_time", "ref_lo", "ref_hi"),
        chunks=tuple((whole(each, "start_ch"), whole(each, "end_ch")) for each in chunks),
    )
