"""The lists of the knowledge screen: facts and entities, found, opened, copied and written."""

import json
from pathlib import Path

import pytest

from engine.api import (
    Settings,
)
from gligabao_tui.screens.fact import FactDialog
from gligabao_tui.screens.main import MainScreen
from tests.fakes.engine import FakeEngine
from tests.tui.base_driving import asked, screen_of
from tests.tui.base_scenes import fact, known
from tests.tui.driving import press, screen_text, shown
from tests.tui.scenes import app_over


@pytest.fixture
def engine() -> FakeEngine:
    return known()


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
