"""What an engine answers beside runs: a source it read, a check of the doctor, an agent."""

from dataclasses import dataclass
from typing import Literal

from engine.domain.definition import Definition
from engine.domain.errors import Problem
from engine.domain.run import RunId, Status
from engine.domain.scheduling import FireOutcome


@dataclass(frozen=True, slots=True)
class SourceText:
    """What an agent would get from an address or a file (`gligabao read`)."""

    source: str
    url: str = ""
    media_type: str = ""
    title: str = ""
    text: str = ""
    chars: int = 0
    """Characters of the whole text, also of what was cut."""
    truncated: bool = False
    error: str = ""
    refused: bool = False
    """True when the address may not be read (exit code 5)."""


@dataclass(frozen=True, slots=True)
class Check:
    """One line of `gligabao doctor`."""

    name: str
    status: Literal["ok", "warning", "problem"]
    text: str
    """What was found, and what to do where it is not `ok`."""


@dataclass(frozen=True, slots=True)
class AgentKnowledge:
    """How an agent uses a knowledge base, where there is one."""

    access: str = "read_write"
    dataset: str = ""
    dataset_locked: bool = False


@dataclass(frozen=True, slots=True)
class AgentRole:
    """A kind of sub-agent of an agent, and the agent that it runs."""

    name: str
    agent: str
    trigger: str


@dataclass(frozen=True, slots=True)
class ScheduledRun:
    """A due time of a schedule that passed, and what came of it. Times as they are stored."""

    due: str
    outcome: FireOutcome
    run_id: RunId | None = None
    status: Status | None = None
    """Of its run, as it is now; None when none was started."""
    why: str = ""
    """Why it was skipped or refused."""


@dataclass(frozen=True, slots=True)
class AgentSchedule:
    """When an agent runs by itself."""

    cron: str
    timezone: str
    topic: str
    user: str
    paused: bool
    """What its file says."""
    paused_here: bool = False
    """A person paused it, whatever its file says."""
    next_run: str | None = None
    """As times are stored (`clock.timestamp`); None while it is paused."""
    last: ScheduledRun | None = None
    """The latest due time that something came of."""
    words: str = ""
    """When it is due, said as people say it; the expression where no words are sound and short."""


@dataclass(frozen=True, slots=True)
class AgentInfo:
    """One definition that can be started, as a form offers it. USD caps of 0 are none."""

    name: str
    version: str
    description: str
    max_steps: int
    hash: str = ""
    source: str = ""
    """The file that it came from; empty for the built-in agent."""
    model: str = ""
    """Empty: the configured one."""
    max_cost_usd: float = 0.0
    """Of this agent alone."""
    max_tree_cost_usd: float = 0.0
    """Of the whole research."""
    knowledge: AgentKnowledge = AgentKnowledge()
    tools: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    """By name, the required ones first."""
    roles: tuple[AgentRole, ...] = ()
    loop: str = "simple"
    schedule: AgentSchedule | None = None
    sites: tuple[str, ...] = ()
    """The only hosts (with their subdomains) that it may search and read; empty: any."""


@dataclass(frozen=True, slots=True)
class AgentDetails:
    """Everything about one definition."""

    info: AgentInfo
    definition: Definition
    prompt: str
    """The system prompt as it is put together for an agent that a person starts."""
    warnings: tuple[Problem, ...] = ()
    """Of its file; `Problem.where` is `file` or `file:line`."""


@dataclass(frozen=True, slots=True)
class AgentsRead:
    """What the last reading of the definitions found. With any problem the agents are those of the
    reading before it."""

    directory: str
    """Where a person's own definitions are; empty when they came with a bundle."""
    problems: tuple[Problem, ...] = ()
    """Of every file; `Problem.where` is `file` or `file:line`."""
    warnings: tuple[Problem, ...] = ()
    changed: tuple[str, ...] = ()
    """The agents that this reading added, changed or took away, by name."""
    read_at: str = ""


@dataclass(frozen=True, slots=True)
class ScheduleInfo:
    """The schedule of one agent, with its latest due times, the latest first."""

    agent: str
    schedule: AgentSchedule
    past: tuple[ScheduledRun, ...] = ()


@dataclass(frozen=True, slots=True)
class Schedules:
    """Every schedule by the name of its agent. `followed`: whether the process that owns the data
    starts agents by the clock; a terminal app does not."""

    followed: bool
    schedules: tuple[ScheduleInfo, ...] = ()
