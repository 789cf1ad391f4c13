"""On which line each key of a TOML or JSON text stands; neither reader of the library tells.

The text is taken to be valid: for any other the answer means nothing, but it comes, in one pass.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TypeAlias

from engine.definitions.problems import KeyPath

Lines: TypeAlias = dict[KeyPath, int]

# An open string ends with its line or the text, so that no text is looked at twice.
_BLOCKS = (
    r'"""(?:[^\\]|\\(?:[\s\S]|\Z))*?(?:"""(?:"{0,2})|\Z)',
    r"'''[\s\S]*?(?:'''(?:'{0,2})|\Z)",
)
_STRINGS = (r'"(?:[^"\\\n]|\\[^\n]|\\(?=\n|\Z))*"?', r"'[^'\n]*'?")
_COMMENT = r"#[^\n]*"
_TOML_QUIET = re.compile("|".join((_COMMENT, *_BLOCKS, *_STRINGS)))
_JSON_QUIET = re.compile(_STRINGS[0])
_VALUE_TOKEN = re.compile(rf"{_TOML_QUIET.pattern}|[\[\]{{}}\n]|[^\[\]{{}}\n\"'#]+")

_PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
_KEY = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*"
_STATEMENT = re.compile(
    rf"[ \t]*(?:\[\[[ \t]*(?P<array>{_KEY})[ \t]*\]\]"
    rf"|\[[ \t]*(?P<table>{_KEY})[ \t]*\]|(?P<key>{_KEY})[ \t]*=)"
)
_JSON_TOKEN = re.compile(
    rf"(?P<string>{_STRINGS[0]})(?P<colon>\s*:)?|[\[\]{{}},]|[^\[\]{{}},\"\s]+"
)


def quiet(text: str, *, is_toml: bool) -> str:
    """`text` without its strings and comments: what is left shows how it is built."""
    return (_TOML_QUIET if is_toml else _JSON_QUIET).sub("", text)


def toml_lines(text: str) -> Lines:
    """The line of each key and table header, from 1; keys of inline tables have none."""
    found: Lines = {}
    tables = _Tables()
    for start, statement in _statements(text):
        if statement["key"]:
            path = (*tables.current, *_parts(statement["key"]))
        else:
            path = tables.enter(statement)
        found.setdefault(path, start)
    return _numbered(found, text)


def json_lines(text: str) -> Lines:
    """The line of each key and list item, from 1."""
    found: Lines = {}
    path: list[str | int] = []
    for token in _JSON_TOKEN.finditer(text):
        mark = token[0]
        if mark in ("}", "]"):
            path[-1:] = []
        elif mark == ",":
            _next_item(path)
        elif token["colon"] and path:
            path[-1] = token["string"][1:-1]
            found.setdefault(tuple(path), token.start())
        else:
            if path and isinstance(path[-1], int):
                found.setdefault(tuple(path), token.start())
            if mark in ("{", "["):
                path.append("" if mark == "{" else 0)
    return _numbered(found, text)


class _Tables:
    """Which table keys belong to while a TOML text is read from the top."""

    def __init__(self) -> None:
        self.current: KeyPath = ()
        self._items: dict[KeyPath, int] = {}

    def enter(self, header: re.Match[str]) -> KeyPath:
        *outer, last = _parts(header["array"] or header["table"])
        path = self._resolved((*self._resolved_all(outer), last), is_item=bool(header["array"]))
        self.current = path
        return path

    def _resolved_all(self, parts: list[str]) -> KeyPath:
        path: KeyPath = ()
        for part in parts:
            path = self._resolved((*path, part), is_item=False)
        return path

    def _resolved(self, path: KeyPath, *, is_item: bool) -> KeyPath:
        """With the place in its list, where `path` is a list of tables."""
        if is_item:
            self._items[path] = self._items.get(path, -1) + 1
        return (*path, self._items[path]) if path in self._items else path


def _statements(text: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Each key or header at the beginning of a statement, with its place."""
    at = 0
    while at < len(text):
        statement = _STATEMENT.match(text, at)
        if statement:
            yield at, statement
        at = _end_of_statement(text, statement.end() if statement else at)


def _end_of_statement(text: str, at: int) -> int:
    depth = 0
    for token in _VALUE_TOKEN.finditer(text, at):
        match token[0]:
            case "\n" if depth <= 0:
                return token.end()
            case "[" | "{":
                depth += 1
            case "]" | "}":
                depth -= 1
    return len(text)


def _parts(key: str) -> list[str]:
    return [part.strip("\"'") for part in re.findall(_PART, key)]


def _next_item(path: list[str | int]) -> None:
    if path and isinstance(path[-1], int):
        path[-1] += 1


def _numbered(places: Lines, text: str) -> Lines:
    """Offsets as lines."""
    newlines = [newline.start() for newline in re.finditer("\n", text)]
    return {path: bisect_right(newlines, place - 1) + 1 for path, place in places.items()}
