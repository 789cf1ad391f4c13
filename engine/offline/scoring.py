"""Scores sentences against one question by word statistics and cue words.

A high score means that a sentence looks like an answer. Nothing here understands it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.offline.library import Library, Page, PageBlock, Piece
from engine.offline.place import IN_SENTENCE, Asked, Place, asked_for, share
from engine.offline.question import Part
from engine.offline.ranking import Ranking
from engine.offline.wording import cue, faults, lead_in

BLOCKS_BEFORE = 3
BLOCKS_AFTER = 5
HOST_WEIGHT = 0.25

_IN_LEAD, _BEFORE, _IN_TITLE, _IN_BLOCK, _HOST = 0.75, 0.5, 0.45, 0.35, 0.9
_ALIKE_IN_SENTENCE, _ALIKE_IN_LEAD, _ALIKE_IN_HEADING = 0.6, 0.5, 0.4
_NEAR_PASSAGE = 0.5

_EARLY_WORDS = 3
_MOST_FOR_HOME = 40
_BEST_FOR_HOME = 3
_EMBEDDED = 0.7


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
    asked = asked_for(part, ranking)
    found: list[Scored] = []
    for at, page in enumerate(read.pages):
        strength = _strengths(page, at, ranking)
        for number in sorted(strength):
            if home is None or home == Home(at, page.blocks[number].headings):
                place = Place(page, number, strength[number], asked)
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


def _scored(place: Place, page: int, piece: int) -> Scored:
    sentence = place.block.pieces[piece]
    own_words = place.asked.seen(sentence.terms) | place.term
    embedded = sentence.embedded
    previous = place.asked.seen(place.block.pieces[piece - 1].terms if piece else ())
    cover = _cover(place, own_words - embedded, previous, own_words & embedded)
    own = share(place.asked.weights, own_words) - 0.3 * share(place.asked.weights, embedded)
    worded = cue(place, piece)
    score = (
        cover * (1 + 0.35 * worded * cover)
        + 0.15 * _bigrams(place.asked.part, sentence)
        + 0.2 * place.strength
        + 0.12 * _feedback_share(place.asked, own_words)
        + 0.08 / (1 + place.page.rank)
        + 0.05 * (piece == 0)
        + 0.15 * share(place.asked.weights, place.asked.seen(sentence.terms[:_EARLY_WORDS]))
        + 0.2 * place.heading_cover
        + 0.12 * place.opening_cover
        + 0.05 * (place.opens_section and piece == 0)
        + 0.2 * (place.is_entry and piece == 0)
        + lead_in(place, piece)
        - faults(place, piece, own=own)
    )
    return Scored(page, place.number, piece, score, cover, own)


def _cover(
    place: Place, own: frozenset[str], previous: frozenset[str], embedded: frozenset[str]
) -> float:
    return sum(
        weight * max(_best_place(word, place, own, previous), _EMBEDDED * (word in embedded))
        for word, weight in place.asked.weights.items()
    )


def _best_place(word: str, place: Place, own: frozenset[str], previous: frozenset[str]) -> float:
    """How near the sentence holds the word, from 1 (in itself) to 0 (nowhere around)."""
    if word in own:
        return IN_SENTENCE
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


def _feedback_share(asked: Asked, own: frozenset[str]) -> float:
    total = sum(asked.feedback.values())
    return share(asked.feedback, own) / total if total else 0.0
