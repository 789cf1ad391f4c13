"""Makes quotations of chosen sentences: with what they refer to, whole lists, the code below.

A quotation is made of bits that each stand verbatim in one block of a page.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.offline.cues import ANAPHORIC, LIST_LEADS, REFERRING_ON
from engine.offline.library import Library, Page, PageBlock
from engine.offline.quoting import Span
from engine.offline.scoring import Scored
from engine.retrieval.tokens import terms

MOST_ITEMS = 8
_NEIGHBOUR_SHARE = 0.6
_MOST_QUOTE_WORDS = 65
_MOST_ITEM_WORDS = 60
_MOST_CODE_LINES = 6
_SHORT_CODE_LINES = 2
_SHORT_LEAD_WORDS = 7
_MOST_BUT_WORDS = 12
_CELL_EDGES = "| \t"
_LIST_KINDS = frozenset({"li", "dd", "tr"})
_LEAD_ENDS = (":", "：")


@dataclass(frozen=True, slots=True)
class Bit:
    """One verbatim stretch; `term` is what it defines, shown outside the quotation marks."""

    span: Span
    term: str = ""
    is_item: bool = False
    """True for what stands below the first bit: items of a list, lines of code."""


@dataclass(frozen=True, slots=True)
class Quote:
    """What one chosen sentence became. Pages are numbers in the library."""

    page: int
    heading: str
    bits: tuple[Bit, ...]
    terms: tuple[str, ...]
    """Stems of the chosen sentence."""
    score: float
    cover: float
    chosen: Scored | None = None

    @property
    def start(self) -> int:
        return self.bits[0].span.start


Scores: TypeAlias = Mapping[tuple[int, int, int], float]
"""(page, block, piece) -> the score of a sentence."""


def quotes_of(
    read: Library, chosen: Sequence[Scored], scores: Scores, *, with_code: bool
) -> list[Quote]:
    """A quotation per chosen sentence, with neighbours that say nearly as much.

    No sentence stands in two of them: what an earlier one holds is left out of a later one. Long
    code follows only when asked for.
    """
    found: list[Quote] = []
    taken: set[tuple[int, int, int]] = set()
    for one in chosen:
        if (one.page, one.block, one.piece) in taken:
            continue
        free = {place: score for place, score in scores.items() if place not in taken}
        quote = quote_of(read, one, free, with_code=with_code)
        found.append(quote)
        taken |= _places(read, quote)
    return found


def quote_of(read: Library, chosen: Scored, scores: Scores, *, with_code: bool) -> Quote:
    """The quotation for one chosen sentence."""
    page = read.pages[chosen.page]
    block = page.blocks[chosen.block]
    return Quote(
        page=chosen.page,
        heading=block.heading,
        bits=tuple(_bits(page, chosen, scores, with_code=with_code)),
        terms=block.pieces[chosen.piece].terms,
        score=chosen.score,
        cover=chosen.cover,
        chosen=chosen,
    )


def _places(read: Library, quote: Quote) -> set[tuple[int, int, int]]:
    """The sentences that a quotation holds."""
    spans = [bit.span for bit in quote.bits]
    first, last = min(span.start for span in spans), max(span.end for span in spans)
    return {
        (quote.page, number, piece)
        for number, block in enumerate(read.pages[quote.page].blocks)
        if block.start < last and first < block.end
        for piece, sentence in enumerate(block.pieces)
        if any(span.start <= sentence.start and sentence.end <= span.end for span in spans)
    }


def bit_of(page: Page, block: PageBlock, first: int, last: int) -> Bit:
    """The sentences `first` to `last` of a block as one stretch."""
    start, end = block.pieces[first].start, block.pieces[last].end
    if block.kind == "tr":
        told = block.text[start - block.start : end - block.start]
        start += len(told) - len(told.lstrip(_CELL_EDGES))
        end -= len(told) - len(told.rstrip(_CELL_EDGES))
    return Bit(_span(page, block, start, end), term=block.lead if block.kind == "dd" else "")


def without_repeats(quotes: Sequence[Quote]) -> list[Quote]:
    """Each stretch once: a bit inside an earlier quotation goes, and a quotation without bits."""
    kept: list[Quote] = []
    taken: list[Span] = []
    for quote in quotes:
        bits = [bit for bit in quote.bits if not _is_taken(bit.span, taken)]
        if bits and not (quote.bits[0] not in bits and all(bit.is_item for bit in bits)):
            kept.append(_with_bits(quote, bits))
            taken += [bit.span for bit in bits]
    return kept


def _with_bits(quote: Quote, bits: Sequence[Bit]) -> Quote:
    return replace(quote, bits=tuple(bits))


def _is_taken(span: Span, taken: Sequence[Span]) -> bool:
    return any(
        span.address == other.address and other.start <= span.start and span.end <= other.end
        for other in taken
    )


def _bits(page: Page, chosen: Scored, scores: Scores, *, with_code: bool) -> Iterator[Bit]:
    block = page.blocks[chosen.block]
    if block.kind == "li" and LIST_LEADS.search(block.lead.lower()):
        yield from _list_around(page, chosen.block)
        return
    first, last = _with_neighbours(block, chosen, scores, _around(block, chosen.piece))
    last = _with_what_refers_back(block, first, last)
    yield bit_of(page, block, first, last)
    if last == len(block.pieces) - 1:
        leads_in = block.text.rstrip().endswith(_LEAD_ENDS)
        yield from _items_below(page, chosen.block) if leads_in else ()
        yield from _code_below(page, chosen.block, is_wanted=with_code)


def _with_neighbours(
    block: PageBlock, chosen: Scored, scores: Scores, around: tuple[int, int]
) -> tuple[int, int]:
    """A little more of the paragraph, as long as the next sentence on a side is good too."""
    first, last = around

    def worth(piece: int) -> float:
        fits = 0 <= piece < len(block.pieces)
        score = scores.get((chosen.page, chosen.block, piece), 0.0) if fits else 0.0
        return score if score >= _NEIGHBOUR_SHARE * chosen.score else 0.0

    while max(worth(first - 1), worth(last + 1)) > 0:
        wider = (first - 1, last) if worth(first - 1) > worth(last + 1) else (first, last + 1)
        if _words(block, *wider) > _MOST_QUOTE_WORDS:
            break
        first, last = wider
    return first, last


def _with_what_refers_back(block: PageBlock, first: int, last: int) -> int:
    """The last sentence, or the one after it when that speaks of the same and both are short."""
    if last + 1 < len(block.pieces) and REFERRING_ON.match(block.pieces[last + 1].text):
        return last + (_words(block, first, last + 1) <= _MOST_QUOTE_WORDS)
    return last


def _words(block: PageBlock, first: int, last: int) -> int:
    return sum(len(piece.text.split()) for piece in block.pieces[first : last + 1])


def _around(block: PageBlock, piece: int) -> tuple[int, int]:
    """The sentence with the one before it, if it refers back, or the next, if that does."""
    first = last = piece
    text = block.pieces[piece].text
    if piece and (ANAPHORIC.match(text) or _is_short_lead(text)):
        first = piece - 1
    elif piece + 2 == len(block.pieces) and _leads_on(text, block.pieces[piece + 1].text):
        last = piece + 1
    return first, last


def _leads_on(text: str, following: str) -> bool:
    """Whether the last sentence of a block opens a list or formula about what was just said."""
    if not following.rstrip().endswith(_LEAD_ENDS):
        return False
    opening = terms(following)[:2]
    return _is_short_lead(following) or (bool(opening) and set(opening) <= set(terms(text)))


def _is_short_lead(text: str) -> bool:
    return text.rstrip().endswith(_LEAD_ENDS) and len(text.split()) < _SHORT_LEAD_WORDS


def _list_around(page: Page, number: int) -> Iterator[Bit]:
    """The list that a block is an item of, behind its lead-in, and a "But ...:" list after it."""
    first = number
    while first > 0 and page.blocks[first - 1].kind == "li":
        first -= 1
    if first == 0 or not page.blocks[first - 1].pieces or page.blocks[first - 1].kind == "heading":
        yield from _items(page, first)
        return
    lead = page.blocks[first - 1]
    last = len(lead.pieces) - 1
    begin = last - 1 if last and _is_short_lead(lead.pieces[last].text) else last
    yield bit_of(page, lead, begin, last)
    yield from _items(page, first)


def _items_below(page: Page, number: int) -> Iterator[Bit]:
    following = page.blocks[number + 1 : number + 2]
    if following and following[0].kind in _LIST_KINDS:
        yield from _items(page, number + 1)
    elif following and following[0].kind == "p" and following[0].pieces:
        yield _item(page, following[0])


def _items(page: Page, first: int) -> Iterator[Bit]:
    """Up to eight items from a block on, and those of a short "But ...:" list behind them."""
    after = _run_end(page, first)
    yield from _listed(page, first, after)
    turn = page.blocks[after : after + 1]
    if turn and turn[0].kind == "p" and _is_turn(turn[0]):
        yield _item(page, turn[0])
        yield from _listed(page, after + 1, _run_end(page, after + 1))


def _run_end(page: Page, first: int) -> int:
    after = first
    while after < len(page.blocks) and page.blocks[after].kind == page.blocks[first].kind:
        if page.blocks[after].kind not in _LIST_KINDS:
            break
        after += 1
    return after


def _listed(page: Page, first: int, after: int) -> Iterator[Bit]:
    items = [block for block in page.blocks[first:after] if block.pieces]
    for block in items[:MOST_ITEMS]:
        yield _item(page, block)


def _is_turn(block: PageBlock) -> bool:
    text = block.text.rstrip()
    return text.endswith(_LEAD_ENDS) and len(text.split()) <= _MOST_BUT_WORDS


def _item(page: Page, block: PageBlock) -> Bit:
    """An item whole, or its first sentences when it is long."""
    last, words = 0, len(block.pieces[0].text.split())
    while last + 1 < len(block.pieces):
        words += len(block.pieces[last + 1].text.split())
        if words > _MOST_ITEM_WORDS:
            break
        last += 1
    bit = bit_of(page, block, 0, last)
    return Bit(bit.span, bit.term, is_item=True)


def _code_below(page: Page, number: int, *, is_wanted: bool) -> Iterator[Bit]:
    """The lines of code that follow a block: all but the last of many, or a short formula."""
    following = page.blocks[number + 1 : number + 2]
    if not following or following[0].kind != "pre":
        return
    lines = list(_code_lines(page, following[0]))
    if is_wanted or len(lines) <= _SHORT_CODE_LINES:
        yield from lines[:_MOST_CODE_LINES]


def _code_lines(page: Page, block: PageBlock) -> Iterator[Bit]:
    at = block.start
    for line in block.text.split("\n"):
        bare = line.strip()
        if any(sign.isalnum() for sign in bare):
            start = at + line.index(bare)
            yield Bit(_span(page, block, start, start + len(bare)), is_item=True)
        at += len(line) + 1


def _span(page: Page, block: PageBlock, start: int, end: int) -> Span:
    return Span(page.address, start, end, block.text[start - block.start : end - block.start])
