"""BM25F against a plain reference, and segments that compose."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.retrieval.bm25 import K1, B, Document, Field, Index, top_of

TERM = st.sampled_from(["wal", "log", "page", "lock", "row", "数据"])
FIELD = st.builds(Field, st.lists(TERM, max_size=6), st.sampled_from([1.0, 2.0]))
CORPUS = st.lists(st.lists(FIELD, max_size=3).map(tuple), max_size=7)
QUERY = st.dictionaries(st.one_of(TERM, st.just("unknown")), st.sampled_from([0.25, 1.0, 2.0]))


def reference(corpus: list[Document], query: dict[str, float]) -> list[float]:
    """BM25F as its formula says, one document and one term at a time."""
    counts = []
    for document in corpus:
        counted: Counter[str] = Counter()
        for field in document:
            for term in field.terms:
                counted[term] += field.weight  # type: ignore[assignment]  # weighted counts
        counts.append(counted)
    lengths = [sum(len(field.terms) * field.weight for field in document) for document in corpus]
    mean = sum(lengths) / max(1, len(lengths))
    scores = []
    for counted, length in zip(counts, lengths, strict=True):
        score = 0.0
        for term, weight in query.items():
            frequency = counted[term]
            if not frequency:
                continue
            having = sum(1 for other in counts if other[term])
            idf = math.log(1 + (len(corpus) - having + 0.5) / (having + 0.5))
            norm = K1 * (1 - B + B * length / mean)
            score += weight * idf * frequency * (K1 + 1) / (frequency + norm)
        scores.append(score)
    return scores


@given(CORPUS, QUERY)
def test_scores_are_those_of_the_formula(corpus: list[Document], query: dict[str, float]) -> None:
    assert Index.build(corpus).scores(query) == pytest.approx(reference(corpus, query), rel=1e-4)


@given(CORPUS, QUERY, st.integers(0, 8))
def test_the_top_is_the_start_of_the_sorted_scores(
    corpus: list[Document], query: dict[str, float], most: int
) -> None:
    index = Index.build(corpus)
    scores = index.scores(query).tolist()
    ranked = sorted((-score, place) for place, score in enumerate(scores) if score > 0)
    assert [(-hit.score, hit.document) for hit in index.top(query, most)] == ranked[:most]


@given(CORPUS, CORPUS, QUERY)
def test_two_segments_joined_are_one_index(
    one: list[Document], other: list[Document], query: dict[str, float]
) -> None:
    joined = Index.build(one).joined(Index.build(other))
    assert joined.scores(query) == pytest.approx(Index.build(one + other).scores(query), rel=1e-5)


@given(CORPUS, st.sets(st.integers(0, 6)), QUERY)
def test_an_index_without_some_is_that_of_the_others(
    corpus: list[Document], dropped: set[int], query: dict[str, float]
) -> None:
    kept = [document for at, document in enumerate(corpus) if at not in dropped]
    left = Index.build(corpus).without({at for at in dropped if at < len(corpus)})
    assert left.scores(query) == pytest.approx(Index.build(kept).scores(query), rel=1e-5)
    assert set(left.vocabulary) == set(Index.build(kept).vocabulary)


@given(CORPUS, QUERY)
def test_bytes_give_the_same_index_back(corpus: list[Document], query: dict[str, float]) -> None:
    index = Index.build(corpus)
    again = Index.from_bytes(index.to_bytes())
    assert again.vocabulary == index.vocabulary
    assert again.scores(query).tolist() == index.scores(query).tolist()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("starts", np.array([0, 9], np.int64)),
        ("documents", np.array([7], np.int32)),
        ("documents", np.array([-1], np.int32)),
        ("weights", np.zeros(0, np.float32)),
        ("terms", np.frombuffer(b"\xff", np.uint8)),
        ("terms", np.frombuffer(b"a\nb", np.uint8)),
    ],
)
def test_arrays_that_do_not_fit_together_are_refused(name: str, value: np.ndarray) -> None:
    arrays = Index.build([(Field(["wal"]),)]).to_arrays()
    with pytest.raises(ValueError, match=r"fit together|decode"):
        Index.from_arrays({**arrays, name: value})


def test_a_rarer_term_weighs_more_and_an_unknown_one_nothing() -> None:
    index = Index.build([(Field(["wal", "log"]),), (Field(["wal"]),)])
    assert index.idf("log") > index.idf("wal") > 0
    assert index.idf("unknown") == 0


def test_the_best_of_equal_scores_come_in_order() -> None:
    scores = np.array([1, 0, 2, 1, 1], np.float32)
    assert [hit.document for hit in top_of(scores, 3)] == [2, 0, 3]
