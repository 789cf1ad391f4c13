"""What a question or a phrase says about time: its window, and whether it asks about the past.

Words are read beside a reference date, never beside the clock: a source's "last year" is the year
before the source's own. Pure.
"""

import re
from dataclasses import dataclass

from engine.domain.dates import years
from engine.domain.facts import LONG_AGO, Span, Stated
from engine.domain.time_points import Point, points

FAR_AHEAD = 2**53
"""Where a window ends that has no end; JSON holds it exactly."""
_BETWEEN = re.compile(
    r"\s*(?:to|and|until|till|through|up to|thru|[-–—~〜～]|至|到|から)\s*(?:the\s)?\s*", re.I
)
LEAD_CHARACTERS = 40
"""As far before a date words are looked at that say which side of it is meant."""
_EARLY = re.compile(
    r"\b(?:from|between)\s+(?P<first>[1-9][0-9]{2})\s+(?:to|until|till|and)\s+"
    r"(?P<last>[1-9][0-9]{2,3})(?=\s*(?:[?.,;:!]|$))",
    re.I,
)
_OPENING = re.compile(
    r"\W*(?:(?:in|on|during|at|as of|for|the|of|time|period|years?|date)\s+)*", re.I
)
_AND = re.compile(r"\s*and\b", re.I)
_START = re.compile(r"(?:\bbetween)(?:\s+the)?\s*$", re.I)
_SINCE = re.compile(r"(?:\bsince|\bfrom|\bstarting(?:\s+(?:in|from))?|\bfrom)(?:\s+the)?\s*$", re.I)
_AFTER = re.compile(r"(?:\bafter|\blater than|\bpast)(?:\s+the)?(?:\s+end\s+of)?\s*$", re.I)
_UNTIL = re.compile(
    r"(?:\buntil|\btill|\bup to|\bthrough|\bby|\bto)(?:\s+the)?(?:\s+end\s+of)?\s*$", re.I
)
_BEFORE = re.compile(r"(?:\bbefore|\bprior to|\bearlier than)(?:\s+the)?\s*$", re.I)
_CJK_AFTERWARDS = (
    (re.compile(r"\s*(?:以来|以來|以降|起|から)"), "since"),
    (re.compile(r"\s*(?:之后|以后|之後|以後|より後|の後)"), "after"),
    (re.compile(r"\s*(?:之前|以前|より前|の前)"), "before"),
    (re.compile(r"\s*(?:为止|為止|まで)"), "until"),
)
_LEADING = ((_SINCE, "since"), (_AFTER, "after"), (_UNTIL, "until"), (_BEFORE, "before"))
_NOW = re.compile(
    r"\b(?:now|nowadays|currently|current|today|at present|presently|no longer|not any ?more"
    r"|anymore|any longer|ceased|as of now|again|is no more|recently|newly|latest)\b"
    r"|现在|目前|现任|如今|当前|不再|現在|目前|現任|如今|今は|もはや|もう",
    re.I,
)
_HISTORY = re.compile(
    r"\b(?:used to|before|previously|previous|former|formerly|earlier|past|history|historical"
    r"|historically|originally|original|ago|when did|when was|when were|until when"
    r"|since when|how long|changed?|changes|over time|timeline|evolution|predecessors?"
    r"|no longer|was|were|had)\b"
    r"|以前|之前|曾经|曾|过去|原来|何时|什么时候|历史|前任|かつて|いつ|過去|歴史",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Window:
    """The time that a text speaks of."""

    span: Span
    text: str
    """The words that say so, as they stand in the text."""


def window(text: str, reference: Stated | None) -> Window | None:
    """The time the text asks or tells of: a date, a range, or all the time on one side of a date.
    Of several the one that opens the text, else the last: others are mostly of what it mentions on
    the way ("the bank founded in 1991"). None when it speaks of none that can be read."""
    told = windows(text, reference)
    if not told:
        return None
    opening = text[: text.index(told[0].text)]
    return told[0] if _OPENING.fullmatch(opening) else told[-1]


def windows(text: str, reference: Stated | None) -> tuple[Window, ...]:
    """All of them, in their order."""
    found = points(text, reference) or _early_years(text)
    told: list[Window] = []
    ranged = False
    for place, point in enumerate(found):
        if ranged:
            ranged = False
            continue
        following = found[place + 1] if place + 1 < len(found) else None
        if following is not None and _is_range(text, point, following):
            told.append(_range(text, point, following))
            ranged = True
        else:
            told.append(_on_its_side(text, point))
    return tuple(told)


def asks_history(question: str) -> bool:
    """Whether the question asks how things were or when they changed; a date alone does not."""
    return _HISTORY.search(question) is not None


def says_now(words: str) -> bool:
    """Whether words about time say that something has changed and how it is at their date."""
    return _NOW.search(words) is not None


def _early_years(text: str) -> tuple[Point, ...]:
    """`from 880 to 887`: years of three digits, which only stand in a range of their own."""
    found = _EARLY.search(text)
    if found is None:
        return ()
    return tuple(
        Point(found.start(name), found.end(name), years(int(found[name]), int(found[name])))
        for name in ("first", "last")
    )


def _is_range(text: str, first: Point, last: Point) -> bool:
    between = text[first.end : last.start]
    if _BETWEEN.fullmatch(between) is None:
        return False
    return _AND.match(between) is None or _START.search(_before(text, first)) is not None


def _range(text: str, first: Point, last: Point) -> Window:
    lead = _START.search(_before(text, first)) or _SINCE.search(_before(text, first))
    begins = first.start if lead is None else first.start - len(lead[0])
    hi = max(last.span.hi, first.span.hi)
    return Window(Span(first.span.lo, hi), text[begins : last.end])


def _on_its_side(text: str, point: Point) -> Window:
    for pattern, side in _LEADING:
        lead = pattern.search(_before(text, point))
        if lead is not None:
            begins = point.start - len(lead[0])
            return Window(_on_side(point.span, side), text[begins : point.end])
    for pattern, side in _CJK_AFTERWARDS:
        trail = pattern.match(text, point.end)
        if trail is not None:
            return Window(_on_side(point.span, side), text[point.start : trail.end()])
    return Window(point.span, text[point.start : point.end])


def _before(text: str, point: Point) -> str:
    return text[max(0, point.start - LEAD_CHARACTERS) : point.start]


def _on_side(span: Span, side: str) -> Span:
    match side:
        case "since":
            return Span(span.lo, FAR_AHEAD)
        case "after":
            return Span(span.hi, FAR_AHEAD)
        case "until":
            return Span(LONG_AGO, span.hi)
        case "before":
            return Span(LONG_AGO, span.lo)
        case _:
            return span
