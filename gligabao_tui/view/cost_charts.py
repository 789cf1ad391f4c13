"""What the two charts of the Cost tab show: values and words; drawing them is the widget's."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from math import floor, log10
from typing import TypeAlias

from engine.api import Run, RunCosts
from gligabao_tui.view.forecast import Forecast
from gligabao_tui.view.formatting import money, tokens
from gligabao_tui.view.glyphs import ASCII, Glyphs
from gligabao_tui.view.spending import forecast_of, steps_of
from gligabao_tui.view.text import Line, Span, Tone, crop

NEAR = 2.5
"""The cap is drawn when it is at most so many times what the chart shows anyway."""
TICKS_MOST = 4
TICK_CELLS = 4
WHOLE = 5.0
"""Round strides from this one on are whole numbers."""
ROUND_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Marks:
    """One cell each, told apart without colour; `line` may be the name of a finer drawing."""

    line: str = "hd"
    line_key: str = "▀"
    ahead: str = "·"
    cap: str = "─"
    fresh: str = "█"
    cached: str = "░"
    out: str = "▓"


DRAWN_MARKS = Marks()
ASCII_MARKS = Marks(line="*", line_key="*", ahead=".", cap="-", fresh="#", cached=":", out="=")


@dataclass(frozen=True, slots=True)
class Curve:
    """USD after each step. `ahead` goes on where `totals` ends; `cap_usd` 0: none is drawn."""

    totals: tuple[float, ...]
    ahead: tuple[float, ...] = ()
    cap_usd: float = 0.0

    @property
    def last_step(self) -> int:
        return len(self.totals) + len(self.ahead)

    @property
    def highest_usd(self) -> float:
        return max(self.totals[-1], *self.ahead, self.cap_usd)


@dataclass(frozen=True, slots=True)
class Bars:
    """Tokens of each step, stacked: sent anew, sent from the cache, answered."""

    fresh: tuple[int, ...]
    cached: tuple[int, ...]
    out: tuple[int, ...]

    @property
    def highest(self) -> int:
        return max(map(sum, zip(self.fresh, self.cached, self.out, strict=True)))


Chart: TypeAlias = Curve | Bars


@dataclass(frozen=True, slots=True)
class Tick:
    place: float
    label: str


def curve_of(costs: RunCosts, run: Run) -> Curve | None:
    """None while nothing has been spent, and after a single step."""
    totals = tuple(accumulate(step.cost_usd for step in steps_of(costs)))
    if len(totals) < 2 or not totals[-1]:
        return None
    ahead = _ahead(forecast_of(costs, run), totals, costs.max_cost_usd)
    highest = max((totals[-1], *ahead))
    cap = costs.max_cost_usd if costs.max_cost_usd <= NEAR * highest else 0.0
    return Curve(totals, ahead, cap)


def bars_of(costs: RunCosts) -> Bars | None:
    """None while no model has been asked, and after a single step."""
    steps = steps_of(costs)
    if len(steps) < 2 or not any(step.tokens for step in steps):
        return None
    return Bars(
        tuple(step.fresh_tokens for step in steps),
        tuple(step.cache_read_tokens for step in steps),
        tuple(step.output_tokens for step in steps),
    )


def chart_title(chart: Chart, width: int, glyphs: Glyphs) -> Line:
    """What it shows, and which mark is what."""
    marks = marks_of(glyphs)
    if isinstance(chart, Curve):
        keys: tuple[tuple[str, Tone, str], ...] = (
            (marks.ahead, "muted", "forecast" if chart.ahead else ""),
            (marks.cap, "bad", f"cap {money(chart.cap_usd)}" if chart.cap_usd else ""),
        )
        return _title("cost by step", keys, width)
    keys = (
        (marks.fresh, "accent", "in"),
        (marks.cached, "muted", "cached" if any(chart.cached) else ""),
        (marks.out, "quote", "out"),
    )
    return _title("tokens by step", keys, width)


def marks_of(glyphs: Glyphs) -> Marks:
    return ASCII_MARKS if glyphs == ASCII else DRAWN_MARKS


def heights(chart: Chart) -> tuple[Tick, ...]:
    """Round numbers up the left side, the last one at or above everything shown."""
    if isinstance(chart, Bars):
        return tuple(
            Tick(at, tokens(round(at)).replace(".0", ""))
            for at in _round_places(chart.highest, least=WHOLE)
        )
    places = _round_places(chart.highest_usd)
    digits = max(0 if place == int(place) else _digits(place) for place in places)
    decimals = max(2, digits) if digits else 0
    return tuple(Tick(at, f"${at:,.{decimals}f}" if at else "$0") for at in places)


def steps_in(chart: Chart) -> int:
    return chart.last_step if isinstance(chart, Curve) else len(chart.fresh)


def step_ticks(last: int, cells: int) -> tuple[Tick, ...]:
    """Numbers of steps along the foot, in strides that leave room between them."""
    least = max(1, -(-last * TICK_CELLS // max(1, cells)))
    stride = next((one for one in (1, 2, 5, 10, 20) if one >= least), last)
    return tuple(Tick(at, str(at)) for at in range(stride, last + 1, stride))


def _ahead(expected: Forecast | None, totals: Sequence[float], cap_usd: float) -> tuple[float, ...]:
    """The path from the last step that is drawn on (one that goes on is drawn as it is), up to
    the cap: the run ends there."""
    if expected is None:
        return ()
    left = expected.steps - len(totals)
    path = tuple(max(totals[-1], usd) for usd in expected.path_usd[len(expected.path_usd) - left :])
    below = tuple(takewhile(lambda usd: not cap_usd or usd < cap_usd, path))
    return below if len(below) == len(path) else (*below, max(cap_usd, totals[-1]))


def _title(title: str, keys: Sequence[tuple[str, Tone, str]], width: int) -> Line:
    spans = [Span(f" {title}", "accent")]
    for mark, tone, word in keys:
        if word:
            spans.extend((Span("  "), Span(mark, tone), Span(f" {word}", "muted")))
    return crop(tuple(spans), width)


def _round_places(highest: float, *, least: float = 0.0) -> tuple[float, ...]:
    """0 and round multiples of at least `least`, up to `highest` or just above."""
    rough = max(highest / (TICKS_MOST - 1), least)
    unit = 10.0 ** floor(log10(rough))
    stride = next(unit * one for one in ROUND_STEPS if unit * one >= rough * 0.999)
    count = next(n for n in range(1, TICKS_MOST + 1) if n * stride >= highest * 0.999)
    return tuple(n * stride for n in range(count + 1))


def _digits(place: float) -> int:
    """Decimals that write it in full."""
    return len(f"{place:.6f}".rstrip("0").partition(".")[2])
