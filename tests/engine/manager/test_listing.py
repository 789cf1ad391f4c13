"""The agents as surfaces list them."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from engine.definitions.canonical import hash_of
from engine.definitions.catalog import Catalog, built_in
from engine.domain.answers import AgentInfo, AgentKnowledge, AgentRole, AgentSchedule
from engine.domain.definition import (
    Definition,
    KnowledgeRules,
    LimitRules,
    Role,
    Schedule,
    Skill,
    SpawnRules,
)
from engine.manager.listing import agents_listed

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
    return agents_listed(Catalog({one.name: one for one in definitions}), now=NOW, paused=paused)


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
