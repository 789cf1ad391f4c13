"""Cuts Markdown into pieces that can be laid out one by one, also while it is being written.

A long report is laid out piece by piece, so that no piece keeps anybody waiting, and while it is
written only its last piece is looked at again. A cut is made only where what follows cannot change
what is before. The pieces put together are always the whole text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

FENCES = ("```", "~~~")
LONG, LONGEST = 2_000, 4_000
"""Characters. A list or table is cut between its items or rows when it is long; paragraphs and
code at a line when they are longest."""
_CERTAIN = 12
"""No mark of a list is longer: so much of an unfinished row says what the row is."""
_HEADING = re.compile(r"#{1,6}(?:[ \t]|$)")
_ITEM = re.compile(r"(?:[-+*]|(\d{1,9})[.)])(?:[ \t]|$)")
_NOTE = re.compile(r"\[\^([^\]\s]{1,80})\]:")
_BELOW_TABLE_HEAD = re.compile(
    r"[ ]{0,3}\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*\|?[ \t]*+$"
)
_SOURCES = re.compile(r"#{1,6}[ \t]+sources:?[ \t]*+#*+[ \t]*+$", re.IGNORECASE)


class Piece(NamedTuple):
    """Some whole blocks of Markdown, or a part of one that was too long."""

    text: str = ""
    before: str = ""
    """What must stand before the text of a part: the head of its table, the fence of its code."""
    is_apart: bool = True
    """Whether an empty line is drawn before it: not between the parts of one block."""
    number: int = 0
    """Of the item a part of a numbered list begins with; 0 otherwise."""
    indent: int = 0
    """Of the inner list that a part begins with: all its rows have so many spaces."""
    note: str = ""
    """The label of the footnote that it defines."""
    in_sources: bool = False
    """Whether it stands below the heading `Sources`."""


NO_PIECE = Piece()


@dataclass(frozen=True, slots=True)
class Split:
    """`closed` cannot be changed by what follows; `tail` is still growing and may be empty."""

    closed: tuple[Piece, ...] = ()
    tail: Piece = NO_PIECE
    at: int = 0
    """Where the tail begins in the whole text."""

    def text(self) -> str:
        return "".join(piece.text for piece in (*self.closed, self.tail))


NOTHING = Split()


def pieces(text: str) -> tuple[Piece, ...]:
    """All of a finished text."""
    split = split_open(text, is_whole=True)
    return (*split.closed, split.tail) if split.tail.text else split.closed


def split_open(text: str, known: Split = NOTHING, *, is_whole: bool = False) -> Split:
    """The closed pieces of `text` and the rest. `known` is the split of a start of it, whose
    closed pieces are not read again."""
    cutter = _Cutter(known.tail)
    closed = [*cutter.cut(text, known.at, is_whole=is_whole)]
    tail = cutter.tail(text)
    return Split((*known.closed, *closed), tail, cutter.start)


class _Cutter:
    """Reads the rows of one piece after another."""

    _fence: str
    _opening: str
    _table: str
    _last: str
    _is_fence_outside: bool
    _ends_here: bool
    _is_after_blank: bool
    _is_empty: bool
    _items: int
    _number: int

    def __init__(self, tail: Piece) -> None:
        self._head = tail._replace(text="")
        self._in_sources = tail.in_sources
        self.start = 0
        self._begin(self._head, 0)

    def tail(self, text: str) -> Piece:
        return Piece(text[self.start :], *self._head[1:-1], self._begins_in_sources)

    def cut(self, text: str, at: int, *, is_whole: bool) -> Iterator[Piece]:
        self.start = place = at
        while place < len(text):
            end = text.find("\n", place) + 1 or len(text)
            row = text[place:end]
            if self._goes_on(row, end):
                place = end
                continue
            is_certain = is_whole or row.endswith("\n")
            if is_certain or (len(row) >= _CERTAIN and row[0] not in "[|"):
                yield from self._cut_before(text, place, row)
            if not place or text[place - 1] == "\n":  # not the rest of a row that was cut
                self._take(row, is_certain=is_certain)
            yield from self._cut_within(text, place, end)
            place = end
            if self._ends_here:
                yield self._close(text, place, Piece())

    def _goes_on(self, row: str, end: int) -> bool:
        """Whether a row is only more of its paragraph, or only empty: most rows are."""
        if self._fence or self._head.indent or end - self.start > LONGEST:
            return False
        if row == "\n":
            self._is_after_blank, self._last = True, row
            return True
        if self._is_after_blank or self._is_empty or not row[0].isalpha():
            return False
        self._last = row
        return True

    def _cut_within(self, text: str, place: int, end: int) -> Iterator[Piece]:
        """Cut a row that is too long: where a word ends, if one does. Code waits for its end."""
        while end - max(place, self.start) > LONGEST and not (self._fence or self._table):
            first = max(place, self.start)
            cut = text.rfind(" ", first + LONG, first + LONGEST) + 1 or first + LONGEST
            yield self._close(text, cut, Piece(is_apart=False))

    def _cut_before(self, text: str, place: int, row: str) -> Iterator[Piece]:
        """Close the piece before this row if the row begins another."""
        if place > self.start and (following := self._following(row, place - self.start)):
            yield self._close(text, place, following)

    def _following(self, row: str, length: int) -> Piece | None:
        """The piece that begins with this row; None when it goes on with the one before."""
        if self._fence:
            return Piece(before=self._opening, is_apart=False) if length > LONGEST else None
        if row[0] in " \t\n\r":
            return self._following_inner(row, length)
        if note := _NOTE.match(row):
            return Piece(note=note[1])
        if self._is_empty:
            return None
        if _HEADING.match(row):
            return Piece()
        if self._head.indent:
            return Piece(is_apart=self._is_after_blank)
        if item := _ITEM.match(row):
            return self._following_item(item, length)
        if self._is_after_blank:
            return Piece()
        if self._table and row.lstrip().startswith("|"):
            return Piece(before=self._table) if length > LONG else None
        return Piece(is_apart=False) if length > LONGEST else None

    def _following_item(self, item: re.Match[str], length: int) -> Piece | None:
        """A list goes on over empty lines; it is cut only when it is long."""
        if not self._items:
            return Piece() if self._is_after_blank else None
        if length <= LONG:
            return None
        number = self._number + self._items if item[1] and self._number else 0
        return Piece(is_apart=self._is_after_blank, number=number)

    def _following_inner(self, row: str, length: int) -> Piece | None:
        """A list within a list is cut between its items, when it is longest."""
        inner = row.lstrip(" ")
        if length <= LONGEST or not _ITEM.match(inner):
            return None
        indent = self._head.indent or len(row) - len(inner)
        has_all = len(row) - len(inner) >= indent
        return Piece(indent=indent, is_apart=self._is_after_blank) if has_all else None

    def _take(self, row: str, *, is_certain: bool) -> None:
        """Remember what this row does to its piece."""
        told = row.strip()
        if self._fence:
            if is_certain and _closes(told, self._fence):
                self._ends_here = self._is_fence_outside and row.endswith("\n")
                self._fence = self._opening = ""
        elif _opens(told):
            self._fence, self._opening = _fence_of(told), row
            self._is_fence_outside = row.startswith(FENCES)
        elif row[0] not in " \t\n\r":
            self._take_outside(row, told)
        self._is_after_blank = not told
        self._is_empty = self._is_empty and not told
        self._last = row

    def _take_outside(self, row: str, told: str) -> None:
        if item := _ITEM.match(row):
            if not self._items:
                self._number = self._head.number or int(item[1] or 0)
            self._items += 1
        elif _HEADING.match(row) and row.endswith("\n"):
            self._in_sources = bool(_SOURCES.match(told))
            self._ends_here = True
        elif "|" in self._last and "|" in row and _BELOW_TABLE_HEAD.match(told):
            self._table = self._last + row

    def _close(self, text: str, end: int, following: Piece) -> Piece:
        head = self._head
        closed = Piece(text[self.start : end], *head[1:-1], self._begins_in_sources)
        self._begin(following, end)
        return closed

    def _begin(self, head: Piece, start: int) -> None:
        self._head, self.start, self._begins_in_sources = head, start, self._in_sources
        self._fence = self._opening = self._table = self._last = ""
        self._is_fence_outside = self._ends_here = self._is_after_blank = False
        self._items = self._number = 0
        self._is_empty = True
        if head.before.lstrip().startswith(FENCES):
            self._fence, self._opening = _fence_of(head.before.strip()), head.before
            self._is_fence_outside = head.before.startswith(FENCES)
        elif head.before:
            self._table = head.before


def _opens(row: str) -> bool:
    """A fence of backticks has none after it, else it is code within a line."""
    if not row.startswith(FENCES):
        return False
    return row[0] == "~" or "`" not in row[len(_fence_of(row)) :]


def _fence_of(row: str) -> str:
    return row[: len(row) - len(row.lstrip(row[0]))]


def _closes(row: str, fence: str) -> bool:
    return row.startswith(fence) and not row.strip(fence[0])
