"""Takes a question apart with word tables: its parts, their kinds, and the words that matter.

It never looks at documents, so that the same topic is always asked in the same way.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from engine.offline.cues import (
    ASKING_PHRASES,
    ASKING_WORDS,
    ATTRIBUTE_WORDS,
    EMPTY_VERBS,
    GENERIC_WORDS,
    LIST_NOUNS,
    MEASURES,
    OPENING_WORDS,
    PHRASAL_VERBS,
    QUESTION_KINDS,
    Kind,
)
from engine.retrieval.tokens import STOPWORDS, stem, terms, words

GENERIC_WEIGHT = 0.35
EMPTY_WEIGHT = 0.1
_OPENING_PLACES = 4
_PIECE_WEIGHT = 0.6
_LEAST_CORE_WORDS = 3
_MOST_PARTS = 4

_PART_BREAK = re.compile(
    r"(?:,\s*(?:and\s+)?|;\s*|\?\s+|\.\s+|\band\s+)"
    r"(?=(?:when|how|why|what|which|where|who|can|does|do|is|are|should)\b)",
    re.IGNORECASE,
)
_END = r"(?:\s*[?.!]*\s*$)"
_ASPECT = (
    r"(?:\s*(?::|,|\bin(?:\s+terms of|\s+the way (?:they|it)|\s+how (?:they|it))?|\bregarding|\bfor"
    r"|\bwith (?:respect|regard) to|\bon|\bwhen)\s+(?P<aspect>.+?))?"
)
_COMPARISONS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bcompare\s+(?P<a>.+?)\s+(?:and|with|to|against|versus|vs\.?)\s+(?P<b>.+?){_ASPECT}{_END}",
        rf"\bdifferences?\s+between\s+(?P<a>.+?)\s+and\s+(?P<b>.+?){_ASPECT}{_END}",
        rf"\bhow\s+(?:do|does|did|is|are)\s+(?P<a>.+?)\s+(?:and|differ(?:ent)?\s+from)\s+(?P<b>.+?)"
        rf"(?:\s+(?:differ|compare|different)\b)?{_ASPECT}{_END}",
        rf"^(?P<aspect>[^:]+):\s*(?P<a>.+?)\s+(?:versus|vs\.?|and|or)\s+(?P<b>[^:]+?){_END}",
        rf"(?P<a>[\w .+#/-]+?)\s+(?:versus|vs\.?)\s+(?P<b>.+?){_ASPECT}{_END}",
    )
)
_DIFFERING = re.compile(r"\b(?:differ|different|compare)\b", re.IGNORECASE)
_JOINED_NAME = re.compile(r"\w[_.]\w|_\w|\w_")
_KIND_NOUNS = frozenset({"kind", "type"})
_PHRASAL = re.compile(rf"\b(?:{'|'.join(PHRASAL_VERBS)})\b")
_NAMED = re.compile(r"\w*[A-Z_\d]\w*")


@dataclass(frozen=True, slots=True)
class Part:
    """One question of the topic. Words are stems as `tokens.terms` makes them."""

    text: str
    kinds: frozenset[Kind]
    core: Mapping[str, float]
    """Stem -> weight, in the order of the question."""
    attributes: frozenset[str] = frozenset()
    list_nouns: frozenset[str] = frozenset()
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Core word that is an identifier (`sqlite_busy`) -> the stems that it is made of."""

    @property
    def bigrams(self) -> frozenset[tuple[str, str]]:
        ordered = [word for word, weight in self.core.items() if weight > EMPTY_WEIGHT]
        return frozenset(pairwise(ordered))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two things named in one question, and in what they are to be compared (may be empty)."""

    one: str
    other: str
    aspect: str


@dataclass(frozen=True, slots=True)
class Question:
    topic: str
    parts: tuple[Part, ...]
    comparison: Comparison | None
    surface: Mapping[str, str]
    """Stem -> the word as it was asked."""
    named: frozenset[str]
    """Stems of words that look like names: with a capital (not the first word), digit or `_`."""

    @property
    def core(self) -> Mapping[str, float]:
        """The core words of all parts, each with its highest weight."""
        gathered: dict[str, float] = {}
        for part in self.parts:
            for word, weight in part.core.items():
                gathered[word] = max(weight, gathered.get(word, 0.0))
        return gathered


def understood(topic: str) -> Question:
    """The question that `topic` asks; a topic that is no question is one part of kind `topic`."""
    flat = " ".join(topic.split())
    texts = [text.strip(" ,;?.") for text in _PART_BREAK.split(flat)]
    parts = [part_of(text) for text in texts if text][:_MOST_PARTS] or [part_of(flat)]
    return Question(
        topic=flat,
        parts=tuple([parts[0], *(_completed(part, parts[0]) for part in parts[1:])]),
        comparison=_comparison(flat),
        surface=_surface(flat),
        named=_named(flat),
    )


def part_of(text: str) -> Part:
    """`text` as one question of its own."""
    lower = _PHRASAL.sub(lambda found: PHRASAL_VERBS[found.group()], text.lower())
    kinds = _kinds(lower)
    every = words(ASKING_PHRASES.sub(" ", lower))
    asked = [word for word in every if word not in STOPWORDS]
    kept = [
        word
        for at, word in enumerate(every)
        if word not in STOPWORDS | ASKING_WORDS
        and not (word in OPENING_WORDS and at < _OPENING_PLACES)
    ]
    kept = kept or asked or words(text)
    core = {stem(word): _weight(word, kinds) for word in kept}
    measured = next((words for pattern, words in MEASURES if pattern.search(lower)), ())
    core |= {stem(word): GENERIC_WEIGHT for word in measured if stem(word) not in core}
    names = _names(text)
    return Part(
        text=text,
        kinds=kinds or frozenset({"topic"}),
        core=_weighty(_with_names(core, names)),
        attributes=frozenset(stem(w) for w in (*asked, *measured) if w in ATTRIBUTE_WORDS),
        list_nouns=_list_nouns(asked),
        names={name: pieces for name, pieces in names.items() if "." not in name},
    )


def _list_nouns(asked: Sequence[str]) -> frozenset[str]:
    """What is to be listed: documents say kinds or types without a difference."""
    found = frozenset(stem(word) for word in asked if word in LIST_NOUNS)
    return found | _KIND_NOUNS if found & _KIND_NOUNS else found


def _kinds(lower: str) -> frozenset[Kind]:
    """Every kind that fits; "when was it added" asks for a version, not for a moment."""
    kinds = frozenset(kind for kind, pattern in QUESTION_KINDS if pattern.search(lower))
    return kinds - {"when"} if "version" in kinds else kinds


def _weight(word: str, kinds: Collection[Kind]) -> float:
    if any(word in EMPTY_VERBS.get(kind, ()) for kind in kinds):
        return EMPTY_WEIGHT
    return GENERIC_WEIGHT if word in GENERIC_WORDS else 1.0


def with_known_names(part: Part, known: Collection[str]) -> Part:
    """`part` where an identifier that no text has is asked for by what it is made of."""
    unknown = {name: pieces for name, pieces in part.names.items() if name not in known}
    core: dict[str, float] = {}
    for word, weight in part.core.items():
        pieces = unknown.get(word, ())
        core |= dict.fromkeys(pieces, weight) if any(p in known for p in pieces) else {word: weight}
    return replace(part, core=core, names={n: p for n, p in part.names.items() if n in core})


def lighter(part: Part, names: frozenset[str], weight: float) -> Part:
    """`part` where words that only name a source weigh less, unless nothing else is asked."""
    if all(word in names or value < 1 for word, value in part.core.items()):
        return part
    core = {
        word: min(value, weight) if word in names else value for word, value in part.core.items()
    }
    return replace(part, core=core)


def _names(text: str) -> dict[str, tuple[str, ...]]:
    """Identifiers in the text (`sqlite_busy`, `asyncio.gather`) and what they are made of."""
    found: dict[str, tuple[str, ...]] = {}
    for token in text.split():
        whole, *pieces = terms(token) or [""]
        if pieces and _JOINED_NAME.search(whole):
            found[whole] = tuple(pieces)
    return found


def _with_names(
    core: Mapping[str, float], names: Mapping[str, tuple[str, ...]]
) -> dict[str, float]:
    """An identifier with `_` counts as a whole, a dotted one by its pieces alone."""
    found = dict(core)
    for name, pieces in names.items():
        dotted = "." in name
        for piece in pieces:
            found.pop(piece, None)
        found |= dict.fromkeys(pieces, _PIECE_WEIGHT) if dotted else {name: 1.0}
        if dotted:
            found.pop(name, None)
    return found


def _weighty(core: dict[str, float]) -> dict[str, float]:
    """Generic words count in full when there are no others."""
    return (
        core
        if any(weight > GENERIC_WEIGHT for weight in core.values())
        else dict.fromkeys(core, 1.0)
    )


def _completed(part: Part, first: Part) -> Part:
    """A part that names too little takes over the core words of the first."""
    if len(part.core) >= _LEAST_CORE_WORDS:
        return part
    return replace(part, core={**first.core, **part.core})


def _comparison(text: str) -> Comparison | None:
    for pattern in _COMPARISONS:
        found = pattern.search(text)
        if found is not None and (found.re is not _COMPARISONS[2] or _DIFFERING.search(text)):
            groups = found.groupdict()
            aspect = (groups["aspect"] or "").strip()
            return Comparison(groups["a"].strip(), groups["b"].strip(), aspect)
    return None


def _surface(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in text.split():
        bare = word.strip(".,;:?!()[]\"'“”‘’")
        for told in terms(bare):
            found.setdefault(told, bare)
    return found


def _named(text: str) -> frozenset[str]:
    later = text.split()[1:]
    return frozenset(told for word in later if _NAMED.search(word) for told in terms(word))


def joined_words(part: Part, surface: Mapping[str, str], without: Sequence[str] = ()) -> str:
    """The core words as a search string, as they were asked."""
    return " ".join(
        dict.fromkeys(surface.get(word, word) for word in part.core if word not in without)
    )
