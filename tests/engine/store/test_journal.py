"""The journal: what was received comes back as it was, and every row is ended once."""

import pytest

from engine.domain.errors import StoreError
from engine.domain.exchange import Outcome
from engine.domain.run import RunId, StoredStep
from engine.domain.usage import Usage
from engine.store import journal, runs
from engine.store.database import Transaction
from engine.store.sqlite import SqliteDatabase
from tests.engine.store.support import NEW, at, memory, new_run

USED = Usage(
    input_tokens=10,
    output_tokens=20,
    cache_read_tokens=30,
    cache_write_5m_tokens=40,
    cost_usd=0.125,
)


def attempt(run_id: RunId | None, *, number: int = 1, usd: float = 0.25) -> journal.NewAttempt:
    return journal.NewAttempt("agent", run_id, 1, number, "asked", "v1", "hash", usd)


def call(run_id: RunId, *, step: int = 1, ord: int = 0) -> journal.NewCall:
    return journal.NewCall(run_id, step, ord, f"toolu_{step}_{ord}", "fetch_page", {"url": "ö"})


async def test_a_reply_comes_back_verbatim(database: SqliteDatabase) -> None:
    content = (
        {"type": "thinking", "thinking": "…", "signature": "a+/="},
        {"type": "text", "text": "zero \x00, half a pair \ud83d, whole 😀"},
        {"type": "tool_use", "id": "t", "name": "n", "input": {"deep": [1, None, True, 0.1]}},
    )
    told = ({"type": "text", "text": "nudge"},)

    def work(tx: Transaction) -> StoredStep:
        run_id = new_run(tx)
        step = StoredStep(
            run_id, 1, content, "tool_use", "m-1", "req_1", USED, at(2), kind="explore", told=told
        )
        journal.add_step(tx, step)
        return step

    step = await database.write(work)
    async with database.reading() as reader:
        assert await journal.steps(reader, step.run_id) == (step,)


def test_a_step_is_stored_once() -> None:
    with memory() as tx:
        step = StoredStep(new_run(tx), 1, (), "end_turn", "m", "", Usage(), at(1))
        journal.add_step(tx, step)
        with pytest.raises(StoreError, match="breaks a rule"):
            journal.add_step(tx, step)


def test_both_kinds_of_cache_writes_are_kept_as_one_number() -> None:
    used = Usage(cache_write_5m_tokens=2, cache_write_1h_tokens=3)
    with memory() as tx:
        journal.add_step(tx, StoredStep(new_run(tx), 1, (), "end_turn", "m", "", used, at(1)))
        row = tx.row("SELECT cache_write_tokens FROM gb_agent_steps")
    assert row == {"cache_write_tokens": 5}


async def test_a_tool_call_is_open_until_its_result_is_stored(database: SqliteDatabase) -> None:
    def start(tx: Transaction) -> int:
        return journal.start_call(tx, call(new_run(tx)), at=at(1))

    call_id = await database.write(start)
    async with database.reading() as reader:
        (opened,) = await journal.calls(reader, RunId(1))
    assert (opened.id, opened.input, opened.result) == (call_id, {"url": "ö"}, None)
    assert (opened.started_at, opened.finished_at) == (at(1), None)

    ended = journal.EndedCall("example.com/x: status 404", is_error=True, cost_usd=0.01, url="u")
    await database.write(lambda tx: journal.end_call(tx, call_id, ended, at=at(2)))
    late = journal.EndedCall("late", is_error=False, cost_usd=9)
    await database.write(lambda tx: journal.end_call(tx, call_id, late, at=at(3)))
    async with database.reading() as reader:
        (closed,) = await journal.calls(reader, RunId(1))
    assert (closed.result, closed.is_error, closed.cost_usd) == (ended.result, True, 0.01)
    assert (closed.url, closed.final_url, closed.snapshot_id) == ("u", None, None)
    assert closed.finished_at == at(2)


async def test_calls_come_in_the_order_the_model_asked_for_them(database: SqliteDatabase) -> None:
    def work(tx: Transaction) -> None:
        run_id = new_run(tx)
        for step, ord in ((2, 0), (1, 1), (1, 0)):
            journal.start_call(tx, call(run_id, step=step, ord=ord), at=at(1))

    await database.write(work)
    async with database.reading() as reader:
        found = await journal.calls(reader, RunId(1))
    assert [(each.step, each.ord) for each in found] == [(1, 0), (1, 1), (2, 0)]


async def test_an_attempt_is_booked_before_it_is_sent_and_again_when_it_ends(
    database: SqliteDatabase,
) -> None:
    def start(tx: Transaction) -> int:
        return journal.start_attempt(tx, attempt(new_run(tx)), at=at(1))

    first = await database.write(start)
    async with database.reading() as reader:
        (opened,) = await journal.attempts(reader, RunId(1))
    assert (opened.id, opened.state, opened.reserved_usd) == (first, "started", 0.25)
    assert (opened.usage, opened.http_status, opened.finished_at) == (Usage(), None, None)

    used = Usage(1, 2, 3, 4, 0, searches=2, cost_usd=0.5, is_estimate=True)
    failed = Outcome("failed", "answered", used, 529, "req_1", "overloaded")
    await database.write(lambda tx: journal.end_attempt(tx, first, failed, at=at(2)))
    async with database.reading() as reader:
        (closed,) = await journal.attempts(reader, RunId(1))
    assert (closed.state, closed.model, closed.usage) == ("failed", "answered", used)
    assert (closed.http_status, closed.request_id, closed.error) == (529, "req_1", "overloaded")
    assert (closed.reserved_usd, closed.finished_at) == (0.0, at(2))
    assert (closed.purpose, closed.prompt_version, closed.request_hash) == ("agent", "v1", "hash")


async def test_an_attempt_ends_once_and_keeps_its_model_when_none_answered(
    database: SqliteDatabase,
) -> None:
    def work(tx: Transaction) -> None:
        sent = journal.start_attempt(tx, attempt(new_run(tx)), at=at(1))
        journal.end_attempt(tx, sent, Outcome("lost", "", Usage()), at=at(2))
        journal.end_attempt(tx, sent, Outcome("done", "m", USED), at=at(3))

    await database.write(work)
    async with database.reading() as reader:
        (stored,) = await journal.attempts(reader, RunId(1))
    assert (stored.state, stored.model, stored.finished_at) == ("lost", "asked", at(2))


def test_an_attempt_outside_of_runs_has_no_run() -> None:
    with memory() as tx:
        journal.start_attempt(tx, attempt(None), at=at(1))
        assert tx.row("SELECT run_id FROM gb_inferences") == {"run_id": None}


def test_what_others_have_reserved_counts_while_their_attempts_are_open() -> None:
    with memory() as tx:
        root, child, stranger = new_run(tx), new_run(tx), new_run(tx)
        sql = "UPDATE gb_agent_research_runs SET root_id = ?, parent_id = ? WHERE id = ?"
        tx.execute(sql, (root, root, child))
        journal.start_attempt(tx, attempt(root, usd=0.5), at=at(1))
        sent = journal.start_attempt(tx, attempt(child, usd=0.25), at=at(1))
        journal.start_attempt(tx, attempt(child, number=2, usd=0.125), at=at(1))
        journal.start_attempt(tx, attempt(stranger, usd=8), at=at(1))
        assert journal.reserved(tx, root, but_run=root) == 0.375
        assert journal.reserved(tx, root, but_run=child) == 0.5
        journal.end_attempt(tx, sent, Outcome("done", "m", USED), at=at(2))
        assert journal.reserved(tx, root, but_run=root) == 0.125
        assert journal.reserved(tx, stranger, but_run=stranger) == 0.0


async def test_a_run_without_a_journal_has_empty_ones(database: SqliteDatabase) -> None:
    run = await database.write(lambda tx: runs.create(tx, NEW, at=at(0)))
    async with database.reading() as reader:
        assert await journal.steps(reader, run.id) == ()
        assert await journal.calls(reader, run.id) == ()
        assert await journal.attempts(reader, run.id) == ()
