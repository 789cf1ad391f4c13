"""Runs, their states, and what starts them: the words of the seeds as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NewType, get_args

from engine.domain.usage import Usage

RunId = NewType("RunId", int)

Status = Literal["running", "completed", "failed", "stopped"]
STATUSES: tuple[Status, ...] = get_args(Status)

StateName = Literal[
    "starting",
    "thinking",
    "searching",
    "reading",
    "using_tool",
    "waiting",
    "writing_report",
    "completed",
    "failed",
    "stopped",
]
"""The states that exist so far; stored as text, so that a later word needs no migration."""

RECORDED_PREFIX = "recorded:"
"""`recorded:7` is the model that plays run 7 back."""

TOPIC_MOST_CHARS = 2000
DEFAULT_MAX_STEPS = 20
MOST_STEPS = 40
MOST_WORKING_PER_USER = 3

INTERRUPTED = "interrupted"
NO_REPORT = "the agent ended without a report"


@dataclass(frozen=True, slots=True)
class DocsFolder:
    """A folder given with `--docs [NAME=]DIR`: its name in addresses, its absolute path."""

    name: str
    path: str


@dataclass(frozen=True, slots=True)
class StartRequest:
    """What a surface asks for when it starts a run. `user` is always set by the surface."""

    topic: str
    user: str
    model: str = ""
    max_steps: int | None = None
    max_cost_usd: float | None = None
    agent: str = ""
    agent_version: str = ""
    """A constraint that the agent's version must meet; empty: any version."""
    dataset: str = ""
    docs: tuple[DocsFolder, ...] = ()
    web: bool = False
    """With `docs`: search and read the web too."""


@dataclass(frozen=True, slots=True)
class Run:
    """One row of `gb_agent_research_runs`. Times are the stored text (`clock.timestamp`)."""

    id: RunId
    user_id: str
    topic: str
    status: Status
    state: str
    model: str
    max_steps: int
    created_at: str
    parent_id: RunId | None = None
    root_id: RunId | None = None
    name: str = ""
    reason: str = ""
    role: str = ""
    steps: int = 0
    tool_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    report: str = ""
    error: str = ""
    agent_name: str = ""
    agent_version: str = ""
    agent_hash: str = ""
    phase: str = ""
    stop_reason: str = ""
    """What ended a run early that completed all the same: `cap:agent` its own cost cap,
    `cap:research` that of the research, `wrap_up` a person. Empty when nothing did, and where the
    person's wish came too late for a call to obey it. A replay has that of the run it plays."""
    wrap_up_at: str | None = None
    wrap_up_by: str | None = None
    finished_at: str | None = None
    children: int = 0
    """How many sub-agents it has started itself; counted when a run is read or listed."""


@dataclass(frozen=True, slots=True)
class State:
    """One row of `gb_agent_research_states`; `finished_at` is None for the current one."""

    run_id: RunId
    seq: int
    state: str
    step: int
    detail: str
    error: str
    started_at: str
    finished_at: str | None


@dataclass(frozen=True, slots=True)
class StoredStep:
    """One row of `gb_agent_steps`: a complete reply, verbatim."""

    run_id: RunId
    step: int
    content: tuple[Mapping[str, object], ...]
    stop_reason: str
    model: str
    request_id: str
    usage: Usage
    created_at: str
    kind: str = ""
    told: tuple[Mapping[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class StoredCall:
    """One row of `gb_agent_tool_calls`; `result` is None while it is open."""

    id: int
    run_id: RunId
    step: int
    ord: int
    tool_use_id: str
    name: str
    input: Mapping[str, object]
    result: str | None
    is_error: bool
    cost_usd: float
    url: str | None
    final_url: str | None
    snapshot_id: int | None
    started_at: str
    finished_at: str | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One row of `gb_snapshots`: the whole text of what was read, once per content."""

    id: int
    sha256: str
    media_type: str
    title: str
    text: str
    chars: int
    created_at: str


Verdict = Literal["exact", "normalised", "missing"]


@dataclass(frozen=True, slots=True)
class Citation:
    """One quotation of a report and its place in a snapshot (`gb_citations`).

    `n` is the number of the source in the report; `start` and `end` count characters of the
    snapshot behind `tool_call_id`.
    """

    ord: int
    n: int
    tool_call_id: int | None
    start: int | None
    end: int | None
    quote: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class RunDetails:
    """A run with everything a surface shows of it."""

    run: Run
    states: tuple[State, ...]
    citations: tuple[Citation, ...] = ()

    @property
    def children(self) -> int:
        return self.run.children


@dataclass(frozen=True, slots=True)
class RunFilter:
    """Which runs to list, newest first unless `sort` says otherwise.

    `user` None means anybody's. `cursor` is what the page before gave as `next_cursor`. Conditions
    are all to be met; an empty text and a cost of 0 are none.
    """

    user: str | None = None
    status: Status | None = None
    active: bool = False
    finished: bool = False
    text: str = ""
    sort: Literal["started", "cost", "steps", "status"] = "started"
    limit: int = 50
    cursor: str = ""
    agent: str = ""
    """A part of the agent's name, in any case."""
    model: str = ""
    """A part of the model's name, in any case."""
    since: str = ""
    """Created at this time or later: `2026-11-01T10:00:00.000Z`, or the beginning of one."""
    cost_above: float = 0.0
    """USD; runs that have cost more."""


@dataclass(frozen=True, slots=True)
class RunPage:
    """A page of runs (without their reports) and how to get the next."""

    runs: tuple[Run, ...]
    next_cursor: str = ""


@dataclass(frozen=True, slots=True)
class RunCounts:
    """How many runs there are by status, and what they have cost."""

    by_status: Mapping[Status, int] = field(default_factory=dict)
    cost_usd: float = 0.0
    cost_today_usd: float = 0.0
    """What runs started since midnight UTC have cost."""
