"""Entities and facts as people look at them one by one: names, history, passages.

A passage is cut out of its text here, so that a quotation is always what the text says.
"""

import re
from typing import cast

from engine.domain.errors import Problem, UserError
from engine.domain.keys import name_key
from engine.domain.knowledge import (
    EntitiesPage,
    EntityFilter,
    EntityInfo,
    EntityPage,
    FactHistory,
    FactInfo,
    Role,
    Support,
)
from engine.store import knowledge_facts, knowledge_temporal
from engine.store.columns import maybe_whole, text, whole
from engine.store.database import Reader, Row
from engine.store.knowledge_listing import Where
from engine.store.knowledge_provenance import run_id_of

_CONTEXT_CHARS = 240
"""Of a text before and after a quotation."""
_CURSOR = re.compile(r"([01]):([0-9]{1,18})", re.ASCII)
_ENTITY = (
    "SELECT entity.*, dataset.name AS dataset, dataset.user_id,"
    " (SELECT COUNT(*) FROM gb_edges edge WHERE edge.source_id = entity.id"
    " OR edge.target_id = entity.id) AS facts"
    " FROM gb_entities entity JOIN gb_datasets dataset ON dataset.id = entity.dataset_id"
)


async def entities(reader: Reader, which: EntityFilter) -> EntitiesPage:
    """Those with exactly the name first, then in the order they were stored; values are none."""
    key = name_key(which.text) if which.text.strip() else ""
    rank = "CASE WHEN entity.name_key = ? THEN 0 ELSE 1 END"
    where = Where()
    where.of_user(which.user, which.dataset)
    where.add("entity.is_value = 0 AND entity.merged_into IS NULL")
    if key:
        # Part of a text in every database, without its ideas of upper and lower case.
        where.add(
            "EXISTS (SELECT 1 FROM gb_entity_aliases alias WHERE alias.entity_id = entity.id"
            " AND REPLACE(alias.alias_key, ?, '') <> alias.alias_key)",
            key,
        )
    if which.cursor:
        where.add(f"({rank}, entity.id) > (?, ?)", key, *_place_of(which.cursor))
    rows = await reader.rows(
        f"{_ENTITY}{where.sql} ORDER BY {rank}, entity.id LIMIT ?",
        (*where.values, key, which.limit + 1),
    )
    shown = rows[: which.limit]
    cursor = _cursor_after(shown[-1], key) if len(rows) > which.limit else ""
    return EntitiesPage(tuple(_entity_of(row) for row in shown), cursor)


async def entity(reader: Reader, entity_id: int, user: str | None) -> EntityPage | None:
    """None when there is none, or another user's."""
    where = Where()
    where.add(
        "entity.id = (SELECT COALESCE(merged_into, id) FROM gb_entities WHERE id = ?)", entity_id
    )
    where.of_user(user, "")
    row = await reader.row(f"{_ENTITY}{where.sql}", where.values)
    if row is None:
        return None
    found = whole(row, "id")
    aliases = await reader.rows(
        "SELECT alias FROM gb_entity_aliases WHERE entity_id = ? AND alias_key <> ?"
        " ORDER BY created_at, alias_key",
        (found, text(row, "name_key")),
    )
    return EntityPage(
        entity=_entity_of(row),
        aliases=tuple(text(each, "alias") for each in aliases),
        facts=await knowledge_facts.of_entity(reader, found),
        also_in=await _also_in(reader, row),
    )


async def history(reader: Reader, fact_id: int, user: str | None) -> FactHistory | None:
    """A fact with all that happened to it; None when there is none, or another user's."""
    owner = await reader.row(
        "SELECT dataset.user_id FROM gb_edges edge"
        " JOIN gb_datasets dataset ON dataset.id = edge.dataset_id WHERE edge.id = ?",
        (fact_id,),
    )
    if owner is None or user not in (None, text(owner, "user_id")):
        return None
    (fact,) = await knowledge_facts.by_ids(reader, [fact_id])
    return FactHistory(
        fact=fact,
        events=await knowledge_temporal.of_fact(reader, fact_id),
        supports=await supports(reader, fact_id),
        conflicts=await _conflicts(reader, fact_id),
    )


async def supports(reader: Reader, fact_id: int) -> tuple[Support, ...]:
    """The texts that have the fact, the first to have it first."""
    rows = await reader.rows(
        "SELECT support.*, artifact.source, artifact.text FROM gb_edge_sessions support"
        " JOIN gb_artifacts artifact ON artifact.id = support.artifact_id"
        " WHERE support.edge_id = ? ORDER BY support.recorded_at, support.artifact_id",
        (fact_id,),
    )
    return tuple(_support_of(row) for row in rows)


async def _also_in(reader: Reader, row: Row) -> tuple[str, ...]:
    rows = await reader.rows(
        "SELECT DISTINCT dataset.name FROM gb_entities entity"
        " JOIN gb_datasets dataset ON dataset.id = entity.dataset_id"
        " WHERE entity.name_key = ? AND dataset.user_id = ? AND dataset.id <> ?",
        (text(row, "name_key"), text(row, "user_id"), whole(row, "dataset_id")),
    )
    return tuple(sorted(text(each, "name") for each in rows))


async def _conflicts(reader: Reader, fact_id: int) -> tuple[FactInfo, ...]:
    rows = await reader.rows(
        "SELECT other_id AS id FROM gb_edge_conflicts WHERE edge_id = ?"
        " UNION SELECT edge_id FROM gb_edge_conflicts WHERE other_id = ?",
        (fact_id, fact_id),
    )
    return await knowledge_facts.by_ids(reader, sorted(whole(row, "id") for row in rows))


def _entity_of(row: Row) -> EntityInfo:
    return EntityInfo(
        id=whole(row, "id"),
        name=text(row, "name"),
        type=text(row, "type"),
        description=text(row, "description"),
        datasets=(text(row, "dataset"),),
        facts=whole(row, "facts"),
    )


def _support_of(row: Row) -> Support:
    start, end = maybe_whole(row, "quote_start"), maybe_whole(row, "quote_end")
    before = quote = after = ""
    if start is not None and end is not None:
        whole_text = text(row, "text")
        before = whole_text[max(0, start - _CONTEXT_CHARS) : start]
        quote = whole_text[start:end]
        after = whole_text[end : end + _CONTEXT_CHARS]
    return Support(
        artifact_id=whole(row, "artifact_id"),
        source=text(row, "source"),
        session_id=text(row, "session_id"),
        run_id=run_id_of(text(row, "session_id")),
        role=cast("Role", text(row, "role")),
        recorded_at=text(row, "recorded_at"),
        before=before,
        quote=quote,
        after=after,
    )


def _place_of(cursor: str) -> tuple[int, int]:
    found = _CURSOR.fullmatch(cursor)
    if found is None:
        raise UserError(Problem("cursor", f"{cursor!r} is not from this list: begin without one"))
    return int(found[1]), int(found[2])


def _cursor_after(row: Row, key: str) -> str:
    rank = 0 if text(row, "name_key") == key else 1
    return f"{rank}:{whole(row, 'id')}"
