"""What of a dataset answers a question, as numbers: lists by words and by meaning, then the graph.

Pure arithmetic on arrays: it reads nothing and knows no dates. Equal input gives equal order on
every machine and database. Needs numpy.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.knowledge.graph import Graph, Ranks, ranked
from engine.knowledge.index import Corpus
from engine.retrieval.bm25 import Integers, top_of
from engine.retrieval.tokens import terms

PAGERANK_ABOVE_FACTS = 500
"""In a smaller dataset one hop from what was found says the same, and why."""
RRF_RANK = 60
BM25_WEIGHT = 2.0
VECTOR_WEIGHT = 1.0
MOST_LISTED = 200
SEED_FACTS = 10
SEED_PASSAGES = 30
PASSAGE_SHARE = 0.3
"""Of the weight of the seeds, beside 1 of the facts found and this of the things named."""
NAMED_SHARE = 0.5
HOP_MOST_FACTS = 50
"""A thing with more facts is not expanded by one hop."""
_GRAPH_MOST_FACTS = 400
"""Facts of one thing that the walk may bring in."""
_UNMATCHED = 0.1
"""What a fact is worth that the walk reaches and no word of the question names."""

Floats64 = NDArray[np.float64]


class Near(NamedTuple):
    """The nearest by meaning, best first; numbers of the corpus. Empty without vectors."""

    facts: Integers = np.zeros(0, np.int64)
    passages: Integers = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as the ranking sees it."""

    text: str
    named: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    """Ids of things that it names."""
    near: Near = field(default_factory=Near)


class Scored(NamedTuple):
    """Numbers in the corpus, best first, with their scores."""

    numbers: Integers
    scores: Floats64

    @staticmethod
    def of(scores: Floats64, most: int) -> "Scored":
        best = top_of(scores.astype(np.float32), most)
        return Scored(
            np.fromiter((one.document for one in best), np.int64, len(best)),
            np.fromiter((one.score for one in best), np.float64, len(best)),
        )


class Ranking(NamedTuple):
    facts: Scored
    passages: Scored


def rank(corpus: Corpus, asked: Asked) -> Ranking:
    """The facts and the passages that belong to the question, at most `MOST_LISTED` of each."""
    query = dict.fromkeys(terms(asked.text), 1.0)
    facts = Scored.of(corpus.facts.scores(query).astype(np.float64), MOST_LISTED)
    passages = Scored.of(corpus.passages.scores(query).astype(np.float64), MOST_LISTED)
    found = _Found(
        fused(len(corpus.facts), (facts.numbers, BM25_WEIGHT), (asked.near.facts, VECTOR_WEIGHT)),
        fused(
            len(corpus.passages),
            (passages.numbers, BM25_WEIGHT),
            (asked.near.passages, VECTOR_WEIGHT),
        ),
        corpus.graph.entities_at(asked.named),
    )
    if len(corpus.facts) > PAGERANK_ABOVE_FACTS:
        return _by_walk(corpus.graph, found, matches=_matches(corpus, facts, asked))
    return _by_hop(corpus, found)


def fused(size: int, *lists: tuple[Integers, float]) -> Floats64:
    """Reciprocal rank fusion: the sum over lists of weight / (60 + rank), by number."""
    total = np.zeros(size)
    for numbers, weight in lists:
        total[numbers] += weight / (RRF_RANK + 1 + np.arange(len(numbers)))
    return total


class _Found(NamedTuple):
    """Fused scores by number, and nodes of the graph."""

    facts: Floats64
    passages: Floats64
    named: Integers


class _Seeds(NamedTuple):
    nodes: Integers
    weights: Floats64


def _matches(corpus: Corpus, by_words: Scored, asked: Asked) -> Floats64:
    """How well each fact itself matches, from 0 to 1."""
    matches = np.zeros(len(corpus.facts))
    if len(by_words.numbers):
        matches[by_words.numbers] = by_words.scores / by_words.scores[0]
    if len(asked.near.facts):
        near = np.zeros(len(corpus.facts))
        near[asked.near.facts] = 1 - np.arange(len(asked.near.facts)) / len(asked.near.facts)
        matches = (BM25_WEIGHT * matches + VECTOR_WEIGHT * near) / (BM25_WEIGHT + VECTOR_WEIGHT)
    return matches


def _by_walk(graph: Graph, found: _Found, *, matches: Floats64) -> Ranking:
    """The order is that of the walk, and of nothing else for passages. A fact is worth its weaker
    end, the more the better it matches itself."""
    ranks = ranked(graph, *_seeds(graph, found))
    is_passage = ranks.nodes < graph.passages
    passages = np.zeros(graph.passages)
    passages[ranks.nodes[is_passage]] = ranks.shares[is_passage]
    facts = _facts_reached(graph, ranks, matches)
    return Ranking(Scored.of(facts, MOST_LISTED), Scored.of(passages, MOST_LISTED))


def _facts_reached(graph: Graph, ranks: Ranks, matches: Floats64) -> Floats64:
    shares = np.zeros(len(graph.near.starts))
    shares[ranks.nodes] = ranks.shares
    reached = graph.facts_about(ranks.nodes, most_each=_GRAPH_MOST_FACTS)
    numbers = np.union1d(reached, np.flatnonzero(matches))
    weaker = shares[graph.ends[numbers]].min(axis=1)
    scores = np.zeros(len(matches))
    scores[numbers] = weaker * (_UNMATCHED + matches[numbers])
    return scores


def _seeds(graph: Graph, found: _Found) -> _Seeds:
    """The ends of the facts found, rare ones first; a share of passages and of things named."""
    facts = Scored.of(found.facts, SEED_FACTS)
    passages = Scored.of(found.passages, SEED_PASSAGES)
    ends = graph.ends[facts.numbers].ravel()
    of_facts = np.repeat(facts.scores, 2) * graph.rarity(ends)
    groups = (
        (ends, of_facts, 1.0),
        (passages.numbers, passages.scores, PASSAGE_SHARE),
        (found.named, graph.rarity(found.named), NAMED_SHARE),
    )
    return _Seeds(
        np.concatenate([nodes for nodes, _, _ in groups]),
        np.concatenate([_shared(weights, share) for _, weights, share in groups]),
    )


def _shared(weights: Floats64, share: float) -> Floats64:
    total = weights.sum()
    return weights * (share / total) if total > 0 else weights


def _by_hop(corpus: Corpus, found: _Found) -> Ranking:
    """What was found, and what is about the same things: fused."""
    graph = corpus.graph
    seeds = Scored.of(found.facts, SEED_FACTS)
    nodes = np.concatenate([graph.ends[seeds.numbers].ravel(), found.named])
    weights = np.concatenate([np.repeat(seeds.scores, 2), np.full(len(found.named), _named(seeds))])
    worth = np.zeros(len(graph.near.starts))
    np.add.at(worth, nodes, weights * graph.rarity(nodes))
    reached = graph.facts_about(np.unique(nodes), most_each=HOP_MOST_FACTS)
    facts = np.zeros(len(corpus.facts))
    facts[reached] = worth[graph.ends[reached]].sum(axis=1)
    hop = Scored.of(facts, MOST_LISTED)
    passages = Scored.of(_passages_of(corpus, hop), MOST_LISTED)
    return Ranking(
        Scored.of(found.facts + fused(len(facts), (hop.numbers, 1.0)), MOST_LISTED),
        Scored.of(
            found.passages + fused(graph.passages, (passages.numbers, BM25_WEIGHT)), MOST_LISTED
        ),
    )


def _named(seeds: Scored) -> float:
    """A thing that the question names is worth the best fact found."""
    return float(seeds.scores[0]) if len(seeds.scores) else 1.0


def _passages_of(corpus: Corpus, facts: Scored) -> Floats64:
    """The passages that have these facts, by the best fact of each."""
    worth = np.zeros(len(corpus.facts))
    worth[facts.numbers] = facts.scores
    found = np.zeros(len(corpus.passages))
    np.maximum.at(found, corpus.stated[:, 1], worth[corpus.stated[:, 0]])
    return found


def numbers_of(places: Sequence[int] | Integers) -> Integers:
    """Only those that are there: -1 stands for what is not."""
    found = np.asarray(places, np.int64)
    return found[found >= 0]
