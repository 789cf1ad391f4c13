"""The events of facts over time: lanes by entity, and what a person looks at of them. Pure.

Every event has a place: at its date, or, without one, in the column of those without a date. Which
of them are on the screen, and where, is `time_places.py`; how they look is `time_lines.py`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, TypeAlias

from engine.api import (
    EVENT_KINDS,
    EventKind,
    FactInfo,
    Temporal,
    TemporalEvent,
    stated,
)
from gligabao_tui.view.calendar import DAY
from gligabao_tui.view.text import flat
from gligabao_tui.view.time_axis import YEAR

Certainty: TypeAlias = Literal["known", "open", "unsure", "possible"]
"""How sure it is that a fact held: a text says so; none says that it ended; it began or ended some
time in there; nothing is known of its start."""
LONG_AGO = -(2**52)
"""What begins before that has no beginning of its own."""
NO_KINDS: frozenset[EventKind] = frozenset()


class Mark(NamedTuple):
    """An event of a fact, `[lo, hi)`, drawn at `at`; all three are None where it has no date."""

    told: TemporalEvent
    at: int | None
    lo: int | None
    hi: int | None

    @property
    def key(self) -> int:
        return self.told.event.id

    @property
    def kind(self) -> EventKind:
        return self.told.event.kind

    @property
    def is_hollow(self) -> bool:
        """No text says when: it is where the source, or the day it was stored, has it."""
        return self.told.event.basis in ("recorded", "reference")


class Bar(NamedTuple):
    """A stretch of time of a fact; None: from the first, or to the last that is seen."""

    lo: int | None
    hi: int | None
    certainty: Certainty


Group: TypeAlias = tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Track:
    """A fact with what happened to it, in time."""

    fact: FactInfo
    marks: tuple[Mark, ...]
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Lane:
    """Everything about one subject in one dataset."""

    name: str
    dataset: str
    tracks: tuple[Track, ...]
    marks: tuple[Mark, ...]
    """Those of all its tracks, in time."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """`lo` and `hi` are the first and the last second that any event or fact touches."""

    lanes: tuple[Lane, ...] = ()
    marks: tuple[Mark, ...] = ()
    lo: int = 0
    hi: int = 1
    counts: tuple[tuple[EventKind, int], ...] = ()
    """Of every kind, also of those that are switched off."""
    datasets: tuple[str, ...] = ()
    lane_of: dict[int, int] = field(default_factory=dict, compare=False)
    """By event, the lane that it is in."""

    @property
    def undated(self) -> int:
        return sum(mark.at is None for mark in self.marks)

    @property
    def hidden(self) -> int:
        """Events of kinds that are switched off."""
        return sum(count for _, count in self.counts) - len(self.marks)


@dataclass(frozen=True, slots=True)
class Look:
    """What a person looks at: the time from `lo` to `hi` (None: all of it), the chosen event, and
    the kinds that are switched off."""

    span: tuple[int, int] | None = None
    cursor: int | None = None
    off: frozenset[EventKind] = NO_KINDS


EVERYTHING = Look()
LEAST_SPAN = 2 * DAY
_MARGIN_PARTS = 40


def timeline_of(temporal: Temporal, off: frozenset[EventKind] = NO_KINDS) -> Timeline:
    """Without the events of kinds that are `off`, and the lanes that have no others."""
    events = temporal.events
    marks = sorted((mark_of(told) for told in events if told.event.kind not in off), key=_in_time)
    lanes = _lanes(marks, _last_seen(events))
    lo, hi = _extent(lanes)
    return Timeline(
        lanes=lanes,
        marks=tuple(marks),
        lo=lo,
        hi=hi,
        counts=_counts(events),
        datasets=tuple(sorted({told.event.dataset for told in events})),
        lane_of={mark.key: at for at, lane in enumerate(lanes) for mark in lane.marks},
    )


def mark_of(told: TemporalEvent) -> Mark:
    """In the middle of the span it lies in; at its end where that has no beginning."""
    lo, hi = told.event.lo, told.event.hi
    if lo is None or hi is None:
        return Mark(told, None, None, None)
    if lo <= LONG_AGO:
        return Mark(told, hi - 1, hi - 1, hi)
    return Mark(told, lo + (hi - 1 - lo) // 2, lo, hi)


def settled(timeline: Timeline, look: Look) -> Look:
    """With a cursor on an event that is there: the one it is on, else the nearest in time to the
    middle of what is seen, else the first. None only where there is no event."""
    if look.cursor in timeline.lane_of or not timeline.marks:
        return look if timeline.marks else replace(look, cursor=None)
    lo, hi = seen_span(timeline, look)
    middle = lo + (hi - lo) // 2
    dated = [mark for mark in timeline.marks if mark.at is not None]
    if look.span is None or not dated:
        return replace(look, cursor=timeline.marks[0].key)
    return replace(look, cursor=min(dated, key=lambda mark: abs((mark.at or 0) - middle)).key)


def chosen(timeline: Timeline, look: Look) -> Mark | None:
    lane = timeline.lane_of.get(look.cursor) if look.cursor is not None else None
    if lane is None:
        return None
    return next(mark for mark in timeline.lanes[lane].marks if mark.key == look.cursor)


def seen_span(timeline: Timeline, look: Look) -> tuple[int, int]:
    """The time that is seen; all there is, with a margin, where none was chosen."""
    if look.span is not None:
        return look.span
    margin = max(DAY, (timeline.hi - timeline.lo) // _MARGIN_PARTS)
    return timeline.lo - margin, timeline.hi + margin


def stepped(timeline: Timeline, look: Look, by: int) -> Look:
    """To the event before or after the chosen one, in its lane."""
    lane = timeline.lane_of.get(look.cursor) if look.cursor is not None else None
    if lane is None:
        return settled(timeline, look)
    marks = timeline.lanes[lane].marks
    at = next(at for at, mark in enumerate(marks) if mark.key == look.cursor)
    return _go_to(timeline, look, marks[min(max(at + by, 0), len(marks) - 1)])


def group_stepped(timeline: Timeline, look: Look, groups: Sequence[Group], *, by: int) -> Look:
    """To the event of another row that is nearest in time; `groups` are the rows that have any."""
    mark = chosen(timeline, look)
    at = next((n for n, group in enumerate(groups) if _has(group, look.cursor)), None)
    if mark is None or at is None:
        return settled(timeline, look)
    wanted = min(max(at + by, 0), len(groups) - 1)
    return look if wanted == at else _go_to(timeline, look, _nearest(groups[wanted], mark.at))


def gone_to_end(timeline: Timeline, look: Look, *, last: bool) -> Look:
    """To the first or the last event of all."""
    if not timeline.marks:
        return look
    return _go_to(timeline, look, timeline.marks[-1 if last else 0])


def gone_to(timeline: Timeline, look: Look, key: int) -> Look:
    """To this event, if it is there."""
    return replace(look, cursor=key) if key in timeline.lane_of else look


def zoomed(timeline: Timeline, look: Look, *, closer: bool) -> Look:
    """Half or twice the time, so that the chosen event stays where it is."""
    lo, hi = seen_span(timeline, look)
    mark = chosen(timeline, look)
    middle = mark.at if mark is not None and mark.at is not None else lo + (hi - lo) // 2
    span = max(LEAST_SPAN, (hi - lo) // 2) if closer else 2 * (hi - lo)
    whole_lo, whole_hi = seen_span(timeline, replace(look, span=None))
    if span >= whole_hi - whole_lo:
        return replace(look, span=None)
    start = middle - (middle - lo) * span // (hi - lo)
    start = min(max(start, whole_lo), whole_hi - span)
    return replace(look, span=(start, start + span))


def fitted(look: Look) -> Look:
    return replace(look, span=None)


def switched(look: Look, kind: EventKind) -> Look:
    """With this kind of event, or without it."""
    return replace(look, off=look.off ^ {kind})


def _has(group: Group, key: int | None) -> bool:
    return any(mark.key == key for mark in group)


def _go_to(timeline: Timeline, look: Look, mark: Mark) -> Look:
    """The time that is seen moves along where the event would be outside of it."""
    look = replace(look, cursor=mark.key)
    if look.span is None or mark.at is None:
        return look
    lo, hi = look.span
    if lo <= mark.at < hi:
        return look
    whole_lo, whole_hi = seen_span(timeline, replace(look, span=None))
    start = min(max(mark.at - (hi - lo) // 2, whole_lo), whole_hi - (hi - lo))
    return replace(look, span=(start, start + hi - lo))


def _in_time(mark: Mark) -> tuple[bool, int, int, int]:
    """Those without a date are last; of one moment, the kinds in the order things happen."""
    kind = EVENT_KINDS.index(mark.kind)
    return mark.at is None, mark.at or 0, kind, mark.key


def _nearest(marks: Sequence[Mark], at: int | None) -> Mark:
    if at is None:
        return marks[-1]
    dated = [mark for mark in marks if mark.at is not None]
    return min(dated or marks, key=lambda mark: abs((mark.at or 0) - at))


def _last_seen(events: Iterable[TemporalEvent]) -> dict[int, int]:
    """By fact, when a text last said that it holds, whatever kinds are shown."""
    seen: dict[int, int] = {}
    for told in events:
        at = mark_of(told).at
        if told.event.kind == "confirmed" and at is not None:
            seen[told.fact.id] = max(at, seen.get(told.fact.id, at))
    return seen


def _lanes(marks: Iterable[Mark], seen: Mapping[int, int]) -> tuple[Lane, ...]:
    """In the order in which something first happened in them; so are the tracks of a lane."""
    by_lane: dict[tuple[str, str], dict[int, list[Mark]]] = {}
    for mark in marks:
        fact = mark.told.fact
        tracks = by_lane.setdefault((fact.dataset, fact.source), {})
        tracks.setdefault(fact.id, []).append(mark)
    return tuple(
        _lane(dataset, name, [_track(tuple(of_fact), seen) for of_fact in tracks.values()])
        for (dataset, name), tracks in by_lane.items()
    )


def _lane(dataset: str, name: str, tracks: Sequence[Track]) -> Lane:
    marks = sorted((mark for track in tracks for mark in track.marks), key=_in_time)
    return Lane(flat(name), dataset, tuple(tracks), tuple(marks))


def _track(marks: Group, seen: Mapping[int, int]) -> Track:
    fact = marks[0].told.fact
    return Track(fact, marks, _bars(fact, seen.get(fact.id)))


def _bars(fact: FactInfo, last_seen: int | None) -> tuple[Bar, ...]:
    """From when to when it holds; never longer than what is known of it."""
    if fact.status == "invalidated":
        return ()
    start, end = stated(fact.valid_from or ""), stated(fact.valid_to or "")
    bars: list[Bar] = []
    if start is not None and start.span.hi - start.span.lo > DAY:
        bars.append(Bar(start.span.lo, start.span.hi, "unsure"))
    sure_from = start.span.hi if start is not None else None
    if end is not None:
        certainty: Certainty = "known" if start is not None else "possible"
        if sure_from is None or sure_from < end.span.lo:
            bars.append(Bar(sure_from, end.span.lo, certainty))
        if end.span.hi - end.span.lo > DAY:
            bars.append(Bar(end.span.lo, end.span.hi, "unsure"))
    elif sure_from is not None:
        bars.extend(_open_bars(sure_from, last_seen))
    return tuple(bars)


def _open_bars(sure_from: int, last_seen: int | None) -> list[Bar]:
    """Known until the last text that says so, then not known to have ended."""
    if last_seen is None or last_seen <= sure_from:
        return [Bar(sure_from, None, "open")]
    return [Bar(sure_from, last_seen, "known"), Bar(last_seen, None, "open")]


def _extent(lanes: Sequence[Lane]) -> tuple[int, int]:
    """Of all dates; a year around the only one, if all are the same."""
    tracks = [track for lane in lanes for track in lane.tracks]
    edges = [mark.lo for track in tracks for mark in track.marks if mark.lo is not None]
    edges += [mark.hi for track in tracks for mark in track.marks if mark.hi is not None]
    for bar in (bar for track in tracks for bar in track.bars):
        edges += [edge for edge in (bar.lo, bar.hi) if edge is not None]
    if not edges:
        return 0, YEAR
    lo, hi = min(edges), max(edges)
    return (lo, hi) if hi - lo > DAY else (lo - YEAR // 2, hi + YEAR // 2)


def _counts(events: Iterable[TemporalEvent]) -> tuple[tuple[EventKind, int], ...]:
    kinds = [told.event.kind for told in events]
    return tuple((kind, kinds.count(kind)) for kind in EVENT_KINDS)
