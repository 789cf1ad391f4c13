"""What lies over the workspace is left once, and it alone, however late or often that is asked."""

import pytest
from textual import events

from engine.api import CitedSource, Settings
from gligabao_tui.screens.doctor import DoctorDialog
from gligabao_tui.screens.failure import FailureDialog
from gligabao_tui.screens.handbook import HandbookDialog
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.screens.passage import PassageDialog
from gligabao_tui.screens.start import StartDialog
from gligabao_tui.view.link import Cited
from gligabao_tui.view.passage import quoted_from
from gligabao_tui.widgets.plain import PlainButton
from tests.fakes.engine import FakeEngine
from tests.fakes.slow_engine import SlowEngine
from tests.tui.driving import press, screen_text, shown
from tests.tui.scenes import app_over, mixed, only_completed, only_failed


@pytest.mark.parametrize("opens", ["ctrl+p", "n", "?", "f1", "f2", "s", "ctrl+o"])
async def test_a_key_pressed_again_before_it_was_heard_leaves_no_more_than_one(
    settings: Settings, opens: str
) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, opens)
        assert not isinstance(app.screen, MainScreen)
        for _ in range(3):
            app.post_message(events.Key("escape", None))
        await press(pilot)
        assert isinstance(app.screen, MainScreen)


async def test_a_button_pressed_twice_leaves_no_more_than_one(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "s")
        button = app.screen.query_one("#do-keep", PlainButton)
        button.press()
        button.press()
        await press(pilot)
        assert isinstance(app.screen, MainScreen)


async def test_an_error_that_is_asked_for_twice_is_shown_once(settings: Settings) -> None:
    app = app_over(only_failed(), settings)
    async with shown(app) as pilot:
        for _ in range(2):
            app.post_message(events.Key("e", "e"))
        await pilot.pause()
        await press(pilot)
        assert isinstance(app.screen, FailureDialog)
        await press(pilot, "escape")
        assert isinstance(app.screen, MainScreen)


async def test_a_source_that_is_asked_for_twice_is_shown_once(settings: Settings) -> None:
    app = app_over(only_completed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "2")
        details = app.main._reader.desk.details
        assert details is not None
        for _ in range(2):
            app.main._reading.show_source(details, Cited(1))
        await pilot.pause()
        await press(pilot)
        assert [type(screen) for screen in app.screen_stack[2:]] == [PassageDialog]
        await press(pilot, "escape")
        assert isinstance(app.screen, MainScreen)


async def test_a_form_below_the_handbook_is_left_when_the_handbook_is(settings: Settings) -> None:
    engine = SlowEngine()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"Rivers")
        form = app.screen
        assert isinstance(form, StartDialog)
        form.action_submit()
        await app.bridge.call(lambda _: engine.is_asked.wait())
        app.action_handbook()
        await app.bridge.call(lambda _: engine.answer())
        await press(pilot)
        assert isinstance(app.screen, HandbookDialog)
        await press(pilot, "escape")
        assert isinstance(app.screen, MainScreen)
        assert "#1 Rivers" in screen_text(app)
        assert len(engine.started) == 1


async def test_an_answer_that_comes_after_its_dialog_was_left_is_passed_over(
    settings: Settings,
) -> None:
    engine = FakeEngine()
    run_id = engine.begin("Rivers")
    source = CitedSource(run_id, 1, "https://example.org", "T", "text/html", "", 9, ())
    engine.sources[run_id, 1] = source
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        passage = PassageDialog(quoted_from(source), (1, 2), app.main.given)
        doctor = DoctorDialog(app.main.given, "owned")
        for dialog in (passage, doctor):
            await app.push_screen(dialog)
            await press(pilot, "escape")
        await passage._read(1)
        await doctor._examine()
        assert isinstance(app.screen, MainScreen)
