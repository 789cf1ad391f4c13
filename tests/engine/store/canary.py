"""A word that stands everywhere in the knowledge base, to be looked for when it is forgotten."""

import json

from engine.store import knowledge_queries
from engine.store.database import Transaction
from engine.store.knowledge_queries import EndedQuery, NewQuery
from tests.engine.store.knowledge_support import (
    KNOWLEDGE_TABLES,
    moment,
)


def ask(tx: Transaction, question: str, ended: EndedQuery) -> int:
    query = knowledge_queries.start(tx, NewQuery("ann", question, (1,)), at=moment(5))
    assert knowledge_queries.end(tx, query, ended, at=moment(6))
    return query


def write_everywhere(tx: Transaction, artifact: int, canary: str) -> None:
    """Into the run of the text and of another one, an answer, a question and a vector."""
    noted = json.dumps({"facts": [f"{canary} was founded"]}, ensure_ascii=False)
    tx.execute(
        "UPDATE gb_remember_runs SET extraction = ?, reconciling = ?, error = ?"
        " WHERE artifact_id = ?",
        (noted, noted, canary, artifact),
    )
    tx.execute(
        "UPDATE gb_remember_runs SET extraction = ? WHERE artifact_id <> ?", (noted, artifact)
    )
    fact = tx.rows("SELECT MAX(id) AS id FROM gb_edges")[0]["id"]
    assert isinstance(fact, int)
    ask(tx, f"What is {canary}?", EndedQuery("completed", f"{canary} [F{fact}]", (fact,)))
    tx.execute(
        "INSERT INTO gb_vectors VALUES('fact', ?, 1, 'minilm', 1, ?)", (fact, canary.encode())
    )
    tx.execute(
        "INSERT INTO gb_inferences(purpose, remember_run_id, attempt, model, request_hash, state,"
        " error, started_at) VALUES('remember', 2, 1, 'm', 'h', 'failed', ?, '2026')",
        (canary,),
    )


def holding(tx: Transaction, canary: str) -> list[tuple[str, object]]:
    """Every value of the knowledge base that has the word, also folded and in bytes."""
    found: list[tuple[str, object]] = []
    for table in KNOWLEDGE_TABLES:
        for row in tx.rows(f"SELECT * FROM {table}"):
            for value in row.values():
                said = value.decode() if isinstance(value, bytes) else str(value)
                if canary.casefold() in said.casefold():
                    found.append((table, value))
    return found
