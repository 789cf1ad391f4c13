"""Finds the list that a "which types are there" question asks for: headings, items or terms.

A list counts when its heading or lead-in names what is listed and enough of the subject.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from engine.offline.library import Library, Page, PageBlock
from engine.offline.question import Part
from engine.offline.quotes import Bit, bit_of
from engine.offline.quoting import Span
from engine.retrieval.tokens import terms

MOST_LISTS = 2
_LEAST_ITEMS = 3
_MOST_ITEMS = 24
_LEAST_HEADING_COVER = 0.4
_LEAST_ITEM_COVER = 0.6
_LEAST_OF_BEST = 0.75
_NAMED_IN_ITEMS = 0.4
_NAMED_IN_LEAD = 0.2
_PER_UNASKED = 0.08


@dataclass(frozen=True, slots=True)
class Listing:
    """A list under a heading of its page; a bit's `term` names its item."""

    page: int
    heading: str
    bits: tuple[Bit, ...]
    worth: float
    """Weighted share of the question's words in its heading, lead-in and title, and more when the
    items or the lead-in name what is listed."""


def listings(read: Library, part: Part, idf: Mapping[str, float]) -> list[Listing]:
    """The best lists for a question that asks for one; none when it does not."""
    if "list" not in part.kinds:
        return []
    wanted = _wanted(part, idf)
    found = [
        one
        for at, page in enumerate(read.pages)
        for one in (*_of_headings(page, at, wanted), *_of_items(page, at, wanted))
    ]
    best = sorted(found, key=lambda one: (-one.worth, one.page, one.bits[0].span.start))
    kept: list[Listing] = []
    for listing in best:
        if listing.worth > _LEAST_OF_BEST * best[0].worth and not _is_known(listing, kept):
            kept.append(listing)
    return kept[:MOST_LISTS]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is listed (stems of the noun) and the weights of the question's words, summing to 1."""

    nouns: frozenset[str]
    weights: Mapping[str, float]

    def cover(self, told: str, title: str = "") -> float:
        there = {*terms(told), *terms(title)}
        return sum(weight for word, weight in self.weights.items() if word in there)

    def naming(self, items: Sequence[str]) -> float:
        """A bonus when most items carry the noun: `Read Committed Isolation Level`."""
        holding = sum(bool(self.nouns & {*terms(item)}) for item in items)
        return _NAMED_IN_ITEMS if holding > len(items) / 2 else 0.0

    def unasked(self, heading: str) -> float:
        """A malus for a heading about something narrower than was asked."""
        return _PER_UNASKED * sum(term not in self.weights for term in terms(heading))


def _wanted(part: Part, idf: Mapping[str, float]) -> _Wanted:
    rarest = max(idf.values(), default=1.0)
    weights = {word: weight * idf.get(word, rarest) for word, weight in part.core.items()}
    total = sum(weights.values()) or 1.0
    nouns = part.list_nouns
    return _Wanted(nouns, {word: weight / total for word, weight in weights.items()})


def _of_headings(page: Page, at: int, wanted: _Wanted) -> Iterator[Listing]:
    """Headings right below one that names what is listed."""
    for number, block in enumerate(page.blocks):
        if block.kind != "heading":
            continue
        children = _children(page, number)
        below = " ".join(page.blocks[child].text for child in children)
        cover = wanted.cover(block.text, page.title)
        names = not wanted.nouns or wanted.nouns & {*terms(block.text), *terms(below)}
        about = wanted.cover(f"{block.text} {below}") > 0
        if _fits(len(children)) and names and about and cover >= _LEAST_HEADING_COVER:
            named = [page.blocks[child].text for child in children]
            worth = cover + wanted.naming(named) - wanted.unasked(block.text)
            yield Listing(at, block.text, tuple(_under(page, child) for child in children), worth)


def _children(page: Page, number: int) -> list[int]:
    parent = page.blocks[number]
    path = (*parent.headings, parent.text)
    found: list[int] = []
    for at in range(number + 1, len(page.blocks)):
        block = page.blocks[at]
        if block.segment != parent.segment or block.headings[: len(path)] != path:
            break
        if block.kind == "heading" and block.headings == path:
            found.append(at)
    return found


def _under(page: Page, number: int) -> Bit:
    """The first sentence under a heading, with the heading as its name; else the heading."""
    heading = page.blocks[number]
    below = page.blocks[number + 1 : number + 2]
    if below and below[0].kind == "p" and below[0].pieces:
        span = bit_of(page, below[0], 0, 0).span
        return Bit(span, term=heading.text, is_item=True)
    return Bit(Span(page.address, heading.start, heading.end, heading.text), is_item=True)


def _of_items(page: Page, at: int, wanted: _Wanted) -> Iterator[Listing]:
    """Runs of list items, and the terms of a section, whose lead-in or heading names the list."""
    for run in (*_item_runs(page), *_term_runs(page)):
        listing = _listing(page, at, run, wanted=wanted) if _fits(len(run)) else None
        yield from [listing] if listing else []


def _item_runs(page: Page) -> Iterator[list[PageBlock]]:
    """List items one after another."""
    for (kind, _), run in groupby(page.blocks, key=lambda block: (block.kind, block.segment)):
        if kind == "li":
            yield [block for block in run if block.pieces]


def _term_runs(page: Page) -> Iterator[list[PageBlock]]:
    """Terms under one heading, whatever stands between them."""
    sections: dict[tuple[int, tuple[str, ...]], list[PageBlock]] = {}
    for block in page.blocks:
        if block.kind == "dd" and block.pieces:
            sections.setdefault((block.segment, block.headings), []).append(block)
    yield from sections.values()


def _listing(page: Page, at: int, run: Sequence[PageBlock], *, wanted: _Wanted) -> Listing | None:
    first = run[0]
    lead = first.lead if first.kind == "li" else _before(page, first)
    cover = wanted.cover(f"{lead} {first.heading}", page.title)
    if not wanted.nouns & {*terms(lead), *terms(first.heading)} or cover < _LEAST_ITEM_COVER:
        return None
    named = _NAMED_IN_LEAD * bool(wanted.nouns & {*terms(lead)})
    bits = [bit_of(page, block, 0, 0) for block in run]
    return Listing(
        page=at,
        heading=first.heading or lead,
        bits=tuple(Bit(bit.span, bit.term, is_item=True) for bit in bits),
        worth=cover + named - wanted.unasked(first.heading),
    )


def _before(page: Page, first: PageBlock) -> str:
    number = page.blocks.index(first)
    return page.blocks[number - 1].text if number else ""


def _fits(count: int) -> bool:
    return _LEAST_ITEMS <= count <= _MOST_ITEMS


def _is_known(listing: Listing, kept: list[Listing]) -> bool:
    names = {bit.term or bit.span.text for bit in listing.bits}
    return any(
        len(names & {bit.term or bit.span.text for bit in other.bits}) > len(names) / 2
        for other in kept
    )
