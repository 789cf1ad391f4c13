"""Where a sentence stands: its block with the words around it, counted once per block.

Only words are compared; what a word in a place is worth is decided in `scoring`.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from engine.offline.library import Page
from engine.offline.question import Part
from engine.offline.ranking import Ranking, synonyms
from engine.retrieval.tokens import terms

IN_SENTENCE, IN_HEADING, IN_GOOD_HEADING, IN_QUESTION_HEADING = 1.0, 0.6, 0.8, 0.95

_UNKNOWN_SHARE = 0.2
"""What a word weighs that no page uses: no sentence can be blamed for it."""
_GOOD_PASSAGE = 0.6
_LEAST_QUESTION_COVER = 0.35
_LEAST_INSIDE = 4
_OPENING_CHARS = 2500
_MOST_CODE_LINES = 2
_CALLED = re.compile(r"\s*[(:=]")


@dataclass(frozen=True, slots=True)
class Asked:
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


def asked_for(part: Part, ranking: Ranking) -> Asked:
    rarest = max(ranking.idf.values(), default=1.0)
    alike = synonyms(part.core)
    known = {*ranking.idf, *(word for other, word in alike.items() if other in ranking.idf)}
    raw = {
        word: weight * ranking.idf.get(word, rarest) * (1.0 if word in known else _UNKNOWN_SHARE)
        for word, weight in part.core.items()
    }
    total = sum(raw.values()) or 1.0
    return Asked(
        part=part,
        weights={word: weight / total for word, weight in raw.items()},
        alike=alike,
        feedback=ranking.feedback,
    )


class Place:
    """One block with the words around it, counted once for all its sentences."""

    def __init__(self, page: Page, number: int, strength: float, asked: Asked) -> None:
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
        if self._is_spelled(name):
            return True
        return bool(wanted) and wanted <= named and plain <= wanted | pieces | self.page.hosts

    def _is_spelled(self, name: str) -> bool:
        """Whether an identifier is made of words of the question: `message_size_limit`."""
        parts = [part for word in name.split("_") for part in terms(word)]
        known = {*self.asked.weights, *self.asked.alike}
        heavy = sum(self.asked.part.core.get(part, 0.0) == 1 for part in parts)
        return len(parts) > 1 and heavy > 0 and known.issuperset(parts)

    @cached_property
    def in_heading(self) -> float:
        """What a word in the heading counts: much when the heading asks the same question."""
        if self.is_home:
            return IN_SENTENCE
        if self.block.heading.endswith("?") and self.heading_cover >= _LEAST_QUESTION_COVER:
            return IN_QUESTION_HEADING
        return IN_GOOD_HEADING if self.strength >= _GOOD_PASSAGE else IN_HEADING

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
        return share(self.asked.weights, self.heading)

    @cached_property
    def opening_cover(self) -> float:
        """How much the title names what was asked, for what stands at the beginning of a page."""
        near = self.block.start < _OPENING_CHARS
        return share(self.asked.weights, self.title - self.page.hosts) if near else 0.0


def _has_list(page: Page, number: int) -> bool:
    following = page.blocks[number + 1 : number + 2]
    return bool(following) and (
        following[0].kind in ("li", "dd", "tr")
        or (following[0].kind == "pre" and following[0].text.count("\n") < _MOST_CODE_LINES)
    )


def share(weights: Mapping[str, float], there: Iterable[str]) -> float:
    """The part of `weights` that falls on words that are there."""
    known = frozenset(there)
    return sum(weight for word, weight in weights.items() if word in known)
