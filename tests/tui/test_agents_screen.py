"""The agents' screen: everything about each definition, what is wrong in the files, own copies."""

import asyncio
from typing import Any

import pytest
from textual.screen import Screen

from engine.api import (
    AgentInfo,
    AgentsRead,
    EngineUnreachable,
    Problem,
    Settings,
)
from gligabao_tui.app import GligabaoApp
from gligabao_tui.screens.agents import AgentsScreen
from gligabao_tui.screens.main import MainScreen
from gligabao_tui.screens.schedules import SchedulesScreen
from gligabao_tui.screens.start import StartDialog
from tests.fakes.engine import FakeEngine
from tests.tui.agent_scenes import (
    PROMPT,
    definitions,
)
from tests.tui.driving import NARROW, SMALL, WIDE, press, screen_text, settled, shown
from tests.tui.scenes import app_over, nothing
from tests.tui.test_hostile import HOSTILE, assert_safe

OLD = AgentInfo("default", "1", "searches", 20)


def is_shown(app: GligabaoApp, kind: type[Screen[Any]]) -> bool:
    return isinstance(app.screen, kind)


@pytest.mark.parametrize("key", ["f3", "a"])
async def test_the_agents_are_listed_default_first_then_own_then_packaged(
    settings: Settings, key: str
) -> None:
    app = app_over(definitions(), settings)
    async with shown(app) as pilot:
        await press(pilot, key)
        assert is_shown(app, AgentsScreen)
        text = screen_text(app)
        names = ["default", "news_scanner", "weekly_review", "docs_reader", "regional_scout"]
        places = [text.index(f" {name} ") for name in names]
        assert places == sorted(places)
        assert "6, 2 of them your own" in text
        await press(pilot, "escape")
        assert is_shown(app, MainScreen)


async def test_each_says_where_it_is_from_whether_it_is_warned_of_and_runs_by_itself(
    settings: Settings,
) -> None:
    app = app_over(definitions(), settings)
    async with shown(app) as pilot:
        await press(pilot, "f3")
        rows = {row.split()[0]: row for row in screen_text(app).splitlines() if "1." in row[:34]}
        assert "built-in" in rows["default"]
        assert "replaces ◷" in rows["news_scanner"]
        assert "weekly_review" in rows["!"]
        assert "own      ○" in rows["!"]
        assert "packaged" in rows["docs_reader"]


async def test_the_details_follow_the_cursor(settings: Settings) -> None:
    engine = definitions()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f3", "j")
        text = screen_text(app)
        for told in (
            "/home/ann/.config/gligabao/agent_defs/news_scanner.toml",
            "25 steps at most, 8,192 tokens an answer",
            "weighing_sources (required), citation_style",
            "$5.00 of the whole research",
            "pinterest.com, quora.com (enforced)",
            "nothing enforces what follows",
            "replaces the packaged agent",
        ):
            assert told in text
        await press(pilot, "j")
        assert "What changed in a week" in screen_text(app)
        await press(pilot, "k", "k", "j")
        assert engine.asked.count("agent news_scanner") == 1


async def test_the_end_of_the_details_tells_roles_schedule_and_prompt(settings: Settings) -> None:
    app = app_over(definitions(), settings)
    async with shown(app) as pilot:
        await press(pilot, "f3", "j", "enter", "G")
        text = screen_text(app)
        for told in (
            "runs regional_scout",
            "at once, before the agent's first step",
            "every weekday at 07:30 (30 7 * * 1-5)",
            "Mon 2 Nov 07:30",
            "06:30 on your clock",
            "once after missed times",
            "Skill: citation_style",
        ):
            assert told in text
        await press(pilot, "escape")
        assert is_shown(app, AgentsScreen)
        await press(pilot, "escape")
        assert is_shown(app, MainScreen)


async def test_in_few_columns_the_list_comes_first_and_the_details_lie_over_it(
    settings: Settings,
) -> None:
    app = app_over(definitions(), settings)
    async with shown(app, SMALL) as pilot:
        await press(pilot, "f3", "j")
        assert "Scans recent news" in screen_text(app)
        assert "25 steps at most" not in screen_text(app)
        await press(pilot, "enter", *("j",) * 4)
        assert "25 steps at most" in screen_text(app)
        assert "docs_reader" not in screen_text(app)
        await press(pilot, "J")
        assert "What changed in a week" in screen_text(app)
        await press(pilot, "escape")
        assert "docs_reader" in screen_text(app)
        await press(pilot, "q")
        assert is_shown(app, MainScreen)


async def test_a_window_that_becomes_narrow_keeps_the_keys_where_they_can_be_seen(
    settings: Settings,
) -> None:
    app = app_over(definitions(), settings)
    async with shown(app, NARROW) as pilot:
        await press(pilot, "f3", "j", "enter")
        await pilot.resize_terminal(*SMALL)
        await settled(pilot)
        await press(pilot, "G")
        assert "Skill: citation_style" in screen_text(app)
        await press(pilot, "escape")
        await pilot.resize_terminal(*WIDE)
        await settled(pilot)
        await press(pilot, "j")
        assert "What changed in a week" in screen_text(app)


async def test_a_research_is_started_with_the_chosen_agent(settings: Settings) -> None:
    engine = definitions()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f3", "j", "n")
        form = app.screen
        assert isinstance(form, StartDialog)
        assert (form.form().agent, form.form().max_steps) == ("news_scanner", "25")
        await press(pilot, "escape")
        assert is_shown(app, AgentsScreen)
        await press(pilot, "n", *"Rivers", "ctrl+j")
        assert is_shown(app, MainScreen)
        assert engine.started[0].agent == "news_scanner"
        assert "#1 Rivers" in screen_text(app)


async def test_the_schedule_of_an_agent_is_one_key_away_and_back(settings: Settings) -> None:
    app = app_over(definitions(), settings)
    async with shown(app) as pilot:
        await press(pilot, "f3", "s")
        assert is_shown(app, AgentsScreen)
        await press(pilot, "j", "s")
        assert is_shown(app, SchedulesScreen)
        await press(pilot, "a")
        assert is_shown(app, AgentsScreen)
        assert "Scans recent news" in screen_text(app)
        await press(pilot, "escape")
        assert is_shown(app, MainScreen)


async def test_words_filter_the_list_and_escape_shows_all_again(settings: Settings) -> None:
    app = app_over(definitions(), settings)
    async with shown(app) as pilot:
        await press(pilot, "f3", "/", *"own week")
        assert "1 of 6" in screen_text(app)
        await press(pilot, "enter")
        assert "What changed in a week" in screen_text(app)
        await press(pilot, "/", *"zzz")
        assert "No agent has these words" in screen_text(app)
        await press(pilot, "escape")
        assert "6, 2 of them your own" in screen_text(app)
        assert is_shown(app, AgentsScreen)


async def test_the_prompt_is_copied_as_it_is_put_together(settings: Settings) -> None:
    app = app_over(definitions(), settings)
    async with shown(app) as pilot:
        await press(pilot, "f3", "j", "y")
        assert app.clipboard == PROMPT


class SlowEngine(FakeEngine):
    """Answers about agents when it is let go on."""

    def __init__(self) -> None:
        super().__init__()
        self.may_answer = asyncio.Event()

    async def agents(self) -> tuple[AgentInfo, ...]:
        await self.may_answer.wait()
        return await super().agents()


async def test_an_engine_that_takes_long_is_waited_for_in_words(settings: Settings) -> None:
    engine = SlowEngine()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await app.run_action("agents")
        await pilot.pause()
        assert "asking the engine" in screen_text(app)
        await app.run_action("screen.back")
        await pilot.pause()
        assert is_shown(app, MainScreen)
        await app.bridge.call(lambda _: go_on(engine))
        await settled(pilot)
        assert app.return_code is None


async def go_on(engine: SlowEngine) -> None:
    engine.may_answer.set()


async def test_an_engine_that_is_gone_is_said(settings: Settings) -> None:
    engine = nothing()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await app.bridge.call(lambda _: engine.delivered())
        engine.fail_watchers(EngineUnreachable("the owner has gone"))
        await app.bridge.ended()
        await press(pilot, "f3")
        assert "The agents cannot be told" in screen_text(app)
        await press(pilot, "r", "c", "e", "n", "enter", "escape", "escape")
        assert is_shown(app, MainScreen)


async def test_hostile_definitions_are_shown_safely(settings: Settings) -> None:
    engine = nothing()
    agent = AgentInfo(HOSTILE, HOSTILE, HOSTILE, 20, source=HOSTILE, hash=HOSTILE)
    engine.kinds = (OLD, agent)
    engine.last_read = AgentsRead(
        HOSTILE, (Problem(HOSTILE, HOSTILE),), (Problem(f"{HOSTILE}:3", HOSTILE),), (HOSTILE,)
    )
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f3")
        assert_safe(app)
        await press(pilot, "escape", "j", "enter", "G")
        assert_safe(app)
        await press(pilot, "y", "c")
        assert_safe(app)
        await press(pilot, "escape", "r")
        assert_safe(app)
        assert app.return_code is None


async def test_help_tells_the_keys_of_the_agents_and_the_handbook_opens_there(
    settings: Settings,
) -> None:
    app = app_over(definitions(), settings)
    async with shown(app) as pilot:
        await press(pilot, "f3", "?")
        assert "Make a definition of your own from this one" in screen_text(app)
        assert "Everywhere" not in screen_text(app)
        await press(pilot, "escape", "f1")
        assert "## Agents" not in screen_text(app)
        assert "Agents" in screen_text(app)


async def test_details_that_cannot_be_told_are_said_in_their_place(settings: Settings) -> None:
    engine = definitions()
    app = app_over(engine, settings)
    async with shown(app) as pilot:
        await press(pilot, "f3")
        engine.kinds = engine.kinds[:1]
        await press(pilot, "j", "j")
        assert 'there is no agent called "weekly_review"' in screen_text(app)
        await press(pilot, "k", "k")
        assert "Searches, reads pages" in screen_text(app)
