"""The Cost tab: read and drawn only while somebody looks at it, and never dearer than that."""

import subprocess
import sys
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from engine.api import RunId, Settings
from gligabao_tui.app import GligabaoApp
from gligabao_tui.view.glyphs import ASCII, DRAWN
from gligabao_tui.widgets.charts import ChartPlot, chart_lines
from gligabao_tui.widgets.cost import CostPage
from tests.fakes.engine import FakeEngine
from tests.tui.driving import NARROW, SMALL, caught_up, press, screen_text, shown
from tests.tui.scenes import app_over, offline_spending, spending
from tests.tui.test_hostile import HOSTILE, assert_safe

WORKING = RunId(2)
LONGER_THAN_A_TEST = 3_600.0
STARTS_WITHOUT = """
import sys
from gligabao_tui.app import GligabaoApp
from gligabao_tui.widgets.cost import CostPage
sys.exit(any(name.split(".")[0] in ("plotext", "textual_plotext") for name in sys.modules))
"""


def costs_read(engine: FakeEngine) -> int:
    return len([asked for asked in engine.asked if asked.startswith("costs")])


def page(app: GligabaoApp) -> CostPage:
    return app.screen.query_one(CostPage)


def plots(app: GligabaoApp) -> list[ChartPlot]:
    return [plot for plot in app.screen.query(ChartPlot) if plot.region.area]


async def spend(pilot: Pilot[int], app: GligabaoApp, engine: FakeEngine, cost: float) -> None:
    engine.use(WORKING, steps=10, cost=cost, tokens=150_000)
    await caught_up(pilot, app, engine)


@pytest.mark.req("R160")
async def test_costs_are_read_when_the_tab_is_looked_at_and_not_before(settings: Settings) -> None:
    engine = spending()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "2", "1")
        await spend(pilot, app, engine, 0.4)
        assert costs_read(engine) == 0
        await press(pilot, "7")
        assert costs_read(engine) == 1
        assert "$0.30 of $1.00" in screen_text(app)
        assert "by state" in screen_text(app)


async def test_costs_are_read_again_as_they_change_but_not_for_every_change(
    settings: Settings,
) -> None:
    engine = spending()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        page(app).rest_seconds = LONGER_THAN_A_TEST
        await press(pilot, "enter", "7")
        for cost in (0.4, 0.5, 0.6):
            await spend(pilot, app, engine, cost)
        assert costs_read(engine) == 1
        page(app)._rested()  # a second has passed
        await press(pilot)
        assert costs_read(engine) == 2
        page(app)._rested()  # and another, in which nothing happened
        await press(pilot)
        assert costs_read(engine) == 2
        await press(pilot, "1")
        await spend(pilot, app, engine, 0.7)
        page(app)._rested()
        await press(pilot)
        assert costs_read(engine) == 2
        await press(pilot, "7")
        assert costs_read(engine) == 3


async def test_a_chart_is_built_once_for_what_it_shows_and_its_size(settings: Settings) -> None:
    engine = spending()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "7")
        charts = plots(app)
        assert [chart.builds for chart in charts] == [1, 1]
        for _ in range(5):
            app.screen.refresh(repaint=True, layout=True)
            for chart in charts:
                chart.refresh()
            await press(pilot, "1", "7")
        assert [chart.builds for chart in charts] == [1, 1]
        before = [chart.render().spans for chart in charts]
        app.theme = "gligabao-light"
        await press(pilot)
        assert [chart.builds for chart in charts] == [1, 1]
        assert all(chart.render().spans != old for chart, old in zip(charts, before, strict=True))
        await pilot.resize_terminal(140, 40)
        await press(pilot)
        assert [chart.builds for chart in charts] == [2, 2]
        engine.charges[WORKING] = engine.charges[WORKING][:-2]
        await spend(pilot, app, engine, 0.31)
        page(app)._rested()
        await press(pilot)
        assert [chart.builds for chart in charts] == [3, 3]


async def test_charts_stand_side_by_side_below_each_other_or_not_at_all(
    settings: Settings,
) -> None:
    app = app_over(spending(), settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "7")
        left, right = plots(app)
        assert (left.region.y, left.region.right <= right.region.x) == (right.region.y, True)
        await pilot.resize_terminal(*NARROW)
        await press(pilot, "G")
        above, below = (plot.virtual_region for plot in app.screen.query(ChartPlot))
        assert above.width == below.width > 70
        assert "tokens by step" in screen_text(app)
        await pilot.resize_terminal(*SMALL)
        await press(pilot, "g")
        assert not page(app).query_one("#cost-charts").display
        assert "$0.30 of $1.00" in screen_text(app)


def test_a_start_of_the_app_loads_no_plotext() -> None:
    code = [sys.executable, "-c", STARTS_WITHOUT]
    assert subprocess.run(code, check=False).returncode == 0


async def test_a_free_run_shows_no_chart(settings: Settings) -> None:
    app = app_over(offline_spending(), settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "7")
        assert "offline is no language model" in screen_text(app)
        assert plots(app) == []


async def test_two_charts_do_not_disturb_each_other(settings: Settings) -> None:
    app = app_over(spending(), settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "7")
        curve, bars = plots(app)
        alone = {}
        for plot in (bars, curve, bars, curve):
            assert plot._chart is not None
            fresh = ChartPlot(DRAWN).plt
            size = (plot.size.width, plot.size.height)
            alone[plot] = chart_lines(fresh, plot._chart, size=size, glyphs=DRAWN)
        assert (alone[curve], alone[bars]) == (curve._lines, bars._lines)


async def test_plain_charts_are_plain(settings: Settings) -> None:
    app = app_over(spending(), replace(settings, app=replace(settings.app, ascii=True)))
    async with shown(app) as pilot:
        await press(pilot, "enter", "7")
        for plot in plots(app):
            text = plot.render().plain
            assert text.isascii()
            assert "+" in text
            assert plot._glyphs == ASCII


async def test_hostile_names_of_models_and_states_are_shown_safely(settings: Settings) -> None:
    engine = spending()
    engine.charges[WORKING] = tuple(
        replace(charge, model=charge.model and HOSTILE, state=HOSTILE)
        for charge in engine.charges[WORKING]
    )
    engine.unpriced[WORKING] = (HOSTILE,)
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "7")
        assert_safe(app)
        assert "abcdefg[/]h[red]i" in screen_text(app)
        await press(pilot, "y")
        assert "\x1b" not in app.clipboard


async def test_the_tab_is_copied_as_text(settings: Settings) -> None:
    app = app_over(spending(), settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "7", "y")
        assert "by model" in app.clipboard
        assert "$0.30 of $1.00" in app.clipboard
