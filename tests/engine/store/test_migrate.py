"""Databases of older programs come along, newer and foreign ones are left as they are."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engine.domain.errors import StoreError
from engine.domain.run import RunId
from engine.store import runs
from engine.store.migrate import (
    APPLICATION_ID,
    LATER_COLUMNS,
    migrate_sqlite,
    migrations,
    newest_version,
)
from engine.store.sqlite import open_sqlite
from tests.engine.store import legacy
from tests.engine.store.support import NEW, at
from tests.fakes.clock import FakeClock

OLD_COLUMNS = (
    "id, user_id, topic, status, state, model, max_steps, steps, tool_calls, input_tokens,"
    " output_tokens, cost_usd, report, error, created_at, finished_at"
)


@pytest.fixture(params=sorted(legacy.OLDER))
def older(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "gligabao.db"
    legacy.make(path, legacy.OLDER[request.param])
    return path


@pytest.mark.req("R480", "R481", "R483", "R489")
async def test_an_older_database_gets_the_columns_and_its_runs_keep_their_values(
    older: Path,
) -> None:
    before = rows(older, f"SELECT {OLD_COLUMNS} FROM gb_agent_research_runs")
    await open_once(older)
    assert rows(older, f"SELECT {OLD_COLUMNS} FROM gb_agent_research_runs") == before
    assert rows(older, "SELECT phase, stop_reason FROM gb_agent_research_runs") == [("", "")] * 2
    assert set(LATER_COLUMNS["gb_agent_research_runs"]) <= columns_of(older)


@pytest.mark.req("R490")
async def test_a_second_start_changes_nothing(older: Path) -> None:
    await open_once(older)
    before = dump(older)
    files = sorted(older.parent.iterdir())
    await open_once(older)
    assert dump(older) == before
    assert sorted(older.parent.iterdir()) == files


@pytest.mark.req("R480", "R491")
async def test_a_fresh_database_has_the_columns_and_the_upgrade_does_nothing(
    tmp_path: Path,
) -> None:
    path = tmp_path / "gligabao.db"
    await open_once(path)
    assert {"phase", "stop_reason"} <= columns_of(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        changed: list[str] = []
        connection.set_trace_callback(changed.append)
        migrate_sqlite(connection, keep_copy=lambda _: pytest.fail("nothing is to change"))
    assert [sql for sql in changed if not re.match("PRAGMA|SELECT", sql)] == []


@pytest.mark.req("R492")
async def test_phase_and_stop_reason_are_written_and_read_back_on_an_upgraded_database(
    older: Path,
) -> None:
    set_phase = "UPDATE gb_agent_research_runs SET phase = ? WHERE id = ?"
    async with open_sqlite(older, clock=FakeClock()) as database:
        run = await database.write(lambda tx: runs.create(tx, NEW, at=at(0)))
        await database.write(lambda tx: tx.execute(set_phase, ("exploration", run.id)))
        ending = runs.Ending("completed", report="# Salt", stop_reason="natural")
        assert await database.write(lambda tx: runs.end(tx, run.id, ending, at=at(1)))
        async with database.reading() as reader:
            stored = await runs.get(reader, run.id)
    assert stored is not None
    assert (stored.phase, stored.stop_reason) == ("exploration", "natural")


async def test_what_an_older_program_left_running_is_interrupted(older: Path) -> None:
    async with open_sqlite(older, clock=FakeClock()) as database:
        assert await database.write(lambda tx: runs.mark_interrupted(tx, at=at(1))) == [2]
        async with database.reading() as reader:
            run, states = await runs.get(reader, RunId(2)), await runs.states(reader, RunId(2))
    assert run is not None
    assert (run.status, run.error, run.root_id) == ("failed", "interrupted", None)
    assert [state.state for state in states] == ["starting", "thinking", "failed"]


async def test_what_the_database_was_before_its_schema_changed_is_kept_beside_it(
    older: Path,
) -> None:
    before = dump(older)
    await open_once(older)
    (copy,) = older.parent.glob("gligabao.db.schema-0-*")
    assert copy.name == "gligabao.db.schema-0-20261101T100000000000"
    assert copy.stat().st_mode & 0o777 == 0o600
    assert dump(copy) == before


@pytest.mark.req("R488")
def test_an_index_on_a_later_column_is_made_after_the_upgrade(older: Path) -> None:
    with closing(sqlite3.connect(older, isolation_level=None)) as connection:
        statements: list[str] = []
        connection.set_trace_callback(statements.append)
        migrate_sqlite(connection, keep_copy=lambda _: None)
    added = next(n for n, sql in enumerate(statements) if "ADD COLUMN root_id" in sql)
    assert added < next(n for n, sql in enumerate(statements) if "INDEX gb_runs_root" in sql)


@pytest.mark.req("R487")
def test_a_state_of_a_later_program_needs_no_migration(older: Path) -> None:
    with closing(sqlite3.connect(older, isolation_level=None)) as connection:
        migrate_sqlite(connection, keep_copy=lambda _: None)
        connection.execute("UPDATE gb_agent_research_runs SET state = 'a later word'")
        connection.execute("UPDATE gb_agent_research_states SET state = 'a later word'")
        connection.execute("UPDATE gb_agent_research_runs SET phase = 'x', stop_reason = 'y'")


async def test_a_newer_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "gligabao.db"
    await open_once(path)
    legacy.make(path, "PRAGMA user_version = 99")
    before = dump(path)
    with pytest.raises(StoreError, match=r"gligabao\.db: .*schema 99.*newer version"):
        await open_once(path)
    assert dump(path) == before


@pytest.mark.parametrize(
    "script",
    ["CREATE TABLE bookmarks(url TEXT)", "PRAGMA application_id = 7; CREATE TABLE a(b)"],
)
async def test_the_database_of_another_program_is_refused_and_left_as_it_is(
    tmp_path: Path, script: str
) -> None:
    path = tmp_path / "gligabao.db"
    legacy.make(path, script)
    before = dump(path)
    with pytest.raises(StoreError, match="belongs to another program"):
        await open_once(path)
    assert dump(path) == before


async def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "gligabao.db"
    legacy.make(path, legacy.OLDER["first"] + "CREATE TABLE gb_citations(x)")
    before = dump(path)
    with pytest.raises(StoreError, match="gb_citations already exists"):
        await open_once(path)
    assert dump(path) == before


async def test_the_file_says_whose_it_is_and_which_schema_it_has(tmp_path: Path) -> None:
    path = tmp_path / "gligabao.db"
    await open_once(path)
    assert rows(path, "PRAGMA application_id") == [(APPLICATION_ID,)]
    assert rows(path, "PRAGMA user_version") == [(newest_version(),)]


def test_the_same_files_serve_both_kinds_of_database() -> None:
    sqlite, postgres = migrations("sqlite"), migrations("postgres")
    assert [each.name for each in sqlite] == [each.name for each in postgres]
    assert [len(each.statements) for each in sqlite] == [len(each.statements) for each in postgres]
    runs_table = postgres[0].statements[0]
    assert "id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY" in runs_table
    assert "AUTOINCREMENT" in sqlite[0].statements[0]
    assert not any("{" in sql or "--" in sql for sql in (*sqlite[0].statements, runs_table))


def test_every_later_column_is_declared_as_the_first_file_declares_it() -> None:
    (table,) = (sql for sql in migrations("sqlite")[0].statements if "research_runs(\n" in sql)
    declared = {line.strip().rstrip(",") for line in table.splitlines()}
    for column, declaration in LATER_COLUMNS["gb_agent_research_runs"].items():
        assert f"{column} {declaration}" in declared


async def open_once(path: Path) -> None:
    async with open_sqlite(path, clock=FakeClock()):
        pass


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        version = connection.execute("PRAGMA user_version").fetchone()
        return [str(version), *connection.iterdump()]


def columns_of(path: Path) -> set[object]:
    return {row[1] for row in rows(path, "PRAGMA table_info(gb_agent_research_runs)")}
