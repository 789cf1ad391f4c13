"""Agents and schedules as surfaces list them, each with what the database keeps of it. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from engine.definitions.assembly import system_prompt
from engine.definitions.canonical import hash_of
from engine.definitions.catalog import Catalog
from engine.domain.answers import (
    AgentDetails,
    AgentInfo,
    AgentKnowledge,
    AgentRole,
    AgentSchedule,
    ScheduledRun,
    ScheduleInfo,
)
from engine.domain.clock import timestamp
from engine.domain.cron import parse
from engine.domain.cron_words import in_words
from engine.domain.definition import Definition, KnowledgeRules, Schedule
from engine.domain.scheduling import next_due, timetable


@dataclass(frozen=True, slots=True)
class Kept:
    """What the database keeps of schedules."""

    paused: Collection[str] = ()
    """The agents whose schedules a person paused."""
    past: Mapping[str, tuple[ScheduledRun, ...]] = field(default_factory=dict)
    """By agent what came of its due times, the latest first."""


def agents_listed(catalog: Catalog, kept: Kept, *, now: datetime) -> tuple[AgentInfo, ...]:
    """That of whoever names none first, the others by name."""
    return tuple(_agent(one, kept, now=now) for one in catalog.listed())


def agent_told(
    definition: Definition, catalog: Catalog, kept: Kept, *, now: datetime
) -> AgentDetails:
    """One of the catalog with its prompt, as a run that a person starts gets it."""
    source = definition.source
    warnings = [
        warning
        for warning in catalog.warnings
        if source and (warning.where == source or warning.where.startswith(f"{source}:"))
    ]
    info = _agent(definition, kept, now=now)
    return AgentDetails(info, definition, system_prompt(definition), tuple(warnings))


def schedules_listed(catalog: Catalog, kept: Kept, *, now: datetime) -> tuple[ScheduleInfo, ...]:
    """By the name of the agent."""
    return tuple(
        ScheduleInfo(agent, _schedule(agent, schedule, kept, now=now), kept.past.get(agent, ()))
        for agent, schedule in sorted(catalog.schedules().items())
    )


def _agent(definition: Definition, kept: Kept, *, now: datetime) -> AgentInfo:
    name, schedule = definition.name, definition.schedule
    skills = (*definition.required_skills, *definition.skills)
    return AgentInfo(
        name=name,
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
        schedule=_schedule(name, schedule, kept, now=now) if schedule else None,
        sites=definition.search.allowed_domains,
    )


def _knowledge(rules: KnowledgeRules) -> AgentKnowledge:
    return AgentKnowledge(rules.access, rules.dataset, rules.dataset_locked)


def _schedule(agent: str, schedule: Schedule, kept: Kept, *, now: datetime) -> AgentSchedule:
    paused_here = agent in kept.paused
    return AgentSchedule(
        cron=schedule.cron,
        timezone=schedule.timezone,
        topic=schedule.topic,
        user=schedule.user,
        paused=schedule.paused,
        paused_here=paused_here,
        next_run=None if paused_here else _next_run(schedule, now),
        last=next(iter(kept.past.get(agent, ())), None),
        words=in_words(parse(schedule.cron)),
    )


def _next_run(schedule: Schedule, now: datetime) -> str | None:
    """None also where the computer has no such time zone."""
    try:
        due = next_due(timetable(schedule), now)
    except ValueError:
        return None
    return timestamp(due) if due else None
