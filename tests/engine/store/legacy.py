"""Databases of the program before this one, made by hand as it made them."""

import sqlite3
from contextlib import closing
from pathlib import Path

FIRST = """
CREATE TABLE IF NOT EXISTS gb_agent_research_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT, user_id TEXT NOT NULL, topic TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running','completed','failed','stopped')),
  state TEXT NOT NULL, model TEXT NOT NULL DEFAULT '', max_steps INTEGER NOT NULL,
  steps INTEGER NOT NULL DEFAULT 0, tool_calls INTEGER NOT NULL DEFAULT 0,
  input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
  cost_usd REAL NOT NULL DEFAULT 0, report TEXT NOT NULL DEFAULT '',
  error TEXT NOT NULL DEFAULT '', created_at TEXT NOT NULL, finished_at TEXT);
"""
"""Before sub-agents and definitions."""

STATES = """
CREATE TABLE IF NOT EXISTS gb_agent_research_states (
  run_id INTEGER NOT NULL REFERENCES gb_agent_research_runs(id), seq INTEGER NOT NULL,
  state TEXT NOT NULL, step INTEGER NOT NULL DEFAULT 0, detail TEXT NOT NULL DEFAULT '',
  error TEXT NOT NULL DEFAULT '', started_at TEXT NOT NULL, finished_at TEXT,
  PRIMARY KEY (run_id, seq));
"""

WITH_DEFINITIONS = """
ALTER TABLE gb_agent_research_runs
  ADD COLUMN parent_id INTEGER REFERENCES gb_agent_research_runs(id);
ALTER TABLE gb_agent_research_runs ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE gb_agent_research_runs ADD COLUMN reason TEXT NOT NULL DEFAULT '';
ALTER TABLE gb_agent_research_runs ADD COLUMN agent_name TEXT NOT NULL DEFAULT '';
ALTER TABLE gb_agent_research_runs ADD COLUMN agent_version TEXT NOT NULL DEFAULT '';
ALTER TABLE gb_agent_research_runs ADD COLUMN agent_hash TEXT NOT NULL DEFAULT '';
CREATE INDEX gb_agent_research_runs_parent ON gb_agent_research_runs(parent_id);
UPDATE gb_agent_research_runs SET agent_name = 'news_scanner', agent_version = '1.2.0';
"""
"""Just before the investigative loop: everything but `phase` and `stop_reason`."""

ROWS = """
INSERT INTO gb_agent_research_runs
  (user_id, topic, status, state, model, max_steps, steps, tool_calls, input_tokens,
   output_tokens, cost_usd, report, created_at, finished_at)
VALUES ('u1', 'Solid-state batteries', 'completed', 'completed', 'm', 20, 3, 2, 900, 80, 0.0421,
   '# Report', '2026-10-01T10:00:00.120Z', '2026-10-01T10:05:00.000Z');
INSERT INTO gb_agent_research_runs
  (user_id, topic, status, state, max_steps, created_at)
VALUES ('u1', 'Left behind', 'running', 'thinking', 20, '2026-10-02T10:00:00.000Z');
INSERT INTO gb_agent_research_states (run_id, seq, state, started_at, finished_at)
VALUES (1, 1, 'starting', '2026-10-01T10:00:00.120Z', '2026-10-01T10:00:01.000Z'),
  (1, 2, 'completed', '2026-10-01T10:05:00.000Z', NULL),
  (2, 1, 'starting', '2026-10-02T10:00:00.000Z', '2026-10-02T10:00:01.000Z'),
  (2, 2, 'thinking', '2026-10-02T10:00:01.000Z', NULL);
"""

OLDER = {
    "first": FIRST + STATES + ROWS,
    "with definitions": FIRST + STATES + ROWS + WITH_DEFINITIONS,
}


def make(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
        connection.commit()
