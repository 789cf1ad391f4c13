"""Reads the JSON in a model's answer, also when it is broken or stands among other words.

It gives back what the answer holds and says what is wrong with it; it must never fill anything in.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

Item = Mapping[str, object]

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_OBJECT = re.compile(r"\{(?=\s*[\"}])")
_LAST_COMMA = re.compile(r",(?=\s*[}\]])")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MOST_OBJECTS = 5_000
_MOST_DEPTH = 4
_SCHEMA_WORDS = frozenset(("properties", "$schema", "$defs"))

NO_ANSWER = "The answer holds no JSON object."
SCHEMA = "The answer is the schema itself, not an object that follows it."
BROKEN = "The answer is broken JSON; only whole items of it were read."
SURROGATES = "Characters of the answer that are no text were taken out."


@dataclass(frozen=True, slots=True)
class Lists:
    """The items of an answer by the name of their list."""

    items: Mapping[str, tuple[object, ...]]
    problems: tuple[str, ...] = ()
    """What should be asked again; none: the answer was read as it stands."""
    notes: tuple[str, ...] = ()
    """What was put right on the way."""
    lost: int = 0
    """Items that were begun and could not be read."""


def lists_in(answer: str, marks: Mapping[str, str]) -> Lists:
    """The lists of an answer. `marks`: the name of each list, and a key that its items have.

    The object with most items counts: a draft before it does not. Words, thinking and fences
    around it do not matter. Of a broken or cut-off answer the items that are whole are read.
    """
    text = _THINKING.sub(" ", answer)
    objects = list(_objects(text))
    whole = [holder for found in objects for holder in _holders(found, marks)]
    if whole:
        best = max(reversed(whole), key=lambda holder: sum(map(len, holder.values())))
        return Lists(best, notes=_notes(best))
    return _pieces(text, objects, marks=marks)


def _pieces(text: str, objects: Sequence[Item], *, marks: Mapping[str, str]) -> Lists:
    if any(_SCHEMA_WORDS & found.keys() for found in objects):
        return Lists({}, (SCHEMA,))
    loose = [item for found in objects for item in _items_of(found, marks)]
    items = {
        name: tuple(item for item in loose if mark in item and not _is_of_other(item, name, marks))
        for name, mark in marks.items()
    }
    begun = sum(len(re.findall(rf'\{{\s*"{mark}"', text)) for mark in marks.values())
    if any(items.values()):
        lost = max(0, begun - sum(map(len, items.values())))
        return Lists(items, (BROKEN,), _notes(items), lost)
    if begun or re.search(r'\{\s*"\w+"\s*:', text):
        return Lists({}, (BROKEN,), lost=begun)
    missing = f"The answer has no list {' or '.join(repr(name) for name in marks)}."
    return Lists({}, (missing if objects else NO_ANSWER,))


def _is_of_other(item: Item, name: str, marks: Mapping[str, str]) -> bool:
    """An item with the marks of two lists belongs to the last of them."""
    having = [other for other, mark in marks.items() if mark in item]
    return having[-1] != name


def _holders(
    found: Item, marks: Mapping[str, str], depth: int = 0
) -> Iterator[dict[str, tuple[object, ...]]]:
    """The object itself, or one inside it, that has at least one of the lists."""
    lists = {name: tuple(_list(found.get(name))) for name in marks}
    if any(isinstance(found.get(name), list) for name in marks):
        yield lists
    elif depth < _MOST_DEPTH:
        for value in found.values():
            if isinstance(value, dict):
                yield from _holders(value, marks, depth + 1)


def _items_of(found: Item, marks: Mapping[str, str]) -> Iterator[Item]:
    if any(mark in found for mark in marks.values()):
        yield found


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _objects(text: str) -> Iterator[Item]:
    """Every outermost JSON object that can be read, from left to right; where one is broken, the
    objects inside it."""
    at = 0
    for _ in range(_MOST_OBJECTS):
        begin = _OBJECT.search(text, at)
        if begin is None:
            return
        found, at = _object_at(text, begin.start())
        if found is not None:
            yield found


def _object_at(text: str, start: int) -> tuple[Item | None, int]:
    """The object that starts there, and where to look on."""
    try:
        found, end = json.JSONDecoder(strict=False).raw_decode(text, start)
        return (found if isinstance(found, dict) else None), end
    except (ValueError, RecursionError):
        return _mended_at(text, start)


def _mended_at(text: str, start: int) -> tuple[Item | None, int]:
    """The same without commas before a closing bracket, when it has no object inside it."""
    end = text.find("}", start)
    inner = text.find("{", start + 1)
    if end < 0 or 0 <= inner < end:
        return None, start + 1
    try:
        found = json.loads(_LAST_COMMA.sub("", text[start : end + 1]), strict=False)
    except (ValueError, RecursionError):
        return None, start + 1
    return (found if isinstance(found, dict) else None), end + 1


def _notes(items: Mapping[str, Sequence[object]]) -> tuple[str, ...]:
    written = json.dumps(items, ensure_ascii=False, default=str)
    return (SURROGATES,) if _SURROGATE.search(written) else ()
