"""The first screen: what is set up, and what one can do now."""

import pytest

from engine.api import RunId, Settings
from gligabao_tui.screens.doctor import DoctorDialog
from gligabao_tui.screens.handbook import HandbookDialog
from gligabao_tui.screens.start import StartDialog
from gligabao_tui.view.demo import DEMO_TOPIC
from tests.tui.driving import NARROW, SMALL, WIDE, click, press, screen_text, shown
from tests.tui.scenes import app_over, mixed, nothing, settings_in


@pytest.mark.parametrize("size", [WIDE, NARROW, SMALL])
async def test_the_welcome_says_what_is_set_up_at_every_size(
    settings: Settings, size: tuple[int, int]
) -> None:
    app = app_over(nothing(), settings)
    async with shown(app, size):
        text = screen_text(app)
        for told in ("Nothing has been researched yet", "an API key is set", "no file", "data"):
            assert told in text
        for told in ("start a research", "the demo", "handbook", "check what is set up"):
            assert told in text


async def test_the_welcome_says_what_works_without_a_key(settings: Settings) -> None:
    app = app_over(nothing(), settings_in(settings.data_dir, key=""))
    async with shown(app):
        text = screen_text(app)
        assert "! none: set ANTHROPIC_API_KEY" in text
        assert "ddgs" in text


@pytest.mark.parametrize(
    ("at", "opened"), [((30, 4), StartDialog), ((30, 5), HandbookDialog), ((52, 5), DoctorDialog)]
)
async def test_what_is_offered_can_be_clicked(
    settings: Settings, at: tuple[int, int], opened: type
) -> None:
    app = app_over(nothing(), settings)
    async with shown(app) as pilot:
        await click(pilot, "#run-empty", at=at)
        assert isinstance(app.screen, opened)


async def test_the_demo_researches_the_handbook_and_needs_no_key(settings: Settings) -> None:
    engine = nothing()
    app = app_over(engine, settings_in(settings.data_dir, key=""))
    async with shown(app) as pilot:
        await press(pilot, "D")
        (request,) = engine.started
        assert (request.topic, request.model, request.user) == (DEMO_TOPIC, "offline", "admin")
        assert [folder.name for folder in request.docs] == ["handbook"]
        assert f"#{RunId(1)} {DEMO_TOPIC[:30]}" in screen_text(app)


async def test_the_demo_is_hinted_at_only_while_nothing_was_researched(settings: Settings) -> None:
    app = app_over(nothing(), settings)
    async with shown(app):
        assert "D Demo" in screen_text(app).splitlines()[-1]
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        assert "D Demo" not in screen_text(app)
        await press(pilot, "D")
        assert app.main.working[-1].topic == DEMO_TOPIC
