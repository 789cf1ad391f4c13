"""Takes from a model's answer what the text states, item by item, and says what it does not take.

    answer -> lists of items -> readable? -> its quotation or its names in the text? -> kept
                                   |no: asked again once         |no: dropped and counted

It must never add, guess or repair a statement; a quotation it gives is the text's own characters.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from engine.domain.keys import name_key, relation_key
from engine.domain.text_safety import one_line
from engine.knowledge.answer_items import AnsweredEntity, AnsweredFact, entity, fact
from engine.knowledge.answer_json import lists_in
from engine.knowledge.dating import Claimed, dates_of, is_date
from engine.knowledge.extracted import ExtractedEntity, ExtractedFact, Extraction
from engine.knowledge.material import Material
from engine.knowledge.namelike import is_name, is_quantity

MARKS = {"entities": "name", "facts": "source"}
UNSTATED_FACT = "a fact whose quotation and names the text does not hold was dropped"
UNSTATED_ENTITY = "an entity that the text does not name was dropped"
UNNAMED = "a fact about a pronoun or about itself was dropped"
NO_QUOTE = "a fact whose quotation is not in the text was kept without it"
NO_DATE = "a date that the text does not give was left out"
NO_ALIAS = "another name that the text does not give was left out"
VALUE_TYPES = frozenset(("value", "number", "date", "quantity", "amount", "money", "time"))


@dataclass(frozen=True, slots=True)
class Checked:
    """What was taken from one answer, and what is to be asked again."""

    extraction: Extraction
    problems: tuple[str, ...] = ()
    unreadable: int = 0
    """How many items of `extraction.dropped` could not be read; the rest were not stated."""
    is_readable: bool = True
    """False: not even the lists were found."""


def checked(answer: str, against: Material, *, after: int = 0) -> Checked:
    """Everything of an answer that the text states. `after`: where the piece that was asked about
    begins, to tell apart what the text says twice."""
    lists = lists_in(answer, MARKS)
    entities = [entity(item) for item in lists.items.get("entities", ())]
    facts = [fact(item) for item in lists.items.get("facts", ())]
    unreadable = [read for read in (*entities, *facts) if isinstance(read, str)]
    lost = len(unreadable) + lists.lost
    taking = _Taking(against, after)
    taking.take_facts([read for read in facts if not isinstance(read, str)], _named(entities))
    taking.take_entities([read for read in entities if not isinstance(read, str)])
    return Checked(
        replace(
            taking.extraction,
            dropped=taking.extraction.dropped + lost,
            notes=(*lists.problems, *lists.notes, *unreadable, *taking.extraction.notes),
        ),
        problems=(*lists.problems, *dict.fromkeys(unreadable)),
        unreadable=lost,
        is_readable=bool(lists.items),
    )


def together(first: Extraction, second: Extraction) -> Extraction:
    """Both, nothing twice: of two facts with the same ends and relation the one with a quotation,
    then the earlier one; names of one entity are collected."""
    return Extraction(
        entities=_entities_once((*first.entities, *second.entities)),
        facts=_facts_once((*first.facts, *second.facts)),
        dropped=first.dropped + second.dropped,
        notes=(*first.notes, *second.notes),
        unread_chunks=first.unread_chunks + second.unread_chunks,
    )


def counted(notes: Iterable[str]) -> tuple[str, ...]:
    """Each note once, with how often it was made when that is more than once."""
    return tuple(
        note if times == 1 else f"{note} ({times} times)" for note, times in Counter(notes).items()
    )


class _Taking:
    """Collects what is kept from one answer."""

    def __init__(self, against: Material, after: int) -> None:
        self._against = against
        self._after = after
        self._facts: list[ExtractedFact] = []
        self._entities: list[ExtractedEntity] = []
        self._notes: list[str] = []
        self._dropped = 0

    @property
    def extraction(self) -> Extraction:
        return Extraction(
            _entities_once(self._entities),
            _facts_once(self._facts),
            self._dropped,
            tuple(self._notes),
        )

    def take_facts(
        self, facts: Iterable[AnsweredFact], named: Mapping[str, AnsweredEntity]
    ) -> None:
        for answered in facts:
            refused = self._refusal(answered, named)
            if refused:
                self._drop(refused)
            else:
                self._facts.append(self._fact(answered, named))

    def take_entities(self, entities: Iterable[AnsweredEntity]) -> None:
        """Those that the text names or a kept fact needs; and the ends that nobody listed."""
        needed = {name_key(end): end for found in self._facts for end in _ends(found)}
        listed: set[str] = set()
        for answered in entities:
            key = name_key(answered.name)
            if answered.type.casefold() in VALUE_TYPES:
                continue
            if key in needed or self._names(answered):
                listed.add(key)
                self._entities.append(self._entity(answered))
            else:
                self._drop(UNSTATED_ENTITY)
        for key, end in needed.items():
            if key not in listed:
                worded = self._against.worded(end)
                self._entities.append(ExtractedEntity(end, "thing", (), worded, worded))

    def _refusal(self, answered: AnsweredFact, named: Mapping[str, AnsweredEntity]) -> str:
        """Why a fact is not taken; empty when it is."""
        if not is_name(answered.source) or name_key(answered.source) == name_key(answered.target):
            return UNNAMED
        ends = {answered.source: False, answered.target: _is_value(answered, named)}
        there = [self._stands(end, named) for end in ends]
        if self._place(answered) is None:
            return "" if all(there) else UNSTATED_FACT
        known = [self._against.knows(end) for end in ends]
        meant = [self._against.hints_at(end, is_value=value) for end, value in ends.items()]
        each = [any(signs) for signs in zip(there, known, meant, strict=True)]
        return "" if all(each) and any((*there, *known)) else UNSTATED_FACT

    def _fact(self, answered: AnsweredFact, named: Mapping[str, AnsweredEntity]) -> ExtractedFact:
        place = self._place(answered)
        if place is None:
            self._notes.append(NO_QUOTE)
        text = self._against.text
        words = self._against.worded(answered.time_words)
        claimed = Claimed(answered.start, answered.end, words)
        dates = dates_of(claimed, text, self._against.reference)
        self._notes.extend(NO_DATE for _ in dates.untold)
        quote = text[slice(*place)] if place else ""
        return ExtractedFact(
            source=answered.source,
            relation=answered.relation,
            target=answered.target,
            description=answered.description or one_line(quote),
            quote=quote,
            target_is_value=_is_value(answered, named),
            exclusive=answered.exclusive,
            negated=answered.negated,
            start=dates.start,
            end=dates.end,
            is_inferred=dates.is_inferred,
            time_words=words,
            quote_start=place[0] if place else None,
            quote_end=place[1] if place else None,
        )

    def _entity(self, answered: AnsweredEntity) -> ExtractedEntity:
        given = [alias for alias in answered.aliases if name_key(alias) != name_key(answered.name)]
        aliases = [alias for alias in given if is_name(alias) and self._against.holds(alias)]
        self._notes.extend(NO_ALIAS for _ in range(len(given) - len(aliases)))
        worded = (self._against.worded(name) for name in (answered.name, *aliases))
        mention = next((name for name in worded if name), "")
        quote = self._against.worded(answered.quote) or mention
        kind = answered.type or "thing"
        return ExtractedEntity(answered.name, kind, tuple(aliases), quote, mention)

    def _names(self, answered: AnsweredEntity) -> bool:
        names = (answered.name, *answered.aliases)
        return is_name(answered.name) and any(self._against.holds(name) for name in names)

    def _stands(self, end: str, named: Mapping[str, AnsweredEntity]) -> bool:
        entity_ = named.get(name_key(end))
        names = (end, *entity_.aliases) if entity_ else (end,)
        return any(self._against.holds(name) for name in names)

    def _place(self, answered: AnsweredFact) -> tuple[int, int] | None:
        return self._against.place(answered.quote, besides=answered.source, after=self._after)

    def _drop(self, why: str) -> None:
        self._dropped += 1
        self._notes.append(why)


def _named(entities: Iterable[AnsweredEntity | str]) -> dict[str, AnsweredEntity]:
    return {name_key(read.name): read for read in entities if not isinstance(read, str)}


def _ends(fact: ExtractedFact) -> tuple[str, ...]:
    return (fact.source,) if fact.target_is_value else (fact.source, fact.target)


def _is_value(answered: AnsweredFact, named: Mapping[str, AnsweredEntity]) -> bool:
    listed = named.get(name_key(answered.target))
    if listed is not None:
        return listed.type.casefold() in VALUE_TYPES
    target = answered.target
    is_figure = is_quantity(target) or is_date(target)
    return answered.target_is_value or is_figure or not is_name(target)


def _entities_once(entities: Iterable[ExtractedEntity]) -> tuple[ExtractedEntity, ...]:
    """Facts name their ends, so one name is one entity within a text."""
    found: dict[str, ExtractedEntity] = {}
    for one in entities:
        before = found.setdefault(name_key(one.name), one)
        if before is not one:
            found[name_key(one.name)] = replace(
                before,
                type=one.type if before.type == "thing" else before.type,
                aliases=tuple(dict.fromkeys((*before.aliases, *one.aliases))),
                quote=before.quote or one.quote,
                mention=before.mention or one.mention,
            )
    return tuple(found.values())


def _facts_once(facts: Iterable[ExtractedFact]) -> tuple[ExtractedFact, ...]:
    found: dict[tuple[str, ...], ExtractedFact] = {}
    for one in facts:
        key = _fact_identity(one)
        if key not in found or (one.quote and not found[key].quote):
            found[key] = one
    return tuple(found.values())


def _fact_identity(fact: ExtractedFact) -> tuple[str, ...]:
    ends = (name_key(fact.source), relation_key(fact.relation), name_key(fact.target))
    return (*ends, "not" if fact.negated else "", fact.start, fact.end)
