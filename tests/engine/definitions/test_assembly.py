"""The system prompt: its parts, their order, and that nothing is told of what an agent lacks."""

from dataclasses import replace
from typing import Any

import pytest

from engine.definitions.assembly import (
    SubAgent,
    Surroundings,
    search_call_preferences,
    search_preferences,
    system_prompt,
)
from engine.definitions.catalog import load_catalog
from engine.domain.definition import (
    Definition,
    FetchRules,
    KnowledgeRules,
    Role,
    SearchRules,
    Skill,
    SpawnRules,
)
from engine.resources import prompt

PLAIN = Definition(name="a", version="1.0.0", description="d", prompt="THE PROMPT")
EVERYWHERE = Surroundings(
    only_documents=True,
    has_knowledge=True,
    can_spawn=True,
    sub_agent=SubAgent("scout-1", "Two regions\nneed it."),
)
ROLES = (
    Role("regional", "scout", "Researches a region.", when="There are regions."),
    Role("headlines", "scout", "Reads headlines.", trigger="on_start"),
)


@pytest.mark.req("R234")
def test_a_definition_without_settings_is_its_prompt_alone() -> None:
    assert system_prompt(PLAIN) == "THE PROMPT"


@pytest.mark.req("R235", "R237")
def test_the_parts_stand_in_their_order_each_once() -> None:
    definition = replace(
        PLAIN,
        search=SearchRules(recency="week"),
        required_skills=(Skill("first", "One."),),
        skills=(Skill("second", "Two."), Skill("third", "Three.")),
    )
    told = system_prompt(definition, EVERYWHERE)
    parts = [
        "THE PROMPT",
        prompt("documents"),
        "How to search:\n- Prefer what was published in the past week",
        prompt("knowledge_read_write"),
        prompt("spawn"),
        "You are the sub-agent scout-1. The agent that started you gave this reason: Two regions",
        "\n\n## Skill: first\n\nOne.",
        "\n\n## Skill: second\n\nTwo.",
        "\n\n## Skill: third\n\nThree.",
    ]
    assert [told.count(part) for part in parts] == [1] * len(parts)
    assert [told.index(part) for part in parts] == sorted(told.index(part) for part in parts)


@pytest.mark.req("R242", "R243")
@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ({"preferred_domains": ("a.com", "b.org")}, "where they have what you need: a.com, b.org."),
        ({"recency": "day"}, "in the past day"),
        ({"language": "de"}, "Search in this language first: de."),
        ({"instructions": "Prefer {primary} sources."}, "- Prefer {primary} sources."),
    ],
)
def test_what_is_preferred_is_told_to_the_agent_and_to_its_searches(
    rules: dict[str, Any], line: str
) -> None:
    for told in (
        search_preferences(SearchRules(**rules)),
        search_call_preferences(SearchRules(**rules)),
    ):
        assert line in told
        assert len(told.splitlines()) == 2


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ({"allowed_domains": ("a.com",)}, "Only these sites can be searched and read: a.com."),
        ({"blocked_domains": ("a.com",)}, "can be neither searched nor read: a.com."),
        ({"max_calls": 3}, "You may call web_search at most 3 times"),
        ({"fetch": FetchRules(allowed_domains=("a.com",))}, "read from these sites only: a.com."),
        ({"fetch": FetchRules(blocked_domains=("a.com",))}, "Pages of these sites cannot be read"),
        ({"fetch": FetchRules(max_calls=4)}, "You may call fetch_url at most 4 times"),
    ],
)
def test_what_is_enforced_is_told_to_the_agent_and_not_to_its_searches(
    rules: dict[str, Any], line: str
) -> None:
    assert line in search_preferences(SearchRules(**rules))
    assert search_call_preferences(SearchRules(**rules)) == ""


@pytest.mark.req("R254")
def test_default_search_settings_say_nothing() -> None:
    assert search_preferences(SearchRules()) == search_call_preferences(SearchRules()) == ""


@pytest.mark.req("R257", "R258", "R261", "R262")
def test_the_knowledge_base_is_told_as_far_as_there_are_tools_for_it() -> None:
    around = Surroundings(has_knowledge=True)
    both = system_prompt(PLAIN, around)
    assert "query" in both
    assert "remember" in both
    asks = replace(PLAIN, knowledge=KnowledgeRules("read_only", "", False, True, "Dated facts."))
    told = system_prompt(asks, around)
    assert "remember" not in told
    assert "add nothing" in told
    assert told.endswith(f"{prompt('knowledge_first')}\nDated facts.")
    assert system_prompt(replace(PLAIN, knowledge=KnowledgeRules("none")), around) == "THE PROMPT"
    assert system_prompt(asks) == "THE PROMPT"


@pytest.mark.req("R284", "R287")
def test_sub_agents_are_told_free_or_by_their_roles() -> None:
    around = Surroundings(can_spawn=True)
    assert system_prompt(PLAIN, around) == f"THE PROMPT\n\n{prompt('spawn')}"
    with_roles = replace(PLAIN, spawn=SpawnRules(True, roles=ROLES))
    told = system_prompt(with_roles, around)
    line = "- regional: Researches a region. When to start it: There are regions."
    assert line in told.splitlines()
    assert "headlines" not in told
    assert prompt("spawn") not in told
    only_started = replace(PLAIN, spawn=SpawnRules(True, roles=ROLES[1:]))
    assert system_prompt(only_started, around) == "THE PROMPT"
    assert system_prompt(with_roles) == "THE PROMPT"


@pytest.mark.parametrize("name", [one.name for one in load_catalog().listed()])
def test_the_prompts_of_packaged_agents_leave_nothing_to_fill_in(name: str) -> None:
    told = system_prompt(load_catalog().get(name), EVERYWHERE)
    assert "{" not in told
    assert "\n\n\n" not in told
