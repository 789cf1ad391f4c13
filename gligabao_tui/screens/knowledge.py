"""The knowledge base: a dataset is chosen, then it is asked, looked through, and its texts are seen
to.

It knows what the engine told it and nothing else. The queue is asked for again only while a text is
being worked on, or waits to be.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.timer import Timer
from textual.worker import Worker

from engine.api import EngineUnreachable, GligabaoError, RememberRun
from gligabao_tui.keys import Scope
from gligabao_tui.screens.fact import FactDialog
from gligabao_tui.screens.fact import Outcome as PageOutcome
from gligabao_tui.screens.forget import Forgetting
from gligabao_tui.screens.given import Given
from gligabao_tui.screens.knowledge_ask import AskPane
from gligabao_tui.screens.knowledge_lists import EntitiesPane, FactsPane, QueuePane
from gligabao_tui.screens.knowledge_pane import ASKING, Pane
from gligabao_tui.screens.knowledge_retry import Retrying
from gligabao_tui.screens.layer import Layer
from gligabao_tui.screens.library import Library
from gligabao_tui.screens.palette import PaletteDialog
from gligabao_tui.screens.remember import RememberDialog
from gligabao_tui.screens.run_actions import written
from gligabao_tui.view.answers import Asked
from gligabao_tui.view.base_files import Export, file_name
from gligabao_tui.view.formatting import count_of
from gligabao_tui.view.knowledge import (
    BACK,
    CHOOSE,
    ON,
    VIEW,
    VIEWS,
    Shelf,
    ViewName,
    chooser_entries,
    dataset_line,
    filled,
    nothing_known,
    placed,
    tabs_line,
    turned,
    view_after,
)
from gligabao_tui.view.text import Line, Span, line, paragraph
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.key_bar import KeyBar
from gligabao_tui.widgets.plain import Drawn, copy_text, say

REFRESH_SECONDS = 2.0
OF_A_DATASET = frozenset(
    {
        *("field", "open", "retry", "retry_failed", "forget", "copy", "export"),
        *("show", "next_view", "previous_view"),
    }
)


class KnowledgeScreen(Layer[None]):
    AUTO_FOCUS = ""
    SCOPE: Scope = "base"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("base"),
        *(
            replace(one, action=f"app.{one.action}")
            for one in bindings("app")
            if one.action in ("handbook", "help")
        ),
    ]

    def __init__(self, given: Given, history: list[Asked], *, dataset: str = "") -> None:
        """This dataset of the person is shown first. `history` are the questions so far; those
        that are asked here come to it."""
        super().__init__()
        self._given = given
        self._wanted = dataset
        self._view: ViewName = "ask"
        self._shelf = Shelf(given.settings.user)
        self._doing, self._fault = ASKING, ""
        self._timer: Timer | None = None
        self._ask = AskPane(given, history)
        self._queue = QueuePane(given)
        self._panes: dict[ViewName, Pane] = {
            "ask": self._ask,
            "facts": FactsPane(given),
            "entities": EntitiesPane(given),
            "queue": self._queue,
        }
        self._top = Drawn(self._top_lines, id="base-top")
        self._note = Drawn(self._note_lines, id="base-note")
        calls = given.calls.knowledge
        self._forgetting = Forgetting(self, calls, done=self._forgot)
        self._retrying = Retrying(self, calls, done=self.action_again)

    def compose(self) -> ComposeResult:
        yield self._top
        yield self._note
        yield from self._panes.values()
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        self._timer = self.set_interval(REFRESH_SECONDS, self.refresh_queue, pause=True)
        self._show()
        self._read_soon()

    @property
    def pane(self) -> Pane:
        return self._panes[self._view]

    def refresh_queue(self) -> None:
        """While something works: how far it is."""
        self._queue.outdate()
        self._read_soon()

    # What is told

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        event.stop()
        match event.target:
            case target if target in (BACK, ON):
                self.action_turn(1 if target == ON else -1)
            case target if target == CHOOSE:
                self.action_choose_dataset()
            case "base.remember":
                self.action_remember()
            case target if target.startswith(VIEW):
                self._go_to(next(one for one in VIEWS if one == target.removeprefix(VIEW)))

    def on_pane_moved(self, event: Pane.Moved) -> None:
        event.stop()
        self.refresh_bindings()

    def on_pane_opens(self, event: Pane.Opens) -> None:
        event.stop()
        read = partial(self._open, event.target, event.among)
        _: Worker[None] = self.run_worker(read, group="open", exclusive=True)

    # What is asked for

    def action_close(self) -> None:
        """Gives up what is being asked first."""
        if self._view == "ask" and self._ask.is_asking:
            self._ask.give_up()
        else:
            self.dismiss(None)

    def action_open(self) -> None:
        self.pane.open()

    def action_field(self) -> None:
        self.pane.focus_field()

    def action_show(self, view: ViewName) -> None:
        self._go_to(view)
        if view == "ask":
            self._ask.focus_field()

    def action_next_view(self) -> None:
        self._go_to(view_after(self._view, 1))

    def action_previous_view(self) -> None:
        self._go_to(view_after(self._view, -1))

    def action_turn(self, by: int) -> None:
        self._choose(turned(self._shelf, by))

    def action_choose_dataset(self) -> None:
        """By its name."""

        def chosen(key: str | None) -> None:
            if key is not None and self.is_open:
                self._choose(placed(self._shelf, int(key)))

        entries = chooser_entries(self._shelf)
        dialog = PaletteDialog(entries, "Which dataset?", nothing="No dataset has these words")
        self.app.push_screen(dialog, chosen)

    def action_retry(self) -> None:
        if self._queue.run is not None:
            self._retrying.one(self._queue.run)

    def action_retry_failed(self) -> None:
        self._retrying.all_failed(self._shelf.chosen)

    def action_remember(self) -> None:
        chosen = self._shelf.chosen
        user = chosen.user_id if self._shelf.datasets else self._shelf.user
        dialog = RememberDialog(self._given, user, chosen.name)
        self.app.push_screen(dialog, self._remembered)

    def _remembered(self, run: RememberRun | None) -> None:
        if run is None or not self.is_open:
            return
        say(self.app, f"It is kept as #{run.id}, and is read as soon as its turn comes.")
        self._wanted = run.dataset
        self._shelf = replace(self._shelf, datasets=(), at=0)  # it may be in a new dataset
        self._view = "queue"
        self.action_again()

    def action_forget(self) -> None:
        if (text := self.pane.text) is not None:
            self._forgetting.of_one((text,), self._shelf.chosen.user_id)

    def _forgot(self) -> None:
        self._ask.forgot()
        self.action_again()

    def action_copy(self) -> None:
        text, what = self.pane.copied
        if text:
            copy_text(self.app, text, what)

    def action_export(self) -> None:
        _: Worker[None] = self.run_worker(
            partial(self._export, self.pane), group="export", exclusive=True
        )

    def action_again(self) -> None:
        self._doing = ASKING
        self._top.show(self._top_lines)
        for pane in self._panes.values():
            pane.outdate()
        self._read_soon()

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        if action in OF_A_DATASET and not self._shelf.datasets:
            return False
        match action:
            case "open":
                return self.pane.can_open
            case "retry":
                return self._view == "queue" and self._queue.can_retry
            case "retry_failed":
                return self._view == "queue" and self._shelf.chosen.failed > 0
            case "forget":
                return self.pane.text is not None
            case "copy":
                return bool(self.pane.copied[0])
            case "export":
                return self.pane.has_rows
            case "turn" | "choose_dataset":
                return len(self._shelf.datasets) > 1
            case _:
                return True

    # What is asked of the engine

    def _read_soon(self) -> None:
        _: Worker[None] = self.run_worker(self._read, group="datasets", exclusive=True)

    async def _read(self) -> None:
        shelf, fault = self._shelf, ""
        try:
            found = await self._given.calls.knowledge.datasets()
        except GligabaoError as error:
            fault = _fault_words(error)
        else:
            shelf = filled(self._shelf, found, wanted=self._wanted)
        if self.is_open:
            self._doing, self._fault = "", fault
            self._choose(shelf)

    async def _open(self, target: str, among: Sequence[str]) -> None:
        library = Library(self._given)
        try:
            subject = await library.read(target)
        except GligabaoError as error:
            say(self.app, str(error), is_bad=True)
            return
        if self.is_open and self.is_active:  # nothing else came before the person meanwhile
            self.app.push_screen(FactDialog(subject, target, library, order=among), self._left_page)

    def _left_page(self, outcome: PageOutcome | None) -> None:
        if outcome == "forgot" and self.is_open:
            self._forgot()

    async def _export(self, pane: Pane) -> None:
        """Files are written in a thread: the folder may lie on a disk that takes its time."""
        try:
            export = await pane.exported()
            paths = await asyncio.to_thread(
                _write, file_name(pane.dataset.name, export.what), export
            )
        except (GligabaoError, OSError) as error:
            say(self.app, f"That is not written: {error}", is_bad=True)
        else:
            say(self.app, f"{count_of(export.count, 'row', 'rows')} in {paths}")

    # What is shown

    def _go_to(self, view: ViewName) -> None:
        self._view = view
        self._show()
        self.pane.focus_rows()

    def _choose(self, shelf: Shelf) -> None:
        had_none = not self._shelf.datasets
        self._shelf = shelf
        self._show()
        if had_none and shelf.datasets:
            (self.pane.focus_field if self._view == "ask" else self.pane.focus_rows)()

    def _show(self) -> None:
        has_some = bool(self._shelf.datasets)
        for name, pane in self._panes.items():
            pane.display = has_some and name == self._view
            if has_some:
                pane.take(self._shelf.chosen)
        if has_some:
            self.pane.come()
        self._note.display = bool(self._fault) or (self._shelf.is_read and not has_some)
        self._note.show(self._note_lines)
        self._top.show(self._top_lines)
        if self._timer is not None:
            is_under_way = any(dataset.queued for dataset in self._shelf.datasets)
            (self._timer.resume if is_under_way else self._timer.pause)()
        self.refresh_bindings()

    def _top_lines(self, width: int) -> tuple[Line, ...]:
        glyphs = self._given.glyphs
        if not self._shelf.datasets:
            return (dataset_line(self._shelf, width, doing=self._doing),)
        return (
            dataset_line(self._shelf, width, doing=self._doing),
            tabs_line(self._shelf, self._view, width, glyphs),
        )

    def _note_lines(self, width: int) -> tuple[Line, ...]:
        """What went wrong; else, before anything was remembered, what to do."""
        if self._fault:
            return tuple((Span(" "), *row) for row in paragraph(self._fault, width - 2, "bad"))
        if self._shelf.is_read and not self._shelf.datasets:
            return nothing_known(width - 2, self._given.keymap)
        return (line(""),)


def _fault_words(error: GligabaoError) -> str:
    told = f"The knowledge base cannot be told: {error}"
    return f"{told}; r asks again." if isinstance(error, EngineUnreachable) else told


def _write(name: str, export: Export) -> str:
    """The names of the two new files. Raises OSError."""
    paths = (written(name, export.json, ".json"), written(name, export.csv, ".csv"))
    return " and ".join(path.name for path in paths)
