"""The tables of the knowledge base: a database from before gets them, and hot reads use indexes."""

import re
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from engine.domain.knowledge import EntityFilter, FactFilter, RememberFilter
from engine.domain.provenance import KnowledgeSession
from engine.domain.run import RunId
from engine.store import (
    knowledge_apply,
    knowledge_entities,
    knowledge_facts,
    knowledge_pages,
    knowledge_projection,
    knowledge_provenance,
    knowledge_queries,
    knowledge_queue,
    knowledge_runs,
    knowledge_temporal,
    runs,
    schedules,
)
from engine.store.database import Reader, Row, Transaction, Value
from engine.store.knowledge_entities import Into
from engine.store.knowledge_facts import Times
from engine.store.knowledge_forget import forget
from engine.store.migrate import APPLICATION_ID, migrations
from engine.store.sqlite import open_sqlite
from engine.store.sqlite_files import SqliteFile, open_to_write
from engine.store.sqlite_group import SqliteTransaction
from tests.engine.store.knowledge_support import (
    Said,
    confirm,
    create,
    date,
    findings,
    moment,
    new_text,
    origin_of,
    queue,
    ref,
    remember,
)
from tests.engine.store.support import NEW, at, memory
from tests.fakes.clock import FakeClock

SAID = Said("Ada", "works at", "Babbage Ltd", start="1840")
SMALL = ("dataset", "gb_datasets", "tree")
"""Datasets, and the runs below a run, may be read whole; and so may what a part of the same
statement has found, which its plan calls:"""
MADE_BEFORE = ("CO-ROUTINE", "MATERIALIZE")
SESSIONS = (KnowledgeSession("research-1", RunId(1), "", ""),)

READS: Mapping[str, Callable[[Reader], Awaitable[object]]] = {
    "facts": lambda reader: knowledge_facts.page(reader, FactFilter("ann", "main"), Times()),
    "facts about": lambda reader: knowledge_facts.page(
        reader, FactFilter("ann", about="Ada"), Times(date("1842").span)
    ),
    "facts of a run": lambda reader: knowledge_facts.page(
        reader, FactFilter(run_id=RunId(1)), Times(known_at=moment(9))
    ),
    "facts with words": lambda reader: knowledge_facts.page(
        reader, FactFilter("ann", text="ada babbage"), Times()
    ),
    "facts by ids": lambda reader: knowledge_facts.by_ids(reader, [1]),
    "facts to reconcile": lambda reader: knowledge_facts.known_facts(reader, 1, [ref("Ada")]),
    "entities by keys": lambda reader: knowledge_entities.with_keys(reader, 1, ["ada"]),
    "entities alike": lambda reader: knowledge_entities.alike(reader, 1, "Ada"),
    "entities": lambda reader: knowledge_pages.entities(reader, EntityFilter("ann", "main", "a")),
    "entity": lambda reader: knowledge_pages.entity(reader, 1, "ann"),
    "history": lambda reader: knowledge_pages.history(reader, 1, "ann"),
    "provenance": lambda reader: knowledge_provenance.provenance(reader, RunId(1), SESSIONS),
    "sessions": lambda reader: knowledge_provenance.sessions(
        reader, RunId(1), include_subagents=True
    ),
    "temporal": lambda reader: knowledge_temporal.of_sessions(reader, RunId(1), SESSIONS),
    "temporal of a text": lambda reader: knowledge_temporal.of_remember_run(reader, 1),
    "queue": lambda reader: knowledge_runs.page(reader, RememberFilter("ann", "main")),
    "queue of a run": lambda reader: knowledge_runs.page(reader, RememberFilter(run_id=RunId(1))),
    "failures": lambda reader: knowledge_runs.page(reader, RememberFilter(status="failed")),
    "waiting": lambda reader: knowledge_runs.waiting_of(reader, "research-1"),
    "datasets": lambda reader: knowledge_runs.datasets(reader, "ann"),
    "questions": lambda reader: knowledge_queries.latest(reader, "ann"),
    "questions of a run": lambda reader: knowledge_queries.of_session(reader, "research-1"),
}
WRITES: Mapping[str, Callable[[Transaction], object]] = {
    "enqueue": lambda tx: queue(tx, new_text("Another.", session="research-1")),
    "claim": lambda tx: knowledge_queue.claim(tx, at=moment(9), lease_until=moment(99)),
    "next due": knowledge_queue.next_due,
    "rebuild": lambda tx: knowledge_projection.rebuild(tx, 1, at=moment(9)),
    "forget": lambda tx: forget(tx, [1], at=moment(9)),
    "apply": lambda tx: knowledge_apply.apply(
        tx, Into(1, origin_of(tx, 1, at=9)), findings(create(SAID), confirm(SAID))
    ),
}


@pytest.fixture
def tx() -> Iterator[Transaction]:
    with memory() as opened:
        yield opened


async def test_a_database_from_before_gets_the_tables_and_keeps_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "gligabao.db"
    before = before_knowledge(path)
    async with open_sqlite(path, clock=FakeClock()) as database:
        await database.write(lambda tx: remember(tx, new_text("Ada."), findings(create(SAID))))
        async with database.reading() as reader:
            run = await runs.get(reader, RunId(1))
            paused = await schedules.paused(reader)
            facts = await knowledge_facts.page(reader, FactFilter("ann"), Times())
    assert run is not None
    assert run.topic == NEW.topic
    assert paused == {"daily"}
    assert [fact.source for fact in facts.facts] == ["ada"]
    assert rows_of(path) == before


def test_what_the_database_was_before_is_kept_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "gligabao.db"
    before = before_knowledge(path)
    open_to_write(SqliteFile(path, FakeClock())).close()
    (copy,) = tmp_path.glob("gligabao.db.schema-2-*")
    assert rows_of(copy) == before


def test_the_tables_are_declared_alike_for_every_database() -> None:
    sqlite, postgres = migrations("sqlite")[2].statements, migrations("postgres")[2].statements
    assert len(sqlite) == len(postgres)
    assert "BYTEA" in "".join(postgres)


@pytest.mark.parametrize("name", [*READS])
async def test_a_hot_read_uses_an_index(tx: Transaction, name: str) -> None:
    remember(tx, new_text("Ada.", session="research-1"), findings(create(SAID)))
    reader = PlannedReader(tx)
    await READS[name](reader)
    assert reader.scanned == []


@pytest.mark.parametrize("name", [*WRITES])
def test_a_write_uses_an_index(tx: Transaction, name: str) -> None:
    remember(tx, new_text("Ada works at Babbage Ltd."), findings(create(SAID)))
    queue(tx, new_text("Waits."), at=1)
    planned = PlannedTransaction(tx)
    WRITES[name](planned)
    assert planned.scanned == []


def test_a_scan_is_found(tx: Transaction) -> None:
    planned = PlannedTransaction(tx)
    planned.rows("SELECT * FROM gb_edges WHERE description = ?", ("x",))
    assert len(planned.scanned) == 1


def before_knowledge(path: Path) -> list[tuple[object, ...]]:
    """A database of version 2 with a run and a schedule; its rows."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for migration in migrations("sqlite")[:2]:
            for statement in migration.statements:
                connection.execute(statement)
        connection.execute("PRAGMA user_version = 2")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        tx = SqliteTransaction(connection, path)
        run = runs.create(tx, NEW, at=at(0))
        runs.end(tx, run.id, runs.Ending("completed", report="# Salt"), at=at(1))
        schedules.set_paused(tx, "daily", paused=True, at=at(2))
    return rows_of(path)


def rows_of(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return [
            row
            for table in ("gb_agent_research_runs", "gb_agent_research_states", "gb_schedules")
            for row in connection.execute(f"SELECT * FROM {table}")
        ]


class Planned:
    """Explains every statement before it is run, and keeps those that read a table whole."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx
        self.scanned: list[str] = []

    def explain(self, sql: str, values: Sequence[Value]) -> None:
        plan = self._tx.rows(f"EXPLAIN QUERY PLAN {sql}", values)
        steps = [str(row["detail"]) for row in plan]
        found_before = {step.split()[1] for step in steps if step.split()[0] in MADE_BEFORE}
        for step in steps:
            scanned = re.match(r"SCAN (?!.*CONSTANT)(\w+)", step)
            if scanned is not None and scanned[1] not in {*SMALL, *found_before}:
                self.scanned.append(f"{step}: {sql}")


class PlannedReader(Planned):
    """Fulfils `database.Reader`."""

    async def rows(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        self.explain(sql, values)
        return self._tx.rows(sql, values)

    async def row(self, sql: str, values: Sequence[Value] = ()) -> Row | None:
        self.explain(sql, values)
        return self._tx.row(sql, values)


class PlannedTransaction(Planned):
    """Fulfils `database.Transaction`."""

    def execute(self, sql: str, values: Sequence[Value] = ()) -> int:
        self.explain(sql, values)
        return self._tx.execute(sql, values)

    def insert(self, sql: str, values: Sequence[Value] = ()) -> int:
        self.explain(sql, values)
        return self._tx.insert(sql, values)

    def rows(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        self.explain(sql, values)
        return self._tx.rows(sql, values)

    def row(self, sql: str, values: Sequence[Value] = ()) -> Row | None:
        self.explain(sql, values)
        return self._tx.row(sql, values)
