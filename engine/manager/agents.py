"""What surfaces ask of definitions and schedules: listed, read again, paused, started by hand.

Holds no definition of its own: the shelf has them. A reading that finds a fault changes nothing.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import datetime

from engine.definitions.across import no_agent
from engine.definitions.canonical import hash_of
from engine.definitions.catalog import Catalog, Examined
from engine.definitions.shelf import Shelf
from engine.domain.answers import AgentDetails, AgentInfo, AgentsRead, ScheduleInfo, Schedules
from engine.domain.clock import Clock, timestamp
from engine.domain.definition import Definition, Schedule
from engine.domain.errors import CannotStart, NotFound, Problem
from engine.domain.run import Run
from engine.domain.scheduling import Timetable, timetable
from engine.domain.text_safety import one_line
from engine.manager.firing import Firing, Start
from engine.manager.listing import Kept, agent_told, agents_listed, schedules_listed
from engine.manager.workers import to_the_end
from engine.store import schedules
from engine.store.database import Database

_log = logging.getLogger(__name__)

SHOWN_PAST = 10
"""Due times of a schedule that are told."""
_MOST_NAME_CHARS = 60


class Agents:
    """The part of the owned Engine (engine.contract) that is about definitions and schedules.

    `followed`: this process starts agents by the clock.
    """

    def __init__(
        self, shelf: Shelf, database: Database, clock: Clock, *, followed: bool = False
    ) -> None:
        self._shelf = shelf
        self._database = database
        self._clock = clock
        self._followed = followed
        self._reading = asyncio.Lock()
        """One reading at a time: the shelf is moved in a thread."""
        self._last = self._told(shelf.last, ())

    @property
    def catalog(self) -> Catalog:
        """The definitions that new runs use."""
        return self._shelf.catalog

    async def listed(self) -> tuple[AgentInfo, ...]:
        catalog = self._shelf.catalog
        return agents_listed(catalog, await self._kept(catalog, 1), now=self._now())

    async def told(self, name: str) -> AgentDetails:
        """Raises NotFound."""
        catalog = self._shelf.catalog
        definition = _definition(catalog, name)
        return agent_told(definition, catalog, await self._kept(catalog, 1), now=self._now())

    async def last_read(self) -> AgentsRead:
        return self._last

    async def reload(self) -> AgentsRead:
        """Read all definitions again; what is not sound changes nothing."""
        return await self._read_with(self._shelf.reload) or self._last

    async def reload_settled(self) -> AgentsRead | None:
        """As `reload`, when files changed and nobody is writing them any more; else None. Call it
        again and again: it compares with what it saw the last time."""
        return await self._read_with(self._shelf.reload_settled)

    async def schedules(self) -> Schedules:
        catalog = self._shelf.catalog
        kept = await self._kept(catalog, SHOWN_PAST)
        return Schedules(self._followed, schedules_listed(catalog, kept, now=self._now()))

    async def pause(self, agent: str, *, paused: bool) -> ScheduleInfo:
        """Raises NotFound when the agent has no schedule."""
        catalog = self._shelf.catalog
        _schedule(catalog, agent)
        at = timestamp(self._now())
        await self._database.write(lambda tx: schedules.set_paused(tx, agent, paused=paused, at=at))
        kept = await self._kept(catalog, SHOWN_PAST)
        listed = schedules_listed(catalog, kept, now=self._now())
        return next(schedule for schedule in listed if schedule.agent == agent)

    async def run(self, agent: str, start: Start) -> Run:
        """The scheduled run of an agent, now. A caller that goes away leaves no half of it.

        Raises NotFound, Refused while the run before works, and what `start` raises.
        """
        table = _table(_schedule(self._shelf.catalog, agent))
        firing = Firing(self._database, start, self._clock)
        return await to_the_end(firing.fire_now(agent, table))

    # Inside -----------------------------------------------------------------------------------

    def _now(self) -> datetime:
        return self._clock.now()

    async def _kept(self, catalog: Catalog, most: int) -> Kept:
        agents = tuple(catalog.schedules())
        if not agents:
            return Kept()
        async with self._database.reading() as reader:
            return Kept(
                paused=await schedules.paused(reader),
                past=await schedules.latest(reader, agents, limit=most),
            )

    async def _read_with(self, read: Callable[[], Examined | None]) -> AgentsRead | None:
        async with self._reading:
            return await to_the_end(self._read_once(read))

    async def _read_once(self, read: Callable[[], Examined | None]) -> AgentsRead | None:
        before = self._shelf.catalog
        found = await asyncio.to_thread(read)
        if found is None:
            return None
        changed = await asyncio.to_thread(changed_between, before, self._shelf.catalog)
        known, self._last = self._last, self._told(found, changed)
        _log_reading(self._last, known)
        return self._last

    def _told(self, found: Examined, changed: tuple[str, ...]) -> AgentsRead:
        directory = self._shelf.directory
        return AgentsRead(
            directory=str(directory) if directory else "",
            problems=found.problems,
            warnings=found.warnings,
            changed=changed,
            read_at=timestamp(self._now()),
        )


def changed_between(before: Catalog, after: Catalog) -> tuple[str, ...]:
    """The agents that came, went, or are not what they were or not when they were, by name."""
    if before is after:
        return ()
    was, now = _marks(before), _marks(after)
    return tuple(sorted(name for name in {*was, *now} if was.get(name) != now.get(name)))


def _marks(catalog: Catalog) -> Mapping[str, tuple[str, Schedule | None]]:
    return {one.name: (hash_of(one), one.schedule) for one in catalog.listed()}


def _definition(catalog: Catalog, name: str) -> Definition:
    found = catalog.definitions.get(name)
    if found is None:
        raise NotFound(no_agent(one_line(name, _MOST_NAME_CHARS), catalog.definitions))
    return found


def _schedule(catalog: Catalog, agent: str) -> Schedule:
    schedule = _definition(catalog, agent).schedule
    if schedule is None:
        raise NotFound(f'the agent "{agent}" has no schedule')
    return schedule


def _table(schedule: Schedule) -> Timetable:
    try:
        return timetable(schedule)
    except ValueError as exc:  # a computer may have no time zones
        raise CannotStart(Problem("schedule", str(exc))) from exc


def _log_reading(read: AgentsRead, before: AgentsRead) -> None:
    if read.problems:
        _log.warning("the agents stay as they were, since their files are not sound:")
    for problem in read.problems:
        _log.warning("%s", problem)
    for warning in read.warnings:
        if warning not in before.warnings:
            _log.warning("%s", warning)
    if read.changed:
        _log.info("the definitions were read again; changed: %s", ", ".join(read.changed))
