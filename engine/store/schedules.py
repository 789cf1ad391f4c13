"""Schedules: what a person paused, and each due time with what came of it.

A due time is claimed by inserting its row, so that of any number of schedulers one starts it. A
row is never deleted, but for the one that says from where missed times count (`armed`).
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import cast

from engine.domain.answers import ScheduledRun
from engine.domain.clock import moment, timestamp
from engine.domain.run import RunId, Status
from engine.domain.scheduling import Fire, FireOutcome
from engine.store.columns import maybe_text, maybe_whole, text
from engine.store.database import Reader, Row, Transaction

STARTING_MOST = timedelta(minutes=1)
"""A claim that was not settled for longer is of somebody who died of it."""

_INSERT = (
    "INSERT INTO gb_schedule_fires(agent_name, due, outcome, why, fired_at) VALUES(?, ?, ?, ?, ?)"
    " ON CONFLICT(agent_name, due) DO NOTHING"
)


def claim(tx: Transaction, agent: str, due: str, *, at: str) -> Fire | None:
    """Take the due time; None when it was taken before. `at` is the time it is now.

    The answer is `claimed`, and whoever got it says what came of it with `settle`; or `skipped`,
    because the agent's scheduled run before this one still works, or is being started.
    """
    why = _busy(tx, agent, at=at)
    outcome: FireOutcome = "skipped" if why else "claimed"
    if not tx.execute(_INSERT, (agent, due, outcome, why, at)):
        return None
    return Fire(agent, due, outcome, at, why=why)


def settle(tx: Transaction, fire: Fire) -> None:
    """What came of a claimed due time."""
    tx.execute(
        "UPDATE gb_schedule_fires SET outcome = ?, run_id = ?, why = ?"
        " WHERE agent_name = ? AND due = ? AND outcome = 'claimed'",
        (fire.outcome, fire.run_id, fire.why, fire.agent_name, fire.due),
    )


def arm(tx: Transaction, agent: str, *, at: str) -> None:
    """Missed times of the agent count from `at` on: it is seen for the first time, or paused."""
    tx.execute("DELETE FROM gb_schedule_fires WHERE agent_name = ? AND outcome = 'armed'", (agent,))
    tx.execute(_INSERT, (agent, at, "armed", "", at))


def baseline(tx: Transaction, agent: str, *, at: str) -> str:
    """The last due time not after `at` that something was decided about; `at`, and armed from
    there on, when the agent is seen for the first time."""
    found = tx.row(
        "SELECT MAX(due) AS due FROM gb_schedule_fires WHERE agent_name = ? AND due <= ?",
        (agent, at),
    )
    known = maybe_text(found, "due") if found else None
    if known is None:
        arm(tx, agent, at=at)
    return known or at


def set_paused(tx: Transaction, agent: str, *, paused: bool, at: str) -> None:
    """What a person wants, beside what the file says. A second time it changes nothing; what
    passed while it was paused is not missed."""
    changed = tx.execute(
        "UPDATE gb_schedules SET paused = ?, changed_at = ? WHERE agent_name = ? AND paused <> ?",
        (int(paused), at, agent, int(paused)),
    )
    if changed and not paused:
        arm(tx, agent, at=at)
    if not changed:
        tx.execute(
            "INSERT INTO gb_schedules(agent_name, paused, changed_at) VALUES(?, ?, ?)"
            " ON CONFLICT(agent_name) DO NOTHING",
            (agent, int(paused), at),
        )


async def paused(reader: Reader) -> frozenset[str]:
    """The agents whose schedules a person has paused."""
    found = await reader.rows("SELECT agent_name FROM gb_schedules WHERE paused = 1")
    return frozenset(text(row, "agent_name") for row in found)


async def latest(
    reader: Reader, agents: Sequence[str], *, limit: int
) -> Mapping[str, tuple[ScheduledRun, ...]]:
    """Of each of these agents at most `limit` due times, the latest first, without the one that
    only says from where missed ones count. An agent of which nothing came yet is left out."""
    if not agents:
        return {}
    rows = await reader.rows(
        f"WITH wanted(name) AS (VALUES {', '.join(['(?)'] * len(agents))})"
        " SELECT fire.*, run.status FROM wanted"
        " JOIN gb_schedule_fires fire ON fire.agent_name = wanted.name"
        " LEFT JOIN gb_agent_research_runs run ON run.id = fire.run_id"
        " WHERE fire.outcome <> 'armed' AND fire.due >= COALESCE("
        "  (SELECT due FROM gb_schedule_fires"
        "   WHERE agent_name = wanted.name AND outcome <> 'armed'"
        "   ORDER BY due DESC LIMIT 1 OFFSET ?), '')"
        " ORDER BY fire.agent_name, fire.due DESC",
        (*agents, limit - 1),
    )
    found: dict[str, tuple[ScheduledRun, ...]] = {}
    for row in rows:
        agent = text(row, "agent_name")
        found[agent] = (*found.get(agent, ()), _scheduled_run(row))
    return found


def _busy(tx: Transaction, agent: str, *, at: str) -> str:
    """Why the agent cannot be started by its schedule now; empty when it can."""
    working = _working(tx, agent)
    if working is not None:
        return f"its scheduled run {working} still works"
    since = timestamp(moment(at) - STARTING_MOST)
    starting = tx.row(
        "SELECT due FROM gb_schedule_fires"
        " WHERE agent_name = ? AND outcome = 'claimed' AND fired_at BETWEEN ? AND ?",
        (agent, since, at),
    )
    return "its scheduled run before this one is being started" if starting else ""


def _working(tx: Transaction, agent: str) -> int | None:
    """The scheduled run of the agent that is being worked on."""
    found = tx.row(
        "SELECT MAX(run.id) AS id FROM gb_schedule_fires fire"
        " JOIN gb_agent_research_runs run ON run.id = fire.run_id"
        " WHERE fire.agent_name = ? AND run.status = 'running'",
        (agent,),
    )
    return maybe_whole(found, "id") if found else None


def _scheduled_run(row: Row) -> ScheduledRun:
    run_id = maybe_whole(row, "run_id")
    return ScheduledRun(
        due=text(row, "due"),
        outcome=cast("FireOutcome", text(row, "outcome")),
        run_id=None if run_id is None else RunId(run_id),
        status=cast("Status | None", maybe_text(row, "status")),
        why=text(row, "why"),
    )
