"""Words and stems of a text in any script: the only tokeniser, so that index and query agree.

It must never look at where a text comes from: equal texts give equal words.
"""

import re
import unicodedata
from functools import lru_cache

_ENGLISH = """
    a about above after again against all also am an and any are aren as at be because been before
    being below between both but by can cannot could couldn did didn do does doesn doing don down
    during each either else etc few for from further had hadn has hasn have haven having he her
    here hers herself him himself his how however i if in into is isn it its itself let may me
    might more most must my myself neither no nor not of off on once only or other ought our ours
    ourselves out over own per please same shall she should shouldn so some such than that the
    their theirs them themselves then there these they this those though through thus to too under
    until up upon us very via was wasn we were weren what when where whether which while who whom
    whose why will with within without won would wouldn yet you your yours yourself yourselves
"""
STOPWORDS = frozenset(_ENGLISH.split())
"""Case-folded English words that say nothing about the subject of a text."""

_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0966-\u0dff\u0e00-\u0e7f"
_JOINERS = "\u200c\u200d"
_CJK = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\U00020000-\U0003ffff"
_WORD = re.compile(rf"[\w{_MARKS}{_JOINERS}]+(?:\.[\w{_MARKS}{_JOINERS}]+)*")
_CJK_RUN = re.compile(f"[{_CJK}]+")
_CONTRACTION = re.compile(r"(?<=\w)['’](?:s|t|re|ve|ll|d|m)\b")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_PARTS = re.compile(r"[._]+")
_NUMBER = re.compile(r"v?\d+(?:\.\d+)*")
_STEMMABLE = re.compile(r"[a-z]{3,}")
_STEMS_KEPT = 1 << 18


def words(text: str) -> list[str]:
    """The words of `text` in order: NFKC, case-folded.

    Identifiers come whole and then in parts (`wal_autocheckpoint`, `wal`, `autocheckpoint`);
    dotted numbers only whole (`3.24.0`); thousands commas go (`4,096` is `4096`); runs of
    Chinese, Japanese or Korean come as 2-grams; endings as in `page's` or `don't` are dropped.
    """
    found: list[str] = []
    for token in _WORD.findall(_prepared(text)):
        if token.isascii() and token.isalnum():
            found.append(token)
        else:
            found.extend(_expanded(token))
    return found


@lru_cache(maxsize=_STEMS_KEPT)
def stem(word: str) -> str:
    """The Porter stem of one word as `words` gives it; only plain Latin words are shortened."""
    if not _STEMMABLE.fullmatch(word):
        return word
    from snowballstemmer.english_stemmer import EnglishStemmer  # type: ignore[import-untyped]  # has none

    # A stemmer holds the word it works on: one of its own keeps threads apart.
    return str(EnglishStemmer().stemWord(word))


def terms(text: str) -> list[str]:
    """The stems of the words of `text` in order, without STOPWORDS: what is indexed and asked."""
    return [stem(word) for word in words(text) if word not in STOPWORDS]


def _prepared(text: str) -> str:
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    if "'" in folded or "’" in folded:
        folded = _CONTRACTION.sub("", folded)
    if "," in folded:
        folded = _THOUSANDS.sub("", folded)
    return folded if folded.isascii() else _CJK_RUN.sub(r" \g<0> ", folded)


def _expanded(token: str) -> list[str]:
    if _CJK_RUN.fullmatch(token):
        return [token[at : at + 2] for at in range(max(1, len(token) - 1))]
    if _NUMBER.fullmatch(token):
        return [token]
    parts = [part for part in _PARTS.split(token) if part]
    return parts if parts == [token] else [token, *parts]
