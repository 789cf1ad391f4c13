"""Help and handbook: the keys of what has the focus, pages, links, and words that are found."""

import pytest

from engine.api import Settings
from gligabao_tui.screens.handbook import HandbookDialog
from gligabao_tui.screens.help import HelpDialog
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.screens.start import StartDialog
from tests.tui.driving import NARROW, SMALL, WIDE, click, press, screen_text, shown
from tests.tui.scenes import app_over, mixed, nothing


async def test_help_tells_the_keys_of_what_has_the_focus_first(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "?")
        assert isinstance(app.screen, HelpDialog)
        assert "Runs list" in screen_text(app)
        await press(pilot, "escape", "enter", "?")
        assert "Runs list" not in screen_text(app)


@pytest.mark.parametrize("size", [WIDE, NARROW, SMALL])
async def test_the_handbook_is_read_page_by_page(settings: Settings, size: tuple[int, int]) -> None:
    app = app_over(mixed(), settings)
    async with shown(app, size) as pilot:
        await press(pilot, "f1", "left")
        first = screen_text(app)
        assert "Getting started (1 of " in first
        await press(pilot, "]")
        assert "(2 of " in screen_text(app)
        await press(pilot, "[")
        assert screen_text(app) == first
        await press(pilot, "pagedown")
        assert screen_text(app) != first
        await press(pilot, "escape")
        assert isinstance(app.screen, MainScreen)


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (("f1",), "The list shows all runs"),
        (("enter", "f1"), "The tab States"),
        (("enter", "2", "f1"), "The tab Report"),
        (("?", "f1"), "Single letters are keys only"),
    ],
)
async def test_the_handbook_opens_at_what_has_the_focus(
    settings: Settings, keys: tuple[str, ...], told: str
) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, *keys)
        assert isinstance(app.screen, HandbookDialog)
        assert told in "".join(screen_text(app).splitlines()[4:12])


async def test_the_handbook_is_opened_from_a_dialog_which_stays_as_it_is(
    settings: Settings,
) -> None:
    app = app_over(nothing(), settings)
    async with shown(app) as pilot:
        await press(pilot, "n", *"Rivers", "f1")
        assert [type(screen) for screen in app.screen_stack[2:]] == [StartDialog, HandbookDialog]
        assert "Start a run" in "".join(screen_text(app).splitlines()[4:7])
        await press(pilot, "f1")
        assert [type(screen) for screen in app.screen_stack[2:]] == [StartDialog]
        assert "Rivers" in screen_text(app)


async def test_links_lead_to_their_page_and_heading_and_back(settings: Settings) -> None:
    app = app_over(nothing(), settings)
    async with shown(app) as pilot:
        await press(pilot, "f1", "c")
        assert "Handbook: contents" in screen_text(app)
        await press(pilot, ">", ">", "tab", "enter")
        text = screen_text(app)
        assert "Getting started (1 of " in text
        assert "The installation is one command" in "".join(text.splitlines()[6:11])
        await press(pilot, "b")
        assert "Handbook: contents" in screen_text(app)
        await press(pilot, "<", "enter")
        assert "gligabao needs Python" in screen_text(app)


async def test_a_link_is_gone_to_with_the_mouse(settings: Settings) -> None:
    app = app_over(nothing(), settings)
    async with shown(app) as pilot:
        await press(pilot, "f1", "c")
        await click(pilot, "#handbook-text", at=(5, 0))
        assert "Getting started (1 of " in screen_text(app)


async def test_an_address_outside_is_copied_and_not_opened(settings: Settings) -> None:
    app = app_over(nothing(), settings)
    async with shown(app) as pilot:
        await press(pilot, "f1")
        assert isinstance(app.screen, HandbookDialog)
        app.screen._follow("link:https://example.org/")
        await press(pilot)
        assert app.clipboard == "https://example.org/"


@pytest.mark.parametrize("size", [WIDE, SMALL])
async def test_words_are_found_in_all_pages(settings: Settings, size: tuple[int, int]) -> None:
    app = app_over(nothing(), settings)
    async with shown(app, size) as pilot:
        await press(pilot, "f1", "/", *"checkpoint", " ", *"happen")
        text = screen_text(app)
        assert "Handbook: find words" in text
        assert "2 places" in text
        await press(pilot, "enter", "enter")
        text = screen_text(app)
        assert "Getting started (1 of " in text
        assert "checkpoint" in text
        await press(pilot, "b")
        assert "checkpoint happen" in screen_text(app)
        await press(pilot, "/", "escape")
        assert "Handbook: find words" not in screen_text(app)


async def test_letters_are_typed_where_words_are_looked_for(settings: Settings) -> None:
    app = app_over(nothing(), settings)
    async with shown(app) as pilot:
        await press(pilot, "f1", "/", *"cqb")
        assert isinstance(app.screen, HandbookDialog)
        assert "No page has all of these words: cqb" in screen_text(app)
