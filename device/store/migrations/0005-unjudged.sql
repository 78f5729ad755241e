-- Why the cloud closed a proposal is an open list: what it may say is checked where it is read.
CREATE TABLE scout_suggestions_now (
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
  closed_reason TEXT,
  triaged_at INTEGER NOT NULL,
  proposed_at INTEGER NOT NULL,
  resolved_at INTEGER,
  resolved_entity_type TEXT,
  resolved_entity_id TEXT
) STRICT;
INSERT INTO scout_suggestions_now SELECT
  id, scout_id, source_type, source_msg_ref, category, payload, raw_subject, raw_snippet, reason, reason_code, status,
  closed_reason, triaged_at, proposed_at, resolved_at, resolved_entity_type, resolved_entity_id
FROM scout_suggestions;
DROP TABLE scout_suggestions;
ALTER TABLE scout_suggestions_now RENAME TO scout_suggestions;
CREATE INDEX scout_suggestions_by_status ON scout_suggestions (status, triaged_at);

CREATE TABLE waiting_scouts (
  scout_id TEXT PRIMARY KEY NOT NULL,
  code TEXT NOT NULL,
  since INTEGER NOT NULL,
  items INTEGER NOT NULL
) STRICT;
