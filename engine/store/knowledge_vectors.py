"""Vectors of facts and passages: little-endian float32, by the model that made them."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.store.database import Reader, Transaction

_FLOAT_BYTES = 4


class Which(NamedTuple):
    """The vectors of one kind in a dataset that one model made."""

    dataset_id: int
    kind: str
    model: str


class Vector(NamedTuple):
    ref_id: int
    content: bytes


async def vectors(reader: Reader, which: Which, after: int) -> list[Vector]:
    """Those whose `ref_id` is greater, in no order."""
    # The plus keeps the database from the index of the dataset, through which it would see all.
    rows = await reader.rows(
        "SELECT ref_id, vec FROM gb_vectors"
        " WHERE kind=? AND ref_id>? AND +dataset_id=? AND model=?",
        (which.kind, after, which.dataset_id, which.model),
    )
    return [Vector(int(row["ref_id"] or 0), bytes(_bytes(row["vec"]))) for row in rows]


def put(tx: Transaction, which: Which, vectors: Sequence[Vector]) -> None:
    """Store them; one that is there already is replaced."""
    for vector in vectors:
        tx.execute(
            "INSERT INTO gb_vectors(kind, ref_id, dataset_id, model, dim, vec)"
            " VALUES(?,?,?,?,?,?) ON CONFLICT(kind, ref_id, model)"
            " DO UPDATE SET dim=excluded.dim, vec=excluded.vec",
            (
                which.kind,
                vector.ref_id,
                which.dataset_id,
                which.model,
                len(vector.content) // _FLOAT_BYTES,
                vector.content,
            ),
        )


def _bytes(value: object) -> bytes:
    assert isinstance(value, bytes)
    return value
