"""Coming back to a run, or to the app: everything is where it was left."""

from engine.api import RunId, Settings
from gligabao_tui.app import GligabaoApp
from gligabao_tui.widgets.block_list import BlockList
from gligabao_tui.widgets.details import DetailsView
from gligabao_tui.widgets.run_list import RunList
from tests.fakes.engine import FakeEngine
from tests.tui.driving import NARROW, press, screen_text, shown
from tests.tui.scenes import app_over, mixed, only_completed

LONG = "# A report\n\n" + "\n\n".join(f"Paragraph {number}." for number in range(200))


def seen(app: GligabaoApp) -> tuple[object, ...]:
    """Where somebody is: tab, top of the view, cursor, opened states."""
    blocks = app.screen.query_one("#state-blocks", BlockList)
    tab = app.screen.query_one(DetailsView).tab
    spot = blocks.spot
    return (tab, spot.top, spot.cursor, {key for key, is_open in spot.by_hand.items() if is_open})


def two_long_runs() -> FakeEngine:
    engine = FakeEngine()
    for topic in ("Rivers of the north", "Lakes of the south"):
        run_id = engine.begin(topic)
        for number in range(60):
            engine.enter(run_id, "reading", f"page {number}")
        engine.end(run_id, "failed", "the model API is overloaded")
    return engine


async def test_each_run_keeps_its_place_while_others_are_looked_at(settings: Settings) -> None:
    app = app_over(two_long_runs(), settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", *["j"] * 40, "space")
        left = seen(app)
        await press(pilot, "escape", "down", "enter", "j", "j")
        assert seen(app) != left
        await press(pilot, "escape", "up", "enter")
        assert seen(app) == left


async def test_the_next_start_shows_what_was_left(settings: Settings) -> None:
    engine = two_long_runs()
    async with shown(first := app_over(engine, settings)) as pilot:
        await press(pilot, "down", "enter", *["j"] * 30, "enter")
        left, told = seen(first), screen_text(first)
    again = app_over(engine, settings)
    async with shown(again):
        assert seen(again) == left
        assert screen_text(again) == told


async def test_the_list_is_filtered_and_put_in_order_as_it_was(settings: Settings) -> None:
    engine = mixed()
    async with shown(app_over(engine, settings)) as pilot:
        await press(pilot, "/", "f", "e", "r", "enter", "o")
    again = app_over(engine, settings)
    async with shown(again):
        listed = again.main.ui_state.listed
        assert (listed.text, listed.sort) == ("fer", "cost")
        assert [row.key for row in again.screen.query_one(RunList).rows] == [RunId(1)]
        assert "fer" in screen_text(again), "what it is filtered by is told"


async def test_a_report_goes_on_where_it_was_left(settings: Settings) -> None:
    engine = FakeEngine()
    engine.complete(engine.begin("A long story"), LONG)
    async with shown(first := app_over(engine, settings), NARROW) as pilot:
        await press(pilot, "enter", "pagedown", "pagedown", "pagedown")
        told = screen_text(first)
    again = app_over(engine, settings)
    async with shown(again, NARROW):
        assert screen_text(again) == told


async def test_whoever_watched_a_run_to_its_end_is_shown_its_report(settings: Settings) -> None:
    engine = FakeEngine()
    run_id = engine.begin("Rivers")
    engine.enter(run_id, "thinking", "step 1 of 20")
    async with shown(app_over(engine, settings)) as pilot:
        await press(pilot, "enter")
    engine.complete(run_id, "# What the rivers do")
    again = app_over(engine, settings)
    async with shown(again):
        assert again.screen.query_one(DetailsView).tab == "report"


async def test_a_run_that_was_open_and_is_gone_leaves_the_list(settings: Settings) -> None:
    settings.data_dir.mkdir()
    (settings.data_dir / "ui_state.json").write_text('{"opened": 77}')
    app = app_over(only_completed(), settings)
    async with shown(app):
        assert app.main.ui_state.opened is None
        assert "write-ahead logging" in screen_text(app)
