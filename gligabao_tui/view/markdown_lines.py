"""Markdown laid out as lines of toned text, for a width in cells.

Our own layout instead of a widget for every paragraph: a long report costs milliseconds, and
nothing in it can be more than text. HTML stays as it is written.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from markdown_it.tree import SyntaxTreeNode as Node

from engine.api import clean
from gligabao_tui.view.glyphs import DRAWN, Glyphs
from gligabao_tui.view.markdown import Piece, pieces
from gligabao_tui.view.markdown_inline import (
    BACK,
    LINK,
    NO_MARKS,
    SOURCE,
    Marks,
    inline,
    note_mark,
    parser,
    plain_text,
)
from gligabao_tui.view.markdown_table import Cell, table_lines
from gligabao_tui.view.text import (
    EMPTY,
    Line,
    Span,
    Tone,
    chop,
    flat,
    flow_spans,
    line_width,
    pad,
)

__all__ = ["LINK", "Heading", "Laid", "Room", "laid_out", "markdown_lines"]

HEADING_TONES: dict[str, Tone] = {"h1": "title", "h2": "heading"}
NARROWEST, NOTES_RULE = 12, 24


@dataclass(frozen=True, slots=True)
class Room:
    """What is left of the width, what the symbols are, and what marks can lead to."""

    cells: int
    glyphs: Glyphs = DRAWN
    marks: Marks = field(default=NO_MARKS)
    in_sources: bool = False
    """Whether the numbers of a list are those of the report's sources."""

    def inside(self, indent: int) -> "Room":
        return replace(self, cells=max(NARROWEST, self.cells - indent), in_sources=False)


@dataclass(frozen=True, slots=True)
class Heading:
    """`row` is its first row among the lines it belongs to; `level` is 1 to 6."""

    level: int
    title: str
    row: int


@dataclass(frozen=True, slots=True)
class Laid:
    """A piece laid out; the empty line before it is not among its lines."""

    lines: tuple[Line, ...] = ()
    headings: tuple[Heading, ...] = ()


def markdown_lines(markdown: str, cells: int, *, glyphs: Glyphs = DRAWN) -> tuple[Line, ...]:
    """A whole text at once, blocks apart by an empty line."""
    lines: list[Line] = []
    for piece in pieces(markdown):
        found = laid_out(piece, Room(cells, glyphs)).lines
        lines.extend((EMPTY, *found) if lines and found and piece.is_apart else found)
    return tuple(lines)


def laid_out(piece: Piece, room: Room) -> Laid:
    """One piece of a text; its headings are those outside lists and quotations."""
    room = replace(room, cells=max(NARROWEST, room.cells), in_sources=piece.in_sources)
    nodes = _nodes(piece, room.marks)
    if piece.indent:
        return Laid(_inner(nodes, piece.indent, room))
    if piece.note in room.marks.notes:
        return Laid(_footnote(nodes, piece.note, room))
    lines: list[Line] = []
    headings: list[Heading] = []
    for node in nodes:
        if not (block := _block(node, room)):
            continue
        if lines:
            lines.append(EMPTY)
        if node.type == "heading":
            headings.append(Heading(int(node.tag[1]), flat(plain_text(node)), len(lines)))
        lines.extend(block)
    return Laid(tuple(lines), tuple(headings))


def _nodes(piece: Piece, marks: Marks) -> Sequence[Node]:
    text = clean(piece.before + piece.text)
    if piece.note in marks.notes:
        text = _outdented(text.split("]:", 1)[1].strip(), 4)
    elif piece.indent:
        text = _outdented(text, piece.indent)
    env = {"notes": marks.notes, "references": dict(marks.references)}
    nodes = Node(parser().parse(text, env)).children
    if piece.number and nodes and nodes[0].type == "ordered_list":
        first = nodes[0].nester_tokens
        if first is not None:
            first.opening.attrs["start"] = piece.number
    return nodes


def _outdented(text: str, indent: int) -> str:
    """Without the spaces before its rows that only say where it belongs."""
    return "\n".join(row.removeprefix("\t").removeprefix(" " * indent) for row in text.split("\n"))


def _inner(nodes: Sequence[Node], indent: int, room: Room) -> tuple[Line, ...]:
    """A part of an inner list, where it would stand in the whole."""
    lines = _apart(_block(node, room.inside(indent)) for node in nodes)
    spaces = (Span(" " * indent),)
    return _hung(lines, spaces, spaces)


def _footnote(nodes: Sequence[Node], label: str, room: Room) -> tuple[Line, ...]:
    """Its number, its text, and the way back."""
    mark = f"{note_mark(room.marks.notes[label], room.glyphs)} "
    lines = list(_apart(_block(node, room.inside(len(mark))) for node in nodes)) or [EMPTY]
    back = Span(room.glyphs.back, "link", BACK + label)
    if line_width(lines[-1]) + 1 + len(back.text) <= room.cells - len(mark):
        lines[-1] = (*lines[-1], Span(" "), back)
    else:
        lines.append((back,))
    told = _hung(lines, (Span(mark, "accent"),), (Span(" " * len(mark)),))
    return told if room.marks.notes[label] > 1 else ((Span(_rule(room), "quiet"),), *told)


def _rule(room: Room) -> str:
    """The line that parts the footnotes from the text."""
    return room.glyphs.rule * min(NOTES_RULE, room.cells)


def _apart(blocks: Iterable[tuple[Line, ...]]) -> tuple[Line, ...]:
    lines: list[Line] = []
    for block in blocks:
        if block:
            lines.extend((EMPTY, *block) if lines else block)
    return tuple(lines)


def _block(node: Node, room: Room) -> tuple[Line, ...]:
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


def _flow(node: Node, room: Room, tone: Tone = "") -> tuple[Line, ...]:
    return tuple(flow_spans(_inline(node, tone, room), room.cells))


def _list(node: Node, room: Room) -> tuple[Line, ...]:
    first = int(str(node.attrs.get("start", 1)))
    is_tight = all(child.hidden for item in node.children for child in item.children[:1])
    items = [
        _item(item, _mark(node, first + at, room), room) for at, item in enumerate(node.children)
    ]
    return tuple(line for item in items for line in item) if is_tight else _apart(items)


def _mark(node: Node, number: int, room: Room) -> Line:
    """The number of a source leads to what is quoted from it."""
    if node.type == "bullet_list":
        return (Span(f"{room.glyphs.bullet} ", "accent"),)
    if room.in_sources and number in room.marks.sources:
        return (Span(f"{number}.", "link", f"{SOURCE}{number}"), Span(" "))
    return (Span(f"{number}. ", "accent"),)


def _item(node: Node, mark: Line, room: Room) -> tuple[Line, ...]:
    indent = line_width(mark)
    inside = room.inside(indent)
    blocks = [_block(child, inside) for child in node.children]
    is_tight = all(child.hidden or child.type.endswith("list") for child in node.children)
    lines = tuple(row for block in blocks for row in block) if is_tight else _apart(blocks)
    return _hung(lines or (EMPTY,), mark, (Span(" " * indent),))


def _quote(node: Node, room: Room) -> tuple[Line, ...]:
    bar = (Span(f"{room.glyphs.bar} ", "quiet"),)
    lines = _apart(_block(child, room.inside(2)) for child in node.children)
    return _hung(lines, bar, bar)


def _code(node: Node, room: Room) -> tuple[Line, ...]:
    """Cut where the room ends: the spaces of code mean something."""
    rows = clean(node.content).expandtabs(4).rstrip("\n").split("\n")
    pieces = [piece for row in rows for piece in chop(row, room.cells - 2)]
    return tuple((Span(pad(f" {piece}", room.cells), "code"),) for piece in pieces)


def _table(node: Node, room: Room) -> tuple[Line, ...]:
    rows = [row for part in node.children for row in part.children]
    cells = [[_cell(cell, room) for cell in row.children] for row in rows]
    return table_lines(cells, room.cells, rule=room.glyphs.rule)


def _cell(node: Node, room: Room) -> Cell:
    return tuple(_inline(node, "strong" if node.type == "th" else "", room))


def _inline(node: Node, tone: Tone, room: Room) -> list[Span]:
    return inline(node, tone, marks=room.marks, glyphs=room.glyphs)


def _hung(lines: Sequence[Line], first: Line, others: Line) -> tuple[Line, ...]:
    """Lines with something before the first and something else before the others."""
    return tuple((*(others if at else first), *row) for at, row in enumerate(lines))
