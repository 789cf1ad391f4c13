"""BM25F over numpy arrays: weighted term counts, scores computed once, segments that compose.

Documents are numbers from 0 in the order given. Import this module only where it is used: it
needs numpy. It must never read or write a file: arrays in, arrays out.
"""

import io
import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

K1 = 1.2
B = 0.6

Floats: TypeAlias = NDArray[np.float32]
Integers: TypeAlias = NDArray[np.int64]


class Field(NamedTuple):
    """Terms of one field of a document and how much each occurrence counts."""

    terms: Sequence[str]
    weight: float = 1.0


Document: TypeAlias = Sequence[Field]


class Ranked(NamedTuple):
    document: int
    score: float


@dataclass(frozen=True, slots=True)
class Index:
    """Postings by term: those of term `i` are `documents[starts[i]:starts[i + 1]]`, ascending.

    `weights` are weighted term counts, `lengths` weighted lengths of documents, `impacts` the
    ready BM25 scores: idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean length)), with
    idf = ln(1 + (N - df + 0.5) / (df + 0.5)).
    """

    vocabulary: Mapping[str, int]
    starts: Integers
    documents: NDArray[np.int32]
    weights: Floats
    lengths: Floats
    impacts: Floats

    @staticmethod
    def build(documents: Iterable[Document]) -> "Index":
        """Index documents; terms may hold any character but a newline."""
        vocabulary: dict[str, int] = {}
        columns = _Columns(array("q"), array("q"), array("f"))
        lengths: list[float] = []
        for number, fields in enumerate(documents):
            lengths.append(sum(len(field.terms) * field.weight for field in fields))
            for field in fields:
                columns.add(vocabulary, number, field)
        return _indexed(list(vocabulary), columns.postings(), np.array(lengths, np.float32))

    def __len__(self) -> int:
        """The number of documents."""
        return len(self.lengths)

    def idf(self, term: str) -> float:
        """0.0 for a term in no document; else rarer is higher."""
        at = self.vocabulary.get(term)
        if at is None:
            return 0.0
        count = int(self.starts[at + 1] - self.starts[at])
        return math.log(1 + (len(self) - count + 0.5) / (count + 0.5))

    def scores(self, query: Mapping[str, float]) -> Floats:
        """The score of every document: the sum over terms of weight times impact."""
        total = np.zeros(len(self), np.float32)
        for term, weight in query.items():
            at = self.vocabulary.get(term)
            if at is not None:
                postings = slice(self.starts[at], self.starts[at + 1])
                total[self.documents[postings]] += np.float32(weight) * self.impacts[postings]
        return total

    def top(self, query: Mapping[str, float], most: int) -> list[Ranked]:
        """The best documents that score above 0, best first, equals by number."""
        return top_of(self.scores(query), most)

    def without(self, dropped: Iterable[int]) -> "Index":
        """The index of the other documents, numbered anew in the same order."""
        kept = np.ones(len(self), bool)
        kept[list(dropped)] = False
        number = np.cumsum(kept) - 1
        of_kept = kept[self.documents]
        postings = _Postings(
            np.repeat(np.arange(len(self.vocabulary)), np.diff(self.starts))[of_kept],
            number[self.documents[of_kept]],
            self.weights[of_kept],
        )
        return _indexed(list(self.vocabulary), postings, self.lengths[kept])

    def joined(self, other: "Index") -> "Index":
        """The index of both: the documents of `other` are numbered after those of this one."""
        vocabulary = dict(self.vocabulary)
        theirs = np.array(
            [vocabulary.setdefault(term, len(vocabulary)) for term in other.vocabulary], np.int64
        )
        mine = np.repeat(np.arange(len(self.vocabulary)), np.diff(self.starts))
        postings = _Postings(
            np.concatenate([mine, np.repeat(theirs, np.diff(other.starts))]),
            np.concatenate([self.documents, other.documents.astype(np.int64) + len(self)]),
            np.concatenate([self.weights, other.weights]),
        )
        lengths = np.concatenate([self.lengths, other.lengths])
        return _indexed(list(vocabulary), postings, lengths)

    def to_arrays(self) -> dict[str, NDArray[np.generic]]:
        """What `from_arrays` needs, as plain arrays (no objects: safe without pickle)."""
        return {
            "terms": np.frombuffer("\n".join(self.vocabulary).encode(), np.uint8),
            "starts": self.starts,
            "documents": self.documents,
            "weights": self.weights,
            "lengths": self.lengths,
        }

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray[np.generic]]) -> "Index":
        """Raises ValueError or KeyError when the arrays do not fit together."""
        joined = arrays["terms"].astype(np.uint8).tobytes().decode()
        terms = joined.split("\n") if joined else []
        starts = arrays["starts"].astype(np.int64, copy=False)
        documents = arrays["documents"].astype(np.int32, copy=False)
        weights = arrays["weights"].astype(np.float32, copy=False)
        lengths = arrays["lengths"].astype(np.float32, copy=False)
        _check(terms, starts, documents, sizes=(len(weights), len(lengths)))
        return Index(
            vocabulary={term: at for at, term in enumerate(terms)},
            starts=starts,
            documents=documents,
            weights=weights,
            lengths=lengths,
            impacts=_impacts(starts, documents, weights, lengths=lengths),
        )

    def to_bytes(self) -> bytes:
        """An uncompressed .npz of `to_arrays`."""
        held = io.BytesIO()
        np.savez(held, allow_pickle=False, **self.to_arrays())
        return held.getvalue()

    @staticmethod
    def from_bytes(stored: bytes) -> "Index":
        """Raises ValueError (also zipfile.BadZipFile, KeyError, EOFError) for other bytes."""
        with np.load(io.BytesIO(stored), allow_pickle=False) as arrays:
            return Index.from_arrays(dict(arrays))


def top_of(scores: Floats, most: int) -> list[Ranked]:
    """The places of the `most` best scores above 0, best first, equals by place."""
    if most < 1:
        return []
    places = np.flatnonzero(scores > 0)
    if len(places) > most:
        least = np.partition(scores[places], len(places) - most)[len(places) - most]
        places = places[scores[places] >= least]
    order = places[np.argsort(-scores[places], kind="stable")][:most]
    return [Ranked(int(place), float(scores[place])) for place in order]


class _Postings(NamedTuple):
    """Parallel arrays, in any order: term number, document number, weighted count."""

    terms: Integers
    documents: Integers
    weights: Floats


class _Columns(NamedTuple):
    """One row per occurrence of a term, gathered compactly while documents stream by."""

    terms: "array[int]"
    documents: "array[int]"
    weights: "array[float]"

    def add(self, vocabulary: dict[str, int], number: int, field: Field) -> None:
        self.terms.extend([vocabulary.setdefault(term, len(vocabulary)) for term in field.terms])
        self.documents.extend([number] * len(field.terms))
        self.weights.extend([field.weight] * len(field.terms))

    def postings(self) -> _Postings:
        return _Postings(
            np.frombuffer(self.terms, np.int64) if self.terms else np.zeros(0, np.int64),
            np.frombuffer(self.documents, np.int64) if self.documents else np.zeros(0, np.int64),
            np.frombuffer(self.weights, np.float32) if self.weights else np.zeros(0, np.float32),
        )


def _indexed(terms: list[str], postings: _Postings, lengths: Floats) -> Index:
    """Sum what is given per term and document, sort it, drop terms of no document, score."""
    number = max(1, len(lengths))
    keys, place = np.unique(postings.terms * number + postings.documents, return_inverse=True)
    weights = np.bincount(place, postings.weights, minlength=len(keys)).astype(np.float32)
    of_term, documents = keys // number, keys % number
    used, of_term = np.unique(of_term, return_inverse=True)
    starts = np.concatenate([[0], np.cumsum(np.bincount(of_term, minlength=len(used)))])
    starts = starts.astype(np.int64)
    documents = documents.astype(np.int32)
    return Index(
        vocabulary={terms[old]: new for new, old in enumerate(used.tolist())},
        starts=starts,
        documents=documents,
        weights=weights,
        lengths=lengths,
        impacts=_impacts(starts, documents, weights, lengths=lengths),
    )


def _impacts(
    starts: Integers, documents: NDArray[np.int32], weights: Floats, *, lengths: Floats
) -> Floats:
    if not len(documents):
        return np.zeros(0, np.float32)
    counts = np.diff(starts)
    idf = np.repeat(np.log(1 + (len(lengths) - counts + 0.5) / (counts + 0.5)), counts)
    norm = K1 * (1 - B + B * lengths[documents] / lengths.mean(dtype=np.float64))
    impacts: Floats = (idf * weights * (K1 + 1) / (weights + norm)).astype(np.float32)
    return impacts


def _check(
    terms: Sequence[str],
    starts: Integers,
    documents: NDArray[np.int32],
    *,
    sizes: tuple[int, int],
) -> None:
    weights, lengths = sizes
    fits = (
        len(starts) == len(terms) + 1
        and len(set(terms)) == len(terms)
        and int(starts[0]) == 0
        and int(starts[-1]) == len(documents) == weights
        and bool(np.all(np.diff(starts) > 0))
        and (not len(documents) or 0 <= documents.min() <= documents.max() < lengths)
        and bool(np.all(np.diff(_keys(starts, documents, lengths)) > 0))
    )
    if not fits:
        raise ValueError("the arrays of the index do not fit together")


def _keys(starts: Integers, documents: NDArray[np.int32], number: int) -> Integers:
    """One number per posting that grows with term, then document."""
    keys: Integers = np.repeat(np.arange(len(starts) - 1), np.diff(starts)) * number + documents
    return keys
