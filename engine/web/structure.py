"""The blocks of a page and their one text form (D24): pure, the same for HTML, Markdown and PDF.

Offsets of anchors are counted in the cleaned text, so each block is cleaned before it is placed;
nothing may change a character of the text after `text_of_blocks`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from engine.domain.text_safety import clean, one_line

BlockKind = Literal["heading", "p", "li", "dd", "tr", "pre"]

HEADING_MOST_LEVEL = 6
TITLE_MOST_CHARS = 300
_NUMBER = re.compile(
    r"(?:(?:chapter|appendix|part|section)\s+[\dA-Z]+[.:]\s+|(?:[A-Z]\.)?\d+(?:\.\d+)*[.)]\s+"
    r"|[A-Z](?:\.\d+)+\.\s+)(?=\S)",
    re.IGNORECASE,
)
_BARE_NUMBER = re.compile(r"(?:[A-Z]\.)?\d+(?:\.\d+)*\s+(?=\S)")
_NOT_IN_SLUGS = re.compile(r"[^\w\- ]+")
_CODE_INDENT = "    "
_ITEM_INDENT = "  "
_ITEM_MOST_DEPTH = 4


@dataclass(frozen=True, slots=True)
class HtmlText:
    """What a page says: `text` with the marks of D24, `anchors` from fragment to a place in it."""

    title: str
    text: str
    anchors: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Block:
    """One block before it gets its mark. White space is collapsed but in `pre` and after `br`."""

    kind: BlockKind
    text: str
    anchors: tuple[str, ...] = ()
    level: int = 0
    """Of headings 1 to 6, of list items how deep their list stands in others (from 0)."""
    group: int = 0
    """Rows of one table and items of one outermost list share a number: they stand line by line."""
    term: str = ""
    """Of a definition."""
    linked: float = 0.0
    """The share of its characters that stand in links, 0 to 1."""


def words(told: str) -> frozenset[str]:
    """The words of a line, as a set."""
    return frozenset(told.split())


def text_of_blocks(blocks: Iterable[Block], *, title: str = "") -> HtmlText:
    """The blocks in order, cleaned and marked; anchors of empty blocks go to the next block."""
    pieces: list[str] = []
    anchors: dict[str, int] = {}
    waiting: list[str] = []
    before: Block | None = None
    at = 0
    for block in blocks:
        waiting += block.anchors
        marked = _marked(block)
        if not marked:
            continue
        gap = _gap(before, block)
        pieces += (gap, marked)
        at += len(gap)
        for name in waiting:
            anchors.setdefault(name, at)
        at += len(marked)
        waiting, before = [], block
    text = "".join(pieces)
    last_start = at - len(pieces[-1]) if pieces else 0
    anchors.update({name: last_start for name in waiting if text and name not in anchors})
    return HtmlText(one_line(title, TITLE_MOST_CHARS), text, anchors)


def nested(blocks: Sequence[Block]) -> list[Block]:
    """Where `h1` heads every section, headings move one level down, so that they stay nested."""
    if sum(1 for block in blocks if block.kind == "heading" and block.level == 1) < 2:
        return list(blocks)
    return [
        replace(block, level=block.level + 1) if block.kind == "heading" else block
        for block in blocks
    ]


def without_number(heading: str, *, bare: bool = False) -> str:
    """`Transaction Isolation` of `13.2. Transaction Isolation`; `bare` numbers have no last dot.

    A version (`3.11.4 final`) is no heading number: without its last dot only the caller knows.
    """
    cut = (_BARE_NUMBER if bare else _NUMBER).match(heading)
    return heading[cut.end() :] if cut else heading


def slug_of(heading: str) -> str:
    """The anchor that GitHub gives a heading; empty when no letter of it may be in one."""
    return _NOT_IN_SLUGS.sub("", heading.lower()).strip().replace(" ", "-")


def _gap(before: Block | None, block: Block) -> str:
    if before is None:
        return ""
    together = block.group and before.group == block.group and before.kind == block.kind
    return "\n" if together else "\n\n"


def _marked(block: Block) -> str:
    match block.kind:
        case "pre":
            return _code(clean(block.text))
        case "heading":
            text = one_line(block.text, len(block.text))
            return f"{'#' * max(2, min(block.level, HEADING_MOST_LEVEL))} {text}" if text else ""
        case "li":
            indent = _ITEM_INDENT * min(block.level, _ITEM_MOST_DEPTH)
            text = one_line(block.text, len(block.text))
            return f"{indent}- {text}" if text else ""
        case "dd":
            text = one_line(block.text, len(block.text))
            term = one_line(block.term, len(block.term))
            return f"{term} :: {text}".strip() if term else text
        case _:
            return _lines(clean(block.text))


def _lines(text: str) -> str:
    """Each line collapsed to single spaces, empty lines left out."""
    collapsed = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in collapsed if line)


def _code(text: str) -> str:
    """Code as it is, each line behind four spaces, without empty lines at its ends."""
    lines = [line.rstrip() for line in text.replace("\xa0", " ").expandtabs(8).split("\n")]
    kept = re.sub(r"\n{3,}", "\n\n", "\n".join(lines).strip("\n"))
    return "\n".join(_CODE_INDENT + line if line else line for line in kept.split("\n") if kept)
