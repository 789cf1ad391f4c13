"""Answers a question from what was read: which quotations, under which headings, what is missing.

Values only: how they look is in `report`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.offline.conversation import Seen, hits_of
from engine.offline.cues import Kind
from engine.offline.library import Library, hosts_of
from engine.offline.listing import Listing, listings
from engine.offline.numbers import Disagreement, disagreements
from engine.offline.question import (
    Comparison,
    Part,
    Question,
    lighter,
    part_of,
    with_known_names,
)
from engine.offline.quotes import Quote, Scores, quote_of, quotes_of, without_repeats
from engine.offline.ranking import Ranking, ranked, synonyms
from engine.offline.scoring import HOST_WEIGHT, Scored, home_of, scored
from engine.offline.selection import MOST_PER_PART, MOST_QUOTES, chosen, nearest
from engine.retrieval.tokens import terms

MOST_NEAREST = 3
MOST_AT_HOME = 5
_ABSENT_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Section:
    """Quotations about one part of the question; the closest one first."""

    title: str
    """Empty when the question has one part only."""
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Findings:
    sections: tuple[Section, ...]
    lists: tuple[Listing, ...] = ()
    numbers: tuple[Disagreement, ...] = ()
    is_found: bool = True
    """False: the one section holds what is nearest, not what was asked."""
    absent: tuple[str, ...] = ()
    """Words of the question that no page that was read or named uses, when that is decisive."""
    uncovered: tuple[str, ...] = ()
    """Words of the question in no quotation."""


def findings(read: Library, question: Question, seen: Seen) -> Findings:
    """What can be quoted for the question, or what is nearest when it is not there."""
    absent = _absent(read, question, seen)
    if absent:
        quotes = _nearest(read, question)
        return Findings((Section("", quotes),), is_found=False, absent=absent)
    sections = _sections(read, question, MOST_QUOTES)
    if not any(section.quotes for section in sections):
        return Findings((Section("", _nearest(read, question)),), is_found=False)
    views = [judged(read, part, frozenset()) for part in question.parts]
    lists = tuple(one for view in views for one in listings(read, view.part, view.ranking.idf))
    found = Findings(
        sections=_unrepeated(sections, [_as_quote(one) for one in lists]),
        lists=lists,
        numbers=tuple(
            one
            for view in views
            for one in disagreements(read, view.part, view.sentences, idf=view.ranking.idf)
        ),
    )
    return replace(found, uncovered=_uncovered(read, question, found))


def _as_quote(listing: Listing) -> Quote:
    return Quote(listing.page, listing.heading, listing.bits, terms=(), score=0.0, cover=0.0)


def _nearest(read: Library, question: Question) -> tuple[Quote, ...]:
    """At most three sentences that come nearest to the question, without what surrounds them."""
    view = judged(read, question.parts[0], frozenset())
    quotes = [
        quote_of(read, one, {}, with_code=False)
        for one in nearest(read, view.sentences, most=MOST_NEAREST)
    ]
    return tuple(_bare(quote) for quote in without_repeats(quotes))


def _bare(quote: Quote) -> Quote:
    return replace(quote, bits=quote.bits[:1])


@dataclass(frozen=True, slots=True)
class View:
    """One question against what was read. `part` is weighed by what the pages know."""

    part: Part
    ranking: Ranking
    sentences: list[Scored]
    """The best first."""

    @property
    def scores(self) -> Scores:
        return {(one.page, one.block, one.piece): one.score for one in self.sentences}


def judged(read: Library, part: Part, hosts: frozenset[str]) -> View:
    """The passages and sentences of pages of `hosts` (all when empty)."""
    folders = hosts or read.folders & frozenset(part.core)
    weighed = lighter(part, hosts or read.hosts, HOST_WEIGHT)
    ranking = ranked(read, weighed, folders)
    known = with_known_names(weighed, ranking.idf)
    return View(known, ranking, scored(read, known, ranking))


def _sections(read: Library, question: Question, most: int) -> list[Section]:
    if question.comparison is not None:
        return _compared(read, question, question.comparison, most=most)
    several = len(question.parts) > 1
    return [
        Section(
            _titled(part.text) if several else "",
            _quoted(read, part, frozenset(), most=MOST_PER_PART if several else most),
        )
        for part in question.parts
    ]


def _titled(text: str) -> str:
    return text[:1].upper() + text[1:]


def _quoted(read: Library, part: Part, hosts: frozenset[str], *, most: int) -> tuple[Quote, ...]:
    """The best sentences, and a few more of the section that is most about the question."""
    view = judged(read, part, hosts)
    picked = chosen(read, view.sentences, view.ranking.idf, most=most)
    home = home_of(read, view.sentences)
    at_home = scored(read, view.part, view.ranking, home=home) if home else []
    more = [one for one in at_home if not _is_among(one, picked)]
    extra = chosen(read, more, view.ranking.idf, most=MOST_AT_HOME)
    quotes = quotes_of(read, [*picked, *extra], view.scores, with_code="how" in part.kinds)
    return tuple(without_repeats(quotes))


def _is_among(one: Scored, picked: Sequence[Scored]) -> bool:
    place = (one.page, one.block, one.piece)
    return any(place == (other.page, other.block, other.piece) for other in picked)


def _compared(
    read: Library, question: Question, between: Comparison, *, most: int
) -> list[Section]:
    """A section per product when the two sides name different hosts; else sentences that name
    both, then those that name one."""
    sides = [_hosts_named(side, read.hosts) for side in (between.one, between.other)]
    if sides[0] and sides[1] and not sides[0] & sides[1]:
        return [
            Section(
                _product(side, hosts),
                _quoted(read, _aspect(question, between), hosts, most=MOST_PER_PART),
            )
            for side, hosts in zip((between.one, between.other), sides, strict=True)
        ]
    part = question.parts[0]
    view = judged(read, part, frozenset())
    words, scores = _own_words(between), view.scores
    groups = [
        [one for one in view.sentences if _named(read, one, words) == which]
        for which in ((True, True), (True, False), (False, True))
    ]
    titles = ("", between.one, between.other)
    limits = (most, most // 2, most // 2)
    return [
        Section(
            title,
            tuple(
                quotes_of(
                    read,
                    chosen(read, group, view.ranking.idf, most=limit),
                    scores,
                    with_code=False,
                )
            ),
        )
        for title, group, limit in zip(titles, groups, limits, strict=True)
    ]


def _hosts_named(side: str, hosts: frozenset[str]) -> frozenset[str]:
    return frozenset(terms(side)) & hosts


def _product(side: str, hosts: frozenset[str]) -> str:
    named = [word for word in side.split() if set(terms(word)) & hosts]
    return named[0].strip(".,:;") if named else side


def _aspect(question: Question, between: Comparison) -> Part:
    """What is asked of each side; the words besides the products when no aspect is named."""
    products = {*terms(between.one), *terms(between.other)}
    core = {word: weight for word, weight in question.core.items() if word not in products}
    aspect = part_of(between.aspect or question.topic)
    kinds: frozenset[Kind] = frozenset({"how", "compare"})
    return replace(aspect, core=core or question.core, kinds=kinds)


def _own_words(between: Comparison) -> tuple[frozenset[str], frozenset[str]]:
    """The words that only one side has; all its words when there are none."""
    one, other = part_of(between.one).core, part_of(between.other).core
    mine = frozenset(word for word in one if word not in other and one[word] == 1)
    theirs = frozenset(word for word in other if word not in one and other[word] == 1)
    return mine or frozenset(one), theirs or frozenset(other)


def _named(
    read: Library, one: Scored, words: tuple[frozenset[str], frozenset[str]]
) -> tuple[bool, bool]:
    page = read.pages[one.page]
    block = page.blocks[one.block]
    there = {*block.pieces[one.piece].terms, *terms(block.lead)}
    names = page.hosts
    return bool((words[0] - names) & there), bool((words[1] - names) & there)


def _unrepeated(sections: Iterable[Section], lists: Sequence[Quote]) -> tuple[Section, ...]:
    """Each stretch in the first section that quotes it, none that stands in a list already."""
    kept: list[Section] = []
    earlier: list[Quote] = list(lists)
    for section in sections:
        fresh = without_repeats([*earlier, *section.quotes])[len(earlier) :]
        kept.append(replace(section, quotes=tuple(fresh)))
        earlier += fresh
    return tuple(kept)


def _absent(read: Library, question: Question, seen: Seen) -> tuple[str, ...]:
    """The words without which the question is not about these pages, as they were asked.

    One that looks like a name is enough; of others, half of what is asked besides the names of
    sources. A word is used when a synonym of it is.
    """
    known = _words_used(read, seen)
    parts = [with_known_names(part, known) for part in question.parts]
    core = {word for part in parts for word, weight in part.core.items() if weight == 1}
    asked = core - read.hosts
    stands_for = synonyms(asked)
    used = known | {word for other, word in stands_for.items() if other in known}
    missing = [word for word in question.core if word in asked and word not in used]
    decisive = any(word in question.named for word in missing)
    if decisive or (missing and len(missing) >= _ABSENT_SHARE * len(asked)):
        return tuple(dict.fromkeys(question.surface.get(word, word) for word in missing))
    return ()


def _words_used(read: Library, seen: Seen) -> set[str]:
    """Every word of the pages that were read, and of what the searches said."""
    pieces = [piece for page in read.pages for block in page.blocks for piece in block.pieces]
    leads = {block.lead for page in read.pages for block in page.blocks if block.kind == "dd"}
    hits = list(hits_of(seen.searches))
    told = [f"{hit.title} {hit.snippet}" for hit in hits]
    found = {term for piece in pieces for term in piece.terms}
    found |= {term for text in (*leads, *told) for term in terms(text)}
    return found | {term for hit in hits for term in hosts_of(hit.url)}


def _uncovered(read: Library, question: Question, found: Findings) -> tuple[str, ...]:
    quotes = [quote for section in found.sections for quote in section.quotes]
    bits = [bit for quote in quotes for bit in quote.bits]
    bits += [bit for listing in found.lists for bit in listing.bits]
    told = {term for bit in bits for term in terms(f"{bit.term} {bit.span.text}")}
    told |= read.hosts
    return tuple(
        dict.fromkeys(
            question.surface.get(word, word) for word in question.core if word not in told
        )
    )
