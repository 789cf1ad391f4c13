"""What becomes of entities when a text that names them is forgotten.

One without support goes. One that other texts name is called what they call it, and its aliases
and its description are theirs.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.domain.decisions import EntityRef
from engine.domain.keys import Triple, fact_key, name_key
from engine.retrieval.tokens import terms
from engine.store import knowledge_entities, knowledge_terms
from engine.store.columns import text, whole
from engine.store.database import Row, Transaction
from engine.store.knowledge_entities import PERSON
from engine.store.knowledge_forget_words import Words, is_grounded
from engine.store.knowledge_projection import period_of
from engine.store.knowledge_terms import placeholders

NAME_FORGOTTEN = "(name forgotten)"
"""Of an entity that no remaining text gives a name in its own words."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Entities that went, and facts that read otherwise now, by ids."""

    gone: set[int] = field(default_factory=set)
    facts: set[int] = field(default_factory=set)


def settle(
    tx: Transaction, dataset_id: int, entity_ids: Iterable[int], forgotten: Words
) -> Settled:
    """For entities that the forgotten text had named; its own support is gone already."""
    settled = Settled()
    kept = []
    for entity_id in sorted(entity_ids):
        if _is_used(tx, entity_id):
            kept.append(entity_id)
            if _rename(tx, entity_id, forgotten):
                settled.facts.update(_facts_of(tx, entity_id))
            _correct_mentions(tx, entity_id, forgotten)
            _promote(tx, entity_id)
        else:
            tx.execute("DELETE FROM gb_entities WHERE id = ?", (entity_id,))
            settled.gone.add(entity_id)
    knowledge_terms.remove(tx, dataset_id, "entity", sorted(settled.gone))
    knowledge_entities.index(tx, dataset_id, kept)
    return settled


def _is_used(tx: Transaction, entity_id: int) -> bool:
    found = tx.row(
        "SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM gb_entity_sessions WHERE entity_id = ?)"
        " OR EXISTS (SELECT 1 FROM gb_edges WHERE source_id = ?)"
        " OR EXISTS (SELECT 1 FROM gb_edges WHERE target_id = ?)"
        " OR EXISTS (SELECT 1 FROM gb_entities WHERE merged_into = ?)",
        [entity_id] * 4,
    )
    return found is not None


def _rename(tx: Transaction, entity_id: int, forgotten: Words) -> bool:
    """Take away aliases that no text has now; and the name, if a remaining text has another."""
    entity = _row(tx, entity_id)
    dataset_id = whole(entity, "dataset_id")
    for row in tx.rows(
        "SELECT alias, alias_key FROM gb_entity_aliases"
        " WHERE entity_id = ? AND alias_key <> ? AND how <> ?",
        (entity_id, text(entity, "name_key"), PERSON),
    ):
        if not is_grounded(tx, dataset_id, text(row, "alias")):
            _drop_alias(tx, entity_id, text(row, "alias_key"))
    if is_grounded(tx, dataset_id, text(entity, "name")):
        return False
    name = _other_name(tx, entity, forgotten)
    if name == text(entity, "name"):
        return False
    _call(tx, entity, name)
    return True


def _other_name(tx: Transaction, entity: Row, forgotten: Words) -> str:
    """What the first remaining text calls it, else an alias, else its name as it was: unless that
    has a word that only the forgotten text had."""
    entity_id, dataset_id = whole(entity, "id"), whole(entity, "dataset_id")
    rows = tx.rows(
        "SELECT mention AS name, 0 AS rank, recorded_at FROM gb_entity_sessions"
        " WHERE entity_id = ? UNION ALL SELECT alias, 1, created_at FROM gb_entity_aliases"
        " WHERE entity_id = ? AND alias_key <> ? ORDER BY rank, recorded_at",
        (entity_id, entity_id, text(entity, "name_key")),
    )
    names = [text(row, "name") for row in rows]
    grounded = [name for name in names if name_key(name) and is_grounded(tx, dataset_id, name)]
    if grounded:
        return grounded[0]
    name = text(entity, "name")
    return NAME_FORGOTTEN if forgotten.are_in(name) else name


def _call(tx: Transaction, entity: Row, name: str) -> None:
    """Give the entity another name, and what stands under the old one its new key."""
    entity_id, dataset_id = whole(entity, "id"), whole(entity, "dataset_id")
    old_key, new_key = text(entity, "name_key"), name_key(name)
    other = tx.row(
        "SELECT id FROM gb_entities WHERE dataset_id = ? AND name_key = ? AND disambig = ?"
        " AND id <> ?",
        (dataset_id, new_key, text(entity, "disambig"), entity_id),
    )
    disambig = text(entity, "disambig") if other is None else f"entity {entity_id}"
    tx.execute(
        "UPDATE gb_entities SET name = ?, name_key = ?, disambig = ? WHERE id = ?",
        (name, new_key, disambig, entity_id),
    )
    _drop_alias(tx, entity_id, old_key)
    tx.execute(
        "INSERT INTO gb_entity_aliases(dataset_id, alias_key, entity_id, alias, how, created_at)"
        " VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (
            *(dataset_id, new_key, entity_id, name, knowledge_entities.OWN_NAME),
            text(entity, "created_at"),
        ),
    )
    for fact_id in _facts_of(tx, entity_id):
        _key_anew(tx, fact_id)


def _correct_mentions(tx: Transaction, entity_id: int, forgotten: Words) -> None:
    """A text cannot have written a word that it does not have."""
    name = text(_row(tx, entity_id), "name")
    for row in tx.rows(
        "SELECT artifact_id, mention FROM gb_entity_sessions WHERE entity_id = ?", (entity_id,)
    ):
        if forgotten.are_in(text(row, "mention")):
            tx.execute(
                "UPDATE gb_entity_sessions SET mention = ? WHERE entity_id = ? AND artifact_id = ?",
                (name, entity_id, whole(row, "artifact_id")),
            )


def _key_anew(tx: Transaction, fact_id: int) -> None:
    """A fact is found by the names of its ends: by the old ones it would be taken for another."""
    row = tx.row(
        "SELECT edge.*, source.name_key AS s_key, source.disambig AS s_disambig,"
        " target.name_key AS t_key, target.disambig AS t_disambig FROM gb_edges edge"
        " JOIN gb_entities source ON source.id = edge.source_id"
        " JOIN gb_entities target ON target.id = edge.target_id WHERE edge.id = ?",
        (fact_id,),
    )
    assert row is not None
    ends = [
        EntityRef(text(row, f"{end}_key"), text(row, f"{end}_disambig")).key for end in ("s", "t")
    ]
    key = fact_key(
        Triple(ends[0], text(row, "relation"), ends[1]),
        negated=bool(whole(row, "negated")),
        start=period_of(row).start,
    )
    other = tx.row(
        "SELECT id FROM gb_edges WHERE dataset_id = ? AND fact_key = ? AND id <> ?",
        (whole(row, "dataset_id"), key, fact_id),
    )
    tx.execute(
        "UPDATE gb_edges SET fact_key = ? WHERE id = ?",
        (key if other is None else f"{key} {fact_id}", fact_id),
    )


def _promote(tx: Transaction, entity_id: int) -> None:
    """An entity whose origin has gone is from the first text that names it, described by that."""
    supports = tx.rows(
        "SELECT artifact_id, role FROM gb_entity_sessions WHERE entity_id = ?"
        " ORDER BY recorded_at, artifact_id",
        (entity_id,),
    )
    if any(support["role"] == "created" for support in supports):
        return
    description = ""
    if supports:
        artifact_id = whole(supports[0], "artifact_id")
        tx.execute(
            "UPDATE gb_entity_sessions SET role = 'created'"
            " WHERE entity_id = ? AND artifact_id = ?",
            (entity_id, artifact_id),
        )
        description = first_sentence(tx, artifact_id, text(_row(tx, entity_id), "name"))
    tx.execute("UPDATE gb_entities SET description = ? WHERE id = ?", (description, entity_id))


def first_sentence(tx: Transaction, artifact_id: int, name: str) -> str:
    """The first sentence of a text that has all words of a name; empty when none has."""
    wanted = sorted(set(terms(name)))
    if not wanted:
        return ""
    row = tx.row(
        "SELECT part.start_ch, part.end_ch, artifact.text FROM gb_artifact_parts part"
        " JOIN gb_artifacts artifact ON artifact.id = part.artifact_id"
        " WHERE part.artifact_id = ? AND part.kind = 'sentence'"
        " AND (SELECT COUNT(*) FROM gb_terms posting"
        " WHERE posting.dataset_id = part.dataset_id AND posting.kind = 'sentence'"
        f" AND posting.ref_id = part.id AND posting.term IN ({placeholders(wanted)})) = ?"
        " ORDER BY part.ord LIMIT 1",
        (artifact_id, *wanted, len(wanted)),
    )
    return text(row, "text")[whole(row, "start_ch") : whole(row, "end_ch")] if row else ""


def _drop_alias(tx: Transaction, entity_id: int, alias_key: str) -> None:
    tx.execute(
        "DELETE FROM gb_entity_aliases WHERE entity_id = ? AND alias_key = ?",
        (entity_id, alias_key),
    )


def _facts_of(tx: Transaction, entity_id: int) -> list[int]:
    rows = tx.rows(
        "SELECT id FROM gb_edges WHERE source_id = ? UNION SELECT id FROM gb_edges"
        " WHERE target_id = ? ORDER BY id",
        (entity_id, entity_id),
    )
    return [whole(row, "id") for row in rows]


def _row(tx: Transaction, entity_id: int) -> Row:
    row = tx.row("SELECT * FROM gb_entities WHERE id = ?", (entity_id,))
    assert row is not None
    return row
