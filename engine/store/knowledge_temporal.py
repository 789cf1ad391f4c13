"""What happened to facts, over event time, by the session or the remembered text that did it."""

from collections.abc import Sequence

from engine.domain.knowledge import FactEventInfo
from engine.domain.provenance import KnowledgeSession, Temporal, TemporalEvent
from engine.domain.run import RunId
from engine.store import knowledge_provenance
from engine.store.columns import maybe_whole, text, whole
from engine.store.database import Reader, Row, Value
from engine.store.knowledge_facts import FACT_COLUMNS, FACT_TABLES, fact_of
from engine.store.knowledge_projection import event_of
from engine.store.knowledge_terms import in_groups, placeholders

_EVENTS = (
    "SELECT event.id AS event_id, event.kind AS event_kind, event.event_time, event.ev_lo,"
    " event.ev_hi, event.time_basis, event.recorded_at, event.artifact_id, event.session_id,"
    " event.remember_run_id, event.cause_edge_id, event.actor AS event_actor, event.reason,"
    f" {FACT_COLUMNS} FROM gb_edge_events event"
    f" JOIN {FACT_TABLES.replace('gb_edges edge', 'gb_edges edge ON edge.id = event.edge_id', 1)}"
)


async def of_sessions(reader: Reader, run_id: RunId, of: Sequence[KnowledgeSession]) -> Temporal:
    """The events of these sessions in whichever dataset, with their texts."""
    rows = [
        row
        for some in in_groups([each.session_id for each in of])
        for row in await reader.rows(
            f"{_EVENTS} WHERE event.session_id IN ({placeholders(some)})", some
        )
    ]
    return Temporal(run_id, await knowledge_provenance.artifacts(reader, of), _sorted(rows))


async def of_remember_run(reader: Reader, number: int) -> Temporal | None:
    """The events of one remembered text; None when there is no such run."""
    run = await reader.row(
        "SELECT artifact_id, session_id FROM gb_remember_runs WHERE id = ?", (number,)
    )
    if run is None:
        return None
    rows = await reader.rows(f"{_EVENTS} WHERE event.remember_run_id = ?", (number,))
    return Temporal(
        knowledge_provenance.run_id_of(text(run, "session_id")),
        await knowledge_provenance.artifacts_by_ids(reader, [whole(run, "artifact_id")]),
        _sorted(rows),
    )


async def of_fact(reader: Reader, fact_id: int) -> tuple[FactEventInfo, ...]:
    """As they were recorded, the oldest first."""
    rows = await reader.rows(f"{_EVENTS} WHERE event.edge_id = ? ORDER BY event.id", (fact_id,))
    return tuple(event_info(row) for row in rows)


def event_info(row: Row) -> FactEventInfo:
    renamed: dict[str, Value] = {
        **row,
        "id": row["event_id"],
        "edge_id": row["id"],
        "kind": row["event_kind"],
        "actor": row["event_actor"],
    }
    event = event_of(renamed)
    return FactEventInfo(
        id=event.id,
        kind=event.kind,
        at=event.at.text if event.at else None,
        lo=maybe_whole(row, "ev_lo"),
        hi=maybe_whole(row, "ev_hi"),
        basis=event.basis,
        recorded_at=event.recorded_at,
        actor=event.actor,
        dataset=text(row, "dataset"),
        artifact_id=event.artifact_id,
        session_id=event.session_id,
        run_id=knowledge_provenance.run_id_of(event.session_id),
        cause_fact_id=event.cause_fact_id,
        reason=event.reason,
    )


def _sorted(rows: Sequence[Row]) -> tuple[TemporalEvent, ...]:
    """By event time, those without one last; then in the order they were recorded."""
    ordered = sorted(
        rows,
        key=lambda row: (
            row["ev_lo"] is None,
            maybe_whole(row, "ev_lo") or 0,
            whole(row, "event_id"),
        ),
    )
    return tuple(TemporalEvent(event_info(row), fact_of(row)) for row in ordered)
