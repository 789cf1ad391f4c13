"""The agent's part of the start form: the chooser of many, and what the chosen one is held to."""

from dataclasses import replace

import pytest

from engine.api import EngineUnreachable, RunId, Settings
from gligabao_tui.screens.palette import PaletteDialog
from gligabao_tui.screens.start import StartDialog
from gligabao_tui.view.start_form import StartForm
from gligabao_tui.view.ui_state import UiState, ui_state_text
from gligabao_tui.widgets.agent_choice import AgentChoice
from gligabao_tui.widgets.fields import Choice, PlainInput
from tests.fakes.engine import FakeEngine
from tests.tui.driving import NARROW, SMALL, WIDE, click, press, screen_text, shown
from tests.tui.scenes import MODEL, app_over, settings_in
from tests.tui.schedule_scenes import many_agents

OWN_MODEL = "claude-opus-5"


@pytest.fixture
def engine() -> FakeEngine:
    return many_agents()


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_what_the_chosen_agent_is_held_to_stands_below_it(
    engine: FakeEngine, settings: Settings, size: tuple[int, int]
) -> None:
    app = app_over(engine, settings)
    async with shown(app, size) as pilot:
        await press(pilot, "n", "tab", "right")
        text = screen_text(app)
        assert "Finds recent papers" in text
        assert "12 steps, claude-opus-5, at most $1.50 (research $5.00)," in text
        assert "only arxiv.org and 3 more, 3 skills" in text
        assert "agent $1.50, research $5.00" in text


async def test_letters_jump_to_the_agents_that_begin_with_them(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app, SMALL) as pilot:
        await press(pilot, "n", "tab", "r")
        choice = app.screen.query_one("#agent", AgentChoice)
        assert choice.chosen == "regional_scout_north"
        await press(pilot, "r")
        assert choice.chosen == "regional_scout_east"
        await press(pilot, "right", *"watch_0")
        assert choice.chosen == "watch_01"
        await press(pilot, "5")
        assert choice.chosen == "watch_05"
        await press(pilot, "z")
        assert choice.chosen == "watch_05"
        await press(pilot, "n")
        assert choice.chosen == "news_scanner"


@pytest.mark.parametrize("key", ["enter", "space"])
async def test_a_list_of_all_agents_is_opened_and_filtered(
    engine: FakeEngine, settings: Settings, key: str
) -> None:
    app = app_over(engine, settings)
    async with shown(app, NARROW) as pilot:
        await press(pilot, "n", *"Rivers", "tab", key)
        assert isinstance(app.screen, PaletteDialog)
        assert "Finds recent papers" in screen_text(app)
        await press(pilot, *"coast")
        assert "regional_scout_coast" in screen_text(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, StartDialog)
        assert app.screen.query_one("#max_steps", PlainInput).value == "8"
        await press(pilot, "ctrl+j")
        assert (engine.started[0].agent, engine.started[0].max_steps) == ("regional_scout_coast", 8)


async def test_a_list_without_a_choice_leaves_the_form_as_it_was(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app, NARROW) as pilot:
        await press(pilot, "n", "tab", "enter", *"zzqq")
        assert "No agent has these words" in screen_text(app)
        await press(pilot, "escape")
        assert app.screen.query_one("#agent", AgentChoice).chosen == "default"


async def test_the_list_is_opened_with_the_mouse_too(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app, NARROW) as pilot:
        await press(pilot, "n")
        row = next(row for row in screen_text(app).splitlines() if "enter all" in row)
        left = app.screen.query_one("#agent").content_region.x
        await click(pilot, "#agent", at=(row.index("enter all") - left + 2, 0))
        assert isinstance(app.screen, PaletteDialog)


async def test_steps_follow_the_agent_until_a_person_writes_others(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", "tab", "a")
        steps = app.screen.query_one("#max_steps", PlainInput)
        assert steps.value == "12"
        steps.value = "5"
        await press(pilot, "r")
        assert steps.value == "5"


async def test_a_model_that_nobody_chose_is_left_to_the_agent(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"Rivers", "tab", "a")
        model = app.screen.query_one("#model", Choice)
        assert model.chosen == OWN_MODEL
        assert "The agent's own; another one here is used instead of it." in screen_text(app)
        await press(pilot, "d")
        assert model.chosen == MODEL
        await press(pilot, "a", "ctrl+j")
        assert (engine.started[0].agent, engine.started[0].model) == ("arxiv_scout", "")
        assert engine.runs[RunId(1)].model == OWN_MODEL


async def test_a_model_that_was_chosen_stays_whichever_agent_is_chosen_then(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"Rivers", "tab", "a")
        app.screen.query_one("#model", Choice).choose(MODEL)
        await press(pilot, "r", "a", "ctrl+j")
        assert (engine.started[0].agent, engine.started[0].model) == ("arxiv_scout", MODEL)


async def test_without_a_key_offline_is_asked_for_whatever_model_the_agent_has(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings_in(settings.data_dir, key=""))
    async with shown(app) as pilot:
        await press(pilot, "n", *"Rivers", "tab", "a")
        assert "No API key is configured, so offline is chosen." in screen_text(app)
        await press(pilot, "ctrl+j")
        assert engine.started[0].model == "offline"


async def test_the_model_of_an_earlier_run_is_asked_for_again_by_its_name(
    engine: FakeEngine, settings: Settings
) -> None:
    run_id = engine.begin("Rivers", model=MODEL)
    engine.runs[run_id] = replace(engine.runs[run_id], agent_name="arxiv_scout")
    engine.end(run_id, "failed", "overloaded")
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "e", "r", "ctrl+j")
        assert (engine.started[0].agent, engine.started[0].model) == ("arxiv_scout", MODEL)
        assert engine.started[0].max_steps == 20


async def test_a_cap_above_that_of_the_agent_is_said_to_change_nothing(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, replace(settings, research_max_cost_usd=2.0))
    async with shown(app) as pilot:
        await press(pilot, "n", "tab", "a")
        assert "agent $1.50, research $2.00" in screen_text(app)
        cost = app.screen.query_one("#max_cost_usd", PlainInput)
        cost.value = "3"
        await press(pilot)
        assert "It can only be lowered here: $2.00 holds." in screen_text(app)
        cost.value = "1"
        await press(pilot)
        assert "It can only be lowered" not in screen_text(app)


async def test_an_agent_of_a_draft_that_is_gone_is_named(settings: Settings) -> None:
    draft = UiState(draft=StartForm("Rivers", agent="scout"))
    settings.data_dir.mkdir(exist_ok=True)
    (settings.data_dir / "ui_state.json").write_text(ui_state_text(draft))
    app = app_over(many_agents(), settings)
    async with shown(app) as pilot:
        await press(pilot, "n")
        assert 'There is no agent "scout" any more' in screen_text(app)


async def test_a_form_whose_agents_cannot_be_told_keeps_the_one_that_was_wanted(
    settings: Settings,
) -> None:
    engine = many_agents()
    settings.data_dir.mkdir(exist_ok=True)
    draft = UiState(draft=StartForm("Rivers", agent="arxiv_scout"))
    (settings.data_dir / "ui_state.json").write_text(ui_state_text(draft))
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await app.bridge.call(lambda _: engine.delivered())
        engine.fail_watchers(EngineUnreachable("the owner has gone"))
        await app.bridge.ended()
        await press(pilot, "n")
        assert "The agents cannot be told" in screen_text(app)
        assert isinstance(app.screen, StartDialog)
        assert app.screen.form().agent == "arxiv_scout"
