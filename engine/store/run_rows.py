"""Runs and states as they stand in rows, and back: pure."""

from engine.domain.run import STATUSES, Run, RunId, State, Status
from engine.store.columns import maybe_text, maybe_whole, real, text, whole
from engine.store.database import Row


def run_of(row: Row) -> Run:
    """All columns of `gb_agent_research_runs`, and `children`."""
    return Run(
        id=RunId(whole(row, "id")),
        user_id=text(row, "user_id"),
        topic=text(row, "topic"),
        status=status_of(row),
        state=text(row, "state"),
        model=text(row, "model"),
        max_steps=whole(row, "max_steps"),
        created_at=text(row, "created_at"),
        parent_id=_maybe_run(row, "parent_id"),
        root_id=_maybe_run(row, "root_id"),
        name=text(row, "name"),
        reason=text(row, "reason"),
        role=text(row, "role"),
        steps=whole(row, "steps"),
        tool_calls=whole(row, "tool_calls"),
        input_tokens=whole(row, "input_tokens"),
        output_tokens=whole(row, "output_tokens"),
        cost_usd=real(row, "cost_usd"),
        report=text(row, "report"),
        error=text(row, "error"),
        agent_name=text(row, "agent_name"),
        agent_version=text(row, "agent_version"),
        agent_hash=text(row, "agent_hash"),
        phase=text(row, "phase"),
        stop_reason=text(row, "stop_reason"),
        wrap_up_at=maybe_text(row, "wrap_up_at"),
        wrap_up_by=maybe_text(row, "wrap_up_by"),
        finished_at=maybe_text(row, "finished_at"),
        children=whole(row, "children"),
    )


def state_of(row: Row) -> State:
    """All columns of `gb_agent_research_states`."""
    return State(
        run_id=RunId(whole(row, "run_id")),
        seq=whole(row, "seq"),
        state=text(row, "state"),
        step=whole(row, "step"),
        detail=text(row, "detail"),
        error=text(row, "error"),
        started_at=text(row, "started_at"),
        finished_at=maybe_text(row, "finished_at"),
    )


def status_of(row: Row) -> Status:
    status = text(row, "status")
    assert status in STATUSES, status
    return status


def _maybe_run(row: Row, column: str) -> RunId | None:
    found = maybe_whole(row, column)
    return None if found is None else RunId(found)
