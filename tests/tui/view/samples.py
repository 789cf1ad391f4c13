"""Runs, states and events with nothing special about them, for tests of the views."""

from dataclasses import replace

from engine.api import Run, RunEnded, RunId, State, StateEnded, StateEntered, Status, UsageChanged
from gligabao_tui.view.details import Details, Moment

T0, T1, T2 = "2026-11-01T10:00:00.000Z", "2026-11-01T10:00:05.000Z", "2026-11-01T10:01:10.000Z"


def a_run(run_id: int = 1, status: Status = "running", topic: str = "Rivers") -> Run:
    ended = None if status == "running" else T2
    return Run(
        id=RunId(run_id),
        user_id="admin",
        topic=topic,
        status=status,
        state="thinking" if status == "running" else status,
        model="offline",
        max_steps=20,
        created_at=T0,
        finished_at=ended,
        error="it broke" if status == "failed" else "",
    )


def a_state(seq: int, state: str = "thinking", *, error: str = "", ended: str | None = T1) -> State:
    return State(RunId(1), seq, state, seq, f"detail {seq}", error, T0, ended)


def some_details(*states: State, status: Status = "running") -> Details:
    return Details(a_run(status=status), tuple(Moment(state) for state in states))


def entered(seq: int, state: str = "reading", run_id: int = 1) -> StateEntered:
    return StateEntered(RunId(run_id), seq, state, 1, f"detail {seq}", T1)


def state_ended(seq: int, error: str = "") -> StateEnded:
    return StateEnded(RunId(1), seq, error, T2)


def usage(steps: int, cost: float, run_id: int = 1) -> UsageChanged:
    return UsageChanged(RunId(run_id), 2, steps, steps, 100, 50, cost)


def run_ended(status: Status = "completed", error: str = "", run_id: int = 1) -> RunEnded:
    return RunEnded(RunId(run_id), 9, status, error, T2)


def with_steps(run: Run, steps: int) -> Run:
    return replace(run, steps=steps)
