"""From Markdown and plain text to the structure of D24: pure, line by line, words verbatim.

Only what a reader does not read goes: front matter, comments, the addresses of links.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.domain.text_safety import clean
from engine.web.structure import Block, HtmlText, nested, slug_of, text_of_blocks

_FRONT_MATTER = re.compile(
    r"\A---[ \t]*\n(?P<inside>.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL
)
_FRONT_TITLE = re.compile(r"^title:(?P<title>[^\n]*)$", re.MULTILINE)
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})[ \t]+(?P<title>.*)\Z")
_UNDERLINE = re.compile(r" {0,3}(?P<sign>=+|-+)[ \t]*\Z")
_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})")
_ITEM = re.compile(r"(?P<indent>[ ]*)(?:[-*+]|\d{1,9}[.)])[ ]+(?=\S)")
_ROW = re.compile(r" {0,3}\|.*\|[ \t]*\Z")
_RULER = re.compile(r"[ |:-]+\Z")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})\Z")
_DEFINITION = re.compile(r" {0,3}\[[^\]\n]+\]:[ \t]+\S+.*\Z")
_IMAGE = re.compile(r"!\[(?P<text>[^\[\]\n]*)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)")
_LINK = re.compile(
    r"\[(?P<text>[^\[\]\n]*)\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\]\n]*\])"
)
_AUTOLINK = re.compile(r"<(?P<text>(?:https?://|mailto:)[^<>\s]+)>")
_NAMED = re.compile(r"<a\s+(?:id|name)=[\"'](?P<name>[^\"']+)[\"'][^<>]*>(?:</a>)?", re.IGNORECASE)
_EXPLICIT = re.compile(r"\{#(?P<name>[\w.:-]+)\}\Z")
_TITLE_MOST_CHARS = 100
_TAB_SPACES = 4
_ITEM_SPACES = 2


def markdown_text(source: str) -> HtmlText:
    """Headings, items, rows and code in our marks; headings' anchors as GitHub makes them."""
    text = clean(source).expandtabs(_TAB_SPACES)
    front = _FRONT_MATTER.match(text)
    named = _FRONT_TITLE.search(front["inside"] or "") if front else None
    body = _without_comments(text[front.end() :] if front else text)
    blocks = nested(_with_slugs(list(_blocks(body.split("\n")))))
    return text_of_blocks(
        blocks, title=_unquoted(named["title"]) if named else _first_heading(blocks)
    )


def plain_text(source: str) -> HtmlText:
    """The text as it is, cleaned; lines lose white space at their ends only."""
    lines = (line.rstrip() for line in clean(source).expandtabs(8).split("\n"))
    text = "\n".join(lines).strip("\n")
    first = text.strip().partition("\n")[0].strip()
    return HtmlText(first if len(first) <= _TITLE_MOST_CHARS else "", text)


def _unquoted(told: str) -> str:
    return told.strip().strip("\"'")


def _without_comments(text: str) -> str:
    pieces: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        pieces.append(text[at:start])
        at = end + 3
    return "".join((*pieces, text[at:]))


def _blocks(lines: Sequence[str]) -> Iterator[Block]:
    """One block after another; `at` only grows."""
    at = 0
    group = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip() or _DEFINITION.match(line):
            at += 1
            continue
        block, after = _block(lines, at)
        is_line = block.kind in ("li", "tr")
        group += 0 if is_line and at and lines[at - 1].strip() else 1
        yield replace(block, group=group) if is_line else block
        at = after


def _block(lines: Sequence[str], at: int) -> tuple[Block, int]:
    """The block that starts at a line which is not empty, and the line after it."""
    line = lines[at]
    if fence := _FENCE.match(line):
        return _fenced(lines, at, fence=fence["fence"])
    if heading := _HEADING.match(line):
        return _heading(_unclosed(heading["title"]), level=len(heading["marks"])), at + 1
    if _RULE.match(line):
        return Block("p", ""), at + 1
    if _ROW.match(line):
        ruler = _RULER.match(line.strip()) is not None
        return Block("tr", "" if ruler else _words(line)), at + 1
    if _ITEM.match(line):
        return _item(lines, at)
    if line.startswith(" " * _TAB_SPACES):
        return _indented(lines, at)
    return _paragraph(lines, at)


def _fenced(lines: Sequence[str], at: int, *, fence: str) -> tuple[Block, int]:
    end = at + 1
    while end < len(lines) and not lines[end].strip().startswith(fence):
        end += 1
    return Block("pre", "\n".join(lines[at + 1 : end])), end + 1


def _indented(lines: Sequence[str], at: int) -> tuple[Block, int]:
    end = at
    while end < len(lines) and (not lines[end].strip() or lines[end].startswith(" " * _TAB_SPACES)):
        end += 1
    return Block("pre", "\n".join(line[_TAB_SPACES:] for line in lines[at:end])), end


def _unclosed(title: str) -> str:
    """Without the signs that may close a heading: `A` of `A ##`."""
    told = title.strip(" \t")
    bare = told.rstrip("#")
    return bare.rstrip(" \t") if bare.endswith((" ", "\t")) else told


def _heading(title: str, *, level: int) -> Block:
    explicit = _EXPLICIT.search(title.rstrip())
    told = title[: explicit.start()].rstrip() if explicit else title
    names = (explicit["name"],) if explicit else ()
    return Block("heading", _words(told), anchors=names + _names(title), level=level)


def _item(lines: Sequence[str], at: int) -> tuple[Block, int]:
    mark = _ITEM.match(lines[at])
    assert mark is not None
    end = at + 1
    while end < len(lines) and _continues(lines[end]):
        end += 1
    text = "\n".join((lines[at][mark.end() :], *lines[at + 1 : end]))
    depth = len(mark["indent"]) // _ITEM_SPACES
    return Block("li", _words(text), anchors=_names(text), level=depth), end


def _paragraph(lines: Sequence[str], at: int) -> tuple[Block, int]:
    end = at + 1
    while end < len(lines) and _continues(lines[end]):
        if underline := _UNDERLINE.match(lines[end]):
            title = " ".join(lines[at:end])
            return _heading(title, level=1 if underline["sign"][0] == "=" else 2), end + 1
        end += 1
    text = "\n".join(line.lstrip(" >") for line in lines[at:end])
    return Block("p", _words(text), anchors=_names(text)), end


def _continues(line: str) -> bool:
    """Whether a line goes on with the paragraph or item above it."""
    if not line.strip() or _FENCE.match(line) or _HEADING.match(line):
        return False
    if _UNDERLINE.match(line):
        return True
    return not (_ITEM.match(line) or _ROW.match(line) or _RULE.match(line))


def _words(text: str) -> str:
    """Without the addresses of links and images; everything else stays."""
    for pattern in (_IMAGE, _LINK, _LINK, _AUTOLINK):
        text = pattern.sub(lambda found: found["text"], text)
    return _NAMED.sub("", text)


def _names(text: str) -> tuple[str, ...]:
    return tuple(found["name"] for found in _NAMED.finditer(text))


def _with_slugs(blocks: list[Block]) -> list[Block]:
    taken: dict[str, int] = {}
    found: list[Block] = []
    for block in blocks:
        if block.kind == "heading":
            slug = slug_of(block.text)
            times = taken.get(slug, 0)
            taken[slug] = times + 1
            own = f"{slug}-{times}" if times else slug
            block = replace(block, anchors=(*block.anchors, own)) if own else block
        found.append(block)
    return found


def _first_heading(blocks: Sequence[Block]) -> str:
    return next((block.text for block in blocks if block.kind == "heading"), "")
