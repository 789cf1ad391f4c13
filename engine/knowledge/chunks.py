"""Cuts a text into sentences, and into chunks small enough for one question to a model.

Parts are spans of the text: no character but white space between them may be lost or changed.
"""

from bisect import bisect_right
from dataclasses import dataclass

from engine.retrieval.sentences import sentences as sentences_of

MOST_CHARS = 6_000
"""About 1,500 to 2,000 tokens of an English text."""
_LEAST_SHARE = 0.5
"""A chunk ends with its last paragraph if it is at least so full by then."""


@dataclass(frozen=True, slots=True)
class Part:
    """`text[start:end]`, without white space around it."""

    start: int
    end: int


def sentences(text: str) -> tuple[Part, ...]:
    """The sentences of a text in order, disjoint: headings and rows of tables are some, too.

    Marks of structure (`## `, `- `) are outside; every other word is in exactly one.
    """
    return tuple(Part(found.start, found.end) for found in sentences_of(text))


def chunks(text: str, most_chars: int = MOST_CHARS) -> tuple[Part, ...]:
    """Consecutive parts of at most `most_chars` characters that hold all of `text`.

    They end with a paragraph where there is one in their second half, else with a sentence, else
    (one sentence longer than that) with a word.
    """
    assert most_chars > 0
    found: list[Part] = []
    borders = _Borders(text)
    start = _after_white_space(text, 0)
    while start < len(text):
        end = borders.end_of_chunk(start, most_chars)
        found.append(Part(start, _before_white_space(text, end)))
        start = _after_white_space(text, end)
    return tuple(found)


class _Borders:
    """Where a text may be cut: after its sentences, best where a blank line follows."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends = [part.end for part in sentences(text)]
        self._paragraph_ends = [end for end in self._ends if _ends_paragraph(text, end)]

    def end_of_chunk(self, start: int, most_chars: int) -> int:
        last = start + most_chars
        if _before_white_space(self._text, len(self._text)) <= last:
            return len(self._text)
        paragraph = _last_at_most(self._paragraph_ends, last)
        if paragraph >= start + most_chars * _LEAST_SHARE:
            return paragraph
        sentence = _last_at_most(self._ends, last)
        return sentence if sentence > start else self._last_word(start, last)

    def _last_word(self, start: int, last: int) -> int:
        """After the last line or word that ends by then; a word longer than that is cut."""
        for border in ("\n", " "):
            at = self._text.rfind(border, start + 1, last + 1)
            if at > start:
                return at
        return last


def _ends_paragraph(text: str, end: int) -> bool:
    following = _after_white_space(text, end)
    return text.count("\n", end, following) > 1 or following == len(text)


def _last_at_most(ordered: list[int], most: int) -> int:
    at = bisect_right(ordered, most)
    return ordered[at - 1] if at else -1


def _after_white_space(text: str, start: int) -> int:
    while start < len(text) and text[start].isspace():
        start += 1
    return start


def _before_white_space(text: str, end: int) -> int:
    while end and text[end - 1].isspace():
        end -= 1
    return end
