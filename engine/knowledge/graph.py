"""What belongs together: things, the facts that link them, and the passages that have the facts.

A personalised PageRank over the surroundings of what a question found. It must never visit the
whole of a large graph: the work is bounded, whatever the size. Needs numpy.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.retrieval.bm25 import Floats, Integers

DAMPING = 0.85
ROUNDS = 20
MOST_NODES = 8_000
"""Of the surroundings: what lies farther gets no rank that would show."""
MOST_HOPS = 4
HUB_LINKS = 200
"""A node with more is reached, but nothing is looked for behind it."""


class Lists(NamedTuple):
    """What belongs to node n: `items[starts[n]:starts[n + 1]]`, ascending; `counts` of each."""

    starts: Integers
    items: NDArray[np.int32]
    counts: Floats

    def sizes(self, nodes: Integers) -> Integers:
        found: Integers = self.starts[nodes + 1] - self.starts[nodes]
        return found

    def places(self, nodes: Integers) -> Integers:
        """The places in `items` of all that belongs to these nodes, node by node."""
        sizes = self.sizes(nodes)
        ends = np.cumsum(sizes)
        first = np.repeat(self.starts[nodes] - (ends - sizes), sizes)
        found: Integers = first + np.arange(len(first))
        return found


class Ranks(NamedTuple):
    """Nodes of the surroundings, ascending, and the share of the walk that each has."""

    nodes: Integers
    shares: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes by number: first the passages, then the entities by ascending id."""

    passages: int
    entity_ids: Integers
    ends: NDArray[np.int64]
    """The nodes of the subject and the object of each fact, by the fact's number."""
    near: Lists
    """The neighbours of each node, with how many facts make them so; each link stands twice."""
    about: Lists
    """The facts of each entity (and of no passage)."""

    @staticmethod
    def empty() -> "Graph":
        none = np.zeros((0, 3), np.int64)
        return Graph.of((0, 0), ends=none, supports=none[:, :2])

    @staticmethod
    def of(
        sizes: tuple[int, int], *, ends: NDArray[np.int64], supports: NDArray[np.int64]
    ) -> "Graph":
        """`sizes`: how many facts and passages. `ends`: rows of a fact's number and the ids of its
        subject and object. `supports`: rows of a fact's number and a passage's number."""
        facts, passages = sizes
        ids, at = np.unique(ends[:, 1:], return_inverse=True)
        nodes = passages + len(ids)
        of_fact = np.full((facts, 2), -1, np.int64)
        of_fact[ends[:, 0]] = at.reshape(-1, 2) + passages
        entities, facts_of = of_fact.ravel(), np.repeat(np.arange(facts), 2)
        is_known = entities >= 0
        about = _lists(entities[is_known], facts_of[is_known], (nodes, facts))
        return Graph(passages, ids, of_fact, _near(of_fact, supports, nodes), about)

    def entities_at(self, ids: Integers) -> Integers:
        """The nodes of those of these entities that any fact is about."""
        if not len(self.entity_ids):
            return np.zeros(0, np.int64)
        at = np.minimum(np.searchsorted(self.entity_ids, ids), len(self.entity_ids) - 1)
        found: Integers = at[self.entity_ids[at] == ids] + self.passages
        return found

    def rarity(self, nodes: Integers) -> NDArray[np.float64]:
        """1 / log2(1 + number of neighbours): what is linked with everything says little."""
        weights: NDArray[np.float64] = 1 / np.log2(1 + np.maximum(self.near.sizes(nodes), 1))
        return weights

    def facts_about(self, nodes: Integers, *, most_each: int) -> Integers:
        """The numbers of the facts of these entities, ascending; of none that has more."""
        kept = nodes[self.about.sizes(nodes) <= most_each]
        return np.unique(self.about.items[self.about.places(kept)]).astype(np.int64)


def ranked(graph: Graph, nodes: Integers, weights: NDArray[np.float64]) -> Ranks:
    """Where a walk is that begins at `nodes` by their `weights`, follows links by their counts,
    and begins anew once in a while. Without any weight nobody walks."""
    total = weights.sum()
    if not len(nodes) or total <= 0:
        return Ranks(np.zeros(0, np.int64), np.zeros(0))
    around = _surroundings(graph.near, np.unique(nodes))
    begin: NDArray[np.float64] = np.zeros(len(around))
    np.add.at(begin, np.searchsorted(around, nodes), weights / total)
    return Ranks(around, _walked(graph.near, around, begin))


def _walked(near: Lists, around: Integers, begin: NDArray[np.float64]) -> NDArray[np.float64]:
    places = near.places(around)
    source = np.repeat(np.arange(len(around)), near.sizes(around))
    inside = np.zeros(len(near.starts), bool)
    inside[around] = True
    is_inside = inside[near.items[places]]
    source, places = source[is_inside], places[is_inside]
    target = np.searchsorted(around, near.items[places])
    counts = near.counts[places].astype(np.float64)
    leaving = np.bincount(source, counts, minlength=len(around))
    shares_of = DAMPING * counts / leaving[source]
    shares = begin
    for _ in range(ROUNDS):
        flow = np.bincount(target, shares_of * shares[source], minlength=len(around))
        shares = (1 - DAMPING) * begin + flow
    return shares


def _surroundings(near: Lists, nodes: Integers) -> Integers:
    """The nodes within some hops, ascending; a hop that would bring too many is not made."""
    reached = np.zeros(len(near.starts), bool)
    reached[nodes] = True
    count, frontier = len(nodes), nodes
    for _ in range(MOST_HOPS):
        behind = frontier[near.sizes(frontier) <= HUB_LINKS]
        found = near.items[near.places(behind)]
        frontier = np.unique(found[~reached[found]]).astype(np.int64)
        count += len(frontier)
        if count > MOST_NODES or not len(frontier):
            break
        reached[frontier] = True
    return np.flatnonzero(reached)


def _near(of_fact: NDArray[np.int64], supports: NDArray[np.int64], nodes: int) -> Lists:
    between = of_fact[of_fact[:, 0] >= 0]
    stated = np.repeat(supports[:, 1], 2)
    things = of_fact[supports[:, 0]].ravel()
    pairs = np.concatenate([between, np.column_stack([stated, things])])
    pairs = pairs[(pairs[:, 0] != pairs[:, 1]) & (pairs >= 0).all(axis=1)]
    both = np.concatenate([pairs, pairs[:, ::-1]])
    return _lists(both[:, 0], both[:, 1], (nodes, nodes))


def _lists(owners: Integers, items: Integers, sizes: tuple[int, int]) -> Lists:
    number, width = sizes[0], max(1, sizes[1])
    keys, counts = np.unique(owners * width + items, return_counts=True)
    lengths = np.bincount(keys // width, minlength=number)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return Lists(starts, (keys % width).astype(np.int32), counts.astype(np.float32))
