"""The Cost tab in words and columns: the sums, the cap, the forecast, and where the money went."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.api import Charge, Run, RunCosts
from gligabao_tui.view.early_end import cap_told
from gligabao_tui.view.forecast import Forecast
from gligabao_tui.view.formatting import count_of, money, percent, round_money, tokens
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.spending import Part, Spent, forecast_of, parts_of, spent
from gligabao_tui.view.text import (
    EMPTY,
    Line,
    Span,
    Tone,
    crop,
    flat,
    line,
    pad,
    pad_left,
    paragraph,
    width_of,
)
from gligabao_tui.view.words import state_word

OFFLINE = "offline"
NEAR_THE_CAP = 0.8
GAUGE_CELLS = 32
NAME_MOST_CELLS, NAME_LEAST_CELLS = 26, 12
SHARE_LEAST_CELLS, SHARE_MOST_CELLS = 12, 30
PERCENT_CELLS = 6
LABEL_CELLS = 10
ITEM_GAP = 3


Figures: TypeAlias = Sequence[tuple[str, str, float]]
"""A figure, the word after it, and how much it is: it is shown when that is more than nothing."""


@dataclass(frozen=True, slots=True)
class Column:
    """A right-aligned column of the tables; shown in tables of at least `from_width` cells."""

    title: str
    cells: int
    from_width: int


CALLS = Column("calls", 6, 0)
SENT = Column("in", 8, 0)
OUT = Column("out", 8, 0)
CACHED = Column("cached", 8, 56)
SEARCHES = Column("searches", 9, 72)
COST = Column("cost", 8, 0)
FIGURES = (CALLS, SENT, OUT, CACHED, SEARCHES, COST)


def cost_head(costs: RunCosts, run: Run, width: int, *, glyphs: Glyphs) -> tuple[Line, ...]:
    """The sums, the cap, what is likely to come, and what the numbers do not tell."""
    whole = spent(costs.charges)
    rows = [*(_free(width) if is_free(run) else ()), *_sums(costs, width)]
    told = cap_told(run)
    if costs.max_cost_usd or not told:
        rows.extend(_cap(costs, whole, width, glyphs=glyphs))
    if told:
        label = "" if costs.max_cost_usd else "cap"
        rows.extend(_labelled(label, f"{glyphs.cut} {told}", width, tone="warn"))
    if not is_free(run):
        told = forecast_words(forecast_of(costs, run), costs.max_cost_usd)
        rows.extend(_labelled("forecast", told, width) if told else ())
    if costs.knowledge_usd:
        told = f"{money(costs.knowledge_usd)} for what it remembered and asked, beside the above"
        rows.extend(_labelled("knowledge", told, width))
    for note in _notes(costs, run, whole):
        rows.extend(_labelled("note", note, width, tone="warn"))
    return tuple(_trimmed(row, width) for row in rows)


def is_free(run: Run) -> bool:
    """Whether it works without a language model, and so for nothing."""
    return run.model == OFFLINE


def cost_tables(costs: RunCosts, width: int, *, glyphs: Glyphs) -> tuple[Line, ...]:
    """By kind of state and by model, the dearest first, in the same columns."""
    states = parts_of(costs.charges, lambda charge: state_word(flat(charge.state)) or "-")
    models = parts_of(_of_models(costs.charges), lambda charge: flat(charge.model) or "tools")
    if not states:
        return ()
    names = [part.name for part in (*states, *models)]
    shown = _columns(costs, width)
    cells = max(NAME_LEAST_CELLS, min(NAME_MOST_CELLS, 1 + max(map(width_of, names))))
    room = width - 1 - sum(column.cells for column in shown)
    frame = _Frame(max(8, min(cells, room)), shown, width, glyphs)
    rows = [*_table("by state", states, frame)]
    if models:
        rows.extend((EMPTY, *_table("by model", models, frame)))
    return tuple(rows)


def forecast_words(expected: Forecast | None, cap_usd: float) -> str:
    """`$0.38 to $0.46 if it uses all 20 steps; may reach the cap`; empty without a forecast."""
    if expected is None:
        return ""
    if expected.cap_step is not None:
        step = f"step {expected.cap_step} of {expected.steps}"
        return f"reaches the cap of {money(cap_usd)} at about {step}"
    low, high = round_money(expected.low_usd), round_money(expected.high_usd)
    usd = f"about {high}" if low == high else f"{low} to {high}"
    may = "; it may reach the cap before" if expected.may_reach_cap else ""
    return f"{usd} if it uses all {expected.steps} steps{may}"


@dataclass(frozen=True, slots=True)
class _Frame:
    """What the two tables share, so that their columns stand below each other."""

    name_cells: int
    columns: Sequence[Column]
    width: int
    glyphs: Glyphs

    @property
    def share_cells(self) -> int:
        """The room for a bar and its percentage, or for that alone; 0 when there is too little."""
        rest = self.width - 1 - self.name_cells - sum(column.cells for column in self.columns)
        if rest >= SHARE_LEAST_CELLS:
            return min(rest, SHARE_MOST_CELLS)
        return PERCENT_CELLS if rest >= PERCENT_CELLS else 0


def _trimmed(row: Line, width: int) -> Line:
    """Cut to `width`, without the space that follows its last word."""
    return crop((*row[:-1], row[-1]._replace(text=row[-1].text.rstrip())), width) if row else row


def _sums(costs: RunCosts, width: int) -> Iterable[Line]:
    """Money, tokens and calls; nothing that would say nothing."""
    whole = spent(costs.charges)
    asked = spent(charge for charge in costs.charges if charge.model)
    fees, tools = whole.cost_usd - asked.cost_usd, whole.calls - asked.calls
    share = f" from cache ({percent(whole.cache_share)})"
    rows: dict[str, Figures] = {
        "cost": (
            (money(whole.cost_usd), "", whole.cost_usd),
            (money(asked.cost_usd), " models", asked.cost_usd if fees > 0 else 0),
            (money(fees), " search fees", fees),
        ),
        "tokens": (
            (tokens(whole.sent_tokens), " in", whole.tokens),
            (tokens(whole.cache_read_tokens), share, whole.cache_read_tokens),
            (tokens(whole.cache_write_tokens), " to cache", whole.cache_write_tokens),
            (tokens(whole.output_tokens), " out", whole.tokens),
        ),
        "calls": (
            (str(asked.calls), " of models", asked.calls),
            (str(asked.failed), " of them failed", asked.failed),
            (str(tools), " of tools", tools),
            (str(whole.searches), " searches" if whole.searches > 1 else " search", whole.searches),
        ),
    }
    for label, figures in rows.items():
        yield from _items(label, figures, width)


def _items(label: str, figures: Figures, width: int) -> Iterable[Line]:
    """Figures with their words side by side, in as many rows as they need."""
    rows: list[list[Span]] = [[]]
    taken = 1 + LABEL_CELLS
    for figure, word, amount in figures:
        cells = width_of(figure + word) + ITEM_GAP
        if amount <= 0:
            continue
        if rows[-1] and taken + cells - ITEM_GAP > width:
            rows.append([])
            taken = 1 + LABEL_CELLS
        rows[-1].extend((Span(figure, "strong"), Span(word + " " * ITEM_GAP, "muted")))
        taken += cells
    for place, row in enumerate(row for row in rows if row):
        yield _label("" if place else label, *row)


def _cap(costs: RunCosts, whole: Spent, width: int, *, glyphs: Glyphs) -> Iterable[Line]:
    if not costs.max_cost_usd:
        if whole.cost_usd:
            yield _label("cap", Span("no cap", "muted"))
        return
    share = whole.cost_usd / costs.max_cost_usd
    tone: Tone = "bad" if share >= 1 else "warn" if share >= NEAR_THE_CAP else "good"
    told = f"  {money(whole.cost_usd)} of {money(costs.max_cost_usd)}  "
    state = "reached" if share >= 1 else percent(share)
    room = width - 1 - LABEL_CELLS - width_of(told + state)
    bar = (
        gauge(share, min(GAUGE_CELLS, room), tone, glyphs=glyphs)
        if room >= SHARE_LEAST_CELLS
        else ()
    )
    yield _label("cap", *bar, Span(told if bar else told.lstrip()), Span(state, tone))


def gauge(share: float, cells: int, tone: Tone, *, glyphs: Glyphs) -> Line:
    """A bar of exactly `cells`, heavy as far as `share` (0 to 1) goes; something shows as soon as
    there is something."""
    halves = round(max(0.0, min(1.0, share)) * cells * 2)
    halves = max(1, halves) if share > 0 else 0
    if not glyphs.gauge_half:
        halves += halves % 2
    heavy = glyphs.gauge * (halves // 2) + glyphs.gauge_half * (halves % 2)
    return (Span(heavy, tone), Span(glyphs.gauge_rest * (cells - width_of(heavy)), "quiet"))


def _notes(costs: RunCosts, run: Run, whole: Spent) -> Iterable[str]:
    """What the sums leave out, in words."""
    if guessed := sum(charge.calls for charge in costs.charges if charge.is_estimate):
        calls = count_of(guessed, "call is an estimate", "calls are estimates")
        yield f"{calls}: the service did not say what was used"
    if costs.unpriced:
        names = ", ".join(flat(name) for name in costs.unpriced)
        yield f"no price is known for {names}: what it used counts $0 here"
    elif not whole.cost_usd and whole.tokens and not is_free(run):
        yield "nothing has been charged for these tokens"


def _free(width: int) -> Iterable[Line]:
    told = "nothing: offline is no language model, it runs here and is free"
    return _labelled("cost", told, width, tone="good")


def _label(label: str, *spans: Span) -> Line:
    return (Span(" " + pad(label, LABEL_CELLS), "quiet"), *spans)


def _labelled(label: str, text: str, width: int, *, tone: Tone = "") -> Iterable[Line]:
    rows = paragraph(text, max(10, width - LABEL_CELLS - 1), tone)
    for place, row in enumerate(rows):
        yield _label("" if place else label, *row)


def _of_models(charges: Iterable[Charge]) -> tuple[Charge, ...]:
    """Without the tools that called no model and cost nothing."""
    return tuple(one for one in charges if one.model or one.cost_usd or one.searches)


def _columns(costs: RunCosts, width: int) -> tuple[Column, ...]:
    """Those that there is room for and that say something in this run."""
    whole = spent(costs.charges)
    told = {
        CALLS: True,
        SENT: bool(whole.tokens),
        OUT: bool(whole.tokens),
        CACHED: bool(whole.cache_read_tokens),
        SEARCHES: bool(whole.searches),
        COST: bool(whole.cost_usd),
    }
    return tuple(one for one in FIGURES if told[one] and width >= one.from_width)


def _table(title: str, parts: Sequence[Part], frame: _Frame) -> Iterable[Line]:
    titles = "".join(pad_left(column.title, column.cells) for column in frame.columns)
    share = pad_left("share", PERCENT_CELLS) if frame.share_cells else ""
    yield line(Span(" " + pad(title, frame.name_cells), "accent"), Span(titles + share, "quiet"))
    for part in parts:
        yield _row(part, frame)


def _row(part: Part, frame: _Frame) -> Line:
    figures = tuple(_figure(part.spent, column, frame.glyphs) for column in frame.columns)
    name = Span(" " + pad(part.name, frame.name_cells))
    return (name, *figures, *_share(part, frame))


def _figure(one: Spent, column: Column, glyphs: Glyphs) -> Span:
    texts = {
        CALLS: (one.calls, str(one.calls)),
        SENT: (one.sent_tokens, tokens(one.sent_tokens)),
        OUT: (one.output_tokens, tokens(one.output_tokens)),
        CACHED: (one.cache_read_tokens, tokens(one.cache_read_tokens)),
        SEARCHES: (one.searches, str(one.searches)),
        COST: (one.cost_usd, money(one.cost_usd)),
    }
    amount, text = texts[column]
    if not amount:
        return Span(pad_left(glyphs.dot, column.cells), "quiet")
    return Span(pad_left(text, column.cells), "strong" if column is COST else "muted")


def _share(part: Part, frame: _Frame) -> Line:
    if not frame.share_cells:
        return ()
    share = percent(part.share) if part.share else frame.glyphs.dot
    told = Span(pad_left(share, PERCENT_CELLS), "muted" if part.share else "quiet")
    cells = frame.share_cells - PERCENT_CELLS - 2
    if cells <= 0:
        return (told,)
    bar = gauge(part.share, cells, "accent", glyphs=frame.glyphs)
    return (told, Span("  "), bar[0], Span(" " * width_of(bar[1].text)))
