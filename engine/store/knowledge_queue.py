"""The queue of texts to remember: rows of `gb_remember_runs`, worked on one at a time.

    queued ──claim──> running ──settle──> completed | stored_only | failed
      ^                  │ lease over, owner started anew, to be tried later   │
      └──────────────────┴──────────────────────retry──────────────────────────┘

That one text is worked on is a constraint (`slot`), and who works on it is a lease in the row and a
number of the attempt, never the name of a process: whoever has lost the lease changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.store import knowledge_texts
from engine.store.columns import maybe_text, text, whole
from engine.store.database import Row, Transaction, Value
from engine.store.knowledge_terms import placeholders
from engine.store.knowledge_texts import NewText

SLOT = "main"
EndStatus = Literal["completed", "failed", "stored_only"]


@dataclass(frozen=True, slots=True)
class NewRemember:
    """A text with whose it is, where it goes and what kind of request it came by."""

    user: str
    dataset: str
    text: NewText
    kind: str = "knowledge"
    extraction: str | None = None
    """What is in the text, when the caller says so: then nothing is extracted."""


@dataclass(frozen=True, slots=True)
class Enqueued:
    run_id: int
    artifact_id: int
    is_new: bool
    """False: the same text was given before, and this is its run."""


@dataclass(frozen=True, slots=True)
class Held:
    """A run in the hands of a worker: what it writes counts as long as this attempt has the run."""

    run_id: int
    attempt: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """A run to be worked on, with what an earlier attempt has left."""

    held: Held
    user: str
    dataset_id: int
    artifact_id: int
    session_id: str
    kind: str
    extraction: str | None
    reconciling: str | None


@dataclass(frozen=True, slots=True)
class End:
    """How a run ended. `stored_only`: there was no model, or no answer of it could be read."""

    status: EndStatus
    at: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """What is in the text, and what of it is new; and what it did to facts that were there."""

    entities: int = 0
    entities_new: int = 0
    facts: int = 0
    facts_new: int = 0
    ended: int = 0
    superseded: int = 0
    invalidated: int = 0
    dropped: int = 0


def enqueue(tx: Transaction, new: NewRemember, *, at: str) -> Enqueued:
    """Store the text, searchable from now on, and queue its run; the same text of the same session
    and source is there already: then its run, and nothing new."""
    dataset_id = knowledge_texts.ensure_dataset(tx, new.user, new.dataset, at=at)
    artifact_id = knowledge_texts.find(tx, dataset_id, new.text)
    run_id = None if artifact_id is None else _run_of(tx, artifact_id)
    if artifact_id is not None and run_id is not None:
        return Enqueued(run_id, artifact_id, is_new=False)
    artifact_id = artifact_id or knowledge_texts.add(tx, dataset_id, new.text, at=at)
    run_id = tx.insert(
        "INSERT INTO gb_remember_runs(user_id, dataset_id, artifact_id, kind, session_id, status,"
        " extraction, queued_at) VALUES(?, ?, ?, ?, ?, 'queued', ?, ?)",
        (
            new.user,
            dataset_id,
            artifact_id,
            new.kind,
            new.text.session_id,
            new.extraction,
            at,
        ),
    )
    return Enqueued(run_id, artifact_id, is_new=True)


def claim(
    tx: Transaction, *, at: str, lease_until: str, kinds: Sequence[str] | None = None
) -> Claimed | None:
    """Take the first run that is due, of these kinds (None: of any); None while one is running, or
    when none is due.

    A run whose lease is over is queued again first, whoever had it. What was found in a twin (the
    same text of another session) is taken over, so that no text is extracted twice.
    """
    _requeue(tx, "lease_until < ?", (at,))
    of_kind = "" if kinds is None else f" AND kind IN ({placeholders(kinds)})"
    # The outer status is checked again on the row as it is then: on PostgreSQL two claims may have
    # chosen the same row.
    taken = tx.rows(
        "UPDATE gb_remember_runs SET status = 'running', slot = ?, attempt = attempt + 1,"
        " phase = 'extracting',"
        " lease_until = ?, started_at = COALESCE(started_at, ?), finished_at = NULL, error = ''"
        " WHERE id = (SELECT id FROM gb_remember_runs WHERE status = 'queued'"
        f" AND next_attempt_at <= ?{of_kind} ORDER BY id LIMIT 1) AND status = 'queued'"
        " AND NOT EXISTS (SELECT 1 FROM gb_remember_runs WHERE slot = ?) RETURNING *",
        (SLOT, lease_until, at, at, *(kinds or ()), SLOT),
    )
    return _claimed(taken[0], _extraction(tx, taken[0])) if taken else None


def keep_lease(tx: Transaction, held: Held, *, lease_until: str) -> bool:
    """Keep the run; False when it is no longer held."""
    return _change(tx, held, "lease_until = ?", (lease_until,))


def keep_extraction(tx: Transaction, held: Held, extraction: str) -> bool:
    """What was found in the text, before anything follows from it."""
    return _change(tx, held, "extraction = ?, phase = 'reconciling'", (extraction,))


def keep_reconciling(tx: Transaction, held: Held, reconciling: str) -> bool:
    """What the model said of it beside what is known, before anything follows from that."""
    return _change(tx, held, "reconciling = ?, phase = 'applying'", (reconciling,))


def is_held(tx: Transaction, held: Held) -> bool:
    """Whether this attempt still has the run."""
    return _change(tx, held, "phase = phase", ())


def complete(tx: Transaction, held: Held, counts: Counts, *, at: str) -> bool:
    """The run is done; False, and nothing changed, when it is no longer held."""
    return settle(tx, held, counts, End("completed", at))


def settle(tx: Transaction, held: Held, counts: Counts, end: End) -> bool:
    """End the run; False, and nothing changed, when it is no longer held."""
    columns = (
        "status = ?, slot = NULL, lease_until = NULL, phase = '', error = ?, finished_at = ?,"
        " entities = ?, entities_new = ?, facts = ?, facts_new = ?, ended = ?, superseded = ?,"
        " invalidated = ?, dropped = ?"
    )
    values = (
        *(end.status, end.error, end.at, counts.entities, counts.entities_new, counts.facts),
        *(counts.facts_new, counts.ended, counts.superseded, counts.invalidated, counts.dropped),
    )
    return _change(tx, held, columns, values)


def postpone(tx: Transaction, held: Held, *, until: str, error: str) -> bool:
    """Queue the run again, not before `until`: what failed may pass, and is shown meanwhile."""
    columns = "status = 'queued', slot = NULL, lease_until = NULL, next_attempt_at = ?, error = ?"
    return _change(tx, held, columns, (until, error))


def retry(tx: Transaction, run_id: int) -> bool:
    """Queue a failed run, or one whose text is only stored, again; False for any other.

    What a failed one had found is kept; a stored one is extracted from the start.
    """
    is_again = tx.execute(
        f"UPDATE gb_remember_runs SET {_ANEW} WHERE id = ? AND status IN('failed', 'stored_only')",
        (run_id,),
    )
    return bool(is_again)


def extract_stored(tx: Transaction) -> int:
    """Queue every text that is only stored: there is a model now. How many there were."""
    return tx.execute(f"UPDATE gb_remember_runs SET {_ANEW} WHERE status = 'stored_only'")


def requeue_running(tx: Transaction) -> int:
    """Queue again what a process that died was working on. Only for whoever has just become the
    owner of the data: nothing can be running then."""
    return _requeue(tx, "1 = 1", ())


def next_due(tx: Transaction) -> str | None:
    """When a run may be claimed next: `` for at once, the end of its lease for one that another
    worker has; None when nothing is open."""
    found = tx.row(
        "SELECT MAX(lease_until) AS lease,"
        " MIN(CASE WHEN status = 'queued' THEN next_attempt_at END) AS due"
        " FROM gb_remember_runs WHERE status IN('queued', 'running')"
    )
    if found is None:
        return None
    return maybe_text(found, "lease") or maybe_text(found, "due")


_ANEW = (
    "extraction = CASE WHEN status = 'stored_only' THEN NULL ELSE extraction END,"
    " kind = CASE WHEN kind = 'quoted' THEN 'knowledge' ELSE kind END,"
    " reconciling = NULL, status = 'queued', phase = '', next_attempt_at = '', error = '',"
    " finished_at = NULL"
)


def _run_of(tx: Transaction, artifact_id: int) -> int | None:
    found = tx.row("SELECT id FROM gb_remember_runs WHERE artifact_id = ?", (artifact_id,))
    return None if found is None else whole(found, "id")


def _requeue(tx: Transaction, condition: str, values: tuple[Value, ...]) -> int:
    return tx.execute(
        "UPDATE gb_remember_runs SET status = 'queued', slot = NULL, lease_until = NULL, phase = ''"
        f" WHERE status = 'running' AND {condition}",
        values,
    )


def _extraction(tx: Transaction, run: Row) -> str | None:
    """Of the run itself, or of a twin that a model has read by the same date."""
    own = maybe_text(run, "extraction")
    if own is not None:
        return own
    twin = tx.row(
        "SELECT run.extraction FROM gb_artifacts text"
        " JOIN gb_artifacts other ON other.dataset_id = text.dataset_id"
        " AND other.content_hash = text.content_hash AND other.id <> text.id"
        " AND COALESCE(other.ref_time, '') = COALESCE(text.ref_time, '')"
        " JOIN gb_remember_runs run ON run.artifact_id = other.id"
        " WHERE text.id = ? AND run.status = 'completed' AND run.kind = ?"
        " AND run.extraction IS NOT NULL ORDER BY run.id LIMIT 1",
        (whole(run, "artifact_id"), text(run, "kind")),
    )
    if twin is None:
        return None
    found = text(twin, "extraction")
    tx.execute("UPDATE gb_remember_runs SET extraction = ? WHERE id = ?", (found, whole(run, "id")))
    return found


def _change(tx: Transaction, held: Held, columns: str, values: tuple[Value, ...]) -> bool:
    changed = tx.execute(
        f"UPDATE gb_remember_runs SET {columns} WHERE id = ? AND attempt = ?"
        " AND status = 'running'",
        (*values, held.run_id, held.attempt),
    )
    return bool(changed)


def _claimed(row: Row, extraction: str | None) -> Claimed:
    return Claimed(
        held=Held(whole(row, "id"), whole(row, "attempt")),
        user=text(row, "user_id"),
        dataset_id=whole(row, "dataset_id"),
        artifact_id=whole(row, "artifact_id"),
        session_id=text(row, "session_id"),
        kind=text(row, "kind"),
        extraction=extraction,
        reconciling=maybe_text(row, "reconciling"),
    )
