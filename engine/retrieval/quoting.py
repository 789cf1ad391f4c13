"""Finds what was quoted from a text although white space, case, Unicode form or marks differ.

A place it gives is a span of the text as it stands. It must never find what is not there.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator

_SAME_MARKS = str.maketrans(dict.fromkeys("“”„‟«»″", '"') | dict.fromkeys("‘’‚‛‹›′`´", "'"))
_SAME_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_LEFT_OUT = re.compile(r"\s*(?:\[?\.{3}\]?|\[?…\]?)\s*")
_MOST_LEFT_OUT_CHARS = 400
"""How far the parts of a quotation with an ellipsis may stand apart."""
_OUTER = " \"'"
_SCRIPTS_WITHOUT_SPACES = re.compile("[\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")


def even(text: str) -> str:
    """`text` with white space, Unicode form (NFKC) and quotation marks made equal."""
    folded = unicodedata.normalize("NFKC", text.translate(_SAME_MARKS))
    return " ".join(folded.translate(_SAME_MARKS).split())


class Quotable:
    """A text in which quotations and names are looked up; made once per text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded, self._starts, self._ends = _folded_with_places(text)

    def find(self, quote: str, after: int = 0) -> tuple[int, int] | None:
        """Where it stands, as whole words: `text[start:end]`; at `after` or later if it does, else
        anywhere. An ellipsis leaves out up to 400 characters; quotation marks around the quotation
        are not part of it."""
        begin = bisect_left(self._starts, after)
        for worded in (quote, quote.strip(_OUTER + "“”„«»‘’")):
            parts = [_folded(part) for part in _LEFT_OUT.split(worded) if part.strip()]
            places = self._in_order(parts, begin) or self._in_order(parts, 0)
            if places is not None:
                return self._starts[places[0]], self._ends[places[1] - 1]
        return None

    def holds(self, words: str) -> bool:
        """Whether these words stand in it, whole."""
        folded = _folded(words)
        return bool(folded) and next(self._places(folded, 0), None) is not None

    def _in_order(self, parts: list[str], begin: int) -> tuple[int, int] | None:
        if not parts or not all(parts):
            return None
        for first in self._places(parts[0], begin):
            end = first + len(parts[0])
            for part in parts[1:]:
                at = next(self._places(part, end), None)
                if at is None or at - end > _MOST_LEFT_OUT_CHARS:
                    break
                end = at + len(part)
            else:
                return first, end
        return None

    def _places(self, words: str, start: int) -> Iterator[int]:
        at = self._folded.find(words, start)
        while at >= 0:
            if _is_whole(self._folded, at, at + len(words)):
                yield at
            at = self._folded.find(words, at + 1)


def _is_whole(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (_joins(before, text[start]) or _joins(text[end - 1], after))


def _joins(left: str, right: str) -> bool:
    """Whether two neighbouring characters are of one word."""
    if not (left.isalnum() and right.isalnum()):
        return False
    return not (_SCRIPTS_WITHOUT_SPACES.match(left) or _SCRIPTS_WITHOUT_SPACES.match(right))


def _folded(text: str) -> str:
    return _folded_with_places(text)[0].strip()


def _folded_with_places(text: str) -> tuple[str, list[int], list[int]]:
    """The text made even and case-folded, and for each character of it the span it stands for."""
    signs: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _clusters(text):
        for sign in _even_signs(text[start:end]):
            if sign == " " and signs and signs[-1] == " ":
                ends[-1] = end
                continue
            signs.append(sign)
            starts.append(start)
            ends.append(end)
    return "".join(signs), starts, ends


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Each character with the combining marks that follow it."""
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or text[at] < "\u0300" or not unicodedata.combining(text[at]):
            yield start, at
            start = at


def _even_signs(cluster: str) -> str:
    if cluster.isascii():
        return " " if cluster.isspace() else cluster.translate(_SAME_MARKS).lower()
    marked = cluster.translate(_SAME_MARKS).translate(_SAME_DASHES)
    normal = unicodedata.normalize("NFKC", marked).translate(_SAME_MARKS).casefold()
    return "".join(" " if sign.isspace() else sign for sign in normal)
