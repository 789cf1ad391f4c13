"""What the views of the knowledge screen have in common: a dataset, a field, rows, and their words
for an engine that is slow, gone, or has nothing.

Rows are read page by page as one scrolls. Whatever comes too late for a view that was left is
dropped.
"""

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input
from textual.worker import Worker

from engine.api import ArtifactInfo, DatasetInfo, GligabaoError
from gligabao_tui.screens.given import Given
from gligabao_tui.screens.layer import Layer
from gligabao_tui.view.base_files import Export
from gligabao_tui.view.knowledge import ViewName
from gligabao_tui.view.text import Line, Span, line, paragraph
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.block_list import BlockList, Keyed
from gligabao_tui.widgets.fields import PlainInput
from gligabao_tui.widgets.plain import Drawn

ASKING = "asking the engine…"
PAGE_ROWS, NEAR_THE_END = 200, 40
MOST_EXPORTED = 100_000
Item = TypeVar("Item", bound=Keyed)


class BaseInput(PlainInput):
    """The field of a view: a question, a filter, a name."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings("base_words"))


class Pane(Vertical):
    """A view of the chosen dataset. Asked for by the screen, which has the keys."""

    class Opens(Message):
        """A page is wanted (`fact:7`); `among` are the pages beside which it stands."""

        def __init__(self, target: str, among: Sequence[str]) -> None:
            super().__init__()
            self.target = target
            self.among = tuple(among)

    class Moved(Message):
        """The cursor is on something else, or there are other rows: other keys mean something."""

    def __init__(self, given: Given, name: ViewName) -> None:
        super().__init__(id=f"base-{name}", classes="base-pane")
        self.given = given
        self.dataset = DatasetInfo(0, "", given.settings.user)
        self._is_other = self._is_changed = False

    @property
    def is_there(self) -> bool:
        """To be asked after every wait."""
        screen = self.screen if self.is_attached else None
        return isinstance(screen, Layer) and screen.is_open

    def take(self, dataset: DatasetInfo) -> None:
        """Another dataset, or the same one as it is now counted."""
        self._is_other = self._is_other or dataset.id != self.dataset.id
        self._is_changed = self._is_changed or dataset != self.dataset
        self.dataset = dataset

    def outdate(self) -> None:
        """What was read may be otherwise now: read it again when it is seen."""
        self._is_changed = True

    @abstractmethod
    def come(self) -> None:
        """It is seen: read what is there, unless it was read already."""
        ...

    @abstractmethod
    def focus_rows(self) -> None: ...

    @abstractmethod
    def focus_field(self) -> None: ...

    @abstractmethod
    def open(self) -> None:
        """What the cursor is on."""
        ...

    @property
    @abstractmethod
    def can_open(self) -> bool: ...

    @property
    @abstractmethod
    def copied(self) -> tuple[str, str]:
        """What copying takes, and what that is called; empty where there is nothing."""
        ...

    @property
    def text(self) -> ArtifactInfo | None:
        """The text that forgetting would take back."""
        return None

    @property
    @abstractmethod
    def has_rows(self) -> bool: ...

    @abstractmethod
    async def exported(self) -> Export:
        """What is shown, whole. Raises GligabaoError."""
        ...


class PagedPane(Pane, Generic[Item]):
    """A list that is read page by page, and a field that says which rows are wanted."""

    HINT: str = ""

    def __init__(self, given: Given, name: ViewName) -> None:
        super().__init__(given, name)
        self.typed = ""
        self.problems: tuple[str, ...] = ()
        self._next = ""
        self._fault = ""
        self._is_read = self._is_reading_on = False
        self._field = BaseInput(placeholder=self.HINT, id=f"base-{name}-field")
        self._told = Drawn(self._told_lines, classes="base-told")
        self._header = Drawn(lambda width: (self.header(width - 1),), classes="base-header")
        self.rows: BlockList[Item] = BlockList(self.draw, id=f"base-{name}-rows")
        self._note = Drawn(self._note_lines, classes="base-note")

    # Of each list

    @abstractmethod
    async def ask(self, cursor: str, limit: int) -> tuple[Sequence[Item], str]:
        """A page of rows and the cursor of the next. Raises GligabaoError."""
        ...

    @abstractmethod
    def check(self, typed: str) -> tuple[str, ...]:
        """Take what was typed, and say what is wrong with it."""
        ...

    @abstractmethod
    def draw(self, item: Item, width: int, *, is_open: bool | None) -> tuple[Line, ...]: ...

    @abstractmethod
    def header(self, width: int) -> Line: ...

    @abstractmethod
    def none_found(self, width: int) -> tuple[Line, ...]:
        """What is said where there are no rows."""
        ...

    @abstractmethod
    def export_of(self, items: Sequence[Item]) -> Export: ...

    # What is told

    def compose(self) -> ComposeResult:
        yield self._field
        yield self._told
        yield self._header
        yield self.rows
        yield self._note

    def on_mount(self) -> None:
        self._field.display = False
        self._show()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if event.value.strip() != self.typed:
            self.typed = event.value.strip()
            self.problems = self.check(self.typed)
            self.restart()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._field.display = bool(self.typed)
        self.rows.focus()

    def on_plain_input_left(self, event: PlainInput.Left) -> None:
        event.stop()
        self._field.value = ""
        self._field.display = False
        self.rows.focus()

    def on_block_list_moved(self, event: BlockList.Moved) -> None:
        event.stop()
        self.post_message(self.Moved())
        if self._next and self.rows.blocks_below < NEAR_THE_END:
            self._read_on()

    def on_block_list_chosen(self, event: BlockList.Chosen) -> None:
        event.stop()
        self.open()

    # What is asked for

    def come(self) -> None:
        is_other, is_changed = self._is_other, self._is_changed
        self._is_other = self._is_changed = False
        if is_other:
            self.restart()
        elif is_changed:
            self.again()

    def restart(self) -> None:
        """Read from the beginning, with the cursor there."""
        self._next, self._is_read = "", False
        self.rows.restart()
        self.again()

    def again(self) -> None:
        """Ask the engine again for what is shown."""
        read = partial(self._read, len(self.rows.items))
        _: Worker[None] = self.run_worker(read, group="read", exclusive=True)
        self._show()

    def focus_rows(self) -> None:
        self.rows.focus()

    def focus_field(self) -> None:
        self._field.display = True
        self._field.focus()

    @property
    def can_open(self) -> bool:
        return self.rows.current is not None and not self._field.has_focus

    @property
    def has_rows(self) -> bool:
        return bool(self.rows.items)

    async def exported(self) -> Export:
        """All that match, also those that were not scrolled to yet."""
        items, cursor = list(self.rows.items), self._next
        while cursor and len(items) < MOST_EXPORTED:
            found, cursor = await self.ask(cursor, PAGE_ROWS)
            items += found
        return self.export_of(items)

    # What is asked of the engine

    def _read_on(self) -> None:
        if not self._is_reading_on:
            self._is_reading_on = True
            _: Worker[None] = self.run_worker(self._read_more, group="read", exclusive=True)

    async def _read(self, wanted: int) -> None:
        """As many rows as there were, from the first on."""
        self._is_reading_on = False
        items: list[Item] = []
        cursor, fault = "", ""
        try:
            while True:
                found, cursor = await self.ask(cursor, PAGE_ROWS)
                items += found
                if not cursor or len(items) >= wanted:
                    break
        except GligabaoError as error:
            fault = str(error)
        if self.is_there:
            self._fault = fault
            if not fault:
                self._is_read, self._next = True, cursor
                self.rows.show(items)
            self._show()

    async def _read_more(self) -> None:
        try:
            found, cursor = await self.ask(self._next, PAGE_ROWS)
        except GligabaoError as error:
            if self.is_there:
                self._fault = str(error)
                self._show()
            return
        if self.is_there:
            known = {item.key for item in self.rows.items}
            self._next, self._is_reading_on = cursor, False
            self.rows.show([*self.rows.items, *(one for one in found if one.key not in known)])
            self._show()

    # What is shown

    def _show(self) -> None:
        has_rows = self.has_rows
        self.rows.display = has_rows or not self._is_read
        self._header.display = has_rows
        self._note.display = not has_rows
        self._told.display = bool(self.problems or self._fault)
        self._told.show(self._told_lines)
        self._note.show(self._note_lines)
        self.post_message(self.Moved())

    def _told_lines(self, width: int) -> tuple[Line, ...]:
        """What went wrong, above the rows that there are."""
        told = [*self.problems, *([f"It cannot be told: {self._fault}"] if self._fault else [])]
        return tuple(row for one in told for row in paragraph(one, width - 2, "bad"))

    def _note_lines(self, width: int) -> tuple[Line, ...]:
        if not self._is_read:
            return () if self._fault else (line(Span(ASKING, "quiet")),)
        return self.none_found(width)


def padded(rows: Sequence[Line]) -> tuple[Line, ...]:
    """One cell from the edge."""
    return tuple((Span(" "), *row) if row else row for row in rows)
