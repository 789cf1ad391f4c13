"""The texts of the knowledge screen: trying again, forgetting, and remembering by hand."""

from dataclasses import replace

import pytest
from textual.widgets import TextArea

from engine.api import (
    Forgotten,
    Problem,
    Refused,
    Settings,
    UserError,
)
from gligabao_tui.screens.fact import FactDialog
from gligabao_tui.screens.forget import ForgetDialog
from gligabao_tui.screens.knowledge import KnowledgeScreen
from gligabao_tui.screens.knowledge_retry import RetryFailedDialog
from gligabao_tui.screens.palette import PaletteDialog
from gligabao_tui.screens.remember import RememberDialog
from gligabao_tui.terminal.programs import Edited
from tests.fakes.engine import FakeEngine
from tests.tui.base_driving import asked, screen_of
from tests.tui.base_scenes import WHO, known
from tests.tui.driving import NARROW, SMALL, WIDE, press, screen_text, settled, shown
from tests.tui.scenes import app_over


@pytest.fixture
def engine() -> FakeEngine:
    return known()


async def test_a_failed_text_is_tried_again_and_others_are_not_offered_it(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "4")
        assert "Try again" not in screen_text(app)
        await press(pilot, "R", "j", "j", "R")
        assert asked(engine, "retry_remember") == ["retry_remember 4"]
        assert "#4 waits for its turn again." in screen_text(app)
        assert engine.knowledge.runs[4].status == "queued"


async def test_all_failed_texts_are_tried_again_after_asking(
    engine: FakeEngine, settings: Settings
) -> None:
    second = engine.knowledge.queue("Another press release.", source="press 2")
    engine.knowledge.settle(second.id, "failed", error="overloaded")
    main = engine.knowledge.known_datasets["main"]
    engine.knowledge.known_datasets["main"] = replace(main, failed=2)
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "4", "A")
        assert isinstance(app.screen, RetryFailedDialog)
        assert "Try 2 failed texts again?" in screen_text(app)
        await press(pilot, "escape")
        assert not asked(engine, "retry_remember")
        await press(pilot, "A", "R")
        assert sorted(asked(engine, "retry_remember")) == ["retry_remember 4", "retry_remember 7"]
        assert "2 texts wait for a turn again." in screen_text(app)


async def test_a_text_that_cannot_be_tried_again_says_why(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "4", "j", "j")
        engine.knowledge.refuses = Refused("remember run 4 is completed")
        await press(pilot, "R")
        assert "#4 is not tried again: remember run 4 is completed" in screen_text(app)


async def test_texts_are_filtered_by_how_they_stand_and_opened_for_all_about_them(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "4", "/", *"done", "enter")
        text = screen_text(app)
        assert "gkpge.pl" not in text
        await press(pilot, "enter")
        assert "- half an object was left out" in screen_text(app)
        await press(pilot, "enter")
        assert "- half an object was left out" not in screen_text(app)


def refreshes(screen: KnowledgeScreen) -> bool:
    return screen._timer is not None and screen._timer._active.is_set()


async def test_the_queue_is_asked_for_by_itself_only_while_something_works(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "4")
        screen = screen_of(app)
        assert refreshes(screen)
        engine.knowledge.settle(5, facts=4, facts_new=4)
        engine.knowledge.settle(6, facts=1, facts_new=1)
        main = engine.knowledge.known_datasets["main"]
        engine.knowledge.known_datasets["main"] = replace(main, queued=0)
        screen.refresh_queue()
        await settled(pilot)
        assert "working" not in screen_text(app)
        assert "4 facts" in screen_text(app)
        assert not refreshes(screen)


async def test_a_text_is_forgotten_only_after_it_was_said_what_would_go(
    engine: FakeEngine, settings: Settings
) -> None:
    engine.knowledge.would_go = Forgotten(
        (engine.knowledge.artifacts[1],), facts_gone=3, facts_changed=1, answers_emptied=2
    )
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "4", "end", "f")
        assert isinstance(app.screen, ForgetDialog)
        text = screen_text(app)
        assert "Forget 1 text?" in text
        assert "With it go 3 facts that nothing else supports." in text
        assert "2 earlier answers" in text
        await press(pilot, "escape")
        assert [one.is_trial for one in engine.knowledge.forgotten] == [True]
        await press(pilot, "f", "F")
        assert [one.is_trial for one in engine.knowledge.forgotten] == [True, True, False]
        assert engine.knowledge.forgotten[-1].artifact_id == 1
        assert "Forgotten: 1 text, and with it 3 facts" in screen_text(app)


async def test_answers_of_this_sitting_are_emptied_with_a_text_that_is_forgotten(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", *WHO, "enter", "G", "f", "F")
        assert [one.is_trial for one in engine.knowledge.forgotten] == [True, False]
        text = screen_text(app)
        assert "■ emptied" in text
        assert "closed the transaction" not in text
        assert "Siemens" not in text


async def test_a_text_that_a_fact_rests_on_is_forgotten_from_its_page(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "2", "enter", "f")
        assert isinstance(app.screen, ForgetDialog)
        assert "orsted.com" in screen_text(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, FactDialog)
        await press(pilot, "f")
        del engine.knowledge.histories[1]
        await press(pilot, "F")
        assert [one.is_trial for one in engine.knowledge.forgotten] == [True, True, False]
        assert screen_of(app).is_active, "the page of a fact that is gone closes"
        assert "~2019-05" not in screen_text(app)


async def test_which_of_several_texts_is_forgotten_is_asked(
    engine: FakeEngine, settings: Settings
) -> None:
    history = engine.knowledge.histories[1]
    other = replace(history.supports[0], artifact_id=3, source="PGE annual report 2024")
    engine.knowledge.histories[1] = replace(history, supports=(*history.supports, other))
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "2", "enter", "f")
        assert isinstance(app.screen, PaletteDialog)
        await press(pilot, *"annual", "enter", "F")
        assert engine.knowledge.forgotten[-1].artifact_id == 3
        assert isinstance(app.screen, FactDialog)


async def test_a_text_that_is_gone_cannot_be_forgotten_and_that_is_said(
    engine: FakeEngine, settings: Settings
) -> None:
    engine.knowledge.artifacts.clear()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "4", "f")
        assert "That cannot be forgotten: there is no such text" in screen_text(app)
        assert isinstance(app.screen, KnowledgeScreen)


@pytest.mark.parametrize("size", [WIDE, NARROW, SMALL])
async def test_a_text_is_remembered_by_hand_and_comes_first_in_the_queue(
    engine: FakeEngine, settings: Settings, size: tuple[int, int]
) -> None:
    app = app_over(engine, settings)
    async with shown(app, size) as pilot:
        await press(pilot, "B", "escape", "n", *"Ørsted left.", "tab", *"a call", "enter", *"2026")
        await press(pilot, "ctrl+j")
        (request,) = engine.knowledge.remembered
        assert (request.text, request.source, request.date) == ("Ørsted left.", "a call", "2026")
        assert (request.dataset, request.user) == ("main", "admin")
        assert "a call" in screen_text(app)
        assert "It is kept as #7" in screen_text(app)


async def test_every_problem_of_a_text_is_shown_under_its_field(
    engine: FakeEngine, settings: Settings
) -> None:
    engine.knowledge.refuses = UserError(
        Problem("text", "is empty: give the text to remember"),
        Problem("date", '"soon" is no date: say 2024'),
        Problem("user", "is nobody"),
    )
    app = app_over(engine, settings)
    async with shown(app, NARROW) as pilot:
        await press(pilot, "B", "escape", "n", "ctrl+j")
        rows = screen_text(app).splitlines()
        date = next(at for at, row in enumerate(rows) if "Date  " in row)
        assert '"soon" is no date: say 2024.' in rows[date + 1]
        assert any("It is empty: give the text to remember." in row for row in rows)
        assert any("user is nobody" in row or "user: is nobody" in row for row in rows)
        assert app.screen.query_one("#remember-text", TextArea).has_focus
        await press(pilot, "escape")
        assert isinstance(app.screen, KnowledgeScreen)


async def test_the_text_comes_back_from_the_editor(engine: FakeEngine, settings: Settings) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "2", "n", *"Rivers")
        assert isinstance(app.screen, RememberDialog)
        app.screen.take_edited(Edited("Rivers\nof Poland"))
        await press(pilot, "ctrl+j")
        assert engine.knowledge.remembered[-1].text == "Rivers\nof Poland"
