"""Vectors of what is stored: who makes them, and a matrix per dataset, kind and model in memory.

They are an addition: everything works without. They are made in the background and never while a
text is being stored. Needs numpy: import it where it is used.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.retrieval.bm25 import Floats, Integers
from engine.store import knowledge_vectors as stored
from engine.store.database import Database

MATRICES_KEPT = 16


class Embedder(Protocol):
    """Makes vectors of texts. One value serves everybody."""

    @property
    def name(self) -> str:
        """Of the model; stored with each vector: those of another model are not comparable."""
        ...

    async def embed(self, texts: Sequence[str]) -> Floats:
        """A row of length 1 per text. Raises ProviderError."""
        ...


@dataclass(frozen=True, slots=True)
class Matrix:
    """The vectors of one kind in a dataset; row n belongs to `refs[n]`, which ascend."""

    refs: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    rows: Floats = field(default_factory=lambda: np.zeros((0, 0), np.float32))

    def nearest(self, vector: Floats, most: int) -> Integers:
        """The ids of the most alike, best first, equals by id."""
        if not len(self.refs) or most < 1:
            return np.zeros(0, np.int64)
        alike = self.rows @ vector
        if len(alike) > most:
            least = np.partition(alike, len(alike) - most)[len(alike) - most]
            kept = np.flatnonzero(alike >= least)
        else:
            kept = np.arange(len(alike))
        order = kept[np.argsort(-alike[kept], kind="stable")][:most]
        return self.refs[order]

    def with_rows(self, refs: Integers, rows: Floats) -> "Matrix":
        """Replaces nothing: `refs` come after those that are here."""
        if not len(refs):
            return self
        order = np.argsort(refs)
        held = self.rows if len(self.rows) else np.zeros((0, rows.shape[1]), np.float32)
        return Matrix(np.concatenate([self.refs, refs[order]]), np.vstack([held, rows[order]]))


class Matrices:
    """The matrices asked lately, each as it is now."""

    def __init__(self, database: Database, *, most: int = MATRICES_KEPT) -> None:
        self._database = database
        self._most = most
        self._kept: OrderedDict[stored.Which, Matrix] = OrderedDict()
        self._lock = asyncio.Lock()

    async def matrix(self, which: stored.Which) -> Matrix:
        """With all vectors that are stored until now. Raises StoreError."""
        async with self._lock:  # two questions at once load a matrix once
            held = self._kept.get(which, Matrix())
            known = int(held.refs[-1]) if len(held.refs) else 0
            async with self._database.reading() as reader:
                added = await stored.vectors(reader, which, known)
            self._kept[which] = now = held.with_rows(*_read(added))
            self._kept.move_to_end(which)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
            return now

    def drop(self, dataset_id: int) -> None:
        """Call it when something was forgotten: the next question loads anew."""
        for which in [which for which in self._kept if which.dataset_id == dataset_id]:
            del self._kept[which]


def normalised(rows: NDArray[np.floating]) -> Floats:
    """Rows of length 1; one of zeros stays."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Floats = (rows / np.maximum(lengths, np.finfo(np.float32).tiny)).astype(np.float32)
    return scaled


def _read(vectors: Sequence[stored.Vector]) -> tuple[Integers, Floats]:
    if not vectors:
        return Matrix().refs, Matrix().rows
    refs = np.fromiter((vector.ref_id for vector in vectors), np.int64, len(vectors))
    joined = np.frombuffer(b"".join(vector.content for vector in vectors), "<f4")
    return refs, joined.reshape(len(vectors), -1).astype(np.float32)
