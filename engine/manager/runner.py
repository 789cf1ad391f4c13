"""One run's task: runs the agent and records how it ended, whatever happens.

This is one of the few places that catch every exception: nothing a run raises may reach another.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from itertools import count
from typing import Any, Protocol

from engine.agent import loop
from engine.agent.agent import Agent, Result, RunContext
from engine.domain.clock import Clock
from engine.domain.errors import ProviderError, RunFailed, StoreError, UserError
from engine.domain.faults import fault, redacted
from engine.domain.run import INTERRUPTED, Run
from engine.domain.text_safety import clean
from engine.evidence.check import citations
from engine.manager.journal import Journal
from engine.manager.outfit import Books
from engine.manager.steering import NOT_EARLY, Closing, RunSteering
from engine.manager.workers import to_the_end
from engine.store.runs import Ending

_log = logging.getLogger(__name__)
_WHOLE_TRIES = 3
"""How often everything that is left is tried to be stored with the end, before the end alone."""
_BETWEEN_TRIES_SECONDS = 1.0


class Outfit(Protocol):
    """Makes the agent ready, given where the run is written down."""

    def __call__(self, books: Books, /) -> AbstractAsyncContextManager[Agent]: ...


@dataclass(frozen=True, slots=True)
class Job:
    """A run and everything it needs."""

    run: Run
    topic: str
    journal: Journal
    steering: RunSteering
    outfit: Outfit
    clock: Clock
    closing: Closing = NOT_EARLY
    """Of a run that plays back one that ended early."""
    before_the_end: Callable[[], Awaitable[None]] | None = None
    """What is waited for when the report is written, before the run ends with it. Raises nothing
    but the cancellation that ends the waiting."""


class Runner:
    """Supervises one run, in the task that makes it."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._task = _this_task()
        self._task.set_name(f"run {self.run_id}")
        self._stopped_by = ""
        self._written: Ending | None = None
        """Once the report is there, the run ends with it, whatever is still waited for."""

    @property
    def run_id(self) -> int:
        return self.job.run.id

    def stop(self, by: str) -> None:
        """Cut the work off; the run ends `stopped by ...`, without a report."""
        self._stopped_by = self._stopped_by or by
        self.cancel()

    def close(self) -> None:
        """The engine closes: let the call in flight end, if there is one, and start no other."""
        if not self.job.journal.has_call_in_flight:
            self.cancel()
        self.job.journal.close_after_this()

    def cancel(self) -> None:
        self._task.cancel()

    async def over(self) -> None:
        """Returns when the task has ended."""
        await asyncio.wait([self._task])

    async def supervise(self) -> None:
        """Run to the end and record it. Lets only a cancellation pass that nobody asked for and
        that cut the run off: once its report is written, the task ends by itself at once."""
        try:
            ending = await self._ending()
        except asyncio.CancelledError:
            await self._record(self._written or self._cut_off())
            if not (self._stopped_by or self._written):
                raise
            return
        await self._record(ending)

    async def _ending(self) -> Ending:
        try:
            result = await self._work()
        except (ProviderError, RunFailed, UserError, StoreError) as error:
            return Ending("failed", error=redacted(clean(str(error))))
        except Exception as error:
            return self._broken(error)
        self._written = self._completed(result)
        if self.job.before_the_end is not None:
            await self.job.before_the_end()
        return self._written

    async def _work(self) -> Result:
        job = self.job
        async with job.outfit(job.journal) as agent:
            context = RunContext(
                run_id=job.run.id,
                user=job.run.user_id,
                attempts=job.journal,
                observer=job.journal,
                steering=job.steering,
            )
            return await loop.run(agent, job.topic, context)

    def _completed(self, result: Result) -> Ending:
        own = self.job.steering.closing
        closing = own if own.stop_reason else self.job.closing
        parts = (clean(result.answer), closing.sentence)
        report = "\n\n".join(part for part in parts if part)
        return Ending("completed", report=report, stop_reason=closing.stop_reason)

    def _cut_off(self) -> Ending:
        if self._stopped_by:
            return Ending("stopped", error=f"stopped by {self._stopped_by}")
        return Ending("failed", error=INTERRUPTED)

    def _broken(self, error: Exception) -> Ending:
        _log.error("run %s broke", self.run_id, exc_info=error)
        return Ending("failed", error=f"the program has a fault: {fault(error)}")

    async def _record(self, ending: Ending) -> None:
        """Write the end, whoever cancels meanwhile, and again until the store takes it.

        Only then does the run cease to be one that is worked on. A cancellation while the store
        is given time gives up: the next owner of the data marks the run as interrupted.
        """
        for number in count(1):
            try:
                await to_the_end(self._finish(ending, alone=number > _WHOLE_TRIES))
                return
            except StoreError as error:
                _log.error("run %s: its end cannot be written yet: %s", self.run_id, error)
            except Exception as error:
                ending = self._broken(error)
                self.job.journal.abandon()
            await self.job.clock.sleep(_BETWEEN_TRIES_SECONDS)

    async def _finish(self, ending: Ending, *, alone: bool) -> None:
        journal = self.job.journal
        cited = await asyncio.to_thread(citations, ending.report, journal.readings)
        await journal.finish(ending, cited, alone=alone)


def _this_task() -> asyncio.Task[Any]:
    task = asyncio.current_task()
    assert task is not None
    return task
