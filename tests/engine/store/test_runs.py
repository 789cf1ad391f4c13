"""Runs and their states as rows: made, followed, ended once, listed."""

from dataclasses import replace

import pytest

from engine.domain.errors import UserError
from engine.domain.run import RunFilter, RunId, State, Status
from engine.store import journal, runs
from engine.store.database import Database, Transaction
from engine.store.run_rows import run_of
from engine.store.sqlite import SqliteDatabase
from tests.engine.store.support import (
    NEW,
    at,
    enter,
    memory,
    new_run,
    run_row,
    state,
    state_rows,
)


@pytest.mark.req("R087", "R088", "R099", "R198")
async def test_a_new_run_has_its_spec_and_is_starting(database: SqliteDatabase) -> None:
    run = await database.write(lambda tx: runs.create(tx, NEW, at=at(0)))
    async with database.reading() as reader:
        assert await runs.get(reader, run.id) == run
        assert await runs.spec(reader, run.id) == NEW.spec
        assert await runs.states(reader, run.id) == (
            State(run.id, 1, "starting", 0, "", "", at(0), None),
        )
    assert (run.status, run.state, run.root_id, run.parent_id) == ("running", "starting", 1, None)


@pytest.mark.req("R095")
def test_the_dataset_is_not_stored_with_the_run() -> None:
    with memory() as tx:
        row = run_row(tx, new_run(tx))
    assert [column for column in row if "dataset" in column] == []
    assert not hasattr(run_of(row), "dataset")


async def test_what_does_not_exist_is_none(database: SqliteDatabase) -> None:
    async with database.reading() as reader:
        assert await runs.get(reader, RunId(7)) is None
        assert await runs.spec(reader, RunId(7)) is None
        assert await runs.states(reader, RunId(7)) == ()


@pytest.mark.req("R096", "R098", "R113", "R199")
def test_entering_a_state_ends_the_one_before_and_becomes_the_runs() -> None:
    with memory() as tx:
        run_id = new_run(tx)
        enter(tx, state(run_id, 2))
        rows = state_rows(tx, run_id)
        assert run_row(tx, run_id)["state"] == "thinking"
    assert [(row["seq"], row["state"], row["finished_at"]) for row in rows] == [
        (1, "starting", at(2)),
        (2, "thinking", None),
    ]


@pytest.mark.req("R115")
def test_the_error_of_a_tool_stays_on_its_state_alone() -> None:
    with memory() as tx:
        run_id = new_run(tx)
        enter(tx, state(run_id, 2, "reading"))
        runs.end_state(tx, run_id, 2, error="example.com/x: status 404", at=at(3))
        runs.enter_state(tx, state(run_id, 3))
        assert runs.end(tx, run_id, runs.Ending("completed", report="# Salt"), at=at(4))
        errors = [row["error"] for row in state_rows(tx, run_id)]
        assert run_row(tx, run_id)["error"] == ""
    assert errors == ["", "example.com/x: status 404", "", ""]


@pytest.mark.req("R097")
def test_an_ended_state_is_never_changed() -> None:
    with memory() as tx:
        run_id = new_run(tx)
        runs.end_state(tx, run_id, 1, error="", at=at(1))
        runs.end_state(tx, run_id, 1, error="too late", at=at(2))
        (row,) = state_rows(tx, run_id)
    assert (row["error"], row["finished_at"]) == ("", at(1))


@pytest.mark.req("R089", "R110", "R201")
def test_a_completed_run_has_a_report_and_a_terminal_state() -> None:
    with memory() as tx:
        run_id = new_run(tx)
        enter(tx, state(run_id, 2))
        ending = runs.Ending("completed", report="# Salt", stop_reason="gates")
        assert runs.end(tx, run_id, ending, at=at(9))
        run, rows = run_row(tx, run_id), state_rows(tx, run_id)
    assert (run["status"], run["state"], run["report"]) == ("completed", "completed", "# Salt")
    assert (run["error"], run["stop_reason"], run["finished_at"]) == ("", "gates", at(9))
    assert (rows[1]["finished_at"], rows[1]["error"]) == (at(9), "")
    assert dict(rows[2]) == {
        "run_id": run_id,
        "seq": 3,
        "state": "completed",
        "step": 0,
        "detail": "",
        "error": "",
        "started_at": at(9),
        "finished_at": at(9),
    }


@pytest.mark.req("R089", "R116")
def test_a_failed_run_has_its_error_on_the_state_it_failed_in_and_on_failed() -> None:
    with memory() as tx:
        run_id = new_run(tx)
        enter(tx, state(run_id, 2))
        runs.end(tx, run_id, runs.Ending("failed", error="overloaded"), at=at(9))
        run, rows = run_row(tx, run_id), state_rows(tx, run_id)
    assert (run["error"], run["report"]) == ("overloaded", "")
    assert [row["error"] for row in rows] == ["", "overloaded", "overloaded"]


@pytest.mark.req("R089")
def test_a_stopped_run_says_who_and_the_state_it_was_in_has_no_error() -> None:
    with memory() as tx:
        run_id = new_run(tx)
        runs.end(tx, run_id, runs.Ending("stopped", error="stopped by ada"), at=at(9))
        run, rows = run_row(tx, run_id), state_rows(tx, run_id)
    assert (run["status"], run["error"], run["report"]) == ("stopped", "stopped by ada", "")
    assert [(row["state"], row["error"]) for row in rows] == [
        ("starting", ""),
        ("stopped", "stopped by ada"),
    ]


def test_a_run_ends_once() -> None:
    with memory() as tx:
        run_id = new_run(tx)
        assert runs.end(tx, run_id, runs.Ending("stopped", error="stopped by ada"), at=at(1))
        before = run_row(tx, run_id), state_rows(tx, run_id)
        assert not runs.end(tx, run_id, runs.Ending("completed", report="late"), at=at(2))
        assert not runs.end(tx, RunId(99), runs.Ending("completed", report="whose"), at=at(2))
        assert (run_row(tx, run_id), state_rows(tx, run_id)) == before


def test_what_comes_late_enters_no_state_but_its_bill_is_kept() -> None:
    with memory() as tx:
        run_id = new_run(tx)
        runs.end(tx, run_id, runs.Ending("stopped", error="stopped by ada"), at=at(1))
        enter(tx, state(run_id, 2))
        runs.set_totals(tx, run_id, runs.Totals(1, 0, 900, 50, 0.02))
        assert [row["state"] for row in state_rows(tx, run_id)] == ["starting", "stopped"]
        assert run_row(tx, run_id)["state"] == "stopped"
        assert run_row(tx, run_id)["cost_usd"] == 0.02


@pytest.mark.req("R091")
def test_totals_are_written_as_they_are() -> None:
    with memory() as tx:
        run_id = new_run(tx)
        runs.set_totals(tx, run_id, runs.Totals(1, 2, 3, 4, 0.5))
        runs.set_totals(tx, run_id, runs.Totals(2, 3, 4, 5, 0.75))
        run = run_row(tx, run_id)
    columns = ("steps", "tool_calls", "input_tokens", "output_tokens", "cost_usd")
    assert [run[column] for column in columns] == [2, 3, 4, 5, 0.75]


def test_working_counts_the_running_researches_of_one_user_without_sub_agents() -> None:
    with memory() as tx:
        first, second = new_run(tx), new_run(tx)
        new_run(tx, user_id="ada")
        child = new_run(tx)
        tx.execute(
            "UPDATE gb_agent_research_runs SET parent_id = ?, root_id = ? WHERE id = ?",
            (first, first, child),
        )
        assert runs.working(tx, "admin") == 2
        runs.end(tx, second, runs.Ending("failed", error="x"), at=at(1))
        assert runs.working(tx, "admin") == 1
        assert runs.working(tx, "nobody") == 0


async def test_children_are_those_a_run_has_started_itself(database: SqliteDatabase) -> None:
    def family(tx: Transaction) -> RunId:
        parent, child, grandchild = new_run(tx), new_run(tx), new_run(tx)
        sql = "UPDATE gb_agent_research_runs SET parent_id = ? WHERE id = ?"
        tx.execute(sql, (parent, child))
        tx.execute(sql, (child, grandchild))
        return parent

    parent = await database.write(family)
    async with database.reading() as reader:
        run = await runs.get(reader, parent)
        listed = (await runs.page(reader, RunFilter())).runs
    assert run is not None
    assert run.children == 1
    assert [(each.id, each.children) for each in listed] == [(3, 0), (2, 1), (1, 1)]


def test_the_first_who_asks_for_a_wrap_up_is_kept_and_an_ended_run_has_none() -> None:
    with memory() as tx:
        run_id = new_run(tx)
        assert runs.ask_wrap_up(tx, run_id, by="ada", at=at(1))
        assert runs.ask_wrap_up(tx, run_id, by="bob", at=at(2))
        run = run_row(tx, run_id)
        assert (run["wrap_up_by"], run["wrap_up_at"]) == ("ada", at(1))
        runs.end(tx, run_id, runs.Ending("completed", report="x"), at=at(3))
        assert not runs.ask_wrap_up(tx, run_id, by="ada", at=at(4))


@pytest.mark.req("R090")
def test_what_a_dead_process_left_running_has_failed_interrupted() -> None:
    with memory() as tx:
        done, left = new_run(tx), new_run(tx)
        runs.end(tx, done, runs.Ending("completed", report="x"), at=at(1))
        enter(tx, state(left, 2))
        journal.start_attempt(tx, attempt(left), at=at(2))
        assert runs.mark_interrupted(tx, at=at(5)) == [left]
        assert runs.mark_interrupted(tx, at=at(6)) == []
        run, rows = run_row(tx, left), state_rows(tx, left)
        (sent,) = tx.rows("SELECT * FROM gb_inferences")
        assert run_row(tx, done)["status"] == "completed"
    assert (run["status"], run["error"], run["finished_at"]) == ("failed", "interrupted", at(5))
    assert [(row["state"], row["error"], row["finished_at"]) for row in rows] == [
        ("starting", "", at(2)),
        ("thinking", "interrupted", at(5)),
        ("failed", "interrupted", at(5)),
    ]
    assert (sent["state"], sent["reserved_usd"], sent["finished_at"]) == ("lost", 0, at(5))


async def test_counts_are_by_status_and_of_one_user_or_all(database: SqliteDatabase) -> None:
    def spend(tx: Transaction) -> None:
        for user, cost in (("admin", 1.0), ("admin", 0.5), ("ada", 4.0)):
            run_id = new_run(tx, user_id=user)
            runs.set_totals(tx, run_id, runs.Totals(1, 0, 0, 0, cost))
        runs.end(tx, RunId(1), runs.Ending("failed", error="x"), at=at(9))
        tx.execute("UPDATE gb_agent_research_runs SET created_at = ? WHERE id = 2", (at(30),))

    await database.write(spend)
    async with database.reading() as reader:
        mine = await runs.counts(reader, user="admin", since=at(30))
        all_of_them = await runs.counts(reader, user=None, since=at(31))
    assert mine.by_status == {"failed": 1, "running": 1}
    assert (mine.cost_usd, mine.cost_today_usd) == (1.5, 0.5)
    assert all_of_them.by_status == {"failed": 1, "running": 2}
    assert (all_of_them.cost_usd, all_of_them.cost_today_usd) == (5.5, 0)


async def test_counts_of_nothing_are_empty(database: SqliteDatabase) -> None:
    async with database.reading() as reader:
        counted = await runs.counts(reader, user=None, since=at(0))
    assert (counted.by_status, counted.cost_usd, counted.cost_today_usd) == ({}, 0, 0)


@pytest.mark.req("R129", "R130", "R131")
async def test_runs_are_listed_newest_first_without_reports_and_filtered(
    database: SqliteDatabase,
) -> None:
    def work(tx: Transaction) -> None:
        for user, status in (("a", "completed"), ("b", "running"), ("a", "stopped"), ("a", None)):
            run_id = new_run(tx, user_id=user)
            if status not in (None, "running"):
                ended = runs.Ending(as_status(status), report="long", error="who")
                runs.end(tx, run_id, ended, at=at(1))

    await database.write(work)
    assert await listed(database, RunFilter()) == [4, 3, 2, 1]
    assert await listed(database, RunFilter(user="a")) == [4, 3, 1]
    assert await listed(database, RunFilter(active=True)) == [4, 2]
    assert await listed(database, RunFilter(user="a", finished=True)) == [3, 1]
    assert await listed(database, RunFilter(status="stopped")) == [3]
    async with database.reading() as reader:
        assert {run.report for run in (await runs.page(reader, RunFilter())).runs} == {""}


async def test_pages_go_on_where_they_ended_while_new_runs_arrive(
    database: SqliteDatabase,
) -> None:
    await database.write(lambda tx: [new_run(tx) for _ in range(5)])
    async with database.reading() as reader:
        first = await runs.page(reader, RunFilter(limit=2))
    await database.write(new_run)
    async with database.reading() as reader:
        second = await runs.page(reader, RunFilter(limit=2, cursor=first.next_cursor))
        last = await runs.page(reader, RunFilter(limit=2, cursor=second.next_cursor))
    assert [[run.id for run in page.runs] for page in (first, second, last)] == [
        [5, 4],
        [3, 2],
        [1],
    ]
    assert last.next_cursor == ""


async def test_a_page_that_is_exactly_full_is_the_last(database: SqliteDatabase) -> None:
    await database.write(lambda tx: [new_run(tx) for _ in range(2)])
    async with database.reading() as reader:
        page = await runs.page(reader, RunFilter(limit=2))
    assert (len(page.runs), page.next_cursor) == (2, "")


async def test_runs_are_sorted_by_cost_steps_and_status_with_the_newest_first_among_equals(
    database: SqliteDatabase,
) -> None:
    def work(tx: Transaction) -> None:
        for cost, steps in ((0.1, 3), (0.3, 1), (0.1, 3), (0.2, 9)):
            runs.set_totals(tx, new_run(tx), runs.Totals(steps, 0, 0, 0, cost))
        runs.end(tx, RunId(4), runs.Ending("failed", error="x"), at=at(1))
        runs.end(tx, RunId(2), runs.Ending("completed", report="x"), at=at(1))

    await database.write(work)
    assert await paged(database, RunFilter(sort="cost", limit=1)) == [2, 4, 3, 1]
    assert await paged(database, RunFilter(sort="steps", limit=1)) == [4, 3, 1, 2]
    assert await paged(database, RunFilter(sort="status", limit=1)) == [3, 1, 2, 4]
    assert await paged(database, RunFilter(sort="started", limit=3)) == [4, 3, 2, 1]


async def test_a_text_is_found_in_any_case_and_width_and_pages_stay_whole(
    database: SqliteDatabase,
) -> None:
    def work(tx: Transaction) -> None:
        for number in range(450):
            topic = f"ÖSTERSJÖN und Straße {number}" if number % 100 == 0 else "Mountains"
            new_run(tx, topic=topic)
        new_run(tx, topic="Ｂａｌｔｉｃ 100% ice_cap", agent_name="Baltic_News")

    await database.write(work)
    assert await paged(database, RunFilter(text="östersjön", limit=2)) == [401, 301, 201, 101, 1]
    assert await paged(database, RunFilter(text="STRASSE 300", limit=2)) == [301]
    assert await listed(database, RunFilter(text="baltic")) == [451]
    assert await listed(database, RunFilter(text="news")) == [451]
    assert await listed(database, RunFilter(text="100%")) == [451]
    assert await listed(database, RunFilter(text="e_c")) == [451]
    assert await listed(database, RunFilter(text="no such")) == []
    assert len(await listed(database, RunFilter(text="  ", limit=500))) == 451


@pytest.mark.parametrize("cursor", ["x", "cost:1:2", "started:..:2", "started:1:-2", "started:1"])
async def test_a_cursor_of_another_list_is_a_users_error(
    database: SqliteDatabase, cursor: str
) -> None:
    async with database.reading() as reader:
        with pytest.raises(UserError, match="cursor"):
            await runs.page(reader, RunFilter(cursor=cursor))


def attempt(run_id: RunId) -> journal.NewAttempt:
    return journal.NewAttempt("agent", run_id, 1, 1, "offline", "v1", "hash", 0.25)


def as_status(word: str | None) -> Status:
    found: dict[str | None, Status] = {"completed": "completed", "stopped": "stopped"}
    return found[word]


async def listed(database: Database, which: RunFilter) -> list[int]:
    async with database.reading() as reader:
        return [run.id for run in (await runs.page(reader, which)).runs]


async def paged(database: Database, which: RunFilter) -> list[int]:
    """The ids of all pages, one after the other."""
    found: list[int] = []
    cursor: str | None = ""
    while cursor is not None:
        async with database.reading() as reader:
            page = await runs.page(reader, replace(which, cursor=cursor))
        found += [run.id for run in page.runs]
        cursor = page.next_cursor or None
    return found
