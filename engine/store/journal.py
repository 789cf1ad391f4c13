"""The journal of runs: replies, tool calls and attempts, written before anything follows from them.

Rows are added and ended once; what has ended is never changed. From these rows and the spec of a
run it can be resumed, replayed and paid for exactly once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, cast

from engine.domain.exchange import Outcome, Purpose
from engine.domain.run import RunId, StoredCall, StoredStep
from engine.domain.usage import Usage
from engine.store.columns import (
    blocks,
    mapping,
    maybe_text,
    maybe_whole,
    real,
    text,
    to_json,
    usage,
    whole,
)
from engine.store.database import Reader, Row, Transaction

AttemptState = Literal["started", "done", "failed", "lost"]


@dataclass(frozen=True, slots=True)
class NewAttempt:
    """One HTTP request to a model, before it is sent; `run_id` None outside of runs."""

    purpose: Purpose
    run_id: RunId | None
    step: int
    attempt: int
    model: str
    prompt_version: str
    request_hash: str
    reserved_usd: float
    remember_run_id: int | None = None
    query_run_id: int | None = None


@dataclass(frozen=True, slots=True)
class NewCall:
    """One tool call that is about to be made; `ord` counts the calls of its step."""

    run_id: RunId
    step: int
    ord: int
    tool_use_id: str
    name: str
    input: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class EndedCall:
    """What a tool call gave: the text for the model, its cost, and what it read."""

    result: str
    is_error: bool
    cost_usd: float
    url: str | None = None
    final_url: str | None = None
    snapshot_id: int | None = None


@dataclass(frozen=True, slots=True)
class StoredAttempt:
    """One row of `gb_inferences`."""

    id: int
    purpose: Purpose
    run_id: RunId | None
    step: int
    attempt: int
    model: str
    prompt_version: str
    request_hash: str
    state: AttemptState
    http_status: int | None
    request_id: str
    usage: Usage
    reserved_usd: float
    error: str
    started_at: str
    finished_at: str | None


def start_attempt(tx: Transaction, new: NewAttempt, *, at: str) -> int:
    """The id of the attempt, which may then be sent."""
    return tx.insert(
        "INSERT INTO gb_inferences(purpose, run_id, step, attempt, model, prompt_version,"
        " request_hash, reserved_usd, remember_run_id, query_run_id, state, started_at)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'started', ?)",
        (
            new.purpose,
            new.run_id,
            new.step,
            new.attempt,
            new.model,
            new.prompt_version,
            new.request_hash,
            new.reserved_usd,
            new.remember_run_id,
            new.query_run_id,
            at,
        ),
    )


def end_attempt(tx: Transaction, attempt_id: int, outcome: Outcome, *, at: str) -> None:
    """Note how an open attempt ended and what it cost; its reservation is free again."""
    used = outcome.usage
    tx.execute(
        "UPDATE gb_inferences SET state = ?, model = COALESCE(NULLIF(?, ''), model),"
        " http_status = ?, request_id = ?,"
        " input_tokens = ?, output_tokens = ?, cache_read_tokens = ?, cache_write_tokens = ?,"
        " searches = ?, cost_usd = ?, is_estimate = ?, reserved_usd = 0, error = ?,"
        " finished_at = ? WHERE id = ? AND state = 'started'",
        (
            outcome.state,
            outcome.model,
            outcome.http_status,
            outcome.request_id,
            used.input_tokens,
            used.output_tokens,
            used.cache_read_tokens,
            used.cache_write_tokens,
            used.searches,
            used.cost_usd,
            int(used.is_estimate),
            outcome.error,
            at,
            attempt_id,
        ),
    )


def lose_attempts(tx: Transaction, run_id: RunId | None, *, error: str, at: str) -> None:
    """Whatever is still open was cut off, or never sent; None: of every run and of none."""
    whose, values = ("", ()) if run_id is None else (" AND run_id = ?", (run_id,))
    tx.execute(
        "UPDATE gb_inferences SET state = 'lost', reserved_usd = 0, error = ?, finished_at = ?"
        f" WHERE state = 'started'{whose}",
        (error, at, *values),
    )


def add_step(tx: Transaction, step: StoredStep) -> None:
    """A complete reply, verbatim. Raises StoreError when the run has that step already."""
    used = step.usage
    tx.execute(
        "INSERT INTO gb_agent_steps(run_id, step, kind, told, content, stop_reason, model,"
        " request_id, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens,"
        " cost_usd, created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            step.run_id,
            step.step,
            step.kind,
            to_json(step.told),
            to_json(step.content),
            step.stop_reason,
            step.model,
            step.request_id,
            used.input_tokens,
            used.output_tokens,
            used.cache_read_tokens,
            used.cache_write_tokens,
            used.cost_usd,
            step.created_at,
        ),
    )


def start_call(tx: Transaction, new: NewCall, *, at: str) -> int:
    """The id of the tool call, which may then be made."""
    return tx.insert(
        "INSERT INTO gb_agent_tool_calls(run_id, step, ord, tool_use_id, name, input, started_at)"
        " VALUES(?, ?, ?, ?, ?, ?, ?)",
        (new.run_id, new.step, new.ord, new.tool_use_id, new.name, to_json(new.input), at),
    )


def end_call(tx: Transaction, call_id: int, ended: EndedCall, *, at: str) -> None:
    """Store the result of an open call."""
    tx.execute(
        "UPDATE gb_agent_tool_calls SET result = ?, is_error = ?, cost_usd = ?, url = ?,"
        " final_url = ?, snapshot_id = ?, finished_at = ? WHERE id = ? AND finished_at IS NULL",
        (
            ended.result,
            int(ended.is_error),
            ended.cost_usd,
            ended.url,
            ended.final_url,
            ended.snapshot_id,
            at,
            call_id,
        ),
    )


def reserved(tx: Transaction, root_id: RunId, *, but_run: RunId) -> float:
    """USD that open attempts of the other runs of a research may still cost."""
    found = tx.row(
        "SELECT COALESCE(SUM(i.reserved_usd), 0) AS usd FROM gb_agent_research_runs r"
        " JOIN gb_inferences i ON i.run_id = r.id"
        " WHERE r.root_id = ? AND r.id <> ? AND i.state = 'started'",
        (root_id, but_run),
    )
    assert found is not None
    return real(found, "usd")


async def steps(reader: Reader, run_id: RunId) -> tuple[StoredStep, ...]:
    """In order."""
    found = await reader.rows(
        "SELECT * FROM gb_agent_steps WHERE run_id = ? ORDER BY step", (run_id,)
    )
    return tuple(_step_of(row) for row in found)


async def calls(reader: Reader, run_id: RunId) -> tuple[StoredCall, ...]:
    """In the order of their steps, and within one as the model asked for them."""
    found = await reader.rows(
        "SELECT * FROM gb_agent_tool_calls WHERE run_id = ? ORDER BY step, ord", (run_id,)
    )
    return tuple(_call_of(row) for row in found)


async def attempts(reader: Reader, run_id: RunId) -> tuple[StoredAttempt, ...]:
    """In the order they were started."""
    found = await reader.rows("SELECT * FROM gb_inferences WHERE run_id = ? ORDER BY id", (run_id,))
    return tuple(_attempt_of(row) for row in found)


def _step_of(row: Row) -> StoredStep:
    return StoredStep(
        run_id=RunId(whole(row, "run_id")),
        step=whole(row, "step"),
        content=blocks(row, "content"),
        stop_reason=text(row, "stop_reason"),
        model=text(row, "model"),
        request_id=text(row, "request_id"),
        usage=usage(row),
        created_at=text(row, "created_at"),
        kind=text(row, "kind"),
        told=blocks(row, "told"),
    )


def _call_of(row: Row) -> StoredCall:
    return StoredCall(
        id=whole(row, "id"),
        run_id=RunId(whole(row, "run_id")),
        step=whole(row, "step"),
        ord=whole(row, "ord"),
        tool_use_id=text(row, "tool_use_id"),
        name=text(row, "name"),
        input=mapping(row, "input"),
        result=maybe_text(row, "result"),
        is_error=bool(whole(row, "is_error")),
        cost_usd=real(row, "cost_usd"),
        url=maybe_text(row, "url"),
        final_url=maybe_text(row, "final_url"),
        snapshot_id=maybe_whole(row, "snapshot_id"),
        started_at=text(row, "started_at"),
        finished_at=maybe_text(row, "finished_at"),
    )


def _attempt_of(row: Row) -> StoredAttempt:
    run_id = maybe_whole(row, "run_id")
    return StoredAttempt(
        id=whole(row, "id"),
        purpose=cast("Purpose", text(row, "purpose")),
        run_id=None if run_id is None else RunId(run_id),
        step=whole(row, "step"),
        attempt=whole(row, "attempt"),
        model=text(row, "model"),
        prompt_version=text(row, "prompt_version"),
        request_hash=text(row, "request_hash"),
        state=cast("AttemptState", text(row, "state")),
        http_status=maybe_whole(row, "http_status"),
        request_id=text(row, "request_id"),
        usage=replace(
            usage(row),
            searches=whole(row, "searches"),
            is_estimate=bool(whole(row, "is_estimate")),
        ),
        reserved_usd=real(row, "reserved_usd"),
        error=text(row, "error"),
        started_at=text(row, "started_at"),
        finished_at=maybe_text(row, "finished_at"),
    )
