"""Finds what is stored about a question: facts and passages, ranked, of the time it asks about.

    words of the question --> BM25 over facts and passages --+
    vectors, if there are any -------------------------------+--> seeds --> graph --> order
    names in it --> things by name and alias ----------------+
    order --> rows by id --> dates --> repetitions gone

It costs no call of a model but that of an embedder over the network, whose failure only costs the
vectors. Needs numpy: import it where it is used.
"""

import asyncio
import logging
from dataclasses import dataclass, replace

import numpy as np

from engine.domain.errors import ProviderError
from engine.domain.knowledge import FactInfo, PassageInfo
from engine.domain.time_words import Window, asks_history
from engine.knowledge.index import Corpus, Indexes
from engine.knowledge.names import keys_in
from engine.knowledge.ranking import MOST_LISTED, Asked, Near, Ranking, Scored, numbers_of, rank
from engine.knowledge.selecting import (
    FoundPassage,
    When,
    at_time,
    distinct_facts,
    distinct_passages,
)
from engine.knowledge.vectors import Embedder, Matrices
from engine.retrieval.bm25 import Floats, Integers
from engine.retrieval.tokens import terms
from engine.store import knowledge_index as stored
from engine.store.database import Database
from engine.store.knowledge_index import FoundFact
from engine.store.knowledge_vectors import Which

MOST_FACTS = 100
MOST_PASSAGES = 30
_FULL_SENTENCE_TERMS = 8
"""A shorter one, such as a heading, says less than its words match."""
_SCORE_DIGITS = 4

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a question is asked, and about which time (None: what is true now)."""

    dataset_id: int
    window: Window | None = None


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Best first; scores are shares of the best."""

    facts: tuple[FactInfo, ...] = ()
    passages: tuple[FoundPassage, ...] = ()
    """One sentence of each passage."""


class Retrieval:
    """Looks things up; one value serves every question."""

    def __init__(self, database: Database, indexes: Indexes) -> None:
        self._database = database
        self._indexes = indexes
        self._vectors: _Vectors | None = None

    def use_vectors(self, embedder: Embedder, matrices: Matrices) -> None:
        """Compare by meaning as well, as far as vectors of this embedder are stored."""
        self._vectors = _Vectors(embedder, matrices)

    async def retrieve(self, question: str, scope: Scope) -> Retrieved:
        """Raises StoreError."""
        corpus = await self._indexes.corpus(scope.dataset_id)
        asked = Asked(
            question, await self._named(question, scope), await self._near(question, scope, corpus)
        )
        # Off the loop: it takes some hundredths of a second in a large dataset.
        ranking, sentences = await asyncio.to_thread(_ranked, corpus, asked)
        async with self._database.reading() as reader:
            facts = await stored.facts(reader, corpus.fact_ids[ranking.facts.numbers].tolist())
            spoken = await stored.sentences(reader, corpus.spans[sentences, 0].tolist())
        when = When(scope.window.span if scope.window else None, asks_history(question))
        told = at_time(_scored_facts(corpus, ranking, facts), when)
        passages = _scored_passages(corpus.spans[sentences, 0], ranking, spoken)
        return Retrieved(
            tuple(fact.info for fact in distinct_facts(told, MOST_FACTS)),
            tuple(distinct_passages(passages, MOST_PASSAGES)),
        )

    async def _named(self, question: str, scope: Scope) -> Integers:
        keys = keys_in(question)
        async with self._database.reading() as reader:
            found = await stored.entities_named(reader, scope.dataset_id, keys)
        return np.array(found, np.int64)

    async def _near(self, question: str, scope: Scope, corpus: Corpus) -> Near:
        if self._vectors is None:
            return Near()
        try:
            return await self._vectors.near(question, scope.dataset_id, corpus=corpus)
        except ProviderError as error:
            _log.warning("no vector of the question: %s", error)
            return Near()


class _Vectors:
    def __init__(self, embedder: Embedder, matrices: Matrices) -> None:
        self._embedder = embedder
        self._matrices = matrices

    async def near(self, question: str, dataset_id: int, *, corpus: Corpus) -> Near:
        """Nothing is asked of the embedder while no vector is stored."""
        facts = await self._matrices.matrix(Which(dataset_id, "fact", self._embedder.name))
        passages = await self._matrices.matrix(Which(dataset_id, "sentence", self._embedder.name))
        if not len(facts.refs) and not len(passages.refs):
            return Near()
        (vector,) = await self._embedder.embed([question])
        return await asyncio.to_thread(
            lambda: Near(
                numbers_of(corpus.facts_at(facts.nearest(vector, MOST_LISTED))),
                numbers_of(corpus.passages_at(passages.nearest(vector, MOST_LISTED))),
            )
        )


def _ranked(corpus: Corpus, asked: Asked) -> tuple[Ranking, Integers]:
    """The ranking, and the number of the sentence that stands for each of its passages."""
    ranking = rank(corpus, asked)
    numbers, scored = ranking.passages
    best = Scored(numbers[:MOST_PASSAGES], scored[:MOST_PASSAGES])
    scores = corpus.sentences.scores(dict.fromkeys(terms(asked.text), 1.0))
    sentences = [_spokesman(corpus, int(passage), scores) for passage in best.numbers]
    return ranking._replace(passages=best), np.array(sentences, np.int64)


def _spokesman(corpus: Corpus, passage: int, scores: Floats) -> int:
    """The sentence that matches best; where none does, the first that is one."""
    numbers = np.asarray(corpus.sentences_of(passage))
    fullness = np.minimum(corpus.sentence_terms[numbers] / _FULL_SENTENCE_TERMS, 1)
    worth = (scores[numbers] + np.finfo(np.float32).eps) * fullness
    return int(numbers[np.argmax(worth)])


def _scored_facts(corpus: Corpus, ranking: Ranking, facts: dict[int, FoundFact]) -> list[FoundFact]:
    scored = zip(
        corpus.fact_ids[ranking.facts.numbers].tolist(), _shares(ranking.facts), strict=True
    )
    return [
        facts[number]._replace(info=replace(facts[number].info, score=score))
        for number, score in scored
        if number in facts
    ]


def _scored_passages(
    ids: Integers, ranking: Ranking, spoken: dict[int, PassageInfo]
) -> list[FoundPassage]:
    scored = zip(ids.tolist(), _shares(ranking.passages), strict=True)
    return [
        FoundPassage(number, replace(spoken[number], score=score))
        for number, score in scored
        if number in spoken
    ]


def _shares(scored: Scored) -> list[float]:
    best = scored.scores[0] if len(scored.scores) else 1.0
    return [round(float(score / best), _SCORE_DIGITS) for score in scored.scores]
