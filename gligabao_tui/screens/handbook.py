"""The handbook: its contents, its pages with links that work, and finding words in all of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import Input

from engine.api import docs_dir
from gligabao_tui.keys import Scope
from gligabao_tui.resources import texts_in
from gligabao_tui.screens.dialog import Dialog
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.handbook import (
    HIT,
    ORDER,
    Hit,
    Page,
    Place,
    Sheet,
    Stop,
    contents_sheet,
    find,
    found_sheet,
    in_order,
    marked,
    page_sheet,
    page_title,
    place_for,
    place_of,
    place_of_hit,
    selected,
)
from gligabao_tui.view.markdown_inline import LINK
from gligabao_tui.view.text import Line
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.fields import FindInput, PlainInput
from gligabao_tui.widgets.line_view import LineView
from gligabao_tui.widgets.plain import copy_text

CONTENTS, FOUND = "", "?"
"""Names of the two sheets that are no pages."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What is open, how far it is scrolled, and which of its links is chosen."""

    place: Place
    scroll: int | None = None
    """None: at the place."""
    link: int | None = None


def handbook_at(scope: Scope, glyphs: Glyphs) -> "HandbookDialog":
    """The handbook, open at what it says about a part of the app."""
    pages = in_order(Page(name, text) for name, text in texts_in(docs_dir(), ".md"))
    return HandbookDialog(pages, glyphs, place_for(scope))


class HandbookDialog(Dialog[None]):
    SCOPE: Scope = "handbook"
    BUTTONS = ("close", "contents", "search", "turn_back", "turn_on")
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("handbook"))

    def __init__(self, pages: Sequence[Page], glyphs: Glyphs, place: Place | None = None) -> None:
        super().__init__(page_title(pages, 0))
        self.add_class("-tall-dialog")
        self._pages = {page.name: page for page in pages}
        self._glyphs = glyphs
        self._now = Opened(place or Place(next(iter(self._pages), ORDER[0])))
        self._before: list[Opened] = []
        self._hits: tuple[Hit, ...] = ()
        self._sheet = Sheet(())
        self._find = FindInput(placeholder="words to find in all pages", id="handbook-find")
        self._text = LineView(id="handbook-text")

    def content(self) -> Iterable[Widget]:
        yield self._find
        yield self._text

    def on_mount(self) -> None:
        self._find.display = False
        self._text.focus()
        self.call_after_refresh(self._show)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._hits = find([*self._pages.values()], event.value)
        self._now = Opened(Place(FOUND), link=0 if self._hits else None)
        self._show()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._text.focus()

    def on_plain_input_left(self, event: PlainInput.Left) -> None:
        event.stop()
        self.action_return()

    def on_line_view_clicked(self, event: LineView.Clicked) -> None:
        event.stop()
        self._follow(event.target)

    def action_close(self) -> None:
        self.dismiss(None)

    def action_contents(self) -> None:
        self._go(Place(CONTENTS))

    def action_search(self) -> None:
        if self._now.place.page != FOUND:
            self._go(Place(FOUND))
        self._find.display = True
        self._find.focus()

    def action_turn_on(self) -> None:
        self._turn(1)

    def action_turn_back(self) -> None:
        self._turn(-1)

    def action_next_link(self) -> None:
        self._choose(1)

    def action_previous_link(self) -> None:
        self._choose(-1)

    def action_follow(self) -> None:
        if (stop := self._stop()) is not None:
            self._follow(stop.target)

    def action_return(self) -> None:
        """Back to where one was before; from the first place, to the contents."""
        self._now = self._before.pop() if self._before else Opened(Place(CONTENTS))
        self._text.focus()
        self._show()

    def _follow(self, target: str) -> None:
        """A link inside the handbook is gone to; an address is copied."""
        if target.startswith(HIT):
            hit = self._hits[int(target.removeprefix(HIT))]
            self._go(place_of_hit(hit, self._find.value))
        elif (place := place_of(target, self._now.place.page)) and place.page in self._pages:
            self._go(place)
        elif target.startswith(LINK):
            address = target.removeprefix(LINK)
            copy_text(self.app, address, f"the address {address}")

    def _go(self, place: Place) -> None:
        self._before.append(replace(self._now, scroll=int(self._text.scroll_y)))
        self._now = Opened(place)
        self._text.focus()
        self._show()

    def _turn(self, by: int) -> None:
        """To the page beside this one, round the end; from the other sheets, to the first."""
        if names := list(self._pages):
            page = self._now.place.page
            at = (names.index(page) + by) % len(names) if page in names else 0
            self._go(Place(names[at]))

    def _choose(self, by: int) -> None:
        """The link beside the chosen one; the first time, the first of those on the screen."""
        stops = self._sheet.stops
        if not stops:
            return
        if self._now.link is None:
            top = int(self._text.scroll_y)
            below = (at for at, stop in enumerate(stops) if stop.spots[0][0] >= top)
            link = next(below, 0)
        else:
            link = (self._now.link + by) % len(stops)
        self._now = replace(self._now, link=link, scroll=int(self._text.scroll_y))
        self._text.focus()
        self._show()
        self._reveal(stops[link].spots[0][0])

    def _reveal(self, row: int) -> None:
        """As little scrolling as shows this row, and one beside it."""
        top, rows = int(self._text.scroll_y), self._text.scrollable_content_region.height
        if row < top:
            self._text.scroll_to(y=max(0, row - 1), animate=False, force=True)
        elif row >= top + rows - 1:
            self._text.scroll_to(y=row - rows + 2, animate=False, force=True)

    def _show(self) -> None:
        """What is open now, at its place."""
        if not self.is_open:  # it was left before it was ever shown
            return
        page = self._now.place.page
        self._find.display = page == FOUND
        self.entitle(self._title_of(page))
        self._text.show(self._lines)
        scroll = self._now.scroll
        row = self._sheet.row_of(self._now.place) if scroll is None else scroll
        self._text.scroll_to(y=row, animate=False, force=True)

    def _title_of(self, page: str) -> str:
        names = list(self._pages)
        if page in names:
            return page_title([*self._pages.values()], names.index(page))
        return "Handbook: contents" if page == CONTENTS else "Handbook: find words"

    def _lines(self, width: int) -> tuple[Line, ...]:
        self._sheet = self._laid_out(width - 1)
        words = self._now.place.words
        return tuple(marked(row, words) for row in selected(self._sheet, self._stop()))

    def _laid_out(self, width: int) -> Sheet:
        page = self._now.place.page
        if page in self._pages:
            return page_sheet(self._pages[page], width, self._glyphs)
        if page == FOUND:
            return found_sheet(self._hits, self._find.value, width)
        return contents_sheet([*self._pages.values()], width, self._glyphs)

    def _stop(self) -> Stop | None:
        stops, link = self._sheet.stops, self._now.link
        return stops[link] if link is not None and link < len(stops) else None
