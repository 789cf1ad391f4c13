"""What the tests of the knowledge base's tables share: texts, facts and decisions as one writes
them by hand."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.domain.dates import stated
from engine.domain.decisions import (
    Confirm,
    Create,
    Decision,
    EntityRef,
    Findings,
    FoundEntity,
    NewFact,
    Origin,
)
from engine.domain.facts import Period, Stated, fold
from engine.domain.keys import Triple, content_hash, fact_key, name_key, relation_key
from engine.retrieval.sentences import sentences
from engine.store import knowledge_apply, knowledge_projection, knowledge_queue
from engine.store.columns import whole
from engine.store.database import Transaction
from engine.store.knowledge_queue import Counts, Enqueued, NewRemember
from engine.store.knowledge_texts import NewText

LEASE = "2026-11-01T10:59:00.000Z"


@dataclass(frozen=True, slots=True)
class Said:
    """`source relation target` as a text says it, with the dates it gives."""

    source: str
    relation: str
    target: str
    start: str = ""
    end: str = ""
    description: str = ""
    quote: str = ""
    exclusive: bool = True


def moment(number: int) -> str:
    """The times of a test in order, a second apart."""
    return f"2026-11-01T{10 + number // 3600:02d}:{number // 60 % 60:02d}:{number % 60:02d}.000Z"


def date(text: str) -> Stated:
    found = stated(text)
    assert found is not None, text
    return found


def maybe_date(text: str) -> Stated | None:
    return date(text) if text else None


def new_text(text: str, *, source: str = "", session: str = "", day: str = "") -> NewText:
    return NewText(
        text=text,
        content_hash=content_hash(text),
        sentences=sentences(text),
        chunks=sentences(text)[:1],
        source=source,
        session_id=session,
        date=maybe_date(day),
    )


def queue(
    tx: Transaction, text: NewText, *, at: int = 0, dataset: str = "main", user: str = "ann"
) -> Enqueued:  # fmt: skip
    return knowledge_queue.enqueue(tx, NewRemember(user, dataset, text), at=moment(at))


def ref(name: str) -> EntityRef:
    return EntityRef(name_key(name))


def entity(name: str, **changes: object) -> FoundEntity:
    return FoundEntity(ref(name), name, **changes)  # type: ignore[arg-type]  # of its fields


def key_of(said: Said) -> str:
    triple = Triple(ref(said.source).key, said.relation, ref(said.target).key)
    return fact_key(triple, start=maybe_date(said.start))


def fact_of(said: Said) -> NewFact:
    return NewFact(
        source=ref(said.source),
        relation=said.relation,
        relation_key=relation_key(said.relation),
        target=ref(said.target),
        description=said.description,
        quote=said.quote,
        is_exclusive=said.exclusive,
        period=Period(maybe_date(said.start), maybe_date(said.end)),
    )


def create(said: Said) -> Create:
    return Create(key_of(said), fact_of(said))


def confirm(said: Said) -> Confirm:
    return Confirm(key_of(said), fact_of(said))


def findings(*decisions: Decision, entities: Sequence[FoundEntity] = ()) -> Findings:
    """With every end of a fact among the entities."""
    named = {each.ref: each for each in entities}
    for decision in decisions:
        if isinstance(decision, Create | Confirm):
            for end in (decision.fact.source, decision.fact.target):
                named.setdefault(end, FoundEntity(end, end.name_key))
    return Findings(tuple(named.values()), decisions)


def origin_of(tx: Transaction, artifact_id: int, *, at: int, day: str = "2026-11-01") -> Origin:
    row = tx.row(
        "SELECT artifact.session_id, run.id FROM gb_artifacts artifact"
        " JOIN gb_remember_runs run ON run.artifact_id = artifact.id WHERE artifact.id = ?",
        (artifact_id,),
    )
    assert row is not None
    return Origin(
        reference=date(day),
        reference_basis="reference",
        recorded_at=moment(at),
        artifact_id=artifact_id,
        session_id=str(row["session_id"]),
        remember_run_id=whole(row, "id"),
    )


def remember(
    tx: Transaction, text: NewText, found: Findings, *, at: int = 1, dataset: str = "main"
) -> tuple[int, Counts]:  # fmt: skip
    """Queue a text, claim it and settle it with what was found; its id and the counts."""
    queued = queue(tx, text, at=at, dataset=dataset)
    claimed = knowledge_queue.claim(tx, at=moment(at), lease_until=LEASE)
    assert claimed is not None
    assert claimed.artifact_id == queued.artifact_id
    day = text.date.text if text.date else "2026-11-01"
    origin = origin_of(tx, queued.artifact_id, at=at, day=day)
    counts = knowledge_apply.settle_with(tx, claimed.held, found, origin)
    assert counts is not None
    return queued.artifact_id, counts


def differences(tx: Transaction) -> list[object]:
    """Facts whose rows are not what their events come to, or that have no support; postings,
    supports or vectors of what is not there."""
    wrong: list[object] = []
    for row in tx.rows("SELECT * FROM gb_edges ORDER BY id"):
        edge_id = whole(row, "id")
        state = fold(knowledge_projection.events_of(tx, [edge_id]).get(edge_id, []))
        projected = (row["status"], row["superseded_by"], row["support"])
        if state is None or (
            (state.status, state.superseded_by, state.support) != projected
            or state.period != knowledge_projection.period_of(row)
        ):
            wrong.append((edge_id, projected, state))
    for kind, table in _REFERRED.items():
        wrong += tx.rows(
            f"SELECT kind, ref_id FROM gb_term_lengths WHERE kind = '{kind}'"
            f" AND ref_id NOT IN (SELECT id FROM {table})"
        )
        wrong += tx.rows(
            f"SELECT kind, ref_id, term FROM gb_terms WHERE kind = '{kind}'"
            f" AND ref_id NOT IN (SELECT ref_id FROM gb_term_lengths WHERE kind = '{kind}')"
        )
    wrong += tx.rows(
        "SELECT id FROM gb_entities WHERE id NOT IN (SELECT entity_id FROM gb_entity_sessions)"
    )
    return wrong


def dump(tx: Transaction) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table of the knowledge base."""
    return {
        table: [tuple(row.values()) for row in tx.rows(f"SELECT * FROM {table} ORDER BY 1, 2, 3")]
        for table in KNOWLEDGE_TABLES
    }


_REFERRED = {"sentence": "gb_artifact_parts", "fact": "gb_edges", "entity": "gb_entities"}
KNOWLEDGE_TABLES = (
    *("gb_datasets", "gb_artifacts", "gb_artifact_parts", "gb_remember_runs", "gb_entities"),
    *("gb_entity_aliases", "gb_entity_sessions", "gb_edges", "gb_edge_sessions"),
    *("gb_edge_events", "gb_edge_conflicts", "gb_query_runs", "gb_terms", "gb_term_lengths"),
    *("gb_vectors", "gb_inferences"),
)
