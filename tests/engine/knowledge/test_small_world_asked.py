"""The small world in a database, asked as people ask: what held at the time comes first."""

from functools import partial
from pathlib import Path

from engine.domain.decisions import Findings, FoundEntity, NewFact
from engine.domain.keys import name_key, relation_key
from engine.domain.knowledge import FactInfo
from engine.domain.time_words import window
from engine.knowledge.index import Indexes
from engine.knowledge.retrieve import Retrieval, Scope
from engine.store.database import Database
from engine.store.sqlite import open_sqlite
from tests.engine.knowledge.ledger import Ledger, origin
from tests.engine.knowledge.small_world import Question, entities, facts, questions
from tests.engine.knowledge.stored import DATASET_ID
from tests.engine.store.knowledge_support import new_text, ref, remember
from tests.fakes.clock import FakeClock

MOST_BEFORE = 5


async def test_what_held_at_the_time_is_found_and_marked_so(tmp_path: Path) -> None:
    path = tmp_path / "gligabao.db"
    async with open_sqlite(path, clock=FakeClock(), synchronous="NORMAL") as database:
        await _filled(database)
        retrieval = Retrieval(database, Indexes(database))
        answers = [(each, await _about(retrieval, each)) for each in questions()]
    assert [each.text for each, facts in answers if not _is_right(each, facts)] == []
    assert [each.text for each, facts in answers if not _is_high(facts)] == []


async def _about(retrieval: Retrieval, question: Question) -> dict[int, FactInfo]:
    """The facts found that answer it, by their place. Its subject is named as it is written: some
    questions speak of it in another language."""
    asked = f"{question.text} {question.source}"
    scope = Scope(DATASET_ID, window(question.text, None))
    found = (await retrieval.retrieve(asked, scope)).facts
    return {place: fact for place, fact in enumerate(found) if _is_about(fact, question)}


def _is_right(question: Question, facts: dict[int, FactInfo]) -> bool:
    certain = {name_key(fact.target) for fact in facts.values() if fact.certainty == "certain"}
    possible = {name_key(fact.target) for fact in facts.values()}
    return (certain, possible) == (
        {name_key(name) for name in question.certain},
        {name_key(name) for name in question.possible},
    )


def _is_high(facts: dict[int, FactInfo]) -> bool:
    return min(facts, default=0) <= MOST_BEFORE


def _is_about(fact: FactInfo, question: Question) -> bool:
    return name_key(fact.source) == name_key(question.source) and relation_key(
        fact.relation
    ) == relation_key(question.relation)


async def _filled(database: Database) -> None:
    """Each fact by a text of its own, reconciled with those before."""
    ledger = Ledger()
    others = {
        ref(name): FoundEntity(ref(name), name, kind, aliases=names)
        for name, kind, names in entities()
    }
    for number, fact in enumerate(facts(), start=1):
        decisions = ledger.remember([fact], origin(number, dated=False))
        ends = [
            others.get(end, FoundEntity(end, end.name_key)) for end in (fact.source, fact.target)
        ]
        found = Findings(tuple({end.ref: end for end in ends}.values()), decisions)
        text = new_text(f"{number}: {_said(fact)}")
        await database.write(partial(remember, text=text, found=found))


def _said(fact: NewFact) -> str:
    return f"{fact.source.name_key} {fact.relation} {fact.target.name_key}."
