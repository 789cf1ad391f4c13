"""How alike two texts are, and how to choose many that are good but not alike.

Works on terms (`tokens.terms`); must never depend on the order of a set.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Vector: TypeAlias = Mapping[str, float]
"""Term -> weight; of length 1 as `tf_idf` makes it, or empty."""


@dataclass(frozen=True, slots=True)
class Diversity:
    """How `mmr` weighs: `balance` of relevance against likeness to what is chosen already."""

    most: int
    balance: float = 0.72
    too_alike: float = 1.01
    """What is this like a chosen one, or more, is never chosen."""


def idf_of(documents: Iterable[Collection[str]]) -> dict[str, float]:
    """ln(1 + N / df) of every term; each document counts a term once."""
    counts: Counter[str] = Counter()
    number = 0
    for document in documents:
        number += 1
        counts.update(set(document))
    return {term: math.log(1 + number / count) for term, count in sorted(counts.items())}


def tf_idf(terms: Iterable[str], idf: Mapping[str, float]) -> Vector:
    """(1 + ln tf) * idf, scaled to length 1; terms without an idf are left out."""
    counts = Counter(term for term in terms if idf.get(term, 0.0) > 0)
    weights = {term: (1 + math.log(count)) * idf[term] for term, count in counts.items()}
    length = math.sqrt(math.fsum(weight * weight for weight in weights.values()))
    return {term: weight / length for term, weight in weights.items()} if length else {}


def cosine(one: Vector, other: Vector) -> float:
    """From 0 (no term in common, or one is empty) to 1; both as `tf_idf` makes them."""
    small, large = (one, other) if len(one) <= len(other) else (other, one)
    return math.fsum(weight * large[term] for term, weight in small.items() if term in large)


def jaccard(one: Iterable[str], other: Iterable[str]) -> float:
    """Shared terms by all terms, from 0 to 1; two empty texts are not alike."""
    first, second = set(one), set(other)
    every = len(first | second)
    return len(first & second) / every if every else 0.0


def mmr(
    relevance: Sequence[float],
    likeness: Callable[[int, int], float],
    rules: Diversity,
    *,
    extra: Callable[[int, Sequence[int]], float] = lambda _candidate, _chosen: 0.0,
) -> list[int]:
    """Maximal marginal relevance: the candidates chosen, in the order of choosing.

    The next is the one with the highest balance * relevance - (1 - balance) * its greatest
    likeness to a chosen one + `extra(candidate, chosen)`; equals by number.
    """
    chosen: list[int] = []
    alike = dict.fromkeys(range(len(relevance)), 0.0)

    def worth(candidate: int) -> float:
        gain = rules.balance * relevance[candidate]
        return gain - (1 - rules.balance) * alike[candidate] + extra(candidate, chosen)

    while alike and len(chosen) < rules.most:
        best = max(alike, key=lambda candidate: (worth(candidate), -candidate))
        chosen.append(best)
        del alike[best]
        alike = {left: max(alike[left], likeness(best, left)) for left in alike}
        alike = {left: value for left, value in alike.items() if value < rules.too_alike}
    return chosen
