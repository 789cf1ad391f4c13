"""What an agent's file and the configuration say together: its model, its caps, its limits.

A request can only lower a cap, and its model comes before that of the file.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.api import OFFLINE_MODEL, AgentInfo, Settings
from gligabao_tui.view.formatting import count_of, money
from gligabao_tui.view.text import flat

USUAL_TOOLS = ("web_search", "fetch_url")
TOOL_WORDS = {"web_search": "searches but reads no page", "fetch_url": "reads pages, no search"}


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
    if not typed_usd or not terms.research_usd or typed_usd < terms.research_usd:
        return ""
    return f"It can only be lowered here: {money(terms.research_usd)} holds."


def terms_line(agent: AgentInfo, settings: Settings) -> str:
    """`12 steps, caps agent $1.50 and research $5.00, only arxiv.org and 3 more, 2 skills`."""
    return ", ".join(_terms(agent, settings))


def _terms(agent: AgentInfo, settings: Settings) -> Iterator[str]:
    yield count_of(agent.max_steps, "step", "steps")
    if agent.model:
        yield f"its own model {flat(agent.model)}"
    terms = terms_of(agent, settings)
    if terms != NO_TERMS:
        yield f"at most {cap_hint(terms)}"
    if agent.sites:
        yield _sites(agent.sites)
    if agent.tools != USUAL_TOOLS:
        yield _tools(agent.tools)
    if agent.roles:
        yield count_of(len(agent.roles), "kind of sub-agent", "kinds of sub-agents")
    if agent.skills:
        yield f"skills {' and '.join(flat(one) for one in agent.skills[:2])}" + _more(
            len(agent.skills) - 2
        )


def _sites(sites: tuple[str, ...]) -> str:
    """`only arxiv.org and 3 more`."""
    return f"only {flat(sites[0])}" + _more(len(sites) - 1)


def _more(number: int) -> str:
    return f" and {number} more" if number > 0 else ""


def _tools(tools: tuple[str, ...]) -> str:
    if len(tools) == 1 and tools[0] in TOOL_WORDS:
        return TOOL_WORDS[tools[0]]
    return f"tools {', '.join(flat(one) for one in tools)}" if tools else "no tools of the web"
