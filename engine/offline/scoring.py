"""Scores sentences against one question by word statistics and cue words (offline.md, 2.6).

A high score means that a sentence looks like an answer. Nothing here understands it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from engine.offline import cues
from engine.offline.library import Library, Page, PageBlock, Piece
from engine.offline.question import Part
from engine.offline.ranking import Ranking, synonyms
from engine.retrieval.tokens import stem, terms

BLOCKS_BEFORE = 3
BLOCKS_AFTER = 5
HOST_WEIGHT = 0.25

_IN_SENTENCE, _IN_LEAD, _IN_HEADING, _IN_GOOD_HEADING = 1.0, 0.75, 0.6, 0.8
_BEFORE, _IN_TITLE, _IN_BLOCK, _HOST = 0.5, 0.45, 0.35, 0.9
_ALIKE_IN_SENTENCE, _ALIKE_IN_LEAD, _ALIKE_IN_HEADING = 0.6, 0.5, 0.4
_GOOD_PASSAGE = 0.6
_NEAR_PASSAGE = 0.5

_DIGIT = re.compile(r"\d")
_SYMBOLS = re.compile(r"[^\w\s.,;:'\"“”‘’()/-]")
_BRACKETED = re.compile(r"\(([^()]{2,80})\)")
_SMALL = frozenset({"the", "of", "and", "a", "an", "for", "in", "to"})
_TELLING = frozenset({"yesno", "why", "definition", "when", "how"})
_OPENING_WORDS = 7
_NEAR_WORDS = 10
_LONG_WORDS = 45
_SHORT_WORDS = 7
_MOST_SYMBOLS = 0.06
_LEAST_OWN = 0.12
_SHOUTED = re.compile(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b[A-Z]{4,}\b|\b\w+_\w+\b")


@dataclass(frozen=True, slots=True)
class Scored:
    """A sentence as a candidate: `read.pages[page].blocks[block].pieces[piece]`."""

    page: int
    block: int
    piece: int
    score: float
    cover: float
    """Weighted share of the question's words that it or its surroundings hold, 0 to 1."""
    own: float
    """The same, of the words in the sentence itself."""


def scored(read: Library, part: Part, ranking: Ranking) -> list[Scored]:
    """The sentences around the best passages, best first, equals in reading order."""
    asked = _asked(part, ranking)
    found: list[Scored] = []
    for at, page in enumerate(read.pages):
        strength = _strengths(page, at, ranking)
        for number in sorted(strength):
            place = _Place(page, number, strength[number], asked)
            found += [_scored(place, at, piece) for piece in range(len(place.block.pieces))]
    return sorted(found, key=lambda one: (-one.score, one.page, one.block, one.piece))


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question with the statistics that its words are weighed by."""

    part: Part
    weights: Mapping[str, float]
    """Core stem -> weight times rarity; they sum to 1."""
    alike: Mapping[str, str]
    feedback: Mapping[str, float]


def _asked(part: Part, ranking: Ranking) -> _Asked:
    rarest = max(ranking.idf.values(), default=1.0)
    raw = {word: weight * ranking.idf.get(word, rarest) for word, weight in part.core.items()}
    total = sum(raw.values()) or 1.0
    return _Asked(
        part=part,
        weights={word: weight / total for word, weight in raw.items()},
        alike=synonyms(part.core),
        feedback=ranking.feedback,
    )


def _strengths(page: Page, at: int, ranking: Ranking) -> dict[int, float]:
    """Block -> the score of its passage, or half of it for blocks near a good passage."""
    found: dict[int, float] = {}
    for stretch in page.passages:
        score = ranking.scores.get((at, stretch.first))
        if score is None:
            continue
        last = min(stretch.last + BLOCKS_AFTER, len(page.blocks))
        for number in range(max(0, stretch.first - BLOCKS_BEFORE), last):
            inside = stretch.first <= number < stretch.last
            value = score if inside else _NEAR_PASSAGE * score
            if page.blocks[number].segment == page.blocks[stretch.first].segment:
                found[number] = max(value, found.get(number, 0.0))
    return {number: value for number, value in found.items() if _is_text(page.blocks[number])}


def _is_text(block: PageBlock) -> bool:
    return block.kind not in ("heading", "pre")


class _Place:
    """One block with the words around it, counted once for all its sentences."""

    def __init__(self, page: Page, number: int, strength: float, asked: _Asked) -> None:
        self.page = page
        self.number = number
        self.block = page.blocks[number]
        self.strength = strength
        self.asked = asked
        self.opens_section = number > 0 and page.blocks[number - 1].kind == "heading"
        self.has_list = _has_list(page, number)

    @cached_property
    def lead(self) -> frozenset[str]:
        return frozenset(terms(self.block.lead))

    @cached_property
    def heading(self) -> frozenset[str]:
        return frozenset(terms(" ".join(self.block.headings[-2:])))

    @cached_property
    def title(self) -> frozenset[str]:
        return frozenset(terms(self.page.title))

    @cached_property
    def whole(self) -> frozenset[str]:
        return frozenset(term for piece in self.block.pieces for term in piece.terms)

    @cached_property
    def heading_cover(self) -> float:
        return _share(self.asked.weights, self.heading)


def _has_list(page: Page, number: int) -> bool:
    following = page.blocks[number + 1 : number + 2]
    return bool(following) and following[0].kind in ("li", "dd", "tr", "pre")


def _scored(place: _Place, page: int, piece: int) -> Scored:
    sentence = place.block.pieces[piece]
    own_words = frozenset(sentence.terms)
    previous = frozenset(place.block.pieces[piece - 1].terms) if piece else frozenset()
    cover = _cover(place, own_words, previous)
    own = _share(place.asked.weights, own_words)
    cue = _cue(place.asked.part, sentence)
    score = (
        cover * (1 + 0.35 * cue * cover)
        + 0.15 * _bigrams(place.asked.part, sentence)
        + 0.2 * place.strength
        + 0.12 * _feedback_share(place.asked, own_words)
        + 0.08 / (1 + place.page.rank)
        + 0.05 * (piece == 0)
        + (0.05 + 0.12 * place.heading_cover) * (place.opens_section and piece == 0)
        + _lead_in(place, piece)
        - _faults(place, piece, own=own)
    )
    return Scored(page, place.number, piece, score, cover, own)


def _share(weights: Mapping[str, float], there: frozenset[str]) -> float:
    return sum(weight for word, weight in weights.items() if word in there)


def _cover(place: _Place, own: frozenset[str], previous: frozenset[str]) -> float:
    return sum(
        weight * _best_place(word, place, own, previous)
        for word, weight in place.asked.weights.items()
    )


def _best_place(word: str, place: _Place, own: frozenset[str], previous: frozenset[str]) -> float:
    """How near the sentence holds the word, from 1 (in itself) to 0 (nowhere around)."""
    if word in own:
        return _IN_SENTENCE
    in_heading = _IN_GOOD_HEADING if place.strength >= _GOOD_PASSAGE else _IN_HEADING
    alike = [other for other, stands_for in place.asked.alike.items() if stands_for == word]
    return max(
        _HOST * (word in place.page.hosts),
        _IN_LEAD * (word in place.lead),
        in_heading * (word in place.heading),
        _BEFORE * (word in previous),
        _IN_TITLE * (word in place.title),
        _IN_BLOCK * (word in place.whole),
        _ALIKE_IN_SENTENCE * any(other in own for other in alike),
        _ALIKE_IN_LEAD * any(other in place.lead for other in alike),
        _ALIKE_IN_HEADING * any(other in place.heading for other in alike),
    )


def _bigrams(part: Part, sentence: Piece) -> float:
    wanted = part.bigrams
    return len(wanted & set(pairwise(sentence.terms))) / len(wanted) if wanted else 0.0


def _feedback_share(asked: _Asked, own: frozenset[str]) -> float:
    total = sum(asked.feedback.values())
    return _share(asked.feedback, own) / total if total else 0.0


def _cue(part: Part, sentence: Piece) -> float:
    """How much the sentence is worded like an answer to such a question, from 0 to 3 or so."""
    lower = sentence.text.lower()
    patterns = [cues.STATEMENT_CUES[kind] for kind in part.kinds if kind in cues.STATEMENT_CUES]
    fitting = sum(pattern.search(lower) is not None for pattern in patterns)
    value = fitting / len(patterns) if patterns else 0.0
    if part.kinds & {"limit", "version"}:
        value += _measure_cue(part, sentence, lower)
    if "definition" in part.kinds:
        value += _definition_cue(part, sentence)
    if "yesno" in part.kinds and _all_near(part, sentence.terms):
        value += 0.5
    return value


def _measure_cue(part: Part, sentence: Piece, lower: str) -> float:
    value = 0.9 if _DIGIT.search(lower) else 0.0
    if part.attributes and part.attributes <= set(sentence.terms):
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
    defines = cues.STATEMENT_CUES["definition"].search(opening.lower())
    value = 0.0
    if defines is not None:
        before = set(terms(opening[: defines.start()]))
        value += 1.3 if before & set(subject) else 0.0
    return value + (1.5 if _expands(subject, sentence.text) else 0.0)


def _expands(subject: Sequence[str], text: str) -> bool:
    """Whether the text spells out a short form that was asked for: `X Y Z (XYZ)`, `XYZ (X Y Z)`."""
    for found in _BRACKETED.finditer(text):
        inside, before = found[1], text[: found.start()].split()
        if stem(inside.lower()) in subject and _initials(before[-len(inside) :]) == inside.lower():
            return True
        if before and stem(before[-1].lower()) in subject:
            spelled = [word for word in re.split(r"[\s-]+", inside) if word.lower() not in _SMALL]
            letters = _initials(spelled)
            if letters and letters[0] == before[-1][:1].lower() and len(spelled) > 2:
                return sum(letter in letters for letter in before[-1].lower()) >= len(letters) - 1
    return False


def _initials(spelled: Sequence[str]) -> str:
    return "".join(word.lstrip("(\"'")[:1] for word in spelled).lower()


def _all_near(part: Part, there: Sequence[str]) -> bool:
    places = [there.index(word) for word in part.core if word in there]
    wanted = [word for word in part.core if part.core[word] == 1]
    complete = all(word in there for word in wanted)
    return complete and bool(places) and max(places) - min(places) <= _NEAR_WORDS


def _lead_in(place: _Place, piece: int) -> float:
    text = place.block.pieces[piece].text.rstrip()
    if not text.endswith((":", "：")) or piece < len(place.block.pieces) - 1:
        return 0.0
    if not place.has_list:
        return -0.15
    return 0.2 if cues.LIST_LEADS.search(text.lower()) else 0.05


def _faults(place: _Place, piece: int, *, own: float) -> float:
    sentence = place.block.pieces[piece]
    lower = sentence.text.lower()
    length = len(sentence.text.split())
    faults = (
        (0.10 if piece else 0.25, cues.ANAPHORIC.match(sentence.text) is not None),
        (0.30, cues.POINTERS.search(lower) is not None and length < _LONG_WORDS),
        (0.25, lower.endswith("?")),
        (0.15, length > _LONG_WORDS),
        (0.12, length < _SHORT_WORDS),
        (0.30, _symbol_share(sentence.text) > _MOST_SYMBOLS),
        (0.15, place.block.kind == "dd" and _is_unasked(place)),
        (0.08, place.block.kind in ("dd", "tr") and bool(place.asked.part.kinds & _TELLING)),
        (0.06 if place.heading_cover > own else 0.20, own < _LEAST_OWN),
    )
    return sum(value for value, holds in faults if holds)


def _symbol_share(text: str) -> float:
    return len(_SYMBOLS.findall(text)) / len(text)


def _is_unasked(place: _Place) -> bool:
    """A term like an identifier, whose words were not asked for."""
    return bool(_SHOUTED.search(place.block.lead)) and not (place.lead & set(place.asked.weights))
