"""What of a dataset is searched, in memory: its texts as BM25 segments, and its graph.

A dataset is loaded once and then appended to: ids only grow, so what was written since is what
comes after the last known ones. What was forgotten stays until `Indexes.drop`, and whoever looks a
result up by its id finds nothing. The ranking must never depend on how many segments there are, nor
on the database. Needs numpy: import it where it is used.
"""

import asyncio
import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.knowledge.graph import Graph
from engine.retrieval.bm25 import K1, B, Floats, Index, Integers
from engine.store import knowledge_index as stored
from engine.store.database import Database, Reader, Row
from engine.store.knowledge_index import NOTHING_YET, Newest

WINDOW_CHARS = 1_500
"""A passage is the sentences that begin in the same so many characters of a text."""
DATASETS_KEPT = 8
_CHARACTER_BITS = 32
_LEAST_LENGTH = 1e-9
_SMALLER_BY = 3
"""A segment is joined with the one after it unless it is more than so many times as large."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts by number, in the order of their ids, as BM25 over all segments together."""

    segments: tuple[Index, ...] = ()
    norms: Floats = field(default_factory=lambda: np.zeros(0, np.float32))
    """k1 * (1 - b + b * length / mean length) of every text."""

    def __len__(self) -> int:
        return len(self.norms)

    def idf(self, term: str) -> float:
        """0.0 for a term in no text."""
        return _idf(len(self), sum(len(where) for where, _ in self._postings(term)))

    def scores(self, query: Mapping[str, float]) -> Floats:
        """What one `Index` over all texts would score."""
        total = np.zeros(len(self), np.float32)
        for term, weight in query.items():
            found = self._postings(term)
            idf = _idf(len(self), sum(len(where) for where, _ in found))
            for where, counts in found:
                impact = idf * counts * (K1 + 1) / (counts + self.norms[where])
                total[where] += np.float32(weight) * impact.astype(np.float32)
        return total

    def with_segment(self, added: Index) -> "Texts":
        """The texts of `added` are numbered after those that are here."""
        if not len(added):
            return self
        segments = [*self.segments, added]
        while len(segments) > 1 and len(segments[-2]) <= _SMALLER_BY * len(segments[-1]):
            last = segments.pop()
            segments[-1] = segments[-1].joined(last)
        return Texts(tuple(segments), _norms(segments))

    def _postings(self, term: str) -> list[tuple[Integers, Floats]]:
        found, before = [], 0
        for segment in self.segments:
            at = segment.vocabulary.get(term)
            if at is not None:
                part = slice(segment.starts[at], segment.starts[at + 1])
                where = segment.documents[part].astype(np.int64) + before
                found.append((where, segment.weights[part]))
            before += len(segment)
        return found


class Windows(NamedTuple):
    """Passages by number: sentences that stand together. `firsts` are numbers of sentences."""

    artifacts: Integers
    firsts: Integers
    """Ascending; a passage ends where the next begins."""
    begins: Integers
    """The character of its text that it begins with."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """One dataset. Facts, sentences and passages are numbered from 0 in the order of their ids."""

    newest: Newest = NOTHING_YET
    facts: Texts = Texts()
    fact_ids: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    sentences: Texts = Texts()
    spans: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 4), np.int64))
    """Of each sentence: its id, its text's id, its first character, the one after its last."""
    sentence_terms: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    """How many terms each sentence has."""
    passages: Texts = Texts()
    windows: Windows = field(default_factory=lambda: _windows(np.zeros((0, 4), np.int64)))
    supports: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    """Fact id, text id, first character of the quotation (0 when it has none)."""
    ends: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    """Fact id, subject id, object id."""
    stated: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    """The number of a fact and that of a passage that has it."""
    graph: Graph = field(default_factory=Graph.empty)

    def facts_at(self, ids: Integers) -> Integers:
        """The numbers of those facts that are here."""
        return _places(self.fact_ids, ids)

    def passages_at(self, firsts: Integers) -> Integers:
        """The numbers of the passages whose first sentences have these ids."""
        return _places(self.spans[self.windows.firsts, 0], firsts)

    def sentences_of(self, passage: int) -> range:
        """The numbers of its sentences."""
        firsts = self.windows.firsts
        after = firsts[passage + 1] if passage + 1 < len(firsts) else len(self.spans)
        return range(int(firsts[passage]), int(after))


class Indexes:
    """The datasets asked lately, each as it is now: fulfils `retrieve.Corpora`."""

    def __init__(self, database: Database, *, most: int = DATASETS_KEPT) -> None:
        self._database = database
        self._most = most
        self._kept: OrderedDict[int, Corpus] = OrderedDict()
        self._locks: dict[int, asyncio.Lock] = {}

    async def corpus(self, dataset_id: int) -> Corpus:
        """With everything that was written until now. Raises StoreError."""
        # Held while a dataset is loaded: two questions at once load it once.
        async with self._locks.setdefault(dataset_id, asyncio.Lock()):
            before = self._kept.get(dataset_id, Corpus())
            async with self._database.reading() as reader:
                newest = await stored.newest(reader, dataset_id)
                written = (
                    None
                    if newest == before.newest
                    else await _written(reader, dataset_id, before.newest)
                )
            now = before
            if written is not None:
                now = replace(await asyncio.to_thread(appended, before, written), newest=newest)
            self._keep(dataset_id, now)
            return now

    def drop(self, dataset_id: int) -> None:
        """Call it when something was forgotten or merged: the next question loads anew."""
        self._kept.pop(dataset_id, None)

    def _keep(self, dataset_id: int, corpus: Corpus) -> None:
        self._kept[dataset_id] = corpus
        self._kept.move_to_end(dataset_id)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)


class Postings(NamedTuple):
    """Parallel columns, in any order: the number of a term, the id of a text, how often."""

    vocabulary: list[str]
    terms: Integers
    refs: Integers
    counts: Floats

    @staticmethod
    def of(rows: Sequence[Row]) -> "Postings":
        """From rows `term, ref_id, tf`."""
        numbers: dict[str, int] = {}
        terms = np.fromiter(
            (numbers.setdefault(str(row["term"]), len(numbers)) for row in rows),
            np.int64,
            len(rows),
        )
        counts = _column(rows, "tf").astype(np.float32)
        return Postings(list(numbers), terms, _column(rows, "ref_id"), counts)


class Written(NamedTuple):
    """What was written since a dataset was looked at; rows of `store.knowledge_index`."""

    fact_terms: Postings
    fact_lengths: Sequence[Row]
    sentence_terms: Postings
    sentence_lengths: Sequence[Row]
    spans: Sequence[Row]
    ends: Sequence[Row]
    supports: Sequence[Row]


async def _written(reader: Reader, dataset_id: int, after: Newest) -> Written:
    facts = stored.After(dataset_id, "fact", after.fact)
    sentences = stored.After(dataset_id, "sentence", after.sentence)
    fact_lengths = await stored.lengths(reader, facts)
    sentence_lengths = await stored.lengths(reader, sentences)
    return Written(
        await _postings(reader, facts, are_any=bool(fact_lengths)),
        fact_lengths,
        await _postings(reader, sentences, are_any=bool(sentence_lengths)),
        sentence_lengths,
        await stored.sentence_spans(reader, dataset_id, after.sentence),
        await stored.fact_ends(reader, dataset_id, after.fact),
        await stored.supports(reader, dataset_id, after.event),
    )


async def _postings(reader: Reader, after: stored.After, *, are_any: bool) -> Postings:
    """One kind after the other, off the loop: there may be millions of rows."""
    rows = await stored.terms(reader, after) if are_any else []
    return await asyncio.to_thread(Postings.of, rows)


def appended(corpus: Corpus, written: Written) -> Corpus:
    """`corpus` with these rows, which all come after those that it has."""
    if not any((written.fact_lengths, written.spans, written.ends, written.supports)):
        return corpus
    fact_ids = _column(written.fact_lengths, "ref_id")
    facts = segment(written.fact_terms, fact_ids, _column(written.fact_lengths, "terms"))
    spans = _sorted(_table(written.spans, "id", "artifact_id", "start_ch", "end_ch"))
    sentences = _sentence_segment(written, spans[:, 0])
    windows = _windows(spans)
    numbers = np.repeat(np.arange(len(windows.firsts)), np.diff([*windows.firsts, len(spans)]))
    whole = replace(
        corpus,
        facts=corpus.facts.with_segment(facts),
        fact_ids=np.concatenate([corpus.fact_ids, np.sort(fact_ids)]),
        sentences=corpus.sentences.with_segment(sentences),
        spans=np.concatenate([corpus.spans, spans]),
        sentence_terms=np.concatenate([corpus.sentence_terms, sentences.lengths.astype(np.int64)]),
        passages=corpus.passages.with_segment(grouped(sentences, numbers, len(windows.firsts))),
        windows=_joined(corpus.windows, windows, before=len(corpus.spans)),
        supports=np.concatenate(
            [corpus.supports, _table(written.supports, "edge_id", "artifact_id", "quote_start")]
        ),
        ends=np.concatenate(
            [corpus.ends, _sorted(_table(written.ends, "id", "source_id", "target_id"))]
        ),
    )
    stated = _stated(whole)
    return replace(whole, stated=stated, graph=_graph(whole, stated))


def segment(postings: Postings, refs: Integers, lengths: Integers) -> Index:
    """An index of the texts `refs`, numbered in ascending order."""
    order = np.argsort(refs)
    where = np.searchsorted(refs[order], postings.refs)
    rows = (postings.terms, where, postings.counts)
    return _index(postings.vocabulary, rows, lengths[order].astype(np.float32))


def grouped(index: Index, groups: Integers, count: int) -> Index:
    """The index whose text number n is all texts of group n, one after the other."""
    of_term = np.repeat(np.arange(len(index.vocabulary)), np.diff(index.starts))
    keys, at = np.unique(of_term * max(1, count) + groups[index.documents], return_inverse=True)
    counts = np.bincount(at, index.weights, minlength=len(keys)).astype(np.float32)
    lengths = np.bincount(groups, index.lengths, minlength=count).astype(np.float32)
    rows = (keys // max(1, count), keys % max(1, count), counts)
    return _index(list(index.vocabulary), rows, lengths)


def _index(
    vocabulary: list[str], rows: tuple[Integers, Integers, Floats], lengths: Floats
) -> Index:
    of_term, where, counts = rows
    order = np.lexsort((where, of_term))
    sizes = np.bincount(of_term, minlength=len(vocabulary))
    return Index.from_arrays(
        {
            "terms": np.frombuffer("\n".join(vocabulary).encode(), np.uint8),
            "starts": np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            "documents": where[order].astype(np.int32),
            "weights": counts[order],
            "lengths": lengths,
        }
    )


def _sentence_segment(written: Written, ids: Integers) -> Index:
    """Every sentence has a span; one without words has no length."""
    refs = _column(written.sentence_lengths, "ref_id")
    lengths = np.zeros(len(ids), np.int64)
    lengths[np.searchsorted(ids, refs)] = _column(written.sentence_lengths, "terms")
    return segment(written.sentence_terms, ids, lengths)


def _windows(spans: NDArray[np.int64]) -> Windows:
    which = np.stack([spans[:, 1], spans[:, 2] // WINDOW_CHARS], axis=1)
    is_first = np.ones(len(spans), bool)
    is_first[1:] = np.any(which[1:] != which[:-1], axis=1)
    firsts = np.flatnonzero(is_first)
    return Windows(spans[firsts, 1], firsts, spans[firsts, 2])


def _joined(one: Windows, other: Windows, *, before: int) -> Windows:
    return Windows(
        np.concatenate([one.artifacts, other.artifacts]),
        np.concatenate([one.firsts, other.firsts + before]),
        np.concatenate([one.begins, other.begins]),
    )


def _stated(corpus: Corpus) -> NDArray[np.int64]:
    facts = _places(corpus.fact_ids, corpus.supports[:, 0])
    passages = _passages_with(corpus.windows, corpus.supports[:, 1], corpus.supports[:, 2])
    is_placed = (facts >= 0) & (passages >= 0)
    return np.column_stack([facts, passages])[is_placed]


def _graph(corpus: Corpus, stated: NDArray[np.int64]) -> Graph:
    numbers = _places(corpus.fact_ids, corpus.ends[:, 0])
    ends = np.column_stack([numbers, corpus.ends[:, 1:]])[numbers >= 0]
    sizes = (len(corpus.fact_ids), len(corpus.windows.firsts))
    return Graph.of(sizes, ends=ends, supports=stated)


def _passages_with(windows: Windows, artifacts: Integers, characters: Integers) -> Integers:
    """The number of the passage that has this character of this text; -1 where there is none."""
    if not len(windows.firsts):
        return np.full(len(artifacts), -1)
    order = np.lexsort((windows.begins, windows.artifacts))
    keys = (windows.artifacts[order] << _CHARACTER_BITS) + windows.begins[order]
    at = np.searchsorted(keys, (artifacts << _CHARACTER_BITS) + characters, "right") - 1
    at = np.maximum(at, np.searchsorted(windows.artifacts[order], artifacts))
    found = order[np.minimum(at, len(order) - 1)]
    return np.where(windows.artifacts[found] == artifacts, found, -1)


def _places(known: Integers, wanted: Integers) -> Integers:
    """Where each stands in the ascending `known`; -1 for those that do not."""
    if not len(known):
        return np.full(len(wanted), -1)
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[at] == wanted, at, -1)


def _norms(segments: Sequence[Index]) -> Floats:
    lengths = np.concatenate([segment.lengths for segment in segments])
    mean = max(lengths.mean(dtype=np.float64), _LEAST_LENGTH)
    norms: Floats = (K1 * (1 - B + B * lengths / mean)).astype(np.float32)
    return norms


def _idf(number: int, count: int) -> float:
    return math.log(1 + (number - count + 0.5) / (count + 0.5)) if count else 0.0


def _column(rows: Sequence[Row], name: str) -> Integers:
    return np.fromiter((row[name] for row in rows), np.int64, len(rows))


def _table(rows: Sequence[Row], *names: str) -> NDArray[np.int64]:
    return np.column_stack([_column(rows, name) for name in names])


def _sorted(table: NDArray[np.int64]) -> NDArray[np.int64]:
    return table[np.argsort(table[:, 0])]
