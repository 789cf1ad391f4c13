"""Keys under which names, relations, facts and events are the same: made here and never in SQL.

No script may lose its letters here: a key is never empty for a name that is not.
"""

import hashlib
import re
import unicodedata
from typing import NamedTuple

from engine.domain.facts import EventKind, Stated
from engine.domain.text_safety import clean

SEPARATOR = "\x1f"
"""Between the parts of a key: `clean` takes it out of every part."""

_SAME_MARKS = str.maketrans(
    dict.fromkeys("“”„‟«»″", '"')
    | dict.fromkeys("‘’‚‛‹›′`´ʼ", "'")
    | dict.fromkeys("‐‑‒–—−﹣", "-")
    | dict.fromkeys("\u200c\u200d\u00ad")
)
_OUTER = " \"'()[]{}<>,;:、。，；：「」『』【】《》〈〉（）"
_ENDS = ".!?！？"
_CASES = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN_WORDS = re.compile(r"[\s_\-/]+")
_AUXILIARY = re.compile(r"(?:(?:has|have|had|will) been|will be|is|are|was|were)(?: the)? (?=\S)")
_IS = frozenset(("are", "was", "were", "has been", "have been", "had been", "be"))


class Triple(NamedTuple):
    """A fact's ends by their keys, as stored, and the relation between them as worded."""

    source: str
    relation: str
    target: str


def name_key(name: str) -> str:
    """The key of an entity's name: NFKC, case-folded, white space collapsed, quotation marks and
    dashes made equal; marks around it go, those inside stay (`c++`, `o'brien`, `a:b`, `.net`).

    `name_key(name_key(n)) == name_key(n)`; empty only for the empty name.
    """
    folded = " ".join(_folded(clean(name)).split())
    bare = _bare(folded)
    return bare or folded or "".join(f"u+{ord(sign):04x}" for sign in name)


def relation_key(relation: str) -> str:
    """The key of a relation: `WORKS_AT`, `worksAt` and `works at` are one, and so are `is the
    capital of`, `was capital of` and `capital of`. Empty only for the empty relation."""
    apart = _BETWEEN_WORDS.sub(" ", _CASES.sub(" ", relation))
    key = name_key(apart) if apart.strip() else name_key(relation)
    if key in _IS:
        return "is"
    while (match := _AUXILIARY.match(key)) is not None:
        key = key[match.end() :]
    return key


def fact_key(triple: Triple, *, negated: bool = False, start: Stated | None = None) -> str:
    """The key of a fact in its dataset: the same ends, relation, polarity and start as stated.

    `source` and `target` are taken as they are (a name key, and what tells homonyms apart).
    """
    polarity = "not" if negated else ""
    since = start.text if start is not None else ""
    relation = relation_key(triple.relation)
    return _hashed("fact", triple.source, relation, triple.target, polarity, since)


def dedup_key(fact: int | str, kind: EventKind, *, origin: str, at: Stated | None) -> str:
    """The key of an event: its fact, its kind, the artifact or importer it comes from, its time."""
    return _hashed("event", str(fact), kind, origin, at.text if at is not None else "")


def content_hash(text: str) -> str:
    """The same for texts that are equal in Unicode's composed form (NFC)."""
    return _sha256(unicodedata.normalize("NFC", text))


def _folded(text: str) -> str:
    """Case folding may undo the normal form, and that may bring cases back: until nothing moves."""
    before, after = "", text
    while before != after:
        before = after
        even = unicodedata.normalize("NFKC", after.translate(_SAME_MARKS)).casefold()
        after = unicodedata.normalize("NFKC", even).translate(_SAME_MARKS)
    return after


def _bare(folded: str) -> str:
    before, after = "", folded
    while before != after:
        before = after
        stripped = after.strip(_OUTER).rstrip(_ENDS)
        after = stripped if _has_substance(stripped) else after
    return after


def _has_substance(text: str) -> bool:
    return any(unicodedata.category(sign)[0] in "LNMS" for sign in text)


def _hashed(*parts: str) -> str:
    return _sha256(SEPARATOR.join(part.replace(SEPARATOR, " ") for part in parts))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
