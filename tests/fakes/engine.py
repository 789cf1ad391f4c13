"""An engine in memory that tests drive by hand: what they script is stored, then announced."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Literal

from engine.api import (
    DEFAULT_MODEL,
    AgentDetails,
    AgentInfo,
    AgentSchedule,
    AgentsRead,
    Charge,
    Check,
    Citation,
    CitedSource,
    Definition,
    Event,
    GligabaoError,
    NotFound,
    Refused,
    ReplyDelta,
    ReportReady,
    Run,
    RunCosts,
    RunCounts,
    RunDetails,
    RunEnded,
    RunFilter,
    RunId,
    RunPage,
    RunStarted,
    ScheduledRun,
    ScheduleInfo,
    Schedules,
    SourceText,
    StartRequest,
    State,
    StateEnded,
    StateEntered,
    Status,
    UsageChanged,
    UserError,
    timestamp,
)
from tests.fakes.accounts import charges_of, source_of
from tests.fakes.clock import FakeClock
from tests.fakes.knowledge import FakeKnowledge

WEB = ("web_search", "fetch_url")


@dataclass
class Subscription:
    run_id: RunId | None
    loop: asyncio.AbstractEventLoop
    queue: asyncio.Queue[Event | GligabaoError] = field(default_factory=asyncio.Queue)


class FakeEngine:
    """Fulfils the Engine protocol; its scripting methods may be called from any thread."""

    def __init__(self, clock: FakeClock | None = None, *, owned: bool = True) -> None:
        self.clock = clock or FakeClock()
        self.owned = owned
        self.knowledge = FakeKnowledge(self.clock)
        self.runs: dict[RunId, Run] = {}
        self.states: dict[RunId, list[State]] = {}
        self.citations: dict[RunId, tuple[Citation, ...]] = {}
        self.charges: dict[RunId, tuple[Charge, ...]] = {}
        """What `costs` tells; for a run that is not here, what follows from the run itself."""
        self.max_cost_usd: dict[RunId, float] = {}
        self.unpriced: dict[RunId, tuple[str, ...]] = {}
        self.sources: dict[tuple[RunId, int], CitedSource] = {}
        """What `source` tells; else what follows from the run's citations."""
        self.checks: tuple[Check, ...] = (Check("store", "ok", "in memory"),)
        self.kinds: tuple[AgentInfo, ...] = (
            AgentInfo("default", "1", "searches, reads, reports", 20, tools=WEB),
        )
        self.definitions: dict[str, AgentDetails] = {}
        """What `agent` tells; for an agent that is not here, what follows from its kind."""
        self.last_read = AgentsRead("/home/me/agent_defs")
        self.next_read: AgentsRead | None = None
        """What the next reading of the definitions finds."""
        self.past: dict[str, tuple[ScheduledRun, ...]] = {}
        """What came of the due times of an agent's schedule, the latest first."""
        self.followed = False
        """Whether the owner starts agents by the clock."""
        self.refuses: UserError | None = None
        self.started: list[StartRequest] = []
        self.asked: list[str] = []
        self.is_open = False
        self._readers: list[Subscription] = []

    @asynccontextmanager
    async def opened(self) -> AsyncIterator["FakeEngine"]:
        self.is_open = True
        try:
            yield self
        finally:
            self.is_open = False

    # The Engine protocol

    async def start(self, request: StartRequest) -> Run:
        if self.refuses is not None:
            raise self.refuses
        self.started.append(request)
        own = next((kind.model for kind in self.kinds if kind.name == request.agent), "")
        model = request.model or own or DEFAULT_MODEL
        return self.runs[self.begin(request.topic, model=model, steps=request.max_steps)]

    async def get(self, run_id: RunId, *, user: str | None = None) -> RunDetails:
        self.asked.append(f"get {run_id}")
        if run_id not in self.runs:
            raise NotFound(f"there is no run {run_id}")
        states = tuple(self.states[run_id])
        return RunDetails(self.runs[run_id], states, self.citations.get(run_id, ()))

    async def list(self, which: RunFilter) -> RunPage:
        self.asked.append(f"list {which.status} {which.text} {which.sort} {which.cursor}".strip())
        runs = sorted(self._matching(which), key=lambda run: -run.id)
        if which.sort in ("cost", "steps"):
            runs.sort(key=lambda run: -(run.cost_usd if which.sort == "cost" else run.steps))
        first = int(which.cursor or 0)
        page = [replace(run, report="") for run in runs[first : first + which.limit]]
        end = first + which.limit
        return RunPage(tuple(page), str(end) if end < len(runs) else "")

    async def counts(self, *, user: str | None = None) -> RunCounts:
        cost = sum(run.cost_usd for run in self.runs.values())
        statuses = Counter[Status](run.status for run in self.runs.values())
        return RunCounts(statuses, cost, cost)

    @asynccontextmanager
    async def watch(self, run_id: RunId | None = None) -> AsyncIterator[AsyncIterator[Event]]:
        reader = Subscription(run_id, asyncio.get_running_loop())
        self._readers.append(reader)
        try:
            yield _events(reader)
        finally:
            self._readers.remove(reader)

    async def report(self, run_id: RunId, *, user: str | None = None) -> str:
        report = (await self.get(run_id)).run.report
        if not report:
            raise Refused(f"run {run_id} has no report")
        return report

    async def costs(self, run_id: RunId, *, user: str | None = None) -> RunCosts:
        self.asked.append(f"costs {run_id}")
        run = self._theirs(run_id, user)
        charges = self.charges.get(run_id)
        return RunCosts(
            run_id,
            charges_of(run, self.states[run_id]) if charges is None else charges,
            self.max_cost_usd.get(run_id, 0.0),
            self.unpriced.get(run_id, ()),
        )

    async def source(self, run_id: RunId, n: int, *, user: str | None = None) -> CitedSource:
        self.asked.append(f"source {run_id} {n}")
        run = self._theirs(run_id, user)
        cited = [citation for citation in self.citations.get(run_id, ()) if citation.n == n]
        if (run_id, n) not in self.sources and not cited:
            raise NotFound(f"the report of run {run_id} has no source {n}")
        return self.sources.get((run_id, n)) or source_of(run, cited)

    async def stop(self, run_id: RunId, *, by: str, user: str | None = None) -> Run:
        self._must_work(run_id)
        self.asked.append(f"stop {run_id}")
        self.end(run_id, "stopped", f"stopped by {by}")
        return self.runs[run_id]

    async def wrap_up(self, run_id: RunId, *, by: str, user: str | None = None) -> Run:
        self._must_work(run_id)
        self.asked.append(f"wrap_up {run_id}")
        self.runs[run_id] = replace(self.runs[run_id], wrap_up_at=self._now(), wrap_up_by=by)
        return self.runs[run_id]

    async def agents(self) -> tuple[AgentInfo, ...]:
        return self.kinds

    async def agent(self, name: str) -> AgentDetails:
        self.asked.append(f"agent {name}")
        info = self._kind(name)
        told = Definition(info.name, info.version, info.description, f"You are {name}.")
        return self.definitions.get(name) or AgentDetails(info, told, told.prompt)

    async def agents_read(self) -> AgentsRead:
        return self.last_read

    async def reload_agents(self) -> AgentsRead:
        self.asked.append("reload_agents")
        self.last_read, self.next_read = self.next_read or self.last_read, None
        return self.last_read

    async def schedules(self) -> Schedules:
        found = [self._schedule(kind.name) for kind in self.kinds if kind.schedule]
        return Schedules(self.followed, tuple(found))

    async def pause_schedule(self, agent: str, *, paused: bool) -> ScheduleInfo:
        self.asked.append(f"pause_schedule {agent} {paused}")
        known = self._schedule(agent).schedule
        changed = replace(known, paused_here=paused, next_run=None if paused else known.next_run)
        self.kinds = tuple(
            replace(kind, schedule=changed) if kind.name == agent else kind for kind in self.kinds
        )
        return self._schedule(agent)

    async def run_schedule(self, agent: str) -> Run:
        self.asked.append(f"run_schedule {agent}")
        if self.refuses is not None:
            raise self.refuses
        run_id = self.begin(self._schedule(agent).schedule.topic)
        done = ScheduledRun(self._now(), "started", run_id, "running")
        self.past[agent] = (done, *self.past.get(agent, ()))
        return self.runs[run_id]

    async def read(self, source: str, *, full: bool = False) -> SourceText:
        return SourceText(source, error="nothing can be read here")

    async def doctor(self) -> tuple[Check, ...]:
        self.asked.append("doctor")
        return self.checks

    # The script

    def begin(
        self,
        topic: str,
        *,
        model: str = "offline",
        steps: int | None = 20,
        ago: float = 0,
    ) -> RunId:
        """A run that starts now, or so many seconds ago."""
        run_id = RunId(max(self.runs, default=0) + 1)
        created = timestamp(self.clock.now() - timedelta(seconds=ago))
        run = Run(
            id=run_id,
            user_id="admin",
            topic=topic,
            status="running",
            state="starting",
            model=model,
            max_steps=steps or 20,
            created_at=created,
        )
        self.runs[run_id] = run
        self.states[run_id] = [State(run_id, 1, "starting", 0, "", "", created, None)]
        self.emit(RunStarted(run))
        return run_id

    def enter(self, run_id: RunId, state: str, detail: str = "", *, error: str = "") -> int:
        """End the state that a run is in (with this error), and enter the next."""
        self._end_state(run_id, error)
        states = self.states[run_id]
        step = states[-1].step + (state == "thinking")
        entered = State(run_id, len(states) + 1, state, step, detail, "", self._now(), None)
        states.append(entered)
        self.runs[run_id] = replace(self.runs[run_id], state=state)
        self.emit(StateEntered(run_id, entered.seq, state, step, detail, entered.started_at))
        return entered.seq

    def say(
        self,
        run_id: RunId,
        text: str,
        kind: Literal["text", "thinking", "tool_input"] = "text",
    ) -> None:
        self.emit(ReplyDelta(run_id, kind, text))

    def use(self, run_id: RunId, *, steps: int, cost: float, tokens: int = 0) -> None:
        run = replace(
            self.runs[run_id], steps=steps, tool_calls=steps, input_tokens=tokens, cost_usd=cost
        )
        self.runs[run_id] = run
        seq = self.states[run_id][-1].seq
        self.emit(UsageChanged(run_id, seq, steps, steps, tokens, 0, cost))

    def complete(self, run_id: RunId, report: str, *, why: str = "") -> None:
        """`why` is what ended it early."""
        self.runs[run_id] = replace(self.runs[run_id], report=report, stop_reason=why)
        self.emit(ReportReady(run_id, len(self.states[run_id])))
        self.end(run_id, "completed", "")

    def end(self, run_id: RunId, status: Status, error: str) -> None:
        self._end_state(run_id, error if status == "failed" else "")
        states, now = self.states[run_id], self._now()
        states.append(State(run_id, len(states) + 1, status, 0, "", error, now, now))
        self.runs[run_id] = replace(
            self.runs[run_id], status=status, state=status, error=error, finished_at=now
        )
        why = self.runs[run_id].stop_reason
        self.emit(RunEnded(run_id, len(states), status, error, now, why))

    def fail_watchers(self, error: GligabaoError) -> None:
        """Every reader gets this error instead of the next event."""
        for reader in self._readers:
            reader.loop.call_soon_threadsafe(reader.queue.put_nowait, error)

    def emit(self, event: Event) -> None:
        """Announce something, also what no script method would."""
        for reader in self._readers:
            reader.loop.call_soon_threadsafe(reader.queue.put_nowait, event)

    async def delivered(self) -> None:
        """Until every reader has taken in what was announced; on the engine's loop."""
        for reader in self._readers:
            await reader.queue.join()

    def _end_state(self, run_id: RunId, error: str) -> None:
        states = self.states[run_id]
        ended = replace(states[-1], error=error, finished_at=self._now())
        states[-1] = ended
        self.emit(StateEnded(run_id, ended.seq, error, self._now()))

    def _matching(self, which: RunFilter) -> tuple[Run, ...]:
        return tuple(run for run in self.runs.values() if _is_wanted(run, which))

    def _theirs(self, run_id: RunId, user: str | None) -> Run:
        run = self.runs.get(run_id)
        if run is None or user not in (None, run.user_id):
            raise NotFound(f"there is no run {run_id}")
        return run

    def _kind(self, name: str) -> AgentInfo:
        found = next((kind for kind in self.kinds if kind.name == name), None)
        if found is None:
            raise NotFound(f'there is no agent called "{name}"')
        return found

    def _schedule(self, agent: str) -> ScheduleInfo:
        schedule = self._kind(agent).schedule
        if schedule is None:
            raise NotFound(f"{agent} has no schedule")
        past = self.past.get(agent, ())
        latest: AgentSchedule = replace(schedule, last=past[0] if past else schedule.last)
        return ScheduleInfo(agent, latest, past)

    def _must_work(self, run_id: RunId) -> None:
        if self.runs[run_id].status != "running":
            raise Refused(f"run {run_id} has ended")

    def _now(self) -> str:
        return timestamp(self.clock.now())


def _is_wanted(run: Run, which: RunFilter) -> bool:
    searched = f"{run.topic}\n{run.name}\n{run.agent_name}".lower()
    return (
        which.status in (None, run.status)
        and all(word in searched for word in which.text.lower().split())
        and which.agent.lower() in run.agent_name.lower()
        and which.model.lower() in run.model.lower()
        and run.created_at >= which.since.removesuffix("Z")
        and (which.cost_above <= 0 or run.cost_usd > which.cost_above)
    )


async def _events(reader: Subscription) -> AsyncIterator[Event]:
    while True:
        event = await reader.queue.get()
        if isinstance(event, GligabaoError):
            raise event
        if reader.run_id in (None, getattr(event, "run_id", None)):
            yield event
        reader.queue.task_done()
