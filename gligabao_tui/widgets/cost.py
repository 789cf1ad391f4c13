"""The Cost tab: what a run has cost, in words, tables and two charts.

Nothing is read and nothing of plotext is loaded for a tab that nobody looks at.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.message import Message

from gligabao_tui.keys import Scope
from gligabao_tui.view.bookmarks import Bookmark
from gligabao_tui.view.cost import cost_head, cost_tables
from gligabao_tui.view.cost_charts import Chart, bars_of, chart_title, curve_of
from gligabao_tui.view.details import Details
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.text import EMPTY, Line, Span, line, plain
from gligabao_tui.widgets.bindings import bindings
from gligabao_tui.widgets.block_list import MOVES
from gligabao_tui.widgets.plain import Drawn

READ_EVERY_SECONDS = 1.0
BESIDE_FROM_CELLS = 84
CHARTS_FROM_CELLS, CHARTS_FROM_ROWS = 50, 8
COPIED_CELLS = 100


class CostPage(VerticalScroll, can_focus=True):
    """Asks for the costs when it is looked at, and again as they change, once a second at most."""

    SCOPE: Scope = "cost"
    BINDINGS: ClassVar[list[BindingType]] = [*MOVES, *bindings("cost")]

    class Wanted(Message):
        """The costs of the run that is shown are to be read."""

    rest_seconds = READ_EVERY_SECONDS

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(id="cost")
        self._glyphs = glyphs
        self._details: Details | None = None
        self._asked: object = None
        self._drawn: object = None
        self._is_resting = False
        self._head = Drawn(id="cost-head")
        self._tables = Drawn(id="cost-tables")
        self._charts = Charts(glyphs)

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._tables
        yield self._charts

    def begin(self, details: Details) -> None:
        self._details, self._asked = details, None
        self.scroll_home(animate=False)

    def show(self, details: Details, now: datetime) -> None:  # noqa: ARG002  # see `tick`
        self._details = details
        if self._is_looked_at:
            self._ask()
            self._draw()

    def tick(self, now: datetime) -> None:
        """Nothing of it looks different as time passes."""

    def mark(self, bookmark: Bookmark) -> Bookmark:
        """It always begins at its top: the sums are what is looked for."""
        return bookmark

    def go_back(self, bookmark: Bookmark) -> None:
        """See `mark`."""

    def focus_page(self) -> None:
        self.focus()

    def copied_text(self) -> str:
        if self._details is None or self._details.costs is None:
            return ""
        rows = (*self._head_lines(COPIED_CELLS), EMPTY, *self._table_lines(COPIED_CELLS))
        return "\n".join(plain(row).rstrip() for row in rows)

    def on_show(self) -> None:
        """Somebody has turned to this tab: what was read earlier may be old."""
        self._ask()
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def action_move(self, by: int) -> None:
        self.scroll_relative(y=by, animate=False)

    def action_move_page(self, by: int) -> None:
        rows = max(1, self.scrollable_content_region.height - 2)
        self.scroll_relative(y=by * rows, animate=False)

    def action_move_to_start(self) -> None:
        self.scroll_home(animate=False)

    def action_move_to_end(self) -> None:
        self.scroll_end(animate=False)

    @property
    def _is_looked_at(self) -> bool:
        return self.is_mounted and self.display

    def _ask(self) -> None:
        """Unless they are known as they are now, or have just been asked for."""
        if self._details is None or self._is_resting:
            return
        run = self._details.run
        now = (run.id, run.status, run.steps, run.cost_usd, run.input_tokens, run.output_tokens)
        if now == self._asked and self._details.costs is not None:
            return
        self._asked, self._is_resting = now, True
        self.set_timer(self.rest_seconds, self._rested)
        self.post_message(self.Wanted())

    def _rested(self) -> None:
        self._is_resting = False
        if self._is_looked_at and self._details is not None and self._details.costs is not None:
            self._ask()

    def _draw(self) -> None:
        details = self._details
        if details is None or not self.is_mounted:
            return
        wanted = (details.id, details.costs, details.run.status, self.outer_size)
        if wanted == self._drawn:
            return
        self._drawn = wanted
        self._head.show(self._head_lines)
        self._tables.show(self._table_lines)
        width, height = self.outer_size
        has_room = width >= CHARTS_FROM_CELLS and height >= CHARTS_FROM_ROWS
        charts: Sequence[Chart | None] = ()
        if details.costs is not None and has_room:
            charts = (curve_of(details.costs, details.run), bars_of(details.costs))
        self._charts.show([chart for chart in charts if chart is not None])
        self._charts.set_class(width >= BESIDE_FROM_CELLS, "-beside")

    def _head_lines(self, width: int) -> tuple[Line, ...]:
        details = self._details
        if details is None or details.costs is None:
            return (line(Span(" reading what it has cost", "quiet")),)
        return cost_head(details.costs, details.run, width, glyphs=self._glyphs)

    def _table_lines(self, width: int) -> tuple[Line, ...]:
        costs = self._details.costs if self._details else None
        return cost_tables(costs, width, glyphs=self._glyphs) if costs else ()


class Charts(Container):
    """A panel for each chart there is; nothing is loaded before there is one."""

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(id="cost-charts")
        self._glyphs = glyphs
        self._panels: tuple[Panel, ...] = ()

    def on_mount(self) -> None:
        self.display = False

    def show(self, charts: Sequence[Chart]) -> None:
        self.display = bool(charts)
        if not charts:
            return
        if len(self._panels) < len(charts):
            added = [Panel(self._glyphs) for _ in charts[len(self._panels) :]]
            self._panels = (*self._panels, *added)
            self.mount(*added)
        for place, panel in enumerate(self._panels):
            panel.display = place < len(charts)
            if panel.display:
                panel.show(charts[place])


class Panel(Vertical):
    """A chart below its title."""

    def __init__(self, glyphs: Glyphs) -> None:
        from gligabao_tui.widgets.charts import ChartPlot  # loads plotext

        super().__init__(classes="cost-chart")
        self._glyphs = glyphs
        self._title = Drawn()
        self._plot = ChartPlot(glyphs)

    def compose(self) -> ComposeResult:
        yield self._title
        yield self._plot

    def show(self, chart: Chart) -> None:
        self._title.show(lambda width: (chart_title(chart, width, self._glyphs),))
        self._plot.show(chart)
