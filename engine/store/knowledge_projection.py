"""The state of facts in their rows: a projection of their events, which alone are the truth.

Nothing else writes these columns. `rebuild` computes them anew and says how many had differed.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from engine.domain.facts import (
    Actor,
    EventKind,
    FactEvent,
    FactState,
    Period,
    Stated,
    TimeBasis,
    fold,
)
from engine.store.columns import maybe_whole, text, whole
from engine.store.database import Reader, Row, Transaction, Value
from engine.store.knowledge_terms import in_groups, placeholders
from engine.store.knowledge_texts import stated_of

EVENT_COLUMNS = (
    "id, edge_id, kind, event_time, ev_lo, ev_hi, time_basis, recorded_at, artifact_id, session_id,"
    " remember_run_id, cause_edge_id, actor, reason"
)
_PROJECTED = (
    *("status", "superseded_by", "support", "valid_from", "vf_lo", "vf_hi"),
    *("valid_to", "vt_lo", "vt_hi"),
)
_SELECTED = ", ".join(("id", *_PROJECTED))
_SET = ", ".join(f"{column} = ?" for column in _PROJECTED)
_AT_ONCE = 500


def project(tx: Transaction, edge_ids: Iterable[int], *, at: str) -> list[int]:
    """Bring the rows of these facts to what their events come to; those that had differed.

    A fact that nothing supports any more keeps its row as it is: its deletion is the caller's.
    """
    wanted = sorted(set(edge_ids))
    return [edge_id for some in in_groups(wanted) for edge_id in _projected(tx, some, at=at)]


def rebuild(tx: Transaction, dataset_id: int, *, at: str) -> int:
    """Project every fact of the dataset anew: how many had differed, which is 0 unless the file
    was changed by hand or the program is at fault."""
    differences, last = 0, 0
    while ids := _next_ids(tx, dataset_id, last):
        differences += len(project(tx, ids, at=at))
        last = ids[-1]
    return differences


def events_of(tx: Transaction, edge_ids: Sequence[int]) -> Mapping[int, list[FactEvent]]:
    """The events of each of these facts, in the order they were written."""
    found = tx.rows(*_events_query(edge_ids))
    return _by_fact(found)


async def read_events(reader: Reader, edge_ids: Sequence[int]) -> Mapping[int, list[FactEvent]]:
    """As `events_of`, for any number of facts."""
    found = [row for some in in_groups(edge_ids) for row in await reader.rows(*_events_query(some))]
    return _by_fact(found)


def event_of(row: Row) -> FactEvent:
    """All columns of EVENT_COLUMNS."""
    return FactEvent(
        kind=cast("EventKind", text(row, "kind")),
        at=stated_of(row, "event_time", "ev_lo", "ev_hi"),
        basis=cast("TimeBasis", text(row, "time_basis")),
        recorded_at=text(row, "recorded_at"),
        actor=cast("Actor", text(row, "actor")),
        id=whole(row, "id"),
        fact_id=whole(row, "edge_id"),
        artifact_id=maybe_whole(row, "artifact_id"),
        session_id=text(row, "session_id"),
        remember_run_id=maybe_whole(row, "remember_run_id"),
        cause_fact_id=maybe_whole(row, "cause_edge_id"),
        reason=text(row, "reason"),
    )


def period_of(row: Row) -> Period:
    """The projected period of a row of `gb_edges`."""
    return Period(
        start=stated_of(row, "valid_from", "vf_lo", "vf_hi"),
        end=stated_of(row, "valid_to", "vt_lo", "vt_hi"),
    )


def _projected(tx: Transaction, edge_ids: Sequence[int], *, at: str) -> list[int]:
    events = events_of(tx, edge_ids)
    rows = tx.rows(
        f"SELECT {_SELECTED} FROM gb_edges WHERE id IN ({placeholders(edge_ids)})", edge_ids
    )
    differing = []
    for row in rows:
        edge_id = whole(row, "id")
        state = fold(events.get(edge_id, []))
        if state is None or (columns := _columns(state)) == tuple(row[c] for c in _PROJECTED):
            continue
        tx.execute(
            f"UPDATE gb_edges SET {_SET}, updated_at = ? WHERE id = ?", (*columns, at, edge_id)
        )
        differing.append(edge_id)
    return differing


def _columns(state: FactState) -> tuple[Value, ...]:
    return (
        state.status,
        state.superseded_by,
        state.support,
        *_date_columns(state.period.start),
        *_date_columns(state.period.end),
    )


def _date_columns(date: Stated | None) -> tuple[Value, Value, Value]:
    return (None, None, None) if date is None else (date.text, date.span.lo, date.span.hi)


def _next_ids(tx: Transaction, dataset_id: int, after: int) -> list[int]:
    found = tx.rows(
        "SELECT id FROM gb_edges WHERE dataset_id = ? AND id > ? ORDER BY id LIMIT ?",
        (dataset_id, after, _AT_ONCE),
    )
    return [whole(row, "id") for row in found]


def _events_query(edge_ids: Sequence[int]) -> tuple[str, Sequence[int]]:
    return (
        f"SELECT {EVENT_COLUMNS} FROM gb_edge_events"
        f" WHERE edge_id IN ({placeholders(edge_ids)}) ORDER BY edge_id, id",
        edge_ids,
    )


def _by_fact(rows: Iterable[Row]) -> dict[int, list[FactEvent]]:
    found: dict[int, list[FactEvent]] = {}
    for row in rows:
        event = event_of(row)
        found.setdefault(event.fact_id, []).append(event)
    return found
