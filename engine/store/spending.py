"""What the calls of a run have cost, without what they said: small rows of large tables."""

from dataclasses import dataclass

from engine.domain.run import RunId
from engine.store.columns import maybe_text, real, text, whole
from engine.store.database import Reader


@dataclass(frozen=True, slots=True)
class CallCost:
    """A tool call as the books have it."""

    id: int
    step: int
    ord: int
    cost_usd: float
    started_at: str
    finished_at: str | None


async def call_costs(reader: Reader, run_id: RunId) -> tuple[CallCost, ...]:
    """In the order of their steps, and within one as the model asked for them."""
    found = await reader.rows(
        "SELECT id, step, ord, cost_usd, started_at, finished_at FROM gb_agent_tool_calls"
        " WHERE run_id = ? ORDER BY step, ord",
        (run_id,),
    )
    return tuple(
        CallCost(
            id=whole(row, "id"),
            step=whole(row, "step"),
            ord=whole(row, "ord"),
            cost_usd=real(row, "cost_usd"),
            started_at=text(row, "started_at"),
            finished_at=maybe_text(row, "finished_at"),
        )
        for row in found
    )


async def knowledge_cost(reader: Reader, session_id: str) -> float:
    """USD that remembering the texts of a session, and answering its questions, has cost."""
    row = await reader.row(
        "SELECT (SELECT COALESCE(SUM(inference.cost_usd), 0) FROM gb_inferences inference"
        " JOIN gb_remember_runs run ON run.id = inference.remember_run_id"
        " WHERE run.session_id = ?) + (SELECT COALESCE(SUM(inference.cost_usd), 0)"
        " FROM gb_inferences inference JOIN gb_query_runs asked"
        " ON asked.id = inference.query_run_id WHERE asked.session_id = ?) AS usd",
        (session_id, session_id),
    )
    assert row is not None
    return real(row, "usd")
