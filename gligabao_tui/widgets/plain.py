"""The base of every house widget: lines of the views, drawn as plain text in the tones of the look.

What is drawn is cleaned here once more. No widget interprets markup, and no other module may make
a Static, a Label or a notification.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from rich.segment import Segment
from textual import events
from textual.app import App
from textual.content import Content
from textual.dom import DOMNode
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen
from textual.strip import Strip
from textual.style import Style
from textual.widgets import Button

from engine.api import clean
from gligabao_tui.terminal.clipboard import CopyWanted
from gligabao_tui.view.text import Line, Span, Tone, target_at, width_of
from gligabao_tui.widgets.jumpable import JumpSpot
from gligabao_tui.widgets.selectable import Selectable

Draw: TypeAlias = Callable[[int], Sequence[Line]]
"""Lines for a width in cells."""

PLAIN = Style()
_LOOKS: WeakKeyDictionary[Screen[Any], dict[tuple[str, Tone], Style]] = WeakKeyDictionary()
"""By theme, the tones that were drawn on a screen since its styles last changed."""


def nothing(_: int) -> Sequence[Line]:
    return ()


class Toned(Selectable):
    """A widget that draws spans; it knows what their tones look like on its screen.

    Tones are no component classes of their widgets: Textual would style each of them for every
    widget, whenever a class changes or the terminal gets the focus.
    """

    def look(self, tone: Tone) -> Style:
        """The style of a tone by itself, to be laid over whatever is below it."""
        if not tone:
            return PLAIN
        screen = self.screen
        looks, known_as = _LOOKS.setdefault(screen, {}), (screen.app.theme, tone)
        if known_as not in looks:
            looks[known_as] = _look(screen, tone)
        return looks[known_as]

    def look_of(self, span: Span) -> Style:
        """The style of a span: of its tone, unless the widget knows more about it."""
        return self.look(span.tone)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        if self.is_attached:
            _LOOKS.pop(self.screen, None)


class Drawn(Toned):
    """Shows what a view draws for its width, and says which target was clicked."""

    class Clicked(Message):
        """`target` is empty where the line has none of its own."""

        def __init__(self, drawn: "Drawn", target: str) -> None:
            super().__init__()
            self.drawn = drawn
            self.target = target

        @property
        def control(self) -> "Drawn":
            return self.drawn

    def __init__(self, draw: Draw = nothing, *, id: str | None = None, classes: str = "") -> None:
        super().__init__(id=id, classes=classes or None)
        self._draw = draw
        self._lines: tuple[Line, ...] = ()
        self._rows = self._asked_width = 0
        self._is_waiting = False

    def show(self, draw: Draw) -> None:
        """Draw something else from now on; nothing is repainted when it looks the same, and laid
        out only what takes another number of rows, or was never laid out."""
        self._draw = draw
        is_seen = self.content_size.width > 0
        width = self.content_size.width or self._asked_width
        if not width:
            self._ask_for_layout()
            return
        lines = tuple(draw(width))
        if len(lines) != self._rows:
            self._rows = len(lines)
            self.refresh(layout=True)
        elif is_seen and lines != self._lines:
            self.refresh()

    def get_content_height(
        self,
        container: Size,  # noqa: ARG002  # Textual's signature
        viewport: Size,  # noqa: ARG002  # Textual's signature
        width: int,
    ) -> int:
        self._asked_width, self._is_waiting = width, False
        self._rows = len(self._draw(width))
        return self._rows

    def render(self) -> Content:
        self._lines = tuple(self._draw(self.content_size.width))
        self._rows, self._is_waiting = len(self._lines), False
        return Content("\n").join(self._content(line) for line in self._lines)

    def selectable_rows(self, first: int, last: int | None) -> Sequence[Line]:
        return self._lines[first : None if last is None else last + 1]

    def on_click(self, event: events.Click) -> None:
        """A click beside the text is a click without a target."""
        if self.was_dragged:
            return
        offset = event.get_content_offset(self)
        is_on_text = offset is not None and offset.y < len(self._lines)
        target = target_at(self._lines[offset.y], offset.x) if offset and is_on_text else ""
        self.post_message(self.Clicked(self, target))

    def jump_spots(self) -> Iterable[JumpSpot]:
        """Whatever a click would lead to from here, once."""
        known: set[str] = set()
        corner = self.content_region.offset
        for y, row in enumerate(self._lines):
            x = 0
            for span in row:
                if span.target and span.target not in known:
                    known.add(span.target)
                    act = partial(self.post_message, self.Clicked(self, span.target))
                    yield JumpSpot(corner.x + x, corner.y + y, act)
                x += width_of(span.text)

    def _ask_for_layout(self) -> None:
        """Once: while it is hidden there is none, and when it is not there will be."""
        if not self._is_waiting:
            self._is_waiting = True
            self.refresh(layout=True)

    def _content(self, spans: Line) -> Content:
        return Content.assemble(*(self._styled(span) for span in spans))

    def _styled(self, span: Span) -> Content | str:
        text = clean(span.text)
        return Content.styled(text, self.look(span.tone)) if span.tone else Content(text)


class PlainButton(Button):
    """A one-row button that says its key; its label is text, never markup."""

    def __init__(self, label: str, key: str, *, id: str, classes: str = "") -> None:
        text = Content.assemble(Content(f"{label}  "), Content.styled(key, "$text-muted"))
        super().__init__(text, id=id, classes=classes or None, compact=True)


def _look(screen: Screen[Any], tone: Tone) -> Style:
    """What the stylesheets say of the class `tone--NAME` on this screen."""
    named = DOMNode(classes=f"tone--{tone}")
    named._attach(screen)
    screen.app.stylesheet.apply(named, animate=False)
    styles, written = named.styles, named.styles.text_style
    return Style(
        background=styles.background if styles.has_rule("background") else None,
        foreground=styles.color if styles.has_rule("color") else None,
        bold=written.bold,
        italic=written.italic,
        underline=written.underline,
    )


def strip_of(widget: Toned, spans: Line, base: Style, *, over: Style | None = None) -> Strip:
    """A line as a strip: the widget's tones over `base`, and `over` over all of it."""
    looks = [base + widget.look_of(span) for span in spans]
    shown = looks if over is None else [look + over for look in looks]
    return Strip(
        [
            Segment(clean(span.text), look.rich_style)
            for span, look in zip(spans, shown, strict=True)
        ]
    )


def say(app: App[Any], text: str, *, is_bad: bool = False) -> None:
    """A short note in the corner."""
    app.notify(clean(text), severity="error" if is_bad else "information", markup=False)


def copy_text(app: App[Any], text: str, what: str, *, offer: str = "") -> None:
    """To the clipboard in every way there is; the app then says what it could do.

    `what` names the text (`the topic`); `offer` is another way to it (`w writes it to a file`).
    """
    app.post_message(CopyWanted(clean(text), what, offer))
