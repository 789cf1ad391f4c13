"""The app itself: opening and failing to, help, palette, themes, bell, title, ticks."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from engine.api import AppSettings, CannotStart, Engine, Resync, RunId, Settings, StartRequest
from gligabao_tui.app import GligabaoApp, Opening
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.screens.pulse import IDLE_TICK_SECONDS, WORKING_TICK_SECONDS
from tests.fakes.engine import FakeEngine
from tests.tui.driving import NARROW, caught_up, press, screen_text, settled, shown
from tests.tui.scenes import app_over, completed, mixed, nothing, working


class Terminal(GligabaoApp):
    """An app that remembers what it would have sent to the terminal by itself."""

    rings = 0
    sent = ""

    def bell(self) -> None:
        self.rings += 1

    def write_sequence(self, sequence: str) -> None:
        self.sent += sequence


def terminal_over(engine: FakeEngine, settings: Settings) -> Terminal:
    return Terminal(settings, engine.opened, now=engine.clock.now)


async def test_an_engine_that_cannot_be_opened_ends_the_app_with_its_reason(
    settings: Settings,
) -> None:
    may_open = False

    @asynccontextmanager
    async def refuses() -> AsyncIterator[Engine]:
        if not may_open:
            raise CannotStart("gligabao.toml: model: must be a text")
        yield FakeEngine()

    app = GligabaoApp(settings, refuses)
    async with app.run_test() as pilot:
        await settled(pilot)
    assert app.return_code == 1
    assert isinstance(app.failure, CannotStart)


async def test_the_app_can_begin_with_a_run_that_it_starts(settings: Settings) -> None:
    engine = nothing()
    request = StartRequest("What is in the handbook?", "admin", model="offline")
    app = app_over(engine, settings, Opening(start=request))
    async with shown(app) as pilot:
        assert engine.started == [request]
        assert "#1 What is in the handbook?" in screen_text(app)
        engine.enter(RunId(1), "searching", "handbook")
        await caught_up(pilot, app, engine)
        assert "● searching     handbook" in screen_text(app)


async def test_a_run_that_cannot_be_started_is_said_and_the_app_stays(settings: Settings) -> None:
    engine = nothing()
    engine.refuses = CannotStart("research needs an Anthropic API key")
    app = app_over(engine, settings, Opening(start=StartRequest("Rivers", "admin")))
    async with shown(app):
        assert "research needs an Anthropic API key" in screen_text(app)
        assert "Nothing has been researched yet" in screen_text(app)


async def test_the_palette_finds_an_action_by_its_name_and_does_it(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "ctrl+p", *"start a res")
        assert "New" in screen_text(app)
        await press(pilot, "enter")
        assert "New research" in screen_text(app)


async def test_the_palette_offers_only_what_can_be_done_now(settings: Settings) -> None:
    engine = FakeEngine()
    completed(engine)
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "ctrl+p", *"wrap up")
        assert "Let the chosen agent write" not in screen_text(app)


async def test_themes_can_be_changed_and_an_unknown_one_is_said(settings: Settings) -> None:
    wanted = replace(settings, app=AppSettings(theme="gligabao-light"))
    async with shown(app_over(mixed(), wanted)) as pilot:
        assert pilot.app.theme == "gligabao-light"
    unknown = replace(settings, app=AppSettings(theme="no-such"))
    app = app_over(mixed(), unknown)
    async with shown(app):
        assert app.theme == "gligabao"
        assert "There is no theme 'no-such'" in screen_text(app)


async def test_another_theme_is_chosen_with_a_key(settings: Settings) -> None:
    app = app_over(mixed(), settings)
    async with shown(app) as pilot:
        await press(pilot, "T", *"nord", "enter")
        assert app.theme == "nord"


WALK = (
    *("?", "escape", "n", "escape", "ctrl+p", "escape", "T", "escape", "ctrl+o", "escape"),
    *("f1", "c", "escape", "escape", "f2", "escape", "Y", "escape", "s", "escape", "S", "escape"),
    *("q", "escape", "p", "p", "/", "c", "enter", "/", "escape", "down", "down", "e", "escape"),
    *("enter", "E", "2", "7", "z", "z", "escape", "down", "enter", "7", "2", "o"),
)
"""Through every screen of the app."""


async def test_ascii_terminals_get_ascii_only(settings: Settings) -> None:
    app = app_over(mixed(), replace(settings, app=AppSettings(ascii=True)))
    async with shown(app, NARROW) as pilot:
        assert "*" in screen_text(app)
        for number, key in enumerate(WALK):
            await press(pilot, key)
            signs = {sign for sign in screen_text(app) if not sign.isascii()}
            assert signs == set(), (number, key)


async def test_without_colours_the_words_remain(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = app_over(mixed(), settings)
    async with shown(app):
        assert "✗ failed" in screen_text(app)
        assert "■ stopped" in screen_text(app)


async def test_a_bell_rings_when_an_agent_ends_while_nobody_looks(settings: Settings) -> None:
    engine = mixed()
    app = terminal_over(engine, settings)
    async with shown(app) as pilot:
        engine.end(RunId(5), "completed", "")
        await caught_up(pilot, app, engine)
        assert app.rings == 0
        app.app_focus = False
        engine.end(RunId(4), "failed", "status 529")
        await caught_up(pilot, app, engine)
        assert app.rings == 1


async def test_the_title_of_the_terminal_counts_and_is_put_back(settings: Settings) -> None:
    engine = mixed()
    app = terminal_over(engine, settings)
    async with shown(app):
        assert app.sent.startswith("\x1b[22;0t\x1b]0;gligabao")
        assert app.sent.endswith("\x1b]0;gligabao ●2 ✗1\x07")
    assert app.sent.endswith("\x1b[23;0t")


async def test_the_screen_is_redrawn_every_second_only_while_something_works(
    settings: Settings,
) -> None:
    engine = FakeEngine()
    completed(engine)
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        assert app.pulse.tick_seconds == IDLE_TICK_SECONDS
        run_id = engine.begin("Rivers")
        await caught_up(pilot, app, engine)
        assert app.pulse.tick_seconds == WORKING_TICK_SECONDS
        engine.end(run_id, "completed", "")
        await caught_up(pilot, app, engine)
        app.tick()
        assert app.pulse.tick_seconds == IDLE_TICK_SECONDS


async def test_a_signal_closes_the_engine_and_then_the_app(settings: Settings) -> None:
    engine = working()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        app.ended_by(15, None)
        await app.bridge.ended()
        await settled(pilot)
        assert app.return_code == 143
        assert not engine.is_open


async def test_a_fault_of_the_engine_ends_the_app_with_it(settings: Settings) -> None:
    engine = working()
    app = app_over(engine, settings)

    async def faulty(_: Engine) -> None:
        raise AssertionError("this cannot be")

    async with shown(app) as pilot:
        app.run_worker(app.bridge.call(faulty), exit_on_error=False)
        await app.bridge.ended()
        await settled(pilot)
    assert isinstance(app.failure, AssertionError)
    assert app.return_code == 1


async def test_today_begins_again_at_midnight(settings: Settings) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        engine.clock.advance(timedelta(days=1).total_seconds())
        engine.runs = {n: replace(run, cost_usd=0.0) for n, run in engine.runs.items()}
        app.tick()
        await settled(pilot)
        assert "today $0.00" in screen_text(app)


async def test_more_events_than_the_screen_takes_lead_to_a_reading(settings: Settings) -> None:
    engine = mixed()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        engine.asked.clear()
        engine.emit(Resync(None))
        await caught_up(pilot, app, engine)
        assert any(one.startswith("list") for one in engine.asked)
        assert isinstance(app.screen, MainScreen)
