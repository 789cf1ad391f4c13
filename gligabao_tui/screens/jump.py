"""Jump mode: a letter on everything that can be opened or focused; pressing it does that."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, TypeAlias

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.errors import NoWidget
from textual.geometry import Region
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Button, Input, TextArea

from gligabao_tui.keys import Scope
from gligabao_tui.screens.layer import Layer
from gligabao_tui.view.jump import jump_words
from gligabao_tui.view.text import Line, Span, line
from gligabao_tui.widgets.bindings import bindings, keymap_of
from gligabao_tui.widgets.jumpable import Jumpable, JumpSpot
from gligabao_tui.widgets.plain import Drawn

Act: TypeAlias = Callable[[], object]
MOST_SPOTS = 26 * 26


class JumpScreen(Layer[Act | None]):
    """Lies over the screen whose spots these are; its outcome is what is to be done."""

    SCOPE: Scope = "jump"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("jump"))

    def __init__(self, spots: Sequence[JumpSpot]) -> None:
        super().__init__()
        shown = tuple(spots)[:MOST_SPOTS]
        self._acts = {
            word: spot.act for word, spot in zip(jump_words(len(shown)), shown, strict=True)
        }
        self._labels = {
            word: _label(word, spot) for word, spot in zip(self._acts, shown, strict=True)
        }
        self._typed = ""
        self._is_sized = False

    def compose(self) -> ComposeResult:
        yield from self._labels.values()
        leave = keymap_of(self.app).word("jump.leave")
        told = line(
            Span(" Type a letter to go there", "strong"), Span(f"   {leave} ", "key"), "leaves"
        )
        yield Drawn(lambda _: (told,), id="jump-hint")

    def on_key(self, event: events.Key) -> None:
        """A letter that leads nowhere leaves."""
        if not event.is_printable:
            return
        event.stop()
        self._typed += event.character or ""
        if self._typed in self._acts:
            self.dismiss(self._acts[self._typed])
        elif not any(word.startswith(self._typed) for word in self._acts):
            self.dismiss(None)
        for word, label in self._labels.items():
            label.display = word.startswith(self._typed)

    def on_resize(self) -> None:
        """The first time it gets its size; after that nothing is where it was."""
        if self._is_sized and self.is_current:
            self.dismiss(None)
        self._is_sized = True

    def on_click(self) -> None:
        self.dismiss(None)

    def action_leave(self) -> None:
        self.dismiss(None)


def do(act: Act | None) -> None:
    """What was jumped to, if anything was."""
    if act is not None:
        act()


def jump_spots(screen: Screen[Any]) -> tuple[JumpSpot, ...]:
    """All that can be jumped to, each at a place of its own, in the order in which it is read."""
    found = {(spot.y, spot.x): spot for spot in _spots(screen)}
    return tuple(found[place] for place in sorted(found))


def _spots(screen: Screen[Any]) -> Iterator[JumpSpot]:
    for widget in screen.walk_children(Widget):
        region = _seen(screen, widget)
        if not region or widget.disabled:
            continue
        if isinstance(widget, Jumpable):
            spots = widget.jump_spots()
            yield from (spot for spot in spots if region.contains(spot.x, spot.y))
        elif isinstance(widget, Button):
            yield JumpSpot(region.x, region.y, widget.press)
        elif isinstance(widget, Input | TextArea):
            yield JumpSpot(region.x, region.y, partial(screen.set_focus, widget))


def _seen(screen: Screen[Any], widget: Widget) -> Region:
    """The part of a widget that is in view; empty when it is not."""
    try:
        return screen.find_widget(widget).visible_region
    except NoWidget:
        return Region()


def _label(word: str, spot: JumpSpot) -> Drawn:
    def draw(_: int) -> tuple[Line, ...]:
        return (line(Span(word)),)

    label = Drawn(draw, classes="jump-label")
    label.styles.offset = (spot.x, spot.y)
    label.styles.width = len(word)
    return label
