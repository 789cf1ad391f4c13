"""Applies what was decided about a text, whole or not at all, and the same once or twice.

It decides nothing: which fact is new, confirmed, ended or superseded comes from reconciling. What
was forgotten between deciding and applying is met here: a fact that is gone is stated anew by the
text that would confirm it, and cannot be ended by it.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, assert_never

from engine.domain.decisions import (
    Confirm,
    Conflict,
    Create,
    Decision,
    End,
    FactChange,
    Findings,
    Invalidate,
    NewFact,
    Origin,
    Supersede,
    changes,
)
from engine.domain.facts import EventKind
from engine.domain.keys import dedup_key
from engine.store import knowledge_entities, knowledge_projection, knowledge_queue, knowledge_terms
from engine.store.columns import text, whole
from engine.store.database import Transaction
from engine.store.knowledge_entities import Into
from engine.store.knowledge_queue import Counts, Held
from engine.store.knowledge_terms import in_groups, placeholders

_SAID = ("source", "relation", "target", "description")


@dataclass(frozen=True, slots=True)
class _Done:
    """What has come of the decisions so far."""

    created: set[int] = field(default_factory=set)
    stated: set[int] = field(default_factory=set)
    """Facts that the text has, new or not."""
    touched: set[int] = field(default_factory=set)
    kinds: Counter[EventKind] = field(default_factory=Counter)


def settle_with(tx: Transaction, held: Held, findings: Findings, origin: Origin) -> Counts | None:
    """Apply what was found in the run's text, and complete the run with the counts.

    None, and nothing applied, when the run is no longer held by this attempt.
    """
    if not knowledge_queue.is_held(tx, held):
        return None
    run = tx.row("SELECT dataset_id FROM gb_remember_runs WHERE id = ?", (held.run_id,))
    assert run is not None
    counts = apply(tx, Into(whole(run, "dataset_id"), origin), findings)
    knowledge_queue.complete(tx, held, counts, at=origin.recorded_at)
    return counts


def apply(tx: Transaction, into: Into, findings: Findings) -> Counts:
    """Write entities, facts, supports, events and postings, and project the facts that changed."""
    stored = knowledge_entities.store(tx, into, findings.entities)
    done = _Done()
    for decision in findings.decisions:
        _decide(tx, into, decision, done)
    index(tx, into.dataset_id, sorted(done.created))
    knowledge_projection.project(tx, done.touched, at=into.origin.recorded_at)
    named = {stored.ids[each.ref] for each in findings.entities if not each.is_value}
    return Counts(
        entities=len(named),
        entities_new=len(named & stored.new),
        facts=len(done.stated),
        facts_new=len(done.created),
        ended=done.kinds["ended"],
        superseded=done.kinds["superseded"],
        invalidated=done.kinds["invalidated"],
        dropped=findings.dropped,
    )


def write(tx: Transaction, into: Into, decisions: Iterable[Decision]) -> set[int]:
    """Write the events of decisions about stored facts; those facts, which are to be projected."""
    done = _Done()
    for decision in decisions:
        _write(tx, into, changes(decision, into.origin), done)
    return done.touched


def index(tx: Transaction, dataset_id: int, edge_ids: list[int]) -> None:
    """The postings of new facts: `source relation target description`."""
    knowledge_terms.index(tx, dataset_id, "fact", _said(tx, edge_ids))


def reindex(tx: Transaction, dataset_id: int, edge_ids: list[int]) -> None:
    """The postings of facts whose words are other ones now."""
    knowledge_terms.reindex(tx, dataset_id, "fact", _said(tx, edge_ids))


def _said(tx: Transaction, edge_ids: list[int]) -> list[tuple[int, str]]:
    return [
        (whole(row, "id"), " ".join(text(row, part) for part in _SAID))
        for some in in_groups(edge_ids)
        for row in tx.rows(
            "SELECT edge.id, source.name AS source, edge.relation, target.name AS target,"
            " edge.description FROM gb_edges edge"
            " JOIN gb_entities source ON source.id = edge.source_id"
            " JOIN gb_entities target ON target.id = edge.target_id"
            f" WHERE edge.id IN ({placeholders(some)}) ORDER BY edge.id",
            some,
        )
    ]


class _Support(NamedTuple):
    edge_id: int
    is_new: bool


def _decide(tx: Transaction, into: Into, decision: Decision, done: _Done) -> None:
    match decision:
        case Create(key, fact) | Confirm(key, fact):
            _state(tx, into, _Stating(key, fact), done)
        case End() | Supersede() | Invalidate():
            _write(tx, into, changes(decision, into.origin), done)
        case Conflict():
            _conflict(tx, into, decision)
        case _:
            assert_never(decision)


@dataclass(frozen=True, slots=True)
class _Stating:
    key: str
    fact: NewFact


def _state(tx: Transaction, into: Into, stating: _Stating, done: _Done) -> None:
    """The text has this fact: it is created where it is not there, and confirmed where it is."""
    found = _id_of(tx, into.dataset_id, stating.key)
    edge_id = found or _insert(tx, into, stating)
    if found is None:
        done.created.add(edge_id)
    done.stated.add(edge_id)
    _support(tx, into, stating.fact, _Support(edge_id, found is None))
    decision: Decision = Confirm(stating.key, stating.fact)
    if found is None or _is_creator(tx, edge_id, into.origin):
        decision = Create(stating.key, stating.fact)
    _write(tx, into, changes(decision, into.origin), done)


def _insert(tx: Transaction, into: Into, stating: _Stating) -> int:
    fact, at = stating.fact, into.origin.recorded_at
    ends = [
        knowledge_entities.id_of(tx, into.dataset_id, ref) for ref in (fact.source, fact.target)
    ]
    assert None not in ends, (fact.source, fact.target)
    return tx.insert(
        "INSERT INTO gb_edges(dataset_id, source_id, target_id, relation, relation_key,"
        " description, fact_key, is_exclusive, negated, status, created_at, updated_at)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, 'active', ?, ?)",
        (
            *(into.dataset_id, *ends, fact.relation, fact.relation_key, fact.description),
            *(stating.key, int(fact.is_exclusive), int(fact.negated), at, at),
        ),
    )


def _support(tx: Transaction, into: Into, fact: NewFact, place: _Support) -> None:
    origin, edge_id = into.origin, place.edge_id
    if origin.artifact_id is None:
        return
    tx.execute(
        "INSERT INTO gb_edge_sessions(edge_id, artifact_id, session_id, dataset_id, role, quote,"
        " quote_start, quote_end, recorded_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        (
            *(edge_id, origin.artifact_id, origin.session_id, into.dataset_id),
            "created" if place.is_new else "restated",
            *(fact.quote or None, fact.quote_start, fact.quote_end, origin.recorded_at),
        ),
    )
    ends = tx.row("SELECT source_id, target_id FROM gb_edges WHERE id = ?", (edge_id,))
    assert ends is not None
    knowledge_entities.restate(tx, into, whole(ends, "source_id"))
    knowledge_entities.restate(tx, into, whole(ends, "target_id"))


def _is_creator(tx: Transaction, edge_id: int, origin: Origin) -> bool:
    """Whether the fact came from this very text, which then cannot confirm it."""
    found = tx.row(
        "SELECT 1 AS found FROM gb_edge_sessions"
        " WHERE edge_id = ? AND artifact_id = ? AND role = 'created'",
        (edge_id, origin.artifact_id),
    )
    return found is not None


def _write(tx: Transaction, into: Into, events: Iterable[FactChange], done: _Done) -> None:
    """The events that are not there yet, of facts that are."""
    for event in events:
        edge_id = _id_of(tx, into.dataset_id, event.key)
        cause = None if event.cause is None else _id_of(tx, into.dataset_id, event.cause)
        is_without_cause = event.kind == "superseded" and cause is None
        if edge_id is None or is_without_cause:
            continue
        if _insert_event(tx, into, event, _Places(edge_id, cause)):
            done.kinds[event.kind] += 1
        done.touched.add(edge_id)


class _Places(NamedTuple):
    edge_id: int
    cause_id: int | None


def _insert_event(tx: Transaction, into: Into, event: FactChange, places: _Places) -> int:
    origin, at = into.origin, event.at
    return tx.execute(
        "INSERT INTO gb_edge_events(edge_id, dataset_id, kind, event_time, ev_lo, ev_hi,"
        " time_basis, recorded_at, artifact_id, session_id, remember_run_id, cause_edge_id, actor,"
        " reason, dedup_key) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT(dedup_key) DO NOTHING",
        (
            *(places.edge_id, into.dataset_id, event.kind, at.text, at.span.lo, at.span.hi),
            *(event.basis, origin.recorded_at, origin.artifact_id, origin.session_id),
            *(origin.remember_run_id, places.cause_id, event.actor, event.reason),
            dedup_key(places.edge_id, event.kind, origin=_named(origin, event), at=at),
        ),
    )


def _named(origin: Origin, event: FactChange) -> str:
    """Who says so: a text, or whoever said it without one."""
    if origin.artifact_id is not None:
        return f"artifact {origin.artifact_id}"
    return f"{event.actor} {origin.session_id} {origin.recorded_at}"


def _conflict(tx: Transaction, into: Into, conflict: Conflict) -> None:
    pair = [_id_of(tx, into.dataset_id, key) for key in (conflict.key, conflict.other)]
    if None in pair or pair[0] == pair[1]:
        return
    tx.execute(
        "INSERT INTO gb_edge_conflicts(edge_id, other_id, why, recorded_at) VALUES(?, ?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        (*pair, conflict.why, into.origin.recorded_at),
    )


def _id_of(tx: Transaction, dataset_id: int, key: str) -> int | None:
    found = tx.row(
        "SELECT id FROM gb_edges WHERE dataset_id = ? AND fact_key = ?", (dataset_id, key)
    )
    return None if found is None else whole(found, "id")
