"""What the scheduler decides: what is due, what is too late, and what a scheduled run is asked for.

A time that passes while nothing runs the schedules is lost, or made up for by one run when the
schedule says so. Pure: the time is passed in, and nothing is started here.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias, assert_never
from zoneinfo import ZoneInfo

from engine.domain.cron import Cron, CronError, parse
from engine.domain.definition import Schedule
from engine.domain.field_template import fault_of, fill
from engine.domain.run import RunId, StartRequest

TOPIC_FIELDS = ("Date", "Time")
"""What the topic of a schedule may hold, written `{{.Date}}`."""
LATE_MOST = timedelta(minutes=5)
"""A time that the scheduler comes to later than this is missed. It is also the shortest time that a
schedule may have between two runs."""

FireOutcome = Literal["armed", "claimed", "started", "skipped", "refused"]
"""`armed`: nothing was due; missed times count from here. `claimed`: somebody is starting it, or
died of it."""


@dataclass(frozen=True, slots=True)
class Fire:
    """A due time of an agent and what came of it (`gb_schedule_fires`)."""

    agent_name: str
    due: str
    outcome: FireOutcome
    fired_at: str
    run_id: RunId | None = None
    why: str = ""
    """Why it was skipped or refused."""


@dataclass(frozen=True, slots=True)
class Timetable:
    """A schedule made ready."""

    schedule: Schedule
    cron: Cron
    zone: ZoneInfo


@dataclass(frozen=True, slots=True)
class Due:
    """A run is to be started for this moment."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Lapsed:
    """The schedule is paused: this moment passes, and is never made up for."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Missed:
    """Nobody was there at this moment, and it is not to be made up for."""

    at: datetime


Decision: TypeAlias = Due | Lapsed | Missed


def decide(
    table: Timetable, *, since: datetime, now: datetime, paused: bool = False
) -> Decision | None:
    """What is to be done about the times after `since` and up to `now`: the last of them counts.

    `paused` is what a person set; what the file says is added to it.
    """
    at = table.cron.last(since, now, table.zone)
    if at is None:
        return None
    if paused or table.schedule.paused:
        return Lapsed(at)
    if now - at <= LATE_MOST:
        return Due(at)
    match table.schedule.catch_up:
        case "once":
            return Due(at)
        case "none":
            return Missed(at)
        case other:
            assert_never(other)


def timetable(schedule: Schedule) -> Timetable:
    """Raises ValueError when it cannot be followed: the checks of definitions let no such schedule
    through, but a computer may have no time zones."""
    try:
        return Timetable(schedule, parse(schedule.cron), ZoneInfo(schedule.timezone))
    except (CronError, KeyError, ValueError, OSError) as exc:
        raise ValueError(str(exc)) from exc


def next_due(table: Timetable, after: datetime) -> datetime | None:
    """In UTC; None when it is paused by its file or never due again."""
    return None if table.schedule.paused else table.cron.next(after, table.zone)


def request_for(agent: str, table: Timetable, due: datetime) -> StartRequest:
    """What a person would ask for at this moment. Raises ValueError for an unknown field."""
    schedule = table.schedule
    if fault := fault_of(schedule.topic, TOPIC_FIELDS):
        raise ValueError(f"schedule.topic: {fault}")
    local = due.astimezone(table.zone)
    values = {"Date": f"{local:%Y-%m-%d}", "Time": local.isoformat(timespec="seconds")}
    return StartRequest(topic=fill(schedule.topic, values), user=schedule.user, agent=agent)
