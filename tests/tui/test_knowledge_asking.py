"""Asking on the knowledge screen: what is told of an answer, and giving up."""

import asyncio

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from engine.api import (
    Problem,
    ProviderError,
    Settings,
    UserError,
)
from gligabao_tui.app import GligabaoApp
from gligabao_tui.screens.fact import FactDialog
from gligabao_tui.screens.main import MainScreen
from tests.fakes.engine import FakeEngine
from tests.tui.base_driving import screen_of
from tests.tui.base_scenes import WHO, known
from tests.tui.driving import NARROW, WIDE, press, screen_text, settled, shown
from tests.tui.scenes import app_over


@pytest.fixture
def engine() -> FakeEngine:
    return known()


async def ask(pilot: Pilot[int], question: str) -> None:
    await press(pilot, "B", *question, "enter")


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_an_answer_is_shown_with_its_facts_whether_it_rests_on_them_and_its_cost(
    engine: FakeEngine, settings: Settings, size: tuple[int, int]
) -> None:
    app = app_over(engine, settings)
    async with shown(app, size) as pilot:
        await ask(pilot, WHO)
        text = screen_text(app)
        assert "✓ based on 2 stored facts, $0.004" in text
        assert text.index("│ F2") < text.index("│ F1") < text.index("  F3")
        assert "Also found, not used" in text
        (request,) = engine.knowledge.questions
        assert (request.question, request.dataset, request.as_of) == (WHO, "main", "")


async def test_a_time_to_ask_about_is_given_beside_the_question(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", *"Who?", "tab", *"2021-03", "enter")
        assert engine.knowledge.questions[0].as_of == "2021-03"
        assert "Who?  as of 2021-03" in screen_text(app)
        assert "! nothing is known" in screen_text(app)


async def test_without_a_model_what_is_found_is_not_passed_off_as_an_answer(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await ask(pilot, "no model")
        text = screen_text(app)
        assert "! no model is set" in text
        assert "not an answer" in text
        assert "based on" not in text


async def test_questions_of_the_sitting_stay_also_when_the_screen_was_left(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await ask(pilot, WHO)
        await press(pilot, "1", *"What is the weather?", "enter")
        text = screen_text(app)
        assert "▾ What is the weather?" in text
        assert "! not based on stored facts" in text
        assert f"▸ {WHO}" in text
        await press(pilot, "escape", "B", "escape", "end", "enter")
        assert f"▾ {WHO}" in screen_text(app)
        assert len(engine.knowledge.questions) == 2


async def test_a_failed_question_says_why_and_can_be_asked_again(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    engine.knowledge.refuses = ProviderError("overloaded", "the model is overloaded")
    async with shown(app) as pilot:
        await ask(pilot, WHO)
        assert "It cannot be answered: the model is overloaded" in screen_text(app)
        assert app.screen.query_one("#base-question", Input).value == WHO
        engine.knowledge.refuses = UserError(Problem("as_of", '"soon" is no date'))
        await press(pilot, "enter")
        assert 'As of "soon" is no date' in screen_text(app)
        engine.knowledge.refuses = None
        await press(pilot, "enter")
        assert "based on 2 stored facts" in screen_text(app)


async def test_an_empty_question_is_asked_of_nobody(engine: FakeEngine, settings: Settings) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "enter")
        assert "Type a question first." in screen_text(app)
        assert not engine.knowledge.questions


async def held(pilot: Pilot[int], app: GligabaoApp, *keys: str) -> None:
    """Press keys while the engine is waited for: nothing comes to rest then."""
    for key in keys:
        app.post_message(events.Key(key, key if len(key) == 1 else None))
        await pilot.pause()


async def test_a_question_that_takes_long_is_said_to_and_can_be_given_up(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    engine.knowledge.may_answer.clear()
    async with shown(app) as pilot:
        await press(pilot, "B", *WHO)
        await held(pilot, app, "enter")
        screen = screen_of(app)
        screen._ask.tick()
        screen._ask.tick()
        await pilot.pause()
        assert "● asking, 2 s" in screen_text(app)
        assert "esc gives it up" in screen_text(app)
        await held(pilot, app, "enter")
        assert "One question at a time" in screen_text(app)
        await held(pilot, app, "escape")
        assert "■ given up" in screen_text(app)
        await app.bridge.call(lambda _: go_on(engine.knowledge.may_answer))
        await settled(pilot)
        assert "based on" not in screen_text(app)
        await press(pilot, "enter")
        assert "based on 2 stored facts" in screen_text(app)


async def test_an_answer_that_comes_after_the_screen_was_left_changes_nothing(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    engine.knowledge.may_answer.clear()
    async with shown(app) as pilot:
        await press(pilot, "B", *WHO)
        await held(pilot, app, "enter", "tab", "tab")
        screen_of(app).dismiss(None)
        await pilot.pause()
        await app.bridge.call(lambda _: go_on(engine.knowledge.may_answer))
        await settled(pilot)
        assert isinstance(app.screen, MainScreen)
        await press(pilot, "B")
        assert "■ given up" in screen_text(app)


async def go_on(may_answer: asyncio.Event) -> None:
    may_answer.set()


async def test_a_cited_fact_is_opened_and_the_next_one_from_there(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await ask(pilot, WHO)
        await press(pilot, "down", "down", "down", "enter")
        assert isinstance(app.screen, FactDialog)
        assert "Fact 2" in screen_text(app)
        await press(pilot, "right")
        assert "Fact 1" in screen_text(app)
