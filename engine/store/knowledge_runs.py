"""The queue of texts as people see it: every text with how far it is, and why it failed."""

import json
from collections.abc import Sequence
from typing import cast

from engine.domain.knowledge import (
    DatasetInfo,
    RememberFilter,
    RememberKind,
    RememberPage,
    RememberRun,
    RememberStatus,
    session_of,
)
from engine.store.columns import maybe_text, real, text, whole
from engine.store.database import Reader, Row
from engine.store.knowledge_listing import Where, number_of

_RUNS = (
    "SELECT run.*, dataset.name AS dataset, artifact.source, artifact.title, artifact.chars,"
    " (SELECT COUNT(*) FROM gb_artifact_parts part WHERE part.artifact_id = run.artifact_id"
    " AND part.kind = 'chunk') AS chunks,"
    " (SELECT COALESCE(SUM(cost_usd), 0) FROM gb_inferences inference"
    " WHERE inference.remember_run_id = run.id) AS cost_usd"
    " FROM {} run JOIN gb_datasets dataset ON dataset.id = run.dataset_id"
    " JOIN gb_artifacts artifact ON artifact.id = run.artifact_id"
)


async def get(reader: Reader, run_id: int) -> RememberRun | None:
    row = await reader.row(f"{_RUNS.format('gb_remember_runs')} WHERE run.id = ?", (run_id,))
    return None if row is None else run_of(row)


async def page(reader: Reader, which: RememberFilter) -> RememberPage:
    """The latest first. Raises UserError for a cursor that is none."""
    where = Where()
    if which.user is not None:
        where.add("user_id = ?", which.user)
    if which.dataset:
        where.add("dataset_id IN (SELECT id FROM gb_datasets WHERE name = ?)", which.dataset)
    if which.status is not None:
        where.add("status = ?", which.status)
    if which.run_id is not None:
        where.add("session_id = ?", session_of(which.run_id))
    before = number_of(which.cursor)
    if before:
        where.add("id < ?", before)
    some = f"(SELECT * FROM gb_remember_runs{where.sql} ORDER BY id DESC LIMIT ?)"
    rows = await reader.rows(
        f"{_RUNS.format(some)} ORDER BY run.id DESC", (*where.values, which.limit + 1)
    )
    shown = tuple(run_of(row) for row in rows[: which.limit])
    return RememberPage(shown, str(shown[-1].id) if len(rows) > which.limit else "")


async def waiting_of(reader: Reader, session_id: str) -> int:
    """How many texts of a session are not done yet."""
    row = await reader.row(
        "SELECT COUNT(*) AS n FROM gb_remember_runs"
        " WHERE session_id = ? AND status IN('queued', 'running')",
        (session_id,),
    )
    assert row is not None
    return whole(row, "n")


async def datasets(
    reader: Reader, user: str | None, *, ids: Sequence[int] | None = None
) -> tuple[DatasetInfo, ...]:
    """With how much is in them; by their names. `ids`: only these."""
    where = Where()
    where.of_user(user, "")
    if ids is not None:
        where.among("dataset.id", ids)
    rows = await reader.rows(
        f"SELECT dataset.*, {_COUNTS} FROM gb_datasets dataset{where.sql}", where.values
    )
    return tuple(sorted((_dataset_of(row) for row in rows), key=_by_name))


async def dataset_id(reader: Reader, user: str, name: str) -> int | None:
    """None: nothing was remembered there yet."""
    row = await reader.row(
        "SELECT id FROM gb_datasets WHERE user_id = ? AND name = ?", (user, name)
    )
    return None if row is None else whole(row, "id")


def run_of(row: Row) -> RememberRun:
    return RememberRun(
        id=whole(row, "id"),
        user_id=text(row, "user_id"),
        dataset=text(row, "dataset"),
        kind=cast("RememberKind", text(row, "kind")),
        session_id=text(row, "session_id"),
        status=cast("RememberStatus", text(row, "status")),
        artifact_id=whole(row, "artifact_id"),
        source=text(row, "source"),
        chars=whole(row, "chars"),
        title=text(row, "title"),
        phase=text(row, "phase"),
        attempt=whole(row, "attempt"),
        artifacts=1 + whole(row, "chunks"),
        entities=whole(row, "entities"),
        entities_new=whole(row, "entities_new"),
        facts=whole(row, "facts"),
        facts_new=whole(row, "facts_new"),
        ended=whole(row, "ended"),
        superseded=whole(row, "superseded"),
        invalidated=whole(row, "invalidated"),
        dropped=whole(row, "dropped"),
        notes=(
            *_notes(maybe_text(row, "extraction")),
            *_notes(maybe_text(row, "reconciling")),
        ),
        cost_usd=real(row, "cost_usd"),
        error=text(row, "error"),
        queued_at=text(row, "queued_at"),
        started_at=maybe_text(row, "started_at"),
        finished_at=maybe_text(row, "finished_at"),
        next_attempt_at=text(row, "next_attempt_at"),
    )


def _counted(table: str, condition: str = "") -> str:
    return f"(SELECT COUNT(*) FROM {table} WHERE dataset_id = dataset.id{condition})"


_COUNTS = (
    f"{_counted('gb_artifacts')} AS artifacts,"
    f" {_counted('gb_entities', ' AND is_value = 0 AND merged_into IS NULL')} AS entities,"
    f" {_counted('gb_edges')} AS facts,"
    f""" {_counted("gb_remember_runs", " AND status IN('queued', 'running')")} AS queued,"""
    f""" {_counted("gb_remember_runs", " AND status = 'failed'")} AS failed"""
)


def _notes(extraction: str | None) -> tuple[str, ...]:
    """What went wrong with a model's answers, as a checkpoint has it."""
    try:
        found = {} if extraction is None else json.loads(extraction)
    except ValueError:  # a spoiled one is made anew, and is no reason not to show the text
        return ()
    notes = found.get("notes", ()) if isinstance(found, dict) else ()
    return tuple(str(note) for note in notes)


def _dataset_of(row: Row) -> DatasetInfo:
    return DatasetInfo(
        id=whole(row, "id"),
        name=text(row, "name"),
        user_id=text(row, "user_id"),
        artifacts=whole(row, "artifacts"),
        entities=whole(row, "entities"),
        facts=whole(row, "facts"),
        queued=whole(row, "queued"),
        failed=whole(row, "failed"),
    )


def _by_name(dataset: DatasetInfo) -> tuple[str, str]:
    return dataset.user_id, dataset.name
