"""From the bytes of a file to its tables, within bounds: whatever they are, it answers and soon.

Pure. The bounds come first, since the readers of the library slow down or give up on texts that are
nested deeply enough.
"""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from engine.definitions.lines import json_lines, quiet, toml_lines
from engine.definitions.problems import KeyPath
from engine.domain.text_safety import one_line

MOST_BYTES = 262_144
"""Of a definition file: 256 KiB."""

Form = Literal["toml", "json"]

_MOST_NESTED = 32
_MOST_DOTS = 32
"""On one line, outside strings: far more than any key here has."""
_TOML_LINE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


@dataclass(frozen=True, slots=True)
class Document:
    table: Mapping[str, object]
    lines: Mapping[KeyPath, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """Why a text could not be read at all; `line` is 0 where it is not known."""

    what: str
    line: int = 0


def read_document(data: bytes, form: Form, *, most: int = MOST_BYTES) -> Document | SyntaxFault:
    """The tables of at most `most` bytes, or the first fault of their form. Never raises."""
    if len(data) > most:
        return SyntaxFault(f"has more than {most} bytes")
    text = decoded(data)
    if isinstance(text, SyntaxFault):
        return text
    too_deep = _too_deep(text, form)
    if too_deep is not None:
        return too_deep
    return _toml(text) if form == "toml" else _json(text)


def decoded(data: bytes) -> str | SyntaxFault:
    """The text of UTF-8 bytes, with or without a mark at their beginning."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        return SyntaxFault("is not UTF-8 text", data.count(b"\n", 0, exc.start) + 1)
    if "\0" in text:
        return SyntaxFault("holds a NUL character", text.count("\n", 0, text.index("\0")) + 1)
    return text


def _too_deep(text: str, form: Form) -> SyntaxFault | None:
    what = f"is nested more than {_MOST_NESTED} deep"
    bare = quiet(text, is_toml=form == "toml")
    depth = 0
    for mark in re.findall(r"[\[\]{}]", bare):
        depth += 1 if mark in "[{" else -1
        if depth > _MOST_NESTED:
            return SyntaxFault(what)
    if form == "toml" and any(line.count(".") > _MOST_DOTS for line in bare.split("\n")):
        return SyntaxFault(what)
    return None


def _toml(text: str) -> Document | SyntaxFault:
    unified = text.replace("\r\n", "\n")
    try:
        table = tomllib.loads(unified)
    except ValueError as exc:
        told = str(exc)
        place = _TOML_LINE.search(told)
        line = int(place[1] or unified.rstrip().count("\n") + 1) if place else 0
        return SyntaxFault(f"is not TOML: {_reason(_TOML_LINE.sub('', told))}", line)
    return Document(table, toml_lines(unified))


def _json(text: str) -> Document | SyntaxFault:
    try:
        table = json.loads(text, object_pairs_hook=_without_doubles, parse_constant=_no_number)
    except json.JSONDecodeError as exc:
        return SyntaxFault(f"is not JSON: {_reason(exc.msg)}", exc.lineno)
    except ValueError as exc:
        return SyntaxFault(f"is not JSON: {_reason(str(exc))}")
    if not isinstance(table, dict):
        return SyntaxFault("is not JSON with an object at its top")
    return Document(table, json_lines(text))


def _without_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) < len(pairs):
        double = next(name for name, times in Counter(n for n, _ in pairs).items() if times > 1)
        raise ValueError(f'"{double}" is given twice')
    return table


def _no_number(word: str) -> object:
    raise ValueError(f"{word} is not a number")


def _reason(told: str) -> str:
    """What the library says, but for its advice about the interpreter."""
    return "a number is too long" if told.startswith("Exceeds the limit") else one_line(told, 120)
