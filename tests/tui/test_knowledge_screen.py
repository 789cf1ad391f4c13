"""The knowledge screen: what it shows, what its keys do, and what it asks the engine for."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from engine.api import (
    EngineUnreachable,
    FactInfo,
    Forgotten,
    Problem,
    ProviderError,
    Refused,
    Settings,
    UserError,
)
from gligabao_tui.app import GligabaoApp
from gligabao_tui.screens.fact import FactDialog
from gligabao_tui.screens.forget import ForgetDialog
from gligabao_tui.screens.handbook import HandbookDialog
from gligabao_tui.screens.knowledge import KnowledgeScreen
from gligabao_tui.screens.knowledge_retry import RetryFailedDialog
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.screens.palette import PaletteDialog
from gligabao_tui.screens.remember import RememberDialog
from tests.fakes.engine import FakeEngine
from tests.tui.base_scenes import FACTS, WHO, fact, hostile, known
from tests.tui.driving import NARROW, SMALL, WIDE, click, press, screen_text, settled, shown
from tests.tui.scenes import app_over, nothing
from tests.tui.test_hostile_everywhere import WORST, assert_harmless


@pytest.fixture
def engine() -> FakeEngine:
    return known()


def screen_of(app: GligabaoApp) -> KnowledgeScreen:
    assert isinstance(app.screen, KnowledgeScreen)
    return app.screen


def asked(engine: FakeEngine, name: str) -> list[str]:
    return [one for one in engine.knowledge.asked if one.split()[0] == name]


async def ask(pilot: Pilot[int], question: str) -> None:
    await press(pilot, "B", *question, "enter")


# The frame ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [WIDE, NARROW, SMALL])
async def test_it_opens_from_the_workspace_with_the_main_dataset_and_its_counts(
    engine: FakeEngine, settings: Settings, size: tuple[int, int]
) -> None:
    app = app_over(engine, settings)
    async with shown(app, size) as pilot:
        await press(pilot, "B")
        text = screen_text(app)
        assert "< main >  2 of 2" in text
        assert "2 waiting, 1 failed" in text
        assert "Facts 10   Entities 6   Queue 6" in text
        await press(pilot, "escape", "escape")
        assert isinstance(app.screen, MainScreen)


async def test_the_question_has_the_keys_at_first_so_that_one_can_type_at_once(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "B", "q")
        assert app.screen.query_one("#base-question", Input).value == "Bq"


async def test_another_dataset_is_chosen_by_arrows_by_name_and_by_a_click(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "2", "right")
        assert "cell X reached = 450 Wh/kg" in screen_text(app).replace("→", "=")
        assert "1 of 2" in screen_text(app)
        await press(pilot, "d")
        assert isinstance(app.screen, PaletteDialog)
        assert "10 facts about 6 entities" in screen_text(app)
        await press(pilot, *"mai", "enter")
        assert "Siemens Gamesa" in screen_text(app)
        at = screen_text(app).splitlines()[0].index(" >")
        await click(pilot, "#base-top", at=(at + 1, 0))
        assert "450 Wh/kg" in screen_text(app)


async def test_views_are_turned_through_by_brackets_numbers_and_clicks(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "]")
        assert "superseded" in screen_text(app)
        await press(pilot, "]")
        assert "Maker of wind turbines" in screen_text(app)
        await press(pilot, "[", "[", "[")
        assert "overloaded" in screen_text(app)
        at = screen_text(app).splitlines()[1].index("Entities")
        await click(pilot, "#base-top", at=(at, 1))
        assert "Maker of wind turbines" in screen_text(app)


async def test_only_the_view_that_is_seen_is_asked_for(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape")
        assert not asked(engine, "facts")
        assert not asked(engine, "entities")
        await press(pilot, "2", "1", "escape", "2")
        assert len(asked(engine, "facts")) == 1


async def test_before_anything_was_remembered_it_says_what_to_do(settings: Settings) -> None:
    app = app_over(nothing(), settings)
    async with shown(app, SMALL) as pilot:
        await press(pilot, "B")
        text = screen_text(app)
        assert "Nothing is known yet" in text
        assert "gligabao facts import" in text
        await press(pilot, "]", "2", "enter", "y", "w", "f", "R", "A", "slash")
        assert screen_of(app).is_active
        await press(pilot, "n")
        assert isinstance(app.screen, RememberDialog)


async def test_help_and_handbook_are_about_the_knowledge_base(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "?")
        assert "Read all failed texts again; asks first" in screen_text(app)
        await press(pilot, "escape", "f1")
        assert isinstance(app.screen, HandbookDialog)
        assert "The knowledge base" in screen_text(app)


# Asking -------------------------------------------------------------------------------------


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


# Facts and entities -------------------------------------------------------------------------


async def test_facts_are_filtered_while_one_types(engine: FakeEngine, settings: Settings) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "2", "/", *"owned status:never")
        text = screen_text(app)
        assert "RWE" in text
        assert "Siemens" not in text
        await press(pilot, "enter", "escape")
        assert isinstance(app.screen, MainScreen)


async def test_facts_of_a_time_say_whether_they_held_or_may_have(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "2", "/", *"as-of:2020")
        text = screen_text(app)
        assert "certain" in text
        assert "Siemens Gamesa" not in text
        assert "? possible" in text
        await press(pilot, "escape")
        assert "Siemens Gamesa" in screen_text(app)


async def test_a_filter_that_is_not_understood_says_so_and_shows_the_rest(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "2", "/", *"gamesa as-of:soon")
        text = screen_text(app)
        assert "as-of:soon: give 2024, 2024-03" in text
        assert "Siemens Gamesa" in text
        assert "Fredericia" not in text


async def test_more_facts_are_read_when_one_comes_near_the_end(
    engine: FakeEngine, settings: Settings
) -> None:
    for number in range(100, 550):
        engine.knowledge.add_fact(fact(number, f"ship {number} | built in | Gdynia"))
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "2")
        assert len(asked(engine, "facts")) == 1
        await press(pilot, "end")
        await press(pilot, "end", "end")
        assert "ship 549" in screen_text(app)
        assert len(asked(engine, "facts")) == 3
        rows = screen_of(app).pane.query_one("#base-facts-rows")
        assert len(getattr(rows, "items", ())) == 460


async def test_an_entity_is_found_by_another_name_of_it_and_opened(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "3", "/", *"PGE", "enter", "enter")
        text = screen_text(app)
        assert isinstance(app.screen, FactDialog)
        assert "also called PGE" in text
        assert "Warsaw Stock Exchange" in text


async def test_a_name_that_is_nowhere_is_said(engine: FakeEngine, settings: Settings) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "3", "/", *"zzz")
        assert "No entity has this in its name" in screen_text(app)
        await press(pilot, "escape", "2", "/", *"zzz")
        assert "No fact matches" in screen_text(app)


async def test_what_is_chosen_is_copied_as_text(engine: FakeEngine, settings: Settings) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "2", "y")
        assert app.clipboard.startswith("[F1] Baltica 2 owned by PGE (")
        await press(pilot, "3", "y")
        assert app.clipboard.startswith("Baltica 2 (project, 7 facts)")
        await press(pilot, "4", "j", "j", "y")
        assert "overloaded (529)" in app.clipboard


async def test_everything_that_matches_is_written_to_new_files(
    engine: FakeEngine, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(100, 400):
        engine.knowledge.add_fact(fact(number, f"ship {number} | built in | Gdynia"))
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "2", "w")
        assert "310 rows in gligabao-main-facts.json and" in screen_text(app)
        await press(pilot, "w")
    found = json.loads((tmp_path / "gligabao-main-facts.json").read_text(encoding="utf-8"))
    assert len(found) == 310
    assert (tmp_path / "gligabao-main-facts.csv").read_text(encoding="utf-8").count("\n") == 311
    assert (tmp_path / "gligabao-main-facts-2.json").exists()


# The queue ----------------------------------------------------------------------------------


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


# Forgetting and remembering -----------------------------------------------------------------


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


# An engine that is slow, gone, or tells hostile things ---------------------------------------


async def test_an_engine_that_is_gone_is_said_and_nothing_breaks(settings: Settings) -> None:
    engine = known()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "2")
        await app.bridge.call(lambda _: engine.delivered())
        engine.fail_watchers(EngineUnreachable("the owner has gone"))
        await app.bridge.ended()
        await press(pilot, "r")
        text = screen_text(app)
        assert "The knowledge base cannot be told" in text
        assert "Siemens Gamesa" in text, "what was read stays"
        await press(pilot, "enter", "3", "4", "f", "R", "1", "x", "enter")
        assert "It cannot be answered" in screen_text(app)
        assert app.return_code is None


LEAVING: list[Callable[[GligabaoApp], object]] = [
    lambda app: screen_of(app).action_again(),
    lambda app: screen_of(app).action_export(),
    lambda app: screen_of(app).action_open(),
    lambda app: screen_of(app).action_forget(),
    lambda app: screen_of(app).action_retry(),
]


@pytest.mark.parametrize("does", LEAVING)
async def test_what_comes_after_the_screen_was_left_is_dropped(
    engine: FakeEngine,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    does: Callable[[GligabaoApp], object],
) -> None:
    monkeypatch.chdir(tmp_path)
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "4", "j", "j")
        does(app)
        screen_of(app).dismiss(None)
        await pilot.pause()
        await settled(pilot)
        assert isinstance(app.screen, MainScreen)
        assert app.return_code is None


async def test_facts_of_a_table_say_all_four_ways_in_which_a_fact_stands(
    engine: FakeEngine, settings: Settings
) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "2")
        text = screen_text(app)
        assert {one.status for one in FACTS} == {"active", "ended", "superseded", "invalidated"}
        for word in ("active", "ended", "superseded", "never true"):
            assert word in text


async def test_wide_letters_keep_the_columns_straight(
    engine: FakeEngine, settings: Settings
) -> None:
    engine.knowledge.add_fact(FactInfo(77, "漢字" * 40, "は", "かな" * 40, "", "main", support=12))
    app = app_over(engine, settings)
    async with shown(app, NARROW) as pilot:
        await press(pilot, "B", "escape", "2")
        row = next(row for row in screen_text(app).splitlines() if "漢字" in row)
        assert row.endswith("12")


@pytest.mark.parametrize("size", [WIDE, NARROW, SMALL])
@pytest.mark.parametrize("text", [WORST, "漢" * 500])
async def test_hostile_facts_and_texts_do_nothing(
    settings: Settings, size: tuple[int, int], text: str
) -> None:
    app = app_over(hostile(text), settings)
    async with shown(app, size) as pilot:
        await press(pilot, "B", "x", "enter")
        assert_harmless(app, "an answer")
        for keys in ("3", "4", "G", "enter", "f", "escape", "A", "escape", "d", "escape", "n"):
            await press(pilot, keys)
            assert_harmless(app, f"after {keys}")
        app.post_message(events.Paste(text))
        await press(pilot, "escape", "2", "y", "enter")
        assert_harmless(app, "the page of a fact")
        await press(pilot, "f")
        assert_harmless(app, "what would go")
        await press(pilot, "escape", "escape", "/")
        app.post_message(events.Paste(text))
        await press(pilot)
        assert_harmless(app, "a filter")
        assert app.return_code is None
