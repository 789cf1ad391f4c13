"""Every key of a definition file, by table, with the rule for its value. Pure data."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.definitions import values
from engine.definitions.values import Rule
from engine.domain import knobs
from engine.domain.definition import (
    ACCESSES,
    CATCH_UPS,
    DEPTH_CEILING,
    LOOPS,
    PER_AGENT_CEILING,
    PER_TREE_CEILING,
    RECENCIES,
    TRIGGERS,
)
from engine.domain.run import MOST_STEPS

MOST_PROMPT_CHARS = 1_048_576
_MOST_PATH_CHARS = 500
_MOST_CALLS = 10_000


@dataclass(frozen=True, slots=True)
class Key:
    rule: Rule
    is_needed: bool = False


_DOMAINS = Key(values.each(values.domain))
_NAMES = Key(values.each(values.name))
_LINE = Key(values.line)
_TEXT = Key(values.text())
_SWITCH = Key(values.switch)
_AMOUNT = Key(values.amount)
_STEPS = Key(values.whole(1, MOST_STEPS))
_CALLS = Key(values.whole(0, _MOST_CALLS))

TABLES: Mapping[str, Mapping[str, Key]] = {
    "": {
        "schema": Key(values.schema, is_needed=True),
        "name": Key(values.name, is_needed=True),
        "version": Key(values.version, is_needed=True),
        "description": Key(values.filled(values.MOST_DESCRIPTION_CHARS), is_needed=True),
        "system_prompt": Key(values.filled(MOST_PROMPT_CHARS)),
        "system_prompt_file": Key(values.filled(_MOST_PATH_CHARS)),
        "model": Key(values.model),
        "max_steps": _STEPS,
        "max_tokens": Key(values.whole(256, 64_000)),
        "tools": Key(values.each(values.line)),
        "loop": Key(values.one_of(LOOPS)),
        "skills": _NAMES,
        "required_skills": _NAMES,
    },
    "investigate": {
        name: Key(values.real(*ends) if name in knobs.SHARES else values.whole(*map(int, ends)))
        for name, ends in knobs.RANGES.items()
    },
    "search": {
        "allowed_domains": _DOMAINS,
        "blocked_domains": _DOMAINS,
        "preferred_domains": _DOMAINS,
        "recency": Key(values.one_of(RECENCIES)),
        "language": _LINE,
        "instructions": _TEXT,
        "max_uses_per_call": Key(values.whole(1, 10)),
        "max_calls": _CALLS,
    },
    "search.location": {
        "country": Key(values.country),
        "region": _LINE,
        "city": _LINE,
        "timezone": Key(values.zone),
    },
    "search.fetch": {
        "allowed_domains": _DOMAINS,
        "blocked_domains": _DOMAINS,
        "max_page_chars": Key(values.whole(1000, 100_000)),
        "max_calls": _CALLS,
    },
    "knowledge": {
        "access": Key(values.one_of(ACCESSES)),
        "dataset": Key(values.dataset),
        "dataset_locked": _SWITCH,
        "query_first": _SWITCH,
        "instructions": _TEXT,
    },
    "limits": {"max_cost_usd": _AMOUNT, "max_tree_cost_usd": _AMOUNT},
    "spawn": {
        "enabled": _SWITCH,
        "max_depth": Key(values.whole(0, DEPTH_CEILING, ceiling=True)),
        "max_per_agent": Key(values.whole(0, PER_AGENT_CEILING, ceiling=True)),
        "max_per_tree": Key(values.whole(0, PER_TREE_CEILING, ceiling=True)),
    },
    "spawn.roles": {
        "name": Key(values.role_name, is_needed=True),
        "agent": Key(values.name, is_needed=True),
        "does": Key(values.filled(), is_needed=True),
        "version": Key(values.constraint),
        "trigger": Key(values.one_of(TRIGGERS)),
        "when": _TEXT,
        "max_instances": Key(values.whole(0, PER_TREE_CEILING)),
        "max_steps": _STEPS,
        "max_steps_limit": _STEPS,
        "task_template": Key(values.template("Topic")),
    },
    "schedule": {
        "cron": Key(values.filled(), is_needed=True),
        "topic": Key(values.template("Date", "Time"), is_needed=True),
        "timezone": Key(values.zone),
        "user": Key(values.filled_line),
        "paused": _SWITCH,
        "catch_up": Key(values.one_of(CATCH_UPS)),
    },
}
"""Dotted table -> its keys; a table inside a table is a key of its own here."""

LISTS = ("spawn.roles",)
"""Tables of which a file may have several."""


def tables_in(table: str) -> tuple[str, ...]:
    """The names of the tables directly inside `table`."""
    prefix = f"{table}." if table else ""
    inner = [name.removeprefix(prefix) for name in TABLES if name and name.startswith(prefix)]
    return tuple(name for name in inner if name != table and "." not in name)


def names_in(table: str) -> tuple[str, ...]:
    """Every name that may stand in `table`: its keys and the tables inside it."""
    return (*TABLES[table], *tables_in(table))
