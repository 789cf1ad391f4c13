"""Shows a fact with its passages and its history, an entity with its facts, or a text with its.

One leads to another by links; what it was opened from is also gone through from here.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import ClassVar, Literal, TypeAlias

from textual.binding import BindingType
from textual.widget import Widget
from textual.worker import Worker

from engine.api import GligabaoError, NotFound
from gligabao_tui.keys import Scope
from gligabao_tui.screens.dialog import Dialog
from gligabao_tui.screens.forget import Forgetting
from gligabao_tui.screens.library import Library
from gligabao_tui.view.fact_page import Sheet, Subject, links_of, page_lines, page_text, title_of
from gligabao_tui.view.forgetting import texts_behind
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import Line
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.line_view import LineView
from gligabao_tui.widgets.plain import copy_text, say

COPIED_CELLS = 100
Outcome: TypeAlias = Literal["forgot"]


class FactDialog(Dialog[Outcome]):
    """`target` names what is shown (`fact:7`); `order` are the targets beside which it stands. Its
    outcome tells that a text was forgotten from here: what lies below is otherwise then."""

    SCOPE: Scope = "fact"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("fact"))

    def __init__(
        self, subject: Subject, target: str, library: Library, *, order: Sequence[str] = ()
    ) -> None:
        super().__init__(title_of(subject))
        self.add_class("-tall-dialog")
        self.BUTTONS: tuple[str, ...] = ("close", "copy")
        if len(order) > 1:
            self.BUTTONS = ("close", "turn_back", "turn_on", "copy")
        self._subject = subject
        self._target = target
        self._library = library
        self._order = tuple(order)
        self._links: tuple[str, ...] = ()
        self._marked = ""
        self._before: list[tuple[str, float]] = []
        self._has_forgotten = False
        self._forgetting = Forgetting(self, library.calls, done=self._forgot)
        self._text = LineView(id="fact-text")

    def content(self) -> Iterable[Widget]:
        yield self._text

    def on_mount(self) -> None:
        self._text.focus()
        self.call_after_refresh(self._show)

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        """Only what leads anywhere from here."""
        match action:
            case "turn_back" | "turn_on":
                return len(self._order) > 1
            case "return":
                return bool(self._before)
            case "follow":
                return bool(self._marked)
            case "forget":
                return bool(texts_behind(self._subject))
            case "next_link" | "previous_link":
                return bool(self._links)
            case _:
                return True

    def action_close(self) -> None:
        self.dismiss("forgot" if self._has_forgotten else None)

    def action_forget(self) -> None:
        """A text that this rests on; it is asked which, and whether."""
        self._forgetting.of_one(texts_behind(self._subject), None)

    def _forgot(self) -> None:
        """The page as it is now; without it there is nothing more to see here."""
        self._has_forgotten = True
        self._go(self._target, 0.0)

    def action_turn_on(self) -> None:
        self._turn(1)

    def action_turn_back(self) -> None:
        self._turn(-1)

    def action_next_link(self) -> None:
        self._mark(1)

    def action_previous_link(self) -> None:
        self._mark(-1)

    def action_follow(self) -> None:
        if self._marked:
            self._follow(self._marked)

    def action_return(self) -> None:
        if self._before:
            self._go(*self._before.pop())

    def action_copy(self) -> None:
        text = page_text(self._subject, self._glyphs, COPIED_CELLS)
        copy_text(self.app, text, title_of(self._subject))

    def on_line_view_clicked(self, event: LineView.Clicked) -> None:
        event.stop()
        self._follow(event.target)

    @property
    def _glyphs(self) -> Glyphs:
        return self._library.glyphs

    def _turn(self, by: int) -> None:
        at = self._order.index(self._target) if self._target in self._order else 0
        self._before.clear()
        self._go(self._order[(at + by) % len(self._order)], 0.0)

    def _follow(self, target: str) -> None:
        self._before.append((self._target, self._text.part))
        self._go(target, 0.0)

    def _go(self, target: str, part: float) -> None:
        _: Worker[None] = self.run_worker(partial(self._read, target, part), exclusive=True)

    async def _read(self, target: str, part: float) -> None:
        try:
            subject = await self._library.read(target)
        except NotFound as error:
            if self._has_forgotten and target == self._target:
                self.dismiss("forgot")
                return
            say(self.app, str(error), is_bad=True)
            return
        except GligabaoError as error:
            say(self.app, str(error), is_bad=True)
            return
        if not self.is_open:
            return
        self._subject, self._target, self._marked = subject, target, ""
        self.entitle(title_of(subject))
        self._show()
        self._text.go_to_part(part)
        self.refresh_bindings()

    def _mark(self, by: int) -> None:
        """The next link, and the row it stands in."""
        if not self._links:
            return
        at = self._links.index(self._marked) if self._marked in self._links else -1 if by > 0 else 0
        self._marked = self._links[(at + by) % len(self._links)]
        self._show()
        self._reveal(self._marked)
        self.refresh_bindings()

    def _reveal(self, target: str) -> None:
        """Scroll to the row that the link stands in, if it is out of view."""
        lines = self._lines(self._text.scrollable_content_region.width)
        found = (n for n, spans in enumerate(lines) if any(one.target == target for one in spans))
        row, top = next(found, 0), int(self._text.scroll_y)
        if not top <= row < top + self._text.rows:
            self._text.scroll_to(y=max(0, row - self._text.rows // 2), animate=False, force=True)

    def _show(self) -> None:
        if self.is_open:
            self._text.show(self._lines)
            self._text.refresh(layout=True)  # so that the scrollbar tells it
            self.refresh_bindings()

    def _lines(self, width: int) -> Sequence[Line]:
        sheet = Sheet(width, self._glyphs, self._marked, self._library.named, self._library.texts)
        lines = page_lines(self._subject, sheet)
        self._links = links_of(lines)
        return lines
