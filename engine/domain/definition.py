"""An agent as its file describes it, resolved: every default filled in, prompt and skills as text.

Pure values without any check: whoever makes one from untrusted text goes through
`engine.definitions`, which refuses what does not belong.
"""

from dataclasses import dataclass, field
from typing import Literal, get_args

from engine.domain.knobs import Knobs
from engine.domain.run import DEFAULT_MAX_STEPS

Loop = Literal["simple", "investigative"]
Recency = Literal["any", "day", "week", "month", "year"]
Access = Literal["read_write", "read_only", "none"]
Trigger = Literal["on_demand", "on_start"]
CatchUp = Literal["none", "once"]

LOOPS: tuple[Loop, ...] = get_args(Loop)
RECENCIES: tuple[Recency, ...] = get_args(Recency)
ACCESSES: tuple[Access, ...] = get_args(Access)
TRIGGERS: tuple[Trigger, ...] = get_args(Trigger)
CATCH_UPS: tuple[CatchUp, ...] = get_args(CatchUp)

DEFAULT_AGENT = "default"
DEFAULT_TOOLS = ("web_search", "fetch_url")
DEFAULT_ANSWER_TOKENS = 8192

DEPTH_CEILING = 2
PER_AGENT_CEILING = 5
PER_TREE_CEILING = 10


@dataclass(frozen=True, slots=True)
class Skill:
    """A piece of guidance that many agents share: `skills/<name>.md`."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Location:
    """Where searches are made from; empty parts are not said."""

    country: str = ""
    """Two capital letters."""
    region: str = ""
    city: str = ""
    timezone: str = ""
    """An IANA name."""


@dataclass(frozen=True, slots=True)
class FetchRules:
    """`[search.fetch]`: what `fetch_url` may read, beside the lists of `[search]`."""

    allowed_domains: tuple[str, ...] = ()
    blocked_domains: tuple[str, ...] = ()
    max_page_chars: int = 15_000
    max_calls: int = 0
    """0: no limit."""


@dataclass(frozen=True, slots=True)
class SearchRules:
    """`[search]`. The allowed and blocked lists are enforced; what is preferred is only told."""

    allowed_domains: tuple[str, ...] = ()
    """Lower case, ASCII; a host matches one of these and every subdomain of it."""
    blocked_domains: tuple[str, ...] = ()
    preferred_domains: tuple[str, ...] = ()
    recency: Recency = "any"
    language: str = ""
    location: Location = Location()
    instructions: str = ""
    max_uses_per_call: int = 2
    max_calls: int = 0
    """0: no limit."""
    fetch: FetchRules = FetchRules()


@dataclass(frozen=True, slots=True)
class KnowledgeRules:
    """`[knowledge]`: which tools of the knowledge base the agent has, and where they work."""

    access: Access = "read_write"
    dataset: str = ""
    """Empty: the request's, else `main`."""
    dataset_locked: bool = False
    query_first: bool = False
    instructions: str = ""


@dataclass(frozen=True, slots=True)
class LimitRules:
    """`[limits]`: USD; 0 is no cap."""

    max_cost_usd: float = 0.0
    """Of this agent alone."""
    max_tree_cost_usd: float = 0.0
    """Of the whole research; counts in the definition of its root only."""


@dataclass(frozen=True, slots=True)
class Role:
    """One `[[spawn.roles]]`: a sub-agent that may be, or is, started."""

    name: str
    agent: str
    does: str
    version: str = ""
    """A constraint; empty: any version."""
    trigger: Trigger = "on_demand"
    when: str = ""
    max_instances: int = 0
    """At once; 0: no limit but those of `SpawnRules`."""
    max_steps: int = 0
    """0: `max_steps` of its definition."""
    max_steps_limit: int = 0
    """0: `max_steps` of its definition."""
    task_template: str = "{{.Topic}}"


@dataclass(frozen=True, slots=True)
class SpawnRules:
    """`[spawn]`. Without roles the sub-agents are copies of the agent."""

    enabled: bool = False
    max_depth: int = DEPTH_CEILING
    max_per_agent: int = PER_AGENT_CEILING
    max_per_tree: int = PER_TREE_CEILING
    """Counts in the definition of the research's root only."""
    roles: tuple[Role, ...] = ()


@dataclass(frozen=True, slots=True)
class Schedule:
    """`[schedule]`: when the agent runs by itself."""

    cron: str
    topic: str
    """May hold `{{.Date}}` and `{{.Time}}`, of the moment due in `timezone`."""
    timezone: str = "UTC"
    user: str = "scheduler"
    paused: bool = False
    catch_up: CatchUp = "none"


@dataclass(frozen=True, slots=True)
class Definition:
    """An agent: what it is, how it works, what it may spend, and whom it may start."""

    name: str
    version: str
    description: str
    prompt: str
    model: str = ""
    """Empty: the request's or the configured one; of a sub-agent its parent's."""
    max_steps: int = DEFAULT_MAX_STEPS
    max_tokens: int = DEFAULT_ANSWER_TOKENS
    tools: tuple[str, ...] = DEFAULT_TOOLS
    """By the names of the simple loop; without those of knowledge base and sub-agents."""
    loop: Loop = "simple"
    required_skills: tuple[Skill, ...] = ()
    skills: tuple[Skill, ...] = ()
    """Those that were found."""
    knobs: Knobs | None = None
    """Of the investigative loop; None with the simple one."""
    search: SearchRules = SearchRules()
    knowledge: KnowledgeRules = KnowledgeRules()
    limits: LimitRules = LimitRules()
    spawn: SpawnRules = SpawnRules()
    schedule: Schedule | None = None
    source: str = field(default="", compare=False)
    """The file it came from, for people; empty for the built-in one."""
