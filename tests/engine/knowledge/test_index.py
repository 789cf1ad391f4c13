"""The index in memory: segments that rank as one, appended to, never behind the database."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.knowledge.index import WINDOW_CHARS, Corpus, Indexes, Postings, Texts, grouped, segment
from engine.retrieval.bm25 import Field, Index
from engine.store.database import Row
from engine.store.knowledge_index import NOTHING_YET
from engine.store.sqlite import SqliteDatabase
from tests.engine.knowledge.stored import DATASET_ID, told
from tests.engine.store.knowledge_support import Said

WORDS = st.lists(st.sampled_from(["salt", "sea", "北京", "c", "ноль"]), max_size=6)


@given(st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=6))
def test_segments_rank_exactly_as_one_index_over_all_texts(batches: list[list[list[str]]]) -> None:
    texts = Texts()
    for batch in batches:
        texts = texts.with_segment(_index(batch))
    whole = _index([document for batch in batches for document in batch])
    query = {"salt": 1.0, "北京": 2.0, "missing": 1.0}
    np.testing.assert_allclose(texts.scores(query), whole.scores(query), rtol=1e-5)
    assert texts.idf("salt") == whole.idf("salt")


def test_small_segments_are_joined_so_that_there_are_few() -> None:
    texts = Texts()
    for number in range(200):
        texts = texts.with_segment(_index([["salt", f"word{number}"]]))
    assert len(texts) == 200
    assert len(texts.segments) < 10


def test_rows_of_the_database_make_the_index_of_their_texts() -> None:
    documents = [["salt", "sea", "salt"], ["sea"], []]
    refs = [30, 10, 20]
    built = segment(
        Postings.of(_rows(zip(refs, documents, strict=True))),
        np.array(refs),
        np.array([len(document) for document in documents]),
    )
    in_order = _index([["sea"], [], ["salt", "sea", "salt"]])
    assert (
        built.scores({"salt": 1.0, "sea": 1.0}).tolist()
        == in_order.scores({"salt": 1.0, "sea": 1.0}).tolist()
    )


def test_sentences_grouped_are_the_passages_they_stand_in() -> None:
    sentences = _index([["salt"], ["sea", "salt"], ["ice"]])
    passages = grouped(sentences, np.array([0, 0, 1]), 2)
    whole = _index([["salt", "sea", "salt"], ["ice"]])
    query = {"salt": 1.0, "ice": 1.0}
    assert passages.scores(query).tolist() == whole.scores(query).tolist()


async def test_an_empty_dataset_is_an_empty_corpus(database: SqliteDatabase) -> None:
    corpus = await Indexes(database).corpus(DATASET_ID)
    assert (len(corpus.facts), len(corpus.sentences), len(corpus.passages)) == (0, 0, 0)
    assert corpus.newest == NOTHING_YET


async def test_what_is_written_later_is_appended(database: SqliteDatabase) -> None:
    await told(database, "Ada works at Acme. She likes it.", Said("Ada", "works at", "Acme"))
    indexes = Indexes(database)
    first = await indexes.corpus(DATASET_ID)
    await told(database, "Bob lives in Rome.", Said("Bob", "lives in", "Rome"))
    second = await indexes.corpus(DATASET_ID)
    assert (len(first.facts), len(first.sentences), len(first.passages)) == (1, 2, 1)
    assert (len(second.facts), len(second.sentences), len(second.passages)) == (2, 3, 2)
    _same(second, await Indexes(database).corpus(DATASET_ID))


async def test_nothing_new_costs_nothing(database: SqliteDatabase) -> None:
    await told(database, "Ada works at Acme.", Said("Ada", "works at", "Acme"))
    indexes = Indexes(database)
    assert await indexes.corpus(DATASET_ID) is await indexes.corpus(DATASET_ID)


async def test_a_fact_is_linked_with_the_passage_that_has_it(database: SqliteDatabase) -> None:
    await told(database, "Ada works at Acme.", Said("Ada", "works at", "Acme"))
    await told(database, "Bob lives in Rome.", Said("Bob", "lives in", "Rome"))
    corpus = await Indexes(database).corpus(DATASET_ID)
    assert corpus.stated.tolist() == [[0, 0], [1, 1]]


async def test_a_long_text_is_several_passages(database: SqliteDatabase) -> None:
    sentence = "The salt of the sea is counted in grams. "
    await told(database, sentence * (2 * WINDOW_CHARS // len(sentence)))
    corpus = await Indexes(database).corpus(DATASET_ID)
    assert len(corpus.passages) == 2
    both = [*corpus.sentences_of(0), *corpus.sentences_of(1)]
    assert both == list(range(len(corpus.sentences)))


async def test_only_so_many_datasets_are_kept(database: SqliteDatabase) -> None:
    await told(database, "Ada works at Acme.", Said("Ada", "works at", "Acme"))
    indexes = Indexes(database, most=1)
    first = await indexes.corpus(DATASET_ID)
    await indexes.corpus(2)
    again = await indexes.corpus(DATASET_ID)
    assert again is not first
    _same(again, first)


async def test_a_dropped_dataset_is_loaded_anew(database: SqliteDatabase) -> None:
    await told(database, "Ada works at Acme.", Said("Ada", "works at", "Acme"))
    indexes = Indexes(database)
    first = await indexes.corpus(DATASET_ID)
    indexes.drop(DATASET_ID)
    assert await indexes.corpus(DATASET_ID) is not first


async def test_what_others_write_changes_nothing_here(database: SqliteDatabase) -> None:
    await told(database, "Ada works at Acme.", Said("Ada", "works at", "Acme"))
    indexes = Indexes(database)
    first = await indexes.corpus(DATASET_ID)
    await told(database, "Bob lives in Rome.", Said("Bob", "lives in", "Rome"), dataset="novel")
    second = await indexes.corpus(DATASET_ID)
    assert second.newest != first.newest
    assert second.graph is first.graph
    assert len((await indexes.corpus(DATASET_ID + 1)).facts) == 1


def _same(one: Corpus, other: Corpus) -> None:
    query = {"ada": 1.0, "acm": 1.0, "rome": 1.0, "live": 1.0}
    assert one.newest == other.newest
    np.testing.assert_allclose(one.facts.scores(query), other.facts.scores(query), rtol=1e-6)
    np.testing.assert_allclose(one.passages.scores(query), other.passages.scores(query), rtol=1e-6)
    assert one.graph.ends.tolist() == other.graph.ends.tolist()
    assert one.graph.near.items.tolist() == other.graph.near.items.tolist()


def _index(documents: Sequence[Sequence[str]]) -> Index:
    return Index.build([[Field(document)] for document in documents])


def _rows(texts: "zip[tuple[int, list[str]]]") -> list[Row]:
    return [
        {"term": term, "ref_id": ref, "tf": count}
        for ref, document in texts
        for term, count in Counter(document).items()
    ]
