"""Entities of a dataset with their names, and which texts name them.

An entity is found by the key of its name or of an alias; its own name is one of them. It is never
merged by a key that is only near.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.domain.decisions import EntityRef, FoundEntity, Origin
from engine.domain.keys import name_key
from engine.retrieval.tokens import terms
from engine.store import knowledge_terms
from engine.store.columns import text, whole
from engine.store.database import Reader, Row, Transaction
from engine.store.knowledge_terms import in_groups, placeholders

OWN_NAME = "name"
BY_TEXT = "text"
PERSON = "person"
"""How an alias came: the entity's own name, a text that gives both, a person."""


@dataclass(frozen=True, slots=True)
class KnownEntity:
    """A stored entity as resolving needs it; `aliases` without its own name."""

    id: int
    ref: EntityRef
    name: str
    type: str
    is_value: bool
    aliases: tuple[str, ...]
    alias_keys: frozenset[str]
    """With the key of its own name."""
    description: str = ""


class Into(NamedTuple):
    """The dataset that is written to, and where what is written comes from."""

    dataset_id: int
    origin: Origin


@dataclass(frozen=True, slots=True)
class StoredEntities:
    """What came of the entities of a text: their ids, and which of them are new."""

    ids: Mapping[EntityRef, int]
    new: frozenset[int]


def store(tx: Transaction, into: Into, entities: Sequence[FoundEntity]) -> StoredEntities:
    """Store those that are not there, with all names, and that the text names each of them."""
    ids: dict[EntityRef, int] = {}
    new: set[int] = set()
    renamed: set[int] = set()
    for entity in entities:
        found = id_of(tx, into.dataset_id, entity.ref)
        here = found or _insert(tx, into, entity)
        ids[entity.ref] = here
        new |= {here} if found is None else set()
        renamed |= {here} if _add_names(tx, into, here, entity) else set()
        _add_support(tx, into, here, _Support(entity.mention or entity.name, found is None))
    index(tx, into.dataset_id, sorted(renamed))
    return StoredEntities(ids, frozenset(new))


def restate(tx: Transaction, into: Into, entity_id: int) -> None:
    """The text has a fact about this entity, so it names it."""
    found = tx.row("SELECT name FROM gb_entities WHERE id = ?", (entity_id,))
    assert found is not None
    _add_support(tx, into, entity_id, _Support(text(found, "name"), is_new=False))


def id_of(tx: Transaction, dataset_id: int, ref: EntityRef) -> int | None:
    found = tx.row(
        "SELECT id FROM gb_entities WHERE dataset_id = ? AND name_key = ? AND disambig = ?",
        (dataset_id, ref.name_key, ref.disambig),
    )
    return None if found is None else whole(found, "id")


def index(tx: Transaction, dataset_id: int, entity_ids: Sequence[int]) -> None:
    """The postings of entities: all their names. Values have none: facts are found by them."""
    texts = []
    for some in in_groups(entity_ids):
        names: dict[int, list[str]] = {}
        for row in tx.rows(
            "SELECT alias.entity_id, alias.alias FROM gb_entity_aliases alias"
            " JOIN gb_entities entity ON entity.id = alias.entity_id"
            f" WHERE alias.entity_id IN ({placeholders(some)}) AND entity.is_value = 0"
            " ORDER BY alias.entity_id, alias.created_at, alias.alias_key",
            some,
        ):
            names.setdefault(whole(row, "entity_id"), []).append(text(row, "alias"))
        texts += [(entity_id, "\n".join(each)) for entity_id, each in names.items()]
    knowledge_terms.reindex(tx, dataset_id, "entity", texts)


async def with_keys(
    reader: Reader, dataset_id: int, keys: Sequence[str]
) -> tuple[KnownEntity, ...]:
    """The entities that have one of these keys as a name or an alias."""
    found: set[int] = set()
    for some in in_groups(keys):
        rows = await reader.rows(
            "SELECT entity_id FROM gb_entity_aliases"
            f" WHERE dataset_id = ? AND alias_key IN ({placeholders(some)})",
            (dataset_id, *some),
        )
        found |= {whole(row, "entity_id") for row in rows}
    return await known(reader, sorted(found))


async def alike(
    reader: Reader, dataset_id: int, name: str, *, limit: int = 20
) -> tuple[KnownEntity, ...]:
    """The entities whose names share most words with `name`: candidates, and no more than that."""
    wanted = sorted(set(terms(name)))
    if not wanted:
        return ()
    # The plus keeps the database from reading every posting in the order of what it is of.
    rows = await reader.rows(
        "SELECT +ref_id AS ref_id, COUNT(*) AS shared FROM gb_terms"
        " WHERE dataset_id = ? AND kind = 'entity'"
        f" AND term IN ({placeholders(wanted)}) GROUP BY +ref_id ORDER BY shared DESC, ref_id"
        " LIMIT ?",
        (dataset_id, *wanted, limit),
    )
    return await known(reader, sorted(whole(row, "ref_id") for row in rows))


async def known(reader: Reader, entity_ids: Sequence[int]) -> tuple[KnownEntity, ...]:
    """These entities, in the order of their ids; one that was merged stands as what it is now."""
    found: dict[int, KnownEntity] = {}
    for some in in_groups(entity_ids):
        marks = placeholders(some)
        rows = await reader.rows(
            "SELECT * FROM gb_entities WHERE id IN (SELECT COALESCE(merged_into, id)"
            f" FROM gb_entities WHERE id IN ({marks}))",
            some,
        )
        ids = [whole(row, "id") for row in rows]
        aliases = await reader.rows(
            "SELECT entity_id, alias, alias_key FROM gb_entity_aliases"
            f" WHERE entity_id IN ({placeholders(ids)}) ORDER BY entity_id, created_at, alias_key",
            ids,
        )
        found |= {each.id: each for each in _known(rows, aliases)}
    return tuple(found[entity_id] for entity_id in sorted(found))


class _Support(NamedTuple):
    mention: str
    is_new: bool


def _insert(tx: Transaction, into: Into, entity: FoundEntity) -> int:
    return tx.insert(
        "INSERT INTO gb_entities(dataset_id, name, name_key, disambig, type, is_value, description,"
        " created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
        (
            into.dataset_id,
            entity.name,
            entity.ref.name_key,
            entity.ref.disambig,
            entity.type,
            int(entity.is_value),
            entity.description,
            into.origin.recorded_at,
        ),
    )


def _add_names(tx: Transaction, into: Into, entity_id: int, entity: FoundEntity) -> int:
    """How many of the names are new to the entity."""
    named = ((entity.ref.name_key, entity.name, OWN_NAME),)
    others = ((name_key(alias), alias, BY_TEXT) for alias in entity.aliases if alias.strip())
    return sum(
        tx.execute(
            "INSERT INTO gb_entity_aliases(dataset_id, alias_key, entity_id, alias, how,"
            " created_at) VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (into.dataset_id, key, entity_id, alias, how, into.origin.recorded_at),
        )
        for key, alias, how in (*named, *others)
    )


def _add_support(tx: Transaction, into: Into, entity_id: int, support: _Support) -> None:
    origin = into.origin
    if origin.artifact_id is None:
        return
    tx.execute(
        "INSERT INTO gb_entity_sessions(entity_id, artifact_id, session_id, dataset_id, role,"
        " mention, recorded_at) VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (
            entity_id,
            origin.artifact_id,
            origin.session_id,
            into.dataset_id,
            "created" if support.is_new else "restated",
            support.mention,
            origin.recorded_at,
        ),
    )


def _known(rows: Iterable[Row], aliases: Iterable[Row]) -> Iterator[KnownEntity]:
    names: dict[int, dict[str, str]] = {}
    for row in aliases:
        keyed = names.setdefault(whole(row, "entity_id"), {})
        keyed[text(row, "alias_key")] = text(row, "alias")
    for row in rows:
        key = text(row, "name_key")
        keyed = names.get(whole(row, "id"), {})
        yield KnownEntity(
            id=whole(row, "id"),
            ref=EntityRef(key, text(row, "disambig")),
            name=text(row, "name"),
            type=text(row, "type"),
            is_value=bool(whole(row, "is_value")),
            aliases=tuple(alias for each, alias in keyed.items() if each != key),
            alias_keys=frozenset((key, *keyed)),
            description=text(row, "description"),
        )
