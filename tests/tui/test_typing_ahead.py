"""Keys that arrive together, as over a slow connection, do what they do one by one."""

import pytest
from textual import events
from textual.pilot import Pilot

from engine.api import Settings
from gligabao_tui.app import GligabaoApp
from gligabao_tui.widgets.fields import PlainInput, SearchInput, TopicArea
from tests.fakes.engine import FakeEngine
from tests.tui.driving import press, screen_text, settled, shown
from tests.tui.scenes import app_over, mixed


async def press_together(pilot: Pilot[int], app: GligabaoApp, *keys: str) -> None:
    for key in keys:
        app.post_message(events.Key(key, key if len(key) == 1 else None))
    await settled(pilot)


@pytest.mark.parametrize("start", ["ctrl+u", "backspace"])
async def test_a_field_edits_in_the_order_of_the_keys(settings: Settings, start: str) -> None:
    app = app_over(FakeEngine(), settings)
    async with shown(app) as pilot:
        await press(pilot, "n")
        field = app.screen.query_one("#max_steps", PlainInput)
        field.focus()
        await settled(pilot)
        await press_together(pilot, app, start, *"19", "backspace", "2")
        assert field.value == "12"


async def test_the_topic_edits_in_the_order_of_the_keys(settings: Settings) -> None:
    app = app_over(FakeEngine(), settings)
    async with shown(app) as pilot:
        await press(pilot, "n")
        await press_together(pilot, app, *"teh", "backspace", "backspace", *"he", "enter", "x")
        assert app.screen.query_one(TopicArea).text == "the\nx"


async def test_a_research_is_started_with_all_that_was_typed(settings: Settings) -> None:
    engine = FakeEngine()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "n")
        await press_together(pilot, app, *"Rivers", "ctrl+j")
        assert engine.started[0].topic == "Rivers"


async def test_a_form_that_is_left_keeps_all_that_was_typed(settings: Settings) -> None:
    app = app_over(FakeEngine(), settings)
    async with shown(app) as pilot:
        await press(pilot, "n")
        await press_together(pilot, app, *"Rivers", "escape")
        await press(pilot, "n")
        assert app.screen.query_one(TopicArea).text == "Rivers"


async def test_where_a_slash_is_typed_it_is_not_offered_as_a_key(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "/")
        assert app.screen.query_one(SearchInput).has_focus
        assert "/ Filter" not in screen_text(app).splitlines()[-1]
