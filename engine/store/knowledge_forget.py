"""Takes texts back with all that only they support; what others support stays and is true anew.

    text ──> its parts, runs, supports, events
          ──> facts without support ──> what these had superseded or ended is true again, unless
                                        the next of its kind certainly follows it
          ──> facts with other support: the first of it becomes their origin, dated as it says
          ──> entities without support; the others are called what the remaining texts call them
          ──> answers that rested on any of it, and what other runs had noted in its words

Afterwards no row of the knowledge base holds a word that only the text had. All in one transaction.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.domain.knowledge import ForgetRequest, Forgotten
from engine.store import (
    knowledge_apply,
    knowledge_forget_chain,
    knowledge_forget_names,
    knowledge_forget_words,
    knowledge_projection,
    knowledge_terms,
)
from engine.store.columns import text, whole
from engine.store.database import Database, Row, Transaction
from engine.store.knowledge_listing import Where
from engine.store.knowledge_provenance import TEXTS, artifact_of
from engine.store.knowledge_terms import in_groups, placeholders

TOLD_APART = "the text that told them apart was forgotten"


@dataclass(frozen=True, slots=True)
class _Gone:
    """What has gone or changed so far, by ids."""

    facts: set[int] = field(default_factory=set)
    changed: set[int] = field(default_factory=set)
    entities: set[int] = field(default_factory=set)
    queries: set[int] = field(default_factory=set)


class _Rehearsed(Exception):
    """Raised to undo what was only tried."""

    def __init__(self, would_go: Forgotten) -> None:
        self.would_go = would_go


async def forget_or_try(database: Database, request: ForgetRequest, *, at: str) -> Forgotten:
    """Forget what the request names, or only find out what would go. Empty when there is nothing
    like it."""

    def work(tx: Transaction) -> Forgotten:
        forgotten = forget(tx, matching(tx, request), at=at)
        if request.is_trial:
            raise _Rehearsed(forgotten)
        return forgotten

    try:
        return await database.write(work)
    except _Rehearsed as rehearsed:
        return rehearsed.would_go


def matching(tx: Transaction, request: ForgetRequest) -> list[int]:
    """The texts that the request names: one by its number, or every one of a source."""
    where = Where()
    where.of_user(request.user, "")
    if request.artifact_id is not None:
        where.add("artifact.id = ?", request.artifact_id)
    if request.source:
        where.add("artifact.source = ?", request.source)
    if request.artifact_id is None and not request.source:
        return []
    rows = tx.rows(
        "SELECT artifact.id FROM gb_artifacts artifact"
        f" JOIN gb_datasets dataset ON dataset.id = artifact.dataset_id{where.sql}"
        " ORDER BY artifact.id",
        where.values,
    )
    return [whole(row, "id") for row in rows]


def forget(tx: Transaction, artifact_ids: Sequence[int], *, at: str) -> Forgotten:
    """Take these texts back, one after the other; what went with them."""
    gone = _Gone()
    infos = []
    for artifact_id in artifact_ids:
        row = tx.row(f"{TEXTS} WHERE artifact.id = ?", (artifact_id,))
        if row is not None:
            infos.append(artifact_of(row))
            _forget_one(tx, row, gone, at=at)
    return Forgotten(
        artifacts=tuple(infos),
        facts_gone=len(gone.facts),
        facts_changed=len(gone.changed - gone.facts),
        entities_gone=len(gone.entities),
        answers_emptied=len(gone.queries),
    )


@dataclass(frozen=True, slots=True)
class _Traces:
    """What a text has left in the knowledge base, by ids."""

    artifact_id: int
    dataset_id: int
    user: str
    text: str
    facts: frozenset[int]
    entities: frozenset[int]
    sentences: tuple[int, ...]
    replaced: tuple[tuple[int, int], ...]
    """Pairs of a fact and the one that took its place, because the text says so."""


def _forget_one(tx: Transaction, row: Row, gone: _Gone, *, at: str) -> None:
    traces = _traces(tx, row)
    _delete_text(tx, traces)
    deleted, freed = _delete_unsupported(tx, traces)
    remaining = (traces.facts | freed) - deleted
    reworded = {each for each in sorted(remaining) if _promote(tx, each)}
    changed = set(knowledge_projection.project(tx, remaining, at=at))
    changed |= knowledge_forget_chain.close(tx, traces.dataset_id, changed, at=at)
    _leave_conflicts(tx, traces.replaced, at=at)
    words = knowledge_forget_words.only_in(tx, traces.dataset_id, traces.text)
    names = knowledge_forget_names.settle(tx, traces.dataset_id, traces.entities, words)
    reworded |= names.facts - deleted
    knowledge_apply.reindex(tx, traces.dataset_id, sorted(reworded))
    knowledge_forget_words.redact_runs(tx, traces.entities - names.gone, words)
    touched = deleted | reworded | changed
    answered = knowledge_forget_words.empty_answers(
        tx,
        traces.user,
        [*(("fact", each) for each in touched), *(("sentence", each) for each in traces.sentences)],
        words,
    )
    gone.facts.update(deleted)
    gone.changed.update(reworded | changed)
    gone.entities.update(names.gone)
    gone.queries.update(answered)


def _traces(tx: Transaction, row: Row) -> _Traces:
    artifact_id = whole(row, "id")
    stored = tx.row(
        "SELECT artifact.text, artifact.dataset_id, dataset.user_id FROM gb_artifacts artifact"
        " JOIN gb_datasets dataset ON dataset.id = artifact.dataset_id WHERE artifact.id = ?",
        (artifact_id,),
    )
    assert stored is not None
    facts = (
        "SELECT edge_id AS id FROM gb_edge_sessions WHERE artifact_id = ?"
        " UNION SELECT edge_id FROM gb_edge_events WHERE artifact_id = ?"
    )
    entities = "SELECT entity_id AS id FROM gb_entity_sessions WHERE artifact_id = ?"
    sentences = (
        "SELECT id FROM gb_artifact_parts WHERE artifact_id = ? AND kind = 'sentence' ORDER BY id"
    )
    return _Traces(
        artifact_id=artifact_id,
        dataset_id=whole(stored, "dataset_id"),
        user=text(stored, "user_id"),
        text=text(stored, "text"),
        facts=frozenset(_ids(tx.rows(facts, (artifact_id, artifact_id)))),
        entities=frozenset(_ids(tx.rows(entities, (artifact_id,)))),
        sentences=tuple(_ids(tx.rows(sentences, (artifact_id,)))),
        replaced=_replaced(tx, artifact_id),
    )


def _replaced(tx: Transaction, artifact_id: int) -> tuple[tuple[int, int], ...]:
    rows = tx.rows(
        "SELECT edge_id, cause_edge_id FROM gb_edge_events"
        " WHERE artifact_id = ? AND kind = 'superseded' AND cause_edge_id IS NOT NULL ORDER BY id",
        (artifact_id,),
    )
    return tuple((whole(row, "edge_id"), whole(row, "cause_edge_id")) for row in rows)


def _delete_text(tx: Transaction, traces: _Traces) -> None:
    """The text with all that refers to it; what was paid for it stays on record, without words."""
    tx.execute(
        "UPDATE gb_inferences SET error = '' WHERE remember_run_id IN"
        " (SELECT id FROM gb_remember_runs WHERE artifact_id = ?)",
        (traces.artifact_id,),
    )
    knowledge_terms.remove(tx, traces.dataset_id, "sentence", traces.sentences)
    tx.execute("DELETE FROM gb_artifacts WHERE id = ?", (traces.artifact_id,))


def _delete_unsupported(tx: Transaction, traces: _Traces) -> tuple[set[int], set[int]]:
    """The facts that no text has any more, which go; and those that they had closed."""
    deleted: set[int] = set()
    freed: set[int] = set()
    for some in in_groups(sorted(traces.facts)):
        unsupported = (
            f"SELECT id FROM gb_edges WHERE id IN ({placeholders(some)}) AND NOT EXISTS"
            " (SELECT 1 FROM gb_edge_events event WHERE event.edge_id = gb_edges.id"
            " AND event.kind IN('created', 'confirmed'))"
        )
        deleted |= set(_ids(tx.rows(unsupported, some)))
    for some in in_groups(sorted(deleted)):
        marks = placeholders(some)
        closed = (
            f"SELECT edge_id AS id FROM gb_edge_events WHERE cause_edge_id IN ({marks})"
            f" UNION SELECT id FROM gb_edges WHERE superseded_by IN ({marks})"
        )
        freed |= set(_ids(tx.rows(closed, (*some, *some))))
    knowledge_terms.remove(tx, traces.dataset_id, "fact", sorted(deleted))
    for some in in_groups(sorted(deleted)):
        tx.execute(f"DELETE FROM gb_edges WHERE id IN ({placeholders(some)})", some)
    return deleted, freed - deleted


def _promote(tx: Transaction, fact_id: int) -> bool:
    """A fact whose origin has gone is from now on from the first text that has confirmed it, in
    its words; false when its origin is there. Its start is what that text states, if anything:
    the date of a text is never one."""
    events = tx.rows(
        "SELECT id, kind, artifact_id, time_basis FROM gb_edge_events WHERE edge_id = ?"
        " AND kind IN('created', 'confirmed') ORDER BY id",
        (fact_id,),
    )
    if any(event["kind"] == "created" for event in events):
        return False
    first = events[0]["artifact_id"]
    of_first = [event for event in events if event["artifact_id"] == first]
    dating = [event for event in of_first if event["time_basis"] in ("stated", "inferred")]
    origin = (dating or of_first)[0]
    tx.execute("UPDATE gb_edge_events SET kind = 'created' WHERE id = ?", (whole(origin, "id"),))
    tx.execute(
        "UPDATE gb_edge_sessions SET role = 'created' WHERE edge_id = ? AND artifact_id = ?",
        (fact_id, first),
    )
    tx.execute(
        "UPDATE gb_edges SET description = COALESCE((SELECT quote FROM gb_edge_sessions"
        " WHERE edge_id = ? AND artifact_id = ?), '') WHERE id = ?",
        (fact_id, first, fact_id),
    )
    return True


def _leave_conflicts(tx: Transaction, replaced: Iterable[tuple[int, int]], *, at: str) -> None:
    """Where both facts are still there, and one of them no longer replaces the other."""
    for old, new in replaced:
        both = tx.row(
            "SELECT COUNT(*) AS n FROM gb_edges WHERE id IN (?, ?) AND status = 'active'",
            (old, new),
        )
        if both is not None and whole(both, "n") == 2:
            tx.execute(
                "INSERT INTO gb_edge_conflicts(edge_id, other_id, why, recorded_at)"
                " VALUES(?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (new, old, TOLD_APART, at),
            )


def _ids(rows: Iterable[Row]) -> list[int]:
    return [whole(row, "id") for row in rows]
