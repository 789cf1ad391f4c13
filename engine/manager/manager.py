"""The one Manager behind every surface: starts runs, reads them, watches and ends them.

It owns the runs' task group and never touches a run's values: it only counts, stops and steers.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from datetime import datetime
from typing import Protocol

from engine.domain.answers import (
    AgentDetails,
    AgentInfo,
    AgentsRead,
    Check,
    ScheduleInfo,
    Schedules,
    SourceText,
)
from engine.domain.clock import timestamp
from engine.domain.costs import RunCosts
from engine.domain.errors import CannotStart, GligabaoError, NotFound, Refused, StoreError
from engine.domain.events import Event, RunStarted, StateEntered
from engine.domain.run import (
    MOST_WORKING_PER_USER,
    Run,
    RunCounts,
    RunDetails,
    RunFilter,
    RunId,
    RunPage,
    StartRequest,
)
from engine.domain.sources import CitedSource
from engine.domain.timing import Timing
from engine.knowledge.base import Base
from engine.limits.caps import Caps
from engine.manager import accounts, admission
from engine.manager.afterwards import Afterwards
from engine.manager.agents import Agents
from engine.manager.journal import Desk, Journal
from engine.manager.outfit import Books
from engine.manager.planning import Plan, Planner
from engine.manager.runner import Job, Runner
from engine.manager.spec import RunSpec, to_json
from engine.manager.steering import RunSteering
from engine.manager.workers import Workers
from engine.store import citations, runs
from engine.store.database import Database, Transaction

_log = logging.getLogger(__name__)


class Services(Protocol):
    """What a Manager offers but does not do itself: definitions and schedules, the knowledge base,
    reading one source, examining the machine."""

    @property
    def agents(self) -> Agents: ...

    @property
    def knowledge(self) -> Base: ...

    def afterwards(self, spec: RunSpec, books: Books) -> Afterwards: ...

    async def read(self, source: str, *, full: bool) -> SourceText: ...

    async def doctor(self) -> tuple[Check, ...]: ...


@asynccontextmanager
async def managing(
    desk: Desk, planner: Planner, *, services: Services, timing: Timing
) -> AsyncIterator["Manager"]:
    """A Manager whose runs end with this scope: calls in flight get their chance to be stored."""
    async with Workers() as workers:
        manager = Manager(desk, planner, services=services, workers=workers)
        try:
            yield manager
        finally:
            await manager.close(timing.closing_calls)


class Manager:
    """The owned Engine (engine.contract). `workers` are opened and closed by `managing`."""

    def __init__(
        self, desk: Desk, planner: Planner, *, services: Services, workers: Workers
    ) -> None:
        self._desk = desk
        self._planner = planner
        self._services = services
        self._runners: dict[RunId, Runner] = {}
        self._at_work: set[RunId] = set()
        """Runs with what is done after their ends."""
        self._workers = workers
        self._idle = asyncio.Event()
        self._idle.set()
        self._is_closing = False

    @property
    def database(self) -> Database:
        return self._desk.database

    @property
    def definitions(self) -> Agents:
        return self._services.agents

    async def start(self, request: StartRequest) -> Run:
        plan = await self._planner.plan(request)
        if self._is_closing:
            raise CannotStart("the engine is closing: start again")
        begun: asyncio.Future[Run] = asyncio.get_running_loop().create_future()
        self._workers.start(self._carry_out(plan, begun))
        return await asyncio.shield(begun)

    async def get(self, run_id: RunId, *, user: str | None = None) -> RunDetails:
        async with self._desk.database.reading() as reader:
            run = _theirs(await runs.get(reader, run_id), run_id, user)
            return RunDetails(
                run=run,
                states=await runs.states(reader, run_id),
                citations=await citations.of_run(reader, run_id),
            )

    async def list(self, which: RunFilter) -> RunPage:
        async with self._desk.database.reading() as reader:
            return await runs.page(reader, which)

    async def counts(self, *, user: str | None = None) -> RunCounts:
        midnight = self._now().replace(hour=0, minute=0, second=0, microsecond=0)
        async with self._desk.database.reading() as reader:
            return await runs.counts(reader, user=user, since=timestamp(midnight))

    def watch(
        self, run_id: RunId | None = None
    ) -> AbstractAsyncContextManager[AsyncIterator[Event]]:
        return self._desk.hub.watch(run_id)

    async def report(self, run_id: RunId, *, user: str | None = None) -> str:
        run = await self._run(run_id, user)
        if run.status != "completed":
            raise Refused(f"run {run_id} has no report: it is {run.status}")
        return run.report

    async def costs(self, run_id: RunId, *, user: str | None = None) -> RunCosts:
        run = await self._run(run_id, user)
        return await accounts.run_costs(self._desk.database, run, self._planner.prices)

    async def source(self, run_id: RunId, n: int, *, user: str | None = None) -> CitedSource:
        async with self._desk.database.reading() as reader:
            run = _theirs(await runs.get(reader, run_id), run_id, user)
            return await accounts.cited_source(reader, run, n)

    async def stop(self, run_id: RunId, *, by: str, user: str | None = None) -> Run:
        runner = await self._working(run_id, user)
        runner.stop(by)
        await runner.over()
        run = await self._run(run_id, user)
        if run.status == "running":
            raise StoreError(f"the end of run {run_id} could not be stored: the log says why")
        if run.status != "stopped":
            raise _has_ended(run)
        return run

    async def wrap_up(self, run_id: RunId, *, by: str, user: str | None = None) -> Run:
        runner = await self._working(run_id, user)
        at = timestamp(self._now())
        await self._desk.database.write(lambda tx: runs.ask_wrap_up(tx, run_id, by=by, at=at))
        run = await self._run(run_id, user)
        if run.status != "running":
            raise _has_ended(run)
        runner.job.steering.wrap_up_by = run.wrap_up_by or by
        return run

    @property
    def knowledge(self) -> Base:
        return self._services.knowledge

    async def agents(self) -> tuple[AgentInfo, ...]:
        return await self._services.agents.listed()

    async def agent(self, name: str) -> AgentDetails:
        return await self._services.agents.told(name)

    async def agents_read(self) -> AgentsRead:
        return await self._services.agents.last_read()

    async def reload_agents(self) -> AgentsRead:
        return await self._services.agents.reload()

    async def schedules(self) -> Schedules:
        return await self._services.agents.schedules()

    async def pause_schedule(self, agent: str, *, paused: bool) -> ScheduleInfo:
        return await self._services.agents.pause(agent, paused=paused)

    async def run_schedule(self, agent: str) -> Run:
        return await self._services.agents.run(agent, self.start)

    async def read(self, source: str, *, full: bool = False) -> SourceText:
        return await self._services.read(source, full=full)

    async def doctor(self) -> tuple[Check, ...]:
        return await self._services.doctor()

    async def idle(self) -> None:
        """Returns when no run is being worked on, and no text that is to be remembered."""
        await self._idle.wait()
        await self.knowledge.queue.rested()
        await self._idle.wait()

    async def close(self, seconds: float) -> None:
        """Start nothing more; calls in flight get `seconds` to end, then every run is cut off."""
        self._is_closing = True
        runners = list(self._runners.values())
        for runner in runners:
            runner.close()
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._idle.wait()
        finally:
            for runner in runners:
                runner.cancel()

    # Inside -----------------------------------------------------------------------------------

    def _now(self) -> datetime:
        return self._desk.clock.now()

    async def _carry_out(self, plan: Plan, begun: "asyncio.Future[Run]") -> None:
        """One run, from its row to its end: a caller that goes away leaves it to the engine."""
        try:
            run = await self._desk.database.write(self._creation(plan))
        except (Refused, StoreError) as error:
            begun.set_exception(error)
            return
        self._desk.hub.announce(
            [RunStarted(run), StateEntered(run.id, 1, run.state, 0, plan.note, run.created_at)]
        )
        job = self._job(run, plan)
        runner = Runner(job)
        self._runners[run.id] = runner
        self._idle.clear()
        begun.set_result(run)
        if self._is_closing:
            runner.close()
        await self._supervise(runner, plan.spec)

    def _creation(self, plan: Plan) -> Callable[[Transaction], Run]:
        spec, at = plan.spec, timestamp(self._now())
        new = runs.NewRun(
            user_id=spec.user,
            topic=spec.topic,
            model=spec.model,
            max_steps=spec.max_steps,
            agent_name=spec.agent_name,
            agent_version=spec.agent_version,
            agent_hash=spec.agent_hash,
            spec=to_json(spec),
            note=plan.note,
        )

        def create(tx: Transaction) -> Run:
            if runs.working(tx, spec.user) >= MOST_WORKING_PER_USER:
                raise Refused(admission.TOO_MANY_WORKING)
            return runs.create(tx, new, at=at)

        return create

    def _job(self, run: Run, plan: Plan) -> Job:
        journal = Journal(run, self._desk)
        caps = Caps(plan.spec.own_max_cost_usd, plan.spec.max_cost_usd)
        steering = RunSteering(caps, lambda: journal.totals.cost_usd)
        return Job(
            run=run,
            topic=plan.spec.topic,
            journal=journal,
            steering=steering,
            outfit=plan.outfit,
            clock=self._desk.clock,
            closing=plan.closing,
            before_the_end=self._services.afterwards(plan.spec, journal).before_the_end,
        )

    async def _supervise(self, runner: Runner, spec: RunSpec) -> None:
        number = runner.job.run.id
        self._at_work.add(number)
        try:
            try:
                await runner.supervise()
            finally:
                del self._runners[number]
            await self._remember_report(runner.job.journal, spec)
        finally:
            self._at_work.discard(number)
            if not self._at_work:
                self._idle.set()

    async def _remember_report(self, journal: Journal, spec: RunSpec) -> None:
        try:
            ended = await self._run(journal.run_id, None)
        except GligabaoError as error:
            _log.warning("the end of run %s cannot be read: %s", journal.run_id, error)
            return
        await self._services.afterwards(spec, journal).with_report(ended)

    async def _run(self, run_id: RunId, user: str | None) -> Run:
        async with self._desk.database.reading() as reader:
            return _theirs(await runs.get(reader, run_id), run_id, user)

    async def _working(self, run_id: RunId, user: str | None) -> Runner:
        run = await self._run(run_id, user)
        runner = self._runners.get(run_id)
        if runner is None:
            raise _has_ended(run)
        return runner


def _theirs(run: Run | None, run_id: RunId, user: str | None) -> Run:
    if run is None or (user is not None and run.user_id != user):
        raise NotFound(f"no run {run_id}")
    return run


def _has_ended(run: Run) -> Refused:
    return Refused(f"agent {run.id} has ended ({run.status})")
