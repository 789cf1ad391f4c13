"""From the pages of a PDF to one text with the structure of D24: pure.

Lines are joined to paragraphs, bookmarks become headings, running heads go, and what is no
readable text is told apart from what is.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.web.structure import Block, HtmlText, text_of_blocks, without_number


@dataclass(frozen=True, slots=True)
class PdfPages:
    """What the worker read: the text of each page as pdfium orders it, and the bookmarks."""

    pages: Sequence[str]
    title: str = ""
    outline: Sequence[tuple[int, int, str]] = field(default_factory=tuple)
    """Level (from 0), page (from 0), title."""
    left_out: int = 0
    """How many pages follow that there was no room for."""


_LEAST_CHARS = 8
"""A page with fewer signs has no text, at most a page number."""
_UNREADABLE_SHARE = 0.15
_COMMON_LETTERS = frozenset("aeinorst")
_COMMON_SHARE_LEAST = 0.38
"""Of the Latin letters of a text; in every language that uses them it is above a half."""
_LETTERS_LEAST = 400
_FULL_LINE_SHARE = 0.75
_RUNNING_LEAST = 3
_HYPHEN = "\x02"
"""How pdfium tells that a word goes on in the next line."""
_LINE_END = re.compile(f"(?P<hyphen>[{_HYPHEN}\ufffe])(?:\r?\n)?|\r\n?")
_UNREADABLE = re.compile("[\ue000-\uf8ff\ufffd\x00-\x08\x0e-\x1f]")
_BULLET = re.compile(r"[•‣◦▪■●○·–—*-]\s+(?=\S)")
_ITEM = re.compile(r"(?:[•‣◦▪■●○·–—*-]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+\S")


def pdf_text(read: PdfPages) -> HtmlText:
    """One text, the pages one after another, with anchors `page=N` from 1."""
    running = _running_lines(read.pages)
    titles: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for level, at, name in read.outline:
        titles[at][_key(name)] = level
    blocks: list[Block] = []
    for number, page in enumerate(read.pages):
        blocks.append(Block("p", "", anchors=(f"page={number + 1}",)))
        blocks += _blocks(_lines(page, running), titles.get(number, {}))
    return text_of_blocks(blocks, title=read.title)


def complaint(read: PdfPages) -> str:
    """Why these pages are no readable text; empty when they are."""
    count = len(read.pages)
    told = "".join(read.pages)
    if _pages_without_text(read.pages) == count:
        return f"no text layer: {count} scanned {'page' if count == 1 else 'pages'}"
    if len(_UNREADABLE.findall(told.replace(_HYPHEN, ""))) > len(told) * _UNREADABLE_SHARE:
        return "its text cannot be read: its fonts do not say which letters they draw"
    letters = re.findall("[a-z]", told[:200_000].lower())
    common = sum(1 for letter in letters if letter in _COMMON_LETTERS)
    if len(letters) > _LETTERS_LEAST and common < len(letters) * _COMMON_SHARE_LEAST:
        return "its text cannot be read: its letters are scrambled"
    return ""


def note(read: PdfPages) -> str:
    """What a reader must know: pages without a text layer and pages left out, if there are some."""
    count, missing = len(read.pages), _pages_without_text(read.pages)
    notes = [f"no text layer on {missing} of {count} pages"] if missing else []
    if read.left_out:
        notes.append(f"cut behind page {count} of {count + read.left_out}")
    return "; ".join(notes)


def _pages_without_text(pages: Sequence[str]) -> int:
    return sum(1 for page in pages if len("".join(page.split())) < _LEAST_CHARS)


def _lines(page: str, running: frozenset[str]) -> list[str]:
    lines = _split(page)
    if lines and _masked(lines[0]) in running:
        lines = lines[1:]
    if lines and _masked(lines[-1]) in running:
        lines = lines[:-1]
    return lines


def _split(page: str) -> list[str]:
    even = _LINE_END.sub(lambda end: f"{_HYPHEN}\n" if end["hyphen"] else "\n", page)
    return [flat for line in even.split("\n") if (flat := " ".join(line.split()))]


def _running_lines(pages: Sequence[str]) -> frozenset[str]:
    """First and last lines that several pages share but for their numbers."""
    count: Counter[str] = Counter()
    for page in pages:
        lines = _split(page)
        count.update({_masked(line) for line in (*lines[:1], *lines[-1:])})
    return frozenset(line for line, times in count.items() if times >= _RUNNING_LEAST)


def _masked(line: str) -> str:
    return re.sub(r"\d+|\b[ivxlc]+\b", "#", line.lower())


def _blocks(lines: Sequence[str], titles: dict[str, int]) -> Iterator[Block]:
    width = _full_width(lines)
    open_lines: list[str] = []
    for line in lines:
        level = titles.get(_key(line))
        if level is not None or (open_lines and _ends(open_lines[-1], line, width=width)):
            yield from _paragraph(open_lines)
            open_lines = []
        if level is None:
            open_lines.append(line)
        else:
            yield Block("heading", _unnumbered(line), level=level + 2)
    yield from _paragraph(open_lines)


def _full_width(lines: Sequence[str]) -> int:
    """How long the longer lines are: nine of ten are not longer."""
    lengths = sorted(len(line) for line in lines)
    return lengths[len(lengths) * 9 // 10] if lengths else 0


def _ends(line: str, following: str, *, width: int) -> bool:
    """A short line ends its paragraph; the mark of an item starts a new one."""
    if line.endswith(_HYPHEN):
        return False
    return len(line) < width * _FULL_LINE_SHARE or _ITEM.match(following) is not None


def _paragraph(lines: Sequence[str]) -> Iterator[Block]:
    if not lines:
        return
    text = " ".join(lines).replace(f"{_HYPHEN} ", "").replace(_HYPHEN, "")
    bullet = _BULLET.match(text)
    yield Block("li", text[bullet.end() :], group=1) if bullet else Block("p", text)


def _key(title: str) -> str:
    """Titles in bookmarks and on pages differ in their numbers and white space."""
    return "".join(_unnumbered(" ".join(title.split())).casefold().split())


def _unnumbered(title: str) -> str:
    return without_number(without_number(title, bare=True))
