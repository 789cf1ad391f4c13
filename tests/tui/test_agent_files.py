"""The files of the agents: their problems, reading them again, editing and copying them."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.api import (
    AgentInfo,
    AgentsRead,
    CannotStart,
    Engine,
    Problem,
    Settings,
)
from gligabao_tui.app import GligabaoApp
from gligabao_tui.screens.agents import AgentsScreen
from gligabao_tui.screens.faults import FaultsDialog
from gligabao_tui.screens.main import MainScreen
from tests.tui.agent_scenes import (
    PROBLEMS,
    definitions,
    faulty_definitions,
    packaged_definitions,
)
from tests.tui.driving import NARROW, SMALL, WIDE, click, press, screen_text, settled, shown
from tests.tui.scenes import app_over, nothing
from tests.tui.terminal_driving import running

EDITOR = """
import sys
with open(sys.argv[1], "w") as file:
    file.write('schema = 1\\nname = "rivers"\\nversion = "1.0.0"\\n')
    file.write('description = "Rivers."\\nsystem_prompt = "Look."\\n')
"""
SCOUT = Problem("scout.toml:9", "max_steps: 99 must be between 1 and 40")


async def test_problems_of_the_files_come_first_grouped_by_file_with_their_lines(
    settings: Settings,
) -> None:
    app = app_over(faulty_definitions(), settings)
    async with shown(app) as pilot:
        await press(pilot, "f3")
        text = " ".join(screen_text(app).split())
        assert "3 problems in 2 files: the agents are" in text
        assert ":7 unknown key(s): modle (did you mean model?)" in text
        assert text.index(":9 schedule.cron") < text.index(":12 search.blocked_domains")
        assert "3 problems, 2 warnings" in text
        await press(pilot, "escape", "j")
        assert "unknown key(s)" not in screen_text(app)
        assert "3 problems, 2 warnings" not in screen_text(app)
        await press(pilot, "!")
        assert "unknown key(s)" in screen_text(app)
        await press(pilot, "y")
        assert app.clipboard.startswith("✗ news_scanner.toml\n  :7")


async def test_the_problems_are_opened_by_a_click_too(settings: Settings) -> None:
    app = app_over(faulty_definitions(), settings)
    async with shown(app) as pilot:
        await press(pilot, "f3", "escape")
        assert "unknown key(s)" not in screen_text(app)
        await click(pilot, "#agents-banner")
        assert "unknown key(s)" in screen_text(app)


async def test_reading_the_files_again_says_what_has_changed(settings: Settings) -> None:
    engine = definitions()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f3")
        engine.next_read = AgentsRead("/home/ann", changed=("news_scanner", "new_one"))
        engine.kinds = (*engine.kinds, AgentInfo("new_one", "1", "new", 20, source="new_one.toml"))
        await press(pilot, "r")
        assert "Read again: news_scanner, new_one changed" in screen_text(app)
        assert "7, 3 of them your own" in screen_text(app)
        engine.next_read = AgentsRead("/home/ann")
        await press(pilot, "r")
        assert "nothing has changed" in screen_text(app)


async def test_a_change_that_is_not_sound_keeps_the_agents_and_shows_why(
    settings: Settings,
) -> None:
    engine = definitions()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f3")
        engine.next_read = AgentsRead("/home/ann", problems=(SCOUT,))
        await press(pilot, "r")
        text = screen_text(app)
        assert "1 problem in 1 file: the agents stay as they were" in text
        assert "max_steps: 99 must be between 1 and 40" in text
        engine.next_read = AgentsRead("/home/ann")
        await press(pilot, "r")
        assert "max_steps: 99" not in screen_text(app)


async def test_where_there_are_none_of_ones_own_it_is_said_where_they_go(
    settings: Settings,
) -> None:
    app = app_over(packaged_definitions(), settings)
    async with shown(app) as pilot:
        await press(pilot, "f3")
        assert "gligabao agents new NAME" in screen_text(app)


async def test_packaged_agents_are_not_edited_but_copied_first(settings: Settings) -> None:
    app = app_over(definitions(), settings)
    async with shown(app) as pilot:
        await press(pilot, "f3", "G", "e")
        assert "regional_scout comes with gligabao: make a copy of" in screen_text(app)


async def test_an_own_file_is_opened_in_the_editor_and_read_again(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "true")
    engine = definitions()
    engine.last_read = replace(engine.last_read, directory=str(tmp_path))
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f3", "j", "e")
        assert "no terminal to lend" in " ".join(screen_text(app).split())
        assert "reload_agents" not in engine.asked


async def test_a_copy_of_ones_own_is_made_under_a_new_name(
    settings: Settings, tmp_path: Path
) -> None:
    engine = definitions()
    engine.last_read = replace(engine.last_read, directory=str(tmp_path))
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f3", "/", *"fact", "enter", "c")
        assert "my_fact_checker" in screen_text(app)
        await press(pilot, "end", *(("backspace",) * 15), *"No", "enter")
        assert "lowercase" in screen_text(app)
        assert not (tmp_path / "my_fact_checker.toml").exists()
        copy = AgentInfo("mine", "1.0.0", "Mine.", 20, source="mine.toml")
        engine.kinds = (*engine.kinds, copy)
        await press(pilot, "backspace", "backspace", *"mine", "enter")
        assert (tmp_path / "mine.toml").exists()
        assert "Written: mine.toml" in screen_text(app)
        assert "reload_agents" in engine.asked
        assert "Mine." in screen_text(app)


async def test_a_copy_that_is_there_already_is_refused_under_the_name(
    settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "my_fact_checker.toml").write_text('name = "my_fact_checker"')
    engine = definitions()
    engine.last_read = replace(engine.last_read, directory=str(tmp_path))
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f3", "/", *"fact", "enter", "c", "enter")
        assert "exists already" in screen_text(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, AgentsScreen)


class FaultyOpener:
    """Opens the engine once its files are sound."""

    def __init__(self) -> None:
        self.engine = nothing()
        self.problems: tuple[Problem, ...] = PROBLEMS

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Engine]:
        if self.problems:
            raise CannotStart(*self.problems)
        async with self.engine.opened() as engine:
            yield engine


@asynccontextmanager
async def shown_faulty(
    opener: FaultyOpener, settings: Settings, size: tuple[int, int]
) -> AsyncIterator[tuple[GligabaoApp, Pilot[int]]]:
    app = GligabaoApp(settings, opener.opened, now=opener.engine.clock.now)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settled(pilot)
        yield app, pilot


@pytest.mark.parametrize("size", [WIDE, NARROW, SMALL])
async def test_faulty_definitions_are_all_shown_instead_of_the_app(
    settings: Settings, size: tuple[int, int]
) -> None:
    async with shown_faulty(FaultyOpener(), settings, size) as (app, pilot):
        assert isinstance(app.screen, FaultsDialog)
        told = screen_text(app)
        await press(pilot, "G")
        told += screen_text(app)
        assert "gligabao cannot start: 3 problems in 2 files" in told
        assert "gligabao agents check" in " ".join(told.replace("│", " ").split())
        assert ":7" in told
        assert "modle" in told
        assert ":12" in told
        await press(pilot, "q")
    assert app.return_code == 1
    assert not settings.data_dir.exists()
    assert isinstance(app.failure, CannotStart)


async def test_mended_definitions_are_read_again_and_the_app_goes_on(settings: Settings) -> None:
    opener = FaultyOpener()
    async with shown_faulty(opener, settings, WIDE) as (app, pilot):
        opener.problems = (SCOUT,)
        await press(pilot, "r")
        assert "1 problem in 1 file" in screen_text(app)
        opener.problems = ()
        await press(pilot, "r")
        assert isinstance(app.screen, MainScreen)
        assert "Nothing has been researched yet" in screen_text(app)
        assert app.failure is None
        await app.bridge.close()


async def test_all_problems_can_be_copied(settings: Settings) -> None:
    async with shown_faulty(FaultyOpener(), settings, WIDE) as (app, pilot):
        await press(pilot, "y")
        assert app.clipboard.startswith("✗ news_scanner.toml\n  :7   unknown key(s): modle")
        assert ":12  search.blocked_domains" in app.clipboard
        await press(pilot, "q")


def test_a_faulty_file_is_mended_from_within_the_program_before_anything_is_written(
    tmp_path: Path,
) -> None:
    (tmp_path / "defs").mkdir()
    definition = tmp_path / "defs" / "rivers.toml"
    definition.write_text('schema = 1\nname = "rivers"\nmodle = "x"\n')
    (tmp_path / "gligabao.toml").write_text(f'agent_defs_dir = "{definition.parent}"\n')
    (tmp_path / "editor.py").write_text(EDITOR)
    environ = {"HOME": str(tmp_path), "EDITOR": f"{sys.executable} {tmp_path / 'editor.py'}"}
    given = ("--config", str(tmp_path / "gligabao.toml"), "--data-dir", str(tmp_path / "data"))
    with running("gligabao_tui", *given, environ=environ) as screen:
        screen.until("cannot start: 4 problems in 1 file", "modle (did you mean model?)")
        assert not (tmp_path / "data").exists()
        screen.send("e")
        screen.until("Nothing has been researched yet")
        screen.send("a")
        screen.until("rivers", "1 of them your own")
        screen.send("qq")
        assert screen.to_the_end() == 0
    assert (tmp_path / "data").exists()
