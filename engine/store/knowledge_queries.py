"""The log of questions: rows of `gb_query_runs`, one for each question, written before it is asked.

Facts and sentences are logged by their ids, never by their words: an answer can then be taken back
with the texts it rests on, and the log holds no second copy of them.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, cast

from engine.domain.facts import Stated
from engine.store.columns import maybe_text, text, to_json, whole
from engine.store.database import Reader, Row, Transaction
from engine.store.knowledge_terms import in_groups, placeholders
from engine.store.knowledge_texts import stated_of

FORGOTTEN = "This answer rested on a text that was forgotten."
"""What stands instead of the answer."""

QueryStatus = Literal["running", "completed", "failed"]


class Shown(NamedTuple):
    """A fact or a sentence (a part of a text) that was found, and with what score."""

    kind: Literal["fact", "sentence"]
    id: int
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class NewQuery:
    """A question that is about to be asked. `as_of` is the window it is asked about."""

    user: str
    question: str
    dataset_ids: tuple[int, ...]
    session_id: str = ""
    as_of: Stated | None = None


@dataclass(frozen=True, slots=True)
class EndedQuery:
    """What came of a question. `retrieved` is everything that the model was shown."""

    status: QueryStatus
    answer: str = ""
    fact_ids: tuple[int, ...] = ()
    """What the answer is based on."""
    retrieved: tuple[Shown, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True)
class StoredQuery:
    """A row of `gb_query_runs`."""

    id: int
    user: str
    session_id: str
    dataset_ids: tuple[int, ...]
    question: str
    as_of: Stated | None
    status: QueryStatus
    answer: str
    fact_ids: tuple[int, ...]
    retrieved: tuple[Shown, ...]
    error: str
    started_at: str
    finished_at: str | None


def start(tx: Transaction, new: NewQuery, *, at: str) -> int:
    """The id of the query run."""
    as_of = new.as_of
    return tx.insert(
        "INSERT INTO gb_query_runs(user_id, session_id, datasets, question, as_of, as_of_lo,"
        " as_of_hi, status, started_at) VALUES(?, ?, ?, ?, ?, ?, ?, 'running', ?)",
        (
            *(new.user, new.session_id, to_json(new.dataset_ids), new.question),
            *((as_of.text, as_of.span.lo, as_of.span.hi) if as_of else (None, None, None)),
            at,
        ),
    )


def end(tx: Transaction, query_id: int, ended: EndedQuery, *, at: str) -> bool:
    """Note what came of a question; False when that was noted before.

    An answer that rests on what was forgotten meanwhile is not kept.
    """
    if not _is_all_there(tx, ended):
        ended = EndedQuery(ended.status, FORGOTTEN)
    changed = tx.execute(
        "UPDATE gb_query_runs SET status = ?, answer = ?, facts = ?, retrieved = ?, error = ?,"
        " finished_at = ? WHERE id = ? AND status = 'running'",
        (
            *(ended.status, ended.answer, to_json(ended.fact_ids), to_json(ended.retrieved)),
            *(ended.error, at, query_id),
        ),
    )
    return bool(changed)


def mark_interrupted(tx: Transaction, *, error: str, at: str) -> int:
    """End as failed what a process that died was asking. Only for the owner of the data."""
    return tx.execute(
        "UPDATE gb_query_runs SET status = 'failed', error = ?, finished_at = ?"
        " WHERE status = 'running'",
        (error, at),
    )


async def get(reader: Reader, query_id: int) -> StoredQuery | None:
    row = await reader.row("SELECT * FROM gb_query_runs WHERE id = ?", (query_id,))
    return None if row is None else query_of(row)


async def of_session(reader: Reader, session_id: str) -> tuple[StoredQuery, ...]:
    """What an agent asked, in order."""
    rows = await reader.rows(
        "SELECT * FROM gb_query_runs WHERE session_id = ? ORDER BY id", (session_id,)
    )
    return tuple(query_of(row) for row in rows)


async def latest(
    reader: Reader, user: str, *, before: int = 0, limit: int = 50
) -> tuple[StoredQuery, ...]:
    """What a user asked, the latest first; on from the one with the number `before`."""
    rows = await reader.rows(
        "SELECT * FROM gb_query_runs WHERE user_id = ? AND (? = 0 OR id < ?)"
        " ORDER BY id DESC LIMIT ?",
        (user, before, before, limit),
    )
    return tuple(query_of(row) for row in rows)


def empty_answers(
    tx: Transaction, user: str, gone: frozenset[tuple[str, int]]
) -> tuple[StoredQuery, ...]:
    """Empty what was answered from any of these facts and sentences: those queries, as they were.

    `gone` are pairs of kind and id.
    """
    touched = tuple(query for query in _queries_of(tx, user) if _rests_on(query, gone))
    for query in touched:
        tx.execute(
            "UPDATE gb_query_runs SET answer = ?, facts = '[]', retrieved = '[]', error = ''"
            " WHERE id = ?",
            (FORGOTTEN, query.id),
        )
    return touched


def empty_question(tx: Transaction, query_id: int) -> None:
    """The question itself has words of a text that was forgotten."""
    tx.execute("UPDATE gb_query_runs SET question = '', as_of = NULL WHERE id = ?", (query_id,))


def query_of(row: Row) -> StoredQuery:
    return StoredQuery(
        id=whole(row, "id"),
        user=text(row, "user_id"),
        session_id=text(row, "session_id"),
        dataset_ids=_numbers(row, "datasets"),
        question=text(row, "question"),
        as_of=stated_of(row, "as_of", "as_of_lo", "as_of_hi"),
        status=cast("QueryStatus", text(row, "status")),
        answer=text(row, "answer"),
        fact_ids=_numbers(row, "facts"),
        retrieved=_shown(row),
        error=text(row, "error"),
        started_at=text(row, "started_at"),
        finished_at=maybe_text(row, "finished_at"),
    )


def _queries_of(tx: Transaction, user: str) -> Sequence[StoredQuery]:
    rows = tx.rows("SELECT * FROM gb_query_runs WHERE user_id = ? ORDER BY id", (user,))
    return [query_of(row) for row in rows]


def _rests_on(query: StoredQuery, gone: frozenset[tuple[str, int]]) -> bool:
    return any(("fact", each) in gone for each in query.fact_ids) or any(
        (each.kind, each.id) in gone for each in query.retrieved
    )


def _numbers(row: Row, column: str) -> tuple[int, ...]:
    found = json.loads(text(row, column))
    assert isinstance(found, list), column
    return tuple(int(each) for each in found)


def _shown(row: Row) -> tuple[Shown, ...]:
    found = json.loads(text(row, "retrieved"))
    assert isinstance(found, list), found
    return tuple(Shown(kind, int(number), float(score)) for kind, number, score in found)


def _is_all_there(tx: Transaction, ended: EndedQuery) -> bool:
    """Whether nothing that the answer rests on was forgotten while it was written."""
    facts = {each.id for each in ended.retrieved if each.kind == "fact"} | set(ended.fact_ids)
    sentences = {each.id for each in ended.retrieved if each.kind == "sentence"}
    return _are_there(tx, "gb_edges", facts) and _are_there(tx, "gb_artifact_parts", sentences)


def _are_there(tx: Transaction, table: str, ids: set[int]) -> bool:
    found = 0
    for some in in_groups(sorted(ids)):
        row = tx.row(f"SELECT COUNT(*) AS n FROM {table} WHERE id IN ({placeholders(some)})", some)
        found += whole(row, "n") if row else 0
    return found == len(ids)
