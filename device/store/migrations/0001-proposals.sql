CREATE TABLE scout_suggestions (
  id TEXT PRIMARY KEY NOT NULL,
  scout_id TEXT NOT NULL,
  source_type TEXT NOT NULL,
  source_msg_ref TEXT NOT NULL,
  category TEXT NOT NULL DEFAULT 'unprocessed',
  payload TEXT,
  raw_subject TEXT,
  raw_snippet TEXT,
  reason TEXT,
  reason_code TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected', 'expired')),
  closed_reason TEXT CHECK (closed_reason IN ('resolved_elsewhere', 'gone', 'expired', 'restored')),
  triaged_at INTEGER NOT NULL,
  proposed_at INTEGER NOT NULL,
  resolved_at INTEGER,
  resolved_entity_type TEXT,
  resolved_entity_id TEXT
) STRICT;
CREATE INDEX scout_suggestions_by_status ON scout_suggestions (status, triaged_at);

CREATE TABLE proposal_tombstones (
  id TEXT PRIMARY KEY NOT NULL,
  reason TEXT NOT NULL,
  closed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  subject TEXT,
  dedupe_key TEXT UNIQUE,
  frame TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  refused_code TEXT,
  refused_at INTEGER
) STRICT;
CREATE INDEX outbox_waiting ON outbox (seq) WHERE refused_at IS NULL;

CREATE TABLE cursors (
  name TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE device_identity (
  only_row INTEGER PRIMARY KEY NOT NULL CHECK (only_row = 1),
  device_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  session_id TEXT,
  ready_at INTEGER,
  seen_at INTEGER,
  clock_offset_ms INTEGER,
  trouble_code TEXT,
  trouble_at INTEGER
) STRICT;
