"""The workspace: the list of runs, its filters and pages, and what follows from events."""

from collections.abc import Sequence

import pytest
from textual.widgets import ContentSwitcher, Input

from engine.api import Resync, RunId, Settings
from gligabao_tui.app import GligabaoApp, Opening
from gligabao_tui.view.formatting import EPOCH
from gligabao_tui.view.listing import Listing
from gligabao_tui.widgets.plain import Drawn
from gligabao_tui.widgets.run_list import RunList
from tests.fakes.engine import FakeEngine
from tests.tui.driving import NARROW, caught_up, click, press, screen_text, settled, shown
from tests.tui.scenes import app_over, completed, failed, mixed, nothing, stopped


def rows(app: GligabaoApp) -> list[str]:
    """The topics in the list, in order."""
    return [row.run.topic for row in app.screen.query_one(RunList).rows]


async def test_an_empty_workspace_says_what_to_do(settings: Settings) -> None:
    app = app_over(nothing(), settings)
    async with shown(app):
        assert "Nothing has been researched yet" in screen_text(app)
        assert "n  start a research" in screen_text(app)


@pytest.mark.req("R150", "R151", "R154")
async def test_runs_are_listed_newest_first_with_their_counts(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app):
        assert rows(app)[0].startswith("Port of Gdansk")
        assert rows(app)[-1].startswith("Ferry routes")
        top = screen_text(app).splitlines()[0]
        assert "● 2 working   ✓ 1 done   ✗ 1 failed   ■ 1 stopped" in top
        assert "today $0.36" in top


@pytest.mark.req("R153")
@pytest.mark.parametrize(("presses", "topic"), [(2, "How does"), (3, "Timeline"), (4, "Ferry")])
async def test_runs_are_filtered_by_status(settings: Settings, presses: int, topic: str) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, *["]"] * presses)
        assert [found.startswith(topic) for found in rows(app)] == [True]
        await press(pilot, *["["] * presses)
        assert len(rows(app)) == 5


async def test_a_filter_without_runs_says_so(settings: Settings) -> None:
    engine = FakeEngine()
    completed(engine)
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "]")
        assert "No run matches" in screen_text(app)


async def test_another_order_leaves_the_keys_with_the_list(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        runs = app.screen.query_one(RunList)
        found = [row.run for row in runs.rows]
        runs.show(Listing(), (), EPOCH)  # nothing is read yet
        await settled(pilot)
        runs.show(Listing(is_read=True), found, EPOCH)
        await settled(pilot)
        await press(pilot, "enter")
        assert app.screen.query_one("#pane", ContentSwitcher).current == "details"


async def test_runs_are_found_by_the_words_of_their_topic(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "/", *"ferry", "enter")
        assert [topic.split()[0] for topic in rows(app)] == ["Ferry"]
        await press(pilot, "/", "escape")
        assert len(rows(app)) == 5
        assert not app.screen.query_one(Input).display


async def test_runs_are_put_in_another_order(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "o")
        assert rows(app)[0].startswith("Who has owned")
        assert "dearest first" in screen_text(app)


async def test_pages_are_read_when_the_end_comes_near(settings: Settings) -> None:
    engine = FakeEngine()
    for number in range(450):
        engine.end(engine.begin(f"Topic {number}"), "completed", "")
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        assert len(rows(app)) == 200
        await press(pilot, "G", "G", "G")
        assert len(rows(app)) == 450
        assert rows(app)[-1] == "Topic 0"
        assert sum(one.startswith("list") for one in engine.asked) == 3


async def test_a_run_that_somebody_starts_appears_by_itself(settings: Settings) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        engine.begin("Started by a command")
        await caught_up(pilot, app, engine)
        assert rows(app)[0] == "Started by a command"
        assert "● 3 working" in screen_text(app)


async def test_the_cursor_stays_on_its_run_when_another_comes_above(settings: Settings) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "down", "down")
        assert app.screen.query_one(RunList).selected == 3
        engine.begin("Another")
        await caught_up(pilot, app, engine)
        assert app.screen.query_one(RunList).selected == 3


async def test_running_times_go_on_as_time_passes(settings: Settings) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        assert " 2:52 " in screen_text(app)
        engine.clock.advance(60)
        app.tick()
        await settled(pilot)
        assert " 3:52 " in screen_text(app)
        assert " 2:52 " not in screen_text(app)


async def test_the_list_tells_of_now_when_one_comes_back_to_it(settings: Settings) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        before = screen_text(app)
        await press(pilot, "enter")
        engine.clock.advance(7_200)
        await press(pilot, "escape")
        back = screen_text(app)
        app.tick()
        await settled(pilot)
        assert back == screen_text(app)
        assert back != before


@pytest.mark.parametrize("lost", [[Resync(None)], [Resync(RunId(4))]])
async def test_what_was_lost_is_read_again(settings: Settings, lost: Sequence[Resync]) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "down", "enter")
        engine.asked.clear()
        for event in lost:
            engine.emit(event)
        await caught_up(pilot, app, engine)
        assert "get 4" in engine.asked
        assert any(one.startswith("list") for one in engine.asked) == (lost[0].run_id is None)


async def test_the_app_opens_the_run_it_was_called_for(settings: Settings) -> None:
    app = app_over(mixed(), settings, Opening(open_run=RunId(2)))
    async with shown(app):
        assert app.screen.query_one("#pane", ContentSwitcher).current == "details"
        assert "How does write-ahead logging" in screen_text(app)


async def test_a_run_that_does_not_exist_is_said(settings: Settings) -> None:
    app = app_over(mixed(), settings, Opening(open_run=RunId(99)))
    async with shown(app):
        assert "there is no run 99" in screen_text(app)
        assert app.screen.query_one("#pane", ContentSwitcher).current == "runs"


async def test_a_count_in_the_top_line_leads_to_its_runs(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await click(pilot, "#top", at=(40, 0))
        assert [topic.split()[0] for topic in rows(app)] == ["Timeline"]


async def test_a_filter_is_chosen_with_the_mouse(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await click(pilot, "#run-filters", at=(8, 0))
        assert len(rows(app)) == 2


async def test_keys_of_the_footer_are_those_that_do_something(settings: Settings) -> None:
    engine = FakeEngine()
    stopped(engine)
    failed(engine)
    app = app_over(engine, settings)
    async with shown(app):
        footer = screen_text(app).splitlines()[-1]
        assert "e Error" in footer
        assert "s Stop" not in footer
        assert "x Dismiss" not in footer


async def test_a_hint_of_the_footer_can_be_clicked(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await click(pilot, "#keys", at=(2, 0))
        assert "New research" in screen_text(app)


async def test_a_terminal_that_is_too_small_is_told_so_and_recovers(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app, (50, 12)) as pilot:
        assert screen_text(app).strip() == "gligabao needs 60x15, this is 50x12"
        await pilot.resize_terminal(*NARROW)
        await press(pilot)
        assert "Port of Gdansk" in screen_text(app)
        assert not app.screen.query_one("#too-small", Drawn).display


async def test_copying_in_the_list_takes_the_topic(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "y")
        assert app.clipboard == "Port of Gdansk: container volumes from 2015 to 2024"
        assert "Copied the topic" in screen_text(app)


async def test_a_list_without_rows_still_hears_its_keys(settings: Settings) -> None:
    engine = FakeEngine()
    completed(engine)
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "]", "/")
        assert app.screen.query_one(Input).display
        await press(pilot, "escape", "[", "enter")
        assert app.screen.query_one("#pane", ContentSwitcher).current == "details"


async def test_the_first_run_of_all_can_be_opened_at_once(settings: Settings) -> None:
    engine = nothing()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        engine.begin("Rivers")
        await caught_up(pilot, app, engine)
        await press(pilot, "enter")
        assert app.screen.query_one("#pane", ContentSwitcher).current == "details"


async def test_another_order_is_shown_from_its_start(settings: Settings) -> None:
    engine = FakeEngine()
    for number in range(150):
        engine.end(engine.begin(f"Topic {number}"), "completed", "")
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "G", "o")
        assert "Topic 149" in screen_text(app)


async def test_the_run_that_was_chosen_last_time_is_chosen_again(settings: Settings) -> None:
    engine = mixed()
    async with shown(app_over(engine, settings)) as pilot:
        await press(pilot, "down", "down")
    app = app_over(engine, settings)
    async with shown(app):
        assert app.screen.query_one(RunList).selected == 3
