"""Writes the report: quotations with their places, grouped mechanically, and what is missing.

It says on top that no language model wrote it, and never adds a statement of its own about the
subject: no short answer, no yes, no no (D13).
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.domain.text_safety import one_line
from engine.offline.conversation import SEARCH, Failure, Seen, hits_of
from engine.offline.cues import GENERIC_HEADINGS
from engine.offline.findings import Findings
from engine.offline.library import Library
from engine.offline.listing import Listing
from engine.offline.numbers import Disagreement
from engine.offline.quotes import Bit, Quote
from engine.offline.quoting import escaped, link, quotation
from engine.retrieval.similarity import jaccard
from engine.retrieval.tokens import terms

NOTICE = (
    "*No language model wrote this: sentences were chosen by word statistics and are quoted word "
    "for word. The grouping is mechanical; nothing was understood, weighed or checked for truth.*"
)
NOT_FOUND_NOTE = "No quotation found is not the same as not so: only the pages below were read."
NOTHING_READ_NOTE = "No page could be read, so this report knows nothing about the question."
NUMBERS_NOTE = (
    "Candidates to look at, not contradictions found; several pages of one project are not "
    "independent sources."
)
NO_MORE = "Nothing beyond the closest quotation."
_SAME_HEADING = 0.5
_MOST_NAMED = 8
_MOST_SECTIONS_TOLD = 3
_MOST_HEADING_CHARS = 90


def report(topic: str, read: Library, found: Findings, seen: Seen) -> str:
    """The whole report in Markdown."""
    sources = _Sources(read)
    closest = _closest(found)
    body = [
        *(_opening(found, closest, sources) if read.pages else _NOTHING_READ),
        *_lists(found.lists, sources),
        *_sections(found, closest, read, sources=sources),
        *_numbers(found.numbers, sources),
    ]
    return (
        "\n".join(
            [
                f"# {escaped(one_line(topic, 2000))}",
                "",
                NOTICE,
                "",
                *body,
                *_not_covered(found, seen),
                *_unread(read, seen),
                *sources.lines(),
            ]
        ).rstrip()
        + "\n"
    )


def _closest(found: Findings) -> Quote | None:
    """The best first quotation of all parts."""
    first = [section.quotes[0] for section in found.sections if section.quotes]
    return max(first, key=lambda quote: quote.score) if first and found.is_found else None


class _Sources:
    """Numbers pages in the order in which the report first quotes them."""

    def __init__(self, read: Library) -> None:
        self._pages = {page.address: page for page in read.pages}
        self._headings: dict[str, dict[str, None]] = {}

    def quoted(self, bit: Bit, heading: str = "") -> str:
        """The quotation with its link, and the term that it is about in front."""
        address = bit.span.address
        headings = self._headings.setdefault(address, {})
        if heading:
            headings.setdefault(heading)
        n = list(self._headings).index(address) + 1
        shown = quotation(bit.span, n)
        named = any(sign.isalpha() for sign in bit.term)
        return f"**{escaped(_short(bit.term))}**: {shown}" if named else shown

    def lines(self) -> list[str]:
        if not self._headings:
            return []
        told = [f"{n}. {self._told(address)}" for n, address in enumerate(self._headings, start=1)]
        return ["## Sources", "", *told]

    def _told(self, address: str) -> str:
        page = self._pages[address]
        sections = [
            heading for heading in self._headings[address] if terms(heading) != terms(page.title)
        ][:_MOST_SECTIONS_TOLD]
        named = ", ".join(f"“{_short(section)}”" for section in sections)
        where = f", section{'s' if len(sections) > 1 else ''} {named}" if sections else ""
        return f"{escaped(page.title)}{escaped(where)}, {link(address)}"


_NOTHING_READ = (f"**Not found.** {NOTHING_READ_NOTE}", "")


def _short(text: str) -> str:
    return one_line(text, _MOST_HEADING_CHARS)


def _opening(found: Findings, closest: Quote | None, sources: _Sources) -> list[str]:
    """The banner and what is nearest when nothing was found, else the closest quotation."""
    if closest is None:
        words = ", ".join(escaped(word) for word in found.absent)
        never = f" The pages never use: {words}." if words else ""
        nearest = [quote for section in found.sections for quote in section.quotes]
        lines = ["## Nearest passages", "", *_bulleted(nearest, sources), ""] if nearest else []
        return [f"**Not found.**{never} {NOT_FOUND_NOTE}", "", *lines]
    shown = _leading(closest, sources)
    return [f"**Closest quotation:** {shown}", "", *_spaced(_items(closest, sources))]


def _leading(quote: Quote, sources: _Sources) -> str:
    bits = [bit for bit in quote.bits if not bit.is_item] or list(quote.bits[:1])
    return " ".join(sources.quoted(bit, quote.heading) for bit in bits)


def _items(quote: Quote, sources: _Sources, indent: str = "") -> list[str]:
    """What stands below the first stretch: list items, lines of code."""
    leading = [bit for bit in quote.bits if not bit.is_item] or list(quote.bits[:1])
    return [
        f"{indent}- {sources.quoted(bit, quote.heading)}"
        for bit in quote.bits
        if bit not in leading
    ]


def _spaced(lines: Sequence[str]) -> list[str]:
    return [*lines, ""] if lines else []


def _bulleted(quotes: Iterable[Quote], sources: _Sources) -> list[str]:
    """A bullet per quotation behind its heading, its items nested."""
    lines: list[str] = []
    for quote in quotes:
        heading = f"**{escaped(_short(quote.heading))}**: " if quote.heading else ""
        lines.append(f"- {heading}{_leading(quote, sources)}")
        lines += _items(quote, sources, "  ")
    return lines


def _lists(lists: Sequence[Listing], sources: _Sources) -> list[str]:
    lines: list[str] = []
    for listing in lists:
        lines += [f"## {escaped(_short(listing.heading))}", ""]
        lines += [f"- {sources.quoted(bit, listing.heading)}" for bit in listing.bits]
        lines.append("")
    return lines


def _sections(
    found: Findings, closest: Quote | None, read: Library, *, sources: _Sources
) -> list[str]:
    lines: list[str] = []
    for section in found.sections if found.is_found else ():
        quotes = [quote for quote in section.quotes if quote is not closest]
        if section.title:
            lines += [f"## {escaped(_short(section.title))}", ""]
            lines += _spaced(_bulleted(quotes, sources)) or [f"{NO_MORE}", ""]
        else:
            lines += _grouped(quotes, read, sources)
    return lines


def _grouped(quotes: Sequence[Quote], read: Library, sources: _Sources) -> list[str]:
    """Quotations under the headings of their sources; those alone under theirs come last."""
    groups: list[tuple[str, list[Quote]]] = []
    for quote in quotes:
        name = _group_name(quote, read)
        group = next((told for known, told in groups if _is_same(known, name)), None)
        if group is None:
            groups.append((name, [quote]))
        else:
            group.append(quote)
    lines: list[str] = []
    for name, told in groups:
        if len(told) > 1:
            inside = [replace(quote, heading="") for quote in sorted(told, key=_place)]
            lines += [f"## {escaped(_short(name))}", "", *_bulleted(inside, sources), ""]
    single = [replace(told[0], heading=name) for name, told in groups if len(told) == 1]
    if single:
        lines += ["## Further points", "", *_bulleted(single, sources), ""]
    return lines


def _group_name(quote: Quote, read: Library) -> str:
    heading = quote.heading
    title = read.pages[quote.page].title
    return title if not heading or set(heading.lower().split()) <= GENERIC_HEADINGS else heading


def _is_same(one: str, other: str) -> bool:
    return one == other or jaccard(terms(one), terms(other)) >= _SAME_HEADING


def _place(quote: Quote) -> tuple[int, int]:
    return quote.page, quote.start


def _numbers(pairs: Sequence[Disagreement], sources: _Sources) -> list[str]:
    lines: list[str] = []
    for pair in pairs:
        told = [
            f"**{escaped(number)}** in {_leading(quote, sources)}"
            for number, quote in ((pair.one_number, pair.one), (pair.other_number, pair.other))
        ]
        change = " (may be a change over time)" if pair.names_time else ""
        lines += [f"- {told[0]} / {told[1]}{change}"]
    if not lines:
        return []
    return ["## Numbers that differ between passages", "", NUMBERS_NOTE, "", *lines, ""]


def _not_covered(found: Findings, seen: Seen) -> list[str]:
    lines = (
        [f"- No quotation uses: {', '.join(escaped(word) for word in found.uncovered)}."]
        if found.uncovered
        else []
    )
    lines += [
        f"- Nothing was found for “{escaped(section.title)}”."
        for section in found.sections
        if section.title and not section.quotes
    ]
    lines += [f"- {_failed(failure)}" for failure in seen.failures[:_MOST_NAMED]]
    lines += [
        f"- The search “{escaped(search.query)}” found nothing."
        for search in seen.searches
        if not search.hits
    ][:_MOST_NAMED]
    return ["## Not covered", "", *lines, ""] if lines else []


def _failed(failure: Failure) -> str:
    what = escaped(one_line(failure.what, 200))
    why = escaped(failure.why)
    return (
        f"The search “{what}” failed: {why}"
        if failure.tool == SEARCH
        else f"Not read: {what}: {why}"
    )


def _unread(read: Library, seen: Seen) -> list[str]:
    """The pages that a search named, when none of them could be read."""
    if read.pages:
        return []
    titles = {hit.address: hit.title for hit in hits_of(seen.searches)}
    lines = [f"- {escaped(title)}, {link(address)}" for address, title in titles.items()]
    return ["## Named by the search, not read", "", *lines[:_MOST_NAMED], ""] if lines else []
