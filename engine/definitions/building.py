"""Sound tables as the frozen values of a definition: defaults filled in, texts cleaned. Pure."""

from collections.abc import Mapping
from typing import Any

from engine.definitions.checks import FETCH_ALIAS, FETCH_TOOL, Table
from engine.definitions.values import ascii_domain
from engine.domain.definition import (
    DEPTH_CEILING,
    PER_AGENT_CEILING,
    PER_TREE_CEILING,
    Definition,
    FetchRules,
    KnowledgeRules,
    LimitRules,
    Location,
    Role,
    Schedule,
    SearchRules,
    SpawnRules,
)
from engine.domain.knobs import SHARES, Knobs
from engine.domain.text_safety import clean, one_line

_DOMAIN_LISTS = ("allowed_domains", "blocked_domains", "preferred_domains")
_CEILINGS = {
    "max_depth": DEPTH_CEILING,
    "max_per_agent": PER_AGENT_CEILING,
    "max_per_tree": PER_TREE_CEILING,
}


def built(sound: Table) -> Definition:
    """A definition of sound values, without prompt and skills; what is not given is the default,
    what is needed and not given is empty."""
    loop = sound.get("loop", "simple")
    optional = {key: sound[key] for key in ("max_steps", "max_tokens", "loop") if key in sound}
    if "tools" in sound:
        optional["tools"] = tuple(_tool(name) for name in sound["tools"])
    return Definition(
        name=sound.get("name", ""),
        version=sound.get("version", ""),
        description=one_line(sound.get("description", ""), 1000),
        prompt="",
        model=clean(sound.get("model", "")),
        knobs=_knobs(sound.get("investigate", {})) if loop == "investigative" else None,
        search=_search(sound.get("search", {})),
        knowledge=KnowledgeRules(**_plain(sound.get("knowledge", {}))),
        limits=LimitRules(**_amounts(sound.get("limits", {}))),
        spawn=_spawn(sound.get("spawn", {})),
        schedule=_schedule(sound.get("schedule", {})),
        **optional,
    )


def _tool(name: str) -> str:
    return FETCH_TOOL if name == FETCH_ALIAS else name


def _knobs(table: Table) -> Knobs:
    given: dict[str, Any] = {
        name: float(value) if name in SHARES else value for name, value in table.items()
    }
    most_domains = given.get("min_sources", Knobs().min_sources)
    lowered = min(Knobs().min_domains, most_domains)
    return Knobs(**{"min_domains": lowered, **given})


def _search(table: Table) -> SearchRules:
    plain = _plain(table, without=("fetch", "location"))
    return SearchRules(
        **plain,
        fetch=FetchRules(**_plain(table.get("fetch", {}))),
        location=Location(**_plain(table.get("location", {}))),
    )


def _spawn(table: Table) -> SpawnRules:
    given = {key: table[key] or ceiling for key, ceiling in _CEILINGS.items() if key in table}
    roles = tuple(_role(role) for role in table.get("roles", ()))
    return SpawnRules(enabled=table.get("enabled", False), roles=roles, **given)


def _role(table: Table) -> Role:
    needed = {"name": "", "agent": "", "does": ""}
    return Role(**{**needed, **_plain(table)})


def _schedule(table: Table) -> Schedule | None:
    if not table:
        return None
    return Schedule(**{"cron": "", "topic": "", **_plain(table)})


def _amounts(table: Table) -> dict[str, float]:
    return {key: float(value) for key, value in table.items()}


def _plain(table: Table, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
    return {key: _frozen(key, value) for key, value in table.items() if key not in without}


def _frozen(key: str, value: object) -> object:
    match value:
        case str():
            return clean(value).strip()
        case list() if key in _DOMAIN_LISTS:
            return tuple(ascii_domain(name) or "" for name in value)
        case _:
            assert not isinstance(value, list | Mapping), key
            return value
