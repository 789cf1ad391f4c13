"""The Engine protocol: what every surface sees, whether this process owns the data or joined.

Answers are values of `engine.domain`. UserError (NotFound, Refused, CannotStart) says what a person
did wrong; StoreError and EngineUnreachable what the operator must look at.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

from engine.domain.events import Event
from engine.domain.run import Run, RunCounts, RunDetails, RunFilter, RunId, RunPage, StartRequest


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
class AgentInfo:
    """One definition that can be started, as a form offers it."""

    name: str
    version: str
    description: str
    max_steps: int


class Engine(Protocol):
    """The methods of contracts.md 2, as far as their systems exist. `user` None: anybody's."""

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

    async def stop(self, run_id: RunId, *, by: str, user: str | None = None) -> Run:
        """End a run now, without a report: `by` completes the sentence `stopped by ...`.
        Raises NotFound, or Refused when it has ended."""
        ...

    async def wrap_up(self, run_id: RunId, *, by: str, user: str | None = None) -> Run:
        """Make the next model call the last one. Raises as `stop`."""
        ...

    async def agents(self) -> tuple[AgentInfo, ...]: ...

    async def read(self, source: str, *, full: bool = False) -> SourceText:
        """Never raises for a source that cannot be read: the answer says why."""
        ...

    async def doctor(self) -> tuple[Check, ...]: ...
