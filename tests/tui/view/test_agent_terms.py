"""What an agent's file and the configuration say together, in one line and in the empty field."""

from dataclasses import replace

import pytest

from engine.api import AgentInfo, AgentRole
from gligabao_tui.view.agent_terms import (
    Terms,
    cap_hint,
    cap_remark,
    model_used,
    preselected,
    terms_line,
    terms_of,
)
from tests.fakes.engine import WEB
from tests.tui.view.test_start_form import WITH_KEY, WITHOUT_KEY

PLAIN = AgentInfo("default", "1", "searches", 20, tools=WEB)
HELD = replace(
    PLAIN,
    max_steps=12,
    model="claude-opus-5",
    max_cost_usd=1.5,
    max_tree_cost_usd=5.0,
    sites=("arxiv.org", "a.org", "b.org", "c.org"),
    skills=("dates", "style", "numbers"),
    roles=(AgentRole("r", "scout", "on_demand"),),
)


def test_an_agent_that_is_held_to_nothing_has_no_line() -> None:
    assert terms_line(PLAIN, WITH_KEY) == ""


def test_an_agent_is_told_with_all_that_it_is_held_to() -> None:
    assert terms_line(HELD, WITH_KEY) == (
        "12 steps, claude-opus-5, at most $1.50 (research $5.00), only arxiv.org and 3 more, "
        "1 kind of sub-agents, 3 skills"
    )


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"max_cost_usd": 1.5}, "20 steps, at most $1.50"),
        ({"max_tree_cost_usd": 5.0}, "20 steps, at most $5.00 for the research"),
        ({"sites": ("arxiv.org",)}, "20 steps, only arxiv.org"),
        ({"skills": ("dates",)}, "20 steps, skill dates"),
        ({"tools": ("fetch_url",)}, "20 steps, only reads pages"),
        ({"tools": ("web_search",)}, "20 steps, only searches"),
        ({"tools": ()}, "20 steps, no web"),
        ({"tools": ("fetch_url", "read_pdf")}, "20 steps, only reads pages and read_pdf"),
        ({"max_steps": 1, "model": "m"}, "1 step, m"),
    ],
)
def test_only_what_it_is_held_to_is_told(changes: dict[str, object], told: str) -> None:
    assert terms_line(replace(PLAIN, **changes), WITH_KEY) == told  # type: ignore[arg-type]


def test_the_lowest_cap_of_the_research_holds() -> None:
    assert terms_of(HELD, replace(WITH_KEY, research_max_cost_usd=2.0)) == Terms(1.5, 2.0)
    assert terms_of(HELD, replace(WITH_KEY, research_max_cost_usd=9.0)) == Terms(1.5, 5.0)
    assert terms_of(None, replace(WITH_KEY, research_max_cost_usd=9.0)) == Terms(0.0, 9.0)
    assert terms_of(PLAIN, WITH_KEY) == Terms()


def test_the_empty_field_tells_the_caps_that_hold() -> None:
    assert cap_hint(Terms(1.5, 5.0)) == "agent $1.50, research $5.00"
    assert cap_hint(Terms()) == "no cap"


def test_a_cap_can_only_be_lowered_and_a_higher_one_is_answered() -> None:
    assert cap_remark(6.0, Terms(1.5, 5.0)) == "It can only be lowered here: $5.00 holds."
    for typed, terms in ((5.0, Terms(0, 5.0)), (None, Terms(0, 5.0)), (6.0, Terms(1.5))):
        assert cap_remark(typed, terms) == ""


def test_the_model_is_the_agents_own_or_the_configured_one_and_offline_without_a_key() -> None:
    assert (model_used(HELD, WITH_KEY), model_used(PLAIN, WITH_KEY)) == (
        "claude-opus-5",
        WITH_KEY.model,
    )
    assert preselected(HELD, WITH_KEY) == "claude-opus-5"
    assert preselected(HELD, WITHOUT_KEY) == "offline"
