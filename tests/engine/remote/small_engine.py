"""An Engine in memory, as small as the protocol allows: the other end of a socket test."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace

from engine.domain.answers import (
    AgentDetails,
    AgentInfo,
    AgentSchedule,
    AgentsRead,
    Check,
    ScheduleInfo,
    Schedules,
    SourceText,
)
from engine.domain.costs import RunCosts
from engine.domain.definition import Definition
from engine.domain.errors import NotFound, Refused
from engine.domain.events import Event, RunEnded, RunStarted
from engine.domain.run import (
    Run,
    RunCounts,
    RunDetails,
    RunFilter,
    RunId,
    RunPage,
    StartRequest,
    State,
)
from engine.domain.sources import CitedSource
from engine.manager.hub import Hub
from tests.fakes.knowledge import FakeKnowledge

AT = "2026-11-01T10:00:00.000Z"


class SmallEngine:
    """Fulfils `OwnedEngine`. Runs work until `end` or `stop`; `calls` tells what was asked."""

    def __init__(self) -> None:
        self.hub = Hub()
        self.knowledge = FakeKnowledge()
        self.runs: dict[RunId, Run] = {}
        self.calls: list[str] = []
        self.watchers = 0
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.asked = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()

    async def start(self, request: StartRequest) -> Run:
        await self._asked("start")
        run_id = RunId(len(self.runs) + 1)
        run = Run(run_id, request.user, request.topic, "running", "starting", "m", 20, AT)
        self.runs[run_id] = run
        self._idle.clear()
        self.hub.announce([RunStarted(run)])
        return run

    async def get(self, run_id: RunId, *, user: str | None = None) -> RunDetails:
        await self._asked("get")
        run = self._run(run_id, user)
        state = State(run_id, 1, run.state, 0, "", run.error, AT, run.finished_at)
        return RunDetails(run, (state,))

    async def list(self, which: RunFilter) -> RunPage:
        await self._asked("list")
        return RunPage(tuple(self.runs.values()))

    async def counts(self, *, user: str | None = None) -> RunCounts:
        await self._asked("counts")
        return RunCounts({"running": len(self.runs)})

    @asynccontextmanager
    async def watch(self, run_id: RunId | None = None) -> AsyncIterator[AsyncIterator[Event]]:
        self.watchers += 1
        try:
            async with self.hub.watch(run_id) as events:
                yield events
        finally:
            self.watchers -= 1

    async def report(self, run_id: RunId, *, user: str | None = None) -> str:
        await self._asked("report")
        return self._run(run_id, user).report

    async def costs(self, run_id: RunId, *, user: str | None = None) -> RunCosts:
        await self._asked("costs")
        return RunCosts(self._run(run_id, user).id)

    async def source(self, run_id: RunId, n: int, *, user: str | None = None) -> CitedSource:
        await self._asked("source")
        raise NotFound(f"the report of run {self._run(run_id, user).id} has no source {n}")

    async def stop(self, run_id: RunId, *, by: str, user: str | None = None) -> Run:
        await self._asked("stop")
        if self._run(run_id, user).status != "running":
            raise Refused(f"agent {run_id} has ended")
        return self.end(run_id, error=f"stopped by {by}")

    async def wrap_up(self, run_id: RunId, *, by: str, user: str | None = None) -> Run:
        await self._asked("wrap_up")
        self.runs[run_id] = replace(self._run(run_id, user), wrap_up_by=by)
        return self.runs[run_id]

    async def agents(self) -> tuple[AgentInfo, ...]:
        await self._asked("agents")
        return (AgentInfo("default", "1.0.0", "researches", 20),)

    async def agent(self, name: str) -> AgentDetails:
        await self._asked("agent")
        definition = Definition(name, "1.0.0", "researches", "Do research.")
        return AgentDetails(AgentInfo(name, "1.0.0", "researches", 20), definition, "Do research.")

    async def agents_read(self) -> AgentsRead:
        await self._asked("agents_read")
        return AgentsRead("/agents")

    async def reload_agents(self) -> AgentsRead:
        await self._asked("reload_agents")
        return AgentsRead("/agents", changed=("default",))

    async def schedules(self) -> Schedules:
        await self._asked("schedules")
        return Schedules(followed=True, schedules=(_daily("default"),))

    async def pause_schedule(self, agent: str, *, paused: bool) -> ScheduleInfo:
        await self._asked("pause_schedule")
        return _daily(agent, paused=paused)

    async def run_schedule(self, agent: str) -> Run:
        await self._asked("run_schedule")
        return await self.start(StartRequest("News", "scheduler", agent=agent))

    async def read(self, source: str, *, full: bool = False) -> SourceText:
        await self._asked("read")
        return SourceText(source, text="all" if full else "some")

    async def doctor(self) -> tuple[Check, ...]:
        await self._asked("doctor")
        raise ZeroDivisionError("a fault of the program")

    async def idle(self) -> None:
        await self._idle.wait()

    def end(self, run_id: RunId, *, error: str = "") -> Run:
        run = replace(self.runs[run_id], status="stopped", error=error, finished_at=AT)
        self.runs[run_id] = run
        if all(run.status != "running" for run in self.runs.values()):
            self._idle.set()
        self.hub.announce([RunEnded(run_id, 2, "stopped", error, AT)])
        return run

    def opener(self) -> Callable[[], AbstractAsyncContextManager["SmallEngine"]]:
        """Opens this engine; a run that was left working is marked, and a new one ends with it."""

        @asynccontextmanager
        async def opened() -> AsyncIterator[SmallEngine]:
            self.calls.append("opened")
            self._mark("interrupted")
            try:
                yield self
            finally:
                self._mark("interrupted")
                self.hub.close()

        return opened

    def _mark(self, error: str) -> None:
        for run in list(self.runs.values()):
            if run.status == "running":
                self.end(run.id, error=error)

    async def _asked(self, name: str) -> None:
        self.calls.append(name)
        self.asked.set()
        await self.may_answer.wait()

    def _run(self, run_id: RunId, user: str | None) -> Run:
        run = self.runs.get(run_id)
        if run is None or user not in (None, run.user_id):
            raise NotFound(f"no run {run_id}")
        return run


def _daily(agent: str, *, paused: bool = False) -> ScheduleInfo:
    schedule = AgentSchedule("@daily", "UTC", "News", "scheduler", False, paused_here=paused)
    return ScheduleInfo(agent, schedule)
