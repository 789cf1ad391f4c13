"""Fields to type in: what is pasted is cleaned, and leaving one is a message of its own."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Input, TextArea

from engine.api import clean
from gligabao_tui import key_names
from gligabao_tui.view.folder_names import completed
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import Line, Span, fit, line, line_width
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.plain import Drawn

TOPIC_WANTED = "A question, or a subject to write a report on"
BACK, ON = "\n<", "\n>"
"""Targets that no value of a choice can be."""


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

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Textual does not know of every sign which key writes it."""
        return super().check_consume_key(key, character or key_names.character(key) or None)

    async def _on_key(self, event: events.Key) -> None:
        await _do_now(self, event)

    def _on_paste(self, event: events.Paste) -> None:
        """Runs before the field's own handler, which Textual calls by itself."""
        event.text = " ".join(clean(event.text).split())


class SearchInput(PlainInput):
    """The field for the words of the list's filter."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings("search"))


class KnowledgeInput(PlainInput):
    """The field for the words of what a run knows."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings("knowledge_words"))


class FindInput(PlainInput):
    """The field for words that are looked for in the handbook."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings("found"))


class TopicArea(TextArea):
    """The tall field of a topic or a text. Nothing that is typed or pasted is ever cut."""

    def __init__(self, text: str = "", *, id: str, placeholder: str = TOPIC_WANTED) -> None:
        super().__init__(
            clean(text),
            id=id,
            soft_wrap=True,
            tab_behavior="focus",
            show_line_numbers=False,
            compact=True,
            highlight_cursor_line=False,
            placeholder=placeholder,
        )

    async def _on_key(self, event: events.Key) -> None:
        """Runs before the field's own handler, which Textual calls by itself."""
        await _do_now(self, event)

    async def _on_paste(self, event: events.Paste) -> None:
        """Runs before the field's own handler, which Textual calls by itself."""
        event.text = clean(event.text)


class FolderInput(PlainInput):
    """A field for a folder, which tab completes as far as it can be; then tab goes on."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "complete", "Complete", show=False)]
    names: tuple[str, ...] = ()
    """The folders that what is typed may become."""

    def action_complete(self) -> None:
        longer = completed(self.value, self.names)
        if longer == self.value:
            self.screen.focus_next()
        else:
            self.take(longer)

    def take(self, typed: str) -> None:
        """This instead of what was typed, with the cursor at its end."""
        self.names = ()
        self.value = typed
        self.cursor_position = len(typed)


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

    def offer(self, values: Sequence[str], chosen: str) -> None:
        """Other values to choose from."""
        self._values = tuple(values)
        self.set_reactive(Choice.chosen, chosen if chosen in self._values else self._values[0])
        self.watch_chosen()

    def choose(self, value: str) -> None:
        """This value, if it is one that can be chosen."""
        if value in self._values:
            self.chosen = value

    def watch_chosen(self) -> None:
        self.show(self._line)
        self.refresh()
        self.post_message(self.Changed(self))

    def action_turn(self, by: int) -> None:
        place = self._values.index(self.chosen) + by
        self.chosen = self._values[place % len(self._values)]

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        event.stop()
        if event.target in (BACK, ON):
            self.action_turn(1 if event.target == ON else -1)
        elif event.target:
            self.chosen = event.target

    def _line(self, width: int) -> tuple[Line, ...]:
        """All values side by side; where they do not fit, the chosen one and how many there are."""
        if len(self._values) == 1:
            return ((Span(self.chosen),),)
        spans: list[Span] = []
        for value in self._values:
            is_chosen = value == self.chosen
            mark = self._glyphs.chosen if is_chosen else self._glyphs.other
            spans.append(Span(f"{mark} {value}", "accent" if is_chosen else "muted", value))
            spans.append(Span("   "))
        whole = tuple(spans[:-1])
        return (whole,) if line_width(whole) <= width else (self._one_of_many(width),)

    def _one_of_many(self, width: int) -> Line:
        place = f"  {self._values.index(self.chosen) + 1} of {len(self._values)}"
        name = fit(self.chosen, width - len(place) - 4)
        return (
            Span("< ", "key", BACK),
            Span(name, "accent"),
            Span(" >", "key", ON),
            Span(place, "muted"),
        )


async def _do_now(field: Widget, event: events.Key) -> None:
    """What a field binds to a key, before the next key: Textual would first hand the key on to its
    app, and the field would meanwhile take the letters that were typed after it."""
    for binding in field._bindings.key_to_bindings.get(event.key, ()):
        if not binding.priority and await field.app.run_action(binding.action, field):
            event.stop()
            event.prevent_default()
            return


def labelled(label: str, field: Widget, more: str = "") -> Horizontal:
    """A field with its name before it; `more` are classes of the row."""
    named = Drawn(lambda _: (line(Span(label, "muted")),), classes="field-label")
    return Horizontal(named, field, classes=f"field {more}".strip())


def fault_line(name: str) -> Drawn:
    """Where it is said what is wrong with the field of that name."""
    return Drawn(id=f"fault-{name}", classes="fault")


def note_line(name: str) -> Drawn:
    """Where something is said about a field; no room is taken while it is empty."""
    return Drawn(id=name, classes="note -empty")
