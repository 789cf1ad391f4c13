"""Checks quotations of a report against what the sources said: word for word, or not at all.

A quotation stands in quotation marks right before its link `[n](ADDRESS#chars=START-END)`. The
link says how long the quotation is, so marks inside it do not confuse the reading. This must never
repair a quotation: what is not there is `missing`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.domain.run import Citation, Verdict
from engine.offline.quoting import link, unescaped
from engine.retrieval.quoting import even

_LINK = re.compile(
    r"\[(?P<n>\d{1,6})\]\((?P<address>[^\s()]+)#chars=(?P<start>\d{1,9})-(?P<end>\d{1,9})\)",
    re.ASCII,
)
_CLOSING = "\"”“»«'’"
_OPENING = "\"“”„«»'‘"
_BEFORE_LINK = " \t\n"
_NEAREST, _FARTHEST = 2_000, 40_000
"""How many characters before a link are looked at, at least and at most."""
_MOST_FOLDED = 4
"""How many characters of a source one of a quotation may stand for, as with wide white space."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """One quotation of a report: what is quoted, and where it is said to stand."""

    n: int
    """The number of the source, as in `[n]`."""
    address: str
    start: int
    end: int
    quote: str
    """Without quotation marks and without the backslashes that Markdown needs."""


def quotations(report: str) -> tuple[Quotation, ...]:
    """Every quotation that has a link with a place, in the order of the report.

    A link without quotation marks before it quotes nothing: its `quote` is empty.
    """
    return tuple(_quotations(report))


def check(quotation: Quotation, snapshot_text: str) -> Verdict:
    """`exact`: the snapshot has these characters there; `normalised`: the same after white space,
    Unicode form (NFKC) and quotation marks are made equal; else `missing`."""
    there = snapshot_text[quotation.start : quotation.end]
    if not quotation.quote.strip():
        return "missing"
    if there == quotation.quote:
        return "exact"
    if len(there) > _MOST_FOLDED * len(quotation.quote) + _NEAREST:
        return "missing"
    return "normalised" if even(there) == even(quotation.quote) else "missing"


def citations(report: str, sources: Mapping[str, tuple[int, str]]) -> tuple[Citation, ...]:
    """One row per quotation in the order of the report, numbered from 1.

    `sources`: address -> (id of the tool call that read it, whole text of the snapshot). A
    quotation from an address that was never read has no tool call and is `missing`.
    """
    by_link = {link(address): source for address, source in sources.items()} | dict(sources)
    return tuple(
        _citation(ord_, quotation, by_link.get(quotation.address))
        for ord_, quotation in enumerate(quotations(report), start=1)
    )


def _quotations(report: str) -> Iterator[Quotation]:
    before = 0
    for found in _LINK.finditer(report):
        start, end = int(found["start"]), int(found["end"])
        quote = _quote_before(report[before : found.start()], end - start)
        yield Quotation(int(found["n"]), found["address"], start, end, quote)
        before = found.end()


def _quote_before(text: str, length: int) -> str:
    """The quotation that ends `text`: the one of this length, else the shortest there is."""
    closed = text.rstrip(_BEFORE_LINK)
    if not closed or closed[-1] not in _CLOSING:
        return ""
    inside = closed[-1 - min(_FARTHEST, max(2 * length, _NEAREST)) - 1 : -1]
    candidates = [inside[at + 1 :] for at, sign in enumerate(inside) if sign in _OPENING]
    possible = [raw for raw in candidates if length <= len(raw) <= 2 * length]
    fitting = [raw for raw in possible if len(unescaped(raw)) == length]
    verbatim = [raw for raw in possible if len(raw) == length]
    if fitting:
        return unescaped(fitting[0])
    if verbatim:
        return verbatim[0]
    return unescaped(candidates[-1]) if candidates else ""


def _citation(ord_: int, quotation: Quotation, source: tuple[int, str] | None) -> Citation:
    tool_call_id, text = source if source is not None else (None, "")
    return Citation(
        ord=ord_,
        n=quotation.n,
        tool_call_id=tool_call_id,
        start=quotation.start,
        end=quotation.end,
        quote=quotation.quote,
        verdict=check(quotation, text),
    )
