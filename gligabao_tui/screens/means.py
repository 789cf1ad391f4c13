"""What the app works with once it is known: settings, engine, and what it begins with.

Imports nothing slow: the app's first frame waits for it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from engine.api import RunId, Settings, StartRequest

if TYPE_CHECKING:  # the whole engine's vocabulary hangs on it
    from gligabao_tui.bridge import Opener


def utc_now() -> datetime:
    return datetime.now(UTC)


def own_clock(moment: datetime) -> datetime:
    """The same moment as this machine's clock shows it, then: a zone may change its clock."""
    return moment.astimezone()


@dataclass(frozen=True, slots=True)
class Opening:
    """What the app begins with: the details of a run, or a run that it starts."""

    open_run: RunId | None = None
    start: StartRequest | None = None


NOTHING = Opening()


@dataclass(frozen=True, slots=True)
class Means:
    """`opener` is called in the engine's thread; `now` gives the moment, aware, in UTC; `here` the
    same moment on the clock of whoever reads the screen."""

    settings: Settings
    opener: "Opener"
    opening: Opening = NOTHING
    now: Callable[[], datetime] = utc_now
    here: Callable[[datetime], datetime] = own_clock
