"""Starts the scheduled runs of agents: claims a due time, asks for the run, stores what came of it.

A due time is claimed in the database before anything is started, so that it fires once, however
many there are who would start it. A claim that cannot be settled starts nothing twice.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from engine.domain.clock import Clock, timestamp
from engine.domain.errors import GligabaoError, Refused, StoreError
from engine.domain.run import Run, StartRequest
from engine.domain.scheduling import Fire, Timetable, request_for
from engine.domain.text_safety import one_line
from engine.store import schedules
from engine.store.database import Database, Transaction

_log = logging.getLogger(__name__)

Start: TypeAlias = Callable[[StartRequest], Awaitable[Run]]

START_TRIES = 3
BETWEEN_TRIES = 2.0
"""Seconds, when the store fails while a run is being started."""
_MOST_WHY_CHARS = 500


class Firing:
    """Where the due times of one database are taken. `start` is the Manager's."""

    def __init__(self, database: Database, start: Start, clock: Clock) -> None:
        self._database = database
        self._start = start
        self._clock = clock

    async def fire(self, agent: str, table: Timetable, due: datetime) -> None:
        """Start the agent for this due time, unless another did or its run before still works.

        What came of it is stored and logged. Raises StoreError when it could not be claimed.
        """
        at = timestamp(self._clock.now())
        fire = await self._database.write(
            lambda tx: schedules.claim(tx, agent, timestamp(due), at=at)
        )
        if fire is None:
            return  # another scheduler has it, or the clock went back
        if fire.outcome == "claimed":
            try:
                await self._carry_out(fire, table, due)
            except (GligabaoError, ValueError):
                return  # stored and logged
        else:
            _tell(fire)

    async def fire_now(self, agent: str, table: Timetable) -> Run:
        """Start the agent as if it were due at this moment; that moment is then a due time.

        Raises Refused while its scheduled run before this one works, and what the start raises.
        """
        now = self._clock.now()
        at = timestamp(now)
        fire = await self._database.write(lambda tx: _claim_or_refuse(tx, agent, at))
        return await self._carry_out(fire, table, now)

    async def _carry_out(self, claimed: Fire, table: Timetable, due: datetime) -> Run:
        try:
            run = await self._insist(request_for(claimed.agent_name, table, due))
        except (GligabaoError, ValueError) as error:
            why = one_line(str(error), _MOST_WHY_CHARS)
            await self._settle(replace(claimed, outcome="refused", why=why))
            raise
        await self._settle(replace(claimed, outcome="started", run_id=run.id))
        return run

    async def _insist(self, request: StartRequest) -> Run:
        """Start, and once more when it was the store that failed."""
        for _ in range(START_TRIES - 1):
            try:
                return await self._start(request)
            except StoreError as exc:
                _log.warning("a scheduled run of %r waits: %s", request.agent, exc)
            await self._clock.sleep(BETWEEN_TRIES)
        return await self._start(request)

    async def _settle(self, fire: Fire) -> None:
        """The claim stands already: when this cannot be stored, nothing is started twice."""
        _tell(fire)
        for _ in range(START_TRIES):
            try:
                await self._database.write(lambda tx: schedules.settle(tx, fire))
            except StoreError as exc:
                _log.warning("what came of a scheduled run is not stored yet: %s", exc)
            else:
                return
            await self._clock.sleep(BETWEEN_TRIES)


def _claim_or_refuse(tx: Transaction, agent: str, at: str) -> Fire:
    """Raises Refused, which leaves nothing stored: who asked is there to be told."""
    fire = schedules.claim(tx, agent, at, at=at)
    if fire is None:
        raise Refused(f'the scheduled run of "{agent}" that is due now was started already')
    if fire.outcome == "skipped":
        raise Refused(f'"{agent}" cannot be started by its schedule now: {fire.why}')
    return fire


def _tell(fire: Fire) -> None:
    match fire.outcome:
        case "started":
            _log.info("run %s of %r started, due at %s", fire.run_id, fire.agent_name, fire.due)
        case outcome:
            said = "the run of %r due at %s was %s: %s"
            _log.warning(said, fire.agent_name, fire.due, outcome, fire.why)
