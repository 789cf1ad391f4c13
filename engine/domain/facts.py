"""Dated facts as values: intervals, events, and the state of a fact as the fold of its events.

A partial date is an interval, and an unknown date stays unknown: nothing here invents a day, reads
a clock, or takes two dates for ordered that may be equal. Pure.

    created ---> active ---> ended | superseded     a stated end, or a newer fact of its kind
                   |------> invalidated             it was never true
    confirmed: one source more, the status stays; true again: another fact, with its own period
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
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
LONG_AGO = -(2**53)
"""Where an interval begins of which only the end is known; JSON holds it exactly."""
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


def fold(events: Sequence[FactEvent]) -> FactState | None:
    """The state of a fact; the order in which its events are given does not matter. None when no
    source states it any more."""
    told = sorted(events, key=_recorded)
    sources = {_source(event) for event in told if event.kind in _SUPPORTING}
    if not sources:
        return None
    start = _start(told)
    next_one = _next(told)
    return FactState(
        status=_status(told),
        period=Period(start, _end(told, start)),
        superseded_by=None if next_one is None else next_one.cause_fact_id,
        support=len(sources),
    )


def known_at(events: Iterable[FactEvent], recorded_at: str) -> tuple[FactEvent, ...]:
    """The events that were stored by then, for what was known at that time."""
    return tuple(event for event in events if event.recorded_at <= recorded_at)


def order(first: Stated | None, second: Stated | None) -> Order:
    """Whether the first is certainly before or after the second; dates that may be equal, and
    unknown ones, are `unknown`."""
    if first is None or second is None:
        return "unknown"
    if first.span.hi <= second.span.lo:
        return "before"
    return "after" if second.span.hi <= first.span.lo else "unknown"


def narrowed(dates: Sequence[Stated]) -> Stated | None:
    """The first of the dates, made narrower by each later one that lies in it."""
    if not dates:
        return None
    narrow = dates[0]
    for date in dates[1:]:
        if _within(date.span, narrow.span):
            narrow = date
    return narrow


def possible(period: Period, status: FactStatus, window: Span) -> bool:
    """Whether the fact may be true at some moment of the window."""
    if status == "invalidated":
        return False
    begun = period.start is None or period.start.span.lo < window.hi
    return begun and (period.end is None or period.end.span.hi > window.lo)


def certain(period: Period, status: FactStatus, window: Span) -> bool:
    """Whether the fact is true at every moment of the window, wherever in their intervals its
    dates lie. An unknown start is never certain, nor an end of which only the fact is known."""
    if status == "invalidated" or period.start is None:
        return False
    if period.end is None:
        return status == "active" and period.start.span.hi - 1 <= window.lo
    return period.start.span.hi - 1 <= window.lo and period.end.span.lo >= window.hi


def _recorded(event: FactEvent) -> tuple[str, int, str, str]:
    return (event.recorded_at, event.id, event.kind, "" if event.at is None else event.at.text)


def _source(event: FactEvent) -> tuple[object, ...]:
    """An event without an artifact is a source of its own, by who stored it."""
    if event.artifact_id is not None:
        return (event.artifact_id,)
    return (None, event.actor, event.session_id, event.remember_run_id)


def _status(told: Sequence[FactEvent]) -> FactStatus:
    kinds = {event.kind for event in told}
    if "invalidated" in kinds:
        return "invalidated"
    if "superseded" in kinds:
        return "superseded"
    return "ended" if "ended" in kinds else "active"


def _start(told: Sequence[FactEvent]) -> Stated | None:
    """The first that was stated, made narrower by later ones that lie in it."""
    dates = [event.at for event in told if event.kind in _SUPPORTING and event.basis in _DATING]
    return narrowed([at for at in dates if at is not None])


def _end(told: Sequence[FactEvent], start: Stated | None) -> Stated | None:
    """A stated end, of several the last that was told; else the start of the next fact; else an end
    that is only known to have passed."""
    next_one = _next(told)
    closing = [event for event in reversed(told) if event.kind == "ended"]
    closing += [] if next_one is None else [next_one]
    closing.sort(key=lambda event: event.basis not in _DATING)
    ends = [_ended(event, start) for event in closing]
    return narrowed([end for end in ends if end is not None and order(end, start) != "before"])


def _next(told: Sequence[FactEvent]) -> FactEvent | None:
    """Of the facts that superseded this one the first in time, whichever was told first."""
    newer = [event for event in told if event.kind == "superseded"]
    return min(newer, key=_follows) if newer else None


def _follows(event: FactEvent) -> tuple[bool, int, int]:
    if event.at is None:
        return (True, 0, 0)
    return (event.basis not in _DATING, event.at.span.lo, event.at.span.hi)


def _ended(event: FactEvent, start: Stated | None) -> Stated | None:
    """The end that an event tells; "by then" may be any time since the start."""
    if event.at is None or event.basis in _DATING:
        return event.at
    since = LONG_AGO if start is None else start.span.lo
    return replace(event.at, span=Span(min(since, event.at.span.lo), event.at.span.hi))


def _within(inner: Span, outer: Span) -> bool:
    return outer.lo <= inner.lo and inner.hi <= outer.hi
