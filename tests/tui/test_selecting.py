"""Selecting text with the mouse: what is copied is what is seen, and a drag is no click."""

from collections.abc import Iterator

import pytest
from rich.style import Style
from textual import events
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widget import Widget

from engine.api import Settings
from gligabao_tui.app import GligabaoApp
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.widgets.block_list import BlockList
from gligabao_tui.widgets.line_view import LineView
from gligabao_tui.widgets.plain import Drawn
from tests.tui.driving import NARROW, press, settled, shown
from tests.tui.scenes import app_over, mixed, only_completed


async def drag(
    pilot: Pilot[int], widget: Widget, start: tuple[int, int], end: tuple[int, int]
) -> None:
    """Press, move and release, at places inside a widget; `end` itself is selected too."""
    await pilot.mouse_down(widget, offset=start)
    await pilot.hover(widget, offset=end)
    await pilot.mouse_up(widget, offset=end)
    await settled(pilot)


def moved_to(widget: Widget, x: int, y: int) -> events.MouseMove:
    """The mouse, dragged down to a place of the screen."""
    return events.MouseMove(widget, x, y, 0, 1, 1, False, False, False, screen_x=x, screen_y=y)


def selected(app: GligabaoApp) -> str:
    return app.screen.get_selected_text() or ""


async def test_a_drag_in_the_list_selects_what_is_seen_and_opens_nothing(
    settings: Settings,
) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        rows = app.screen.query_one("#run-rows", BlockList)
        await drag(pilot, rows, (0, 0), (rows.size.width - 2, 1))
        first, second = selected(app).split("\n")
        assert "Port of Gdansk" in first
        assert "Baltica" in second
        assert isinstance(app.screen, MainScreen)
        assert app.main.scopes()[0] == "runs"


async def test_what_is_selected_looks_different_from_what_is_not(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        rows = app.screen.query_one("#run-rows", BlockList)
        before = rows.render_line(1)
        await drag(pilot, rows, (4, 1), (8, 1))
        after = rows.render_line(1)
        assert after.text == before.text
        looks = {at: style.bgcolor for at, style in _styles(after)}
        assert len({looks[at] for at in range(4, 9)}) == 1
        assert looks[4] != looks[3]
        assert looks[8] != looks[9]


async def test_a_paragraph_of_a_report_is_copied_without_the_breaks_of_the_layout(
    settings: Settings,
) -> None:
    app = app_over(only_completed(), settings)
    async with shown(app, NARROW) as pilot:
        await press(pilot, "enter")
        text = app.screen.query_one("#report-text", LineView)
        await drag(pilot, text, (0, 2), (30, 4))
        assert selected(app).startswith("A rollback journal copies the old page away before it is")
        assert "\n" not in selected(app)
        assert "  " not in selected(app)


async def test_a_drag_below_the_view_scrolls(settings: Settings) -> None:
    app = app_over(only_completed(), settings)
    async with shown(app, (70, 15)) as pilot:
        await press(pilot, "enter")
        text = app.screen.query_one("#report-text", LineView)
        assert text.max_scroll_y > 0
        await pilot.mouse_down(text, offset=(0, 0))
        x, y = text.region.x + 3, text.region.bottom - 1
        app.screen._forward_event(moved_to(text, x, y))
        await settled(pilot)
        await pilot.mouse_up(text, offset=(3, y - text.region.y))
        assert text.scroll_y > 0
        assert selected(app).startswith("Write-ahead logging in SQLite")


async def test_a_drag_over_a_block_of_the_dock_opens_nothing(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        card = app.screen.query_one("#card-5", Drawn)
        await drag(pilot, card, (2, 1), (12, 1))
        assert selected(app)
        assert app.main.scopes()[0] != "states"
        await pilot.click(card, offset=(2, 1))
        await settled(pilot)
        assert not selected(app)
        assert "details" in app.main.scopes()


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 15)])
async def test_everything_that_can_be_selected_has_no_control_bytes(
    settings: Settings, size: tuple[int, int]
) -> None:
    app = app_over(mixed(), settings)
    async with shown(app, size) as pilot:
        await press(pilot, "enter")
        app.screen.text_select_all()
        text = selected(app)
        assert "Port of Gdansk" in text
        assert not {char for char in text if ord(char) < 32 and char != "\n"}


def _styles(strip: Strip) -> Iterator[tuple[int, Style]]:
    at = 0
    for text, style, _ in strip:
        assert style is not None
        for _ in text:
            yield at, style
            at += 1
