"""Whatever kills the process that remembers, and whoever else works: every text once and whole."""

import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tests.faults.remember_child import SOURCES, Notes

TEXTS = 100
FEWER = 40


@pytest.mark.req("R074")
def test_what_was_accepted_is_done_once_whenever_the_process_is_killed(tmp_path: Path) -> None:
    in_child("killed", tmp_path, TEXTS)
    notes = Notes(tmp_path)
    accepted = dict(line.split() for line in notes.lines("accepted"))
    assert len(accepted) == TEXTS
    assert int(notes.lines("lives")[0]) > TEXTS / 2
    statuses = rows(tmp_path, "SELECT id, status FROM gb_remember_runs")
    assert {status for _, status in statuses} == {"completed"}
    assert set(map(int, accepted.values())) <= {number for number, _ in statuses}
    assert_all_is_there_once(tmp_path, TEXTS)
    assert_no_answer_was_asked_for_again(tmp_path)


def test_two_processes_on_one_database_do_no_text_twice(tmp_path: Path) -> None:
    in_child("together", tmp_path, FEWER)
    asked = [line.split() for line in Notes(tmp_path).lines("asked")]
    extracted = [number for kind, number, _ in asked if kind == "remember-extract"]
    assert len(set(extracted)) == len(extracted) == FEWER
    assert rows(tmp_path, "SELECT DISTINCT status, attempt FROM gb_remember_runs") == [
        ("completed", 1)
    ]
    assert_all_is_there_once(tmp_path, FEWER)


def assert_all_is_there_once(folder: Path, count: int) -> None:
    """A fact for each text, in one text each; of what is one at a time only the latest is true."""
    facts = rows(
        folder,
        "SELECT target.name, edge.support, edge.status FROM gb_edges edge"
        " JOIN gb_entities target ON target.id = edge.target_id",
    )
    assert sorted(str(name) for name, *_ in facts) == sorted(f"Ann{n}x" for n in range(count))
    assert {support for _, support, _ in facts} == {1}
    assert {name for name, _, status in facts if status == "active"} == {
        f"Ann{n}x" for n in range(count - SOURCES, count)
    }
    created = rows(folder, "SELECT COUNT(*) FROM gb_edge_events WHERE kind = 'created'")
    assert created == [(count,)]
    assert rows(folder, "SELECT COUNT(*), COUNT(DISTINCT artifact_id) FROM gb_edge_sessions") == [
        (count, count)
    ]
    assert rows(folder, "PRAGMA integrity_check") == [("ok",)]


def assert_no_answer_was_asked_for_again(folder: Path) -> None:
    """No model was asked what a checkpoint held already; and each call was booked before."""
    asked = [line.split() for line in Notes(folder).lines("asked")]
    assert Counter(state for *_, state in asked) == {"first": len(asked)}
    assert {kind for kind, *_ in asked} == {"remember-extract", "remember-reconcile"}
    booked = rows(folder, "SELECT COUNT(*) FROM gb_inferences WHERE state <> 'failed'")[0][0]
    assert isinstance(booked, int)
    assert booked >= len(asked)


def in_child(word: str, folder: Path, count: int) -> None:
    command = [sys.executable, "-m", "tests.faults.remember_child", word, str(folder), str(count)]
    ended = subprocess.run(command, capture_output=True, timeout=240, check=False)
    assert ended.returncode == 0, ended.stderr.decode()[-2000:]


def rows(folder: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(folder / "gligabao.db")) as connection:
        return connection.execute(sql).fetchall()
