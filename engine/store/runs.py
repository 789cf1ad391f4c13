"""Runs and their states: rows of `gb_agent_research_runs`, `_states` and `gb_agent_run_specs`.

    running ──end──> completed | failed | stopped

A status is only ever changed from `running`, by compare-and-set. States are appended and ended,
nothing else: while a run is running exactly one of them is open, afterwards none, and the run's
`state` is always the last row's. What comes late for an ended run enters no state.
"""

from dataclasses import dataclass

from engine.domain.run import (
    INTERRUPTED,
    Run,
    RunCounts,
    RunFilter,
    RunId,
    RunPage,
    State,
    Status,
)
from engine.store.columns import real, text, whole
from engine.store.database import Reader, Row, Transaction, Value
from engine.store.journal import lose_attempts
from engine.store.run_listing import (
    CHILDREN,
    SEARCHED_AT_ONCE,
    cursor_after,
    end_of,
    having_words,
    listing,
    place_of,
)
from engine.store.run_rows import run_of, state_of, status_of

STARTING = "starting"
HIGHEST_ID = 2**63 - 1
"""A database cannot even be asked for a higher one."""


@dataclass(frozen=True, slots=True)
class NewRun:
    """What is known of a run before it exists. `spec` is what it was started with, as JSON."""

    user_id: str
    topic: str
    model: str
    max_steps: int
    agent_name: str
    agent_version: str
    agent_hash: str
    spec: str
    note: str = ""
    """What must be known of the run from its start: the detail of its first state."""


@dataclass(frozen=True, slots=True)
class Totals:
    """What a run has done and spent so far; tokens as `Usage.prompt_tokens` and output."""

    steps: int
    tool_calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ends: completed with a report, failed with an error, stopped with who did it."""

    status: Status
    report: str = ""
    error: str = ""
    stop_reason: str = ""


def create(tx: Transaction, new: NewRun, *, at: str) -> Run:
    """The run with its spec and its first state, `starting`."""
    run_id = RunId(
        tx.insert(
            "INSERT INTO gb_agent_research_runs(user_id, topic, status, state, model, max_steps,"
            " agent_name, agent_version, agent_hash, created_at)"
            " VALUES(?, ?, 'running', ?, ?, ?, ?, ?, ?, ?)",
            (
                new.user_id,
                new.topic,
                STARTING,
                new.model,
                new.max_steps,
                new.agent_name,
                new.agent_version,
                new.agent_hash,
                at,
            ),
        )
    )
    tx.execute("UPDATE gb_agent_research_runs SET root_id = ? WHERE id = ?", (run_id, run_id))
    tx.execute("INSERT INTO gb_agent_run_specs(run_id, spec) VALUES(?, ?)", (run_id, new.spec))
    _insert_state(tx, State(run_id, 1, STARTING, 0, new.note, "", at, None))
    return Run(
        id=run_id,
        user_id=new.user_id,
        topic=new.topic,
        status="running",
        state=STARTING,
        model=new.model,
        max_steps=new.max_steps,
        created_at=at,
        root_id=run_id,
        agent_name=new.agent_name,
        agent_version=new.agent_version,
        agent_hash=new.agent_hash,
    )


def working(tx: Transaction, user: str) -> int:
    """How many researches of the user are running, without their sub-agents."""
    found = tx.row(
        "SELECT COUNT(*) AS n FROM gb_agent_research_runs"
        " WHERE user_id = ? AND status = 'running' AND parent_id IS NULL",
        (user,),
    )
    assert found is not None
    return whole(found, "n")


def enter_state(tx: Transaction, state: State) -> None:
    """Append the state, which becomes the run's. End the one before it in the same transaction.

    Nothing happens when the run has ended meanwhile.
    """
    is_running = tx.execute(
        "UPDATE gb_agent_research_runs SET state = ? WHERE id = ? AND status = 'running'",
        (state.state, state.run_id),
    )
    if is_running:
        _insert_state(tx, state)


def end_state(  # noqa: PLR0913 - the transaction, the two parts of a key, the two changes
    tx: Transaction, run_id: RunId, seq: int, *, error: str, at: str
) -> None:
    """End an open state; an ended one stays as it is."""
    tx.execute(
        "UPDATE gb_agent_research_states SET error = ?, finished_at = ?"
        " WHERE run_id = ? AND seq = ? AND finished_at IS NULL",
        (error, at, run_id, seq),
    )


def set_totals(tx: Transaction, run_id: RunId, totals: Totals) -> None:
    """The running totals, not the increase; also of an ended run, when a bill comes late."""
    tx.execute(
        "UPDATE gb_agent_research_runs SET steps = ?, tool_calls = ?, input_tokens = ?,"
        " output_tokens = ?, cost_usd = ? WHERE id = ?",
        (
            totals.steps,
            totals.tool_calls,
            totals.input_tokens,
            totals.output_tokens,
            totals.cost_usd,
            run_id,
        ),
    )


def end(tx: Transaction, run_id: RunId, ending: Ending, *, at: str) -> int:
    """End a running run: its open state, the terminal state, status, report and error.

    The number of the terminal state; 0, and nothing changed, when it had ended before.
    """
    was_running = tx.execute(
        "UPDATE gb_agent_research_runs SET status = ?, state = ?, report = ?, error = ?,"
        " stop_reason = ?, finished_at = ? WHERE id = ? AND status = 'running'",
        (
            ending.status,
            ending.status,
            ending.report,
            ending.error,
            ending.stop_reason,
            at,
            run_id,
        ),
    )
    return _close_states(tx, run_id, ending, at=at) if was_running else 0


def ask_wrap_up(tx: Transaction, run_id: RunId, *, by: str, at: str) -> bool:
    """Note that the next model call is to be the last. The first who asks is kept.

    False when the run has ended.
    """
    is_running = tx.execute(
        "UPDATE gb_agent_research_runs SET wrap_up_at = COALESCE(wrap_up_at, ?),"
        " wrap_up_by = COALESCE(wrap_up_by, ?) WHERE id = ? AND status = 'running'",
        (at, by, run_id),
    )
    return bool(is_running)


def mark_interrupted(tx: Transaction, *, at: str) -> list[RunId]:
    """End as failed what a process that died has left running, and call its attempts lost.

    Only for whoever has just become the owner of the data: nothing can be running then.
    """
    found = tx.rows("SELECT id FROM gb_agent_research_runs WHERE status = 'running' ORDER BY id")
    interrupted = [RunId(whole(row, "id")) for row in found]
    for run_id in interrupted:
        end(tx, run_id, Ending("failed", error=INTERRUPTED), at=at)
    lose_attempts(tx, None, error=INTERRUPTED, at=at)
    return interrupted


async def get(reader: Reader, run_id: RunId) -> Run | None:
    if run_id > HIGHEST_ID:
        return None
    row = await reader.row(
        f"SELECT gb_agent_research_runs.*, {CHILDREN} FROM gb_agent_research_runs WHERE id = ?",
        (run_id,),
    )
    return None if row is None else run_of(row)


async def states(reader: Reader, run_id: RunId) -> tuple[State, ...]:
    """In the order they were entered."""
    found = await reader.rows(
        "SELECT run_id, seq, state, step, detail, error, started_at, finished_at"
        " FROM gb_agent_research_states WHERE run_id = ? ORDER BY seq",
        (run_id,),
    )
    return tuple(state_of(row) for row in found)


async def page(reader: Reader, which: RunFilter) -> RunPage:
    """Runs without their reports. Pages stay whole while new runs arrive.

    Raises UserError for a cursor that is not from a list sorted the same way.
    """
    found = await _matching(reader, which)
    shown = found[: which.limit]
    is_last = len(found) <= which.limit
    return RunPage(
        runs=tuple(run_of(row) for row in shown),
        next_cursor="" if is_last else cursor_after(shown[-1], which),
    )


async def spec(reader: Reader, run_id: RunId) -> str | None:
    row = await reader.row("SELECT spec FROM gb_agent_run_specs WHERE run_id = ?", (run_id,))
    return None if row is None else text(row, "spec")


async def counts(reader: Reader, *, user: str | None, since: str) -> RunCounts:
    """Runs by status and their cost; `cost_today_usd` is of runs created at `since` or later."""
    where = "" if user is None else " WHERE user_id = ?"
    whose: tuple[Value, ...] = () if user is None else (user,)
    found = await reader.rows(
        "SELECT status, COUNT(*) AS n, SUM(cost_usd) AS cost,"
        " SUM(CASE WHEN created_at >= ? THEN cost_usd ELSE 0 END) AS today"
        f" FROM gb_agent_research_runs{where} GROUP BY status",
        (since, *whose),
    )
    return RunCounts(
        by_status={status_of(row): whole(row, "n") for row in found},
        cost_usd=sum(real(row, "cost") for row in found),
        cost_today_usd=sum(real(row, "today") for row in found),
    )


async def _matching(reader: Reader, which: RunFilter) -> list[Row]:
    """The rows of a page and at least one more, if there are more."""
    assert which.limit >= 1, which.limit
    at_once = SEARCHED_AT_ONCE if which.text.strip() else which.limit + 1
    found: list[Row] = []
    place = place_of(which)
    while len(found) <= which.limit:
        query = listing(which, place, at_most=at_once)
        rows = await reader.rows(query.sql, query.values)
        found += having_words(rows, which.text)
        if len(rows) < at_once:
            return found
        place = end_of(rows[-1])
    return found


def _insert_state(tx: Transaction, state: State) -> None:
    tx.execute(
        "INSERT INTO gb_agent_research_states(run_id, seq, state, step, detail, error, started_at,"
        " finished_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
        (
            state.run_id,
            state.seq,
            state.state,
            state.step,
            state.detail,
            state.error,
            state.started_at,
            state.finished_at,
        ),
    )


def _close_states(tx: Transaction, run_id: RunId, ending: Ending, *, at: str) -> int:
    """End the open state and append the terminal one, which is over as soon as it is entered.

    A run that fails has its error on the state it failed in and on `failed` (seed 001).
    """
    failed_with = ending.error if ending.status == "failed" else ""
    tx.execute(
        "UPDATE gb_agent_research_states SET error = ?, finished_at = ?"
        " WHERE run_id = ? AND finished_at IS NULL",
        (failed_with, at, run_id),
    )
    last = tx.row(
        "SELECT COALESCE(MAX(seq), 0) AS seq FROM gb_agent_research_states WHERE run_id = ?",
        (run_id,),
    )
    assert last is not None
    seq = whole(last, "seq") + 1
    _insert_state(tx, State(run_id, seq, ending.status, 0, "", ending.error, at, at))
    return seq
