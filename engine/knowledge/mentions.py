"""Names that a text mentions, found by their writing alone: for navigation, never as facts.

Capitalised spans, quoted terms, identifiers, names that are known already, terms in Chinese and
Japanese quotation marks, and Latin runs among their characters. What is found here is marked as
found by a pattern.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.domain.keys import name_key
from engine.knowledge.chunks import sentences
from engine.knowledge.namelike import is_name
from engine.knowledge.pattern_words import is_code
from engine.retrieval.quoting import Quotable
from engine.retrieval.tokens import STOPWORDS

MentionKind: TypeAlias = Literal["known", "quoted", "identifier", "capitalised", "latin"]

_CJK = "\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af"
_QUOTED = re.compile(r"[“\"]([^“”\"\n]{2,60})[”\"]|`([^`\n]{2,60})`|«([^«»\n]{2,60})»")
_CJK_QUOTED = re.compile(r"[「『《〈【]([^「」『』《》〈〉【】\n]{1,40})[」』》〉】]")
_LATIN_RUN = re.compile(
    rf"(?<=[{_CJK}，。、])\s?([A-Za-z][A-Za-z0-9.+#_-]*(?:\s[A-Z][A-Za-z0-9.+#_-]*)*)\s?(?=[{_CJK}，。、！？])"
)
_TOKEN = re.compile(r"[^\s,;:!?\"“”«»„()\[\]{}「」『』《》〈〉【】，。、！？]+(?:\(\w*\))?")
_UPPER = f"[{''.join(sign for sign in map(chr, range(0x41, 0x590)) if sign.isupper())}]"
_REST = rf"(?:(?![{_CJK}])[\w'’&+#-])*"
_JOINING = r"(?:of|the|de|la|von|van|der)\s(?:the\s)?"
_CAPITALISED = re.compile(
    rf"(?<![\w'’.-]){_UPPER}{_REST}(?:\s(?:{_JOINING})?{_UPPER}{_REST}|\s\d+(?:\.\d+)*(?!\w))*"
)
_ENDING = re.compile(r"['’]s$")
_ORDINARY_ALONE = frozenset(
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "note", "yes")
)
_MOST = 200


@dataclass(frozen=True, slots=True)
class Mention:
    """`text[start:end]` is `name`, where the text mentions it first."""

    name: str
    kind: MentionKind
    start: int
    end: int


def mentions(text: str, known: Sequence[str] = ()) -> tuple[Mention, ...]:
    """The names of a text in its order, each once by its key, at most 200. `known`: names that
    count wherever the text has them."""
    found = sorted(_all(text, known), key=lambda each: (each.start, -each.end))
    once: dict[str, Mention] = {}
    for each in found:
        once.setdefault(name_key(each.name), each)
    return tuple(once.values())[:_MOST]


def _all(text: str, known: Sequence[str]) -> Iterator[Mention]:
    yield from _known(text, known)
    for pattern in (_QUOTED, _CJK_QUOTED):
        yield from _matched(text, pattern.finditer(text), "quoted")
    yield from _matched(text, _LATIN_RUN.finditer(text), "latin")
    for token in _TOKEN.finditer(text):
        bare = token[0].rstrip(".'’`").lstrip("'‘`")
        if is_code(bare):
            start = token.start() + token[0].find(bare)
            yield Mention(bare, "identifier", start, start + len(bare))
    yield from _capitalised(text)


def _known(text: str, known: Sequence[str]) -> Iterator[Mention]:
    if not known:
        return
    page = Quotable(text)
    for name in known:
        place = page.find(name)
        if place is not None:
            yield Mention(text[slice(*place)], "known", *place)


def _matched(text: str, matches: Iterable[re.Match[str]], kind: MentionKind) -> Iterator[Mention]:
    """What stands inside the marks, when it can be a name and is no sentence."""
    for match in matches:
        start, end = match.span(match.lastindex or 0)
        if is_name(text[start:end]) and len(text[start:end].split()) <= 6:
            yield Mention(text[start:end], kind, start, end)


def _capitalised(text: str) -> Iterator[Mention]:
    """Capitalised spans; the first word of a sentence only with more to show that it is a name."""
    begins = {part.start for part in sentences(text)}
    for match in _CAPITALISED.finditer(text):
        start, end = match.span()
        start = _after_ordinary(text, start, end)
        name = _ENDING.sub("", text[start:end])
        if not name or not is_name(name):
            continue
        is_first = start in begins
        if is_first and " " not in name and not _elsewhere(text, name, start):
            continue
        if name.casefold() not in _ORDINARY_ALONE and name.casefold() not in STOPWORDS:
            yield Mention(name, "capitalised", start, start + len(name))


def _after_ordinary(text: str, start: int, end: int) -> int:
    """Without the small words that a sentence begins with: `The`, `In`, `However`."""
    while start < end:
        word = re.match(r"\w+\s", text[start:end])
        if word is None or word[0].strip().casefold() not in STOPWORDS:
            return start
        start += word.end()
    return start


def _elsewhere(text: str, word: str, start: int) -> bool:
    """Whether the word stands capitalised inside a sentence, or is of capitals or figures."""
    if sum(sign.isupper() for sign in word) > 1 or any(sign in "+#" for sign in word):
        return True
    inside = re.compile(rf"(?<=[\w,] ){re.escape(word)}\b")
    return any(found.start() != start for found in inside.finditer(text))
