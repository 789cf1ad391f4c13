"""What must hold for the state rows of a run after any transaction, in any order."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.run import STATUSES, RunId, State, Status
from engine.store import runs
from engine.store.database import Transaction
from tests.engine.store.support import at, enter, memory, new_run, run_row, state_rows

WORDS = st.sampled_from(["thinking", "searching", "reading", "using_tool", "writing_report"])
ENDS: list[Status] = [status for status in STATUSES if status != "running"]


def entering(word: str) -> Callable[[Transaction, RunId], None]:
    def act(tx: Transaction, run_id: RunId) -> None:
        last = int(str(state_rows(tx, run_id)[-1]["seq"]))
        enter(tx, State(run_id, last + 1, word, 1, "", "", at(1), None))

    return act


def ending_as(status: Status) -> Callable[[Transaction, RunId], None]:
    def act(tx: Transaction, run_id: RunId) -> None:
        runs.end(tx, run_id, runs.Ending(status, "report", "error"), at=at(2))

    return act


def interrupting(tx: Transaction, _: RunId) -> None:
    runs.mark_interrupted(tx, at=at(3))


def asking_for_the_end(tx: Transaction, run_id: RunId) -> None:
    runs.ask_wrap_up(tx, run_id, by="ada", at=at(1))


ACTS = st.one_of(
    WORDS.map(entering),
    st.sampled_from(ENDS).map(ending_as),
    st.just(interrupting),
    st.just(asking_for_the_end),
)


@pytest.mark.req("R097", "R098", "R113")
@given(st.lists(ACTS, max_size=12))
def test_the_last_row_is_the_runs_state_and_exactly_one_is_open_while_it_runs(
    acts: list[Callable[[Transaction, RunId], None]],
) -> None:
    with memory() as tx:
        run_id = new_run(tx)
        before: list[object] = []
        for act in acts:
            act(tx, run_id)
            before = _check(tx, run_id, before)


def _check(tx: Transaction, run_id: RunId, before: list[object]) -> list[object]:
    run, rows = run_row(tx, run_id), state_rows(tx, run_id)
    open_rows = [row for row in rows if row["finished_at"] is None]
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    assert run["state"] == rows[-1]["state"]
    assert len(open_rows) == (1 if run["status"] == "running" else 0)
    assert open_rows in ([], [rows[-1]])
    assert (run["status"] == rows[-1]["state"]) is (run["status"] != "running")
    assert (run["finished_at"] is None) is (run["status"] == "running")
    ended = [dict(row) for row in rows if row["finished_at"] is not None]
    assert ended[: len(before)] == before
    return list(ended)
