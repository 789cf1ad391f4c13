"""The rows of the runs list: one line a run, columns that go from the right where it is narrow."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from engine.api import Run
from gligabao_tui.view import formatting
from gligabao_tui.view.early_end import cut_words, early_end, is_capped, mark_of, tone_of, word_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.listing import FILTERS, Listing
from gligabao_tui.view.text import (
    JOINER,
    Line,
    Span,
    Tone,
    fit,
    flat,
    line,
    pad,
    pad_left,
    spread,
    width_of,
)
from gligabao_tui.view.words import STATUS_WORDS

STATUS_CELLS = 11
STOP_CELLS = 7
TOPIC_LEAST_CELLS = 24


@dataclass(frozen=True, slots=True)
class Column:
    """A right-aligned column; it is shown in lists of at least `from_width` cells."""

    title: str
    cells: int
    from_width: int


NUMBER = Column("", 6, 96)
STEPS = Column("steps", 6, 66)
TIME = Column("time", 8, 48)
COST = Column("cost", 8, 74)
AGE = Column("age", 5, 40)
AGENT = Column("agent", 14, 110)
CHILDREN = Column("children", 9, 76)
COLUMNS = (AGENT, CHILDREN, STEPS, TIME, COST, AGE)
DEFAULT_AGENTS = ("", "default")


@dataclass(frozen=True, slots=True)
class Extras:
    """Columns that are shown only where some run of the list has something to tell in them."""

    agents: bool = False
    children: bool = False


NO_EXTRAS = Extras()


def extras_of(runs: Iterable[Run]) -> Extras:
    runs = tuple(runs)
    return Extras(
        agents=any(run.agent_name not in DEFAULT_AGENTS for run in runs),
        children=any(run.children for run in runs),
    )


@dataclass(frozen=True, slots=True)
class Table:
    """How wide the list is, and which columns it has."""

    width: int
    extras: Extras = NO_EXTRAS

    @property
    def columns(self) -> tuple[Column, ...]:
        left_out = {AGENT: not self.extras.agents, CHILDREN: not self.extras.children}
        return tuple(
            one for one in COLUMNS if self.width >= one.from_width and not left_out.get(one)
        )

    @property
    def number_cells(self) -> int:
        return NUMBER.cells if self.width >= NUMBER.from_width else 0

    @property
    def stop_cells(self) -> int:
        return STOP_CELLS if self.width >= TIME.from_width else 0

    @property
    def topic_cells(self) -> int:
        figures = sum(column.cells for column in self.columns)
        rest = self.width - STATUS_CELLS - self.number_cells - figures - self.stop_cells
        return max(8, rest - 1)


def run_row(run: Run, table: Table, *, now: datetime, glyphs: Glyphs) -> Line:
    """One run on one line of exactly the table's width."""
    cells = {
        AGENT: _alone(run.agent_name, AGENT.cells - 1) or "default",
        CHILDREN: str(run.children) if run.children else glyphs.dot,
        STEPS: f"{run.steps}/{run.max_steps}",
        TIME: formatting.duration(formatting.seconds_between(run.created_at, run.finished_at, now)),
        COST: formatting.money(run.cost_usd),
        AGE: formatting.age(formatting.seconds_between(run.created_at, None, now)),
    }
    figures = tuple(Span(_cell(cells[column], column), "muted") for column in table.columns)
    left = (_status(run, glyphs), *_number(run, table), *_topic(run, table))
    return spread(left, (*figures, *_stop(run, table)), table.width)


def header_row(table: Table) -> Line:
    figures = tuple(Span(_cell(column.title, column), "quiet") for column in table.columns)
    left = line(Span(pad(" status", STATUS_CELLS) + " " * table.number_cells + "topic", "quiet"))
    return spread(left, (*figures, Span(" " * table.stop_cells)), table.width)


def filter_tabs(listing: Listing, glyphs: Glyphs) -> Line:
    """`all  working  done  failed  stopped`, the chosen one marked; each is a target of its own."""
    spans: list[Span] = []
    for status in FILTERS:
        word = "all" if status is None else STATUS_WORDS[status]
        chosen = listing.ask.status == status
        label = f"[{word}]" if chosen and glyphs.cursor == ">" else f" {word} "
        spans.append(Span(label, "pill-on" if chosen else "muted", f"filter:{status or ''}"))
        spans.append(Span(" "))
    return tuple(spans)


def _alone(text: str, cells: int) -> str:
    """On one line and fitted; it joins itself to nothing that stands beside it."""
    return fit(flat(text).strip(JOINER), cells).strip(JOINER)


def _cell(text: str, column: Column) -> str:
    """Figures to the right, names to the left."""
    if column is AGENT:
        return " " + pad(text, column.cells - 1)
    return " " + pad_left(text, column.cells - 1)


def _status(run: Run, glyphs: Glyphs) -> Span:
    label = f" {mark_of(run, glyphs)} {STATUS_WORDS[run.status]}"
    if early_end(run) is not None:
        label = f" {mark_of(run, glyphs)} {word_of(run)}"
    if run.status == "failed":
        return Span(pad(label + " ", STATUS_CELLS - 1), "pill-bad", "error")
    return Span(pad(label, STATUS_CELLS - 1), tone_of(run))


def _number(run: Run, table: Table) -> Line:
    gap = Span(" ")
    if not table.number_cells:
        return (gap,)
    return (gap, Span(pad(f"#{run.id}", table.number_cells), "quiet"))


def _topic(run: Run, table: Table) -> Line:
    """With what cut its report, where that leaves enough of the topic."""
    tone: Tone = "strong" if run.status == "running" else ""
    cut = cut_words(run)
    room = table.topic_cells - width_of(cut) - 2
    if not cut or room < TOPIC_LEAST_CELLS:
        return line(Span(_alone(run.topic, table.topic_cells), tone))
    return line(
        Span(_alone(run.topic, room), tone), Span(f"  {cut}", "warn" if is_capped(run) else "muted")
    )


def _stop(run: Run, table: Table) -> Line:
    if not table.stop_cells:
        return ()
    if run.status != "running":
        return (Span(" " * STOP_CELLS),)
    return (Span(" "), Span(" stop ", "pill", "stop"))
