"""What the tests of retrieval store: texts with facts, as remembering them would."""

from collections.abc import Sequence

from engine.domain.decisions import Decision
from engine.domain.time_words import window
from engine.knowledge.index import Indexes
from engine.knowledge.retrieve import Retrieval, Retrieved, Scope
from engine.store.database import Database, Transaction
from tests.engine.store.knowledge_support import Said, create, findings, new_text, remember

DATASET_ID = 1


async def told(
    database: Database,
    text: str,
    *said: Said,
    more: Sequence[Decision] = (),
    dataset: str = "main",
) -> int:
    """Store a text with its facts; its id."""
    found = findings(*(create(one) for one in said), *more)

    def work(tx: Transaction) -> int:
        new = new_text(text, source="https://example.org/a")
        return remember(tx, new, found, dataset=dataset)[0]

    return await database.write(work)


async def asked(database: Database, question: str, *, when: str = "") -> Retrieved:
    """What is found, by an index that was not there before."""
    about = window(when, None) if when else None
    return await Retrieval(database, Indexes(database)).retrieve(question, Scope(DATASET_ID, about))


def lines(found: Retrieved) -> list[str]:
    return [f"{fact.source} {fact.relation} {fact.target}" for fact in found.facts]
