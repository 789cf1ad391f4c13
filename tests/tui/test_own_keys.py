"""Keys of a person's own in the running app: they work, and every hint shows them."""

from dataclasses import replace

import pytest

from engine.api import Settings
from gligabao_tui.screens.help import HelpDialog
from gligabao_tui.screens.stop import StopDialog
from tests.tui.driving import NARROW, WIDE, press, screen_text, shown
from tests.tui.scenes import app_over, mixed, nothing

KEYMAP = {
    "app.help": "f9",
    "main.stop_run": "ctrl+k,F6",
    "runs.search": ";",
    "stop.keep": "n",
    "moves.down": "down,t",
    "details.show_cost": "9",
}
WRONG = {"main.wrap_up": "n", "main.stop": "a", "main.copy": "ctrl+m"}


def with_keys(settings: Settings, keymap: dict[str, str]) -> Settings:
    return replace(settings, app=replace(settings.app, keymap=keymap))


async def test_keys_of_ones_own_work_and_the_others_no_more(settings: Settings) -> None:
    app = app_over(mixed(), with_keys(settings, KEYMAP))
    async with shown(app) as pilot:
        await press(pilot, "s", "question_mark")
        assert app.screen is app.main
        await press(pilot, "t", "f6")
        assert isinstance(app.screen, StopDialog)
        assert "Stop #4?" in screen_text(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, StopDialog)
        await press(pilot, "n", "ctrl+k", "n", "f9")
        assert isinstance(app.screen, HelpDialog)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_every_hint_shows_them(settings: Settings, size: tuple[int, int]) -> None:
    app = app_over(mixed(), with_keys(settings, KEYMAP))
    async with shown(app, size) as pilot:
        bar = screen_text(app).splitlines()[-1]
        assert "^k Stop" in bar
        assert "; Filter" in bar
        assert "f9 Help" in bar
        await press(pilot, "ctrl+k")
        assert "Keep working  n" in screen_text(app)
        await press(pilot, "n", "enter")
        assert " 9 Cost" in screen_text(app)
        await press(pilot, "ctrl+p", *"stop")
        assert "^k f6" in screen_text(app)


async def test_the_welcome_shows_them(settings: Settings) -> None:
    app = app_over(nothing(), with_keys(settings, {"main.new_run": "f5"}))
    async with shown(app):
        assert "f5 New" in screen_text(app)


async def test_entries_that_cannot_be_used_are_said_at_the_start_and_in_the_help(
    settings: Settings,
) -> None:
    app = app_over(mixed(), with_keys(settings, WRONG))
    async with shown(app) as pilot:
        assert "3 entries of [app.keymap] are not used" in " ".join(screen_text(app).split())
        await press(pilot, "?")
        text = " ".join(screen_text(app).split())
        assert "main.wrap_up: n is already 'New' (main.new_run)" in text
        assert "main.stop: there is no such action" in text
        assert "main.copy: a terminal sends Enter for ctrl+m" in text
        await press(pilot, "escape", "n")
        assert app.screen is not app.main


async def test_the_doctor_tells_them_too(settings: Settings) -> None:
    app = app_over(mixed(), with_keys(settings, WRONG))
    async with shown(app) as pilot:
        await press(pilot, "f2")
        assert "n is already 'New'" in " ".join(screen_text(app).split())
