"""Which stored entity each name of a text means: exact keys first, likeness only as a question.

    key or alias of one stored entity, type classes agree -> that one
    of several, or another type class                     -> asked about, else kept apart
    like a stored name (words, parts, initials)           -> asked about, else new

Nothing is merged by likeness here: that takes a verdict. Pure, the same for every order of rows.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from engine.domain.decisions import EntityRef, FoundEntity
from engine.domain.keys import name_key
from engine.domain.text_safety import one_line
from engine.knowledge.chunks import Part, sentences
from engine.knowledge.extracted import ExtractedEntity, ExtractedFact, Extraction
from engine.knowledge.likeness import likeness

TypeClass: TypeAlias = Literal["person", "place", "organisation", "work", "value", ""]
LEAST_LIKENESS = 0.5
MOST_CANDIDATES = 3
"""Stored entities that are asked about for one name, the likeliest first."""
DESCRIPTION_CHARS = 300
VALUE: TypeClass = "value"

_CLASS_WORDS: Mapping[TypeClass, str] = {
    "person": "person people human character politician scientist author artist player actor "
    "athlete engineer musician writer 人物 人 個人",
    "place": "place location city country region state town village river mountain island "
    "continent address building 地点 地名 場所 城市 国家 都市",
    "organisation": "organisation organization company corporation institution agency university "
    "school team party government committee band org startup ngo bank 组织 公司 機関 会社 大学",
    "work": "work book film movie song album software product program library paper article law "
    "standard programming-language language website game document 作品 产品 製品 软件",
    "value": "value number date quantity amount money time",
}
_CLASSES: Mapping[str, TypeClass] = {
    word: kind for kind, words in _CLASS_WORDS.items() for word in words.split()
}


@dataclass(frozen=True, slots=True)
class KnownEntity:
    """A stored entity with the keys of all its names."""

    ref: EntityRef
    name: str
    type: str = "thing"
    is_value: bool = False
    alias_keys: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class Undecided:
    """Whether a name of the text means a stored entity, which only a reader can tell."""

    key: str
    """Key of the text's name."""
    known: EntityRef


@dataclass(frozen=True, slots=True)
class Resolution:
    """Which entity each name of a text means, and what is to be asked."""

    entities: tuple[FoundEntity, ...]
    """All that the text names, values too, each once."""
    meant: Mapping[str, EntityRef]
    """By the key of the name; values are not among them."""
    undecided: tuple[Undecided, ...] = ()

    def ref(self, name: str, *, is_value: bool = False) -> EntityRef:
        """What an end of a fact means."""
        return value_ref(name) if is_value else self.meant[name_key(name)]


def value_ref(value: str) -> EntityRef:
    """A value is itself only, and no entity of the same name."""
    return EntityRef(name_key(value), VALUE)


def lookup_keys(extraction: Extraction) -> tuple[str, ...]:
    """The keys under which stored entities can be meant: look them up among names and aliases."""
    names = (name for one in extraction.entities for name in (one.name, *one.aliases))
    return tuple(dict.fromkeys(name_key(name) for name in names))


def resolve(extraction: Extraction, known: Sequence[KnownEntity], *, text: str) -> Resolution:
    """What the names of a text mean among `known`: the stored entities that its keys name and
    those that are found like its names. `text` gives new entities their first sentence."""
    ordered = sorted((one for one in known if not one.is_value), key=lambda one: one.ref.key)
    found = [_meant(one, ordered) for one in _merged(extraction.entities)]
    parts = sentences(text)
    return Resolution(
        entities=(
            *_once(_entity(each, text, parts) for each in found),
            *_once(_values(extraction.facts)),
        ),
        meant={key: each.ref for each in found for key in each.keys},
        undecided=tuple(
            Undecided(each.keys[0], other.ref) for each in found for other in each.asked
        ),
    )


def settle(
    resolution: Resolution, verdicts: Sequence[Literal["same", "different"] | None]
) -> Resolution:
    """The same after the verdicts on `undecided`, in their order: a name that means a stored
    entity is joined to it, and becomes one of its aliases. Without a verdict it stays apart."""
    joined: dict[EntityRef, EntityRef] = {}
    for question, verdict in zip(resolution.undecided, verdicts, strict=True):
        if verdict == "same":
            joined.setdefault(resolution.meant[question.key], question.known)
    entities = _once(
        replace(one, ref=joined[one.ref], aliases=tuple(dict.fromkeys((one.name, *one.aliases))))
        if one.ref in joined and not one.is_value
        else one
        for one in resolution.entities
    )
    meant = {key: joined.get(ref, ref) for key, ref in resolution.meant.items()}
    return Resolution(entities, meant)


def questions(resolution: Resolution, known: Sequence[KnownEntity]) -> tuple[tuple[str, str], ...]:
    """The undecided pairs in words, new and stored, for the reconciling call."""
    new = {one.ref: one for one in resolution.entities}
    stored = {one.ref: one for one in known}
    return tuple(
        (_in_words(new[resolution.meant[pair.key]]), _known_in_words(stored[pair.known]))
        for pair in resolution.undecided
    )


@dataclass(frozen=True, slots=True)
class _Meant:
    """A name of the text, what it means as far as code can tell, and what it may mean."""

    entity: ExtractedEntity
    keys: tuple[str, ...]
    ref: EntityRef
    known: KnownEntity | None = None
    asked: tuple[KnownEntity, ...] = ()


def _merged(entities: Sequence[ExtractedEntity]) -> list[tuple[ExtractedEntity, tuple[str, ...]]]:
    """Entities that the text itself gives a common name are one; with the keys of their names."""
    merged: list[tuple[ExtractedEntity, tuple[str, ...]]] = []
    for one in entities:
        keys = tuple(dict.fromkeys(name_key(name) for name in (one.name, *one.aliases)))
        place = next(
            (
                place
                for place, (other, other_keys) in enumerate(merged)
                if (keys[0] in other_keys or other_keys[0] in keys) and _agree(one.type, other.type)
            ),
            None,
        )
        if place is None:
            merged.append((one, keys))
            continue
        other, other_keys = merged[place]
        aliases = tuple(dict.fromkeys((*other.aliases, one.name, *one.aliases)))
        merged[place] = (
            replace(other, aliases=aliases),
            tuple(dict.fromkeys((*other_keys, *keys))),
        )
    return merged


def _meant(found: tuple[ExtractedEntity, tuple[str, ...]], known: Sequence[KnownEntity]) -> _Meant:
    one, keys = found
    named = [other for other in known if keys[0] in _keys(other)] or [
        other for other in known if set(keys) & _keys(other)
    ]
    agreeing = [other for other in named if _agree(one.type, other.type)]
    alike = [other for other in agreeing if other.type.casefold() == one.type.casefold()]
    for certain in (alike, agreeing):
        if len(certain) == 1:
            return _Meant(one, keys, certain[0].ref, certain[0])
    ref = _own_ref(one, keys[0], named)
    asked = (agreeing or named or _like(one, known))[:MOST_CANDIDATES]
    at_hand = next((other for other in known if other.ref == ref), None)
    others = tuple(other for other in asked if other.ref != ref)
    return _Meant(one, keys, ref, at_hand, others)


def _own_ref(one: ExtractedEntity, key: str, named: Sequence[KnownEntity]) -> EntityRef:
    """Told apart from stored entities of the same name by the class of its type."""
    is_taken = any(other.ref == EntityRef(key) for other in named)
    if is_taken and not any(
        other.ref == EntityRef(key) and _agree(one.type, other.type) for other in named
    ):
        return EntityRef(key, class_of(one.type) or "other")
    return EntityRef(key)


def _like(one: ExtractedEntity, known: Sequence[KnownEntity]) -> list[KnownEntity]:
    scored = [
        (max(likeness(name, other.name) for name in (one.name, *one.aliases)), other)
        for other in known
        if _agree(one.type, other.type)
    ]
    likely = [(score, other) for score, other in scored if score >= LEAST_LIKENESS]
    return [other for _, other in sorted(likely, key=lambda pair: -pair[0])]


def class_of(type_: str) -> TypeClass:
    """The class of a type in a model's words; empty when it is none of them."""
    words = type_.casefold().split()
    return next((_CLASSES[word] for word in reversed(words) if word in _CLASSES), "")


def _agree(one: str, other: str) -> bool:
    """Whether two types can be of one entity: a type of no class can be any."""
    a, b = class_of(one), class_of(other)
    return not a or not b or a == b


def _keys(known: KnownEntity) -> set[str]:
    return {known.ref.name_key, *known.alias_keys}


def _entity(meant: _Meant, text: str, parts: Sequence[Part]) -> FoundEntity:
    one, known = meant.entity, meant.known
    names = dict.fromkeys((one.name, *one.aliases))
    name = known.name if known is not None else one.name
    own = name_key(name)
    return FoundEntity(
        ref=meant.ref,
        name=name,
        type=known.type if known is not None and known.type != "thing" else one.type,
        aliases=tuple(other for other in names if name_key(other) != own),
        mention=one.mention,
        description=_first_sentence(one.mention or one.quote, text, parts),
    )


def _first_sentence(words: str, text: str, parts: Sequence[Part]) -> str:
    at = text.find(words) if words else -1
    part = next((part for part in parts if part.start <= at < part.end), None)
    return one_line(text[part.start : part.end], DESCRIPTION_CHARS) if part else ""


def _values(facts: Iterable[ExtractedFact]) -> Iterator[FoundEntity]:
    for fact in facts:
        if fact.target_is_value:
            yield FoundEntity(value_ref(fact.target), fact.target, VALUE, is_value=True)


def _once(entities: Iterable[FoundEntity]) -> tuple[FoundEntity, ...]:
    """Two names of one stored entity are one; the names of both are kept."""
    found: dict[EntityRef, FoundEntity] = {}
    for one in entities:
        before = found.setdefault(one.ref, one)
        if before is not one:
            aliases = tuple(dict.fromkeys((*before.aliases, *one.aliases)))
            found[one.ref] = replace(before, aliases=aliases)
    return tuple(found.values())


def _in_words(one: FoundEntity) -> str:
    return _line(one.name, one.type, aliases=one.aliases, description=one.description)


def _known_in_words(one: KnownEntity) -> str:
    return _line(one.name, one.type, aliases=one.alias_keys, description=one.description)


def _line(name: str, type_: str, *, aliases: Sequence[str], description: str) -> str:
    also = f"; also: {', '.join(aliases)}" if aliases else ""
    return f"{name} ({type_}{also}): {description}".rstrip(": ")
