"""The knowledge screen: its frame, what it does with an engine that is slow, gone, or tells hostile
things."""

from collections.abc import Callable
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from engine.api import (
    EngineUnreachable,
    FactInfo,
    Settings,
)
from gligabao_tui.app import GligabaoApp
from gligabao_tui.screens.handbook import HandbookDialog
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.screens.palette import PaletteDialog
from gligabao_tui.screens.remember import RememberDialog
from tests.fakes.engine import FakeEngine
from tests.tui.base_driving import asked, screen_of
from tests.tui.base_scenes import FACTS, hostile, known
from tests.tui.driving import NARROW, SMALL, WIDE, click, press, screen_text, settled, shown
from tests.tui.scenes import app_over, nothing
from tests.tui.test_hostile_everywhere import WORST, assert_harmless


@pytest.fixture
def engine() -> FakeEngine:
    return known()


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


async def test_everything_is_read_again_at_a_key(engine: FakeEngine, settings: Settings) -> None:
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "B", "escape", "2")
        before = (len(asked(engine, "datasets")), len(asked(engine, "facts")))
        await press(pilot, "r")
        after = (len(asked(engine, "datasets")), len(asked(engine, "facts")))
        assert after == (before[0] + 1, before[1] + 1)


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
