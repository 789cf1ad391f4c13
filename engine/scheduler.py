"""Starts agents by the clock: sleeps until one is due, and asks for its run as its user would.

    wake, at least every 30 s ──> read the wall clock ──> decide ──> claim the due time ──> start

It never relies on how long it slept: a clock that jumps or a computer that sleeps costs at most
half a minute. `manager.firing` claims each due time before anything is started, so that it fires
once, whatever the clock does and however many schedulers there are.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import TypeAlias

from engine.domain.clock import Clock, moment, timestamp
from engine.domain.definition import Schedule
from engine.domain.errors import StoreError
from engine.domain.scheduling import Due, Lapsed, Missed, Timetable, decide, next_due, timetable
from engine.manager.firing import Firing, Start
from engine.store import schedules
from engine.store.database import Database

_log = logging.getLogger(__name__)

Schedules: TypeAlias = Callable[[], Mapping[str, Schedule]]
"""The schedules as they are now, by the name of the agent; asked again at every look."""

LONGEST_SLEEP = 30.0
"""Seconds after which the wall clock is read again."""
SHORTEST_SLEEP = 0.01
"""A timer may ring a little before the wall clock is there."""


class Scheduler:
    """One per owner of the data. `run` is its one task and goes on until it is cancelled."""

    def __init__(
        self, database: Database, schedules: Schedules, start: Start, *, clock: Clock
    ) -> None:
        self._database = database
        self._schedules = schedules
        self._clock = clock
        self._firing = Firing(database, start, clock)
        self._looked: dict[str, datetime] = {}
        """Agent -> the moment up to which its due times are decided."""
        self._ready: dict[Schedule, Timetable | None] = {}

    async def run(self) -> None:
        while True:
            await self._clock.sleep(await self.look())

    async def look(self) -> float:
        """Start what is due now; the seconds until it should be looked again."""
        tables = self._timetables()
        self._looked = {name: at for name, at in self._looked.items() if name in tables}
        for agent, table in tables.items():
            try:
                await self._look_at(agent, table)
            except StoreError as exc:
                _log.warning("the schedule of %r waits for the database: %s", agent, exc)
        now = self._clock.now()
        waits = [due - now for table in tables.values() if (due := next_due(table, now))]
        soonest = min(waits, default=timedelta.max).total_seconds()
        return min(max(soonest, SHORTEST_SLEEP), LONGEST_SLEEP)

    async def _look_at(self, agent: str, table: Timetable) -> None:
        """Raises StoreError; what was not decided is looked at again the next time."""
        now = self._clock.now()
        since = self._looked.get(agent) or await self._first_sight(agent, table)
        if table.cron.last(since, now, table.zone) is not None:
            await self._act(agent, table, since=since, now=now)
        self._looked[agent] = now

    async def _first_sight(self, agent: str, table: Timetable) -> datetime:
        """From where its times count: now, or the last one known when it makes up for others."""
        at = timestamp(self._clock.now())
        known = await self._database.write(lambda tx: schedules.baseline(tx, agent, at=at))
        _log.info("%r is due next at %s", agent, _told(next_due(table, moment(at))))
        return moment(known if table.schedule.catch_up == "once" else at)

    async def _act(self, agent: str, table: Timetable, *, since: datetime, now: datetime) -> None:
        async with self._database.reading() as reader:
            paused = agent in await schedules.paused(reader)
        match decide(table, since=since, now=now, paused=paused):
            case Due(at):
                await self._firing.fire(agent, table, at)
            case Lapsed(at):
                due = timestamp(at)
                await self._database.write(lambda tx: schedules.arm(tx, agent, at=due))
            case Missed(at):
                _log.warning("the run of %r due at %s was missed", agent, timestamp(at))

    def _timetables(self) -> Mapping[str, Timetable]:
        """Those that can be read; the others are told once."""
        wanted = self._schedules()
        for agent, schedule in wanted.items():
            if schedule not in self._ready:
                self._ready[schedule] = _timetable(agent, schedule)
        found = {agent: self._ready[schedule] for agent, schedule in wanted.items()}
        return {agent: table for agent, table in found.items() if table is not None}


def _timetable(agent: str, schedule: Schedule) -> Timetable | None:
    try:
        return timetable(schedule)
    except ValueError as exc:
        _log.error("the schedule of %r cannot be followed: %s", agent, exc)
        return None


def _told(due: datetime | None) -> str:
    return timestamp(due) if due else "no time"
