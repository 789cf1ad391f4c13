"""The Knowledge tab: what a run brought into the knowledge base, as rows that fold. Pure.

Three sections: facts (by the entity they are about, or as they were found), entities, and texts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from engine.api import ArtifactInfo, EntityInfo, FactInfo, ProvenanceFact, RememberRun
from gligabao_tui.view.known import NO_TEXTS, Known
from gligabao_tui.view.text import flat

Section: TypeAlias = Literal["facts", "entities", "texts"]
SECTIONS: tuple[Section, ...] = ("facts", "entities", "texts")
Kind: TypeAlias = Literal["section", "group", "fact", "entity", "text"]


@dataclass(frozen=True, slots=True)
class Shelf:
    """How a person wants it: sections that are closed, facts by entity or in order, and words."""

    folded: frozenset[Section] = frozenset()
    by_entity: bool = True
    words: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """A row. `shown` and `of` count what is below a section or a group, `of` without a filter."""

    key: str
    kind: Kind
    section: Section
    fact: ProvenanceFact | None = None
    entity: EntityInfo | None = None
    text: ArtifactInfo | None = None
    run: RememberRun | None = None
    """What became of the text."""
    name: str = ""
    shown: int = 0
    of: int = 0
    is_folded: bool = False
    is_below: bool = False
    """Below the row of its subject, whose name it does not repeat."""

    @property
    def is_live(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Counts:
    """Of everything, whatever is filtered."""

    texts: int = 0
    entities: int = 0
    facts: int = 0
    created: int = 0
    by_pattern: int = 0
    datasets: tuple[str, ...] = ()
    waiting: int = 0
    failed: tuple[RememberRun, ...] = field(default=NO_TEXTS)

    @property
    def restated(self) -> int:
        return self.facts - self.created


def counts_of(known: Known) -> Counts:
    found = known.provenance
    facts = [edge.fact for edge in found.edges]
    names = {dataset.name for dataset in found.datasets} | {text.dataset for text in known.queue}
    return Counts(
        texts=len(texts_of(known)),
        entities=len(found.entities),
        facts=len(facts),
        created=sum(edge.created for edge in found.edges),
        by_pattern=sum(fact.actor == "pattern" for fact in facts),
        datasets=tuple(sorted(names)),
        waiting=sum(text.status in ("queued", "running") for text in known.queue),
        failed=tuple(text for text in known.queue if text.status == "failed"),
    )


def texts_of(known: Known) -> tuple[ArtifactInfo, ...]:
    """The texts, without the parts they were read in."""
    return tuple(text for text in known.provenance.artifacts if text.parent_id is None)


def items_of(known: Known, shelf: Shelf) -> tuple[Item, ...]:
    """The rows from top to bottom; a section in which nothing was ever found is left out."""
    words = shelf.words.casefold().split()
    found = known.provenance
    runs = {text.artifact_id: text for text in known.queue}
    facts = [edge for edge in found.edges if _has(words, _fact_words(edge))]
    entities = [entity for entity in found.entities if _has(words, _entity_words(entity))]
    texts = [text for text in texts_of(known) if _has(words, f"{text.title} {text.source}")]
    parts: tuple[tuple[Section, int, Sequence[Item]], ...] = (
        ("facts", len(found.edges), _facts(facts, found.entities, shelf)),
        ("entities", len(found.entities), [_entity(entity) for entity in entities]),
        ("texts", len(texts_of(known)), [_text(text, runs) for text in texts]),
    )
    shown: Mapping[Section, int] = {
        "facts": len(facts),
        "entities": len(entities),
        "texts": len(texts),
    }
    return tuple(
        item
        for section, of, rows in parts
        if of
        for item in _section(section, rows, shelf, counts=(shown[section], of))
    )


def facts_in(items: Iterable[Item]) -> tuple[FactInfo, ...]:
    """The facts in the order in which they stand."""
    return tuple(item.fact.fact for item in items if item.fact is not None)


def folded(shelf: Shelf, section: Section) -> Shelf:
    """With this section closed, or open again."""
    return replace(shelf, folded=shelf.folded ^ {section})


def section_after(items: Sequence[Item], at: int, by: int) -> str | None:
    """The key of the section before or after row `at`."""
    heads = [(n, item.key) for n, item in enumerate(items) if item.kind == "section"]
    if by > 0:
        return next((key for n, key in heads if n > at), None)
    return next((key for n, key in reversed(heads) if n < at), None)


def _section(
    section: Section, rows: Sequence[Item], shelf: Shelf, *, counts: tuple[int, int]
) -> Sequence[Item]:
    is_folded = section in shelf.folded
    shown, of = counts
    head = Item(f"section:{section}", "section", section, shown=shown, of=of, is_folded=is_folded)
    return [head] if is_folded else [head, *rows]


def _facts(
    edges: Sequence[ProvenanceFact], entities: Sequence[EntityInfo], shelf: Shelf
) -> Sequence[Item]:
    if not shelf.by_entity:
        return [_fact(edge, is_below=False) for edge in edges]
    groups: dict[str, list[ProvenanceFact]] = {}
    for edge in edges:
        groups.setdefault(edge.fact.source, []).append(edge)
    known = {entity.name: entity for entity in entities}
    return [item for name, of_it in groups.items() for item in _group(name, of_it, known)]


def _group(
    name: str, edges: Sequence[ProvenanceFact], known: Mapping[str, EntityInfo]
) -> Sequence[Item]:
    head = Item(
        f"group:{name}",
        "group",
        "facts",
        entity=known.get(name),
        name=flat(name),
        shown=len(edges),
        of=len(edges),
    )
    return [head, *(_fact(edge, is_below=True) for edge in edges)]


def _fact(edge: ProvenanceFact, *, is_below: bool) -> Item:
    return Item(f"fact:{edge.fact.id}", "fact", "facts", fact=edge, is_below=is_below)


def _entity(entity: EntityInfo) -> Item:
    return Item(f"entity:{entity.id}", "entity", "entities", entity=entity, name=flat(entity.name))


def _text(text: ArtifactInfo, runs: Mapping[int, RememberRun]) -> Item:
    name = flat(text.title or text.source) or "a text without a source"
    return Item(f"text:{text.id}", "text", "texts", text=text, run=runs.get(text.id), name=name)


def _has(words: Sequence[str], text: str) -> bool:
    there = text.casefold()
    return all(word in there for word in words)


def _fact_words(edge: ProvenanceFact) -> str:
    fact = edge.fact
    dates = f"{fact.valid_from or ''} {fact.valid_to or ''}"
    named = f"{fact.source} {fact.relation} {fact.target} {fact.description}"
    return f"{named} {dates} {fact.status} {fact.dataset}"


def _entity_words(entity: EntityInfo) -> str:
    return f"{entity.name} {entity.type} {entity.description}"
