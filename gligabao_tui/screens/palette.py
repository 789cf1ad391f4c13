"""A field, and below it what the typed words find: one of many things is chosen by its name."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Input

from gligabao_tui.keys import Scope
from gligabao_tui.screens.layer import Layer
from gligabao_tui.view.palette import NO_ACTION, Entry, entry_line, found, label_cells, no_entry
from gligabao_tui.view.text import Line
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.block_list import BlockList
from gligabao_tui.widgets.fields import PlainInput
from gligabao_tui.widgets.plain import Drawn


class Choices(BlockList[Entry], can_focus=False):
    """The entries below the field, which keeps the focus."""

    @property
    def shows_cursor(self) -> bool:
        return True


class PaletteDialog(Layer[str | None]):
    """Its outcome is the key of the entry that was chosen."""

    SCOPE: Scope = "palette"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("palette"))

    def __init__(self, entries: Sequence[Entry], asks: str, *, nothing: str = NO_ACTION) -> None:
        """`nothing` is said when no entry has the words."""
        super().__init__()
        self._entries = tuple(entries)
        self._words = PlainInput(placeholder=asks, id="palette-words")
        self._label_cells = label_cells(self._entries)
        self._choices = Choices(self._draw, id="palette-choices")
        self._nothing = Drawn(lambda width: (no_entry(width, nothing),), id="palette-nothing")

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog", id="palette"):
            yield self._words
            yield self._choices
            yield self._nothing

    def on_mount(self) -> None:
        self._words.focus()
        self._find("")

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._find(event.value)

    def on_plain_input_left(self, event: PlainInput.Left) -> None:
        event.stop()
        self.action_close()

    def on_block_list_chosen(self, event: BlockList.Chosen) -> None:
        event.stop()
        self.action_choose()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_choose()

    def action_choose(self) -> None:
        if self._choices.current is not None:
            self.dismiss(self._choices.current.key)

    def action_close(self) -> None:
        self.dismiss(None)

    def action_move(self, by: int) -> None:
        self._choices.action_move(by)

    def action_move_page(self, by: int) -> None:
        self._choices.action_move_page(by)

    def _find(self, typed: str) -> None:
        entries = found(self._entries, typed)
        self._choices.restart()
        self._choices.show(entries)
        self._choices.styles.height = max(1, len(entries))
        self._choices.display = bool(entries)
        self._nothing.display = not entries

    def _draw(self, item: Entry, width: int, *, is_open: bool | None) -> tuple[Line, ...]:
        _ = is_open  # an entry has no body
        return (entry_line(item, width, label_cells=self._label_cells),)
