"""Help: the keys of what has the focus, and the handbook."""

import pytest

from engine.api import Settings
from gligabao_tui.screens.handbook import HandbookDialog
from gligabao_tui.screens.help import HelpDialog
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.view.handbook import Page, in_order, page_title
from tests.tui.driving import NARROW, press, screen_text, shown
from tests.tui.scenes import app_over, mixed


@pytest.mark.parametrize("key", ["?", "f1"])
async def test_help_tells_the_keys_of_what_has_the_focus_first(
    settings: Settings, key: str
) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, key)
        assert isinstance(app.screen, HelpDialog)
        text = screen_text(app)
        assert text.index("Runs list") < text.index("Workspace") < text.index("Everywhere")
        await press(pilot, "escape", "enter", key)
        assert "Details of a run" in screen_text(app)
        assert "Runs list" not in screen_text(app)


@pytest.mark.parametrize("size", [(120, 36), NARROW])
async def test_the_handbook_is_read_page_by_page(settings: Settings, size: tuple[int, int]) -> None:
    app = app_over(mixed(), settings)
    async with shown(app, size) as pilot:
        await press(pilot, "?", "h")
        assert isinstance(app.screen, HandbookDialog)
        first = screen_text(app)
        assert "(1 of " in first
        await press(pilot, "right")
        assert "(2 of " in screen_text(app)
        await press(pilot, "left")
        assert screen_text(app) == first
        await press(pilot, "pagedown")
        assert screen_text(app) != first
        await press(pilot, "escape")
        assert isinstance(app.screen, HelpDialog)
        await press(pilot, "escape")
        assert isinstance(app.screen, MainScreen)


def test_the_page_to_start_with_comes_first() -> None:
    pages = in_order([Page("agents", "# Agents"), Page("start", "no heading")])
    assert [page.title for page in pages] == ["start", "Agents"]
    assert page_title(pages, 1) == "Agents  (2 of 2)"
    assert page_title((), 0) == "The handbook is missing"
