"""The structure of a page's text, read back from its marks: what is heading, list, term, table.

Every block is a span of the text it was read from: `text[start:end]` is verbatim, without its
mark. Nothing here may change a character.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Kind = Literal["heading", "p", "li", "dd", "tr", "pre"]

PASSAGE_MOST_WORDS = 130
PASSAGE_LEAST_WORDS = 30
LEAD_MOST_CHARS = 160
TERM_MOST_CHARS = 200

_FENCE = "```"
_CODE_INDENT = "    "
_HEADING = re.compile(r"(#{1,6})[ \t]+(?=\S)")
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(?=\S)")
_TERM = re.compile(rf"([^\n|]{{1,{TERM_MOST_CHARS}}}?)[ \t]+::(?:[ \t]+|$)")
_RULER = re.compile(r"\|(?:[ \t]*:?-+:?[ \t]*\|)+")
_CELL_EDGES = " \t|"


@dataclass(frozen=True, slots=True)
class TextBlock:
    """One block of a page. `text[start:end]` is its content without `## `, `- ` or the term."""

    kind: Kind
    start: int
    end: int
    headings: tuple[str, ...]
    """The headings above it, outermost first; a heading's own text is not among its own."""
    lead: str = ""
    """What introduces it: the block before its list, its term, or the header cells of its table."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Consecutive blocks under one heading path: `blocks[first:last]`, `text[start:end]`."""

    first: int
    last: int
    start: int
    end: int
    headings: tuple[str, ...]


def blocks(text: str) -> list[TextBlock]:
    """The blocks of `text` in order, disjoint; together they hold every word of it but terms."""
    raw = list(_raw_blocks(text))
    found: list[TextBlock] = []
    path: list[tuple[int, str]] = []
    for block in raw:
        if block.kind == "heading":
            path = [(level, name) for level, name in path if level < block.level]
        headings = tuple(name for _, name in path)
        lead = _lead(text, raw, found)
        found.append(TextBlock(block.kind, block.start, block.end, headings, lead))
        if block.kind == "heading":
            path.append((block.level, text[block.start : block.end]))
    return found


def passages(text: str, of: Sequence[TextBlock]) -> list[Passage]:
    """Blocks gathered to passages: up to 130 words, a new one only past 30.

    Headings belong to no passage: they are its `headings`. A single long block is one passage.
    """
    found: list[Passage] = []
    first, words = 0, 0
    for at, block in enumerate(of):
        size = len(text[block.start : block.end].split())
        if first < at and not _joins(of[first], block, words=words, more=size):
            found.extend(_passage(of, first, at))
            first, words = at, 0
        words += size
    found.extend(_passage(of, first, len(of)))
    return found


class _Line(NamedTuple):
    start: int
    end: int
    text: str


class _Raw(NamedTuple):
    kind: Kind
    start: int
    end: int
    level: int = 0
    """Of a heading its rank, of an item its indent."""
    term: str = ""


def _raw_blocks(text: str) -> Iterator[_Raw]:
    lines = list(_lines(text))
    at, after_blank = 0, True
    while at < len(lines):
        if not lines[at].text.strip():
            at, after_blank = at + 1, True
            continue
        block, at = _taken(lines, at, after_blank=after_blank)
        if block is not None:
            yield block
        after_blank = False


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for line in text.split("\n"):
        yield _Line(start, start + len(line.rstrip()), line)
        start += len(line) + 1


def _taken(lines: Sequence[_Line], at: int, *, after_blank: bool) -> tuple[_Raw | None, int]:
    """The block that starts at a line, and the line after it."""
    if lines[at].text.lstrip().startswith(_FENCE):
        return _fenced(lines, at)
    if after_blank and lines[at].text.startswith(_CODE_INDENT):
        return _indented(lines, at)
    block = _opened(lines[at])
    at += 1
    while at < len(lines) and _continues(block, lines[at]):
        block = block._replace(end=lines[at].end)
        at += 1
    return block, at


def _indented(lines: Sequence[_Line], first: int) -> tuple[_Raw, int]:
    """Code behind four spaces; empty lines in it do not end it."""
    last = first
    for at in range(first, len(lines)):
        if lines[at].text.startswith(_CODE_INDENT) and lines[at].text.strip():
            last = at
        elif lines[at].text.strip():
            break
    return _Raw("pre", lines[first].start, lines[last].end), last + 1


def _fenced(lines: Sequence[_Line], fence: int) -> tuple[_Raw | None, int]:
    """The code up to the closing fence, or to the end of the text."""
    last = fence + 1
    while last < len(lines) and lines[last].text.strip() != _FENCE:
        last += 1
    code = [line for line in lines[fence + 1 : last] if line.text.strip()]
    return (_Raw("pre", code[0].start, code[-1].end) if code else None), last + 1


def _opened(line: _Line) -> _Raw:
    indent = len(line.text) - len(line.text.lstrip())
    if heading := _HEADING.match(line.text):
        return _Raw("heading", line.start + heading.end(), line.end, level=len(heading[1]))
    if line.text.startswith("|"):
        return _Raw("tr", line.start, line.end)
    if item := _ITEM.match(line.text):
        return _Raw("li", line.start + item.end(), line.end, level=indent)
    if term := _TERM.match(line.text):
        return _defined(line, term)
    return _Raw("p", line.start + indent, line.end)


def _defined(line: _Line, term: re.Match[str]) -> _Raw:
    """A term with its text; a term that has none is a paragraph of its own."""
    name = term[1].strip()
    if line.start + term.end() >= line.end:
        start = line.start + line.text.index(name)
        return _Raw("p", start, start + len(name))
    return _Raw("dd", line.start + term.end(), line.end, term=name)


def _continues(block: _Raw, line: _Line) -> bool:
    """Whether the line directly below a block belongs to it."""
    if block.kind in ("heading", "tr") or not line.text.strip():
        return False
    marks = (_HEADING.match, _ITEM.match, _TERM.match)
    starts_another = line.text.startswith("|") or line.text.lstrip().startswith(_FENCE)
    return not starts_another and not any(mark(line.text) for mark in marks)


def _lead(text: str, raw: Sequence[_Raw], found: Sequence[TextBlock]) -> str:
    """The lead of the block that comes after the `found` ones."""
    at = len(found)
    match raw[at].kind:
        case "dd":
            return raw[at].term
        case "li":
            return _list_lead(text, raw, found)
        case "tr" if at and raw[at - 1].kind == "tr" and _adjacent(text, raw[at - 1], raw[at]):
            return found[-1].lead or _cells(text[found[-1].start : found[-1].end])
        case _:
            return ""


def _list_lead(text: str, raw: Sequence[_Raw], found: Sequence[TextBlock]) -> str:
    """The block before the list; the item above, for a nested list."""
    at = len(found)
    for earlier in range(at - 1, -1, -1):
        if raw[earlier].kind != "li" or raw[earlier].level < raw[at].level:
            return _introducing(text, found[earlier])
        if raw[earlier].level == raw[at].level:
            return found[earlier].lead
    return ""


def _introducing(text: str, block: TextBlock) -> str:
    told = text[block.start : block.end]
    if block.kind not in ("p", "li", "dd"):
        return ""
    return told if told.endswith((":", "：")) or len(told) < LEAD_MOST_CHARS else ""


def _adjacent(text: str, upper: _Raw, lower: _Raw) -> bool:
    """Whether no empty line parts them: rows of one table."""
    return "\n" not in text[upper.end + 1 : lower.start]


def _cells(row: str) -> str:
    return "" if _RULER.fullmatch(row) else row.strip(_CELL_EDGES)


def _joins(first: TextBlock, block: TextBlock, *, words: int, more: int) -> bool:
    if first.kind == "heading" or block.kind == "heading" or first.headings != block.headings:
        return False
    return words + more <= PASSAGE_MOST_WORDS or words < PASSAGE_LEAST_WORDS


def _passage(of: Sequence[TextBlock], first: int, last: int) -> list[Passage]:
    if first == last or of[first].kind == "heading":
        return []
    return [Passage(first, last, of[first].start, of[last - 1].end, of[first].headings)]
