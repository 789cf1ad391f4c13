"""What pages said when they were read: each content is stored once, however often it is read."""

import hashlib

from engine.domain.exchange import Reading
from engine.domain.run import Snapshot
from engine.store.columns import text, whole
from engine.store.database import Reader, Transaction


def keep(tx: Transaction, reading: Reading, *, at: str) -> int:
    """The id of the snapshot with this text; type, title and time are of its first reading."""
    sha256 = hashlib.sha256(reading.text.encode()).hexdigest()
    tx.execute(
        "INSERT INTO gb_snapshots(sha256, media_type, title, text, chars, created_at)"
        " VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT(sha256) DO NOTHING",
        (sha256, reading.media_type, reading.title, reading.text, len(reading.text), at),
    )
    found = tx.row("SELECT id FROM gb_snapshots WHERE sha256 = ?", (sha256,))
    assert found is not None
    return whole(found, "id")


async def get(reader: Reader, snapshot_id: int) -> Snapshot | None:
    row = await reader.row("SELECT * FROM gb_snapshots WHERE id = ?", (snapshot_id,))
    if row is None:
        return None
    return Snapshot(
        id=whole(row, "id"),
        sha256=text(row, "sha256"),
        media_type=text(row, "media_type"),
        title=text(row, "title"),
        text=text(row, "text"),
        chars=whole(row, "chars"),
        created_at=text(row, "created_at"),
    )
