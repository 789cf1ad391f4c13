"""The agents as surfaces list them."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from engine.definitions.assembly import system_prompt
from engine.definitions.canonical import hash_of
from engine.definitions.catalog import Catalog, built_in
from engine.domain.answers import (
    AgentInfo,
    AgentKnowledge,
    AgentRole,
    AgentSchedule,
    ScheduledRun,
    ScheduleInfo,
)
from engine.domain.definition import (
    Definition,
    KnowledgeRules,
    LimitRules,
    Role,
    Schedule,
    Skill,
    SpawnRules,
)
from engine.domain.errors import Problem
from engine.domain.run import RunId
from engine.manager.listing import Kept, agent_told, agents_listed, schedules_listed

NOW = datetime(2026, 11, 1, 10, tzinfo=UTC)
DAILY = Schedule("30 7 * * *", "News of {{.Date}}", "Europe/Berlin")
NEWS = Definition(
    name="news",
    version="1.2.0",
    description="Reads the news.",
    prompt="Read.",
    model="m",
    max_steps=9,
    tools=("web_search",),
    required_skills=(Skill("dates", "Write dates out."),),
    skills=(Skill("style", "Be short."),),
    knowledge=KnowledgeRules("read_only", "press", dataset_locked=True),
    limits=LimitRules(1.5, 5.0),
    spawn=SpawnRules(enabled=True, roles=(Role("r", "scout", "scouts", trigger="on_start"),)),
    schedule=DAILY,
    source="news.toml",
)


def listed(*definitions: Definition, paused: tuple[str, ...] = ()) -> tuple[AgentInfo, ...]:
    catalog = Catalog({one.name: one for one in definitions})
    return agents_listed(catalog, Kept(paused), now=NOW)


@pytest.mark.req("R278", "R308", "R328")
def test_an_agent_is_listed_with_all_that_it_is() -> None:
    default, news = listed(NEWS, built_in())
    assert (default.name, default.source, default.schedule) == ("default", "", None)
    assert (default.max_cost_usd, default.max_tree_cost_usd) == (0, 0)
    assert news == AgentInfo(
        name="news",
        version="1.2.0",
        description="Reads the news.",
        max_steps=9,
        hash=hash_of(NEWS),
        source="news.toml",
        model="m",
        max_cost_usd=1.5,
        max_tree_cost_usd=5.0,
        knowledge=AgentKnowledge("read_only", "press", dataset_locked=True),
        tools=("web_search",),
        skills=("dates", "style"),
        roles=(AgentRole("r", "scout", "on_start"),),
        schedule=AgentSchedule(
            cron="30 7 * * *",
            timezone="Europe/Berlin",
            topic="News of {{.Date}}",
            user="scheduler",
            paused=False,
            next_run="2026-11-02T06:30:00.000Z",
            words="every day at 07:30",
        ),
    )


@pytest.mark.parametrize("paused", ["file", "here"])
def test_a_paused_schedule_has_no_next_run_and_says_who_paused_it(paused: str) -> None:
    in_file, here = paused == "file", paused == "here"
    definition = replace(NEWS, schedule=replace(DAILY, paused=in_file))
    (news,) = listed(definition, paused=("news",) if here else ())
    assert news.schedule is not None
    assert news.schedule.next_run is None
    assert (news.schedule.paused, news.schedule.paused_here) == (in_file, here)


STARTED = ScheduledRun("2026-11-01T06:30:00.000Z", "started", RunId(7), "failed")
SKIPPED = ScheduledRun("2026-10-31T06:30:00.000Z", "skipped", why="its scheduled run 6 still works")


def test_schedules_are_listed_by_agent_with_what_came_of_them() -> None:
    other = replace(NEWS, name="early")
    catalog = Catalog({one.name: one for one in (NEWS, other, built_in())})
    kept = Kept(paused={"early"}, past={"news": (STARTED, SKIPPED), "gone": (SKIPPED,)})
    early, news = schedules_listed(catalog, kept, now=NOW)
    assert (early.agent, early.past, early.schedule.last) == ("early", (), None)
    assert (early.schedule.paused_here, early.schedule.next_run) == (True, None)
    assert news == ScheduleInfo("news", news.schedule, (STARTED, SKIPPED))
    assert news.schedule.last == STARTED
    (listed,) = [one for one in agents_listed(catalog, kept, now=NOW) if one.name == "news"]
    assert listed.schedule == news.schedule


def test_an_agent_is_told_with_its_prompt_and_the_warnings_of_its_file() -> None:
    mine = (Problem("news.toml:3", "skills: a"), Problem("news.toml", "replaces"))
    others = (Problem("news.toml.json:1", "b"), Problem("old_news.toml:3", "c"))
    catalog = Catalog({"news": NEWS, "default": built_in()}, (*mine, *others))
    told = agent_told(NEWS, catalog, Kept(), now=NOW)
    assert told.warnings == mine
    assert told.definition == NEWS
    assert told.prompt == system_prompt(NEWS)
    assert told.prompt.index("Read.") < told.prompt.index("## Skill: dates")
    assert told.info == agents_listed(catalog, Kept(), now=NOW)[1]
    assert agent_told(built_in(), catalog, Kept(), now=NOW).warnings == ()
