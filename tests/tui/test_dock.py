"""The dock: a block per agent, green or red, until it is dismissed."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from engine.api import EngineUnreachable, RunId, Settings
from gligabao_tui.app import GligabaoApp
from gligabao_tui.resources import read_small
from gligabao_tui.screens.failure import FailureDialog
from gligabao_tui.view.ui_state import UiState, ui_state_of
from gligabao_tui.widgets.dock import Card, Dock
from tests.fakes.engine import FakeEngine
from tests.tui.driving import NARROW, caught_up, click, press, screen_text, settled, shown
from tests.tui.scenes import app_over, completed, mixed, nothing, working

READING, WRITING = RunId(1), RunId(2)


def blocks(app: GligabaoApp) -> list[int]:
    return [card.run_id for card in app.screen.query(Card)]


def looks(app: GligabaoApp, run_id: int) -> set[str]:
    return {name for name in app.screen.query_one(f"#card-{run_id}").classes if name[0] == "-"}


@pytest.mark.req("R161", "R162")
async def test_every_working_agent_has_a_green_block(settings: Settings) -> None:
    app = app_over(working(), settings)
    async with shown(app):
        assert blocks(app) == [2, 1]
        assert "-good" in looks(app, 1)
        assert re.search("● reading +1:48", screen_text(app))
        assert "step 2/40  $0.17" in screen_text(app)


async def test_there_is_no_dock_when_nothing_works(settings: Settings) -> None:
    engine = FakeEngine()
    completed(engine)
    app = app_over(engine, settings)
    async with shown(app):
        assert not app.screen.query_one(Dock).display


@pytest.mark.req("R162", "R163")
async def test_a_block_turns_red_at_a_failure_and_stays_until_dismissed(
    settings: Settings,
) -> None:
    engine = working()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        engine.end(WRITING, "failed", "status 529")
        await caught_up(pilot, app, engine)
        assert {"-bad"} <= looks(app, WRITING)
        assert re.search("✗ failed +just now ×", screen_text(app))
        assert "why it failed" in screen_text(app)
        await press(pilot, "x")
        assert blocks(app) == [1]


@pytest.mark.req("R162", "R163")
async def test_a_completed_block_stays_green(settings: Settings) -> None:
    engine = working()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        engine.complete(WRITING, "# Report")
        await caught_up(pilot, app, engine)
        assert {"-good"} <= looks(app, WRITING)
        assert re.search("✓ done +just now ×", screen_text(app))


async def test_a_run_that_is_over_in_a_moment_still_has_its_block(settings: Settings) -> None:
    engine = nothing()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        run_id = engine.begin("Quick")
        engine.complete(run_id, "# Quick")
        await caught_up(pilot, app, engine)
        assert blocks(app) == [run_id]


@pytest.mark.req("R163")
async def test_a_click_on_a_block_opens_its_details(settings: Settings) -> None:
    app = app_over(working(), settings)
    async with shown(app) as pilot:
        await click(pilot, "#card-1")
        assert "annual-report-2023.pdf" in screen_text(app)
        assert "-open" in looks(app, 1)


async def test_a_block_is_dismissed_and_its_error_opened_with_the_mouse(
    settings: Settings,
) -> None:
    engine = working()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        engine.end(WRITING, "failed", "status 529")
        await caught_up(pilot, app, engine)
        await click(pilot, "#card-2", at=(6, 4))
        assert isinstance(app.screen, FailureDialog)
        await press(pilot, "escape")
        await click(pilot, "#card-2", at=(30, 0))
        assert blocks(app) == [1]


async def test_a_working_block_cannot_be_dismissed(settings: Settings) -> None:
    app = app_over(working(), settings)
    async with shown(app) as pilot:
        await press(pilot, "x", "X")
        assert blocks(app) == [2, 1]


async def test_all_ended_blocks_are_dismissed_together(settings: Settings) -> None:
    engine = working()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        third = engine.begin("Third")
        engine.end(WRITING, "failed", "status 529")
        engine.end(third, "stopped", "stopped by ann")
        await caught_up(pilot, app, engine)
        assert blocks(app) == [3, 2, 1]
        await press(pilot, "X")
        assert blocks(app) == [1]


async def test_agents_are_visited_one_after_the_other_from_anywhere(settings: Settings) -> None:
    app = app_over(working(), settings)
    async with shown(app) as pilot:
        await press(pilot, "J")
        assert "#2 Port of Gdansk" in screen_text(app)
        await press(pilot, "J")
        assert "#1 Who has owned" in screen_text(app)
        await press(pilot, "K")
        assert "#2 Port of Gdansk" in screen_text(app)


async def test_the_dock_has_keys_of_its_own(settings: Settings) -> None:
    app = app_over(working(), settings)
    async with shown(app) as pilot:
        app.screen.query_one(Dock).focus()
        await press(pilot, "down", "s")
        assert "Stop #1?" in screen_text(app)
        await press(pilot, "escape", "enter")
        assert "#1 Who has owned" in screen_text(app)


async def test_a_narrow_screen_has_a_strip_of_blocks(settings: Settings) -> None:
    engine = working()
    app = app_over(engine, settings)
    async with shown(app, NARROW) as pilot:
        rows = screen_text(app).splitlines()
        assert "● thinking" in rows[1]
        assert "● reading" in rows[1]
        assert "3/20 Port of" in rows[2]
        await pilot.resize_terminal(120, 36)
        await press(pilot)
        assert "#1  step 2/40" in screen_text(app)


async def test_blocks_are_remembered_from_one_start_to_the_next(settings: Settings) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        engine.end(RunId(5), "failed", "status 529")
        await caught_up(pilot, app, engine)
    engine.end(RunId(4), "completed", "")
    again = app_over(engine, settings)
    async with shown(again) as pilot:
        assert blocks(again) == [5, 4]
        await press(pilot, "X")
    kept = ui_state_of(read_small(settings.data_dir / "ui_state.json"))
    assert kept.docked == ()


async def test_a_remembered_run_that_is_gone_is_no_trouble(settings: Settings) -> None:
    settings.data_dir.mkdir()
    (settings.data_dir / "ui_state.json").write_text('{"docked": [7, 2]}')
    app = app_over(mixed(), settings)
    async with shown(app):
        assert blocks(app) == [5, 4, 2]


@pytest.mark.req("R162")
async def test_a_lost_engine_turns_the_dock_red_and_can_be_opened_again(
    settings: Settings,
) -> None:
    engine = working()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        engine.fail_watchers(EngineUnreachable("the owner of the data does not answer"))
        await app.bridge.ended()
        await press(pilot)
        assert "engine unreachable" in screen_text(app)
        assert "the owner of the data does not answer" in screen_text(app)
        assert app.screen.has_class("-engine-lost")
        await press(pilot, "ctrl+r")
        assert "engine here" in screen_text(app)
        assert not app.screen.has_class("-engine-lost")
        assert blocks(app) == [2, 1]


async def test_keys_go_to_the_list_when_the_last_block_is_dismissed(settings: Settings) -> None:
    engine = FakeEngine()
    completed(engine)
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        engine.end(engine.begin("Rivers"), "completed", "")
        await caught_up(pilot, app, engine)
        await press(pilot, "tab", "X", "down", "enter")
        assert "How does write-ahead logging" in screen_text(app).splitlines()[2]


async def test_dismissed_blocks_stay_away_when_the_engine_is_opened_again(
    settings: Settings,
) -> None:
    settings.data_dir.mkdir(parents=True)
    (settings.data_dir / "ui_state.json").write_text('{"docked": [3, 2]}')
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "X")
        engine.fail_watchers(EngineUnreachable("the owner of the data does not answer"))
        await app.bridge.ended()
        await press(pilot, "ctrl+r")
        assert blocks(app) == [5, 4]


async def test_an_engine_that_cannot_be_opened_again_leaves_what_was_read(
    settings: Settings,
) -> None:
    engine, is_there = mixed(), True

    @asynccontextmanager
    async def opener() -> AsyncIterator[FakeEngine]:
        if not is_there:
            raise EngineUnreachable("nobody answers")
        yield engine

    app = GligabaoApp(settings, opener, now=engine.clock.now)
    async with shown(app) as pilot:
        is_there = False
        engine.fail_watchers(EngineUnreachable("the owner of the data does not answer"))
        await app.bridge.ended()
        await press(pilot, "ctrl+r")
        assert "nobody answers. Press ctrl+r to open it again." in screen_text(app)
        assert app.return_code is None
        is_there = True
        await press(pilot, "ctrl+r")
        assert "engine here" in screen_text(app)


async def test_what_was_remembered_is_kept_when_the_engine_cannot_be_opened(
    settings: Settings,
) -> None:
    settings.data_dir.mkdir(parents=True)
    file = settings.data_dir / "ui_state.json"
    file.write_text('{"docked": [7, 2], "selected": 2}')
    is_there = False

    @asynccontextmanager
    async def refuses() -> AsyncIterator[FakeEngine]:
        if not is_there:
            raise EngineUnreachable("nobody answers")
        yield FakeEngine()

    async with GligabaoApp(settings, refuses).run_test() as pilot:
        await settled(pilot)
    assert ui_state_of(file.read_text()) == UiState((RunId(7), RunId(2)), RunId(2))
