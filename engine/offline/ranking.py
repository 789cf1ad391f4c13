"""Ranks the passages that were read: three queries fused, and the words that came up with them.

The statistics are those of the pages read, nothing else: equal conversations rank equally.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from engine.offline.cues import SYNONYMS
from engine.offline.library import Library, Page, Stretch
from engine.offline.question import Part
from engine.retrieval.tokens import stem, terms

HEADING_WEIGHT = 2.0
MOST_PASSAGES = 40
SYNONYM_WEIGHT = 0.35

_PIECE_WEIGHT = 0.5
_AUTOMATIC = "auto"
_LEAST_AUTOMATIC = 8
_FEEDBACK_PASSAGES = 8
_FEEDBACK_TERMS = 8
_FEEDBACK_LEAST = 3
_FEEDBACK_WEIGHT = 0.3
_FUSED = (1.0, 0.8, 0.6)
"""Weights of the rankings by core words, with synonyms, with feedback."""
_RANK_SHARE = 10.0
_RANK_OFFSET = 20
_SCORE_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Placed:
    """A passage of the library."""

    page: int
    stretch: Stretch


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best passages for one question, with the word statistics behind them."""

    scores: Mapping[tuple[int, int], float]
    """(page, first block of the passage) -> score from 0 to 1; only of the best."""
    best: tuple[Placed, ...]
    idf: Mapping[str, float]
    feedback: Mapping[str, float]
    """Words that come up in several of the best passages, with weights up to 0.3."""


def synonyms(words: Iterable[str]) -> dict[str, str]:
    """Stem of a synonym -> the stem it stands for."""
    found: dict[str, str] = {}
    asked = list(words)
    for word in asked:
        for group in _synonym_stems():
            if word in group:
                found.update({other: word for other in sorted(group) if other not in asked})
        if word.startswith(_AUTOMATIC) and len(word) > _LEAST_AUTOMATIC:
            found.setdefault(word.removeprefix(_AUTOMATIC), word)
    return found


def ranked(read: Library, part: Part, hosts: frozenset[str]) -> Ranking:
    """Rank the passages of pages of `hosts` (all pages when it is empty)."""
    from engine.retrieval.bm25 import Field, Index  # needs numpy

    placed = [
        Placed(at, stretch)
        for at, page in enumerate(read.pages)
        if not hosts or hosts & page.hosts
        for stretch in page.passages
    ]
    core = {**_pieces(part), **part.core}
    body = [_body(read.pages[one.page], one.stretch) for one in placed]
    heads = [_heads(read.pages[one.page], one.stretch) for one in placed]
    index = Index.build(
        [Field(told), Field(head, HEADING_WEIGHT)] for told, head in zip(body, heads, strict=True)
    )
    idf = rarity(body)
    feedback = _feedback([body[one.document] for one in index.top(core, MOST_PASSAGES)], core, idf)
    queries = (
        dict(core),
        {**dict.fromkeys(synonyms(core), SYNONYM_WEIGHT), **core},
        {**feedback, **core},
    )
    fused = _fused([index.top(query, MOST_PASSAGES) for query in queries])
    order = sorted(fused, key=lambda document: (-fused[document], document))[:MOST_PASSAGES]
    most = fused[order[0]] if order else 1.0
    return Ranking(
        scores={(placed[at].page, placed[at].stretch.first): fused[at] / most for at in order},
        best=tuple(placed[at] for at in order),
        idf=idf,
        feedback=feedback,
    )


def _pieces(part: Part) -> dict[str, float]:
    return {piece: _PIECE_WEIGHT for pieces in part.names.values() for piece in pieces}


def _fused(rankings: Sequence[Sequence[tuple[int, float]]]) -> dict[int, float]:
    """Document -> the sum of what each ranking gives by place and by score."""
    fused: dict[int, float] = {}
    for weight, ranking in zip(_FUSED, rankings, strict=True):
        for rank, (document, score) in enumerate(ranking):
            share = _RANK_SHARE / (_RANK_OFFSET + rank) + _SCORE_SHARE * score / ranking[0][1]
            fused[document] = fused.get(document, 0.0) + weight * share
    return fused


def rarity(documents: Sequence[Sequence[str]]) -> dict[str, float]:
    """ln(1 + N / df) of every word: one that is in every document still counts."""
    counts: Counter[str] = Counter()
    for document in documents:
        counts.update(set(document))
    return {term: math.log(1 + len(documents) / count) for term, count in counts.items()}


@cache
def _synonym_stems() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(stem(word) for word in group) for group in SYNONYMS)


def _body(page: Page, stretch: Stretch) -> list[str]:
    found: list[str] = []
    for block in page.blocks[stretch.first : stretch.last]:
        if block.kind == "dd":
            found += terms(block.lead)
        for piece in block.pieces:
            found += piece.terms
    return found


def _heads(page: Page, stretch: Stretch) -> list[str]:
    headings = page.blocks[stretch.first].headings[-2:]
    return [*terms(" ".join(headings)), *terms(page.title)]


def _feedback(
    best: Sequence[Sequence[str]], core: Mapping[str, float], idf: Mapping[str, float]
) -> dict[str, float]:
    """Words of at least three of the best passages, by how often and how rare; see 2.5."""
    top = best[:_FEEDBACK_PASSAGES]
    within = Counter(term for passage in top for term in set(passage))
    often = Counter(term for passage in top for term in passage)
    worth = {
        term: (1 + math.log(often[term])) * idf[term]
        for term, count in within.items()
        if count >= _FEEDBACK_LEAST and term not in core and len(term) > 2
    }
    chosen = sorted(worth, key=lambda term: (-worth[term], term))[:_FEEDBACK_TERMS]
    most = worth[chosen[0]] if chosen else 1.0
    return {term: _FEEDBACK_WEIGHT * worth[term] / most for term in chosen}
