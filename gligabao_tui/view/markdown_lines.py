"""Markdown laid out as lines of toned text, for a width in cells.

Our own layout instead of a widget for every paragraph: a long report costs milliseconds, and
nothing in it can be more than text. HTML stays as it is written; links become targets
(`link:ADDRESS`) that a click may ask for, and are never followed here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode as Node

from engine.api import clean
from gligabao_tui.view.glyphs import DRAWN, Glyphs
from gligabao_tui.view.markdown_table import Cell, table_lines
from gligabao_tui.view.text import EMPTY, Line, Span, Tone, chop, pad, wrap_spans

HEADING_TONES: dict[str, Tone] = {"h1": "title", "h2": "heading"}
LINK = "link:"
NARROWEST = 12


@dataclass(frozen=True, slots=True)
class _Room:
    """What is left of the width, and what the symbols are."""

    cells: int
    glyphs: Glyphs

    def inside(self, indent: int) -> "_Room":
        return _Room(max(NARROWEST, self.cells - indent), self.glyphs)


def markdown_lines(markdown: str, cells: int, *, glyphs: Glyphs = DRAWN) -> tuple[Line, ...]:
    """The whole text, blocks apart by an empty line."""
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    tree = Node(parser.parse(clean(markdown)))
    return _apart(_block(node, _Room(max(NARROWEST, cells), glyphs)) for node in tree.children)


def _apart(blocks: Iterable[tuple[Line, ...]]) -> tuple[Line, ...]:
    lines: list[Line] = []
    for block in blocks:
        if block:
            lines.extend((EMPTY, *block) if lines else block)
    return tuple(lines)


def _block(node: Node, room: _Room) -> tuple[Line, ...]:
    match node.type:
        case "heading":
            return _flow(node, room, HEADING_TONES.get(node.tag, "strong"))
        case "bullet_list" | "ordered_list":
            return _list(node, room)
        case "blockquote":
            return _quote(node, room)
        case "fence" | "code_block":
            return _code(node, room)
        case "hr":
            return ((Span(room.glyphs.rule * room.cells, "quiet"),),)
        case "table":
            return _table(node, room)
        case _:
            return _flow(node, room)


def _flow(node: Node, room: _Room, tone: Tone = "") -> tuple[Line, ...]:
    return tuple(wrap_spans(_inline(node, tone), room.cells))


def _list(node: Node, room: _Room) -> tuple[Line, ...]:
    first = int(str(node.attrs.get("start", 1)))
    is_tight = all(child.hidden for item in node.children for child in item.children[:1])
    items = [
        _item(item, _mark(node, first + at, room), room) for at, item in enumerate(node.children)
    ]
    return tuple(line for item in items for line in item) if is_tight else _apart(items)


def _mark(node: Node, number: int, room: _Room) -> str:
    return f"{room.glyphs.bullet} " if node.type == "bullet_list" else f"{number}. "


def _item(node: Node, mark: str, room: _Room) -> tuple[Line, ...]:
    inside = room.inside(len(mark))
    blocks = [_block(child, inside) for child in node.children]
    is_tight = all(child.hidden or child.type.endswith("list") for child in node.children)
    lines = tuple(row for block in blocks for row in block) if is_tight else _apart(blocks)
    return _hung(lines or (EMPTY,), Span(mark, "accent"), Span(" " * len(mark)))


def _quote(node: Node, room: _Room) -> tuple[Line, ...]:
    bar = Span(f"{room.glyphs.bar} ", "quiet")
    lines = _apart(_block(child, room.inside(2)) for child in node.children)
    return _hung(lines, bar, bar)


def _code(node: Node, room: _Room) -> tuple[Line, ...]:
    """Cut where the room ends: the spaces of code mean something."""
    rows = clean(node.content).expandtabs(4).rstrip("\n").split("\n")
    pieces = [piece for row in rows for piece in chop(row, room.cells - 2)]
    return tuple((Span(pad(f" {piece}", room.cells), "code"),) for piece in pieces)


def _table(node: Node, room: _Room) -> tuple[Line, ...]:
    rows = [row for part in node.children for row in part.children]
    cells = [[_cell(cell) for cell in row.children] for row in rows]
    return table_lines(cells, room.cells, rule=room.glyphs.rule)


def _cell(node: Node) -> Cell:
    return tuple(_inline(node, "strong" if node.type == "th" else ""))


def _inline(node: Node, tone: Tone, target: str = "") -> list[Span]:
    """The text of a node and all below it, in their tones."""
    spans: list[Span] = []
    for child in node.children:
        spans.extend(_inline_of(child, tone, target))
    if not node.children and node.type not in ("root", "paragraph", "inline"):
        spans.extend(_leaf(node, tone, target))
    return spans


def _inline_of(node: Node, tone: Tone, target: str) -> Sequence[Span]:
    match node.type:
        case "strong":
            return _inline(node, "strong", target)
        case "em":
            return _inline(node, tone or "em", target)
        case "link":
            return _link(node)
        case "image":
            return (Span(f"[image: {_plain(node)}]", "muted"),)
        case "inline" | "s":
            return _inline(node, tone, target)
        case _:
            return _leaf(node, tone, target)


def _leaf(node: Node, tone: Tone, target: str) -> Sequence[Span]:
    match node.type:
        case "softbreak":
            return (Span(" ", tone, target),)
        case "hardbreak":
            return (Span("\n", tone, target),)
        case "code_inline":
            return (Span(clean(node.content), "code", target),)
        case _:
            return (Span(clean(node.content), tone, target),)


def _link(node: Node) -> Sequence[Span]:
    """A citation's number is shown in brackets, as in a printed text."""
    address = clean(str(node.attrs.get("href", "")))
    text = _plain(node) or address
    shown = f"[{text}]" if text.isdigit() else text
    return (Span(shown, "link", LINK + address),)


def _plain(node: Node) -> str:
    if node.children:
        return "".join(_plain(child) for child in node.children)
    return clean(node.content) if node.type not in ("softbreak", "hardbreak") else " "


def _hung(lines: Sequence[Line], first: Span, others: Span) -> tuple[Line, ...]:
    """Lines with something before the first and something else before the others."""
    return tuple(((others if at else first), *row) for at, row in enumerate(lines))
