"""The agents as surfaces list them: what a definition says, its hash, when it runs next. Pure."""

from collections.abc import Collection
from datetime import datetime

from engine.definitions.canonical import hash_of
from engine.definitions.catalog import Catalog
from engine.domain.answers import AgentInfo, AgentKnowledge, AgentRole, AgentSchedule
from engine.domain.clock import timestamp
from engine.domain.cron import parse
from engine.domain.cron_words import in_words
from engine.domain.definition import Definition, KnowledgeRules, Schedule
from engine.domain.scheduling import next_due, timetable


def agents_listed(
    catalog: Catalog, *, now: datetime, paused: Collection[str]
) -> tuple[AgentInfo, ...]:
    """`default` first, the others by name. `paused` are the agents whose schedules a person
    paused."""
    return tuple(_agent(one, now=now, paused_here=one.name in paused) for one in catalog.listed())


def _agent(definition: Definition, *, now: datetime, paused_here: bool) -> AgentInfo:
    skills = (*definition.required_skills, *definition.skills)
    schedule = definition.schedule
    return AgentInfo(
        name=definition.name,
        version=definition.version,
        description=definition.description,
        max_steps=definition.max_steps,
        hash=hash_of(definition),
        source=definition.source,
        model=definition.model,
        max_cost_usd=definition.limits.max_cost_usd,
        max_tree_cost_usd=definition.limits.max_tree_cost_usd,
        knowledge=_knowledge(definition.knowledge),
        tools=definition.tools,
        skills=tuple(skill.name for skill in skills),
        roles=tuple(AgentRole(r.name, r.agent, r.trigger) for r in definition.spawn.roles),
        loop=definition.loop,
        schedule=_schedule(schedule, now=now, paused_here=paused_here) if schedule else None,
        sites=definition.search.allowed_domains,
    )


def _knowledge(rules: KnowledgeRules) -> AgentKnowledge:
    return AgentKnowledge(rules.access, rules.dataset, rules.dataset_locked)


def _schedule(schedule: Schedule, *, now: datetime, paused_here: bool) -> AgentSchedule:
    return AgentSchedule(
        cron=schedule.cron,
        timezone=schedule.timezone,
        topic=schedule.topic,
        user=schedule.user,
        paused=schedule.paused,
        paused_here=paused_here,
        next_run=None if paused_here else _next_run(schedule, now),
        words=in_words(parse(schedule.cron)),
    )


def _next_run(schedule: Schedule, now: datetime) -> str | None:
    """None also where the computer has no such time zone."""
    try:
        due = next_due(timetable(schedule), now)
    except ValueError:
        return None
    return timestamp(due) if due else None
