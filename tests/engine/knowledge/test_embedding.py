"""Vectors in the background: each fact and passage gets one, and questions then use them."""

from collections.abc import Sequence

import numpy as np
import pytest

from engine.domain.errors import ProviderError
from engine.knowledge.embedding import Embedding
from engine.knowledge.index import Indexes
from engine.knowledge.retrieve import Retrieval, Scope
from engine.knowledge.vectors import Matrices, normalised
from engine.retrieval.bm25 import Floats
from engine.store.sqlite import SqliteDatabase
from tests.engine.knowledge.stored import DATASET_ID, lines, told
from tests.engine.store.knowledge_support import Said


class ByTopic:
    """Fulfils `vectors.Embedder`: texts about work and about home, whatever their words."""

    name = "by-topic"

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.is_down = False

    async def embed(self, texts: Sequence[str]) -> Floats:
        if self.is_down:
            raise ProviderError("connection", "embeddings: cannot be reached")
        self.texts += texts
        return normalised(
            np.array([[_is(text, "work", "job"), _is(text, "live")] for text in texts])
        )


def _is(text: str, *words: str) -> float:
    return float(any(word in text.lower() for word in words))


@pytest.fixture
async def filled(database: SqliteDatabase) -> SqliteDatabase:
    await told(database, "Ada works at Acme.", Said("Ada", "works at", "Acme"))
    await told(database, "Bob lives in Rome.", Said("Bob", "lives in", "Rome"))
    return database


def _embedding(database: SqliteDatabase, embedder: ByTopic) -> Embedding:
    return Embedding(database, Indexes(database), Matrices(database), embedder)


async def test_each_fact_and_passage_gets_a_vector_once(filled: SqliteDatabase) -> None:
    embedder = ByTopic()
    embedding = _embedding(filled, embedder)
    assert await embedding.fill(DATASET_ID) == 4
    assert await embedding.fill(DATASET_ID) == 0
    assert embedder.texts == [
        *("ada works at acme", "bob lives in rome"),
        *("Ada works at Acme.", "Bob lives in Rome."),
    ]


async def test_what_is_stored_later_gets_its_own(filled: SqliteDatabase) -> None:
    embedding = _embedding(filled, ByTopic())
    await embedding.fill(DATASET_ID)
    await told(filled, "Eve works at Bolt.", Said("Eve", "works at", "Bolt"))
    assert await embedding.fill(DATASET_ID) == 2


async def test_a_question_finds_what_shares_no_word_with_it(filled: SqliteDatabase) -> None:
    embedder = ByTopic()
    embedding = _embedding(filled, embedder)
    await embedding.fill(DATASET_ID)
    retrieval = Retrieval(filled, embedding.indexes)
    before = await retrieval.retrieve("Any job?", Scope(DATASET_ID))
    assert (before.facts, before.passages) == ((), ())
    retrieval.use_vectors(embedder, embedding.matrices)
    found = await retrieval.retrieve("Any job?", Scope(DATASET_ID))
    assert lines(found)[0] == "ada works at acme"
    assert found.passages[0].info.text == "Ada works at Acme."


async def test_without_stored_vectors_the_embedder_is_not_asked(filled: SqliteDatabase) -> None:
    embedder = ByTopic()
    retrieval = Retrieval(filled, Indexes(filled))
    retrieval.use_vectors(embedder, Matrices(filled))
    assert lines(await retrieval.retrieve("Ada", Scope(DATASET_ID))) == ["ada works at acme"]
    assert embedder.texts == []


async def test_an_embedder_that_fails_costs_the_vectors_and_no_more(
    filled: SqliteDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    embedder = ByTopic()
    embedding = _embedding(filled, embedder)
    await embedding.fill(DATASET_ID)
    embedder.is_down = True
    retrieval = Retrieval(filled, embedding.indexes)
    retrieval.use_vectors(embedder, embedding.matrices)
    assert lines(await retrieval.retrieve("Ada", Scope(DATASET_ID))) == ["ada works at acme"]
    assert "cannot be reached" in caplog.text


async def test_what_was_made_before_a_failure_stays(filled: SqliteDatabase) -> None:
    embedder = ByTopic()
    await _embedding(filled, embedder).fill(DATASET_ID)
    await told(filled, "Eve works at Bolt.", Said("Eve", "works at", "Bolt"))
    embedder.is_down = True
    with pytest.raises(ProviderError):
        await _embedding(filled, embedder).fill(DATASET_ID)
    embedder.is_down = False
    assert await _embedding(filled, embedder).fill(DATASET_ID) == 2
