"""What the calls of a run have read: the reading's facts with the snapshot behind them."""

from dataclasses import dataclass

from engine.domain.run import RunId, Snapshot
from engine.store import snapshots
from engine.store.columns import maybe_text, text, whole
from engine.store.database import Reader


@dataclass(frozen=True, slots=True)
class StoredReading:
    """`address` is where it was read in the end, `read_at` when."""

    address: str
    read_at: str
    snapshot: Snapshot


async def get(reader: Reader, run_id: RunId, call_id: int) -> StoredReading | None:
    """None when that call of the run has read nothing."""
    row = await reader.row(
        "SELECT COALESCE(final_url, url, '') AS address, snapshot_id, started_at, finished_at"
        " FROM gb_agent_tool_calls WHERE id = ? AND run_id = ? AND snapshot_id IS NOT NULL",
        (call_id, run_id),
    )
    snapshot = None if row is None else await snapshots.get(reader, whole(row, "snapshot_id"))
    if row is None or snapshot is None:
        return None
    read_at = maybe_text(row, "finished_at") or text(row, "started_at")
    return StoredReading(text(row, "address"), read_at, snapshot)
