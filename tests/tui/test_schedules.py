"""The screen of the schedules: what it shows, what its keys do, and what it asks the engine for."""

from dataclasses import replace

import pytest

from engine.api import EngineUnreachable, Problem, Refused, RunId, Settings
from gligabao_tui.screens.agents import AgentsScreen
from gligabao_tui.screens.handbook import HandbookDialog
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.screens.schedules import RunNowDialog, SchedulesScreen
from tests.fakes.engine import FakeEngine
from tests.tui.driving import NARROW, SMALL, WIDE, click, press, screen_text, settled, shown
from tests.tui.scenes import app_over, nothing
from tests.tui.schedule_scenes import followed, scheduled


@pytest.fixture
def engine() -> FakeEngine:
    return scheduled()


@pytest.mark.parametrize("size", [WIDE, NARROW, SMALL])
async def test_each_schedule_is_shown_with_its_words_and_the_chosen_one_with_both_clocks(
    engine: FakeEngine, settings: Settings, size: tuple[int, int]
) -> None:
    app = app_over(engine, settings)
    async with shown(app, size) as pilot:
        await press(pilot, "f4")
        assert isinstance(app.screen, SchedulesScreen)
        text = screen_text(app)
        assert "3 agents have schedules, 2 paused" in text
        assert "every weekday at 07:30" in text
        assert "in 20 h 30 min" in text
        assert "Mon 2 Nov 07:30 in Europe/Berlin" in text
        assert "Mon 2 Nov 06:30 on your clock" in text


async def test_it_is_said_that_nobody_follows_the_schedules(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app, SMALL) as pilot:
        await press(pilot, "f4")
        assert "Only gligabao serve starts these; this window does not." in screen_text(app)
        engine.followed = True
        await press(pilot, "r")
        assert "Followed: each is started at its time." in screen_text(app)


async def test_what_came_of_the_last_times_is_told_with_the_reasons(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f4")
        text = screen_text(app)
        assert "● #2 working" in text
        assert "! skipped: the scheduled run before it (#12) still" in text
        assert "✗ refused: you already have 3 agents working" in text
        assert "✓ #1 done" in text
        await press(pilot, "down")
        assert "No time of it has come yet." in screen_text(app)
        assert "paused in this app" in screen_text(app)


async def test_the_last_run_is_opened_and_one_of_the_list_by_a_click(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f4", "enter")
        assert isinstance(app.screen, MainScreen)
        assert app.main._chosen.opened == RunId(2)
        await press(pilot, "f4")
        rows = screen_text(app).splitlines()
        at = next(number for number, row in enumerate(rows) if "✓ #1 done" in row)
        pane = app.screen.query_one("#schedules-text").content_region
        await click(pilot, "#schedules-text", at=(rows[at].index("✓") - pane.x + 2, at - pane.y))
        assert app.main._chosen.opened == RunId(1)


async def test_an_agent_that_never_ran_has_no_run_to_open(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f4", "down")
        assert "Open the run" not in screen_text(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, SchedulesScreen)


async def test_a_schedule_is_paused_here_and_goes_on(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f4", "p")
        assert "news_scanner is paused here." in screen_text(app)
        assert "3 agents have schedules, 3 paused" in screen_text(app)
        await press(pilot, "p")
        assert "news_scanner goes on." in screen_text(app)
        asked = [one for one in engine.asked if one.startswith("pause")]
        assert asked == ["pause_schedule news_scanner True", "pause_schedule news_scanner False"]


async def test_it_is_said_when_the_file_pauses_a_schedule_all_the_same(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f4", "down", "down", "p")
        assert "is paused here too" in screen_text(app)
        assert "paused by its file and in this app" in screen_text(app)
        await press(pilot, "p")
        assert "but its file" in screen_text(app)


async def test_a_run_that_may_cost_something_is_asked_about_first(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app, NARROW) as pilot:
        await press(pilot, "f4", "R")
        assert isinstance(app.screen, RunNowDialog)
        text = screen_text(app)
        assert "Run news_scanner now?" in text
        assert "The most important news of {{.Date}}" in text
        assert "at most $1.50 for the agent, $5.00 for the research" in text
        await press(pilot, "escape")
        assert "run_schedule news_scanner" not in engine.asked
        await press(pilot, "R", "R")
        assert "run_schedule news_scanner" in engine.asked
        assert isinstance(app.screen, SchedulesScreen)
        assert "● #3 working" in screen_text(app)


async def test_the_offline_model_is_run_without_a_question(
    engine: FakeEngine, settings: Settings
) -> None:
    engine.kinds = tuple(replace(kind, model="offline") for kind in engine.kinds)
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f4", "R")
        assert isinstance(app.screen, SchedulesScreen)
        assert "#3 was started" in screen_text(app)


async def test_a_run_that_the_engine_refuses_is_said_in_its_words(
    engine: FakeEngine, settings: Settings
) -> None:
    engine.refuses = Refused(Problem("", "its scheduled run #12 still works"))
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f4", "R", "R")
        assert "its scheduled run #12 still works" in screen_text(app)
        assert isinstance(app.screen, SchedulesScreen)


async def test_one_goes_to_the_agent_of_a_schedule(engine: FakeEngine, settings: Settings) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f4", "down", "a")
        assert isinstance(app.screen, AgentsScreen)
        assert "agent paper_reader" in engine.asked


async def test_schedules_are_read_again_at_a_key(engine: FakeEngine, settings: Settings) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f4", "down")
        engine.kinds = engine.kinds[:-1]
        await press(pilot, "r")
        assert "2 agents have schedules, 1 paused" in screen_text(app)
        assert "on the 1st of each month at 06:00" in screen_text(app)


async def test_a_time_that_has_come_is_read_again_by_itself(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f4")
        screen = app.screen
        assert isinstance(screen, SchedulesScreen)
        engine.clock.advance(3600)
        screen.tick()
        await settled(pilot)
        assert "in 19 h 30 min" in screen_text(app)
        scanner = engine.kinds[1]
        assert scanner.schedule is not None
        later = replace(scanner.schedule, next_run="2026-11-03T06:30:00.000Z")
        engine.kinds = (engine.kinds[0], replace(scanner, schedule=later), *engine.kinds[2:])
        engine.clock.advance(20 * 3600)
        screen.tick()
        await settled(pilot)
        assert "Tue 3 Nov 07:30 in Europe/Berlin" in screen_text(app)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_without_schedules_it_is_said_what_one_is_and_how_it_is_written(
    settings: Settings, size: tuple[int, int]
) -> None:
    app = app_over(nothing(), settings)
    async with shown(app, size) as pilot:
        await press(pilot, "f4")
        text = screen_text(app)
        assert "A schedule starts an agent by itself" in text
        assert "Write [schedule] with cron and topic" in text
        await press(pilot, "p", "R", "a", "enter")
        assert isinstance(app.screen, SchedulesScreen)
        await press(pilot, "f1")
        assert isinstance(app.screen, HandbookDialog)


async def test_a_lost_engine_is_said_in_words_and_what_was_read_stays(settings: Settings) -> None:
    engine = followed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f4")
        await app.bridge.call(lambda _: engine.delivered())
        engine.fail_watchers(EngineUnreachable("the owner has gone"))
        await app.bridge.ended()
        await press(pilot, "r")
        assert "The schedules cannot be told" in screen_text(app)
        assert "every weekday at 07:30" in screen_text(app)
        await press(pilot, "p", "escape")
        assert isinstance(app.screen, MainScreen)


async def test_an_answer_that_comes_after_the_screen_was_left_is_passed_over(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        screen = SchedulesScreen(app.main.given)
        await app.push_screen(screen)
        await press(pilot, "escape")
        await screen._read()
        await screen._pause("news_scanner", paused=True)
        await screen._run("news_scanner")
        assert isinstance(app.screen, MainScreen)


@pytest.mark.parametrize(("width", "stacked"), [(71, True), (72, False)])
async def test_under_72_columns_the_parts_lie_above_each_other(
    engine: FakeEngine, settings: Settings, width: int, stacked: bool
) -> None:
    app = app_over(engine, settings)
    async with shown(app, (width, 24)) as pilot:
        await press(pilot, "f4")
        rows = app.screen.query_one("#schedules-rows").region
        text = app.screen.query_one("#schedules-text").region
        assert (text.y >= rows.bottom) is stacked
        assert (text.x >= rows.right) is not stacked
