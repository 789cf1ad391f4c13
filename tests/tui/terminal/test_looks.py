"""Every theme draws every screen; the terminal's own colours are not mixed; none is needed."""

from dataclasses import replace

import pytest

from engine.api import AppSettings, Settings
from gligabao_tui.app import GligabaoApp
from gligabao_tui.resources import theme_tables
from tests.tui.driving import press, screen_text, shown
from tests.tui.scenes import app_over, mixed

SCREENS = (("enter",), ("escape", "n"), ("escape", "s"), ("escape", "?"))


def colours(app: GligabaoApp) -> set[tuple[int, ...] | None]:
    """Of all that is painted: their red, green and blue, or None for one of the terminal's own."""
    found: set[tuple[int, ...] | None] = set()
    for strip in app.screen._compositor.render_strips():
        for segment in strip:
            if segment.style is not None:
                kinds = (segment.style.color, segment.style.bgcolor)
                found |= {tuple(one.triplet) if one.triplet else None for one in kinds if one}
    return found


def themed(settings: Settings, theme: str) -> GligabaoApp:
    return app_over(mixed(), replace(settings, app=AppSettings(theme=theme)))


@pytest.mark.parametrize("theme", sorted(theme_tables()))
async def test_every_theme_of_the_app_draws_every_kind_of_screen(
    settings: Settings, theme: str
) -> None:
    app = themed(settings, theme)
    async with shown(app) as pilot:
        assert app.theme == theme
        for keys in SCREENS:
            await press(pilot, *keys)
            assert len(colours(app)) > (1 if theme != "gligabao-ansi" else 0)


async def test_the_ansi_theme_uses_the_colours_of_the_terminal_alone(settings: Settings) -> None:
    app = themed(settings, "gligabao-ansi")
    async with shown(app) as pilot:
        for keys in SCREENS:
            await press(pilot, *keys)
            assert colours(app) == {None}, keys


@pytest.mark.parametrize("theme", ["gligabao", "gligabao-light", "gligabao-ansi"])
async def test_without_colours_there_are_only_greys_and_every_status_has_its_word(
    settings: Settings, theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = themed(settings, theme)
    async with shown(app) as pilot:
        told = screen_text(app)
        assert all(word in told for word in ("● working", "✓ done", "✗ failed", "■ stopped"))
        for keys in SCREENS:
            await press(pilot, *keys)
            assert all(one is None or len(set(one)) == 1 for one in colours(app)), keys
