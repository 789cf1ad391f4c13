"""Dated facts as values: intervals, events, and the state of a fact as the fold of its events.

A partial date is an interval, and an unknown date stays unknown: nothing here invents a day, reads
a clock, or takes two dates for ordered that may be equal. Pure.

    created ---> active ---> ended | superseded     a stated end, or a newer fact of its kind
                   |------> invalidated             it was never true
    confirmed: one source more, the status stays; true again: another fact, with its own period
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

EventKind: TypeAlias = Literal["created", "confirmed", "ended", "invalidated", "superseded"]
TimeBasis: TypeAlias = Literal["stated", "inferred", "reference", "recorded"]
"""Where the time of an event is from: `stated` by the text; `inferred` from its words and the
source's date; `reference` is the source's date itself; `recorded` the day it was stored, for want
of any other. The last two say "by then", never "then"."""
Actor: TypeAlias = Literal["model", "pattern", "import", "person"]
FactStatus: TypeAlias = Literal["active", "ended", "superseded", "invalidated"]
Order: TypeAlias = Literal["before", "after", "unknown"]

EVENT_KINDS: tuple[EventKind, ...] = (
    *("created", "confirmed", "ended", "invalidated", "superseded"),
)
_SUPPORTING = ("created", "confirmed")
_DATING = ("stated", "inferred")


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open interval of time, never empty."""

    lo: int
    """Seconds since 1970, UTC, of any year; the first second that is in it."""
    hi: int
    """The first second after it."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A date as it was given, and the interval in which it lies."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Period:
    """From when to when a fact is true."""

    start: Stated | None = None
    """None: unknown."""
    end: Stated | None = None
    """None: not known to have ended."""


UNDATED = Period()


@dataclass(frozen=True, slots=True)
class FactEvent:
    """What a text or a person did to a fact (`gb_edge_events`)."""

    kind: EventKind
    at: Stated | None
    """When it happened in the world; None: nothing is known about it."""
    basis: TimeBasis
    recorded_at: str
    """When it was stored: UTC with milliseconds, which sorts as text."""
    actor: Actor
    id: int = 0
    fact_id: int = 0
    artifact_id: int | None = None
    session_id: str = ""
    remember_run_id: int | None = None
    cause_fact_id: int | None = None
    """The fact that superseded, ended or invalidated this one."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FactState:
    """What the events of a fact come to."""

    status: FactStatus
    period: Period
    superseded_by: int | None
    support: int
    """How many sources state it."""
