"""Starting a research from the form."""

from dataclasses import replace

import pytest
from textual import events

from engine.api import (
    OFFLINE_MODEL,
    CannotStart,
    Problem,
    Refused,
    RunId,
    Settings,
)
from gligabao_tui.app import GligabaoApp
from gligabao_tui.resources import read_small
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.screens.start import StartDialog
from gligabao_tui.terminal.programs import Edited
from gligabao_tui.widgets.fields import Choice, PlainInput, TopicArea
from tests.fakes.engine import FakeEngine
from tests.fakes.slow_engine import SlowEngine
from tests.tui.driving import NARROW, caught_up, click, press, screen_text, shown
from tests.tui.scenes import app_over, mixed, settings_in


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.mark.req("R159", "R160")
@pytest.mark.parametrize("key", ["ctrl+enter", "ctrl+j"])
async def test_a_topic_is_enough_and_the_details_open(
    engine: FakeEngine, settings: Settings, key: str
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"Rivers?", key)
        assert [(run.topic, run.user, run.max_steps) for run in engine.started] == [
            ("Rivers?", "admin", 20)
        ]
        assert not isinstance(app.screen, StartDialog)
        assert "#1 Rivers?" in screen_text(app)


async def test_every_field_reaches_the_engine(
    engine: FakeEngine, settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("handbook")
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"Rivers")
        app.screen.query_one("#model", Choice).chosen = OFFLINE_MODEL
        app.screen.query_one("#max_steps", PlainInput).value = "7"
        app.screen.query_one("#max_cost_usd", PlainInput).value = "0.50"
        app.screen.query_one("#docs", PlainInput).value = f"notes={folder}"
        await press(pilot, "ctrl+j")
        (request,) = engine.started
        assert (request.model, request.max_steps, request.max_cost_usd) == ("offline", 7, 0.5)
        assert [(docs.name, docs.path) for docs in request.docs] == [("notes", str(folder))]


async def test_every_problem_is_shown_at_once_under_its_field(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n")
        app.screen.query_one("#max_steps", PlainInput).value = "99"
        app.screen.query_one("#max_cost_usd", PlainInput).value = "free"
        app.screen.query_one("#docs", PlainInput).value = "/no/such/folder"
        await press(pilot, "ctrl+j")
        text = screen_text(app)
        assert "Say what to research" in text
        assert "A whole number from 1 to 40." in text
        assert "An amount in dollars above 0" in text
        assert "There is no such folder" in text
        assert app.screen.query_one(TopicArea).has_focus
        assert engine.started == []


@pytest.mark.parametrize("size", [(120, 36), NARROW])
async def test_problems_that_the_engine_finds_are_shown_too(
    engine: FakeEngine, settings: Settings, size: tuple[int, int]
) -> None:
    engine.refuses = Refused(Problem("max_steps", "too many"), "you already have 3 agents working")
    app = app_over(engine, settings)
    async with shown(app, size) as pilot:
        await press(pilot, "n", *"Rivers", "ctrl+j")
        assert "too many" in screen_text(app)
        assert "you already have 3 agents working" in screen_text(app)
        engine.refuses = None
        await press(pilot, "ctrl+j")
        assert len(engine.started) == 1


async def test_a_model_without_its_key_is_refused_in_the_form(
    engine: FakeEngine, settings: Settings
) -> None:
    engine.refuses = CannotStart("research needs an Anthropic API key")
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"Rivers", "ctrl+j")
        assert "research needs an Anthropic API key" in screen_text(app)


async def test_without_a_key_offline_is_chosen_and_said(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings_in(settings.data_dir, key=""))
    async with shown(app) as pilot:
        assert "none: set ANTHROPIC_API_KEY" in screen_text(app)
        await press(pilot, "n")
        assert app.screen.query_one("#model", Choice).chosen == OFFLINE_MODEL
        assert "No API key is configured, so offline is chosen." in screen_text(app)
        app.screen.query_one("#model", Choice).choose(settings.model)
        await press(pilot, *"Rivers", "ctrl+j")
        assert "It needs an API key" in screen_text(app)
        assert engine.started == []
        app.screen.query_one("#model", Choice).choose(OFFLINE_MODEL)
        await press(pilot, "ctrl+j")
        assert engine.started[0].model == OFFLINE_MODEL


async def test_the_model_is_changed_with_keys_and_with_the_mouse(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", "tab", "right")
        assert app.screen.query_one("#model", Choice).chosen == OFFLINE_MODEL
        assert "no language model" in screen_text(app)
        await click(pilot, "#model", at=(4, 0))
        assert app.screen.query_one("#model", Choice).chosen == settings.model


@pytest.mark.req("R159")
async def test_a_pasted_text_that_is_too_long_is_kept_whole_and_refused(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n")
        paste(app, "x" * 2003)
        await press(pilot)
        assert "2,003 / 2,000  3 too many" in screen_text(app)
        await press(pilot, "ctrl+j")
        assert "3 characters too many" in screen_text(app)
        assert engine.started == []
        assert len(app.screen.query_one(TopicArea).text) == 2003


async def test_a_pasted_text_is_cleaned(engine: FakeEngine, settings: Settings) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n")
        paste(app, "Ri\x1b]52;c;aGk=\x07vers\u202e\r\nof Poland")
        await press(pilot)
        assert app.screen.query_one(TopicArea).text == "Rivers\nof Poland"


async def test_what_was_typed_is_kept_when_the_form_is_left(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"Half", "escape", "n")
        assert app.screen.query_one(TopicArea).text == "Half"
        await press(pilot, *" of", "escape")
    again = app_over(engine, settings)
    async with shown(again) as pilot:
        await press(pilot, "n")
        assert again.screen.query_one(TopicArea).text == "Half of"
        await press(pilot, "ctrl+j", "n")
        assert again.screen.query_one(TopicArea).text == ""


async def test_letters_are_typed_and_do_nothing_else(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"nqrs?/WX")
        assert app.screen.query_one(TopicArea).text == "nqrs?/WX"


async def test_the_buttons_do_what_they_say(engine: FakeEngine, settings: Settings) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"Rivers")
        await click(pilot, "#do-submit")
        assert len(engine.started) == 1
        await press(pilot, "n")
        await click(pilot, "#do-cancel")
        assert not isinstance(app.screen, StartDialog)


async def test_the_whole_form_fits_a_small_terminal(settings: Settings) -> None:
    app = app_over(mixed(), settings_in(settings.data_dir, key=""))
    async with shown(app, NARROW) as pilot:
        await press(pilot, "n", "ctrl+j")
        text = screen_text(app)
        assert all(word in text for word in ("New research", "Documents", "Start", "Cancel"))


async def test_nothing_is_kept_of_an_app_that_was_only_looked_at(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app):
        pass
    kept = read_small(settings.data_dir / "ui_state.json")
    assert '"draft": null' in kept


async def test_the_settings_of_the_last_run_are_taken_over(settings: Settings) -> None:
    engine = mixed()
    engine.max_cost_usd[RunId(5)] = 0.25
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"Rivers")
        assert "^l like the last run" in screen_text(app)
        await press(pilot, "ctrl+l", "ctrl+j")
        (request,) = engine.started
        assert (request.topic, request.model) == ("Rivers", "claude-sonnet-5-5")
        assert (request.max_steps, request.max_cost_usd) == (20, 0.25)


async def test_the_form_says_how_many_agents_may_still_be_started(settings: Settings) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app, NARROW) as pilot:
        await press(pilot, "n")
        assert "2 working, 1 slot free" in screen_text(app)
        await press(pilot, "escape")
        engine.begin("One more")
        await caught_up(pilot, app, engine)
        await press(pilot, "n")
        assert "3 working, no slot free" in screen_text(app)


async def test_a_run_can_be_started_again_with_its_topic_and_settings(settings: Settings) -> None:
    engine = mixed()
    engine.max_cost_usd[RunId(3)] = 1.5
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"A draft", "escape", "down", "down", "e", "r")
        assert "New research, like #3" in screen_text(app)
        assert "its folder again, if it had one" in screen_text(app)
        await press(pilot, "ctrl+j")
        (request,) = engine.started
        assert request.topic == "Timeline of the releases of PostgreSQL 15"
        assert (request.model, request.max_cost_usd) == ("claude-sonnet-5-5", 1.5)
        await press(pilot, "n")
        assert app.screen.query_one(TopicArea).text == "A draft"


async def test_a_form_like_a_run_that_nothing_was_typed_into_replaces_no_draft(
    settings: Settings,
) -> None:
    engine = mixed()
    engine.runs[RunId(3)] = replace(engine.runs[RunId(3)], agent_name="default")
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"A draft", "escape", "down", "down", "e", "r")
        assert "New research, like #3" in screen_text(app)
        await press(pilot, "escape", "n")
        assert app.screen.query_one(TopicArea).text == "A draft"


async def test_escape_while_a_run_is_being_started_leaves_no_draft_of_it(
    settings: Settings,
) -> None:
    engine = SlowEngine()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"Rivers")
        dialog = app.screen
        assert isinstance(dialog, StartDialog)
        dialog.action_submit()
        await app.bridge.call(lambda _: engine.is_asked.wait())
        dialog.action_cancel()
        assert app.screen is dialog
        await app.bridge.call(lambda _: engine.answer())
        await press(pilot)
        assert isinstance(app.screen, MainScreen)
        assert len(engine.started) == 1
        await press(pilot, "n")
        assert app.screen.query_one(TopicArea).text == ""


async def test_a_second_escape_leaves_an_engine_that_does_not_answer(settings: Settings) -> None:
    engine = SlowEngine()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"Rivers")
        dialog = app.screen
        assert isinstance(dialog, StartDialog)
        dialog.action_submit()
        await app.bridge.call(lambda _: engine.is_asked.wait())
        dialog.action_cancel()
        dialog.action_cancel()
        await press(pilot)
        assert isinstance(app.screen, MainScreen)
        await app.bridge.call(lambda _: engine.answer())


async def test_the_topic_comes_back_from_the_editor(engine: FakeEngine, settings: Settings) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"Rivers")
        assert isinstance(app.screen, StartDialog)
        app.screen.take_edited(Edited("Rivers\nof Poland"))
        await press(pilot, "!", "ctrl+j")
        assert engine.started[0].topic == "Rivers\nof Poland!"


async def test_without_a_terminal_to_lend_the_topic_stays_and_that_is_said(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"Rivers", "ctrl+e")
        assert app.screen.query_one(TopicArea).text == "Rivers"
        assert [note.severity for note in app._notifications] == ["error"]


def paste(app: GligabaoApp, text: str) -> None:
    app.post_message(events.Paste(text))
