"""The Cost tab's words and columns, and the sums behind them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.api import Charge, Run, RunCosts, RunId
from gligabao_tui.view.cost import cost_head, cost_tables, gauge
from gligabao_tui.view.cost_charts import (
    Bars,
    Curve,
    bars_of,
    chart_title,
    curve_of,
    heights,
    step_ticks,
)
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.view.spending import forecast_of, parts_of, spent, steps_of
from gligabao_tui.view.text import Line, line_width, plain
from tests.tui.scenes import MODEL, spent_by
from tests.tui.view.samples import a_run

WIDTHS = (40, 50, 58, 66, 78, 84, 100, 160)
NAMES = (
    "claude-sonnet-5-5",
    "模型一号",
    "نموذج",
    "🙂🙂",
    "e\u0301te\u0301",
    "\x1b[31mred",
    "[/]" * 9,
    "",
)
COUNTS = st.integers(0, 3_000_000)


def working(model: str = MODEL) -> Run:
    return replace(a_run(), model=model)


def ended(model: str = MODEL) -> Run:
    return replace(a_run(status="completed"), model=model)


def costs_of(steps: int = 9, *, cap: float = 0.0, is_open: bool = True) -> RunCosts:
    return RunCosts(RunId(1), spent_by(steps=steps, last_is_open=is_open, model=MODEL), cap)


def texts(lines: Sequence[Line]) -> list[str]:
    return [plain(row).rstrip() for row in lines]


def head(costs: RunCosts, run: Run, width: int = 84) -> list[str]:
    return texts(cost_head(costs, run, width, glyphs=DRAWN))


def a_charge(cost: float, *, state: str = "thinking", model: str = MODEL, step: int = 1) -> Charge:
    return Charge(step, state, model, 1, 100, 10, 0, 0, 0, cost, False, "2026-11-01")


@pytest.mark.req("R160")
def test_the_head_tells_cost_tokens_calls_and_where_they_come_from() -> None:
    assert head(costs_of(), ended())[:4] == [
        " cost      $0.30   $0.25 models   $0.05 search fees",
        " tokens    139.5k in   104.4k from cache (75 %)   25.2k to cache   3.7k out",
        " calls     10 of models   1 of them failed   18 of tools   5 searches",
        " cap       no cap",
    ]


def test_a_cap_is_a_bar_that_becomes_amber_and_red() -> None:
    tones = {}
    for cap in (1.0, 0.35, 0.25):
        row = cost_head(costs_of(cap=cap), ended(), 84, glyphs=DRAWN)[3]
        tones[plain(row)[11:].split("  ", 1)[1]] = row[-1].tone
    assert tones == {
        "$0.30 of $1.00  30 %": "good",
        "$0.30 of $0.35  85 %": "warn",
        "$0.30 of $0.25  reached": "bad",
    }


def test_a_working_run_is_told_what_it_will_cost_and_an_ended_one_is_not() -> None:
    assert any(row.startswith(" forecast") for row in head(costs_of(), working()))
    assert not any("forecast" in row for row in head(costs_of(), ended()))
    assert forecast_of(costs_of(1), working()) is None


def test_a_step_that_is_going_on_does_not_count_for_the_forecast() -> None:
    open_end, closed = costs_of(3, is_open=True), costs_of(2, is_open=True)
    expected = forecast_of(open_end, working())
    assert expected is not None
    assert len(expected.path_usd) == 20 - 2
    assert forecast_of(closed, working()) is None


def test_estimates_and_models_without_a_price_are_told_in_words() -> None:
    costs = replace(costs_of(), unpriced=("some-model",))
    text = " ".join(" ".join(head(costs, ended())).split())
    assert "2 calls are estimates: the service did not say what was used" in text
    assert "no price is known for some-model: what it used counts $0 here" in text


def test_what_the_knowledge_base_spent_stands_beside_the_run_s_own_cost() -> None:
    costs = replace(costs_of(), knowledge_usd=0.0234)
    (told,) = [row for row in head(costs, working()) if "remembered and asked" in row]
    assert told.split()[0] == "knowledge"
    assert "$0.02" in told
    assert not [row for row in head(costs_of(), working()) if "knowledge" in row]


def test_the_offline_model_costs_nothing_and_shows_no_tokens_that_are_not_there() -> None:
    charge = replace(a_charge(0.0, model=""), input_tokens=0, output_tokens=0)
    rows = head(RunCosts(RunId(1), (charge,)), ended("offline"))
    assert rows == [
        " cost      nothing: offline is no language model, it runs here and is free",
        " calls     1 of tools",
    ]
    with_tokens = head(RunCosts(RunId(1), (a_charge(0.0, model="offline"),)), ended("offline"))
    assert any(row.startswith(" tokens") for row in with_tokens)


@pytest.mark.req("R160")
def test_the_tables_tell_state_kinds_and_models_the_dearest_first() -> None:
    rows = texts(cost_tables(costs_of(6, is_open=False), 84, glyphs=ASCII))
    assert [row.split()[0] for row in rows if row] == [
        "by",
        "thinking",
        "writing",
        "searching",
        "reading",
        "by",
        MODEL,
        "tools",
    ]
    assert rows[1].split()[1:-1] == ["6", "48.1k", "1.8k", "29.0k", "-", "$0.11", "54", "%"]
    assert set(rows[1].split()[-1]) == {"#"}


def test_columns_that_would_say_nothing_are_not_there() -> None:
    charge = replace(a_charge(0.0, model=""), input_tokens=0, output_tokens=0)
    (title, row) = texts(cost_tables(RunCosts(RunId(1), (charge,)), 84, glyphs=DRAWN))
    assert title.split() == ["by", "state", "calls", "share"]
    assert row.split()[:2] == ["thinking", "1"]


@given(
    st.lists(
        st.builds(
            Charge,
            step=st.integers(0, 40),
            state=st.sampled_from(["thinking", "searching", "reading", "状态", "\x9bx"]),
            model=st.sampled_from(NAMES),
            calls=st.integers(0, 9_999),
            input_tokens=COUNTS,
            output_tokens=COUNTS,
            cache_read_tokens=COUNTS,
            cache_write_tokens=COUNTS,
            searches=st.integers(0, 9_999),
            cost_usd=st.floats(0, 5_000),
            is_estimate=st.booleans(),
            finished_at=st.sampled_from([None, "2026-11-01T00:00:00.000Z"]),
        ),
        max_size=12,
    ),
    st.sampled_from(WIDTHS),
    st.sampled_from([DRAWN, ASCII]),
)
def test_columns_stay_straight_whatever_the_names_and_numbers(
    charges: list[Charge], width: int, glyphs: object
) -> None:
    assert glyphs in (DRAWN, ASCII)
    costs = RunCosts(RunId(1), tuple(charges), 1.0, ("e\u0301" * 40,))
    tables = cost_tables(costs, width, glyphs=DRAWN if glyphs == DRAWN else ASCII)
    rows = (*tables, *cost_head(costs, working(), width, glyphs=DRAWN))
    assert all(line_width(row) <= width for row in rows)
    assert not any(set(plain(row)) & {"\x1b", "\x9b"} for row in rows)
    by_state = [row for row in tables if row][: len({charge.state for charge in charges}) + 1]
    names = {line_width(row[:1]) for row in by_state}
    assert len(names) <= 1


def test_parts_add_up_to_the_whole() -> None:
    costs = costs_of()
    parts = parts_of(costs.charges, lambda charge: charge.state)
    assert round(sum(part.share for part in parts), 9) == 1.0
    assert sum(part.spent.calls for part in parts) == spent(costs.charges).calls
    assert sum(step.tokens for step in steps_of(costs)) == spent(costs.charges).tokens


def test_what_came_before_the_first_step_belongs_to_it() -> None:
    charges = (a_charge(0.01, step=0), a_charge(0.02, step=1), a_charge(0.04, step=3))
    steps = steps_of(RunCosts(RunId(1), charges))
    assert [round(step.cost_usd, 6) for step in steps] == [0.03, 0.0, 0.04]
    assert steps_of(RunCosts(RunId(1))) == ()


@given(st.floats(0, 3), st.integers(1, 60))
def test_a_gauge_is_as_wide_as_it_was_asked_to_be(share: float, cells: int) -> None:
    for glyphs in (DRAWN, ASCII):
        bar = gauge(share, cells, "good", glyphs=glyphs)
        assert line_width(bar) == cells
        assert bool(bar[0].text) == (share > 0)


def test_a_curve_goes_on_to_the_last_step_or_to_the_cap() -> None:
    curve = curve_of(costs_of(), working())
    assert curve is not None
    assert (len(curve.totals), curve.last_step, curve.cap_usd) == (9, 20, 0.0)
    capped = curve_of(costs_of(cap=0.5), working())
    assert capped is not None
    assert capped.ahead[-1] == capped.cap_usd == 0.5
    assert capped.last_step < 20
    assert curve_of(costs_of(cap=90.0), working()) == curve
    over = curve_of(costs_of(6), ended())
    assert over is not None
    assert over.ahead == ()


def test_there_is_no_chart_of_nothing() -> None:
    assert curve_of(costs_of(1), working()) is None
    assert curve_of(RunCosts(RunId(1), (a_charge(0), a_charge(0, step=2))), working()) is None
    assert bars_of(costs_of(1)) is None
    tools = replace(a_charge(0, model=""), input_tokens=0, output_tokens=0)
    assert bars_of(RunCosts(RunId(1), (tools, replace(tools, step=2)))) is None


def test_bars_tell_apart_what_was_sent_anew_what_was_cached_and_what_came_back() -> None:
    bars = bars_of(costs_of(3))
    assert bars == Bars((3_740, 3_780, 3_820), (0, 2_900, 5_800), (290, 320, 350))
    assert plain(chart_title(bars, 60, ASCII)) == " tokens by step  # in  : cached  = out"
    assert plain(chart_title(bars, 20, ASCII)).startswith(" tokens by step")


@given(st.floats(0.000_1, 10_000), st.integers(1, 40_000_000))
def test_the_left_side_has_few_round_numbers_that_hold_everything(usd: float, most: int) -> None:
    for chart, highest in ((Curve((usd / 2, usd)), usd), (Bars((most,), (0,), (0,)), most)):
        ticks = heights(chart)
        assert 2 <= len(ticks) <= 5
        assert ticks[-1].place >= highest * 0.998
        assert len({tick.label for tick in ticks}) == len(ticks)


@given(st.integers(1, 40), st.integers(1, 120))
def test_numbers_of_steps_leave_room_between_them(last: int, cells: int) -> None:
    ticks = step_ticks(last, cells)
    assert all(1 <= tick.place <= last for tick in ticks)
    assert sum(len(tick.label) for tick in ticks) < max(cells, 4)
