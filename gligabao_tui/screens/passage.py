"""Shows what a report quotes from a source, and whether the source says so."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget
from textual.worker import Worker

from engine.api import CitedSource, GligabaoError
from gligabao_tui.keys import Scope
from gligabao_tui.screens.dialog import Dialog, says
from gligabao_tui.screens.given import Given
from gligabao_tui.view.passage import (
    Quoted,
    moved,
    passage_lines,
    passage_title,
    quoted_from,
    source_lines,
)
from gligabao_tui.view.text import Line, Span
from gligabao_tui.widgets.bindings import bindings, keymap_of
from gligabao_tui.widgets.line_view import LineView
from gligabao_tui.widgets.plain import Drawn, copy_text, say


class PassageDialog(Dialog[None]):
    """`numbers` are those of all sources of the report, which the dialog leads through."""

    SCOPE: Scope = "passage"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("passage"))
    BUTTONS: tuple[str, ...] = ("close", "copy", "turn_on", "copy_address")

    def __init__(self, quoted: Quoted, numbers: Sequence[int], given: Given) -> None:
        super().__init__(passage_title(quoted.source))
        self.add_class("-tall-dialog")
        self._quoted = quoted
        self._numbers = tuple(numbers)
        self._given = given
        self._tops: Sequence[int] = ()
        if len(self._numbers) < 2:
            self.BUTTONS = ("close", "copy", "copy_address")
        self._source = says(self._source_lines)
        self._text = LineView(id="passage-text")

    def content(self) -> Iterable[Widget]:
        yield self._source
        yield self._text

    def on_mount(self) -> None:
        self._text.focus()
        self.call_after_refresh(self._show)

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        """Only what there is more than one of leads on."""
        match action:
            case "turn_on" | "turn_back":
                return len(self._numbers) > 1
            case "next_quote" | "previous_quote":
                return len(self._quoted.source.passages) > 1
            case "copy":
                return self._quoted.passage is not None
            case _:
                return True

    def action_close(self) -> None:
        self.dismiss(None)

    def action_next_quote(self) -> None:
        self._choose(moved(self._quoted, 1))

    def action_previous_quote(self) -> None:
        self._choose(moved(self._quoted, -1))

    def action_turn_on(self) -> None:
        self._turn(1)

    def action_turn_back(self) -> None:
        self._turn(-1)

    def action_copy(self) -> None:
        if self._quoted.passage is not None:
            copy_text(self.app, self._quoted.passage.quote, "the quotation")

    def action_copy_address(self) -> None:
        copy_text(self.app, self._quoted.source.url, "the address")

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        event.stop()

    def _turn(self, by: int) -> None:
        n = self._quoted.source.n
        at = self._numbers.index(n) if n in self._numbers else 0
        wanted = self._numbers[(at + by) % len(self._numbers)]
        read = partial(self._read, wanted)
        _: Worker[None] = self.run_worker(read, exclusive=True)

    async def _read(self, n: int) -> None:
        try:
            source: CitedSource = await self._given.calls.source(self._quoted.source.run_id, n)
        except GligabaoError as error:
            say(self.app, str(error), is_bad=True)
            return
        if not self.is_open:
            return
        self._quoted = quoted_from(source)
        self.entitle(passage_title(source))
        self._source.show(self._source_lines)
        self._show()
        self.refresh_bindings()

    def _choose(self, quoted: Quoted) -> None:
        self._quoted = quoted
        self._show()

    def _show(self) -> None:
        """The chosen quotation at the top."""
        if not self.is_open:  # it was left before it was ever shown
            return
        self._text.show(self._lines)
        top = self._tops[self._quoted.chosen] if self._tops else 0
        self._text.scroll_to(y=top, animate=False, force=True)
        self._text.refresh(layout=True)  # so that the scrollbar tells it

    def _lines(self, width: int) -> Sequence[Line]:
        hint = self._hint() if len(self._quoted.source.passages) > 1 else ()
        lines, self._tops = passage_lines(self._quoted, width, glyphs=self._given.glyphs, hint=hint)
        return lines

    def _hint(self) -> Line:
        """The keys that lead from one quotation to another."""
        word = keymap_of(self.app).word
        return (
            Span(f"{word('passage.next_quote')} ", "key"),
            Span("next ", "muted"),
            Span(f"{word('passage.previous_quote')} ", "key"),
            Span("before", "muted"),
        )

    def _source_lines(self, width: int) -> tuple[Line, ...]:
        return source_lines(self._quoted.source, width)
