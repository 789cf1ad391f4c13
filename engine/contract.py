"""The Engine protocol: what every surface sees, whether this process owns the data or joined.

Answers are values of `engine.domain`. UserError (NotFound, Refused, CannotStart) says what a person
did wrong; StoreError and EngineUnreachable what the operator must look at.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from engine.domain.answers import (
    AgentDetails,
    AgentInfo,
    AgentsRead,
    Check,
    ScheduleInfo,
    Schedules,
    SourceText,
)
from engine.domain.costs import RunCosts
from engine.domain.events import Event
from engine.domain.run import Run, RunCounts, RunDetails, RunFilter, RunId, RunPage, StartRequest
from engine.domain.sources import CitedSource
from engine.knowledge_contract import KnowledgeBase


class Engine(Protocol):
    """What every surface may ask of the engine. `user` None: anybody's."""

    @property
    def knowledge(self) -> KnowledgeBase:
        """What was remembered, and what is asked of it."""
        ...

    async def start(self, request: StartRequest) -> Run:
        """Start a run and return it at once. Raises UserError with every problem of the request,
        Refused when the user has three agents working, CannotStart without a needed key."""
        ...

    async def get(self, run_id: RunId, *, user: str | None = None) -> RunDetails:
        """Raises NotFound."""
        ...

    async def list(self, which: RunFilter) -> RunPage: ...

    async def counts(self, *, user: str | None = None) -> RunCounts: ...

    def watch(
        self, run_id: RunId | None = None
    ) -> AbstractAsyncContextManager[AsyncIterator[Event]]:
        """Events from entering on, of one run or of all. Nothing that happened before: read it
        with `get` after entering. A reader that is too slow gets a Resync. With a run's id the
        iterator ends after its RunEnded."""
        ...

    async def report(self, run_id: RunId, *, user: str | None = None) -> str:
        """The report of a completed run. Raises NotFound, or Refused when there is none (yet)."""
        ...

    async def costs(self, run_id: RunId, *, user: str | None = None) -> RunCosts:
        """What a run has cost so far, step by step. Raises NotFound."""
        ...

    async def source(self, run_id: RunId, n: int, *, user: str | None = None) -> CitedSource:
        """Source `n` of a run's report with its quotations. Raises NotFound, also when the
        report cites no source of that number."""
        ...

    async def stop(self, run_id: RunId, *, by: str, user: str | None = None) -> Run:
        """End a run now, without a report: `by` completes the sentence `stopped by ...`.
        Raises NotFound, or Refused when it has ended."""
        ...

    async def wrap_up(self, run_id: RunId, *, by: str, user: str | None = None) -> Run:
        """Make the next model call the last one. Raises as `stop`."""
        ...

    async def agents(self) -> tuple[AgentInfo, ...]:
        """Every definition that can be started, `default` first, the others by name."""
        ...

    async def agent(self, name: str) -> AgentDetails:
        """All of one definition, with its prompt as it is put together. Raises NotFound."""
        ...

    async def agents_read(self) -> AgentsRead:
        """What the last reading of the definitions found."""
        ...

    async def reload_agents(self) -> AgentsRead:
        """Read all definitions again. What is not sound changes nothing, and the answer says why;
        runs that work keep what they were started with."""
        ...

    async def schedules(self) -> Schedules: ...

    async def pause_schedule(self, agent: str, *, paused: bool) -> ScheduleInfo:
        """Pause a schedule or let it go on, beside what its file says. Raises NotFound when the
        agent has none."""
        ...

    async def run_schedule(self, agent: str) -> Run:
        """Start the scheduled run of an agent now, also while it is paused. Raises NotFound when
        the agent has no schedule, Refused while its scheduled run before this one works, and what
        `start` raises."""
        ...

    async def read(self, source: str, *, full: bool = False) -> SourceText:
        """Never raises for a source that cannot be read: the answer says why."""
        ...

    async def doctor(self) -> tuple[Check, ...]: ...
