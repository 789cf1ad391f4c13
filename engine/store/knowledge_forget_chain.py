"""What follows a fact when the one that had followed it was forgotten: the next that remains.

Which one that is, is decided in `domain.succession`; here it is looked up and written, as if the
text that dates it had said so itself, so that it goes with that text.
"""

from collections.abc import Iterable, Sequence

from engine.domain.decisions import KnownFact, Origin
from engine.domain.facts import FactEvent
from engine.domain.succession import succession
from engine.store import knowledge_apply, knowledge_projection
from engine.store.columns import text, whole
from engine.store.database import Transaction
from engine.store.knowledge_entities import Into
from engine.store.knowledge_facts import KNOWN_FACTS, known_of
from engine.store.knowledge_terms import in_groups, placeholders


def close(tx: Transaction, dataset_id: int, changed: Iterable[int], *, at: str) -> set[int]:
    """Supersede what would else be true again beside a later fact of its kind; `changed` are the
    ids of facts whose status or dates are others now. The facts that were superseded."""
    ids = set(changed)
    facts = _of_their_kinds(tx, dataset_id, sorted(ids))
    keys = {fact.key for fact in facts if fact.id in ids}
    by_key = {fact.key: fact.id for fact in facts}
    touched: set[int] = set()
    for decision in succession(keys, facts):
        origin = _dated_by(tx, by_key[decision.by])
        touched |= knowledge_apply.write(tx, Into(dataset_id, origin), [decision])
    knowledge_projection.project(tx, touched, at=at)
    return touched


def _of_their_kinds(
    tx: Transaction, dataset_id: int, fact_ids: Sequence[int]
) -> tuple[KnownFact, ...]:
    """Every fact with the source and the relation of one of these, as it is now."""
    kinds: set[tuple[int, str]] = set()
    for some in in_groups(fact_ids):
        rows = tx.rows(
            "SELECT source_id, relation_key FROM gb_edges"
            f" WHERE is_exclusive = 1 AND id IN ({placeholders(some)})",
            some,
        )
        kinds |= {(whole(row, "source_id"), text(row, "relation_key")) for row in rows}
    rows = [
        row
        for kind in sorted(kinds)
        for row in tx.rows(
            f"{KNOWN_FACTS} WHERE edge.dataset_id = ? AND edge.source_id = ?"
            " AND edge.relation_key = ? ORDER BY edge.id",
            (dataset_id, *kind),
        )
    ]
    events: dict[int, Sequence[FactEvent]] = {}
    for some in in_groups([whole(row, "id") for row in rows]):
        events |= knowledge_projection.events_of(tx, some)
    return tuple(known_of(row, events.get(whole(row, "id"), ())) for row in rows)


def _dated_by(tx: Transaction, fact_id: int) -> Origin:
    """The text that states when the fact began."""
    events = knowledge_projection.events_of(tx, [fact_id])[fact_id]
    dating = next(
        event
        for event in events
        if event.kind in ("created", "confirmed") and event.basis in ("stated", "inferred")
    )
    assert dating.at is not None
    return Origin(
        reference=dating.at,
        reference_basis="recorded",
        recorded_at=dating.recorded_at,
        artifact_id=dating.artifact_id,
        session_id=dating.session_id,
        remember_run_id=dating.remember_run_id,
    )
