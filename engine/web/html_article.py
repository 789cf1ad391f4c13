"""Finds the article of a page: which of its blocks belong to what it is about.

trafilatura says which words are the article's; the blocks, their structure and their anchors are
ours. Where it finds too little of a page's prose (manuals, references), the whole page is kept.
"""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

from lxml.etree import _Element as Element

from engine.web.html_walk import blocks_of
from engine.web.structure import Block

_SHINGLE_WORDS = 4
_KEPT_FROM = 0.75
_LINK_ONLY_FROM = 0.9
_PROSE_LEAST_CHARS = 80
_PROSE_MOST_LINKED = 0.4
_MENU_LEAST = 3
_FOUND_LEAST = 0.4
"""Of a page that claims no article, less prose than this means that it has none."""
_PAGE_LEAST_CHARS = 300
"""With less prose than this a page is a directory: its links are what it says."""
_ARTICLE_LEAST_CHARS = 200
_ARTICLE = re.compile(r"(?:^|[\s\"'/:])(?:article|\w*Article|BlogPosting|Report)(?=$|[\s\"'])")
_LONG_CHARS = 20
_MOST_TAGS = 80_000
"""Of a page that has more no article is looked for: it is no prose, and trafilatura is slow."""


def article_blocks(html: str, root: Element) -> list[Block]:
    """The blocks of the article under `root`, which was parsed from `html`.

    All blocks, read as a document, where no article can be told apart from the rest.
    """
    if html.count("<") > _MOST_TAGS:
        return blocks_of(root)
    blocks = blocks_of(root, keep_numbers=True)
    found = _Found.of(_extracted(html))
    claims = _claims_article(root)
    held = _with_headings(blocks, [found.holds(block.text) for block in blocks])
    kept = [block for block, is_held in zip(blocks, held, strict=True) if is_held]
    if not kept or _is_too_little(kept, blocks, claims=claims):
        return blocks_of(root)
    filled = _with_gaps(blocks, held, claims=claims)
    return _once(_without_menus(filled)) if claims else filled


def _with_headings(blocks: Sequence[Block], held: Sequence[bool]) -> list[bool]:
    """A heading belongs to what follows it directly."""
    wanted = list(held)
    for at in range(len(blocks) - 2, -1, -1):
        if blocks[at].kind == "heading" and blocks[at].linked < _PROSE_MOST_LINKED:
            wanted[at] = wanted[at] or wanted[at + 1]
    return wanted


def _with_gaps(blocks: Sequence[Block], held: Sequence[bool], *, claims: bool) -> list[Block]:
    """The blocks that are held, and between them code, rows and terms, which are often missed.

    On a page that claims no article everything between two of its blocks that is no link.
    """
    places = [at for at, is_held in enumerate(held) if is_held]
    first, last = places[0], places[-1]
    return [
        block if held[at] or (first < at < last and _fills(block, claims=claims)) else _gone(block)
        for at, block in enumerate(blocks)
    ]


def _gone(block: Block) -> Block:
    """Nothing of a block but its anchors, which then lead to what follows."""
    return Block("p", "", block.anchors, linked=block.linked)


def _fills(block: Block, *, claims: bool) -> bool:
    if block.linked >= _PROSE_MOST_LINKED:
        return False
    return not claims or block.kind in ("pre", "tr", "dd")


def _claims_article(root: Element) -> bool:
    """Whether a page says of itself that it is an article: by markup made for saying so."""
    for element in root.iter("article", "meta", "script", "div", "main", "section", "body"):
        if element.tag == "article":
            return True
        told = element.get("content") if element.tag == "meta" else element.get("itemtype")
        if element.tag == "meta" and element.get("property") != "og:type":
            continue
        if element.tag == "script" and element.get("type") == "application/ld+json":
            told = element.text
        if told and _ARTICLE.search(told):
            return True
    return False


def _is_too_little(kept: Sequence[Block], blocks: Sequence[Block], *, claims: bool) -> bool:
    found, whole = _prose_chars(kept), _prose_chars(blocks)
    if claims:
        return found < min(_ARTICLE_LEAST_CHARS, whole)
    return found < whole * _FOUND_LEAST or whole < _PAGE_LEAST_CHARS


def _extracted(html: str) -> str:
    import trafilatura

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    told = trafilatura.extract(html, fast=True, include_comments=False)
    return told or ""


@dataclass(frozen=True, slots=True)
class _Found:
    """The words of an article, asked for blocks."""

    shingles: frozenset[tuple[str, ...]]
    lines: frozenset[tuple[str, ...]]
    squeezed: str

    @classmethod
    def of(cls, text: str) -> "_Found":
        return cls(
            frozenset(_shingles(_words(text))),
            frozenset(tuple(_words(line)) for line in text.split("\n")),
            "".join(text.split()),
        )

    def holds(self, text: str) -> bool:
        words = _words(text)
        if len(words) < _SHINGLE_WORDS:
            squeezed = "".join(text.split())
            is_long = len(squeezed) >= _LONG_CHARS
            return squeezed in self.squeezed if is_long else tuple(words) in self.lines
        shingles = _shingles(words)
        return sum(1 for one in shingles if one in self.shingles) >= len(shingles) * _KEPT_FROM


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _shingles(words: Sequence[str]) -> list[tuple[str, ...]]:
    return list(zip(*(words[at:] for at in range(_SHINGLE_WORDS)), strict=False))


def _prose_chars(blocks: Sequence[Block]) -> int:
    return sum(len(block.text) for block in blocks if _is_prose(block))


def _is_prose(block: Block) -> bool:
    return len(block.text) >= _PROSE_LEAST_CHARS and block.linked < _PROSE_MOST_LINKED


def _without_menus(blocks: Sequence[Block]) -> list[Block]:
    """Lists of links before the first and after the last prose, and what follows the latter."""
    prose = [at for at, block in enumerate(blocks) if _is_prose(block)]
    if not prose:
        return list(blocks)
    first, last = prose[0], prose[-1]
    head = _without_runs(blocks[:first])
    after = blocks[last + 1 :]
    tail = list(takewhile(lambda block: block.linked < _LINK_ONLY_FROM, after))
    rest = [_gone(block) for block in after[len(tail) :]]
    return [*head, *blocks[first : last + 1], *tail, *rest]


def _once(blocks: Sequence[Block]) -> list[Block]:
    """Without blocks that say the same again, as teasers and quotations in boxes do."""
    seen: set[str] = set()
    kept: list[Block] = []
    for block in blocks:
        words = " ".join(_words(block.text)).lower()
        is_again = block.kind in ("heading", "p") and words in seen
        if len(words) >= _LONG_CHARS:
            seen.add(words)
        kept.append(_gone(block) if is_again else block)
    return kept


def _without_runs(blocks: Sequence[Block]) -> list[Block]:
    kept: list[Block] = []
    for is_link, run in groupby(blocks, key=lambda block: block.linked >= _LINK_ONLY_FROM):
        members = list(run)
        is_menu = is_link and len(members) >= _MENU_LEAST
        kept += [_gone(member) for member in members] if is_menu else members
    return kept
