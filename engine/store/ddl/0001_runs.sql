-- Runs, states, journal. The two tables that a database of an older program may hold already are
-- created only where they are missing; their newer columns are added by engine/store/migrate.py
-- before this file runs, so that the indexes below find them.

CREATE TABLE IF NOT EXISTS gb_agent_research_runs(
  id {ID},
  user_id TEXT NOT NULL,
  parent_id BIGINT REFERENCES gb_agent_research_runs(id),
  root_id BIGINT,
  name TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '',
  role TEXT NOT NULL DEFAULT '',
  topic TEXT NOT NULL,
  status TEXT NOT NULL CHECK(status IN('running','completed','failed','stopped')),
  state TEXT NOT NULL,
  model TEXT NOT NULL DEFAULT '',
  max_steps BIGINT NOT NULL,
  steps BIGINT NOT NULL DEFAULT 0,
  tool_calls BIGINT NOT NULL DEFAULT 0,
  input_tokens BIGINT NOT NULL DEFAULT 0,
  output_tokens BIGINT NOT NULL DEFAULT 0,
  cost_usd DOUBLE PRECISION NOT NULL DEFAULT 0,
  report TEXT NOT NULL DEFAULT '',
  error TEXT NOT NULL DEFAULT '',
  agent_name TEXT NOT NULL DEFAULT '',
  agent_version TEXT NOT NULL DEFAULT '',
  agent_hash TEXT NOT NULL DEFAULT '',
  phase TEXT NOT NULL DEFAULT '',
  stop_reason TEXT NOT NULL DEFAULT '',
  wrap_up_at TEXT,
  wrap_up_by TEXT,
  created_at TEXT NOT NULL,
  finished_at TEXT
);
CREATE INDEX gb_runs_user ON gb_agent_research_runs(user_id, status);
CREATE INDEX gb_runs_root ON gb_agent_research_runs(root_id);
CREATE INDEX gb_runs_parent ON gb_agent_research_runs(parent_id);

-- What the run was started with: request, merged definition, system prompt, tools.
CREATE TABLE gb_agent_run_specs(
  run_id BIGINT PRIMARY KEY REFERENCES gb_agent_research_runs(id),
  spec TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS gb_agent_research_states(
  run_id BIGINT NOT NULL REFERENCES gb_agent_research_runs(id),
  seq BIGINT NOT NULL,
  state TEXT NOT NULL,
  step BIGINT NOT NULL DEFAULT 0,
  detail TEXT NOT NULL DEFAULT '',
  error TEXT NOT NULL DEFAULT '',
  started_at TEXT NOT NULL,
  finished_at TEXT,
  PRIMARY KEY(run_id, seq)
);

-- One complete reply of the model, verbatim; told: what the loop itself had added before it.
CREATE TABLE gb_agent_steps(
  run_id BIGINT NOT NULL REFERENCES gb_agent_research_runs(id),
  step BIGINT NOT NULL,
  kind TEXT NOT NULL DEFAULT '',
  told TEXT NOT NULL DEFAULT '[]',
  content TEXT NOT NULL,
  stop_reason TEXT NOT NULL,
  model TEXT NOT NULL,
  request_id TEXT NOT NULL DEFAULT '',
  input_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  cache_read_tokens BIGINT NOT NULL,
  cache_write_tokens BIGINT NOT NULL,
  cost_usd DOUBLE PRECISION NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY(run_id, step)
);

-- What a page said when it was read; content once.
CREATE TABLE gb_snapshots(
  id {ID},
  sha256 TEXT NOT NULL UNIQUE,
  media_type TEXT NOT NULL,
  title TEXT NOT NULL DEFAULT '',
  text TEXT NOT NULL,
  chars BIGINT NOT NULL,
  created_at TEXT NOT NULL
);

-- Reading facts stand here, content in gb_snapshots.
CREATE TABLE gb_agent_tool_calls(
  id {ID},
  run_id BIGINT NOT NULL REFERENCES gb_agent_research_runs(id),
  step BIGINT NOT NULL,
  ord BIGINT NOT NULL,
  tool_use_id TEXT NOT NULL,
  name TEXT NOT NULL,
  input TEXT NOT NULL,
  result TEXT,
  is_error INTEGER NOT NULL DEFAULT 0,
  cost_usd DOUBLE PRECISION NOT NULL DEFAULT 0,
  url TEXT,
  final_url TEXT,
  snapshot_id BIGINT REFERENCES gb_snapshots(id),
  started_at TEXT NOT NULL,
  finished_at TEXT,
  UNIQUE(run_id, step, ord)
);

CREATE TABLE gb_citations(
  id {ID},
  run_id BIGINT NOT NULL REFERENCES gb_agent_research_runs(id),
  ord BIGINT NOT NULL,
  n BIGINT NOT NULL,
  tool_call_id BIGINT REFERENCES gb_agent_tool_calls(id),
  start_ch BIGINT,
  end_ch BIGINT,
  quote TEXT NOT NULL,
  verdict TEXT NOT NULL,
  UNIQUE(run_id, ord)
);

CREATE TABLE gb_agent_messages(
  id {ID},
  root_id BIGINT NOT NULL,
  from_run BIGINT NOT NULL,
  to_run BIGINT NOT NULL,
  text TEXT NOT NULL,
  sent_at TEXT NOT NULL,
  read_at TEXT
);

-- One HTTP request to a model, written before it is sent.
CREATE TABLE gb_inferences(
  id {ID},
  purpose TEXT NOT NULL,
  run_id BIGINT,
  remember_run_id BIGINT,
  query_run_id BIGINT,
  step BIGINT NOT NULL DEFAULT 0,
  attempt BIGINT NOT NULL,
  model TEXT NOT NULL,
  prompt_version TEXT NOT NULL DEFAULT '',
  request_hash TEXT NOT NULL,
  state TEXT NOT NULL,
  http_status BIGINT,
  request_id TEXT NOT NULL DEFAULT '',
  input_tokens BIGINT NOT NULL DEFAULT 0,
  output_tokens BIGINT NOT NULL DEFAULT 0,
  cache_read_tokens BIGINT NOT NULL DEFAULT 0,
  cache_write_tokens BIGINT NOT NULL DEFAULT 0,
  searches BIGINT NOT NULL DEFAULT 0,
  reserved_usd DOUBLE PRECISION NOT NULL DEFAULT 0,
  cost_usd DOUBLE PRECISION NOT NULL DEFAULT 0,
  is_estimate INTEGER NOT NULL DEFAULT 0,
  error TEXT NOT NULL DEFAULT '',
  started_at TEXT NOT NULL,
  finished_at TEXT
);
CREATE INDEX gb_inferences_run ON gb_inferences(run_id, step);
