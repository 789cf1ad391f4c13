"""What a command's exit code says; docs/files-and-settings.md lists them."""

from enum import IntEnum

from engine.api import (
    CannotStart,
    EngineUnreachable,
    GligabaoError,
    NotFound,
    Refused,
    StoreError,
    UserError,
)


class ExitCode(IntEnum):
    DONE = 0
    FAILED = 1
    """The run failed or was stopped, or some of several inputs failed."""
    USAGE = 2
    CANNOT_START = 3
    NOT_FOUND = 4
    REFUSED = 5
    """A limit, an address that may not be read, an owner that cannot be reached."""
    INTERRUPTED = 130
    """Left by a second Ctrl-C (or the first, where there was no run to stop)."""
    TERMINATED = 143


_CODES: tuple[tuple[type[GligabaoError], ExitCode], ...] = (
    (NotFound, ExitCode.NOT_FOUND),
    (Refused, ExitCode.REFUSED),
    (EngineUnreachable, ExitCode.REFUSED),
    (CannotStart, ExitCode.CANNOT_START),
    (StoreError, ExitCode.CANNOT_START),
    (UserError, ExitCode.USAGE),
    (GligabaoError, ExitCode.FAILED),
)
"""Most specific first."""


def code_of(error: GligabaoError) -> ExitCode:
    return next(code for kind, code in _CODES if isinstance(error, kind))
