"""Retrieval from a real database: words, names in every script, dates, the graph."""

from dataclasses import replace

import pytest

from engine.domain.decisions import Invalidate, Supersede
from engine.knowledge.index import Indexes
from engine.knowledge.ranking import PAGERANK_ABOVE_FACTS
from engine.knowledge.retrieve import Retrieval, Scope
from engine.store.sqlite import SqliteDatabase
from tests.engine.knowledge.stored import DATASET_ID, asked, lines, told
from tests.engine.store.knowledge_support import Said, date, key_of


async def test_a_fact_and_its_sentence_are_found_by_their_words(database: SqliteDatabase) -> None:
    text = "About Ada\n\nAda works at Acme since 2020. Nothing else is known."
    artifact = await told(database, text, Said("Ada", "works at", "Acme", "2020"))
    await told(database, "Bob lives in Rome.", Said("Bob", "lives in", "Rome"))
    found = await asked(database, "Where does Ada work?")
    assert lines(found) == ["ada works at acme"]
    (passage,) = found.passages
    assert passage.info.text == "Ada works at Acme since 2020."
    assert (passage.info.artifact_id, passage.info.source) == (artifact, "https://example.org/a")
    assert text[passage.info.start : passage.info.end] == passage.info.text
    assert (found.facts[0].score, passage.info.score) == (1.0, 1.0)
    assert found.facts[0].valid_from == "2020"


@pytest.mark.parametrize(
    ("source", "question"),
    [
        ("北京大学", "北京大学是什么时候成立的？"),
        ("東京タワー", "東京タワーの高さは?"),
        ("نجيب محفوظ", "أين ولد نجيب محفوظ؟"),
        ("Лев Толстой", "Где родился Лев Толстой?"),
        ("삼성전자", "삼성전자는 어디에 있나요?"),
        ("C++", "C++"),
        ('O\'Brien "the Fox"', 'who is O\'Brien "the Fox"?'),
        ("a:b", "what about a:b"),
        ("José", "josé?"),
        ("100%_x", "100%_x"),
    ],
)
async def test_a_name_in_any_script_is_found(
    database: SqliteDatabase, source: str, question: str
) -> None:
    await told(database, f"{source} - 1898.", Said(source, "→", "1898"))
    await told(database, "Rome is old.", Said("Rome", "is", "old"))
    found = await asked(database, question)
    assert [fact.source_id for fact in found.facts] == [1]
    assert found.facts[0].target == "1898"


@pytest.mark.parametrize(
    "question", ["'", '"', "+", "-x", "col:x", "a AND", "(", "*", "\x00", "%", "'; DROP TABLE x--"]
)
async def test_an_odd_question_is_never_an_error(database: SqliteDatabase, question: str) -> None:
    await told(database, "Ada works at Acme.", Said("Ada", "works at", "Acme"))
    assert (await asked(database, question)).facts == ()


async def test_what_is_about_the_same_thing_comes_along(database: SqliteDatabase) -> None:
    await told(database, "Ada works at Acme.", Said("Ada", "works at", "Acme"))
    await told(database, "Acme sits in Rome.", Said("Acme", "sits in", "Rome"))
    await told(database, "Bob lives in Oslo.", Said("Bob", "lives in", "Oslo"))
    found = await asked(database, "In which city does Ada work?")
    assert lines(found) == ["ada works at acme", "acme sits in rome"]
    assert [one.info.text for one in found.passages] == ["Ada works at Acme.", "Acme sits in Rome."]


async def test_in_a_large_dataset_the_walk_finds_the_second_step(database: SqliteDatabase) -> None:
    await told(database, "Ada works at Acme.", Said("Ada", "works at", "Acme"))
    await told(database, "Acme sits in Rome.", Said("Acme", "sits in", "Rome"))
    for at in range(0, PAGERANK_ABOVE_FACTS, 50):
        said = [Said(f"Person {n}", "likes", f"Thing {n}") for n in range(at, at + 50)]
        await told(database, f"A list from {at}.", *said)
    found = await asked(database, "In which city does Ada work?")
    assert lines(found)[:2] == ["ada works at acme", "acme sits in rome"]
    assert [one.info.text for one in found.passages][:2] == [
        "Ada works at Acme.",
        "Acme sits in Rome.",
    ]


async def test_the_answer_to_a_time_is_what_held_then(database: SqliteDatabase) -> None:
    await _two_chiefs(database)
    found = await asked(database, "Who leads Acme?", when="2015")
    assert [(fact.target, fact.certainty) for fact in found.facts] == [("ada", "certain")]
    now = await asked(database, "Who leads Acme?")
    assert [fact.target for fact in now.facts] == ["bob"]
    history = await asked(database, "Who led Acme before Bob?")
    assert {fact.target for fact in history.facts} == {"ada", "bob"}


async def test_what_was_never_true_is_not_found(database: SqliteDatabase) -> None:
    wrong = Said("Acme", "is led by", "Eve")
    undone = Invalidate(key_of(wrong), date("2026-11-01"), "reference", "model")
    await told(database, "Acme is led by Eve. No.", wrong, more=[undone])
    assert (await asked(database, "Who leads Acme? Eve?")).facts == ()


async def test_what_was_forgotten_is_not_found_even_before_the_index_knows(
    database: SqliteDatabase,
) -> None:
    await told(database, "Ada works at Acme.", Said("Ada", "works at", "Acme"))
    retrieval = Retrieval(database, Indexes(database))
    assert (await retrieval.retrieve("Ada", Scope(DATASET_ID))).facts
    await database.write(lambda tx: tx.execute("DELETE FROM gb_edges"))
    await database.write(lambda tx: tx.execute("DELETE FROM gb_artifacts"))
    found = await retrieval.retrieve("Ada", Scope(DATASET_ID))
    assert (found.facts, found.passages) == ((), ())


async def test_another_dataset_is_never_looked_at(database: SqliteDatabase) -> None:
    await told(database, "Ada works at Acme.", Said("Ada", "works at", "Acme"))
    found = await Retrieval(database, Indexes(database)).retrieve("Ada", Scope(DATASET_ID + 1))
    assert (found.facts, found.passages) == ((), ())


async def test_the_order_is_the_same_whether_loaded_at_once_or_by_and_by(
    database: SqliteDatabase,
) -> None:
    by_and_by = Retrieval(database, Indexes(database))
    for number in range(12):
        said = Said(f"Person {number}", "works at", f"Firm {number % 3}")
        await told(database, f"Person {number} works at Firm {number % 3}.", said)
        await by_and_by.retrieve("Firm 1", Scope(DATASET_ID))
    grown = await by_and_by.retrieve("Who works at Firm 1?", Scope(DATASET_ID))
    whole = await asked(database, "Who works at Firm 1?")
    assert [replace(fact, score=0) for fact in grown.facts] == [
        replace(fact, score=0) for fact in whole.facts
    ]
    assert [one.id for one in grown.passages] == [one.id for one in whole.passages]


async def _two_chiefs(database: SqliteDatabase) -> None:
    old = Said("Acme", "is led by", "Ada", "2010", "2020")
    new = Said("Acme", "is led by", "Bob", "2020")
    await told(database, "Acme was led by Ada from 2010.", Said("Acme", "is led by", "Ada", "2010"))
    followed = Supersede(
        key_of(Said("Acme", "is led by", "Ada", old.start)),
        key_of(new),
        date("2020"),
        "stated",
        "model",
    )
    await told(database, "Acme is led by Bob since 2020.", new, more=[followed])
