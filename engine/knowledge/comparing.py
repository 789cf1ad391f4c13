"""New facts beside stored ones: what each text's names mean, which pairs are asked about, and what
the answers come to. Pure; the same for every order of rows.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast, get_args

from engine.domain.dates import shown, stated
from engine.domain.decisions import (
    EntityRef,
    Findings,
    KnownFact,
    NewFact,
    Origin,
    Verdict,
)
from engine.domain.facts import Period
from engine.domain.keys import name_key, relation_key
from engine.knowledge.extracted import ExtractedEntity, ExtractedFact, Extraction
from engine.knowledge.judging import Compared, EntityVerdict, Judged
from engine.knowledge.reconcile import Pair, decide, undecided
from engine.knowledge.resolve import KnownEntity, Resolution, Undecided, questions, resolve, settle


@dataclass(frozen=True, slots=True)
class Known:
    """What the dataset holds that the text may mean or touch."""

    entities: tuple[KnownEntity, ...] = ()
    facts: tuple[KnownFact, ...] = ()


@dataclass(frozen=True, slots=True)
class Asking:
    """The pairs that a reader must judge, and the same in words."""

    entities: tuple[Undecided, ...] = ()
    facts: tuple[Pair, ...] = ()
    entity_words: tuple[Compared, ...] = ()
    fact_words: tuple[Compared, ...] = ()


@dataclass(frozen=True, slots=True)
class Answers:
    """Verdicts by what they are about, so that they hold when everything is read again."""

    entities: Mapping[tuple[str, EntityRef], EntityVerdict]
    facts: Mapping[Pair, Verdict]
    dropped: int = 0
    notes: tuple[str, ...] = ()


NO_ANSWERS = Answers({}, {})


@dataclass(frozen=True, slots=True)
class Read:
    """A text with what was found in it and where it is from."""

    text: str
    extraction: Extraction
    origin: Origin

    def resolution(self, known: Known) -> Resolution:
        return resolve(complete(self.extraction), known.entities, text=self.text)


def touched(read: Read, known: Sequence[KnownEntity]) -> tuple[EntityRef, ...]:
    """Every entity that facts of the text are about, or may be about."""
    found = read.resolution(Known(tuple(known)))
    facts = _new_facts(read, found)
    ends = (ref for fact in facts for ref in (fact.source, fact.target))
    return tuple(dict.fromkeys((*ends, *(pair.known for pair in found.undecided))))


def asking(read: Read, known: Known) -> Asking:
    """What is to be asked, in one call: pairs of facts as if every likely name meant what it is
    like. Where it does not, the verdicts on those pairs count for nothing."""
    found = read.resolution(known)
    likely = settle(found, _first_of_each(found))
    new = _new_facts(read, likely)
    pairs = undecided(new, known.facts, read.origin)
    by_key = {fact.key: fact for fact in known.facts}
    return Asking(
        entities=found.undecided,
        facts=pairs,
        entity_words=tuple(Compared(*words) for words in questions(found, known.entities)),
        fact_words=tuple(
            Compared(
                _new_in_words(new[pair.new], likely), _known_in_words(by_key[pair.known], known)
            )
            for pair in pairs
        ),
    )


def answers(asked: Asking, judged: Judged) -> Answers:
    """The verdicts that were given."""
    entities = zip(asked.entities, judged.entities, strict=True)
    facts = zip(asked.facts, judged.facts, strict=True)
    return Answers(
        {(pair.key, pair.known): verdict for pair, verdict in entities if verdict},
        {pair: verdict for pair, verdict in facts if verdict},
        judged.dropped,
        judged.notes,
    )


def findings(read: Read, known: Known, given: Answers = NO_ANSWERS) -> Findings:
    """All that the text comes to."""
    found = read.resolution(known)
    settled = settle(found, [given.entities.get((q.key, q.known)) for q in found.undecided])
    new = _new_facts(read, settled)
    decisions = decide(new, known.facts, given.facts, origin=read.origin)
    dropped = read.extraction.dropped + given.dropped
    return Findings(settled.entities, decisions, dropped)


def complete(extraction: Extraction) -> Extraction:
    """With an entity for each end of a fact that was not listed as one."""
    named = {name_key(name) for one in extraction.entities for name in (one.name, *one.aliases)}
    ends = (
        end
        for fact in extraction.facts
        for end in (fact.source, *(() if fact.target_is_value else (fact.target,)))
    )
    missing = {name_key(end): end for end in ends if name_key(end) not in named}
    found = (ExtractedEntity(name, "thing", mention=name) for name in missing.values())
    return replace(extraction, entities=(*extraction.entities, *found))


def to_json(given: Answers) -> str:
    """The checkpoint of the reconciling call."""
    return json.dumps(
        {
            "entities": [
                [key, ref.name_key, ref.disambig, verdict]
                for (key, ref), verdict in given.entities.items()
            ],
            "facts": [[pair.new, pair.known, verdict] for pair, verdict in given.facts.items()],
            "dropped": given.dropped,
            "notes": list(given.notes),
        },
        ensure_ascii=False,
    )


def from_json(text: str) -> Answers:
    """What `to_json` wrote. Raises ValueError for anything else."""
    try:
        stored = json.loads(text)
        return Answers(
            {(key, EntityRef(name, also)): _entity(v) for key, name, also, v in stored["entities"]},
            {Pair(int(new), str(key)): _fact(v) for new, key, v in stored["facts"]},
            int(stored["dropped"]),
            tuple(map(str, stored["notes"])),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"the checkpoint of a comparison cannot be read: {error}") from error


def _entity(verdict: object) -> EntityVerdict:
    if verdict not in get_args(EntityVerdict):
        raise ValueError(f"{verdict!r} is no verdict on names")
    return cast("EntityVerdict", verdict)


def _fact(verdict: object) -> Verdict:
    if verdict not in get_args(Verdict):
        raise ValueError(f"{verdict!r} is no verdict on facts")
    return cast("Verdict", verdict)


def _first_of_each(found: Resolution) -> list[EntityVerdict]:
    """Each name as the likeliest entity that it may mean."""
    seen: set[str] = set()
    verdicts: list[EntityVerdict] = []
    for pair in found.undecided:
        verdicts.append("different" if pair.key in seen else "same")
        seen.add(pair.key)
    return verdicts


def _new_facts(read: Read, found: Resolution) -> tuple[NewFact, ...]:
    return tuple(_new_fact(fact, found) for fact in read.extraction.facts)


def _new_fact(fact: ExtractedFact, found: Resolution) -> NewFact:
    return NewFact(
        source=found.ref(fact.source),
        relation=fact.relation,
        relation_key=relation_key(fact.relation),
        target=found.ref(fact.target, is_value=fact.target_is_value),
        target_is_value=fact.target_is_value,
        description=fact.description,
        quote=fact.quote,
        quote_start=fact.quote_start,
        quote_end=fact.quote_end,
        is_exclusive=fact.exclusive,
        negated=fact.negated,
        period=Period(stated(fact.start), stated(fact.end)),
        basis="inferred" if fact.is_inferred else "stated",
        time_words=fact.time_words,
        actor=fact.actor,
    )


def _new_in_words(fact: NewFact, found: Resolution) -> str:
    names = {one.ref: one.name for one in found.entities}
    said = _in_words(fact, names.get(fact.source, ""), names.get(fact.target, ""))
    return f"{said} | {fact.quote}" if fact.quote else said


def _known_in_words(fact: KnownFact, known: Known) -> str:
    names = {one.ref: one.name for one in known.entities}
    source = names.get(fact.source, fact.source.name_key)
    return _in_words(fact, source, names.get(fact.target, fact.target.name_key))


def _in_words(fact: NewFact | KnownFact, source: str, target: str) -> str:
    no = "not: " if fact.negated else ""
    dates = _dates(fact.period)
    return f"{no}{source} {fact.relation} {target}: {fact.description}{dates}"


def _dates(period: Period) -> str:
    if period.start is None and period.end is None:
        return ""
    start = shown(period.start) if period.start else "?"
    end = shown(period.end) if period.end else ""
    return f" ({start} -> {end})"
