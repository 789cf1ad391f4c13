"""The system prompt of an agent, put together from its definition and from where it runs.

The order is fixed: the definition's own prompt, how it searches, the knowledge base, sub-agents,
the preamble of a sub-agent, the skills. A part is there only when the agent has what it speaks of.
Nothing is read here but the prompts of the program.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from engine.domain.definition import Definition, KnowledgeRules, Role, SearchRules, Skill
from engine.domain.template import render
from engine.domain.text_safety import clean, one_line
from engine.resources import prompt

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class SubAgent:
    """As what an agent was started by another one."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What an agent has where it runs, beyond its definition."""

    only_documents: bool = False
    """It searches and reads given documents and not the web."""
    has_knowledge: bool = False
    """There is a knowledge base; the definition decides about its tools."""
    can_spawn: bool = False
    """`spawn_subagent` is one of its tools."""
    sub_agent: SubAgent | None = None


ALONE = Surroundings()


def system_prompt(definition: Definition, around: Surroundings = ALONE) -> str:
    """The whole system prompt, its parts separated by an empty line."""
    parts = (
        definition.prompt,
        prompt("documents") if around.only_documents else "",
        search_preferences(definition.search),
        _knowledge(definition.knowledge) if around.has_knowledge else "",
        _sub_agents(definition.spawn.roles) if around.can_spawn else "",
        _preamble(around.sub_agent) if around.sub_agent else "",
        *map(_skill, definition.required_skills),
        *map(_skill, definition.skills),
    )
    return "\n\n".join(part for part in parts if part)


def search_preferences(rules: SearchRules) -> str:
    """What an agent is told about searching; empty when all is left to it."""
    values = {
        **_preferred(rules),
        "allowed_domains": ", ".join(rules.allowed_domains),
        "blocked_domains": ", ".join(rules.blocked_domains),
        "readable_domains": ", ".join(rules.fetch.allowed_domains),
        "unreadable_domains": ", ".join(rules.fetch.blocked_domains),
        "searches": _count(rules.max_calls),
        "readings": _count(rules.fetch.max_calls),
    }
    return _filled(prompt("search_preferences"), values)


def search_call_preferences(rules: SearchRules) -> str:
    """What the model behind one `web_search` call is told: only what is preferred, since the rest
    is enforced; empty when there is nothing."""
    return _filled(prompt("search_preferences"), _preferred(rules))


def _preferred(rules: SearchRules) -> dict[str, str]:
    return {
        "preferred_domains": ", ".join(rules.preferred_domains),
        "recency": "" if rules.recency == "any" else rules.recency,
        "language": rules.language,
        "instructions": rules.instructions,
    }


def _count(calls: int) -> str:
    return str(calls) if calls else ""


def _filled(template: str, values: Mapping[str, str]) -> str:
    """The template without the lines that have no value, rendered strictly; empty when no line has
    one."""
    given = {name for name, value in values.items() if value}
    if not given:
        return ""
    lines = [line for line in template.splitlines() if set(_PLACEHOLDER.findall(line)) <= given]
    return render("\n".join(lines), {name: values[name] for name in given})


def _knowledge(rules: KnowledgeRules) -> str:
    if rules.access == "none":
        return ""
    first = prompt("knowledge_first") if rules.query_first else ""
    parts = (prompt(f"knowledge_{rules.access}"), first, rules.instructions)
    return "\n".join(part for part in parts if part)


def _sub_agents(roles: tuple[Role, ...]) -> str:
    """The policy of when to start one: of the roles, else the free form. Roles that are started
    without being asked for are told when they are."""
    if not roles:
        return prompt("spawn")
    told = [_role(role) for role in roles if role.trigger == "on_demand"]
    return render(prompt("spawn_roles"), {"roles": "\n".join(told)}) if told else ""


def _role(role: Role) -> str:
    values = {"name": role.name, "does": role.does, "when": role.when}
    return render(prompt("spawn_role"), values)


def _preamble(sub_agent: SubAgent) -> str:
    values = {"name": one_line(sub_agent.name), "reason": clean(sub_agent.reason).strip()}
    return render(prompt("subagent"), values)


def _skill(skill: Skill) -> str:
    return f"## Skill: {skill.name}\n\n{skill.text}"
