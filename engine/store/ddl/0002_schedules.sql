-- What a person changed about a schedule; the file stays as it is.
CREATE TABLE gb_schedules(
  agent_name TEXT PRIMARY KEY,
  paused INTEGER NOT NULL,
  changed_at TEXT NOT NULL
);

-- A due time fires once.
CREATE TABLE gb_schedule_fires(
  agent_name TEXT NOT NULL,
  due TEXT NOT NULL,
  run_id BIGINT,
  outcome TEXT NOT NULL,
  why TEXT NOT NULL DEFAULT '',
  fired_at TEXT NOT NULL,
  PRIMARY KEY(agent_name, due)
);
