"""The page about definitions: every key is there with its default, and its examples are true."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from engine.definitions.catalog import load_catalog
from engine.definitions.keys import TABLES
from engine.definitions.versions import meets
from engine.domain import definition as values
from engine.resources import definitions_dir
from tests.architecture.handbook import document

PAGE = document("docs/definitions.md")
SECTIONS = {
    "": "Settings of the agent",
    "search": "How it searches",
    "search.fetch": "How it searches",
    "knowledge": "Its knowledge base",
    "limits": "What it may cost",
    "spawn": "Sub-agents",
    "spawn.roles": "Sub-agents",
    "schedule": "When it runs by itself",
}
VALUES: dict[str, Any] = {
    "": values.Definition,
    "search": values.SearchRules,
    "search.fetch": values.FetchRules,
    "knowledge": values.KnowledgeRules,
    "limits": values.LimitRules,
    "spawn.roles": values.Role,
    "schedule": values.Schedule,
}
TOLD_ABOVE = {"schema", "name", "version", "description", "system_prompt", "system_prompt_file"}


@pytest.mark.parametrize("table", SECTIONS)
def test_every_key_of_a_table_is_told(table: str) -> None:
    told = dict(rows(SECTIONS[table]))
    wanted = set(TABLES[table]) - (TOLD_ABOVE if table == "" else set())
    assert wanted - set(told) == set()
    assert [key for key in TOLD_ABOVE if key not in PAGE.section("The smallest definition")] == []


@pytest.mark.parametrize("table", VALUES)
def test_every_default_is_that_of_the_program(table: str) -> None:
    defaults = {field.name: field.default for field in fields(VALUES[table])}
    given = [row for row in rows(SECTIONS[table]) if row[1] and row[0] in TABLES[table]]
    assert len(given) >= 2
    assert [(key, told) for key, told in given if told not in written(defaults.get(key))] == []


@pytest.mark.req("R322")
def test_the_page_says_to_keep_schedules_in_one_place() -> None:
    assert "Keep the schedules of one agent in one place" in PAGE.prose


def test_the_smallest_definition_is_sound(tmp_path: Path) -> None:
    (example,) = PAGE.blocks("toml")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "a.toml").write_text(example)
    assert load_catalog(tmp_path / "own").get("short_answers").max_steps == 20


def test_every_agent_and_skill_that_comes_along_is_named() -> None:
    part = PAGE.section("Agents that come with gligabao")
    names = [one.name for one in load_catalog().listed()]
    names += [file.stem for file in definitions_dir().glob("skills/*.md")]
    assert set(re.findall(r"`(\w+)`", part)) == set(names)


def test_the_examples_of_versions_are_true() -> None:
    part = PAGE.section("Versions")
    assert all(f"`{one}`" in part for one in ("1.2.0", "1.2", ">=1.0, <2", "^1.2", "~1.2"))
    assert [meets("2.0.0", one) for one in ("1.2.0", "1.2", ">=1.0, <2", "^1.2")] == [False] * 4
    assert [meets("1.3.0", one) for one in ("^1.2", "~1.2")] == [True, False]


def rows(section: str) -> list[tuple[str, str]]:
    """Key and default of each line of the section's tables, without quotation of code."""
    found = re.findall(r"^\| `([a-z_]+)` \|(.*?)\|", PAGE.section(section), re.MULTILINE)
    return [(key, default.strip().strip("`")) for key, default in found]


def written(value: object) -> set[str]:
    """How a default may be written in the page; that of a location is no location at all."""
    match value:
        case bool():
            return {str(value).lower()}
        case str():
            return {f'"{value}"'}
        case tuple():
            return {"[" + ", ".join(f'"{one}"' for one in value) + "]"}
        case float():
            return {f"{value:g}"}
        case values.Location():
            return {"{}"}
        case _:
            return {str(value)}
