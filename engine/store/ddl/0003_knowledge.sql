-- The knowledge base. Scope is the dataset: nothing of one refers to another. The state of a fact
-- (status, period, support) in gb_edges is a projection: the fold of its gb_edge_events is the truth.

CREATE TABLE gb_datasets(
  id {ID},
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE(user_id, name)
);

CREATE TABLE gb_artifacts(
  id {ID},
  dataset_id BIGINT NOT NULL REFERENCES gb_datasets(id) ON DELETE CASCADE,
  session_id TEXT NOT NULL DEFAULT '',
  source TEXT NOT NULL DEFAULT '',
  kind TEXT NOT NULL DEFAULT 'text',
  title TEXT NOT NULL DEFAULT '',
  text TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  chars BIGINT NOT NULL,
  lang TEXT,
  ref_time TEXT,
  ref_lo BIGINT,
  ref_hi BIGINT,
  created_at TEXT NOT NULL,
  UNIQUE(dataset_id, session_id, source, content_hash)
);
CREATE INDEX gb_artifacts_hash ON gb_artifacts(dataset_id, content_hash);
CREATE INDEX gb_artifacts_session ON gb_artifacts(session_id);

-- Chunks and sentences as spans of the text, which stands in gb_artifacts alone.
CREATE TABLE gb_artifact_parts(
  id {ID},
  artifact_id BIGINT NOT NULL REFERENCES gb_artifacts(id) ON DELETE CASCADE,
  dataset_id BIGINT NOT NULL,
  kind TEXT NOT NULL,
  ord BIGINT NOT NULL,
  start_ch BIGINT NOT NULL,
  end_ch BIGINT NOT NULL,
  UNIQUE(artifact_id, kind, ord)
);

-- The queue. One slot, held while running: that only one text is worked on is a constraint.
CREATE TABLE gb_remember_runs(
  id {ID},
  user_id TEXT NOT NULL,
  dataset_id BIGINT NOT NULL REFERENCES gb_datasets(id) ON DELETE CASCADE,
  artifact_id BIGINT NOT NULL REFERENCES gb_artifacts(id) ON DELETE CASCADE,
  kind TEXT NOT NULL DEFAULT 'knowledge',
  session_id TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL
    CHECK(status IN('queued','running','completed','failed','stored_only')),
  phase TEXT NOT NULL DEFAULT '',
  slot TEXT UNIQUE,
  attempt BIGINT NOT NULL DEFAULT 0,
  lease_until TEXT,
  next_attempt_at TEXT NOT NULL DEFAULT '',
  extraction TEXT,
  reconciling TEXT,
  entities BIGINT NOT NULL DEFAULT 0,
  entities_new BIGINT NOT NULL DEFAULT 0,
  facts BIGINT NOT NULL DEFAULT 0,
  facts_new BIGINT NOT NULL DEFAULT 0,
  ended BIGINT NOT NULL DEFAULT 0,
  superseded BIGINT NOT NULL DEFAULT 0,
  invalidated BIGINT NOT NULL DEFAULT 0,
  dropped BIGINT NOT NULL DEFAULT 0,
  error TEXT NOT NULL DEFAULT '',
  queued_at TEXT NOT NULL,
  started_at TEXT,
  finished_at TEXT,
  CHECK((status='running') = (slot IS NOT NULL))
);
CREATE INDEX gb_remember_queue ON gb_remember_runs(status, next_attempt_at, id);
CREATE INDEX gb_remember_artifact ON gb_remember_runs(artifact_id);
CREATE INDEX gb_remember_session ON gb_remember_runs(session_id);
CREATE INDEX gb_remember_dataset ON gb_remember_runs(dataset_id, id);

CREATE TABLE gb_entities(
  id {ID},
  dataset_id BIGINT NOT NULL REFERENCES gb_datasets(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  disambig TEXT NOT NULL DEFAULT '',
  type TEXT NOT NULL DEFAULT 'thing',
  is_value INTEGER NOT NULL DEFAULT 0,
  description TEXT NOT NULL DEFAULT '',
  merged_into BIGINT REFERENCES gb_entities(id),
  created_at TEXT NOT NULL,
  UNIQUE(dataset_id, name_key, disambig)
);
CREATE INDEX gb_entities_key ON gb_entities(name_key);
CREATE INDEX gb_entities_merged ON gb_entities(merged_into);

CREATE TABLE gb_entity_aliases(
  dataset_id BIGINT NOT NULL,
  alias_key TEXT NOT NULL,
  entity_id BIGINT NOT NULL REFERENCES gb_entities(id) ON DELETE CASCADE,
  alias TEXT NOT NULL,
  how TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY(dataset_id, alias_key, entity_id)
);
CREATE INDEX gb_entity_aliases_entity ON gb_entity_aliases(entity_id);

CREATE TABLE gb_entity_sessions(
  entity_id BIGINT NOT NULL REFERENCES gb_entities(id) ON DELETE CASCADE,
  artifact_id BIGINT NOT NULL REFERENCES gb_artifacts(id) ON DELETE CASCADE,
  session_id TEXT NOT NULL,
  dataset_id BIGINT NOT NULL,
  role TEXT NOT NULL CHECK(role IN('created','restated')),
  mention TEXT NOT NULL,
  recorded_at TEXT NOT NULL,
  PRIMARY KEY(entity_id, artifact_id)
);
CREATE INDEX gb_entity_sessions_s ON gb_entity_sessions(session_id, role);
CREATE INDEX gb_entity_sessions_artifact ON gb_entity_sessions(artifact_id);

CREATE TABLE gb_edges(
  id {ID},
  dataset_id BIGINT NOT NULL REFERENCES gb_datasets(id) ON DELETE CASCADE,
  source_id BIGINT NOT NULL REFERENCES gb_entities(id),
  relation TEXT NOT NULL,
  relation_key TEXT NOT NULL,
  target_id BIGINT NOT NULL REFERENCES gb_entities(id),
  description TEXT NOT NULL DEFAULT '',
  fact_key TEXT NOT NULL,
  is_exclusive INTEGER NOT NULL DEFAULT 0,
  negated INTEGER NOT NULL DEFAULT 0,
  valid_from TEXT,
  vf_lo BIGINT,
  vf_hi BIGINT,
  valid_to TEXT,
  vt_lo BIGINT,
  vt_hi BIGINT,
  status TEXT NOT NULL CHECK(status IN('active','ended','superseded','invalidated')),
  superseded_by BIGINT REFERENCES gb_edges(id) ON DELETE SET NULL,
  support BIGINT NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE(dataset_id, fact_key)
);
CREATE INDEX gb_edges_src ON gb_edges(dataset_id, source_id, relation_key);
CREATE INDEX gb_edges_tgt ON gb_edges(dataset_id, target_id);
CREATE INDEX gb_edges_time ON gb_edges(dataset_id, vf_lo, vt_hi);
-- In the order they were stored, page by page.
CREATE INDEX gb_edges_listed ON gb_edges(dataset_id, id);
-- For what a deleted entity or fact must be looked up by alone.
CREATE INDEX gb_edges_source ON gb_edges(source_id);
CREATE INDEX gb_edges_target ON gb_edges(target_id);
CREATE INDEX gb_edges_superseded ON gb_edges(superseded_by);

CREATE TABLE gb_edge_sessions(
  edge_id BIGINT NOT NULL REFERENCES gb_edges(id) ON DELETE CASCADE,
  artifact_id BIGINT NOT NULL REFERENCES gb_artifacts(id) ON DELETE CASCADE,
  session_id TEXT NOT NULL,
  dataset_id BIGINT NOT NULL,
  role TEXT NOT NULL CHECK(role IN('created','restated')),
  quote TEXT,
  quote_start BIGINT,
  quote_end BIGINT,
  recorded_at TEXT NOT NULL,
  PRIMARY KEY(edge_id, artifact_id)
);
CREATE INDEX gb_edge_sessions_s ON gb_edge_sessions(session_id, role);
CREATE INDEX gb_edge_sessions_artifact ON gb_edge_sessions(artifact_id);

CREATE TABLE gb_edge_events(
  id {ID},
  edge_id BIGINT NOT NULL REFERENCES gb_edges(id) ON DELETE CASCADE,
  dataset_id BIGINT NOT NULL,
  kind TEXT NOT NULL CHECK(kind IN('created','confirmed','ended','invalidated','superseded')),
  event_time TEXT,
  ev_lo BIGINT,
  ev_hi BIGINT,
  time_basis TEXT NOT NULL CHECK(time_basis IN('stated','inferred','reference','recorded')),
  recorded_at TEXT NOT NULL,
  artifact_id BIGINT REFERENCES gb_artifacts(id) ON DELETE CASCADE,
  session_id TEXT NOT NULL DEFAULT '',
  remember_run_id BIGINT,
  cause_edge_id BIGINT REFERENCES gb_edges(id) ON DELETE CASCADE,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL DEFAULT '',
  dedup_key TEXT NOT NULL UNIQUE
);
CREATE INDEX gb_edge_events_edge ON gb_edge_events(edge_id, id);
CREATE INDEX gb_edge_events_time ON gb_edge_events(dataset_id, ev_lo);
CREATE INDEX gb_edge_events_artifact ON gb_edge_events(artifact_id);
CREATE INDEX gb_edge_events_cause ON gb_edge_events(cause_edge_id);
CREATE INDEX gb_edge_events_session ON gb_edge_events(session_id);
CREATE INDEX gb_edge_events_run ON gb_edge_events(remember_run_id);

-- Told apart by nobody: shown, decided by a person or a later text.
CREATE TABLE gb_edge_conflicts(
  edge_id BIGINT NOT NULL REFERENCES gb_edges(id) ON DELETE CASCADE,
  other_id BIGINT NOT NULL REFERENCES gb_edges(id) ON DELETE CASCADE,
  why TEXT NOT NULL,
  recorded_at TEXT NOT NULL,
  PRIMARY KEY(edge_id, other_id)
);
CREATE INDEX gb_edge_conflicts_other ON gb_edge_conflicts(other_id);

CREATE TABLE gb_query_runs(
  id {ID},
  user_id TEXT NOT NULL,
  session_id TEXT NOT NULL DEFAULT '',
  datasets TEXT NOT NULL,
  question TEXT NOT NULL,
  as_of TEXT,
  as_of_lo BIGINT,
  as_of_hi BIGINT,
  status TEXT NOT NULL,
  answer TEXT NOT NULL DEFAULT '',
  facts TEXT NOT NULL DEFAULT '[]',
  retrieved TEXT NOT NULL DEFAULT '[]',
  error TEXT NOT NULL DEFAULT '',
  started_at TEXT NOT NULL,
  finished_at TEXT
);
CREATE INDEX gb_query_runs_user ON gb_query_runs(user_id, id);
CREATE INDEX gb_query_runs_session ON gb_query_runs(session_id);

-- BM25 postings; kind: sentence (a part), fact, entity.
CREATE TABLE gb_terms(
  dataset_id BIGINT NOT NULL,
  term TEXT NOT NULL,
  kind TEXT NOT NULL,
  ref_id BIGINT NOT NULL,
  tf BIGINT NOT NULL,
  PRIMARY KEY(dataset_id, kind, term, ref_id)
);
-- For what is read on from the last one known, and for taking away.
CREATE INDEX gb_terms_ref ON gb_terms(dataset_id, kind, ref_id);

CREATE TABLE gb_term_lengths(
  dataset_id BIGINT NOT NULL,
  kind TEXT NOT NULL,
  ref_id BIGINT NOT NULL,
  terms BIGINT NOT NULL,
  PRIMARY KEY(dataset_id, kind, ref_id)
);

CREATE TABLE gb_vectors(
  kind TEXT NOT NULL,
  ref_id BIGINT NOT NULL,
  dataset_id BIGINT NOT NULL,
  model TEXT NOT NULL,
  dim BIGINT NOT NULL,
  vec {BYTES} NOT NULL,
  PRIMARY KEY(kind, ref_id, model)
);
CREATE INDEX gb_vectors_dataset ON gb_vectors(dataset_id, model, kind);

-- What remembering and asking cost, of one remember or query run.
CREATE INDEX gb_inferences_remember ON gb_inferences(remember_run_id);
CREATE INDEX gb_inferences_query ON gb_inferences(query_run_id);
