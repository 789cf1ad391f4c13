"""Facts whose reading is certain, found without a model: a few exact shapes of sentences.

    The NAME option was added in PRODUCT 3.35.0 (2021-03-12).   PRODUCT 3.35.0 added the NAME mode.
    PRODUCT 3.35.0 was released on 12 March 2021.               The default value of NAME is 100.
    The NAME mode, introduced in 3.35, is fast.                 NAME (default: 100) is a limit.

A wrong fact is worse than none. The subject must be a name by itself: code, capitals, quoted, or
capitalised where the text shows that it is a name; and it must name one thing, not one of many such
as an argument. Nothing may stand between the parts that the shape does not know: no condition, no
negation, no plan, no other subject.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from engine.domain.facts import Stated
from engine.domain.keys import name_key
from engine.knowledge.chunks import Part, sentences
from engine.knowledge.dating import Claimed, dates_of
from engine.knowledge.extracted import ExtractedEntity, ExtractedFact, Extraction
from engine.knowledge.pattern_words import (
    AFTER_NUMBER,
    CHANGE,
    DATE,
    KIND,
    NAME,
    NUMBER,
    RELATIONS,
    THERE,
    UNIT,
    VERB,
    VERSION,
    Proper,
    is_code,
    is_global,
    is_one_of_many,
    is_version,
    subject,
    unquoted,
    version_named,
)

SENTENCE_MOST_CHARS = 400
"""A longer one is a list or a table that lost its marks."""

_NOTE = r"(?:Note(?:\s+that|:)\s+)?"
_OPENING = rf"{_NOTE}(?:(?:[Tt]he|An?)\s+(?:new\s+)?)?(?:(?:{KIND}|{KIND.title()})\s+)?"
_NAMED = rf"(?P<name>{NAME})(?:\s+(?P<kind>{KIND}))?"
_WAS = r"\s+(?:was|has\s+been|is)\s+(?:first\s+|officially\s+|newly\s+|now\s+)?"
_PLACE = r"(?:\s+(?:to|from)\s+(?:the\s+)?[\w.]+(?:\s+(?:module|class|language|core))?)?"
_IN = r"\s+(?:in|with|by|since|as\s+of|starting\s+with|on)\s+(?:the\s+)?"
_WHEN = rf"(?:(?P<date>{DATE})|{VERSION})"
_DATED = rf"(?:,?\s+(?:\((?P<dated>{DATE})\)|(?:on|in)\s+(?P<dated_too>{DATE})))?"
_CLOSED = (
    r"(?=\s*(?:[.,;:()]|$|—|–|(?:and|but|which|as|to|for|by|when|so|because|after|along|via)\b))"
)
_NAME_CLOSED = r"(?=\.(?!\w)|[,;:]|$|\s+(?:\(|(?:and|which|that|as)\b))"
_LISTED = re.compile(r",?\s+and\s+|,\s+")
_DEFAULT = r"default(?:\s+(?:value|setting))?"
_LIMIT = r"(?:maximum|minimum)(?:\s+(?:value|size|length|width|depth))?"


@dataclass(frozen=True, slots=True)
class _Shape:
    """One pattern: its name for people, what it matches, and how its fact is read off."""

    name: str
    matches: re.Pattern[str]
    read: "Callable[[re.Match[str], Proper], Iterable[_Read]]"
    is_anywhere: bool = False
    """It may stand inside a sentence."""


@dataclass(frozen=True, slots=True)
class _Read:
    """What a sentence says, by the shape that it has."""

    source: str
    relation: str
    target: str
    kind: str = ""
    is_value: bool = True
    exclusive: bool = False
    date: str = ""


@dataclass(frozen=True, slots=True)
class PatternFact:
    """A fact and the name of the pattern that found it, for measuring."""

    pattern: str
    fact: ExtractedFact
    kind: str
    """What the sentence calls the source: `option`, `function`; empty: nothing."""


def pattern_facts(text: str, reference: Stated | None = None) -> Extraction:
    """All facts that a pattern finds, with their entities, each marked `pattern`."""
    entities: dict[str, ExtractedEntity] = {}
    facts: dict[tuple[str, ...], ExtractedFact] = {}
    for found in found_by_pattern(text, reference):
        fact = found.fact
        facts.setdefault((name_key(fact.source), fact.relation, name_key(fact.target)), fact)
        for entity in _entities(found):
            entities.setdefault(name_key(entity.name), entity)
    return Extraction(tuple(entities.values()), tuple(facts.values()))


def found_by_pattern(text: str, reference: Stated | None = None) -> Iterator[PatternFact]:
    """Every fact with the pattern that found it, in the order of the text."""
    proper = Proper(text)
    for part in sentences(text):
        if part.end - part.start <= SENTENCE_MOST_CHARS:
            yield from _of_sentence(text, part, proper, reference)


def _of_sentence(
    text: str, part: Part, proper: Proper, reference: Stated | None
) -> Iterator[PatternFact]:
    sentence = text[part.start : part.end]
    if sentence.endswith("?"):
        return
    for shape in _SHAPES:
        found = [read for match in _matches(shape, sentence) for read in shape.read(match, proper)]
        for read in found:
            fact = _fact(read, sentence, reference)
            placed = replace(fact, quote_start=part.start, quote_end=part.end)
            yield PatternFact(shape.name, placed, read.kind)
        if found:
            return


def _matches(shape: _Shape, sentence: str) -> Iterable[re.Match[str]]:
    if shape.is_anywhere:
        return shape.matches.finditer(sentence)
    match = shape.matches.match(sentence)
    return () if match is None else (match,)


def _fact(read: _Read, sentence: str, reference: Stated | None) -> ExtractedFact:
    dates = dates_of(Claimed(time_words=read.date), sentence, reference)
    return ExtractedFact(
        source=read.source,
        relation=read.relation,
        target=read.target,
        description=" ".join(sentence.split()),
        quote=sentence,
        target_is_value=read.is_value,
        exclusive=read.exclusive,
        start=dates.start,
        time_words=read.date,
        actor="pattern",
    )


def _entities(found: PatternFact) -> Iterator[ExtractedEntity]:
    fact = found.fact
    yield _entity(fact.source, found.kind or "thing", fact.quote)
    if not fact.target_is_value:
        yield _entity(fact.target, "version", fact.quote)


def _entity(name: str, kind: str, quote: str) -> ExtractedEntity:
    worded = name if name in quote else ""
    return ExtractedEntity(name, kind, quote=worded, mention=worded)


def _changed(match: re.Match[str], proper: Proper) -> Iterator[_Read]:
    """NAME was added in VERSION or DATE."""
    yield from _at(match, (match["name"],), match["change"], proper=proper)


def _all_changed(match: re.Match[str], proper: Proper) -> Iterator[_Read]:
    """NAME, NAME and NAME were added: all of them, or what stands there is no list of names."""
    names = [name for name in _LISTED.split(match["names"]) if name]
    if all(proper.is_name(name, kind=match["kind"] or "") for name in names):
        yield from _at(match, names, match["change"], proper=proper)


def _change_of(match: re.Match[str], proper: Proper) -> Iterator[_Read]:
    """VERSION added the NAME option: the same from the other side."""
    if proper.is_product(match["product"]):
        yield from _at(match, (match["name"],), match["verb"], proper=proper)


def _supported(match: re.Match[str], proper: Proper) -> Iterator[_Read]:
    """Support for NAME was added in VERSION."""
    for read in _at(match, (match["name"],), match["change"], proper=proper):
        yield replace(read, relation=read.relation.replace("was", "support was"))


def _at(
    match: re.Match[str], names: Sequence[str], verb: str, *, proper: Proper
) -> Iterator[_Read]:
    kind = match["kind"] or ""
    when = _when(match, proper)
    if when is not None and when.date and when.target == when.date and not kind:
        names = [name for name in names if is_code(name)]
    for name in names:
        if when is None or is_one_of_many(name, kind):
            return
        if proper.is_name(name, kind=kind):
            relation = RELATIONS[verb.lower()]
            yield replace(when, source=subject(name, kind), relation=relation, kind=kind)


def _when(match: re.Match[str], proper: Proper) -> _Read | None:
    """The version or the date of a change; None for a figure that is neither."""
    found = match.groupdict()
    date = " ".join((found.get("date") or found["dated"] or found["dated_too"] or "").split())
    if found["number"] is None:
        return _Read("", "", date, date=date)
    if not is_version(match):
        return None
    version = version_named(match)
    if version is None:
        return _Read("", "", f"version {found['number']}", date=date)
    if not proper.is_product(found["product"]):
        return None
    return _Read("", "", version, is_value=False, date=date)


def _released(match: re.Match[str], proper: Proper) -> Iterator[_Read]:
    """PRODUCT VERSION was released on DATE."""
    name = version_named(match)
    if name is not None and proper.is_product(match["product"]):
        date = " ".join(match["date"].split())
        yield _Read(name, "was released on", date, "version", exclusive=True, date=date)


def _limited(match: re.Match[str], proper: Proper) -> Iterator[_Read]:
    """The default or a limit of NAME is a number."""
    name, kind = match["name"], match.groupdict().get("kind") or ""
    bare = unquoted(name)
    if is_code(bare) and is_global(bare, kind) and proper.is_name(name, kind=kind):
        limit = " ".join((match.groupdict().get("limit") or "default").lower().split())
        value = match["value"].strip()
        yield _Read(subject(name, kind), f"has {limit}", value, kind, exclusive=True)


def _shape(
    name: str,
    pattern: str,
    read: Callable[[re.Match[str], Proper], Iterable[_Read]],
    *,
    is_anywhere: bool = False,
) -> _Shape:
    return _Shape(name, re.compile(pattern), read, is_anywhere)


_SHAPES = (
    _shape(
        "release dated",
        rf"{VERSION}\s+(?:was|is)\s+(?:first\s+)?released\s+(?:on|in)\s+(?P<date>{DATE}){_CLOSED}",
        _released,
    ),
    _shape(
        "support",
        rf"{_NOTE}Support\s+for\s+(?:the\s+)?{_NAMED}{_WAS}(?P<change>added|introduced|removed|dropped)"
        rf"{_PLACE}{_IN}{_WHEN}{_DATED}{_CLOSED}",
        _supported,
    ),
    _shape(
        "change",
        rf"{_OPENING}{_NAMED}{_WAS}(?P<change>{CHANGE}){_PLACE}{_IN}{_WHEN}{_DATED}{_CLOSED}",
        _changed,
    ),
    _shape(
        "change of several",
        rf"{_NOTE}(?:The\s+)?(?:new\s+)?(?:{KIND}s\s+)?(?P<names>[^.;:?!]*?,?\s+and\s+{NAME})"
        rf"(?:\s+(?P<kind>{KIND})s)?\s+(?:were|have\s+been|are)\s+(?P<change>{CHANGE})"
        rf"{_PLACE}{_IN}{_WHEN}{_DATED}{_CLOSED}",
        _all_changed,
    ),
    _shape(
        "available",
        rf"{_OPENING}{_NAMED}{_WAS}(?P<change>{THERE})\s+(?:since|as\s+of|starting\s+with)\s+"
        rf"{_WHEN}{_DATED}{_CLOSED}",
        _changed,
    ),
    _shape(
        "available and later",
        rf"{_OPENING}{_NAMED}\s+is\s+(?P<change>{THERE})\s+(?:in|with|from)\s+"
        rf"{VERSION}{_DATED}\s+(?:and|or)\s+(?:later|newer|above|up)\b",
        _changed,
    ),
    _shape(
        "apposition",
        rf"\b(?:[Tt]he|[Aa]n?)\s+(?:new\s+)?(?P<name>{NAME})\s+(?P<kind>{KIND}),?\s+"
        rf"(?:(?:that|which)\s+(?:was|has\s+been)\s+)?(?:first\s+)?"
        rf"(?P<change>added|introduced|deprecated|removed){_PLACE}{_IN}{_WHEN}{_DATED}{_CLOSED}",
        _changed,
        is_anywhere=True,
    ),
    _shape(
        "release with change",
        rf"{VERSION}{_DATED}\s+(?:also\s+)?(?P<verb>{VERB})\s+(?:(?:the|a)\s+)?(?:new\s+)?{_NAMED}"
        rf"{_NAME_CLOSED}",
        _change_of,
    ),
    _shape(
        "default of",
        rf"{_NOTE}The\s+{_DEFAULT}\s+(?:of|for)\s+(?:the\s+)?(?:{KIND}\s+)?{_NAMED}\s+is\s+{NUMBER}"
        rf"{AFTER_NUMBER}",
        _limited,
    ),
    _shape(
        "default after",
        rf"{_OPENING}{_NAMED}\s+(?:defaults\s+to|has\s+a\s+{_DEFAULT}\s+of)\s+{NUMBER}"
        rf"{AFTER_NUMBER}",
        _limited,
    ),
    _shape(
        "by default",
        rf"By\s+default,?\s+(?:the\s+)?{_NAMED}\s+is\s+(?:set\s+to\s+)?{NUMBER}{AFTER_NUMBER}",
        _limited,
    ),
    _shape(
        "default in brackets",
        rf"(?<!\S)(?P<name>[\w$]+)(?:\s+(?:(?P<kind>{KIND})|{UNIT}))?\s+"
        rf"\((?:the\s+)?default(?:\s+is|\s+value|:)?:?\s+{NUMBER}\)",
        _limited,
        is_anywhere=True,
    ),
    _shape(
        "limit of",
        rf"{_NOTE}The\s+(?P<limit>{_LIMIT})\s+(?:of|for)\s+(?:the\s+)?{_NAMED}\s+is\s+{NUMBER}"
        rf"{AFTER_NUMBER}",
        _limited,
    ),
)
