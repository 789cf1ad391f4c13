"""Walks a parsed page once, in order, and gathers its blocks: headings, paragraphs, items, code.

Iterative, so that no depth of nesting can end it; decides nothing about what a page is worth.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

from lxml.etree import _Element as Element
from lxml.etree import iterwalk

from engine.web.html_skip import Skipping
from engine.web.html_table import caption, data_rows, is_power
from engine.web.structure import Block, BlockKind, nested, without_number, words

_INLINE = words(
    "a abbr acronym b bdi bdo big cite code data dfn em font i img ins kbd label mark math mi mn "
    "mo mrow msub msup mfrac msqrt mtext meter nobr output progress q rb ruby samp semantics small "
    "span strong sub sup time tt u var wbr input script style noscript link meta s del strike "
    "template rt rp"
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_CODE = frozenset({"pre", "listing", "xmp", "plaintext"})
_BOLD = frozenset({"b", "strong"})
_SOFT = frozenset({"i", "em", "var", "tt", "code", "kbd", "samp"})
_BREAK = "\x00"
"""Stands for `br` until the block is complete; a page's own NULs are gone before it is parsed."""
_BLANKS = f"{_BREAK} \n\t\r\f\xa0"
_PARAGRAPH_BREAK = re.compile(f"{_BREAK}(?:\\s*{_BREAK})+")
_BOLD_HEADING_MOST_CHARS = 90
_REMARK = re.compile(
    r"(?:note|tip|warning|caution|important|attention|danger|hint)s?:?", re.IGNORECASE
)
_NO_HEADING = re.compile(
    r"(?:note|tip|warning|caution|important|attention|danger|hint|see also|"
    r"(?:table|figure|example|listing)\s+[\w.-]*\d[\w.-]*)\b|.*[.!,]$",
    re.IGNORECASE | re.DOTALL,
)
_NUMBERING_CLASSES = words("chapter section subsection subsubsection appendix")


def blocks_of(
    root: Element, *, keep_contents: bool = False, keep_numbers: bool = False
) -> list[Block]:
    """The blocks under `root`. `keep_contents` keeps tables of contents and other link lists,
    `keep_numbers` the numbers of headings."""
    skipping = Skipping(root, keep_contents=keep_contents)
    walker = _Walker(keep_numbers=keep_numbers)
    left_out: Element | None = None
    steps = iterwalk(root, events=("start", "end"))
    for event, element in steps:
        if event == "start":
            walker.anchor(element)
            if skipping.leaves_out(element) or walker.took_table(element):
                left_out = element
                walker.boundary(element)
                steps.skip_subtree()
            else:
                walker.start(element)
            continue
        if element is left_out:
            left_out = None
        else:
            walker.end(element)
        if element is not root:
            walker.text(element.tail)
    return nested(walker.finished())


def is_numbered(heading: Element) -> bool:
    """Whether a heading carries the class of a numbered section (texinfo, LaTeX2HTML)."""
    return not _NUMBERING_CLASSES.isdisjoint((heading.get("class") or "").split())


class _Walker:
    """The open block and what it stands in. `blocks` grows; nothing written is changed again."""

    def __init__(self, *, keep_numbers: bool) -> None:
        self._keep_numbers = keep_numbers
        self.blocks: list[Block] = []
        self._pieces: list[str] = []
        self._length = 0
        self._anchors: list[tuple[str, int]] = []
        """Of the open block, each with its place in it."""
        self._waiting: list[str] = []
        """Anchors of what had no words: they lead to the block that is written next."""
        self._kind: BlockKind = "p"
        self._term = ""
        self._terms: list[str] = []
        self._in_term = False
        self._code = 0
        self._lists = 0
        self._groups = 0
        self._level = 1
        self._bare_numbers = False
        self._bold = self._soft = 0
        self._seen_bold = False
        self._unbold_chars = 0
        self._links = 0
        self._linked_chars = 0
        self._raised: list[int] = []
        self._heads_item = False
        self._linked = 0.0

    def anchor(self, element: Element) -> None:
        name = element.get("id") or (element.get("name") if element.tag == "a" else None)
        if name:
            self._anchors.append((name, self._length))

    def boundary(self, element: Element) -> None:
        if element.tag not in _INLINE and element.tag != "br" and not self._code:
            self.flush()

    def text(self, text: str | None) -> None:
        if not text:
            return
        self._pieces.append(text)
        self._length += len(text)
        if self._links:
            self._linked_chars += len(text)
        if not self._bold and (not self._soft or not self._has_bold()):
            self._unbold_chars += len(text.strip(_BLANKS))

    def start(self, element: Element) -> None:
        tag = str(element.tag)
        self.boundary(element)
        if tag in _INLINE:
            self._start_inline(tag, element)
        elif tag == "br":
            self.text("\n" if self._code else _BREAK)
        else:
            self._start_block(tag, element)
        self.text(element.text)

    def end(self, element: Element) -> None:
        tag = str(element.tag)
        if tag in _INLINE:
            self._end_inline(tag, element)
            return
        if tag == "br":
            return
        self._heads_item = tag == "p" and _opens_longer_item(element)
        self._end_block(tag)

    def took_table(self, element: Element) -> bool:
        """Whether `element` is a table of data, which is then written row by row."""
        if element.tag != "table" or self._code or not (rows := data_rows(element)):
            return False
        self.flush()
        self._groups += 1
        if told := caption(element):
            self._write(Block("p", told))
        for row in rows:
            self._write(Block("tr", row.text, row.anchors, group=self._groups))
        return True

    def finished(self) -> list[Block]:
        """All blocks; anchors behind the last one stand in an empty one."""
        self.flush()
        left = self._awaited()
        return [*self.blocks, Block("p", "", left)] if left else self.blocks

    def flush(self) -> None:
        """End the open block. What it stands in decides what it becomes."""
        raw = "".join(self._pieces)
        bold = bool(raw) and self._has_bold() and not self._unbold_chars
        self._linked = self._linked_chars / max(1, len(raw.strip(_BLANKS)))
        self._linked_chars = 0
        anchors, self._anchors = self._anchors, []
        self._pieces, self._length, self._unbold_chars = [], 0, 0
        self._seen_bold = False
        if self._in_term:
            self._terms += [flat] if (flat := _flat(raw).lstrip(": ")) else []
            self._waiting += _names(anchors)
        elif self._code:
            self._waiting += _names(anchors)
            self._flush_code(raw)
        else:
            self._flush_text(raw, anchors, bold=bold)

    def _has_bold(self) -> bool:
        return self._seen_bold or self._bold > 0

    def _flush_code(self, raw: str) -> None:
        self._spend_term()
        self._write(Block("pre", raw, self._awaited()))
        self._kind = "p" if self._kind == "li" else self._kind

    def _flush_text(self, raw: str, anchors: list[tuple[str, int]], *, bold: bool) -> None:
        """Anchors are in the order of their places: each goes to the part that ends behind it."""
        at = taken = 0
        for part in _parts(raw):
            end = at + len(part.rstrip(_BLANKS))
            if _flat(part):
                first, taken = taken, bisect_left(anchors, end, lo=taken, key=_place)
                self._waiting += _names(anchors[first:taken])
                self._write_text(part, self._awaited(), bold=bold)
            at += len(part)
        self._waiting += _names(anchors[taken:])

    def _awaited(self) -> tuple[str, ...]:
        names, self._waiting = tuple(self._waiting), []
        return names

    def _write_text(self, raw: str, anchors: tuple[str, ...], *, bold: bool) -> None:
        flat = _flat(raw)
        if self._kind == "heading" and not _REMARK.fullmatch(flat):
            told = self._heading(flat, bare=self._bare_numbers)
            self._write(Block("heading", told, anchors, level=self._level))
        elif self._kind == "li" and not (bold and self._heads_item):
            self._write(Block("li", flat, anchors, level=self._lists - 1, group=self._groups))
            self._kind = "p"
        elif self._kind == "dd":
            self._write(Block("dd", flat, anchors, term=self._term))
            self._kind, self._term = "p", ""
        elif bold and len(flat) < _BOLD_HEADING_MOST_CHARS and not _NO_HEADING.match(flat):
            told = self._heading(flat, bare=False)
            self._write(Block("heading", told, anchors, level=max(3, self._level + 1)))
            self._kind = "p"
        else:
            lines = "\n".join(_flat(line) for line in raw.split(_BREAK))
            self._write(Block("p", lines, anchors))
            self._kind = "p"

    def _heading(self, flat: str, *, bare: bool) -> str:
        if self._keep_numbers:
            return flat
        return without_number(without_number(flat, bare=bare))

    def _write(self, block: Block) -> None:
        self.blocks.append(replace(block, linked=min(1.0, self._linked)))

    def _start_inline(self, tag: str, element: Element) -> None:
        if tag == "a":
            self._links += _leads_away(element)
        elif tag in _BOLD:
            self._bold += 1
            self._seen_bold = True
        elif tag in _SOFT:
            self._soft += 1
        elif tag == "sup":
            self._raised.append(len(self._pieces))

    def _end_inline(self, tag: str, element: Element) -> None:
        if tag == "a":
            self._links -= _leads_away(element)
        elif tag in _BOLD:
            self._bold -= 1
        elif tag in _SOFT:
            self._soft -= 1
        elif tag == "sup" and self._raised:
            self._end_raised(self._raised.pop(), element)

    def _end_raised(self, since: int, element: Element) -> None:
        """An exponent is marked; the number of a footnote is left out; other text stays."""
        raised = "".join(self._pieces[since:])
        told = raised.strip()
        before = "".join(self._pieces[since - 1 : since])[-1:] if since else ""
        if _is_note(told, element):
            kept = ""
        elif is_power(told) and before and not before.isspace():
            kept = f"^{told}"
        else:
            return
        self._pieces[since:] = [kept] if kept else []
        self._length += len(kept) - len(raised)

    def _start_block(self, tag: str, element: Element) -> None:
        if tag in _CODE:
            self._code += 1
        elif tag in _HEADINGS and not self._code:
            self._spend_term()
            self._kind, self._level = "heading", _HEADINGS[tag]
            self._bare_numbers = is_numbered(element)
        elif tag in _LISTS:
            self._groups += 1 if not self._lists else 0
            self._lists += 1
        elif tag == "li":
            self._spend_term()
            self._kind = "li"
        elif tag == "dt":
            self._in_term = True
        elif tag == "dd":
            self._spend_term()
            self._kind, self._term = "dd", ", ".join(self._terms)
            self._terms = []

    def _end_block(self, tag: str) -> None:
        if tag in _CODE and self._code:
            if self._code == 1:
                self.flush()
            self._code -= 1
            return
        if self._code:
            self.text("\n")
            return
        self.flush()
        if tag in _HEADINGS or tag == "li":
            self._kind = "p"
        elif tag in _LISTS:
            self._lists = max(0, self._lists - 1)
        elif tag == "dt":
            self._in_term = False
        elif tag == "dd":
            self._spend_term()
        elif tag == "dl":
            self._list_terms()

    def _spend_term(self) -> None:
        """A definition that starts with a list, code or nothing: its term stands alone."""
        if self._kind == "dd" and self._term:
            self._write(Block("dd", "", term=self._term))
        if self._kind in ("dd", "heading"):
            self._kind = "p"
        self._term = ""

    def _list_terms(self) -> None:
        self._groups += 1
        for term in self._terms:
            self._write(Block("li", term, group=self._groups))
        self._terms = []


def _parts(raw: str) -> Iterator[str]:
    """The text cut behind every double `br`."""
    at = 0
    for cut in _PARAGRAPH_BREAK.finditer(raw):
        yield raw[at : cut.end()]
        at = cut.end()
    yield raw[at:]


def _names(anchors: list[tuple[str, int]]) -> list[str]:
    return [name for name, _ in anchors]


def _place(anchor: tuple[str, int]) -> int:
    return anchor[1]


def _flat(raw: str) -> str:
    return " ".join(raw.replace(_BREAK, " ").split())


def _leads_away(link: Element) -> bool:
    """Links to a place of the same page, as headings carry them, are none here."""
    target = link.get("href")
    return bool(target) and not str(target).startswith("#")


def _opens_longer_item(paragraph: Element) -> bool:
    """Whether a paragraph is the first of several blocks of a list item: a bold one heads them."""
    within = paragraph.getparent()
    return (
        within is not None
        and within.tag == "li"
        and paragraph.getprevious() is None
        and paragraph.getnext() is not None
    )


def _is_note(told: str, element: Element) -> bool:
    """Whether a raised text points to a note: in brackets, or a number in a link."""
    if re.fullmatch(r"\[[^\]]{1,12}\]", told):
        return True
    within = element.getparent()
    linked = element.find(".//a") is not None or (within is not None and within.tag == "a")
    return linked and re.fullmatch(r"\[?(?:\d{1,3}|[a-z*†‡])\]?", told) is not None
