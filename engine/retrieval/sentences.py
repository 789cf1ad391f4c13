"""Sentences of a page as exact spans of its text, never across two blocks.

A quotation is `text[start:end]`: nothing here may trim, join or repair a character of it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.retrieval.blocks import blocks

_END = re.compile(
    r"(?:\.{3}|…|[.!?]+)[\"'”’»)\]]*(?=\s|$)"  # Latin: white space must follow
    r"|[。！？｡]+[」』”’）】\"']*"  # Chinese and Japanese: nothing need follow
)
_LAST_TOKEN = re.compile(r"[^\s(\[\"'“‘]*\Z")
_NEXT_TOKEN = re.compile(r"\s*[\"'“‘«(\[]*(\S{1,40})")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_LABEL = re.compile(
    r"(?:(?:table|figure|example|listing|chapter|appendix|section|part)\s+)?"
    r"(?:(?:[A-Z]\.)?\d+(?:\.\d+)*|[A-Za-z]|[ivxIVX]+)[.)]?",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"\w*[_\d(]")

_NEVER_LAST_TEXT = """
    e.g i.e eg ie vs cf viz mr mrs ms dr prof st gen sen rep gov capt lt col approx ca resp incl
    esp fig figs eq eqs sec sect ch chap vol vols pp ed eds para art ref refs rev dept est
"""
_SELDOM_LAST_TEXT = "etc al inc ltd corp co jr sr a.m p.m bros ph.d u.s u.k e.u u.n"
_BEFORE_NUMBER_TEXT = """
    no nos p v ver jan feb mar apr jun jul aug sep sept oct nov dec bd nr §
"""
_OPENERS_TEXT = """
    The This That These Those It Its They There Then A An In On At As If For From When While
    Where With Without However But And Or So Such To We You He She By Each Every Some All Any Both
    Since Because Although After Before Once Note See Also Otherwise Thus Therefore Unlike Use What
    Which Why How Most Many No Not Only Here
"""
_NEVER_LAST = frozenset(_NEVER_LAST_TEXT.split())
_SELDOM_LAST = frozenset(_SELDOM_LAST_TEXT.split())
_BEFORE_NUMBER = frozenset(_BEFORE_NUMBER_TEXT.split())
_OPENERS = frozenset(_OPENERS_TEXT.split())
_SHORT_WORD = 3
_LOOKED_BACK_CHARS = 40
"""Far enough for any abbreviation or label; a whole long sentence would cost its square."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text[start:end]`, without white space around it."""

    start: int
    end: int


def sentences(text: str) -> list[Sentence]:
    """The sentences of all blocks of a page, ordered and disjoint, headings included."""
    return [
        sentence
        for block in blocks(text)
        for sentence in (
            [Sentence(block.start, block.end)]
            if block.kind in ("tr", "pre")
            else sentences_in(text, block.start, block.end)
        )
    ]


def sentences_in(text: str, start: int, end: int) -> list[Sentence]:
    """The sentences of one block: every character of it that is not white space is in one.

    A full stop ends none in abbreviations (e.g., vs., No. 5), initials, versions (3.24.0) and
    labels (`2.`, `Table 9.1.`), nor before a word that goes on in lower case after a short word;
    dots that stand apart (`INSERT ... SELECT`) leave something out and end none.
    """
    found: list[Sentence] = []
    begin = start
    for stop in _stops(text, start, end):
        found.extend(_trimmed(text, begin, stop))
        begin = stop
    found.extend(_trimmed(text, begin, end))
    return found


def _stops(text: str, start: int, end: int) -> Iterator[int]:
    begin = start
    for mark in _END.finditer(text, start, end):
        if _ends_sentence(text, begin, mark, end=end):
            yield mark.end()
            begin = mark.end()


def _ends_sentence(text: str, begin: int, mark: re.Match[str], *, end: int) -> bool:
    following = _NEXT_TOKEN.match(text, mark.end(), end)
    if following is None or mark[0][0] in "。！？｡":
        return True
    head = text[max(begin, mark.start() - _LOOKED_BACK_CHARS) : mark.start()]
    if mark.start() - begin < _LOOKED_BACK_CHARS and _LABEL.fullmatch(head.strip()):
        return False
    lower = following[1][0].islower() and not _IDENTIFIER.match(following[1])
    if mark[0][0] in "!?":
        return not lower
    if mark[0].startswith(("...", "…")):
        stands_apart = not head or head[-1].isspace()
        return not stands_apart and not following[1][0].islower()
    last = _LAST_TOKEN.search(head)
    return _full_stop(last[0] if last else "", following[1], goes_on=lower)


def _full_stop(last: str, following: str, *, goes_on: bool) -> bool:
    """Whether the full stop after the token `last` ends a sentence before `following`."""
    word = last.lower()
    if word in _NEVER_LAST or (word in _BEFORE_NUMBER and following[0].isdigit()):
        return False
    if word in _SELDOM_LAST or _INITIALS.fullmatch(last):
        return following.rstrip(",;:") in _OPENERS
    return not goes_on or len(last) > _SHORT_WORD


def _trimmed(text: str, start: int, end: int) -> list[Sentence]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return [Sentence(start, end)] if start < end else []
