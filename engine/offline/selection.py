"""Chooses which sentences are quoted: good, from several pages, not alike."""

from collections.abc import Mapping, Sequence

from engine.offline.library import Library
from engine.offline.scoring import Scored
from engine.retrieval.similarity import Diversity, cosine, mmr, tf_idf

MOST_QUOTES = 10
MOST_PER_PART = 6

_LEAST_SHARE = 0.52
_LATER_SHARE = 0.66
_FIRST_FEW = 9
_LEAST_COVER = 0.45
_BALANCE = 0.8
_TOO_ALIKE = 0.8
_PER_PAGE = 3
_PAGE_PENALTY = 0.03
_ALWAYS = 5
"""So many of the best are taken, unless they say the same."""
_MOST_CANDIDATES = 60


def chosen(
    read: Library, ranked: Sequence[Scored], idf: Mapping[str, float], *, most: int
) -> list[Scored]:
    """Up to `most` sentences, the best first; `ranked` is best first."""
    candidates = _candidates(read, ranked)
    if not candidates:
        return []
    vectors = [tf_idf(_terms(read, one), idf) for one in candidates]
    top = candidates[0].score

    def crowding(candidate: int, picked: Sequence[int]) -> float:
        page = candidates[candidate].page
        same = sum(candidates[other].page == page for other in picked)
        return -_PAGE_PENALTY * max(0, same + 1 - _PER_PAGE) + (candidate < _ALWAYS)

    picked = mmr(
        [one.score / top for one in candidates],
        lambda one, other: cosine(vectors[one], vectors[other]),
        Diversity(most=most, balance=_BALANCE, too_alike=_TOO_ALIKE),
        extra=crowding,
    )
    return [candidates[at] for at in picked]


def nearest(read: Library, ranked: Sequence[Scored], *, most: int) -> list[Scored]:
    """The best there are, however little they fit; each wording once."""
    found: dict[tuple[str, ...], Scored] = {}
    for one in ranked:
        found.setdefault(_terms(read, one), one)
    return list(found.values())[:most]


def _candidates(read: Library, ranked: Sequence[Scored]) -> list[Scored]:
    """Sentences good enough against the best, each wording once."""
    found: list[Scored] = []
    wordings: set[tuple[str, ...]] = set()
    top = ranked[0].score if ranked else 0.0
    for one in ranked:
        least = _LEAST_SHARE if len(found) < _FIRST_FEW else _LATER_SHARE
        if one.score < least * top or len(found) >= _MOST_CANDIDATES:
            break
        wording = _terms(read, one)
        if one.cover >= _LEAST_COVER and wording not in wordings:
            found.append(one)
            wordings.add(wording)
    return found


def _terms(read: Library, one: Scored) -> tuple[str, ...]:
    return read.pages[one.page].blocks[one.block].pieces[one.piece].terms
