"""Processes that are killed or fall: what they have said is stored is stored, and they do end."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

ENDS_WITHIN_SECONDS = 3
STARTS_WITHIN_SECONDS = 30


def test_every_acknowledged_row_survives_kill_after_kill(tmp_path: Path) -> None:
    path = tmp_path / "gligabao.db"
    acknowledged: set[int] = set()
    for rows_before_the_kill in (1, 40, 200, 400):
        acknowledged |= acknowledged_until_killed(path, rows_before_the_kill)
        assert acknowledged <= set(stored_in(path))
        assert torn_in(path) == []
        assert integrity_of(path) == "ok"
    assert len(acknowledged) >= 641


@pytest.mark.parametrize(
    ("word", "status"),
    [("error", 1), ("exit", 7), ("interrupt", -2), ("cancel", 1), ("abandon", 0)],
)
def test_a_process_with_an_open_database_ends_at_once_after_anything(
    tmp_path: Path, word: str, status: int
) -> None:
    path = tmp_path / "gligabao.db"
    with child(word, path) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        assert process.wait(ENDS_WITHIN_SECONDS) == status
    if word != "abandon":
        assert not path.with_name("gligabao.db-wal").exists()
        assert len(stored_in(path)) == 8
    assert integrity_of(path) == "ok"


def acknowledged_until_killed(path: Path, rows: int) -> set[int]:
    """What the child has acknowledged: at least `rows`, and what it said until it was dead."""
    with child("acknowledge", path) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(rows)]
        process.kill()
        said += process.stdout.readlines()
        process.wait(STARTS_WITHIN_SECONDS)
    return {int(line) for line in said if line.endswith(b"\n")}


@contextmanager
def child(word: str, path: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "tests.faults.store_child", word, str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with process:
        try:
            yield process
        finally:
            process.kill()


def stored_in(path: Path) -> list[object]:
    return [row[0] for row in rows(path, "SELECT id FROM gb_agent_messages")]


def torn_in(path: Path) -> list[tuple[object, ...]]:
    """Transactions of which only one of the two rows is there."""
    return rows(
        path,
        "SELECT s.id FROM gb_agent_messages s LEFT JOIN gb_agent_messages f"
        " ON f.id = s.id - 1 AND f.text = 'first' AND f.from_run = s.from_run"
        " WHERE s.text = 'second' AND f.id IS NULL"
        " UNION ALL SELECT f.id FROM gb_agent_messages f LEFT JOIN gb_agent_messages s"
        " ON s.id = f.id + 1 AND s.text = 'second' AND s.from_run = f.from_run"
        " WHERE f.text = 'first' AND s.id IS NULL",
    )


def integrity_of(path: Path) -> object:
    return rows(path, "PRAGMA integrity_check")[0][0]


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()
