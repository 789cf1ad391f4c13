"""The agents that run by themselves: a block for each, and below or beside it all about one.

Times are on two clocks, that of the schedule's zone and the reader's own; neither is read here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from engine.api import AgentSchedule, ScheduledRun, ScheduleInfo, Schedules, moment
from gligabao_tui.view import formatting
from gligabao_tui.view.formatting import DAY, HOUR, MINUTE, count_of
from gligabao_tui.view.glyphs import Glyphs
from gligabao_tui.view.moments import Here, is_same_clock, on_clock, on_own_clock
from gligabao_tui.view.text import (
    EMPTY,
    Line,
    Span,
    Tone,
    fit,
    flat,
    line,
    pad,
    paragraph,
    spread,
    width_of,
)
from gligabao_tui.view.words import STATUS_TONES, STATUS_WORDS

LABEL_CELLS, TIME_CELLS, INDENT = 7, 18, 2
RUN = "run:"
"""Begins the target that leads to a run."""
NOT_FOLLOWED = "Only gligabao serve starts these; this window does not."
FOLLOWED = "Followed: each is started at its time."


@dataclass(frozen=True, slots=True)
class Row:
    """A schedule as a block of the list."""

    info: ScheduleInfo

    @property
    def key(self) -> str:
        return self.info.agent

    @property
    def is_live(self) -> bool:
        """How long it is to the next time, and was since the last, changes with every minute."""
        return True


@dataclass(frozen=True, slots=True)
class Frame:
    """How it is drawn: the moment, the reader's clock, whether anything starts by itself."""

    now: datetime
    here: Here
    glyphs: Glyphs
    followed: bool = True


def schedules_title(found: Schedules) -> str:
    """`3 agents run by themselves, 1 is paused`."""
    schedules = [info.schedule for info in found.schedules]
    paused = sum(is_paused(schedule) for schedule in schedules)
    if not schedules:
        return "no agent runs by itself"
    counted = count_of(len(schedules), "agent has a schedule", "agents have schedules")
    return f"{counted}, {paused} paused" if paused else counted


def is_paused(schedule: AgentSchedule) -> bool:
    return schedule.paused or schedule.paused_here


def followed_line(found: Schedules, width: int, glyphs: Glyphs) -> tuple[Line, ...]:
    """Whether anybody follows the schedules; nothing where there are none."""
    if not found.schedules:
        return ()
    if found.followed:
        return (line(Span(f" {glyphs.done} ", "good"), Span(FOLLOWED, "muted")),)
    told = paragraph(NOT_FOLLOWED, width - 4, "warn")
    return tuple(
        (Span("   " if at else f" {glyphs.warning} ", "warn"), *row) for at, row in enumerate(told)
    )


def no_schedules(width: int, *, key: str) -> tuple[Line, ...]:
    """What a schedule is, and how one is written."""
    told = (
        "A schedule starts an agent by itself, at the times that the agent's file says.",
        f"Write [schedule] with cron and topic into that file: {key} shows how.",
    )
    return tuple(row for part in told for row in paragraph(part, width, "muted"))


def schedule_block(row: Row, width: int, frame: Frame, *, rows: int) -> tuple[Line, ...]:
    """Name and next time, when in words, what came of the last time, and an empty line: as many
    of these as `rows`."""
    schedule = row.info.schedule
    mark, next_time = _mark(schedule, frame.glyphs), _next_word(schedule, frame)
    name = fit(flat(row.info.agent), width - INDENT - width_of(next_time.text) - 1)
    head = spread(line(mark, Span(f" {name}", "strong")), line(next_time), width)
    when = line(" " * INDENT, Span(fit(words_of(schedule), width - INDENT), "muted"))
    last = line(" " * INDENT, *_last(schedule.last, width - INDENT, frame))
    return (head, when, last, EMPTY)[:rows]


def schedule_lines(
    info: ScheduleInfo, width: int, frame: Frame, *, has_head: bool = True
) -> tuple[Line, ...]:
    """Everything about one schedule; without a head what its block in the list tells is left
    out."""
    schedule, cron = info.schedule, flat(info.schedule.cron)
    words = words_of(schedule)
    rows: list[Line] = []
    if has_head:
        rows += [line(Span(fit(flat(info.agent), width), "title")), EMPTY]
        rows += _labelled("when", words, width)
    if words != cron:
        rows.extend(_labelled("cron", cron, width, tone="muted"))
    rows.extend(_next(schedule, width, frame))
    rows.extend(_labelled("topic", flat(schedule.topic), width))
    rows.extend(_labelled("user", flat(schedule.user), width, tone="muted"))
    return (*rows, EMPTY, *_past(info, width, frame))


def words_of(schedule: AgentSchedule) -> str:
    return flat(schedule.words or schedule.cron)


def last_run(info: ScheduleInfo | None) -> ScheduledRun | None:
    """The latest due time that a run was started for."""
    return next((one for one in info.past if one.run_id), info.schedule.last) if info else None


def until(stored: str, now: datetime) -> str:
    """`in 3 h 12 min`, `in 2 d 4 h`, `in 12 min`, `now`; empty if it is no time."""
    try:
        seconds = int((moment(stored) - now).total_seconds())
    except ValueError:
        return ""
    if seconds >= DAY:
        return f"in {seconds // DAY} d {seconds % DAY // HOUR} h"
    if seconds >= HOUR:
        return f"in {seconds // HOUR} h {seconds % HOUR // MINUTE} min"
    return f"in {seconds // MINUTE} min" if seconds >= MINUTE else "now"


def is_due(found: Schedules, now: datetime) -> bool:
    """Whether a next time has passed, so that what is known is old."""
    times = [info.schedule.next_run for info in found.schedules]
    return any(time and until(time, now) == "now" for time in times)


def paused_words(info: ScheduleInfo, here: Here) -> str:
    """What came of pausing or of letting it go on."""
    name, schedule = flat(info.agent), info.schedule
    if schedule.paused_here:
        also = " too; its file pauses it already" if schedule.paused else ""
        return f"{name} is paused here{also}."
    if schedule.paused:
        return f"{name} is not paused here any more, but its file still pauses it."
    told = f" Next: {on_own_clock(schedule.next_run, here)}." if schedule.next_run else ""
    return f"{name} goes on.{told}"


# The parts of a block ----------------------------------------------------------------------


def _mark(schedule: AgentSchedule, glyphs: Glyphs) -> Span:
    return Span(glyphs.paused, "warn") if is_paused(schedule) else Span(glyphs.clock, "good")


def _next_word(schedule: AgentSchedule, frame: Frame) -> Span:
    if is_paused(schedule):
        return Span("paused", "warn")
    if schedule.next_run is None:
        return Span("never again", "muted")
    return Span(until(schedule.next_run, frame.now), "" if frame.followed else "muted")


def _last(last: ScheduledRun | None, width: int, frame: Frame) -> Line:
    """`✓ #12 done, 7h ago`."""
    if last is None:
        return line(Span("has not run yet", "quiet"))
    mark, told, tone = _outcome(last, frame.glyphs)
    since = formatting.ago(formatting.seconds_between(last.due, None, frame.now))
    room = width - width_of(since) - 4
    return line(Span(f"{mark} {fit(told, room)}", tone), Span(f", {since}", "quiet"))


def _outcome(one: ScheduledRun, glyphs: Glyphs) -> tuple[str, str, Tone]:
    """The mark of what came of a due time, the words for it, and their tone."""
    why = f": {flat(one.why)}" if one.why else ""
    match one.outcome:
        case "started":
            status = one.status or "running"
            word = STATUS_WORDS[status]
            return glyphs.of(status), f"#{one.run_id} {word}{why}", STATUS_TONES[status]
        case "skipped":
            return glyphs.warning, f"skipped{why}", "warn"
        case "refused":
            return glyphs.failed, f"refused{why}", "bad"
        case "claimed":
            return glyphs.working, "being started", "good"
        case "armed":
            return glyphs.dot, "watched from then on", "quiet"


# Everything about one ----------------------------------------------------------------------


def _next(schedule: AgentSchedule, width: int, frame: Frame) -> Sequence[Line]:
    """The next time on both clocks, or who paused it."""
    zone = flat(schedule.timezone)
    by = [
        told
        for told, is_so in (("by its file", schedule.paused), ("in this app", schedule.paused_here))
        if is_so
    ]
    rows = [*_labelled("paused", " and ".join(by), width, tone="warn")] if by else []
    if schedule.next_run is None:
        return [*rows, *_labelled("zone", zone, width, tone="muted")]
    rows.extend(_labelled("next", until(schedule.next_run, frame.now), width, tone="strong"))
    due = f"{on_clock(schedule.next_run, schedule.timezone)} in {zone}"
    if is_same_clock(schedule.next_run, schedule.timezone, frame.here):
        return [*rows, *_labelled("", f"{due} and on your clock", width)]
    own = f"{on_own_clock(schedule.next_run, frame.here)} on your clock"
    return [*rows, *_labelled("", due, width), *_labelled("", own, width)]


def _past(info: ScheduleInfo, width: int, frame: Frame) -> Sequence[Line]:
    if not info.past:
        return [line(Span("No time of it has come yet.", "quiet"))]
    zone = flat(info.schedule.timezone)
    rows = [spread(line(Span("Last times", "accent")), line(Span(zone, "quiet")), width)]
    for one in info.past:
        mark, told, tone = _outcome(one, frame.glyphs)
        due = on_clock(one.due, info.schedule.timezone)
        target = f"{RUN}{one.run_id}" if one.run_id else ""
        first, *more = paragraph(told, max(10, width - TIME_CELLS - INDENT), tone)
        rows.append(
            (
                Span(pad(flat(due), TIME_CELLS), "muted", target),
                Span(f"{mark} ", tone, target),
                *(span._replace(target=target) for span in first),
            )
        )
        rows.extend((Span(" " * (TIME_CELLS + INDENT)), *row) for row in more)
    return rows


def _labelled(label: str, text: str, width: int, *, tone: Tone = "") -> Sequence[Line]:
    rows = paragraph(text, max(10, width - LABEL_CELLS), tone)
    return [
        (Span(pad("" if at else label, LABEL_CELLS), "quiet"), *row) for at, row in enumerate(rows)
    ]
