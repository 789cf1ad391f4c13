"""How alike two names are written: a reason to ask whether they mean one thing, never to say so.

Names with different figures are never alike: a version is not another one, nor the product.
"""

import re

from engine.domain.keys import name_key

_WORD = re.compile(r"[^\W_]+(?:['.][^\W_]+)*[+#]*")
_FIGURES = re.compile(r"\d+")
_NO_PART_TEXT = "the of and for a an de la le du der die das von van el al inc ltd llc"
_NO_PART = frozenset(_NO_PART_TEXT.split())
_SPACELESS = re.compile("[\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_GRAM = 3
_SPACELESS_GRAM = 2
_LEAST_PART_CHARS = 3
_LEAST_INITIALS, _MOST_INITIALS = 2, 6

SAME_WORDS, ACRONYM, PART, INITIAL = 0.95, 0.9, 0.7, 0.8


def likeness(one: str, other: str) -> float:
    """From 0 to 1. Equal keys are 1; acronyms, initials and parts of a name have fixed values, the
    rest is the share of letter groups in common."""
    a, b = name_key(one), name_key(other)
    if a == b:
        return 1.0
    if sorted(_FIGURES.findall(a)) != sorted(_FIGURES.findall(b)):
        return 0.0
    words, others = _words(a), _words(b)
    if words and sorted(words) == sorted(others):
        return SAME_WORDS
    if _is_acronym(a, others) or _is_acronym(b, words):
        return ACRONYM
    return max(_initials(words, others), _part(words, others), _grams_in_common(a, b))


def _words(key: str) -> list[str]:
    return [word for word in _WORD.findall(key) if word not in _NO_PART]


def _is_acronym(key: str, words: list[str]) -> bool:
    letters = key.replace(".", "")
    if not _LEAST_INITIALS <= len(letters) <= _MOST_INITIALS or len(words) != len(letters):
        return False
    return all(word.startswith(letter) for word, letter in zip(words, letters, strict=True))


def _initials(words: list[str], others: list[str]) -> float:
    """`J. Smith` and `John Smith`: the last words equal, the first of one an initial."""
    if min(len(words), len(others)) < _LEAST_INITIALS or words[-1] != others[-1]:
        return 0.0
    first, second = sorted((words[0], others[0]), key=len)
    return INITIAL if len(first.rstrip(".")) == 1 and second.startswith(first[0]) else 0.0


def _part(words: list[str], others: list[str]) -> float:
    """`Holmes` and `Sherlock Holmes`: all words of one stand in the other."""
    fewer, more = sorted((set(words), set(others)), key=len)
    is_part = bool(fewer) and fewer <= more
    return PART if is_part and max(map(len, fewer)) >= _LEAST_PART_CHARS else 0.0


def _grams_in_common(one: str, other: str) -> float:
    size = _SPACELESS_GRAM if _SPACELESS.search(one + other) else _GRAM
    a, b = _grams(one, size), _grams(other, size)
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0


def _grams(text: str, size: int) -> set[str]:
    return {text[at : at + size] for at in range(len(text) - size + 1)}
