"""One run as its details show it: its states in order, what streams, and its report.

Folding is idempotent, like the board's. Unchanged moments keep their identity, so that a list of
thousands is drawn again only where something happened.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from engine.api import (
    Event,
    ReplyDelta,
    ReplyDiscarded,
    Run,
    RunCosts,
    RunDetails,
    RunEnded,
    RunId,
    State,
    StateEnded,
    StateEntered,
    UsageChanged,
    run_id_of,
)
from gligabao_tui.view.board import updated
from gligabao_tui.view.known import Dated, Known

SAID_MOST_CHARS = 40_000
"""Of one reply; what is older than that leaves the list, never the report."""


@dataclass(frozen=True, slots=True)
class Said:
    """What has streamed in one state, by kind."""

    text: str = ""
    thinking: str = ""
    tool_input: str = ""

    def heard(self, delta: ReplyDelta) -> "Said":
        match delta.kind:
            case "text":
                return replace(self, text=self.text + delta.text)
            case "thinking":
                return replace(self, thinking=_tail(self.thinking + delta.text))
            case "tool_input":
                return replace(self, tool_input=_tail(self.tool_input + delta.text))


NOTHING_SAID = Said()


@dataclass(frozen=True, slots=True)
class Moment:
    """A state and what was said in it: one row of the States tab."""

    state: State
    said: Said = NOTHING_SAID

    @property
    def key(self) -> int:
        return self.state.seq

    @property
    def is_live(self) -> bool:
        return self.state.finished_at is None


@dataclass(frozen=True, slots=True)
class Details:
    """`moments` in the order entered; `report` is empty until it was read."""

    run: Run
    moments: tuple[Moment, ...] = ()
    report: str = ""
    children: int = 0
    quotations: Mapping[str, int] = field(default_factory=dict)
    """How many quotations of the report there are by verdict."""
    cited: frozenset[int] = frozenset()
    """The numbers of the sources that the report quotes."""
    costs: RunCosts | None = None
    """As they were read last; None before somebody wanted to see them."""
    known: Known | None = None
    dated: Dated | None = None
    """What it brought into the knowledge base, and when; read like the costs."""

    @property
    def id(self) -> RunId:
        return self.run.id

    @property
    def writing(self) -> str:
        """What the model is writing right now, which may become the report."""
        last = self.moments[-1] if self.moments else None
        return last.said.text if last and last.is_live and not last.said.tool_input else ""

    @property
    def failures(self) -> tuple[Moment, ...]:
        return tuple(moment for moment in self.moments if moment.state.error)

    @property
    def failed_in(self) -> Moment | None:
        """The state that a run failed or was stopped in: the last one before its terminal state."""
        before = [moment for moment in self.moments if moment.state.state not in _TERMINAL]
        return before[-1] if before else None


_TERMINAL = ("completed", "failed", "stopped")


def details_of(read: RunDetails) -> Details:
    verdicts = [citation.verdict for citation in read.citations]
    return Details(
        run=read.run,
        moments=tuple(Moment(state) for state in read.states),
        report=read.run.report,
        children=read.children,
        quotations={verdict: verdicts.count(verdict) for verdict in sorted(set(verdicts))},
        cited=frozenset(citation.n for citation in read.citations),
    )


def fold_details(details: Details, events: Iterable[Event]) -> Details:
    """The details after these events; those of other runs are passed over."""
    run, moments = details.run, list(details.moments)
    for event in events:
        if run_id_of(event) == details.id:
            run = _changed_run(run, event)
            _change(moments, event)
    return replace(details, run=run, moments=tuple(moments))


def read_again(details: Details, read: RunDetails) -> Details:
    """The details as they were read now, with what had streamed before."""
    said = {moment.key: moment.said for moment in details.moments}
    fresh = details_of(read)
    moments = tuple(
        replace(moment, said=said.get(moment.key, NOTHING_SAID)) for moment in fresh.moments
    )
    return replace(
        fresh, moments=moments, costs=details.costs, known=details.known, dated=details.dated
    )


def _changed_run(run: Run, event: Event) -> Run:
    if run.status != "running":
        return run
    if isinstance(event, UsageChanged | RunEnded):
        return updated(run, event)
    return replace(run, state=event.state) if isinstance(event, StateEntered) else run


def _change(moments: list[Moment], event: Event) -> None:
    match event:
        case StateEntered():
            _enter(moments, event)
        case StateEnded():
            _end(moments, event)
        case ReplyDelta() if moments and moments[-1].is_live:
            moments[-1] = replace(moments[-1], said=moments[-1].said.heard(event))
        case ReplyDiscarded() if moments:
            moments[-1] = replace(moments[-1], said=NOTHING_SAID)
        case RunEnded():
            _enter_terminal(moments, event)
        case _:
            pass


def _enter(moments: list[Moment], event: StateEntered) -> None:
    if moments and moments[-1].key >= event.seq:
        return
    _close(moments, event.started_at)
    moments.append(
        Moment(
            State(
                run_id=event.run_id,
                seq=event.seq,
                state=event.state,
                step=event.step,
                detail=event.detail,
                error="",
                started_at=event.started_at,
                finished_at=None,
            )
        )
    )


def _end(moments: list[Moment], event: StateEnded) -> None:
    for index in range(len(moments) - 1, -1, -1):
        state = moments[index].state
        if state.seq == event.seq:
            ended = replace(state, error=event.error, finished_at=event.finished_at)
            moments[index] = replace(moments[index], state=ended)
            return


def _enter_terminal(moments: list[Moment], event: RunEnded) -> None:
    """The terminal state is recorded like any other; its event is the end of the run."""
    entered = StateEntered(event.run_id, event.seq, event.status, 0, "", event.finished_at)
    _enter(moments, entered)
    _end(moments, StateEnded(event.run_id, event.seq, event.error, event.finished_at))


def _close(moments: list[Moment], at: str) -> None:
    """A state ends when the next begins, also when its own event was lost."""
    if moments and moments[-1].is_live:
        state = replace(moments[-1].state, finished_at=at)
        moments[-1] = replace(moments[-1], state=state)


def _tail(text: str) -> str:
    return text[-SAID_MOST_CHARS:]
