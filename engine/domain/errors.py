"""One tree of errors, a branch for whoever must react.

GligabaoError
├── ToolError            the model: it sees the text as the tool's result and goes on
│   └── AddressRefused   an address that may not be read
├── UserError            the user: wrong or refused input, with every Problem found
│   ├── NotFound         no such run (also another user's)
│   ├── Refused          a limit, an ended run, an address that may not be read
│   └── CannotStart      no key for the chosen model, bad config, bad definition
├── RunFailed            one run: it cannot go on; the text becomes the run's error
├── StoreError           the operator: the database cannot be read or written
├── ProviderError        the operator: a model or search service failed
└── EngineUnreachable    the operator: another process owns the data and does not answer

Programming faults are plain assertions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from engine.domain.usage import Usage

ProviderFailure = Literal[
    "overloaded",
    "rate_limit",
    "spend_limit",
    "auth",
    "bad_request",
    "not_found",
    "too_large",
    "server",
    "connection",
    "timeout",
    "stalled",
    "incomplete",
    "bad_reply",
    "refusal",
    "replay",
]
"""Why a model call failed. `incomplete` is a cut stream, `bad_reply` an unreadable one, `replay` a
recorded run that has no answer for what was asked."""


class GligabaoError(Exception):
    """Base of everything this program raises on purpose."""


class ToolError(GligabaoError):
    """A tool could not do what the model asked; its text goes to the model."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault in a form, a file or a command, with the place and the remedy."""

    where: str
    """The field, key or `file: key` it is about; empty when it is about the whole input."""
    what: str
    """What is wrong and what to do, in one sentence."""

    def __str__(self) -> str:
        says_where = not self.where or self.what.startswith(self.where)
        return self.what if says_where else f"{self.where}: {self.what}"


class AddressRefused(ToolError):
    """An address that may not be read: private, local, reserved, or outside what was given."""


class UserError(GligabaoError):
    """Input that cannot be taken, with every problem found at once."""

    def __init__(self, *problems: Problem | str) -> None:
        self.problems: tuple[Problem, ...] = tuple(
            Problem("", problem) if isinstance(problem, str) else problem for problem in problems
        )
        super().__init__("\n".join(str(problem) for problem in self.problems))


class NotFound(UserError):
    """What was asked for does not exist, or belongs to somebody else."""


class Refused(UserError):
    """The request is understood and may not be carried out now."""


class CannotStart(UserError):
    """Nothing can be started with this configuration."""


class RunFailed(GligabaoError):
    """A run cannot go on: no report, a refusal, an answer that was cut twice."""


class StoreError(GligabaoError):
    """The database cannot be opened, read or written."""


class EngineUnreachable(GligabaoError):
    """Another process owns the data directory and cannot be reached."""


class ProviderError(GligabaoError):
    """A request to a model or search service failed.

    `usage` is what the failed attempt is known or estimated to have cost in tokens.
    `retry_at_seconds` is the wait in seconds that the service asked for, if it asked.
    """

    def __init__(
        self,
        kind: ProviderFailure,
        message: str,
        *,
        details: "ProviderDetails | None" = None,
    ) -> None:
        super().__init__(message)
        self.kind: ProviderFailure = kind
        self.details = details or ProviderDetails()


@dataclass(frozen=True, slots=True)
class ProviderDetails:
    """What is known about a failed request beside its message."""

    http_status: int | None = None
    request_id: str = ""
    usage: Usage = Usage()
    retry_after_seconds: float | None = None
    resets_at: datetime | None = None
    is_final: bool = False
    """True when trying again is pointless whatever the kind, as the service itself may say."""


def problems_of(found: Sequence[Problem]) -> None:
    """Raise one UserError that holds all of `found`; do nothing when there are none."""
    if found:
        raise UserError(*found)
