"""What reading a run leads to: sources, links, facts, and the pager."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from functools import partial

from textual.screen import Screen
from textual.worker import Worker

from engine.api import GligabaoError
from gligabao_tui.screens.fact import FactDialog
from gligabao_tui.screens.given import Given
from gligabao_tui.screens.library import Library
from gligabao_tui.screens.link import LinkDialog, Opener, open_in_browser
from gligabao_tui.screens.passage import PassageDialog
from gligabao_tui.terminal.lending import page_text
from gligabao_tui.terminal.outside import outside_of
from gligabao_tui.view.details import Details
from gligabao_tui.view.link import Cited, why_not_opened
from gligabao_tui.view.passage import quoted_from
from gligabao_tui.widgets.plain import say

DRIVER_VARIABLE = "TEXTUAL_DRIVER"
"""Set where the app does not draw on a terminal but in a tab of a browser."""
_PLACE = re.compile(r"\[(\d{1,6})\]\([^\s()]+#chars=(\d{1,9})-(\d{1,9})\)", re.ASCII)
WITH_DISPLAY = ("darwin", "win32")


class Reading:
    """Held by the workspace, whose screen it shows its dialogs on."""

    def __init__(
        self, screen: Screen[None], given: Given, *, opener: Opener = open_in_browser
    ) -> None:
        self._screen = screen
        self._given = given
        self._opener = opener

    def show_source(self, details: Details, cited: Cited) -> None:
        """Once, however often it is asked for before it is there."""
        show = partial(self._show_source, details, cited)
        _: Worker[None] = self._screen.run_worker(show, group="source", exclusive=True)

    def show_subject(self, details: Details, target: str, order: Sequence[str]) -> None:
        """A fact, an entity or a text of the knowledge base; once, as a source is."""
        show = partial(self._show_subject, details, target, order)
        _: Worker[None] = self._screen.run_worker(show, group="source", exclusive=True)

    def show_link(self, address: str) -> None:
        reason = why_not(address, os.environ, sys.platform)
        self._screen.app.push_screen(LinkDialog(address, reason, self._opener))

    def page(self, details: Details) -> None:
        """Lend the terminal to the person's pager."""
        folder, name = self._given.settings.data_dir, f"report-{details.id}.md"
        if problem := page_text(self._screen.app, details.report, folder=folder, name=name):
            say(self._screen.app, problem, is_bad=True)

    async def _show_source(self, details: Details, cited: Cited) -> None:
        try:
            source = await self._given.calls.source(details.id, cited.n)
        except GligabaoError as error:
            say(self._screen.app, str(error), is_bad=True)
            return
        quoted = quoted_from(source, ord_of(details.report, cited))
        dialog = PassageDialog(quoted, sorted(details.cited), self._given)
        self._screen.app.push_screen(dialog)

    async def _show_subject(self, details: Details, target: str, order: Sequence[str]) -> None:
        library = Library(self._given, details)
        try:
            subject = await library.read(target)
        except GligabaoError as error:
            say(self._screen.app, str(error), is_bad=True)
            return
        self._screen.app.push_screen(FactDialog(subject, target, library, order=order))


def ord_of(report: str, cited: Cited) -> int:
    """The number that the engine gave this quotation, by its order in the report; 0 if none."""
    wanted = (cited.n, cited.place)
    for ord_, found in enumerate(_PLACE.finditer(report), start=1):
        if (int(found[1]), (int(found[2]), int(found[3]))) == wanted:
            return ord_
    return 0


def why_not(address: str, environ: Mapping[str, str], platform: str) -> str:
    """Why an address cannot be opened in a browser from here."""
    outside = outside_of(environ, platform)
    return why_not_opened(
        address,
        in_browser=bool(environ.get(DRIVER_VARIABLE)),
        over_ssh=outside.over_ssh,
        has_display=bool(outside.displays) or platform in WITH_DISPLAY,
    )
