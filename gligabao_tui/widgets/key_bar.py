"""The bottom line: the keys that do something right now, taken from the active bindings."""

from collections.abc import Callable, Iterable

from textual.binding import Binding
from textual.screen import Screen

from gligabao_tui.key_names import key_word
from gligabao_tui.view.text import Line, Span, line_width, spread
from gligabao_tui.widgets.bindings import footer_order, keymap_of
from gligabao_tui.widgets.jumpable import JumpSpot
from gligabao_tui.widgets.plain import Drawn

EVERYWHERE = "app."


class KeyBar(Drawn):
    """Hints of the focused widget on the left, those that work everywhere on the right."""

    def __init__(self, *, id: str, is_hinted: Callable[[str], bool] = bool) -> None:
        """`is_hinted` says of an action's id whether it is worth a hint now."""
        super().__init__(id=id)
        self._is_hinted = is_hinted

    def jump_spots(self) -> Iterable[JumpSpot]:
        """Its hints have keys of their own."""
        return ()

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._update)
        self._update(self.screen)

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        event.stop()
        if event.target:
            self.app.simulate_key(event.target)

    def _update(self, screen: Screen[object]) -> None:
        active = [one.binding for one in screen.active_bindings.values() if one.enabled]
        hinted = [one for one in active if self._is_hinted(one.id or "")]
        found = footer_order(hinted, keymap_of(self.app))
        self.show(lambda width: (key_line(found, width),))


def key_line(found: list[Binding], width: int) -> Line:
    """As many hints as fit; help stays to the last."""
    local = [hint(one) for one in found if not (one.id or "").startswith(EVERYWHERE)]
    wide = [hint(one) for one in found if (one.id or "").startswith(EVERYWHERE)]
    while wide and line_width(_joined(local)) + line_width(_joined(wide)) >= width:
        if len(local) > 4 or len(wide) == 1:
            if not local:
                break
            local.pop()
        else:
            wide.pop()
    return spread(_joined(local), _joined(wide), width)


def hint(binding: Binding) -> Line:
    return (
        Span(f" {key_word(binding.key)} ", "key", binding.key),
        Span(f"{binding.description} ", "muted", binding.key),
    )


def _joined(hints: list[Line]) -> Line:
    return tuple(span for spans in hints for span in spans)
