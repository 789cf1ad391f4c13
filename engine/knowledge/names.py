"""The names that a question may hold, as keys: what of it to look up among names and aliases.

Pure; it knows no name: it gives all short runs of words, and in scripts without spaces all short
runs of characters.
"""

import re

from engine.domain.keys import name_key
from engine.retrieval.tokens import STOPWORDS

MOST_WORDS = 5
MOST_CHARACTERS = 10
"""Of a name in a script without spaces."""
MOST_KEYS = 600
_LEAST_CHARACTERS = 2
_UNSPACED = re.compile("[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
_ENDS = "?!.,;:؟،؛।。？！"
_POSSESSIVE = re.compile(r"['’]s?$")


def keys_in(question: str) -> list[str]:
    """Keys of everything in the question that may be a name; the longest first, each once."""
    found = dict.fromkeys((*_quoted(question), *_of_words(question), *_of_characters(question)))
    return [key for key in found if key not in STOPWORDS][:MOST_KEYS]


_QUOTED = re.compile(r"[\"“”„«»「『]([^\"“”„«»「」『』\n]{1,120})[\"“”„«»」』]")


def _quoted(question: str) -> list[str]:
    return [name_key(match[1]) for match in _QUOTED.finditer(question) if match[1].strip()]


def _of_words(question: str) -> list[str]:
    words = question.split()
    return [
        name_key(form)
        for count in range(min(MOST_WORDS, len(words)), 0, -1)
        for at in range(len(words) - count + 1)
        for form in _forms(" ".join(words[at : at + count]))
    ]


def _forms(phrase: str) -> list[str]:
    """The phrase, and without the marks after it, and without the ending of a genitive."""
    bare = _POSSESSIVE.sub("", phrase.rstrip(_ENDS))
    return [phrase] if bare == phrase or not bare else [phrase, bare]


def _of_characters(question: str) -> list[str]:
    return [
        name_key(run[at : at + count])
        for run in _UNSPACED.findall(question)
        for count in range(min(MOST_CHARACTERS, len(run)), _LEAST_CHARACTERS - 1, -1)
        for at in range(len(run) - count + 1)
    ]
