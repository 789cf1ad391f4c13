"""The palette in the app: what it offers, and that it is only text."""

import pytest

from engine.api import RunId, Settings
from gligabao_tui.screens.palette import PaletteDialog
from gligabao_tui.widgets.block_list import BlockList
from tests.fakes.engine import FakeEngine
from tests.tui.driving import NARROW, SMALL, WIDE, click, press, screen_text, shown
from tests.tui.scenes import app_over, mixed

HOSTILE = "[@click=app.leave]go[/] [/] \x1b]52;c;eA==\x07 \x9b31m [red]"


async def test_only_what_can_be_done_now_is_offered(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "down", "down", "ctrl+p", *"wrap")
        assert "Let the chosen agent write" not in screen_text(app)
        await press(pilot, "escape", "up", "ctrl+p", *"wrap", "enter")
        assert "#4 writes its report" in screen_text(app)


async def test_a_run_is_gone_to_by_words_of_its_topic(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, ":", *"ferry", "enter")
        assert app.main._chosen.opened == RunId(1)


async def test_another_theme_is_chosen_by_its_name(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "T", *"blue", "enter")
        assert app.theme == "gligabao-blue"


@pytest.mark.parametrize("size", [WIDE, NARROW, SMALL])
async def test_a_hostile_topic_is_text_and_never_runs(
    settings: Settings, size: tuple[int, int]
) -> None:
    engine = FakeEngine()
    engine.complete(engine.begin(HOSTILE), "x")
    app = app_over(engine, settings)
    async with shown(app, size) as pilot:
        await press(pilot, "ctrl+p", "#", "1")
        text = screen_text(app)
        assert "[@click=app.leave]go[/] [/]" in text
        assert all(char.isprintable() or char == "\n" for char in text)
        await click(pilot, "#palette-choices", at=(20, 0))
        assert app.main._chosen.opened == RunId(1)
        assert not app._exit


async def test_words_that_find_nothing_say_so(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "ctrl+p", *"zzqq", "enter")
        assert isinstance(app.screen, PaletteDialog)
        assert "Nothing can be done now" in screen_text(app)
        assert not app.screen.query_one(BlockList).display
