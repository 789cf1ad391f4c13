"""Scores sentences against one question by word statistics and cue words (offline.md, 2.6).

A high score means that a sentence looks like an answer. Nothing here understands it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
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

_SYMBOLS = re.compile(r"[^\w\s.,;:'\"“”‘’()/-]")
_CAPITALS = re.compile(r"\b([A-Z][A-Z_]+) ([A-Z][A-Z_]+)\b")
_CALLED = re.compile(r"\s*[(:=]")
_BRACKETED = re.compile(r"\(([^()]{2,80})\)")
_SMALL = frozenset({"the", "of", "and", "a", "an", "for", "in", "to"})
_TELLING = frozenset({"yesno", "why", "definition", "when", "how"})
_OPENING_WORDS = 7
_NEAR_WORDS = 10
_LONG_WORDS = 45
_LONG_CONTRAST = 70
_SHORT_WORDS = 7
_MOST_SYMBOLS = 0.06
_LEAST_OWN = 0.12
_CUE_FITS = (0.0, 0.7, 1.0, 1.2)
_WEAK_FIT = 0.3
_ENTRY_CUE = 2.0
_EARLY_WORDS = 3
_LEAST_INSIDE = 4
_OPENING_CHARS = 2500
_MOST_FOR_HOME = 40
_BEST_FOR_HOME = 3
_EMBEDDED = 0.7
_MOST_CODE_LINES = 2
_QUESTION_HEADING = 0.95
_LEAST_QUESTION_COVER = 0.35
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


@dataclass(frozen=True, slots=True)
class Home:
    """The section that is most about a question: what stands there is about it unnamed."""

    page: int
    headings: tuple[str, ...]


def scored(
    read: Library, part: Part, ranking: Ranking, *, home: Home | None = None
) -> list[Scored]:
    """The sentences around the best passages, best first, equals in reading order.

    With `home` only those of that section, its heading's words counting as if each held them.
    """
    asked = _asked(part, ranking)
    found: list[Scored] = []
    for at, page in enumerate(read.pages):
        strength = _strengths(page, at, ranking)
        for number in sorted(strength):
            if home is None or home == Home(at, page.blocks[number].headings):
                place = _Place(page, number, strength[number], asked)
                place.is_home = home is not None
                found += [_scored(place, at, piece) for piece in range(len(place.block.pieces))]
    return sorted(found, key=lambda one: (-one.score, one.page, one.block, one.piece))


def home_of(read: Library, ranked: Sequence[Scored]) -> Home | None:
    """The section whose three best sentences are best together; None when there are none."""
    best: dict[Home, list[float]] = {}
    for one in ranked[:_MOST_FOR_HOME]:
        block = read.pages[one.page].blocks[one.block]
        if block.headings:
            best.setdefault(Home(one.page, block.headings), []).append(one.score)
    return max(best, key=lambda home: sum(best[home][:_BEST_FOR_HOME]), default=None)


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question with the statistics that its words are weighed by."""

    part: Part
    weights: Mapping[str, float]
    """Core stem -> weight times rarity; they sum to 1."""
    alike: Mapping[str, str]
    feedback: Mapping[str, float]

    def seen(self, told: Iterable[str]) -> frozenset[str]:
        """The words told, and the identifiers of the question whose pieces are all among them."""
        there = frozenset(told)
        names = self.part.names.items()
        return there | {name for name, pieces in names if there.issuperset(pieces)}


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
        self.is_home = False
        self.asked = asked
        self.opens_section = number > 0 and page.blocks[number - 1].kind == "heading"
        self.has_list = _has_list(page, number)

    @cached_property
    def lead(self) -> frozenset[str]:
        return self.asked.seen(terms(self.block.lead))

    @cached_property
    def term(self) -> frozenset[str]:
        """The words of the term that the block defines: they are what its sentences are about."""
        if self.block.kind != "dd":
            return frozenset()
        squeezed = self.block.lead.lower().replace("_", "")
        inside = {w for w in self.asked.weights if len(w) >= _LEAST_INSIDE and w in squeezed}
        return self.lead | inside

    @cached_property
    def is_entry(self) -> bool:
        """Whether the block is the entry of a glossary or reference for what was asked."""
        if self.block.kind != "dd":
            return False
        core = self.asked.part.core
        wanted = {word for word, weight in core.items() if weight == 1} - self.page.hosts
        name = _CALLED.split(self.block.lead)[0].rpartition(".")[2]
        named = self.asked.seen(terms(name))
        plain = {word for word in named if "_" not in word or word in wanted}
        pieces = {piece for pieces in self.asked.part.names.values() for piece in pieces}
        return bool(wanted) and wanted <= named and plain <= wanted | pieces | self.page.hosts

    @cached_property
    def in_heading(self) -> float:
        """What a word in the heading counts: much when the heading asks the same question."""
        if self.is_home:
            return _IN_SENTENCE
        if self.block.heading.endswith("?") and self.heading_cover >= _LEAST_QUESTION_COVER:
            return _QUESTION_HEADING
        return _IN_GOOD_HEADING if self.strength >= _GOOD_PASSAGE else _IN_HEADING

    @cached_property
    def heading(self) -> frozenset[str]:
        return self.asked.seen(terms(" ".join(self.block.headings[-2:])))

    @cached_property
    def title(self) -> frozenset[str]:
        return self.asked.seen(terms(self.page.title))

    @cached_property
    def whole(self) -> frozenset[str]:
        return self.asked.seen(term for piece in self.block.pieces for term in piece.terms)

    @cached_property
    def heading_cover(self) -> float:
        return _share(self.asked.weights, self.heading)

    @cached_property
    def opening_cover(self) -> float:
        """How much the title names what was asked, for what stands at the beginning of a page."""
        near = self.block.start < _OPENING_CHARS
        return _share(self.asked.weights, self.title - self.page.hosts) if near else 0.0


def _has_list(page: Page, number: int) -> bool:
    following = page.blocks[number + 1 : number + 2]
    return bool(following) and (
        following[0].kind in ("li", "dd", "tr")
        or (following[0].kind == "pre" and following[0].text.count("\n") < _MOST_CODE_LINES)
    )


def _scored(place: _Place, page: int, piece: int) -> Scored:
    sentence = place.block.pieces[piece]
    own_words = place.asked.seen(sentence.terms) | place.term
    embedded = sentence.embedded
    previous = place.asked.seen(place.block.pieces[piece - 1].terms if piece else ())
    cover = _cover(place, own_words - embedded, previous, own_words & embedded)
    own = _share(place.asked.weights, own_words) - 0.3 * _share(place.asked.weights, embedded)
    cue = _cue(place, piece)
    score = (
        cover * (1 + 0.35 * cue * cover)
        + 0.15 * _bigrams(place.asked.part, sentence)
        + 0.2 * place.strength
        + 0.12 * _feedback_share(place.asked, own_words)
        + 0.08 / (1 + place.page.rank)
        + 0.05 * (piece == 0)
        + 0.15 * _share(place.asked.weights, place.asked.seen(sentence.terms[:_EARLY_WORDS]))
        + 0.2 * place.heading_cover
        + 0.12 * place.opening_cover
        + 0.05 * (place.opens_section and piece == 0)
        + 0.2 * (place.is_entry and piece == 0)
        + _lead_in(place, piece)
        - _faults(place, piece, own=own)
    )
    return Scored(page, place.number, piece, score, cover, own)


def _share(weights: Mapping[str, float], there: frozenset[str]) -> float:
    return sum(weight for word, weight in weights.items() if word in there)


def _cover(
    place: _Place, own: frozenset[str], previous: frozenset[str], embedded: frozenset[str]
) -> float:
    return sum(
        weight * max(_best_place(word, place, own, previous), _EMBEDDED * (word in embedded))
        for word, weight in place.asked.weights.items()
    )


def _best_place(word: str, place: _Place, own: frozenset[str], previous: frozenset[str]) -> float:
    """How near the sentence holds the word, from 1 (in itself) to 0 (nowhere around)."""
    if word in own:
        return _IN_SENTENCE
    alike = [other for other, stands_for in place.asked.alike.items() if stands_for == word]
    return max(
        _HOST * (word in place.page.hosts),
        _IN_LEAD * (word in place.lead),
        place.in_heading * (word in place.heading),
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


def _cue(place: _Place, piece: int) -> float:
    """How much the sentence is worded like an answer to such a question, from 0 to 3 or so."""
    part, sentence = place.asked.part, place.block.pieces[piece]
    lower = sentence.text.lower()
    kinds = [kind for kind in sorted(part.kinds) if kind in cues.STRONG_CUES]
    value = sum(_fit(kind, lower) for kind in kinds) / len(kinds) if kinds else 0.0
    if part.kinds & {"limit", "version"}:
        value += _measure_cue(part, sentence, lower)
    if "definition" in part.kinds:
        entry = place.is_entry and piece == 0
        value += _ENTRY_CUE if entry else _definition_cue(part, sentence)
    if "yesno" in part.kinds:
        value += 0.5 * _all_near(part, sentence.terms) + 0.4 * _is_ordinary(lower)
    if "compare" in part.kinds:
        value += 0.3 * _all_near(part, sentence.terms) + 0.5 * _contrasts(part, lower)
    return value


def _fit(kind: cues.Kind, lower: str) -> float:
    """More for several different cue words than for one, little for weak ones."""
    strong = len({found.group() for found in cues.STRONG_CUES[kind].finditer(lower)})
    weak = kind in cues.WEAK_CUES and cues.WEAK_CUES[kind].search(lower) is not None
    return _CUE_FITS[min(strong, len(_CUE_FITS) - 1)] + _WEAK_FIT * weak


def _measure_cue(part: Part, sentence: Piece, lower: str) -> float:
    value = 0.9 if cues.NUMBER_WORD.search(lower) else 0.0
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
    kinds = place.asked.part.kinds
    faults = (
        (0.06 if piece else 0.25, cues.ANAPHORIC.match(sentence.text) is not None),
        (0.15, sentence.text[0].islower() and place.block.kind == "p"),
        (0.08, sentence.text[0] == "("),
        (0.30, cues.POINTERS.search(lower) is not None and not _is_telling(place, sentence)),
        (0.25, "version" not in kinds and cues.CHANGE_NOTE.match(sentence.text) is not None),
        (0.25, lower.endswith("?")),
        (0.15, length > (_LONG_CONTRAST if "compare" in kinds else _LONG_WORDS)),
        (0.12, _is_modified(place, sentence)),
        (0.12, length < _SHORT_WORDS),
        (0.30, _symbol_share(sentence.text) > _MOST_SYMBOLS),
        (0.15, place.block.kind == "dd" and _is_unasked(place)),
        (0.08, place.block.kind == "dd" and bool(kinds & _TELLING) and not place.is_entry),
        (0.30 if kinds & _TELLING else 0.10, place.block.kind == "tr"),
        (0.25, _is_about_changes(place)),
        (0.06 if place.heading_cover > own else 0.20, own < _LEAST_OWN),
    )
    return sum(value for value, holds in faults if holds)


def _is_about_changes(place: _Place) -> bool:
    about = f"{place.page.title} {place.block.heading}"
    return "version" not in place.asked.part.kinds and bool(cues.RELEASE_NOTES.search(about))


def _is_modified(place: _Place, sentence: Piece) -> bool:
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


def _is_telling(place: _Place, sentence: Piece) -> bool:
    """Whether a sentence that points elsewhere says something all the same."""
    return (
        "definition" in place.asked.part.kinds and _definition_cue(place.asked.part, sentence) > 0
    )


def _symbol_share(text: str) -> float:
    return len(_SYMBOLS.findall(text)) / len(text)


def _is_unasked(place: _Place) -> bool:
    """A term like an identifier, whose words were not asked for."""
    return bool(_SHOUTED.search(place.block.lead)) and not (place.lead & set(place.asked.weights))
