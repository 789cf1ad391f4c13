"""The ranking as arithmetic: lists fused, what is near by meaning, where a walk begins."""

import numpy as np
import pytest

from engine.knowledge.index import Corpus, Indexes
from engine.knowledge.ranking import (
    PAGERANK_ABOVE_FACTS,
    RRF_RANK,
    Asked,
    Near,
    Scored,
    fused,
    numbers_of,
    rank,
)
from engine.store.sqlite import SqliteDatabase
from tests.engine.knowledge.stored import DATASET_ID, told
from tests.engine.store.knowledge_support import Said


def test_lists_are_fused_by_rank_and_weight() -> None:
    scores = fused(4, (np.array([2, 0]), 2.0), (np.array([0, 1]), 1.0))
    first, second = RRF_RANK + 1, RRF_RANK + 2
    assert scores.tolist() == pytest.approx([2 / second + 1 / first, 1 / second, 2 / first, 0])


def test_the_best_come_first_and_equals_by_number() -> None:
    scored = Scored.of(np.array([0.5, 0, 0.9, 0.5]), 3)
    assert scored.numbers.tolist() == [2, 0, 3]


def test_what_is_not_there_is_left_out() -> None:
    assert numbers_of([3, -1, 0]).tolist() == [3, 0]


@pytest.mark.parametrize("large", [False, True])
async def test_what_is_near_by_meaning_is_found_without_its_words(
    database: SqliteDatabase, large: bool
) -> None:
    corpus = await _corpus(database, PAGERANK_ABOVE_FACTS + 1 if large else 3)
    assert not len(rank(corpus, Asked("employer")).facts.numbers)
    near = Near(np.array([1]), np.array([1]))
    found = rank(corpus, Asked("employer", near=near))
    assert found.facts.numbers[0] == 1
    assert found.passages.numbers[0] == 1


@pytest.mark.parametrize("large", [False, True])
async def test_a_thing_that_is_named_brings_its_facts(
    database: SqliteDatabase, large: bool
) -> None:
    corpus = await _corpus(database, PAGERANK_ABOVE_FACTS + 1 if large else 3)
    subject = int(corpus.ends[2, 1])
    found = rank(corpus, Asked("employer", named=np.array([subject])))
    assert found.facts.numbers.tolist() == [2]
    assert found.passages.numbers[0] == 2


async def test_nothing_in_common_is_nothing_found(database: SqliteDatabase) -> None:
    corpus = await _corpus(database, 3)
    for question in ("zzz", "", "the"):
        found = rank(corpus, Asked(question))
        assert not len(found.facts.numbers)
        assert not len(found.passages.numbers)


async def test_an_empty_corpus_ranks_nothing() -> None:
    assert not len(rank(Corpus(), Asked("salt")).facts.numbers)


async def _corpus(database: SqliteDatabase, facts: int) -> Corpus:
    """Each fact with a text and two names of its own; the rest in one text."""
    for number in range(3):
        said = Said(f"Person{number}", "labours for", f"Firm{number}")
        await told(database, f"Person{number} labours for Firm{number}.", said)
    if facts > 3:
        said_too = [Said(f"Man{n}", "likes", f"Food{n}") for n in range(facts - 3)]
        await told(database, "A long list.", *said_too)
    return await Indexes(database).corpus(DATASET_ID)
