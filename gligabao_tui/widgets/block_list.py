"""A long list of blocks, drawn by lines: only what is seen is drawn, whatever its length.

Blocks are known by their keys. Cursor, opened blocks and the line at the top of the view survive
every update; while the list follows, its end stays in view instead.
"""

from collections.abc import Hashable, Iterable, Sequence
from functools import partial
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.style import Style

from gligabao_tui.view.blocks import Spot, Stack, first_difference, into_view, stacked
from gligabao_tui.view.text import Line, plain, target_at
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.jumpable import JumpSpot
from gligabao_tui.widgets.rows import Rows, cursor_look


class Keyed(Protocol):
    @property
    def key(self) -> Hashable: ...

    @property
    def is_live(self) -> bool:
        """Whether it looks different as time passes."""
        ...


Item = TypeVar("Item", bound=Keyed)
Given = TypeVar("Given", bound=Keyed, contravariant=True)


class DrawBlock(Protocol[Given]):
    """The lines of a block, of which the first is its head. `is_open` None: not set by hand."""

    def __call__(self, item: Given, width: int, *, is_open: bool | None) -> tuple[Line, ...]: ...


MOVES: list[BindingType] = list(bindings("moves"))


class BlockList(Rows, Generic[Item], can_focus=True):
    """Call `show` with the blocks as they are now; it finds out what changed."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"block-list--cursor"}
    BINDINGS: ClassVar[list[BindingType]] = MOVES

    follows: reactive[bool] = reactive(False)

    class Chosen(Message):
        """A block was clicked or entered; `target` names the part of its head, if it has one."""

        def __init__(self, blocks: "BlockList[Any]", key: Hashable, target: str) -> None:
            super().__init__()
            self.blocks = blocks
            self.key = key
            self.target = target

        @property
        def control(self) -> "BlockList[Any]":
            return self.blocks

    class Moved(Message):
        """The cursor, or what is in view, has changed."""

        def __init__(self, blocks: "BlockList[Any]") -> None:
            super().__init__()
            self.blocks = blocks

        @property
        def control(self) -> "BlockList[Any]":
            return self.blocks

    def __init__(self, draw: DrawBlock[Item], *, id: str) -> None:
        super().__init__(id=id)
        self._draw = draw
        self._items: tuple[Item, ...] = ()
        self._heights: list[int] = []
        self._stack = Stack()
        self._by_hand: dict[Hashable, bool] = {}
        self._drawn: dict[Hashable, tuple[Item, int, tuple[Line, ...]]] = {}
        self._cursor = 0
        self._width = 0
        self._is_placing = False
        self._wanted_top: tuple[Hashable, int] | None = None

    @property
    def items(self) -> tuple[Item, ...]:
        return self._items

    @property
    def current(self) -> Item | None:
        """The block under the cursor."""
        return self._items[self._cursor] if self._cursor < len(self._items) else None

    @property
    def shows_cursor(self) -> bool:
        """Whether the keys go to it."""
        return self.has_focus

    @property
    def top_key(self) -> Hashable | None:
        """The block at the top of the view."""
        anchor = self._anchor()
        return anchor[0] if anchor else None

    @property
    def blocks_below(self) -> int:
        """How many blocks lie wholly below the view."""
        last = self._stack.at(int(self.scroll_y) + self._rows - 1)
        return 0 if last is None else len(self._items) - 1 - last.block

    def show(self, items: Sequence[Item]) -> None:
        """Show these blocks from now on."""
        items = tuple(items)
        if (changed := self._changed_in_place(items)) is not None:
            self._items = items
            self._draw_again(changed)
            return
        first = first_difference(self._items, items)
        cursor_key = self.current.key if self.current else None
        anchor = self._anchor()
        self._items = items
        self._heights[first:] = [self._height(item) for item in items[first:]]
        self._cursor = self._index_of(cursor_key, near=self._cursor)
        self._place(anchor)

    def tick(self, *, live_only: bool = False) -> None:
        """Time has passed: draw again what is seen and looks different now, and what is out of
        sight when it comes into it. Where `live_only` do, the others stay as they were drawn."""
        before = dict(self._drawn)
        if live_only:
            self._drawn = {key: one for key, one in before.items() if not one[0].is_live}
        else:
            self._drawn = {}
        for index in self._seen():
            if live_only and not self._items[index].is_live:
                continue
            drawn, lines = before.get(self._items[index].key), self._lines(self._items[index])
            if drawn is not None and lines != drawn[2]:
                self.refresh_lines(self._stack.top(index), len(lines))

    def restart(self) -> None:
        """Forget cursor, opened blocks and place: another list begins."""
        self._items, self._heights, self._by_hand = (), [], {}
        self._drawn.clear()
        self._cursor = 0
        self._place(None)
        self._scroll_quietly(0)

    def go_to(self, key: Hashable, *, opened: bool = False) -> None:
        """Put the cursor on a block, and open it if asked."""
        index = self._index_of(key, near=-1)
        if index >= 0:
            self.follows = False
            if opened:
                self._by_hand[key] = True
                self._reheight()
            self._set_cursor(index)

    @property
    def spot(self) -> Spot:
        """Where the person is, to come back to later."""
        cursor = self.current.key if self.current else None
        return Spot(self._anchor(), cursor, dict(self._by_hand), self.follows)

    def go_back(self, spot: Spot) -> None:
        """To where somebody was, as far as those blocks are still there; also before there is a
        width to lay them out for."""
        self._by_hand = dict(spot.by_hand)
        self._cursor = self._index_of(spot.cursor, near=self._cursor)
        self.follows = spot.follows
        self._wanted_top = None if self._width or spot.follows else spot.top
        self._reheight(None if spot.follows else spot.top)

    def toggle(self) -> None:
        """Open or close the block under the cursor."""
        if self.current is not None:
            item = self.current
            self._by_hand[item.key] = not self._by_hand.get(item.key, False)
            self._reheight()
            self._reveal()

    def set_all(self, *, opened: bool) -> None:
        self._by_hand = {item.key: opened for item in self._items}
        self._reheight()
        self._reveal()

    def watch_follows(self) -> None:
        if self.follows:
            self._cursor = max(0, len(self._items) - 1)
            self._to_end()
            self.refresh()
        self.post_message(self.Moved(self))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if not self._is_placing and round(old_value) != round(new_value):
            self.follows = self.follows and new_value >= self.max_scroll_y
            self.post_message(self.Moved(self))

    def on_resize(self) -> None:
        width = self.scrollable_content_region.width
        if width != self._width:
            self._width = width
            self._reheight(self._wanted_top)
            self._wanted_top = None
        elif self.follows:
            self._to_end()

    def on_click(self, event: events.Click) -> None:
        if self.was_dragged:
            return
        offset = event.get_content_offset(self)
        place = self._stack.at(offset.y + int(self.scroll_y)) if offset else None
        if offset is None or place is None:
            return
        item = self._items[place.block]
        self._set_cursor(place.block)
        target = target_at(self._lines(item)[0], offset.x) if place.row == 0 else ""
        self.post_message(self.Chosen(self, item.key, target))

    def action_move(self, by: int) -> None:
        self._move_to(self._cursor + by)

    def action_move_page(self, by: int) -> None:
        place = self._stack.at(self._stack.top(self._cursor) + by * self._rows)
        self._move_to(place.block if place else (0 if by < 0 else len(self._items) - 1))

    def action_move_half(self, by: int) -> None:
        """Half a page of rows, and at least a block."""
        rows = by * max(1, self._rows // 2)
        place = self._stack.at(self._stack.top(self._cursor) + rows)
        at = place.block if place else (0 if by < 0 else len(self._items) - 1)
        self._move_to(at if at != self._cursor else at + by)

    def action_move_to_start(self) -> None:
        self._move_to(0)

    def action_move_to_end(self) -> None:
        self._move_to(len(self._items) - 1)

    def render_line(self, y: int) -> Strip:
        row = y + int(self.scroll_y)
        place = self._stack.at(row)
        width = self.scrollable_content_region.width
        base = self.visual_style
        if place is None:
            return Strip.blank(width, base.rich_style)
        if place.block == self._cursor and self.shows_cursor and place.row == 0:
            base += self._cursor_look()
        spans = self._lines(self._items[place.block])[place.row]
        return self.drawn_row(spans, base, row, width)

    def selectable_rows(self, first: int, last: int | None) -> Sequence[Line]:
        end = self._stack.height if last is None else min(last + 1, self._stack.height)
        places = (self._stack.at(row) for row in range(first, end))
        return [self._lines(self._items[one.block])[one.row] for one in places if one]

    def jump_spots(self) -> Iterable[JumpSpot]:
        """The heads of the blocks in view."""
        corner = self.scrollable_content_region.offset
        for index in self._seen():
            y = self._stack.top(index) - int(self.scroll_y)
            if y >= 0:
                yield JumpSpot(corner.x, corner.y + y, partial(self.choose, index))

    def choose(self, index: int) -> None:
        """As if it was clicked."""
        self.focus()
        self._set_cursor(index)
        self.post_message(self.Chosen(self, self._items[index].key, ""))

    def text_of(self, item: Item) -> str:
        """A block as plain text, for the clipboard."""
        return "\n".join(
            plain(spans).strip() for spans in self._draw(item, self._width, is_open=True)
        )

    def _cursor_look(self) -> Style:
        return cursor_look(self, "block-list--cursor")

    @property
    def _rows(self) -> int:
        return max(1, self.scrollable_content_region.height)

    def _lines(self, item: Item) -> tuple[Line, ...]:
        drawn = self._drawn.get(item.key)
        if drawn is None or drawn[0] != item or drawn[1] != self._width:
            lines = self._draw(item, self._width, is_open=self._by_hand.get(item.key))
            drawn = (item, self._width, lines)
            self._drawn[item.key] = drawn
        return drawn[2]

    def _height(self, item: Item) -> int:
        """Closed blocks are one line and need not be drawn to know it."""
        if not item.is_live and not self._by_hand.get(item.key):
            return 1
        return len(self._lines(item))

    def _reheight(self, anchor: tuple[Hashable, int] | None = None) -> None:
        """Every height again: the width, or what is open, has changed."""
        anchor = anchor or self._anchor()
        self._drawn.clear()
        self._heights = [self._height(item) for item in self._items]
        self._place(anchor)

    def _changed_in_place(self, items: tuple[Item, ...]) -> list[int] | None:
        """Where blocks differ, if each is as high as before; None when they must be laid out."""
        if len(items) != len(self._items):
            return None
        pairs = enumerate(zip(self._items, items, strict=True))
        changed = [at for at, (old, new) in pairs if old is not new and old != new]
        for at in changed:
            new = items[at]
            if new.key != self._items[at].key or self._height(new) != self._heights[at]:
                return None
        return changed

    def _draw_again(self, changed: Sequence[int]) -> None:
        """Only what is seen; what is not is drawn when it is."""
        seen = self._seen()
        for index in changed:
            if index in seen:
                self.refresh_lines(self._stack.top(index), self._heights[index])

    def _anchor(self) -> tuple[Hashable, int] | None:
        place = self._stack.at(int(self.scroll_y))
        return (self._items[place.block].key, place.row) if place else None

    def _place(self, anchor: tuple[Hashable, int] | None) -> None:
        """Lay the blocks out, and keep the same line at the top of the view."""
        self._stack = stacked(self._heights)
        self._is_placing = True
        self.virtual_size = Size(self._width, self._stack.height)
        if self.follows:
            self._cursor = max(0, len(self._items) - 1)
            self._to_end()
        elif anchor is not None:
            index = self._index_of(anchor[0], near=0)
            top = self._stack.top(index) + anchor[1] if self._items else 0
            self._scroll_quietly(top)
        self._is_placing = False
        self.refresh()
        self.post_message(self.Moved(self))

    def _to_end(self) -> None:
        self._scroll_quietly(max(0, self._stack.height - self._rows))

    def _scroll_quietly(self, y: int) -> None:
        """Not the person's doing, so that it does not end following."""
        self._is_placing = True
        self.jump_to(y)
        self._is_placing = False

    def _move_to(self, index: int) -> None:
        if self._items:
            self.follows = self.follows and index >= len(self._items) - 1
            self._set_cursor(min(max(index, 0), len(self._items) - 1))

    def _set_cursor(self, index: int) -> None:
        self._cursor = index
        self._reveal()
        self.refresh()
        self.post_message(self.Moved(self))

    def _reveal(self) -> None:
        if self._items:
            scroll = int(self.scroll_y)
            top = into_view(self._stack, self._cursor, scroll=scroll, rows=self._rows)
            if top != scroll:
                self.scroll_to(y=top, animate=False)

    def _index_of(self, key: Hashable, *, near: int) -> int:
        """Where a block is now; `near` (kept inside the list) when it is gone."""
        if 0 <= near < len(self._items) and self._items[near].key == key:
            return near
        found = (index for index, item in enumerate(self._items) if item.key == key)
        return next(found, min(near, max(0, len(self._items) - 1)))

    def _seen(self) -> range:
        top = int(self.scroll_y)
        first = self._stack.at(top)
        last = self._stack.at(min(top + self._rows, self._stack.height) - 1)
        return range(first.block, last.block + 1) if first and last else range(0)
