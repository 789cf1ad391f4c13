"""WordPiece as the uncased BERT vocabulary wants it: text in, numbers of its pieces out.

It must give what the model was trained with, so its rules are those of the original: control
characters go, Chinese characters stand alone, case and accents are folded, punctuation is apart,
and each word is cut greedily into the longest pieces that are known. Pure.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache

_MOST_WORD_CHARS = 100
_WORDS_KEPT = 1 << 16
_UNKNOWN, _BEGIN, _END = "[UNK]", "[CLS]", "[SEP]"
_CJK = re.compile(
    "([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0002a6df\U0002a700-\U0002b81f\U0002b920-\U0002ceaf\U0002f800-\U0002fa1f])"
)
_ASCII_MARKS = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


class WordPiece:
    """Numbers of pieces by a vocabulary of one piece a line; its line is its number."""

    def __init__(self, vocabulary: str) -> None:
        """Raises ValueError when it lacks the pieces that every text needs."""
        self._numbers: Mapping[str, int] = {
            piece: number for number, piece in enumerate(vocabulary.split("\n")) if piece
        }
        missing = {_UNKNOWN, _BEGIN, _END} - set(self._numbers)
        if missing:
            raise ValueError(f"the vocabulary has no {', '.join(sorted(missing))}")
        self._pieces = lru_cache(maxsize=_WORDS_KEPT)(self._cut)

    def numbers(self, text: str, most: int) -> list[int]:
        """At most `most`, the marks of begin and end among them."""
        found: list[int] = []
        for word in _words(text):
            found.extend(self._pieces(word))
            if len(found) >= most - 2:
                break
        return [self._numbers[_BEGIN], *found[: most - 2], self._numbers[_END]]

    def _cut(self, word: str) -> tuple[int, ...]:
        unknown = (self._numbers[_UNKNOWN],)
        if len(word) > _MOST_WORD_CHARS:
            return unknown
        found, begin = [], 0
        while begin < len(word):
            end = self._longest(word, begin)
            if end == begin:
                return unknown
            found.append(self._numbers[_piece(word, begin, end)])
            begin = end
        return tuple(found)

    def _longest(self, word: str, begin: int) -> int:
        """Where the longest known piece that begins there ends; `begin` when there is none."""
        for end in range(len(word), begin, -1):
            if _piece(word, begin, end) in self._numbers:
                return end
        return begin


def _piece(word: str, begin: int, end: int) -> str:
    return word[begin:end] if begin == 0 else "##" + word[begin:end]


def _words(text: str) -> Iterator[str]:
    for word in _CJK.sub(r" \1 ", _without_controls(text)).split():
        yield from _apart(_folded(word))


def _without_controls(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        " " if sign.isspace() else sign
        for sign in text
        if sign in "\t\n\r" or not _is_control(sign)
    )


def _is_control(sign: str) -> bool:
    return sign in "\0\ufffd" or unicodedata.category(sign) in ("Cc", "Cf", "Co", "Cs")


def _folded(word: str) -> str:
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFD", word.lower())
    return "".join(sign for sign in parts if unicodedata.category(sign) != "Mn")


def _apart(word: str) -> Iterator[str]:
    begin = 0
    for at, sign in enumerate(word):
        if sign in _ASCII_MARKS or unicodedata.category(sign).startswith("P"):
            yield from (part for part in (word[begin:at], sign) if part)
            begin = at + 1
    if begin < len(word):
        yield word[begin:]
