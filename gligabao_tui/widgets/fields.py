"""Fields to type in: what is pasted is cleaned, and leaving one is a message of its own."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input, TextArea

from engine.api import clean
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import Line, Span
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.plain import Drawn


class PlainInput(Input):
    """A one-line field without a border of its own making."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave", show=False)]

    class Left(Message):
        """Escape was pressed in it."""

        def __init__(self, field: "PlainInput") -> None:
            super().__init__()
            self.field = field

    def __init__(self, value: str = "", *, placeholder: str = "", id: str) -> None:
        super().__init__(value=clean(value), placeholder=placeholder, id=id, compact=True)

    def action_leave(self) -> None:
        self.post_message(self.Left(self))

    def _on_paste(self, event: events.Paste) -> None:
        """Runs before the field's own handler, which Textual calls by itself."""
        event.text = " ".join(clean(event.text).split())


class SearchInput(PlainInput):
    """The field for the words of the list's filter."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings("search"))


class TopicArea(TextArea):
    """The tall field of the topic. Nothing that is typed or pasted is ever cut."""

    def __init__(self, text: str = "", *, id: str) -> None:
        super().__init__(
            clean(text),
            id=id,
            soft_wrap=True,
            tab_behavior="focus",
            show_line_numbers=False,
            compact=True,
            highlight_cursor_line=False,
            placeholder="A question, or a subject to write a report on",
        )

    async def _on_paste(self, event: events.Paste) -> None:
        """Runs before the field's own handler, which Textual calls by itself."""
        event.text = clean(event.text)


class Choice(Drawn, can_focus=True):
    """One of a few values, side by side; the arrows change it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "turn(-1)", "Previous", show=False),
        Binding("right,l,space", "turn(1)", "Next", show=False),
    ]
    chosen: reactive[str] = reactive("")

    class Changed(Message):
        def __init__(self, choice: "Choice") -> None:
            super().__init__()
            self.choice = choice

    def __init__(self, values: Sequence[str], chosen: str, *, glyphs: Glyphs, id: str) -> None:
        super().__init__(self._line, id=id)
        self._values = tuple(values)
        self._glyphs = glyphs
        self.set_reactive(Choice.chosen, chosen if chosen in self._values else self._values[0])

    def watch_chosen(self) -> None:
        self.show(self._line)
        self.refresh()
        self.post_message(self.Changed(self))

    def action_turn(self, by: int) -> None:
        place = self._values.index(self.chosen) + by
        self.chosen = self._values[place % len(self._values)]

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        event.stop()
        if event.target:
            self.chosen = event.target

    def _line(self, _: int) -> tuple[Line, ...]:
        spans: list[Span] = []
        for value in self._values:
            is_chosen = value == self.chosen
            mark = self._glyphs.chosen if is_chosen else self._glyphs.other
            spans.append(Span(f"{mark} {value}", "accent" if is_chosen else "muted", value))
            spans.append(Span("   "))
        return (tuple(spans),)
