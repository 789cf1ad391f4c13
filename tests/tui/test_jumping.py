"""Jump mode: letters that lead everywhere, at every size and in dialogs."""

import pytest

from engine.api import RunId, Settings
from gligabao_tui.screens.jump import JumpScreen, jump_spots
from gligabao_tui.screens.start import StartDialog
from tests.fakes.engine import FakeEngine
from tests.tui.driving import NARROW, SMALL, WIDE, press, screen_text, shown
from tests.tui.scenes import app_over, mixed

SIZES = [WIDE, NARROW, SMALL]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("keys", [(), ("enter",), ("n",), ("ctrl+p",), ("s",), ("?",)])
async def test_every_spot_has_letters_and_a_place_of_its_own(
    settings: Settings, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    app = app_over(mixed(), settings)
    async with shown(app, size) as pilot:
        await press(pilot, *keys)
        spots = jump_spots(app.screen)
        assert spots
        assert len({(spot.x, spot.y) for spot in spots}) == len(spots)
        assert all(0 <= spot.x < size[0] and 0 <= spot.y < size[1] for spot in spots)
        below = app.screen
        await press(pilot, "ctrl+o")
        assert isinstance(app.screen, JumpScreen)
        assert len(app.screen._acts) == len(spots)
        assert "Type a letter" in screen_text(app)
        await press(pilot, "ctrl+o")
        assert app.screen is below


async def test_the_letter_on_a_row_opens_its_run(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "ctrl+o")
        row = next(line for line in screen_text(app).splitlines() if "Ferry routes" in line)
        await press(pilot, row.strip()[0])
        assert app.main._chosen.opened == RunId(1)


async def test_the_letter_on_a_block_of_the_dock_opens_it_and_that_on_a_tab_turns_to_it(
    settings: Settings,
) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "ctrl+o")
        row = next(line for line in screen_text(app).splitlines() if "reading" in line)
        await press(pilot, row[: row.index(" reading")].strip()[-1])
        assert app.main._chosen.opened == RunId(4)
        await press(pilot, "ctrl+o")
        row = next(line for line in screen_text(app).splitlines() if "7 Cost" in line)
        await press(pilot, row[: row.index("7 Cost")].strip()[-1])
        assert app.main.scopes()[0] == "cost"


async def test_a_field_of_the_form_gets_the_focus_and_a_button_is_pressed(
    settings: Settings,
) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "n", "x", "ctrl+o")
        row = next(line for line in screen_text(app).splitlines() if "Documents" in line)
        await press(pilot, row[row.index("Documents") + 9 :].strip()[0])
        assert isinstance(app.screen, StartDialog)
        assert app.focused is not None
        assert app.focused.id == "docs"
        await press(pilot, "ctrl+o")
        row = next(line for line in screen_text(app).splitlines() if "Cancel" in line)
        await press(pilot, row[: row.index("Cancel")].strip()[-1])
        assert len(app.screen_stack) == 2


async def test_more_spots_than_letters_take_two(settings: Settings) -> None:
    engine = FakeEngine()
    for number in range(60):
        engine.complete(engine.begin(f"topic {number}"), "x")
    app = app_over(engine, settings)
    async with shown(app, (120, 60)) as pilot:
        await press(pilot, "ctrl+o")
        assert isinstance(app.screen, JumpScreen)
        words = list(app.screen._acts)
        assert {len(word) for word in words} == {1, 2}
        double = next(word for word in words if len(word) == 2)
        await press(pilot, double[0])
        assert isinstance(app.screen, JumpScreen)
        await press(pilot, double[1])
        assert app.main._chosen.opened is not None


async def test_a_letter_that_leads_nowhere_and_another_size_leave(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "ctrl+o", "A")
        assert app.screen is app.main
        await press(pilot, "ctrl+o")
        await pilot.resize_terminal(80, 24)
        await press(pilot)
        assert app.screen is app.main
