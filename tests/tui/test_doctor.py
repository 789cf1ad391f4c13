"""The doctor as a screen: verdicts in glyph and word, what to do, and where the engine is."""

import pytest

from engine.api import AgentInfo, Check, EngineUnreachable, Settings
from gligabao_tui.screens.doctor import DoctorDialog
from gligabao_tui.screens.main import MainScreen
from tests.tui.driving import SMALL, WIDE, press, screen_text, shown
from tests.tui.scenes import app_over, nothing, poorly
from tests.tui.test_hostile import HOSTILE, assert_safe


@pytest.mark.parametrize("size", [WIDE, SMALL])
async def test_the_doctor_tells_the_worst_first(settings: Settings, size: tuple[int, int]) -> None:
    app = app_over(poorly(), settings)
    async with shown(app, size) as pilot:
        await press(pilot, "f2")
        assert isinstance(app.screen, DoctorDialog)
        text = screen_text(app)
        assert "Doctor: 1 problem, 2 warnings" in text
        assert text.index("✗ problem") < text.index("! warning")
        await press(pilot, "G")
        assert "(default)" in screen_text(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, MainScreen)


async def test_the_doctor_looks_again_at_a_key(settings: Settings) -> None:
    engine = poorly()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f2")
        engine.checks = (Check("store", "ok", "in memory"),)
        await press(pilot, "r")
        assert "Doctor: everything is well" in screen_text(app)
        assert engine.asked.count("doctor") == 2


@pytest.mark.parametrize(
    ("owned", "told"), [(True, "this window runs the engine"), (False, "has joined it")]
)
async def test_the_doctor_says_who_owns_the_data(
    settings: Settings, owned: bool, told: str
) -> None:
    engine = nothing()
    engine.owned = owned
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f2")
        assert told in screen_text(app)


async def test_an_engine_that_cannot_be_reached_is_a_problem_too(settings: Settings) -> None:
    engine = nothing()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await app.bridge.call(lambda _: engine.delivered())
        engine.fail_watchers(EngineUnreachable("the owner has gone"))
        await app.bridge.ended()
        await press(pilot, "f2")
        text = screen_text(app)
        assert "the engine cannot be reached" in text
        assert "The rest cannot be looked at" in text


async def test_what_the_doctor_found_can_be_copied(settings: Settings) -> None:
    app = app_over(poorly(), settings)
    async with shown(app) as pilot:
        await press(pilot, "f2", "y")
        assert app.clipboard.startswith("Doctor: 1 problem, 2 warnings\n✗ problem")
        assert "setting" not in app.clipboard.splitlines()[1]
        assert "research_max_cost_usd" in app.clipboard


async def test_hostile_findings_and_agents_are_shown_safely(settings: Settings) -> None:
    engine = nothing()
    engine.checks = (Check(HOSTILE, "problem", HOSTILE), Check(f"setting {HOSTILE}", "ok", HOSTILE))
    engine.kinds = (AgentInfo("a", "1", HOSTILE, 20), AgentInfo(HOSTILE, "1", HOSTILE, 20))
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f2")
        assert_safe(app)
        await press(pilot, "y", "escape", "n")
        assert_safe(app)
        await press(pilot, "tab", "right")
        assert_safe(app)
        assert app.return_code is None
