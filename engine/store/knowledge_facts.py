"""Facts as they are read: one by one with their history, by filter, and for reconciling.

What was known at an earlier time is folded from the events that were stored by then; the rows hold
only what is known now.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple, cast

from engine.domain.decisions import EntityRef, KnownFact
from engine.domain.facts import (
    Actor,
    FactEvent,
    FactState,
    FactStatus,
    Period,
    Span,
    Stated,
    TimeBasis,
    certain,
    fold,
    known_at,
    possible,
)
from engine.domain.keys import name_key, relation_key
from engine.domain.knowledge import Certainty, FactFilter, FactInfo, FactsPage, session_of
from engine.retrieval.tokens import terms
from engine.store.columns import maybe_text, maybe_whole, text, whole
from engine.store.database import Reader, Row
from engine.store.knowledge_listing import Where, number_of
from engine.store.knowledge_projection import period_of, read_events
from engine.store.knowledge_terms import in_groups, placeholders

_MOST_AS_TARGET = 500
"""Facts about one text's subjects that are known of others: the latest ones."""
_LOOKED_AT_ONCE = 200

FACT_COLUMNS = (
    "edge.id, edge.relation, edge.description, edge.status, edge.valid_from, edge.vf_lo,"
    " edge.vf_hi, edge.valid_to, edge.vt_lo, edge.vt_hi, edge.negated, edge.superseded_by,"
    " edge.support, edge.source_id, edge.target_id, edge.fact_key, edge.dataset_id,"
    " source.name AS source, target.name AS target, target.is_value, dataset.name AS dataset,"
    " (SELECT event.actor FROM gb_edge_events event WHERE event.edge_id = edge.id"
    " ORDER BY event.id LIMIT 1) AS actor"
)
FACT_TABLES = (
    "gb_edges edge JOIN gb_entities source ON source.id = edge.source_id"
    " JOIN gb_entities target ON target.id = edge.target_id"
    " JOIN gb_datasets dataset ON dataset.id = edge.dataset_id"
)


class Times(NamedTuple):
    """What a filter's dates come to: facts that may hold in `window`, as known at `known_at`."""

    window: Span | None = None
    known_at: str = ""
    """A system time, as it is stored; empty: now."""


async def page(reader: Reader, which: FactFilter, times: Times) -> FactsPage:
    """The latest first. Raises UserError for a cursor that is none."""
    found: list[FactInfo] = []
    before = number_of(which.cursor)
    scope = await _scope_of(reader, which)
    while len(found) <= which.limit:
        where = _where(which, scope, times)
        if before:
            where.add("id < ?", before)
        rows = await reader.rows(
            f"SELECT {FACT_COLUMNS} FROM (SELECT * FROM gb_edges{where.sql}"
            f" ORDER BY id DESC LIMIT ?) {FACT_TABLES.removeprefix('gb_edges ')}"
            " ORDER BY edge.id DESC",
            (*where.values, _LOOKED_AT_ONCE),
        )
        held = [fact async for fact in _held(reader, rows, times)]
        found += [fact for fact in held if not which.statuses or fact.status in which.statuses]
        if len(rows) < _LOOKED_AT_ONCE:
            break
        before = whole(rows[-1], "id")
    shown = tuple(found[: which.limit])
    return FactsPage(shown, str(shown[-1].id) if len(found) > which.limit else "")


async def by_ids(reader: Reader, fact_ids: Sequence[int]) -> tuple[FactInfo, ...]:
    """These facts, in the order asked for; without those that are gone."""
    found: dict[int, FactInfo] = {}
    for some in in_groups(fact_ids):
        rows = await reader.rows(
            f"SELECT {FACT_COLUMNS} FROM {FACT_TABLES} WHERE edge.id IN ({placeholders(some)})",
            some,
        )
        found |= {whole(row, "id"): fact_of(row) for row in rows}
    return tuple(found[fact_id] for fact_id in fact_ids if fact_id in found)


async def of_entity(reader: Reader, entity_id: int, *, limit: int = 500) -> tuple[FactInfo, ...]:
    """As subject or as object, also by the names that were merged into it; the active ones first,
    then the latest."""
    same = "SELECT id FROM gb_entities WHERE id = ? OR merged_into = ?"
    rows = await reader.rows(
        f"SELECT {FACT_COLUMNS} FROM {FACT_TABLES}"
        f" WHERE edge.source_id IN ({same}) OR edge.target_id IN ({same})"
        " ORDER BY CASE edge.status WHEN 'active' THEN 0 ELSE 1 END, edge.id DESC LIMIT ?",
        (*[entity_id] * 4, limit),
    )
    return tuple(fact_of(row) for row in rows)


async def known_facts(
    reader: Reader, dataset_id: int, refs: Iterable[EntityRef]
) -> tuple[KnownFact, ...]:
    """What new facts about these entities may touch: every fact that has one of them as subject,
    and the latest that have one as object. In the order they were stored."""
    entity_ids = await _ids_of(reader, dataset_id, sorted(set(refs), key=_ref_order))
    found: dict[int, Row] = {}
    for some in in_groups(entity_ids):
        marks = placeholders(some)
        of_dataset = f"{KNOWN_FACTS} WHERE edge.dataset_id = ?"
        # The plus keeps the database from going through all facts in the order wanted.
        for query, values in (
            (f"{of_dataset} AND edge.source_id IN ({marks})", (dataset_id, *some)),
            (
                f"{of_dataset} AND edge.target_id IN ({marks}) ORDER BY +edge.id DESC LIMIT ?",
                (dataset_id, *some, _MOST_AS_TARGET),
            ),
        ):
            found |= {whole(row, "id"): row for row in await reader.rows(query, values)}
    events = await read_events(reader, sorted(found))
    return tuple(known_of(found[each], events.get(each, [])) for each in sorted(found))


def fact_of(row: Row) -> FactInfo:
    """A row of FACT_COLUMNS, as it is known now."""
    return FactInfo(
        id=whole(row, "id"),
        source=text(row, "source"),
        relation=text(row, "relation"),
        target=text(row, "target"),
        description=text(row, "description"),
        dataset=text(row, "dataset"),
        status=cast("FactStatus", text(row, "status")),
        valid_from=maybe_text(row, "valid_from"),
        valid_to=maybe_text(row, "valid_to"),
        negated=bool(whole(row, "negated")),
        superseded_by=maybe_whole(row, "superseded_by"),
        support=whole(row, "support"),
        source_id=whole(row, "source_id"),
        target_id=whole(row, "target_id"),
        target_is_value=bool(whole(row, "is_value")),
        actor=cast("Actor", maybe_text(row, "actor") or "person"),
    )


KNOWN_FACTS = (
    "SELECT edge.*, source.name_key AS source_key, source.disambig AS source_disambig,"
    " target.name_key AS target_key, target.disambig AS target_disambig,"
    " target.is_value AS target_is_value"
    " FROM gb_edges edge JOIN gb_entities source ON source.id = edge.source_id"
    " JOIN gb_entities target ON target.id = edge.target_id"
)


def _ref_order(ref: EntityRef) -> str:
    return ref.key


async def _ids_of(reader: Reader, dataset_id: int, refs: Sequence[EntityRef]) -> list[int]:
    wanted = set(refs)
    found: list[int] = []
    for some in in_groups([ref.name_key for ref in refs]):
        rows = await reader.rows(
            "SELECT id, name_key, disambig FROM gb_entities"
            f" WHERE dataset_id = ? AND name_key IN ({placeholders(some)})",
            (dataset_id, *some),
        )
        found += [
            whole(row, "id")
            for row in rows
            if EntityRef(text(row, "name_key"), text(row, "disambig")) in wanted
        ]
    return found


def known_of(row: Row, events: Sequence[FactEvent]) -> KnownFact:
    """A row of KNOWN_FACTS, with the fact's events."""
    seen, referred = _seen(events, "reference", "recorded"), _seen(events, "reference")
    return KnownFact(
        id=whole(row, "id"),
        key=text(row, "fact_key"),
        source=EntityRef(text(row, "source_key"), text(row, "source_disambig")),
        relation=text(row, "relation"),
        relation_key=text(row, "relation_key"),
        target=EntityRef(text(row, "target_key"), text(row, "target_disambig")),
        target_is_value=bool(whole(row, "target_is_value")),
        description=text(row, "description"),
        is_exclusive=bool(whole(row, "is_exclusive")),
        negated=bool(whole(row, "negated")),
        period=period_of(row),
        status=cast("FactStatus", text(row, "status")),
        superseded_by=maybe_whole(row, "superseded_by"),
        seen=seen[0] if seen else None,
        last_seen=referred[-1] if referred else None,
    )


def _seen(events: Sequence[FactEvent], *bases: TimeBasis) -> list[Stated]:
    """The dates by which texts had the fact, the earliest first."""
    dates = [
        event.at
        for event in events
        if event.kind in ("created", "confirmed") and event.basis in bases
    ]
    return sorted((date for date in dates if date is not None), key=_by_time)


def _by_time(date: Stated) -> tuple[int, int]:
    return date.span.lo, date.span.hi


class _Scope(NamedTuple):
    """Where the facts are looked for: datasets, and, if any was named, entities in them."""

    dataset_ids: list[int]
    entity_ids: list[int] | None


async def _scope_of(reader: Reader, which: FactFilter) -> _Scope:
    where = Where()
    where.of_user(which.user, which.dataset)
    rows = await reader.rows(f"SELECT id FROM gb_datasets dataset{where.sql}", where.values)
    dataset_ids = [whole(row, "id") for row in rows]
    named = await _entities_named(reader, dataset_ids, which.about) if which.about else None
    return _Scope(dataset_ids, named)


async def _entities_named(reader: Reader, dataset_ids: Sequence[int], name: str) -> list[int]:
    """Every entity of that name or alias, with those it is merged with."""
    rows = await reader.rows(
        "SELECT entity_id AS id FROM gb_entity_aliases"
        f" WHERE dataset_id IN ({placeholders(dataset_ids)}) AND alias_key = ?",
        (*dataset_ids, name_key(name)),
    )
    named = [whole(row, "id") for row in rows]
    merged = await reader.rows(
        f"SELECT id FROM gb_entities WHERE merged_into IN ({placeholders(named)})", named
    )
    return [*named, *(whole(row, "id") for row in merged)]


def _where(which: FactFilter, scope: _Scope, times: Times) -> Where:
    where = Where()
    is_narrow = scope.entity_ids is not None or which.run_id is not None or which.text
    # With a plus the database does not look by datasets: the other conditions are narrower, and of
    # several datasets it is quicker to go through all facts from the latest on.
    is_one = len(scope.dataset_ids) == 1 and not is_narrow
    where.among("dataset_id" if is_one else "+dataset_id", scope.dataset_ids)
    if scope.entity_ids is not None:
        ids = scope.entity_ids
        marks = placeholders(ids)
        where.add(f"(source_id IN ({marks}) OR target_id IN ({marks}))", *ids, *ids)
    if which.relation:
        where.add("relation_key = ?", relation_key(which.relation))
    if which.run_id is not None:
        where.add(
            "id IN (SELECT edge_id FROM gb_edge_sessions WHERE session_id = ?)",
            session_of(which.run_id),
        )
    for term in sorted(set(terms(which.text))):
        where.add(
            "id IN (SELECT ref_id FROM gb_terms WHERE dataset_id"
            f" IN ({placeholders(scope.dataset_ids)}) AND kind = 'fact' AND term = ?)",
            *scope.dataset_ids,
            term,
        )
    if which.statuses and not times.known_at:
        where.among("status", which.statuses)
    _add_times(where, times)
    return where


def _add_times(where: Where, times: Times) -> None:
    """As far as rows can tell; what was known at a time, only events can."""
    if times.known_at:
        where.add("created_at <= ?", times.known_at)
    elif times.window is not None:
        where.add("(vf_lo IS NULL OR vf_lo < ?)", times.window.hi)
        where.add("(vt_hi IS NULL OR vt_hi > ?)", times.window.lo)


async def _held(reader: Reader, rows: Sequence[Row], times: Times) -> AsyncIterator[FactInfo]:
    """The facts of the rows as they were known, but those that did not hold in the window."""
    events = await read_events(reader, [whole(row, "id") for row in rows]) if times.known_at else {}
    for row in rows:
        fact, period = fact_of(row), period_of(row)
        if times.known_at:
            state = fold(known_at(events.get(fact.id, []), times.known_at))
            if state is None:
                continue
            fact, period = _as_known(fact, state), state.period
        certainty = _certainty(fact, period, times.window)
        if certainty is not None:
            yield replace(fact, certainty=certainty)


def _as_known(fact: FactInfo, state: FactState) -> FactInfo:
    start, end = state.period.start, state.period.end
    return replace(
        fact,
        status=state.status,
        superseded_by=state.superseded_by,
        support=state.support,
        valid_from=start.text if start else None,
        valid_to=end.text if end else None,
    )


def _certainty(fact: FactInfo, period: Period, window: Span | None) -> Certainty | None:
    """None: it did not hold then."""
    if window is None:
        return ""
    if not possible(period, fact.status, window):
        return None
    return "certain" if certain(period, fact.status, window) else "possible"
