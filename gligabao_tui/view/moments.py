"""A stored moment on the clocks that matter: that of a schedule's zone, and the reader's own.

It never reads the clock or the machine's zone: `Here` is handed in.
"""

from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from typing import TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from engine.api import moment
from gligabao_tui.view.formatting import DAY, HOUR, MINUTE, count_of

Here: TypeAlias = Callable[[datetime], datetime]
"""The same moment on the clock of whoever reads the screen."""


def on_clock(stored: str, zone: str) -> str:
    """`Mon 2 Nov 07:30`: a stored time in a zone; the text itself if it is none. A zone that this
    machine does not know is read as UTC."""
    try:
        return _told(moment(stored).astimezone(_zone(zone)))
    except ValueError:
        return stored


def on_own_clock(stored: str, here: Here) -> str:
    """The same where the reader is."""
    try:
        return _told(here(moment(stored)))
    except ValueError:
        return stored


def is_same_clock(stored: str, zone: str, here: Here) -> bool:
    """Whether both clocks show the same at that moment."""
    return on_clock(stored, zone) == on_own_clock(stored, here)


def ahead(stored: str, now: datetime) -> str:
    """`in 5 minutes`, `in 3 hours`, `in 2 days`; `now` when it is due; empty if it is no time."""
    try:
        seconds = int((moment(stored) - now).total_seconds())
    except ValueError:
        return ""
    units = ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"))
    unit, name = next((one for one in units if seconds >= one[0]), (0, ""))
    return f"in {count_of(seconds // unit, name, f'{name}s')}" if unit else "now"


def _told(at: datetime) -> str:
    return f"{at:%a} {at.day} {at:%b %H:%M}"


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC
