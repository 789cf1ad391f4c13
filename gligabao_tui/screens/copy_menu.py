"""The copy menu: the thing that has the focus, in the form that is wanted, copied or to a file."""

import asyncio
import json
from collections.abc import Iterable
from typing import ClassVar, get_args

from textual.binding import BindingType
from textual.screen import Screen
from textual.widget import Widget

from engine.api import GligabaoError, RunId, details_document
from gligabao_tui.keys import Scope
from gligabao_tui.screens.chosen import Chosen
from gligabao_tui.screens.dialog import Dialog, says
from gligabao_tui.screens.given import Given
from gligabao_tui.screens.run_actions import written
from gligabao_tui.view.copies import (
    TAB_THINGS,
    Form,
    Thing,
    form_words,
    page_thing,
    report_thing,
    run_thing,
)
from gligabao_tui.view.text import Line, Span, fit, line, pad, spread
from gligabao_tui.widgets.bindings import bindings, keymap_of
from gligabao_tui.widgets.details import DetailsView
from gligabao_tui.widgets.plain import Drawn, copy_text, say

KEY_CELLS = 4
FORMS: tuple[Form, ...] = get_args(Form)


class CopyMenu(Dialog[Form]):
    """Its outcome is the form that was chosen, or None."""

    SCOPE: Scope = "copy_menu"
    BUTTONS = ("close",)
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("copy_menu"))

    def __init__(self, thing: Thing) -> None:
        super().__init__(f"Copy {thing.name}")
        self._thing = thing

    def content(self) -> Iterable[Widget]:
        yield says(lambda width: tuple(self._row(form, width) for form in FORMS))

    async def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        event.stop()
        if event.target:
            await self.run_action(event.target)

    def action_text(self) -> None:
        self.dismiss("text")

    def action_markdown(self) -> None:
        self.dismiss("markdown")

    def action_json(self) -> None:
        self.dismiss("json")

    def action_id(self) -> None:
        self.dismiss("id")

    def action_file(self) -> None:
        self.dismiss("file")

    def action_json_file(self) -> None:
        self.dismiss("json_file")

    def action_close(self) -> None:
        self.dismiss(None)

    def _row(self, form: Form, width: int) -> Line:
        what, size = form_words(self._thing, form)
        key = keymap_of(self.app).word(f"{self.SCOPE}.{form}")
        left = line(Span(pad(f" {key}", KEY_CELLS), "key", form), Span(what, "", form))
        return spread(left, line(Span(fit(size, width // 3), "quiet", form)), width)


class Copying:
    """Held by the workspace, whose screen it asks on."""

    def __init__(
        self, screen: Screen[None], given: Given, *, chosen: Chosen, details: DetailsView
    ) -> None:
        self._screen = screen
        self._given = given
        self._chosen = chosen
        self._details = details

    def copy(self) -> None:
        """What a tab gives at once, else the topic of the chosen run."""
        run = self._chosen.run
        if self._chosen.is_in_details and (text := self._details.copied_text()):
            copy_text(self._screen.app, text, TAB_THINGS[self._details.tab])
        elif run is not None:
            copy_text(self._screen.app, run.topic, "the topic")

    def ask(self) -> None:
        """In which form; nothing is asked where there is nothing to copy."""
        if (thing := self._thing()) is None:
            return

        def answered(form: Form | None) -> None:
            if form is not None:
                self._screen.run_worker(self._copy(thing, form))

        self._screen.app.push_screen(CopyMenu(thing), answered)

    def _thing(self) -> Thing | None:
        run, details = self._chosen.run, self._details
        if run is None:
            return None
        if self._chosen.is_in_details and details.details is not None:
            if details.tab == "report" and (report := details.details.report):
                return report_thing(run, report)
            if text := details.copied_text():
                return page_thing(run, details.tab, text)
        return run_thing(run, self._given.now())

    async def _copy(self, thing: Thing, form: Form) -> None:
        app, run = self._screen.app, thing.run
        try:
            match form:
                case "text":
                    copy_text(app, thing.text, thing.name)
                case "markdown":
                    copy_text(app, thing.markdown, f"{thing.name} as Markdown")
                case "id":
                    copy_text(app, f"#{run.id}", f"the number #{run.id}")
                case "json":
                    copy_text(app, await self._json(run.id), f"#{run.id} as JSON")
                case "file":
                    await self._to_file(run.id, thing.text, ".txt")
                case "json_file":
                    await self._to_file(run.id, await self._json(run.id), ".json")
        except (GligabaoError, OSError) as error:
            say(app, f"That is not copied: {error}", is_bad=True)

    async def _json(self, run_id: RunId) -> str:
        read = await self._given.calls.get(run_id)
        return json.dumps(details_document(read), ensure_ascii=False, indent=2)

    async def _to_file(self, run_id: RunId, text: str, ending: str) -> None:
        """In a thread: the folder may lie on a disk that takes its time."""
        name = f"gligabao-{run_id}"
        path = await asyncio.to_thread(written, name, text.rstrip() + "\n", ending)
        say(self._screen.app, f"It is in {path}")
