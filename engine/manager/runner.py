"""One run's task: runs the agent and records how it ended, whatever happens.

This is one of the three places that catch every exception: nothing a run raises may reach another.
"""

import asyncio
import logging
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from engine.agent import loop
from engine.agent.agent import Agent, Result, RunContext
from engine.domain.errors import ProviderError, RunFailed, StoreError, UserError
from engine.domain.run import INTERRUPTED, Run
from engine.domain.text_safety import clean
from engine.evidence.check import citations
from engine.llm.model import Attempts
from engine.manager.journal import Journal
from engine.manager.steering import RunSteering
from engine.store.runs import Ending

_log = logging.getLogger(__name__)
_FINISH_SECONDS = 10.0


class Outfit(Protocol):
    """Makes the agent ready, given who books its attempts."""

    def __call__(self, attempts: Attempts, /) -> AbstractAsyncContextManager[Agent]: ...


@dataclass(frozen=True, slots=True)
class Job:
    """A run and everything it needs."""

    run: Run
    topic: str
    journal: Journal
    steering: RunSteering
    outfit: Outfit


class Runner:
    """Supervises one run. `task` is set by the Manager, which owns the task group."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.task: asyncio.Task[None] | None = None
        self._stopped_by = ""

    @property
    def run_id(self) -> int:
        return self.job.run.id

    def stop(self, by: str) -> None:
        """Cut the work off; the run ends `stopped by ...`, without a report."""
        self._stopped_by = self._stopped_by or by
        self.cancel()

    def close(self) -> None:
        """The engine closes: let the call in flight end, if there is one, and start no other."""
        if self.job.journal.is_waiting:
            self.cancel()
        self.job.journal.close_after_this()

    def cancel(self) -> None:
        if self.task is not None:
            self.task.cancel()

    async def supervise(self) -> None:
        """Run to the end and record it. Lets only a cancellation pass that nobody asked for."""
        try:
            ending, result = await self._ending()
        except asyncio.CancelledError:
            await self._record(self._cut_off(), None)
            if not self._stopped_by:
                raise
            return
        await self._record(ending, result)

    async def _ending(self) -> tuple[Ending, Result | None]:
        try:
            result = await self._work()
        except (ProviderError, RunFailed, UserError, StoreError) as error:
            return Ending("failed", error=clean(str(error))), None
        except Exception as error:
            _log.exception("run %s broke", self.run_id)
            text = f"the program has a fault: {type(error).__name__}: {error}"
            return Ending("failed", error=clean(text)), None
        return Ending("completed", report=self._report(result)), result

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

    def _report(self, result: Result) -> str:
        capped = self.job.steering.breach
        report = clean(result.answer)
        return f"{report}\n\n{capped.sentence}" if capped else report

    def _cut_off(self) -> Ending:
        if self._stopped_by:
            return Ending("stopped", error=f"stopped by {self._stopped_by}")
        return Ending("failed", error=INTERRUPTED)

    async def _record(self, ending: Ending, result: Result | None) -> None:
        """Shielded, so that a second cancel cannot leave the run open."""
        try:
            async with asyncio.timeout(_FINISH_SECONDS):
                await asyncio.shield(self._finish(ending, result))
        except (StoreError, TimeoutError):
            _log.exception("run %s: its end could not be written", self.run_id)

    async def _finish(self, ending: Ending, result: Result | None) -> None:
        journal = self.job.journal
        if result is None:
            await journal.finish(ending)
            return
        await journal.store()
        await journal.finish(ending, citations(ending.report, journal.readings))
