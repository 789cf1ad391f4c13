"""What an agent's file and the configuration say together: its model, its caps, its limits.

A request can only lower a cap, and its model comes before that of the file.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.api import OFFLINE_MODEL, AgentInfo, Settings
from gligabao_tui.view.formatting import count_of, money
from gligabao_tui.view.text import flat

USUAL_TOOLS = ("web_search", "fetch_url")
TOOL_WORDS = {"web_search": "searches", "fetch_url": "reads pages"}


@dataclass(frozen=True, slots=True)
class Terms:
    """Caps in USD; 0 is none."""

    agent_usd: float = 0.0
    research_usd: float = 0.0


NO_TERMS = Terms()


def terms_of(agent: AgentInfo | None, settings: Settings) -> Terms:
    """The caps that hold when a request names none."""
    caps = (agent.max_tree_cost_usd if agent else 0.0, settings.research_max_cost_usd)
    return Terms(agent.max_cost_usd if agent else 0.0, min((cap for cap in caps if cap), default=0))


def model_used(agent: AgentInfo | None, settings: Settings) -> str:
    """The model of a run whose request names none."""
    return (agent.model if agent else "") or settings.model


def preselected(agent: AgentInfo | None, settings: Settings) -> str:
    """The same where there is a key; without one only the model that needs none can work."""
    return model_used(agent, settings) if settings.anthropic_api_key else OFFLINE_MODEL


def cap_hint(terms: Terms) -> str:
    """In the empty field: what holds while nothing is typed."""
    parts = [
        f"{whose} {money(usd)}"
        for whose, usd in (("agent", terms.agent_usd), ("research", terms.research_usd))
        if usd
    ]
    return ", ".join(parts) or "no cap"


def cap_remark(typed_usd: float | None, terms: Terms) -> str:
    """Said of an amount that changes nothing: a request can only lower the research's cap."""
    if not typed_usd or not terms.research_usd or typed_usd <= terms.research_usd:
        return ""
    return f"It can only be lowered here: {money(terms.research_usd)} holds."


def terms_line(agent: AgentInfo, settings: Settings) -> str:
    """`12 steps, claude-opus-5, at most $1.50 (research $5.00), only arxiv.org and 3 more`; empty
    for an agent that is held to nothing but its steps, which have a field of their own."""
    terms = [part for part in _terms(agent, settings) if part]
    steps = count_of(agent.max_steps, "step", "steps")
    return ", ".join((steps, *terms)) if terms else ""


def _terms(agent: AgentInfo, settings: Settings) -> Iterator[str]:
    yield flat(agent.model)
    yield _caps(terms_of(agent, settings))
    yield _sites(agent.sites)
    yield _tools(agent.tools)
    if agent.roles:
        yield count_of(len(agent.roles), "kind of sub-agents", "kinds of sub-agents")
    if agent.skills:
        is_one = len(agent.skills) == 1
        yield f"skill {flat(agent.skills[0])}" if is_one else f"{len(agent.skills)} skills"


def _caps(terms: Terms) -> str:
    if terms.agent_usd and terms.research_usd:
        return f"at most {money(terms.agent_usd)} (research {money(terms.research_usd)})"
    if terms.research_usd:
        return f"at most {money(terms.research_usd)} for the research"
    return f"at most {money(terms.agent_usd)}" if terms.agent_usd else ""


def _sites(sites: tuple[str, ...]) -> str:
    """`only arxiv.org and 3 more`."""
    if not sites:
        return ""
    more = f" and {len(sites) - 1} more" if len(sites) > 1 else ""
    return f"only {flat(sites[0])}{more}"


def _tools(tools: tuple[str, ...]) -> str:
    """Nothing of the usual ones."""
    if set(tools) >= set(USUAL_TOOLS):
        return ""
    named = [TOOL_WORDS.get(one, flat(one)) for one in tools]
    return f"only {' and '.join(named)}" if named else "no web"
