"""The pane alone, and the screen that stands still while the agents go on."""

from engine.api import RunId, Settings
from tests.tui.driving import caught_up, press, screen_text, shown
from tests.tui.scenes import app_over, mixed


async def test_the_pane_gets_all_the_room_and_gives_it_back(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "enter")
        before = screen_text(app)
        await press(pilot, "z")
        text = screen_text(app)
        assert "today" not in text
        assert "Who has owned" not in text
        assert "Port of Gdansk" in text
        assert app.screen.query_one("#details").region.width == 120
        await press(pilot, "z")
        assert screen_text(app) == before


async def test_news_do_not_bring_the_dock_back(settings: Settings) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "z")
        engine.begin("Another one")
        await caught_up(pilot, app, engine)
        assert not app.screen.query_one("#dock").display


async def test_the_screen_stands_still_and_then_shows_what_it_missed(settings: Settings) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "enter", "p")
        before = screen_text(app).splitlines()[1:]
        engine.enter(RunId(5), "searching", "something quite new")
        engine.begin("A run that began meanwhile")
        await caught_up(pilot, app, engine)
        app.tick()
        await press(pilot)
        top, *rest = screen_text(app).splitlines()
        assert rest == before
        assert "paused: " in top
        assert "changes" in top
        await press(pilot, "p")
        text = screen_text(app)
        assert "paused" not in text
        assert "something quite new" in text
        assert "A run that began meanwhile" in text


async def test_keys_go_on_while_the_screen_stands_still(settings: Settings) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "p", "down", "enter")
        assert app.main._chosen.opened == RunId(4)
        assert "Who has owned the Baltica" in screen_text(app)
        await press(pilot, "2", "p")
        assert "paused" not in screen_text(app)
