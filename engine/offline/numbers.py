"""Notices when two passages give different numbers for what looks like the same thing (2.7).

They are candidates to look at, never contradictions found: the report says so.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from engine.offline.library import Library, Piece
from engine.offline.question import Part
from engine.offline.quotes import Quote, quote_of
from engine.offline.scoring import Scored
from engine.retrieval.quantities import Quantity, comparable, differ, quantities
from engine.retrieval.similarity import cosine, tf_idf
from engine.retrieval.tokens import terms

MOST_PAIRS = 3
_MOST_SENTENCES = 60
_LEAST_COSINE, _MOST_COSINE = 0.15, 0.93
_CHARS_BEFORE, _CHARS_AFTER = 70, 35
_LEAST_SHARED = 2
_LEAST_SHARED_PART = 0.45
_TIME_NAMED = re.compile(r"\bversions? \d|\b\d+\.\d+\.\d+\b|\b(?:19|20)\d\d\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two quotations, the number in each as it is written, and whether time may explain it."""

    one: Quote
    one_number: str
    other: Quote
    other_number: str
    names_time: bool


def disagreements(
    read: Library, part: Part, ranked: Sequence[Scored], *, idf: Mapping[str, float]
) -> list[Disagreement]:
    """At most three pairs of sentences about the question whose numbers differ."""
    wanted = {word for word in part.core if word not in read.hosts}
    if not part.kinds & {"limit", "version"} or not wanted:
        return []
    measured = _measured(read, ranked, wanted)
    found: list[Disagreement] = []
    for one, other in combinations(measured, 2):
        pair = _differing(read, one, other, idf=idf)
        if pair is not None and len(found) < MOST_PAIRS and not _is_known(pair, found):
            found.append(pair)
    return found


@dataclass(frozen=True, slots=True)
class _Measured:
    scored: Scored
    piece: Piece
    numbers: tuple[Quantity, ...]


def _measured(read: Library, ranked: Sequence[Scored], wanted: set[str]) -> list[_Measured]:
    found: list[_Measured] = []
    wordings: set[str] = set()
    for one in ranked:
        piece = read.pages[one.page].blocks[one.block].pieces[one.piece]
        if not wanted <= set(piece.terms) or piece.text in wordings:
            continue
        wordings.add(piece.text)
        numbers = tuple(number for number in quantities(piece.text) if _counts(number))
        if numbers and len(found) < _MOST_SENTENCES:
            found.append(_Measured(one, piece, numbers))
    return found


def _counts(number: Quantity) -> bool:
    return number.kind == "version" or (number.kind == "number" and bool(number.unit))


def _differing(
    read: Library, one: _Measured, other: _Measured, *, idf: Mapping[str, float]
) -> Disagreement | None:
    pages = read.pages[one.scored.page], read.pages[other.scored.page]
    alike = cosine(tf_idf(one.piece.terms, idf), tf_idf(other.piece.terms, idf))
    if not pages[0].hosts & pages[1].hosts or not _LEAST_COSINE <= alike <= _MOST_COSINE:
        return None
    return next(
        (
            _disagreement(read, _Number(one, mine), _Number(other, theirs))
            for mine in one.numbers
            for theirs in other.numbers
            if differ(mine, theirs)
            and not _agree(one.numbers, other.numbers, mine.unit)
            and _is_same_subject(_around(one.piece, mine), _around(other.piece, theirs))
        ),
        None,
    )


@dataclass(frozen=True, slots=True)
class _Number:
    where: _Measured
    number: Quantity


def _agree(mine: Sequence[Quantity], theirs: Sequence[Quantity], unit: str) -> bool:
    """Whether the two sentences agree on some number of this unit."""
    return any(
        one.unit == unit and comparable(one, other) and not differ(one, other)
        for one in mine
        for other in theirs
    )


def _around(piece: Piece, number: Quantity) -> set[str]:
    before = piece.text[max(0, number.start - _CHARS_BEFORE) : number.start]
    after = piece.text[number.end : number.end + _CHARS_AFTER]
    return set(terms(f"{before} {after}"))


def _is_same_subject(one: set[str], other: set[str]) -> bool:
    shared = len(one & other)
    smaller = min(len(one), len(other))
    return shared >= _LEAST_SHARED and shared >= _LEAST_SHARED_PART * smaller


def _disagreement(read: Library, one: _Number, other: _Number) -> Disagreement:
    told = f"{one.where.piece.text} {other.where.piece.text}"
    return Disagreement(
        one=quote_of(read, one.where.scored, {}, with_code=False),
        one_number=_written(one),
        other=quote_of(read, other.where.scored, {}, with_code=False),
        other_number=_written(other),
        names_time=_TIME_NAMED.search(told) is not None,
    )


def _written(one: _Number) -> str:
    text = one.where.piece.text[one.number.start : one.number.end]
    unit = one.number.unit
    following = one.where.piece.text[one.number.end :].split()[:1]
    named = unit and following and following[0].lower().startswith(unit)
    return f"{text} {following[0].strip('.,;:()')}" if named else text


def _is_known(pair: Disagreement, found: Sequence[Disagreement]) -> bool:
    numbers = {pair.one_number, pair.other_number}
    return any(numbers == {other.one_number, other.other_number} for other in found)
