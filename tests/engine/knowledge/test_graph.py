"""The graph: who is near, how a walk spreads, and that its work is bounded."""

import numpy as np
import pytest

from engine.knowledge import graph as graphs
from engine.knowledge.graph import Graph, ranked

TWO_PASSAGES = 2


def _chain() -> Graph:
    """Entities 10 - 20 - 30 - 40 by three facts; the first two facts stand in passage 0."""
    ends = np.array([[0, 10, 20], [1, 20, 30], [2, 30, 40]])
    supports = np.array([[0, 0], [1, 0], [2, 1]])
    return Graph.of((3, TWO_PASSAGES), ends=ends, supports=supports)


def test_passages_come_before_entities() -> None:
    graph = _chain()
    assert graph.entities_at(np.array([10, 40, 99])).tolist() == [2, 5]
    assert graph.ends.tolist() == [[2, 3], [3, 4], [4, 5]]


def test_a_passage_is_near_the_ends_of_its_facts() -> None:
    graph = _chain()
    near = graph.near
    assert near.items[near.places(np.array([0]))].tolist() == [2, 3, 4]
    assert near.counts[near.places(np.array([0]))].tolist() == [1, 2, 1]


def test_the_facts_about_things_are_found_each_once() -> None:
    graph = _chain()
    assert graph.facts_about(np.array([3, 4]), most_each=50).tolist() == [0, 1, 2]
    assert graph.facts_about(np.array([3, 4]), most_each=1).tolist() == []


def test_a_walk_stays_near_its_beginning_and_loses_nothing() -> None:
    graph = _chain()
    ranks = ranked(graph, np.array([2]), np.array([1.0]))
    shares = dict(zip(ranks.nodes.tolist(), ranks.shares.tolist(), strict=True))
    assert sum(shares.values()) == pytest.approx(1.0)
    assert shares[2] > shares[5]
    assert shares[0] > shares[1]


def test_it_is_the_fixed_point_of_the_walk() -> None:
    """Against the same sum written out over all pairs of nodes."""
    graph = _chain()
    size = len(graph.near.starts) - 1
    step = np.zeros((size, size))
    for node in range(size):
        places = graph.near.places(np.array([node]))
        counts = graph.near.counts[places].astype(float)
        step[graph.near.items[places], node] = counts / counts.sum()
    begin = np.zeros(size)
    begin[[2, 1]] = [0.75, 0.25]
    exact = np.linalg.solve(np.eye(size) - graphs.DAMPING * step, (1 - graphs.DAMPING) * begin)
    ranks = ranked(graph, np.array([2, 1]), np.array([3.0, 1.0]))
    np.testing.assert_allclose(ranks.shares, exact, atol=graphs.DAMPING**graphs.ROUNDS)


def test_without_weight_nobody_walks() -> None:
    nobody = ranked(_chain(), np.array([2]), np.array([0.0]))
    assert len(nobody.nodes) == 0
    assert len(ranked(Graph.empty(), np.zeros(0, np.int64), np.zeros(0)).nodes) == 0


def test_the_surroundings_of_a_large_graph_are_bounded() -> None:
    """A star of stars: everything is within two hops of the middle."""
    count = 3 * graphs.MOST_NODES
    ends = np.array([[n, n % 100, 1_000 + n] for n in range(count)])
    graph = Graph.of((count, 0), ends=ends, supports=np.zeros((0, 2), np.int64))
    ranks = ranked(graph, graph.entities_at(np.arange(100)), np.ones(100))
    assert len(ranks.nodes) <= graphs.MOST_NODES


def test_nothing_is_looked_for_behind_a_hub() -> None:
    many = graphs.HUB_LINKS + 1
    ends = np.array([[0, 1, 2], *([n, 2, 100 + n] for n in range(1, many + 1))])
    graph = Graph.of((many + 1, 0), ends=ends, supports=np.zeros((0, 2), np.int64))
    ranks = ranked(graph, graph.entities_at(np.array([1])), np.ones(1))
    assert ranks.nodes.tolist() == graph.entities_at(np.array([1, 2])).tolist()
