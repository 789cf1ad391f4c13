"""Scenes of the agents' screen: definitions of every origin, sound and faulty."""

from dataclasses import replace

from engine.api import (
    AgentDetails,
    AgentInfo,
    AgentRole,
    AgentSchedule,
    AgentsRead,
    Definition,
    Problem,
    Role,
    SearchRules,
    Skill,
)
from engine.domain.definition import (
    FetchRules,
    KnowledgeRules,
    LimitRules,
    Location,
    Schedule,
    SpawnRules,
)
from tests.fakes.engine import FakeEngine

DIRECTORY = "/home/ann/.config/gligabao/agent_defs"
PROMPT = """\
You follow the news on a topic and report what happened, with dates and sources.

## How you work

- Search for the **newest** reports first, then for what they rest on.
- Note for every event when it happened and when it was reported.
- Leave out what only repeats an older report.

## How you search

Search in English first. Prefer reuters.com and apnews.com.

## Skill: citation_style

Put the number of a source behind each statement: `[1](ADDRESS)`.
"""
SCHEDULE = AgentSchedule(
    cron="30 7 * * 1-5",
    timezone="Europe/Berlin",
    topic="The most important news of {{.Date}}",
    user="scheduler",
    paused=False,
    next_run="2026-11-02T06:30:00.000Z",
    words="every weekday at 07:30",
)
PAUSED = replace(
    SCHEDULE, cron="@weekly", paused=True, next_run=None, words="every Sunday at 00:00"
)
NEWS = Definition(
    name="news_scanner",
    version="1.2.0",
    description="Scans recent news on a topic and reports what happened, with dates and sources.",
    prompt=PROMPT,
    max_steps=25,
    required_skills=(Skill("weighing_sources", "Weigh them."),),
    skills=(Skill("citation_style", "Cite."),),
    search=SearchRules(
        blocked_domains=("pinterest.com", "quora.com"),
        preferred_domains=("reuters.com", "apnews.com"),
        recency="week",
        language="en",
        location=Location("DE", "Bavaria", "Munich", "Europe/Berlin"),
        instructions="Prefer first-hand reporting over commentary.",
        max_calls=12,
        fetch=FetchRules(max_page_chars=30_000),
    ),
    knowledge=KnowledgeRules(instructions="Remember only dated, sourced facts.", query_first=True),
    limits=LimitRules(1.5, 5.0),
    spawn=SpawnRules(
        enabled=True,
        max_per_tree=6,
        roles=(
            Role(
                name="regional",
                agent="regional_scout",
                does="Researches one region in depth and returns dated facts with addresses.",
                version=">=1.0, <2",
                when="The topic names two or more regions that each need searches of their own.",
                max_instances=3,
                max_steps=8,
                max_steps_limit=12,
            ),
            Role(
                name="headlines",
                agent="regional_scout",
                does="Reads today's headlines.",
                trigger="on_start",
                task_template="Headlines about {{.Topic}}",
            ),
        ),
    ),
    schedule=Schedule(SCHEDULE.cron, SCHEDULE.topic, SCHEDULE.timezone, catch_up="once"),
    source="news_scanner.toml",
)
WARNINGS = (
    Problem("news_scanner.toml", 'replaces the packaged agent "news_scanner"'),
    Problem("weekly_review.toml:9", "skills: dates: there is no such file; it works without it"),
)
PROBLEMS = (
    Problem("news_scanner.toml:7", "unknown key(s): modle (did you mean model?)"),
    Problem("scout.toml:12", 'search.blocked_domains: "https://x.com" is not a domain'),
    Problem(
        "scout.toml:9",
        'schedule.cron: "* * * * *" runs the agent every 1m0s, at least 5m0s is needed between '
        "two runs",
    ),
)


def definitions() -> FakeEngine:
    """The built-in agent, two of one's own and three that come with the program."""
    engine = FakeEngine()
    news = replace(
        _info(NEWS, "3f2a9c1be40d77a1"),
        roles=(AgentRole("regional", "regional_scout", "on_demand"),),
        schedule=SCHEDULE,
    )
    weekly = _packaged("weekly_review", "What changed in a week, for people who were away.")
    engine.kinds = (
        AgentInfo("default", "1.0.0", "Searches, reads pages and writes a report", 20),
        _packaged("docs_reader", "Answers from a folder of documents alone."),
        _packaged("fact_checker", "Checks a claim and gives a verdict for each part of it."),
        news,
        _packaged("regional_scout", "Researches one region in its own press and language."),
        replace(weekly, source="weekly_review.toml", schedule=PAUSED),
    )
    engine.definitions = {"news_scanner": AgentDetails(news, NEWS, PROMPT, WARNINGS[:1])}
    engine.last_read = AgentsRead(DIRECTORY, warnings=WARNINGS)
    return engine


def faulty_definitions() -> FakeEngine:
    """The files were changed and are not sound any more."""
    engine = definitions()
    engine.last_read = AgentsRead(DIRECTORY, problems=PROBLEMS, warnings=WARNINGS)
    return engine


def packaged_definitions() -> FakeEngine:
    """Nothing of one's own yet."""
    engine = definitions()
    engine.kinds = tuple(kind for kind in engine.kinds if not kind.source.endswith("w.toml"))
    engine.kinds = tuple(kind for kind in engine.kinds if kind.name != "news_scanner")
    engine.last_read = AgentsRead(DIRECTORY)
    return engine


def _packaged(name: str, description: str) -> AgentInfo:
    return AgentInfo(name, "1.0.0", description, 20, hash="77aa01", source=f"packaged {name}.toml")


def _info(definition: Definition, hash_: str) -> AgentInfo:
    return AgentInfo(
        definition.name,
        definition.version,
        definition.description,
        definition.max_steps,
        hash=hash_,
        source=definition.source,
        tools=definition.tools,
    )
