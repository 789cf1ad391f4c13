"""How alike texts are, and how many different ones are chosen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.retrieval.similarity import Diversity, cosine, idf_of, jaccard, mmr, tf_idf

TERMS = st.lists(st.sampled_from("abcdef"), max_size=8)
DOCUMENTS = [["wal", "log"], ["wal", "page"], ["wal", "lock", "lock"]]


@given(TERMS, TERMS)
def test_likeness_is_symmetric_and_between_none_and_one(one: list[str], other: list[str]) -> None:
    idf = idf_of([one, other])
    first, second = tf_idf(one, idf), tf_idf(other, idf)
    assert cosine(first, second) == pytest.approx(cosine(second, first))
    assert -1e-9 <= cosine(first, second) <= 1 + 1e-9
    assert jaccard(one, other) == jaccard(other, one)


@given(TERMS.filter(bool))
def test_a_text_is_like_itself(terms: list[str]) -> None:
    vector = tf_idf(terms, idf_of([terms]))
    assert cosine(vector, vector) == pytest.approx(1)
    assert jaccard(terms, terms) == 1


def test_shared_rare_terms_make_texts_more_alike_than_shared_common_ones() -> None:
    idf = idf_of(DOCUMENTS)
    text = tf_idf(["wal", "log"], idf)
    common, rare = tf_idf(["wal", "lock"], idf), tf_idf(["log", "lock"], idf)
    assert idf["log"] > idf["wal"]
    assert 0 < cosine(text, common) < cosine(text, rare) < 1


def test_texts_without_known_terms_are_like_nothing() -> None:
    assert tf_idf(["unknown"], idf_of(DOCUMENTS)) == {}
    assert jaccard([], []) == 0


def test_the_second_choice_is_the_one_unlike_the_first() -> None:
    alike = {(0, 1): 1.0, (0, 2): 0.0, (1, 2): 0.0}
    likeness = lambda one, other: alike[min(one, other), max(one, other)]  # noqa: E731
    assert mmr([1.0, 0.9, 0.7], likeness, Diversity(most=3, balance=0.5)) == [0, 2, 1]
    assert mmr([1.0, 0.9, 0.7], likeness, Diversity(most=3, too_alike=0.8)) == [0, 2]
    assert mmr([1.0, 0.9, 0.7], likeness, Diversity(most=1)) == [0]


def test_what_the_caller_adds_counts_and_equals_come_in_order() -> None:
    def second_is_dear(candidate: int, chosen: object) -> float:
        return -1.0 if candidate == 0 else 0.0

    none = lambda one, other: 0.0  # noqa: E731
    assert mmr([0.5, 0.5, 0.5], none, Diversity(most=3), extra=second_is_dear) == [1, 2, 0]
