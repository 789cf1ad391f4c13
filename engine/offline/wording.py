"""How a sentence is worded: like an answer to such a question, or with faults.

Every rule is about words and signs; the numbers are weights found by trying.
"""

import re
from collections.abc import Sequence

from engine.offline import cues
from engine.offline.library import Piece
from engine.offline.place import Place
from engine.offline.question import Part
from engine.retrieval.tokens import stem, terms

_SYMBOLS = re.compile(r"[^\w\s.,;:'\"“”‘’()/-]")
_CAPITALS = re.compile(r"\b([A-Z][A-Z_]+) ([A-Z][A-Z_]+)\b")
_BRACKETED = re.compile(r"\(([^()]{2,80})\)")
_SHOUTED = re.compile(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b[A-Z]{4,}\b|\b\w+_\w+\b")
_SMALL = frozenset({"the", "of", "and", "a", "an", "for", "in", "to"})
_TELLING = frozenset({"yesno", "why", "definition", "when", "how"})
_OPENING_WORDS = 7
_NEAR_WORDS = 10
_LONG_WORDS = 45
_LONG_CONTRAST = 70
_SHORT_WORDS = 7
_FRAGMENT_WORDS = 15
_MOST_SYMBOLS = 0.06
_LEAST_OWN = 0.12
_CUE_FITS = (0.0, 0.7, 1.0, 1.2)
_WEAK_FIT = 0.3
_ENTRY_CUE = 2.0


def cue(place: Place, piece: int) -> float:
    """How much the sentence is worded like an answer to such a question, from 0 to 3 or so."""
    part, sentence = place.asked.part, place.block.pieces[piece]
    lower = sentence.text.lower()
    kinds = [kind for kind in sorted(part.kinds) if kind in cues.STRONG_CUES]
    value = sum(_fit(kind, lower) for kind in kinds) / len(kinds) if kinds else 0.0
    if part.kinds & {"limit", "version"}:
        term = f"{place.block.lead.lower()} " if place.block.kind == "dd" and not piece else ""
        value += _measure_cue(part, f"{term}{lower}", place.term | set(sentence.terms))
    if "definition" in part.kinds:
        entry = place.is_entry and piece == 0
        value += _ENTRY_CUE if entry else _definition_cue(part, sentence)
    if "list" in part.kinds and cues.ENUMERATION.search(lower):
        value += 0.5
    if "yesno" in part.kinds:
        value += 0.5 * _all_near(part, sentence.terms) + 0.4 * _is_ordinary(lower)
    if "compare" in part.kinds:
        value += 0.3 * _all_near(part, sentence.terms) + 0.5 * _contrasts(part, lower)
    return value


def lead_in(place: Place, piece: int) -> float:
    """A bonus for what opens a list, a malus for what opens nothing."""
    pieces = place.block.pieces
    text, is_last = pieces[piece].text, piece == len(pieces) - 1
    opens = _opens(text)
    if piece == len(pieces) - 2 and _opens(pieces[-1].text):
        is_short = len(pieces[-1].text.split()) < _SHORT_WORDS
        text, opens, is_last = f"{text} {pieces[-1].text}", is_short, is_short
    if not opens or not is_last:
        return 0.0
    if not place.has_list:
        return -0.15
    return 0.2 if cues.LIST_LEADS.search(text.lower()) else 0.05


def _opens(text: str) -> bool:
    return text.rstrip().endswith((":", "："))


def faults(place: Place, piece: int, *, own: float) -> float:
    """What is taken off a sentence; `own` is its own share of the question's words."""
    sentence = place.block.pieces[piece]
    lower = sentence.text.lower()
    length = len(sentence.text.split())
    kinds = place.asked.part.kinds
    faults = (
        (0.06 if piece else 0.25, cues.ANAPHORIC.match(sentence.text) is not None),
        (0.15, sentence.text[0].islower() and place.block.kind == "p"),
        (0.08, sentence.text[0] == "("),
        (0.30, cues.POINTERS.search(lower) is not None and not _is_telling(place, sentence)),
        (0.25, "version" not in kinds and cues.CHANGE_NOTE.match(sentence.text) is not None),
        (0.12, cues.ASIDE.match(sentence.text) is not None),
        (0.25, lower.endswith("?")),
        (0.15, length > (_LONG_CONTRAST if "compare" in kinds else _LONG_WORDS)),
        (0.12, _is_modified(place, sentence)),
        (0.12, length < _SHORT_WORDS),
        (0.15, place.block.kind == "p" and length < _FRAGMENT_WORDS and not _is_ended(lower)),
        (0.30, _symbol_share(sentence.text) > _MOST_SYMBOLS),
        (0.15, place.block.kind == "dd" and _is_unasked(place)),
        (0.08, place.block.kind == "dd" and bool(kinds & _TELLING) and not place.is_entry),
        (0.30 if kinds & _TELLING else 0.10, place.block.kind == "tr" and "limit" not in kinds),
        (0.25, _is_about_changes(place)),
        (0.06 if place.heading_cover > own else 0.20, own < _LEAST_OWN),
    )
    return sum(value for value, holds in faults if holds)


def _fit(kind: cues.Kind, lower: str) -> float:
    """More for several different cue words than for one, little for weak ones."""
    strong = len({found.group() for found in cues.STRONG_CUES[kind].finditer(lower)})
    weak = kind in cues.WEAK_CUES and cues.WEAK_CUES[kind].search(lower) is not None
    return _CUE_FITS[min(strong, len(_CUE_FITS) - 1)] + _WEAK_FIT * weak


def _measure_cue(part: Part, lower: str, there: frozenset[str]) -> float:
    value = 0.9 if cues.NUMBER_WORD.search(lower) else 0.0
    if part.attributes and part.attributes <= there:
        value += 0.6
    if "limit" in part.kinds and cues.LIMIT_NAMING.search(lower):
        value += 0.6
    if "version" in part.kinds:
        value += 0.5 if cues.VERSION_NAMING.search(lower) else 0.0
        value -= 0.3 if cues.PRIOR.search(lower) else 0.0
    return value


def _definition_cue(part: Part, sentence: Piece) -> float:
    subject = [word for word, weight in part.core.items() if weight == 1] or list(part.core)
    opening = " ".join(sentence.text.split()[:_OPENING_WORDS])
    defines = cues.STRONG_CUES["definition"].search(opening.lower())
    value = 0.0
    if defines is not None:
        before = set(terms(opening[: defines.start()]))
        value += 1.3 if before and before <= set(subject) else 0.0
    return value + (1.5 if _expands(subject, sentence.text) else 0.0)


def _expands(subject: Sequence[str], text: str) -> bool:
    """Whether the text spells out a short form that was asked for: `X Y Z (XYZ)`, `XYZ (X Y Z)`."""
    for found in _BRACKETED.finditer(text):
        inside, before = found[1], text[: found.start()].split()
        short = before[-1].lower() if before else ""
        if stem(inside.lower()) in subject and _initials(before[-len(inside) :]) == inside.lower():
            return True
        if stem(short) in subject and len(short) > 1 and _spells(inside, short):
            return True
    return False


def _spells(long: str, short: str) -> bool:
    every = re.split(r"[\s-]+", long)
    weighty = [word for word in every if word.lower() not in _SMALL]
    return short in (_initials(every), _initials(weighty))


def _initials(spelled: Sequence[str]) -> str:
    return "".join(word.lstrip("(\"'")[:1] for word in spelled).lower()


def _all_near(part: Part, there: Sequence[str]) -> bool:
    places = [there.index(word) for word in part.core if word in there]
    wanted = [word for word in part.core if part.core[word] == 1]
    complete = all(word in there for word in wanted)
    return complete and bool(places) and max(places) - min(places) <= _NEAR_WORDS


def _is_ordinary(lower: str) -> bool:
    return cues.ORDINARY.search(lower) is not None


def _contrasts(part: Part, lower: str) -> bool:
    """Whether different words of the question stand before and after a word of contrast."""
    for found in cues.CONTRAST.finditer(lower):
        before, after = set(terms(lower[: found.start()])), set(terms(lower[found.end() :]))
        wanted = {word for word, weight in part.core.items() if weight == 1}
        if (wanted & before) - after and (wanted & after) - before:
            return True
    return False


def _is_about_changes(place: Place) -> bool:
    about = f"{place.page.title} {place.block.heading}"
    return "version" not in place.asked.part.kinds and bool(cues.RELEASE_NOTES.search(about))


def _is_modified(place: Place, sentence: Piece) -> bool:
    """Whether what was asked about is only named with an addition in capitals: `VACUUM FULL`."""
    found = list(_CAPITALS.finditer(sentence.text))
    added = [
        one
        for one in found
        if stem(one[1].lower()) in place.asked.weights
        and stem(one[2].lower()) not in place.asked.weights
    ]
    return bool(added) and len(added) == sum(
        sentence.text.count(name) for name in {one[1] for one in added}
    )


def _is_telling(place: Place, sentence: Piece) -> bool:
    """Whether a sentence that points elsewhere says something all the same."""
    return (
        "definition" in place.asked.part.kinds and _definition_cue(place.asked.part, sentence) > 0
    )


def _is_ended(text: str) -> bool:
    """Whether the text ends like a sentence or opens a list."""
    return text.rstrip("\"'”’»)]").endswith((".", "!", "?", "…", ":", "。", "！", "？", "："))


def _symbol_share(text: str) -> float:
    return len(_SYMBOLS.findall(text)) / len(text)


def _is_unasked(place: Place) -> bool:
    """A term like an identifier, whose words were not asked for."""
    return bool(_SHOUTED.search(place.block.lead)) and not (place.lead & set(place.asked.weights))
