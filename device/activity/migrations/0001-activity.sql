-- What somebody is asked about, and how that ended. What would change is kept while it waits, no longer.
CREATE TABLE approvals (
  id TEXT PRIMARY KEY NOT NULL,
  root TEXT NOT NULL,
  caller TEXT NOT NULL,
  tool TEXT NOT NULL,
  kind TEXT NOT NULL,
  action TEXT NOT NULL,
  paths TEXT NOT NULL,
  why TEXT NOT NULL,
  reason TEXT NOT NULL,
  diff TEXT,
  diff_left_out INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  until INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'expired', 'withdrawn')),
  ended_at INTEGER,
  ended_by TEXT CHECK (ended_by IN ('console', 'command', 'client'))
) STRICT;
CREATE INDEX approvals_by_state ON approvals (state, asked_at);

-- Runs of agents: counts, times and codes. What was asked and answered is kept elsewhere.
CREATE TABLE runs (
  id TEXT PRIMARY KEY NOT NULL,
  agent TEXT NOT NULL,
  project_id TEXT,
  begun_at INTEGER NOT NULL,
  ended_at INTEGER,
  status TEXT,
  code TEXT,
  tokens INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  answer_id TEXT
) STRICT;
CREATE INDEX runs_by_time ON runs (begun_at);
