"""Writes down what a run does, with two barriers a step (D20).

The loop's observer calls collect; a barrier writes everything collected in one transaction, and
only then is it announced. A barrier stands before each act on the outside world:

    attempts.start     the previous result, its state ended, `thinking` entered, the attempt started
    before_tool        the reply (or the previous result), the next state entered, the call started
    finish             whatever is left, then the end of the run with its report and citations

So nothing follows from a reply or a result that is not stored. Deltas are announced, never stored.
What a barrier could not write is kept for the end, and told of only when it was written with it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple, TypeAlias, TypeVar

from engine.agent.observer import ModelCall, ToolCall
from engine.agent.tool import StateDetail
from engine.domain.clock import Clock, timestamp
from engine.domain.errors import RunFailed, StoreError
from engine.domain.events import (
    Event,
    ReplyDelta,
    ReplyDiscarded,
    ReportReady,
    RunEnded,
    StateEnded,
    StateEntered,
    UsageChanged,
)
from engine.domain.exchange import (
    Delta,
    Outcome,
    Purpose,
    Reading,
    Reply,
    Request,
    ToolResult,
)
from engine.domain.run import INTERRUPTED, Citation, Run, RunId, State, StoredStep
from engine.domain.text_safety import clean
from engine.domain.usage import Usage
from engine.llm.meter import RequestMeter
from engine.manager.hub import Hub
from engine.store import citations as citation_rows
from engine.store import journal as rows
from engine.store import runs, snapshots
from engine.store.database import Database, Transaction

Write: TypeAlias = Callable[[Transaction], None]
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Desk:
    """What a journal writes with. `reservation`: USD that a request of so many
    characters may cost."""

    database: Database
    hub: Hub
    clock: Clock
    reservation: Callable[[Request, int], float]


class ReadingPlace(NamedTuple):
    """A text that was read and the row of the call that read it."""

    tool_call_id: int
    text: str


@dataclass(slots=True)
class _Ids:
    """Ids that the database gave: set and read inside transactions only, on the writer's side."""

    attempt: int = 0
    call: int = 0
    readings: dict[str, ReadingPlace] = field(default_factory=dict)


class Journal:
    """The Observer and the Attempts of one run; used by its own task only."""

    def __init__(self, run: Run, desk: Desk) -> None:
        self._run_id: RunId = run.id
        self._desk = desk
        self._seq = 1
        self._state = StateDetail(run.state, "")
        self._state_error = ""
        self._step = 0
        self._purpose: Purpose = "agent"
        self._tool_usage = Usage()
        self._writes: list[Write] = []
        self._events: list[Event] = []
        self._ids = _Ids()
        self._meter = RequestMeter()
        self._before_waiting = self._state
        self._totals_changed = False
        self._is_closing = False
        self.totals = runs.Totals(
            steps=run.steps,
            tool_calls=run.tool_calls,
            input_tokens=run.input_tokens,
            output_tokens=run.output_tokens,
            cost_usd=run.cost_usd,
        )

    @property
    def run_id(self) -> RunId:
        return self._run_id

    @property
    def readings(self) -> dict[str, ReadingPlace]:
        """Address (without fragment) -> what was read there last; complete after a barrier."""
        return self._ids.readings

    @property
    def has_call_in_flight(self) -> bool:
        """False while ending the run at once loses nothing: it is being prepared, or waits."""
        return self._state.state not in ("starting", "waiting")

    def close_after_this(self) -> None:
        """Let the call in flight end and be stored, and start no other."""
        self._is_closing = True

    # Observer ---------------------------------------------------------------------------------

    async def before_model(self, call: ModelCall) -> None:
        self._step = call.step
        self._enter(call.state)

    async def after_model(self, call: ModelCall, reply: Reply) -> None:
        at = self._now()
        step = StoredStep(
            run_id=self._run_id,
            step=call.step,
            content=reply.content,
            stop_reason=reply.stop_reason,
            model=reply.model,
            request_id=reply.request_id,
            usage=reply.usage,
            created_at=at,
            told=call.told,
        )
        self._writes.append(lambda tx: rows.add_step(tx, step))
        self._count(steps=1)

    async def before_tool(self, call: ToolCall) -> None:
        self._refuse_when_closing()
        self._enter(call.state)
        self._tool_usage = Usage()
        at = self._now()
        new = rows.NewCall(
            run_id=self._run_id,
            step=call.step,
            ord=call.ord,
            tool_use_id=clean(call.use.id),
            name=clean(call.use.name),
            input=call.use.input,
        )

        def start(tx: Transaction) -> None:
            self._ids.call = rows.start_call(tx, new, at=at)

        self._writes.append(start)
        await self._barrier()

    async def after_tool(self, _: ToolCall, result: ToolResult) -> None:
        at = self._now()
        ids = self._ids
        text = clean(result.text)
        # The model calls that a tool made are counted already, as each of them ended.
        booked = self._tool_usage
        spent = result.usage if booked == Usage() else booked

        def end(tx: Transaction) -> None:
            snapshot = _keep(tx, ids, result.read, at=at)
            ended = rows.EndedCall(
                result=text,
                is_error=result.is_error,
                cost_usd=spent.cost_usd,
                url=result.read.url if result.read else None,
                final_url=result.read.final_url if result.read else None,
                snapshot_id=snapshot,
            )
            rows.end_call(tx, ids.call, ended, at=at)

        self._writes.append(end)
        self._state_error = text if result.is_error else ""
        self._tool_usage = Usage()
        self._count(tool_calls=1, usage=spent if booked == Usage() else None)

    def streamed(self, delta: Delta) -> None:
        self._desk.hub.announce([ReplyDelta(self._run_id, delta.kind, clean(delta.text))])

    # Attempts ---------------------------------------------------------------------------------

    async def start(self, request: Request, attempt: int) -> None:
        self._refuse_when_closing()
        if self._state.state == "waiting":
            self._enter(self._before_waiting)
        self._purpose = request.purpose
        measure = self._meter.measure(request)
        at = self._now()
        new = rows.NewAttempt(
            purpose=request.purpose,
            run_id=self._run_id,
            step=self._step,
            attempt=attempt,
            model=request.model,
            prompt_version=request.prompt_version,
            request_hash=measure.hash,
            reserved_usd=self._desk.reservation(request, measure.characters),
        )

        def begin(tx: Transaction) -> None:
            self._ids.attempt = rows.start_attempt(tx, new, at=at)

        self._writes.append(begin)
        await self._barrier()

    def end(self, outcome: Outcome) -> None:
        at = self._now()
        ids = self._ids
        self._writes.append(lambda tx: rows.end_attempt(tx, ids.attempt, outcome, at=at))
        self._count(usage=outcome.usage)
        if self._purpose != "agent":
            self._tool_usage += outcome.usage

    async def say_waiting(self, what: str) -> None:
        await self.wait(None, what)

    async def wait(self, until: datetime | None, why: str) -> None:
        self._before_waiting = self._state
        detail = f"{why}, until {until:%H:%M:%S}Z" if until else why
        self._enter(StateDetail("waiting", detail))
        await self._barrier()

    def discard(self) -> None:
        self._desk.hub.announce([ReplyDiscarded(self._run_id)])

    # End --------------------------------------------------------------------------------------

    async def finish(
        self, ending: runs.Ending, citations: Sequence[Citation] = (), *, alone: bool = False
    ) -> None:
        """End the run: what is left, the end, its report and citations in one transaction.

        May be tried again after a StoreError. `alone`: where what is left cannot be stored, the
        end is stored without it.
        """
        if self._totals_changed:
            self._write_totals()
        at = self._now()

        def end(tx: Transaction) -> int:
            seq = runs.end(tx, self._run_id, ending, at=at)
            if seq:
                citation_rows.add(tx, self._run_id, citations)
            rows.lose_attempts(tx, self._run_id, error=ending.error or ending.status, at=at)
            return seq

        try:
            seq = await self._stored(self._writes, end)
        except StoreError:
            if not alone:
                raise
            totals = self.totals
            seq = await self._stored([lambda tx: runs.set_totals(tx, self._run_id, totals)], end)
            self._events = []
        self._writes = []
        self._events += _ending_events(self._run_id, seq or self._seq + 1, ending, at)
        self._announce()

    def abandon(self) -> None:
        """Forget what is left and cannot be stored, so that the end can be."""
        self._writes, self._events, self._totals_changed = [], [], True

    # Inside -----------------------------------------------------------------------------------

    def _refuse_when_closing(self) -> None:
        if self._is_closing:
            raise RunFailed(INTERRUPTED)

    def _now(self) -> str:
        return timestamp(self._desk.clock.now())

    def _enter(self, entered: StateDetail) -> None:
        at, run_id, seq, error = self._now(), self._run_id, self._seq, self._state_error
        step = self._step
        state = State(run_id, seq + 1, entered.state, step, entered.detail, "", at, None)

        def move(tx: Transaction) -> None:
            runs.end_state(tx, run_id, seq, error=error, at=at)
            runs.enter_state(tx, state)

        self._writes.append(move)
        self._events += [
            StateEnded(run_id, seq, error, at),
            StateEntered(run_id, seq + 1, entered.state, step, entered.detail, at),
        ]
        self._seq, self._state, self._state_error = seq + 1, entered, ""

    def _count(self, *, usage: Usage | None = None, steps: int = 0, tool_calls: int = 0) -> None:
        spent = usage or Usage()
        self.totals = replace(
            self.totals,
            steps=self.totals.steps + steps,
            tool_calls=self.totals.tool_calls + tool_calls,
            input_tokens=self.totals.input_tokens + spent.prompt_tokens,
            output_tokens=self.totals.output_tokens + spent.output_tokens,
            cost_usd=self.totals.cost_usd + spent.cost_usd,
        )
        self._totals_changed = True

    def _write_totals(self) -> None:
        totals, self._totals_changed = self.totals, False
        self._writes.append(lambda tx: runs.set_totals(tx, self._run_id, totals))
        self._events.append(
            UsageChanged(
                run_id=self._run_id,
                seq=self._seq,
                steps=totals.steps,
                tool_calls=totals.tool_calls,
                input_tokens=totals.input_tokens,
                output_tokens=totals.output_tokens,
                cost_usd=totals.cost_usd,
            )
        )

    async def _barrier(self) -> None:
        """Write everything collected, then announce it. Once more when the store fails, then
        StoreError. A cancelled barrier is written all the same; it is announced with the next."""
        if self._totals_changed:
            self._write_totals()
        writes, self._writes = self._writes, []
        try:
            await self._stored(writes, _nothing_more)
        except StoreError:
            self._writes = writes
            raise
        self._announce()

    async def _stored(
        self, writes: Sequence[Write], last: Callable[[Transaction], Answer]
    ) -> Answer:
        def work(tx: Transaction) -> Answer:
            for write in writes:
                write(tx)
            return last(tx)

        try:
            return await self._desk.database.write(work)
        except StoreError:
            return await self._desk.database.write(work)

    def _announce(self) -> None:
        events, self._events = self._events, []
        self._desk.hub.announce(events)


def _nothing_more(_: Transaction) -> None: ...


def _keep(tx: Transaction, ids: _Ids, reading: Reading | None, *, at: str) -> int | None:
    if reading is None:
        return None
    ids.readings[reading.final_url] = ReadingPlace(ids.call, reading.text)
    return snapshots.keep(tx, reading, at=at)


def _ending_events(run_id: RunId, seq: int, ending: runs.Ending, at: str) -> list[Event]:
    error = ending.error if ending.status == "failed" else ""
    ready: list[Event] = [ReportReady(run_id, seq)] if ending.report else []
    return [
        StateEnded(run_id, seq - 1, error, at),
        StateEntered(run_id, seq, ending.status, 0, "", at),
        *ready,
        RunEnded(run_id, seq, ending.status, ending.error, at, ending.stop_reason),
    ]
