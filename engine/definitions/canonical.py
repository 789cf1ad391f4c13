"""A definition as the tables of a file, every default filled in, and the hash of its content. Pure.

The hash says what an agent is: prompt, skills and settings. When it runs by itself and which file
it came from are no part of that.
"""

import hashlib
import json
from dataclasses import asdict
from typing import Any, TypeAlias

from engine.domain.definition import Definition, Location, Role, SearchRules, SpawnRules

Tables: TypeAlias = dict[str, Any]


def tables_of(definition: Definition) -> Tables:
    """What a file would say to mean exactly this definition; of skills the names alone."""
    tables: Tables = {
        "schema": 1,
        "name": definition.name,
        "version": definition.version,
        "description": definition.description,
        "system_prompt": definition.prompt,
        "model": definition.model,
        "max_tokens": definition.max_tokens,
        "tools": list(definition.tools),
        "loop": definition.loop,
        "required_skills": [skill.name for skill in definition.required_skills],
        "skills": [skill.name for skill in definition.skills],
        "search": _search(definition.search),
        "knowledge": asdict(definition.knowledge),
        "limits": asdict(definition.limits),
        "spawn": _spawn(definition.spawn),
    }
    if definition.knobs is None:
        tables["max_steps"] = definition.max_steps
    else:
        tables["investigate"] = asdict(definition.knobs)
    if definition.schedule is not None:
        tables["schedule"] = asdict(definition.schedule)
    return tables


def hash_of(definition: Definition) -> str:
    """SHA-256 of the canonical content, in hexadecimal digits."""
    return hashlib.sha256(canonical_json(_content(definition)).encode()).hexdigest()


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and without spaces, characters as they are."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _content(definition: Definition) -> Tables:
    content = tables_of(definition)
    content.pop("schedule", None)
    content["required_skills"] = [asdict(skill) for skill in definition.required_skills]
    content["skills"] = [asdict(skill) for skill in definition.skills]
    return content


def _search(rules: SearchRules) -> Tables:
    tables = _listed(asdict(rules))
    tables["fetch"] = _listed(asdict(rules.fetch))
    tables["location"] = _location(rules.location)
    return tables


def _location(location: Location) -> Tables:
    return {key: value for key, value in asdict(location).items() if value}


def _spawn(rules: SpawnRules) -> Tables:
    return {**asdict(rules), "roles": [_role(role) for role in rules.roles]}


def _role(role: Role) -> Tables:
    """Without the steps that are those of its definition."""
    steps = ("max_steps", "max_steps_limit")
    return {key: value for key, value in asdict(role).items() if value or key not in steps}


def _listed(table: Tables) -> Tables:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in table.items()}
