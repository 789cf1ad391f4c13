"""Stopping, wrapping up, explaining failures, and leaving."""

import pytest
from textual.worker import WorkerFailed

from engine.api import Run, RunId, Settings, StoreError
from gligabao_tui.app import Opening
from gligabao_tui.screens.failure import FailureDialog
from gligabao_tui.screens.leave import LeaveDialog
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.screens.stop import StopAllDialog, StopDialog
from tests.fakes.engine import FakeEngine
from tests.tui.driving import NARROW, caught_up, click, press, screen_text, shown
from tests.tui.scenes import app_over, completed, failed, interrupted, mixed, nothing

GDANSK = RunId(5)


@pytest.mark.req("R152", "R167")
async def test_stopping_asks_and_then_records_who_stopped_it(settings: Settings) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "s")
        assert isinstance(app.screen, StopDialog)
        assert "Stop #5?" in screen_text(app)
        assert "Port of Gdansk" in screen_text(app)
        await press(pilot, "s")
        await caught_up(pilot, app, engine)
        assert engine.runs[GDANSK].error == "stopped by the admin UI"
        assert "■ 2 stopped" in screen_text(app)


@pytest.mark.parametrize("key", ["escape", "q", "enter"])
async def test_an_agent_keeps_working_unless_stopping_is_confirmed(
    settings: Settings, key: str
) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "s", key)
        assert isinstance(app.screen, MainScreen)
        assert engine.runs[GDANSK].status == "running"


async def test_an_agent_can_be_asked_to_wrap_up(settings: Settings) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "s", "w")
        assert engine.runs[GDANSK].wrap_up_by == "the admin UI"
        assert "#5 writes its report with the next model call" in screen_text(app)
        await press(pilot, "down", "W")
        assert engine.runs[RunId(4)].wrap_up_by == "the admin UI"


async def test_the_details_say_that_an_agent_is_wrapping_up(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "W")
        assert "wrapping up" in screen_text(app)


async def test_an_agent_that_ended_meanwhile_cannot_be_stopped_and_that_is_said(
    settings: Settings,
) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "s")
        engine.end(GDANSK, "completed", "")
        await press(pilot, "s")
        assert "run 5 has ended" in screen_text(app)


@pytest.mark.req("R152")
async def test_the_stop_button_of_a_row_asks(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await click(pilot, "#run-rows", at=(79, 1))
        assert "Stop #4?" in screen_text(app)


@pytest.mark.req("R156")
async def test_the_failed_button_of_a_row_opens_the_error(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await click(pilot, "#run-rows", at=(3, 2))
        assert isinstance(app.screen, FailureDialog)
        assert "five attempts in 41 s failed (529)" in screen_text(app)
        assert "#3 failed in state 4, thinking" in screen_text(app)
        assert "state 4 of 5 thinking, step 2 of 20" in screen_text(app)
        assert "too much to do" in screen_text(app).partition("What to do")[2].partition("Where")[0]


@pytest.mark.req("R156")
async def test_an_error_leads_to_the_state_it_happened_in(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "down", "down", "e", "g")
        text = screen_text(app)
        assert "▾   4  ✗ thinking" in text
        assert "began" in text


async def test_an_error_can_be_copied(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "down", "down", "e", "y")
        assert app.clipboard.startswith("#3 failed in state 4, thinking\nTimeline of the releases")
        assert "(529)" in app.clipboard
        await press(pilot, "escape")
        assert isinstance(app.screen, MainScreen)


async def test_there_is_no_error_of_a_run_that_works(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "e")
        assert isinstance(app.screen, MainScreen)


async def test_an_interrupted_run_is_explained(settings: Settings) -> None:
    app = app_over(interrupted(), settings)
    async with shown(app, NARROW) as pilot:
        await press(pilot, "e")
        text = screen_text(app)
        assert "#1 failed in state 3, reading" in text
        assert "the program that this agent worked in ended before it" in text
        assert "opens the form with the same topic" in text


async def test_stopping_says_how_many_sources_were_read_and_what_came_of_it(
    settings: Settings,
) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "down", "s")
        assert "step 2/40" in screen_text(app)
        assert "2 sources read" in screen_text(app)
        await press(pilot, "s")
        assert "#4 is stopped, without a report (2 steps, $0.17)" in screen_text(app)


@pytest.mark.parametrize("key", ["s", "S"])
async def test_all_agents_are_stopped_after_one_question_that_names_them(
    settings: Settings, key: str
) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "S")
        assert isinstance(app.screen, StopAllDialog)
        text = screen_text(app)
        assert "Stop all 2 agents?" in text
        assert "#5 Port of Gdansk" in text
        assert "#4 Who has owned" in text
        await press(pilot, key)
        await caught_up(pilot, app, engine)
        assert not app.main.working
        assert "Stopped, without a report: #5, #4" in screen_text(app)


async def test_all_agents_can_wrap_up_or_keep_working(settings: Settings) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "S", "escape")
        assert len(app.main.working) == 2
        await press(pilot, "S", "w")
        assert {run.wrap_up_by for run in app.main.working} == {"the admin UI"}
        assert "#5, #4: the next model call writes the report" in screen_text(app)


async def test_nothing_is_asked_when_there_is_no_agent_to_stop(settings: Settings) -> None:
    app = app_over(nothing(), settings)
    async with shown(app) as pilot:
        await press(pilot, "S")
        assert isinstance(app.screen, MainScreen)


async def test_a_stopped_run_says_who_stopped_it(settings: Settings) -> None:
    app = app_over(mixed(), settings, Opening(open_run=RunId(1)))
    async with shown(app) as pilot:
        await click(pilot, "#details-tabs", at=(74, 0))
        assert "stopped by the admin UI" in screen_text(app)
        assert isinstance(app.screen, FailureDialog)


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_leaving_asks_nothing_when_nothing_can_be_lost(settings: Settings, key: str) -> None:
    engine = FakeEngine()
    completed(engine)
    failed(engine)
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, key)
        assert app.return_code == 0
        assert not engine.is_open


async def test_ctrl_c_leaves_only_when_it_is_pressed_twice(settings: Settings) -> None:
    engine = FakeEngine()
    completed(engine)
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "ctrl+c")
        assert "ctrl+c again leaves" in screen_text(app)
        assert app.return_code is None
        await press(pilot, "ctrl+c")
        assert app.return_code == 0


@pytest.mark.parametrize("key", ["n", "?", "s"])
async def test_ctrl_c_twice_asks_when_work_can_be_lost_also_in_a_dialog(
    settings: Settings, key: str
) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, key, "ctrl+c", "ctrl+c")
        assert isinstance(app.screen, LeaveDialog)
        await press(pilot, "ctrl+c", "ctrl+c")
        assert [type(screen) for screen in app.screen_stack].count(LeaveDialog) == 1


async def test_ctrl_c_copies_what_is_selected_in_a_field(settings: Settings) -> None:
    app = app_over(nothing(), settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"abc", "shift+left", "shift+left", "ctrl+c")
        assert app.clipboard == "bc"
        assert "Copied the selection" in screen_text(app)
        await press(pilot, "ctrl+c", "ctrl+c")
        assert app.return_code is None


async def test_leaving_while_agents_work_asks_and_escape_stays(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app, NARROW) as pilot:
        await press(pilot, "q")
        assert isinstance(app.screen, LeaveDialog)
        assert "2 agents are still working" in screen_text(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, MainScreen)
        assert app.return_code is None


async def test_leaving_can_stop_all_agents(settings: Settings) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "q", "S")
        assert app.return_code == 0
        assert {run.status for run in engine.runs.values()} == {"completed", "failed", "stopped"}
        assert engine.runs[GDANSK].error == "stopped by the admin UI"
        assert not engine.is_open


async def test_leaving_goes_on_when_the_database_takes_no_more(settings: Settings) -> None:
    engine = FullEngine()
    engine.begin("Rivers")
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "q", "S")
        assert app.return_code == 0
        assert not engine.is_open


async def test_leaving_a_joined_engine_asks_nothing_and_stops_nothing(settings: Settings) -> None:
    engine = mixed()
    engine.owned = False
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        assert "engine joined" in screen_text(app)
        await press(pilot, "q")
        assert app.return_code == 0
        assert engine.runs[GDANSK].status == "running"


async def test_a_joined_engine_that_becomes_the_owner_is_asked_about(settings: Settings) -> None:
    engine = mixed()
    engine.owned = False
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        engine.owned = True
        app.tick()
        await press(pilot)
        assert "engine here" in screen_text(app)
        await press(pilot, "q")
        assert isinstance(app.screen, LeaveDialog)


async def test_a_fault_of_the_program_is_handed_to_whoever_showed_the_app(
    settings: Settings,
) -> None:
    app = app_over(nothing(), settings)

    async def faulty() -> None:
        raise ZeroDivisionError("a fault")

    async def run() -> None:
        async with app.run_test() as pilot:
            app.run_worker(faulty())
            await pilot.pause()

    with pytest.raises(WorkerFailed):
        await run()
    await app.bridge.close()
    assert isinstance(app.failure, ZeroDivisionError)
    assert app._exit_renderables == []


async def test_q_in_a_dialog_leaves_the_dialog_and_not_the_app(settings: Settings) -> None:
    app = app_over(nothing(), settings)
    async with shown(app) as pilot:
        await press(pilot, "?", "q")
        assert isinstance(app.screen, MainScreen)
        assert app.return_code is None


class FullEngine(FakeEngine):
    """Its disk is full."""

    async def stop(self, run_id: RunId, *, by: str, user: str | None = None) -> Run:
        raise StoreError("the database cannot be written: the disk is full")
