"""A report as rows, laid out piece by piece: what is seen first, the rest when there is time.

What is not laid out yet has a height that is only estimated, so whoever shows it keeps a place (a
piece and a row in it) and not a number of rows. Lays out nothing by itself.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gligabao_tui.view.blocks import Place, Stack, first_difference
from gligabao_tui.view.glyphs import DRAWN, Glyphs
from gligabao_tui.view.markdown import Piece
from gligabao_tui.view.markdown_inline import BACK, LINK, NO_MARKS, NOTE, SOURCE, Marks, parser
from gligabao_tui.view.markdown_lines import Laid, Room, laid_out
from gligabao_tui.view.text import EMPTY, Line, paragraph, plain

SLICE_CHARS = 4_000
"""So much is laid out at a time: 5 to 20 ms."""
_REFERENCE = re.compile(r"^ {0,3}\[(?!\^)[^\]\n]{1,300}\]:[^\n]*$", re.MULTILINE)
_LEADS = (LINK, SOURCE, NOTE, BACK)


@dataclass(frozen=True, slots=True)
class Stop:
    """A link of a piece: where it leads, and its spans as (row, number of the span in it)."""

    target: str
    spots: tuple[tuple[int, int], ...]


class Cursor(NamedTuple):
    """A link of the report: its piece, and which of its links."""

    piece: int
    stop: int


class Entry(NamedTuple):
    """A heading of the report."""

    place: Place
    level: int
    title: str


def marks_of(text: str, pieces: Sequence[Piece], sources: frozenset[int]) -> Marks:
    """What the marks of a finished report lead to. Footnotes are numbered as they are defined."""
    labels = dict.fromkeys(piece.note for piece in pieces if piece.note)
    env: dict[str, dict[str, object]] = {}
    if named := _REFERENCE.findall(text):
        parser().parse("\n".join(named), env)
    notes = {label: number for number, label in enumerate(labels, start=1)}
    return Marks(sources, notes, env.get("references", {}))


def notes_last(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Footnotes below all else and close together, as in a printed text."""
    text = [piece for piece in pieces if not piece.note]
    notes = [piece for piece in pieces if piece.note]
    return (*text, *notes[:1], *(note._replace(is_apart=False) for note in notes[1:]))


class ReportLayout:
    """The rows of a report at one width. Everything is by pieces, the last of which may be the
    tail: what is still being written, shown as it is."""

    def __init__(self, glyphs: Glyphs = DRAWN) -> None:
        self._glyphs = glyphs
        self._pieces: tuple[Piece, ...] = ()
        self._marks = NO_MARKS
        self._laid: list[Laid | None] = []
        self._stops: dict[int, tuple[Stop, ...]] = {}
        self._tail = _Tail()
        self._cells = 0
        self._stack = Stack()
        self._tops = [0]
        self._next = self._changed = 0
        self._entries: tuple[Entry, ...] | None = ()

    @property
    def height(self) -> int:
        return self._stack.height

    @property
    def count(self) -> int:
        """Of the pieces, without the tail."""
        return len(self._pieces)

    @property
    def chars_left(self) -> int:
        """How much is not laid out yet, at most."""
        left = zip(self._pieces[self._next :], self._laid[self._next :], strict=True)
        return sum(len(piece.text) for piece, laid in left if laid is None)

    @property
    def is_whole(self) -> bool:
        """Whether every piece is laid out."""
        return self._next >= len(self._pieces)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The headings of what is laid out, in the order of the text."""
        if self._entries is None:
            self._entries = tuple(
                Entry(Place(at, heading.row), heading.level, heading.title)
                for at, laid in enumerate(self._laid)
                if laid is not None
                for heading in laid.headings
            )
        return self._entries

    def show(self, pieces: tuple[Piece, ...], marks: Marks, tail: str = "") -> None:
        """This text from now on; what is the same from its start stays laid out."""
        same = first_difference(self._pieces, pieces) if marks == self._marks else 0
        if same < max(len(self._pieces), len(pieces)) or marks != self._marks:
            self._pieces, self._marks = pieces, marks
            self._forget(same)
        self._tail = self._tail.grown(tail.lstrip("\n"), self._cells)
        self._restack()

    def set_width(self, cells: int) -> None:
        if cells != self._cells:
            self._cells = cells
            self._tail = _Tail().grown(self._tail.text, cells)
            self._forget(0)
            self._restack()

    def row(self, y: int) -> Line:
        """Row `y` of the whole: empty outside, and where nothing is laid out yet."""
        place = self._stack.at(y)
        lines = self._lines(place.block) if place else ()
        at = place.row - self._gap(place.block) if place else -1
        return lines[at] if 0 <= at < len(lines) else EMPTY

    def place(self, y: int) -> Place:
        """Of a row; the rows of a piece begin after the empty line before it."""
        found = self._stack.at(max(0, y))
        if found is None:
            return Place(self._stack.count, 0)
        return Place(found.block, found.row - self._gap(found.block))

    def y(self, place: Place) -> int:
        if place.block >= self._stack.count:
            return self._stack.height
        gap = self._gap(place.block)
        last = self._stack.bottom(place.block) - self._stack.top(place.block) - 1
        return self._stack.top(place.block) + max(0, min(place.row + gap, last))

    def lay_out_from(self, block: int, rows: int) -> None:
        """Everything that `rows` rows from a piece on show."""
        for at in range(min(block, len(self._pieces)), len(self._pieces)):
            if rows <= 0:
                break
            rows -= len(self._at(at).lines)
        self._restack()

    def lay_out_end(self, rows: int) -> None:
        """Everything that the last `rows` rows show."""
        for at in range(len(self._pieces) - 1, -1, -1):
            if rows <= 0:
                break
            rows -= len(self._at(at).lines)
        self._restack()

    def lay_out_more(self) -> None:
        """The next pieces from the top that are not laid out, about as much as a slice."""
        chars = 0
        while chars < SLICE_CHARS and not self.is_whole:
            chars += len(self._pieces[self._next].text)
            self._at(self._next)
            self._pass()
        self._restack()

    def stops(self, block: int) -> tuple[Stop, ...]:
        """The links of a piece, in the order of the text."""
        if block not in self._stops:
            self._stops[block] = _stops(self._at(block).lines)
        return self._stops[block]

    def stop(self, cursor: Cursor) -> Stop:
        return self.stops(cursor.piece)[cursor.stop]

    def stop_after(self, cursor: Cursor) -> Cursor | None:
        """The next link; (piece, -1) stands before all links of a piece."""
        first = cursor.stop + 1
        for block in range(cursor.piece, len(self._pieces)):
            if self._may_lead(block) and first < len(self.stops(block)):
                return Cursor(block, first)
            first = 0
        return None

    def stop_before(self, cursor: Cursor) -> Cursor | None:
        for block in range(min(cursor.piece, len(self._pieces) - 1), -1, -1):
            stops = self.stops(block) if self._may_lead(block) else ()
            last = min(cursor.stop, len(stops)) if block == cursor.piece else len(stops)
            if last > 0:
                return Cursor(block, last - 1)
        return None

    def stop_from(self, place: Place) -> Cursor | None:
        """The first link at a place or after it."""
        if place.block >= len(self._pieces):
            return None
        before = [at for at, one in enumerate(self.stops(place.block)) if one.spots[0] < place[1:]]
        return self.stop_after(Cursor(place.block, len(before) - 1))

    def find(self, target: str) -> Cursor | None:
        """The first link that leads there."""
        label = target.split(":", 1)[-1]
        for block, piece in enumerate(self._pieces):
            if label in piece.text:
                for at, stop in enumerate(self.stops(block)):
                    if stop.target == target:
                        return Cursor(block, at)
        return None

    def place_of(self, cursor: Cursor) -> Place:
        return Place(cursor.piece, self.stop(cursor).spots[0][0])

    def text(self) -> str:
        """All of it as it is laid out, as plain text."""
        self.lay_out_from(0, max(1, self.height) * 1_000)
        rows = (plain(self.row(y)).rstrip() for y in range(self.height))
        return "\n".join(rows) + "\n" if self.height else ""

    def _at(self, block: int) -> Laid:
        laid = self._laid[block]
        if laid is None:
            laid = laid_out(self._pieces[block], Room(self._cells, self._glyphs, self._marks))
            self._laid[block] = laid
            self._changed = min(self._changed, block)
            if laid.headings:
                self._entries = None
        return laid

    def _forget(self, first: int) -> None:
        """Lay out again from this piece on."""
        self._laid[first:] = [None] * (len(self._pieces) - first)
        self._stops = {block: stops for block, stops in self._stops.items() if block < first}
        self._next, self._changed = min(self._next, first), min(self._changed, first)
        self._entries = None

    def _lines(self, block: int) -> tuple[Line, ...]:
        if block >= len(self._pieces):
            return self._tail.lines
        laid = self._laid[block]
        return laid.lines if laid is not None else ()

    def _gap(self, block: int) -> int:
        """The empty line before a piece."""
        top, bottom = self._stack.top(block), self._stack.bottom(block)
        is_apart = block >= len(self._pieces) or self._pieces[block].is_apart
        return int(is_apart and top > 0 and bottom > top)

    def _may_lead(self, block: int) -> bool:
        """Without looking closely: most pieces need not be laid out to know that they do not."""
        piece = self._pieces[block]
        return bool(piece.note or piece.in_sources) or "[" in piece.text or ":" in piece.text

    def _pass(self) -> None:
        """Go on to the first piece that is not laid out."""
        while self._next < len(self._laid) and self._laid[self._next] is not None:
            self._next += 1

    def _restack(self) -> None:
        """Where every piece begins, from the first whose height may have changed."""
        self._pass()
        if self._changed <= len(self._pieces):
            tops = self._tops[: self._changed + 1]
            top = tops[-1]
            for at in range(self._changed, len(self._pieces)):
                piece, laid = self._pieces[at], self._laid[at]
                height = _guessed(piece, self._cells) if laid is None else len(laid.lines)
                top += height + (1 if piece.is_apart and top and height else 0)
                tops.append(top)
            self._tops = tops
            self._changed = len(self._pieces) + 1
        tail = len(self._tail.lines)
        top = self._tops[-1]
        end = (top + tail + (1 if top else 0),) if tail else ()
        self._stack = Stack((*self._tops, *end))


@dataclass(frozen=True, slots=True)
class _Tail:
    """The rows of finished lines are kept: only the line that grows is wrapped again."""

    text: str = ""
    done: int = 0
    rows: tuple[Line, ...] = ()
    last: tuple[Line, ...] = ()

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.rows + self.last

    def grown(self, text: str, cells: int) -> "_Tail":
        if text == self.text:
            return self
        if not cells or not text.strip():
            return _Tail(text)
        begun = self.done if text.startswith(self.text[: self.done]) else 0
        rows = self.rows if begun else ()
        done = text.rfind("\n") + 1
        if done > begun:
            rows += paragraph(text[begun : done - 1].rstrip("\r"), cells)
        return _Tail(text, done, rows, paragraph(text[done:], cells) if text[done:] else ())


def _guessed(piece: Piece, cells: int) -> int:
    """About how many rows a piece will take."""
    if not piece.text.strip():
        return 0
    return 1 + piece.text.count("\n", 0, -2) + len(piece.text) // max(1, cells) * 3 // 4


def _stops(lines: Sequence[Line]) -> tuple[Stop, ...]:
    """A link that the layout broke is one, though its rows have spans of their own."""
    found: list[Stop] = []
    for row, line in enumerate(lines):
        for at, span in enumerate(line):
            if not span.target.startswith(_LEADS):
                continue
            last = found[-1] if found else None
            if last and last.target == span.target and _goes_on(last.spots[-1], (row, at), line):
                found[-1] = Stop(last.target, (*last.spots, (row, at)))
            else:
                found.append(Stop(span.target, ((row, at),)))
    return tuple(found)


def _goes_on(before: tuple[int, int], spot: tuple[int, int], line: Line) -> bool:
    """In the same row right behind it, or first in the next one."""
    if before[0] == spot[0]:
        return before[1] + 1 == spot[1]
    return before[0] + 1 == spot[0] and not "".join(span.text for span in line[: spot[1]]).strip()
