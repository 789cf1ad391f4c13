"""The Knowledge tab: what the run brought into the knowledge base, in sections that fold.

Nothing is read while nobody looks at it.
"""

from dataclasses import replace
from datetime import datetime
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Input

from gligabao_tui.keys import Scope
from gligabao_tui.view.blocks import Spot
from gligabao_tui.view.bookmarks import SHELF, Bookmark
from gligabao_tui.view.details import Details
from gligabao_tui.view.fact_words import period_words, sentence
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.known import Known
from gligabao_tui.view.provenance import (
    Item,
    Shelf,
    counts_of,
    facts_in,
    folded,
    items_of,
    section_after,
)
from gligabao_tui.view.provenance_lines import (
    Columns,
    Frame,
    columns_of,
    empty_lines,
    facts_missing,
    head_lines,
    item_line,
    no_match_lines,
)
from gligabao_tui.view.text import Line, Span, line, paragraph
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.block_list import BlockList
from gligabao_tui.widgets.fields import KnowledgeInput, PlainInput
from gligabao_tui.widgets.known import READ_EVERY_SECONDS, Asking, SubjectWanted
from gligabao_tui.widgets.plain import Drawn

HINT = "words of facts, entities and texts"


class KnowledgePage(Vertical):
    SCOPE: Scope = "knowledge"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("knowledge"))

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(id="knowledge")
        self._glyphs = glyphs
        self._details: Details | None = None
        self._shelf = SHELF
        self._asking = Asking("known")
        self._drawn: object = None
        self._wanted_item = ""
        self._columns: tuple[Known | None, int, Columns] = (None, 0, Columns())
        self._head = Drawn(id="knowledge-head")
        self._words = KnowledgeInput(placeholder=HINT, id="knowledge-words")
        self._rows: BlockList[Item] = BlockList(self._draw, id="knowledge-rows")
        self._empty = Drawn(id="knowledge-empty")

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._words
        yield self._empty
        yield self._rows

    def on_mount(self) -> None:
        self._words.display = False
        self._empty.display = False
        self.set_interval(READ_EVERY_SECONDS, self.look_again)

    @property
    def item(self) -> Item | None:
        """The row under the cursor."""
        return self._rows.current

    def begin(self, details: Details) -> None:
        self._details, self._shelf, self._wanted_item = details, SHELF, ""
        self._asking.begin()
        self._drawn = None
        self._rows.restart()
        self._words.display = False
        with self.prevent(Input.Changed):
            self._words.value = ""

    def show(self, details: Details, now: datetime) -> None:  # noqa: ARG002  # see `tick`
        self._details = details
        if self._is_looked_at:
            self._ask()
            self._show()

    def tick(self, now: datetime) -> None:
        """Nothing of it looks different as time passes."""

    def mark(self, bookmark: Bookmark) -> Bookmark:
        cursor = str(self._rows.current.key) if self._rows.current else self._wanted_item
        shelf = replace(self._shelf, words="")
        agents = self._asking.with_agents
        agents = bookmark.with_agents if agents is None else agents
        return replace(bookmark, shelf=shelf, item=cursor, with_agents=agents)

    def go_back(self, bookmark: Bookmark) -> None:
        self._shelf, self._wanted_item = bookmark.shelf, bookmark.item
        self._asking.with_agents = bookmark.with_agents
        self._drawn = None
        if self._is_looked_at:
            self._ask()
            self._show()

    def focus_page(self) -> None:
        self.screen.set_focus(self._rows)

    def copied_text(self) -> str:
        """What is under the cursor: a fact in a sentence, a name, or an address."""
        item = self.item
        if item is None:
            return ""
        if item.fact is not None:
            dates = period_words(item.fact.fact)
            return sentence(item.fact.fact) + (f" ({dates})" if dates else "")
        if item.text is not None:
            return item.text.source or item.text.title
        return item.name

    def on_show(self) -> None:
        """Somebody has turned to this tab: what was read earlier may be old."""
        self._ask()
        self._show()

    def on_resize(self) -> None:
        self._show()

    def look_again(self) -> None:
        """Texts that wait bring something without the run doing anything."""
        if self._is_looked_at:
            self._ask(again=True)

    def action_open(self) -> None:
        item = self.item
        if item is None:
            return
        if item.kind == "section":
            self._change(folded(self._shelf, item.section))
        elif (target := _target(item)) is not None:
            self.post_message(SubjectWanted(target, self._order(target)))

    def action_fold(self) -> None:
        """The section of the row under the cursor, whose head has the cursor then."""
        if self.item is not None:
            section = self.item.section
            self._change(folded(self._shelf, section))
            self._rows.go_to(f"section:{section}")

    def action_order(self) -> None:
        self._change(replace(self._shelf, by_entity=not self._shelf.by_entity))

    def action_with_agents(self) -> None:
        if self._details is not None:
            self._asking.turn(self._details)
            self._ask()

    def action_filter(self) -> None:
        self._words.display = True
        self._words.focus()

    def action_next_section(self) -> None:
        self._to_section(1)

    def action_previous_section(self) -> None:
        self._to_section(-1)

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002  # Textual's signature
    ) -> bool | None:
        """Hints that would do nothing are not shown."""
        if action == "with_agents":
            return bool(self._details and self._details.children)
        if action in ("open", "fold"):
            return self.item is not None
        if action in ("filter", "order", "next_section", "previous_section"):
            return self.item is not None or bool(self._shelf.words)
        return True

    def on_block_list_chosen(self, event: BlockList.Chosen) -> None:
        event.stop()
        self.action_open()

    def on_block_list_moved(self, event: BlockList.Moved) -> None:
        event.stop()

    def on_drawn_clicked(self, event: Drawn.Clicked) -> None:
        event.stop()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._change(replace(self._shelf, words=event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._words.display = bool(event.value.strip())
        self.focus_page()

    def on_plain_input_left(self, event: PlainInput.Left) -> None:
        event.stop()
        self._words.value = ""
        self._words.display = False
        self.focus_page()

    @property
    def _is_looked_at(self) -> bool:
        return self.is_mounted and self.display

    @property
    def _known(self) -> Known | None:
        return self._details.known if self._details is not None else None

    def _ask(self, *, again: bool = False) -> None:
        if self._details is not None and (wish := self._asking.wish(self._details, again=again)):
            self.post_message(wish)

    def _change(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._show()

    def _to_section(self, by: int) -> None:
        items = self._rows.items
        at = next((n for n, item in enumerate(items) if item is self.item), 0)
        if (key := section_after(items, at, by)) is not None:
            self._rows.go_to(key)

    def _show(self) -> None:
        if not self.is_mounted or self._details is None:
            return
        wanted = (self._known, self._shelf, self.size)
        if wanted == self._drawn:
            return
        self._drawn = wanted
        known = self._known
        items = items_of(known, self._shelf) if known is not None else ()
        self._rows.show(items)
        if items and self._wanted_item:
            self._rows.go_back(Spot(cursor=self._wanted_item))
            self._rows.go_to(self._wanted_item)
            self._wanted_item = ""
        self._head.show(self._head_lines)
        self._empty.show(self._empty_lines)
        self._empty.display = bool(self._empty_lines(max(1, self.size.width)))
        self.refresh_bindings()

    def _order(self, target: str) -> list[str]:
        """The facts of the list, for whoever opens one of them."""
        if target.startswith("fact:"):
            return [f"fact:{fact.id}" for fact in facts_in(self._rows.items)]
        return []

    def _draw(self, item: Item, width: int, *, is_open: bool | None) -> tuple[Line, ...]:  # noqa: ARG002  # the list's
        known = self._known
        if known is None:
            return ((),)
        if self._columns[:2] != (known, width):
            edges = known.provenance.edges
            self._columns = (known, width, columns_of(edges, known, width))
        return (item_line(item, Frame(width, self._columns[2], self._glyphs)),)

    def _head_lines(self, width: int) -> tuple[Line, ...]:
        known = self._known
        if known is None:
            return (line(Span(" reading what it knows", "quiet")),)
        if not (known.provenance.artifacts or known.provenance.edges):
            return ()
        return head_lines(counts_of(known), known, width, self._glyphs)

    def _empty_lines(self, width: int) -> tuple[Line, ...]:
        known = self._known
        if known is None:
            return ()
        found = known.provenance
        if not (found.artifacts or found.edges or found.entities):
            return empty_lines(known, width, self._glyphs)
        if self._shelf.words and not any(item.shown for item in self._rows.items):
            return no_match_lines(self._shelf, width)
        if reason := facts_missing(known):
            return tuple((Span(" "), *row) for row in paragraph(reason, width - 2, "muted"))
        return ()


def _target(item: Item) -> str | None:
    """What the row of a fact, an entity or a text leads to."""
    if item.fact is not None:
        return f"fact:{item.fact.fact.id}"
    if item.entity is not None:
        return f"entity:{item.entity.id}"
    return f"text:{item.text.id}" if item.text is not None else None
