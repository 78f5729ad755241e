-- Written by test/device/store.test.ts from the migrations, never by hand.
CREATE TABLE proposal_tombstones (
  id TEXT PRIMARY KEY NOT NULL,
  reason TEXT NOT NULL,
  closed_at INTEGER NOT NULL
, round INTEGER NOT NULL DEFAULT 1, outcome TEXT) STRICT;
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
, not_before INTEGER, sent_at INTEGER) STRICT;
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
CREATE TABLE projects (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  folder_path TEXT,
  folder_last_scanned_at INTEGER,
  folder_last_scan_status TEXT NOT NULL DEFAULT 'idle' CHECK (folder_last_scan_status IN ('idle', 'scanning', 'error')),
  folder_error_code TEXT,
  folder_error_sentence TEXT,
  folder_total_files INTEGER NOT NULL DEFAULT 0,
  scan_holder TEXT,
  scan_pid INTEGER,
  scan_until INTEGER,
  scan_rules_hash TEXT
) STRICT;
CREATE TABLE local_scout_configs (
  project_id TEXT PRIMARY KEY NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  source_type TEXT NOT NULL DEFAULT 'folder',
  is_enabled INTEGER NOT NULL DEFAULT 1,
  rescan_every_ms INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE scout_runs (
  id TEXT PRIMARY KEY NOT NULL,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  cause TEXT NOT NULL CHECK (cause IN ('link', 'manual', 'daily', 'stale')),
  status TEXT NOT NULL DEFAULT 'running'
    CHECK (status IN ('running', 'completed', 'cancelled', 'quota_exceeded', 'error')),
  error_code TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  new_files INTEGER NOT NULL DEFAULT 0,
  changed_files INTEGER NOT NULL DEFAULT 0,
  renamed_files INTEGER NOT NULL DEFAULT 0,
  deleted_files INTEGER NOT NULL DEFAULT 0,
  skipped_files INTEGER NOT NULL DEFAULT 0,
  unchanged_files INTEGER NOT NULL DEFAULT 0,
  summarized_files INTEGER NOT NULL DEFAULT 0,
  tokens_used INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX scout_runs_by_project ON scout_runs (project_id, started_at);
CREATE TABLE scout_run_actions (
  id INTEGER PRIMARY KEY NOT NULL,
  run_id TEXT NOT NULL REFERENCES scout_runs (id) ON DELETE CASCADE,
  action TEXT NOT NULL
    CHECK (action IN ('added', 'changed', 'renamed', 'copied', 'removed', 'skipped', 'summarized', 'failed')),
  relative_path TEXT NOT NULL,
  from_path TEXT,
  code TEXT
) STRICT;
CREATE INDEX scout_run_actions_by_run ON scout_run_actions (run_id);
CREATE TABLE folder_snapshots (
  project_id TEXT PRIMARY KEY NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  basis TEXT NOT NULL,
  directories TEXT NOT NULL,
  left_out TEXT NOT NULL
) STRICT;
CREATE TABLE known_scouts (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT,
  source_type TEXT,
  off_code TEXT,
  off_since INTEGER
) STRICT;
CREATE TABLE "scout_suggestions" (
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
, metadata TEXT, round INTEGER NOT NULL DEFAULT 1, decided_elsewhere TEXT, entity_change INTEGER, priority TEXT NOT NULL DEFAULT 'none', categorizer TEXT, categorize_after INTEGER, categorize_tries INTEGER NOT NULL DEFAULT 0, snoozed_at INTEGER, snoozed_until INTEGER, project_id TEXT, model_after INTEGER, model_reader TEXT, model_tries INTEGER NOT NULL DEFAULT 0, written_at INTEGER NOT NULL GENERATED ALWAYS AS (
  CASE
    WHEN metadata ->> '$.arrivedAt' BETWEEN 31536000000 AND triaged_at THEN
      CASE
        WHEN metadata ->> '$.sentAt' BETWEEN max(31536000000, (metadata ->> '$.arrivedAt') - 604800000) AND metadata ->> '$.arrivedAt'
          THEN metadata ->> '$.sentAt'
        ELSE metadata ->> '$.arrivedAt'
      END
    WHEN metadata ->> '$.sentAt' BETWEEN 31536000000 AND triaged_at THEN metadata ->> '$.sentAt'
    ELSE triaged_at
  END
) VIRTUAL) STRICT;
CREATE TABLE waiting_scouts (
  scout_id TEXT PRIMARY KEY NOT NULL,
  code TEXT NOT NULL,
  since INTEGER NOT NULL,
  items INTEGER NOT NULL
) STRICT;
CREATE TABLE "project_folder_files" (
  id INTEGER PRIMARY KEY NOT NULL,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  relative_path TEXT NOT NULL,
  ext TEXT NOT NULL,
  kind TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  mtime_ms REAL NOT NULL,
  ctime_ms REAL,
  inode TEXT,
  version TEXT NOT NULL,
  content_hash TEXT,
  tag TEXT,
  skip_reason TEXT,
  summary TEXT CHECK (length(summary) <= 500),
  summary_hash TEXT,
  summary_updated_at INTEGER,
  prompt_version TEXT,
  UNIQUE (project_id, relative_path)
) STRICT;
CREATE INDEX project_folder_files_versions ON project_folder_files (project_id, relative_path, version);
CREATE INDEX project_folder_files_by_mtime ON project_folder_files (project_id, mtime_ms);
CREATE INDEX project_folder_files_by_hash ON project_folder_files (project_id, content_hash);
CREATE INDEX project_folder_files_unsummarized ON project_folder_files (project_id)
  WHERE kind <> 'skipped' AND summary_hash IS NOT content_hash;
CREATE INDEX project_folder_files_skipped ON project_folder_files (project_id, skip_reason) WHERE kind = 'skipped';
CREATE INDEX project_folder_files_unreliable ON project_folder_files (project_id) WHERE version = '';
CREATE TABLE table_sums (
  name TEXT PRIMARY KEY NOT NULL,
  version INTEGER NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE INDEX scout_suggestions_by_thread ON scout_suggestions (source_type, metadata ->> '$.threadRef')
  WHERE metadata ->> '$.threadRef' IS NOT NULL;
CREATE INDEX outbox_held ON outbox (not_before) WHERE not_before IS NOT NULL AND sent_at IS NULL;
CREATE TABLE "tasks" (
  id TEXT PRIMARY KEY NOT NULL,
  title TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  due TEXT,
  priority TEXT NOT NULL DEFAULT 'none',
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'done')),
  project_id TEXT REFERENCES projects (id) ON DELETE SET NULL,
  done_at INTEGER,
  source_suggestion_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tasks_by_project ON tasks (project_id, status);
CREATE TABLE events (
  id TEXT PRIMARY KEY NOT NULL,
  title TEXT NOT NULL,
  start TEXT NOT NULL,
  end TEXT NOT NULL,
  zone TEXT,
  is_all_day INTEGER NOT NULL DEFAULT 0,
  place TEXT NOT NULL DEFAULT '',
  people TEXT NOT NULL DEFAULT '[]',
  note TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL DEFAULT 'confirmed',
  uid TEXT NOT NULL,
  recurrence_id TEXT NOT NULL DEFAULT '',
  sequence INTEGER NOT NULL DEFAULT 0,
  stamped_at INTEGER,
  recurrence TEXT NOT NULL DEFAULT '[]',
  source_suggestion_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (uid, recurrence_id)
) STRICT;
CREATE INDEX events_by_start ON events (start);
CREATE TABLE notes (
  id TEXT PRIMARY KEY NOT NULL,
  title TEXT NOT NULL,
  markdown TEXT NOT NULL DEFAULT '',
  source_suggestion_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE TABLE people (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  addresses TEXT NOT NULL DEFAULT '[]',
  note TEXT NOT NULL DEFAULT '',
  source_suggestion_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE TABLE memory (
  id TEXT PRIMARY KEY NOT NULL,
  fact TEXT NOT NULL,
  source TEXT NOT NULL DEFAULT '',
  source_suggestion_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE TABLE entity_changes (
  number INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  kind TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  before TEXT,
  after TEXT,
  undoes INTEGER,
  changed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX entity_changes_by_entity ON entity_changes (entity_id, number);
CREATE TABLE search_changes (
  number INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL
) STRICT;
CREATE TRIGGER search_task_insert AFTER INSERT ON tasks BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('task', NEW.id);
END;
CREATE TRIGGER search_task_update AFTER UPDATE ON tasks BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('task', NEW.id);
END;
CREATE TRIGGER search_task_delete AFTER DELETE ON tasks BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('task', OLD.id);
END;
CREATE TRIGGER search_event_insert AFTER INSERT ON events BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('event', NEW.id);
END;
CREATE TRIGGER search_event_update AFTER UPDATE ON events BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('event', NEW.id);
END;
CREATE TRIGGER search_event_delete AFTER DELETE ON events BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('event', OLD.id);
END;
CREATE TRIGGER search_note_insert AFTER INSERT ON notes BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('note', NEW.id);
END;
CREATE TRIGGER search_note_update AFTER UPDATE ON notes BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('note', NEW.id);
END;
CREATE TRIGGER search_note_delete AFTER DELETE ON notes BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('note', OLD.id);
END;
CREATE TRIGGER search_person_insert AFTER INSERT ON people BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('person', NEW.id);
END;
CREATE TRIGGER search_person_update AFTER UPDATE ON people BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('person', NEW.id);
END;
CREATE TRIGGER search_person_delete AFTER DELETE ON people BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('person', OLD.id);
END;
CREATE TRIGGER search_memory_insert AFTER INSERT ON memory BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('memory', NEW.id);
END;
CREATE TRIGGER search_memory_update AFTER UPDATE ON memory BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('memory', NEW.id);
END;
CREATE TRIGGER search_memory_delete AFTER DELETE ON memory BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('memory', OLD.id);
END;
CREATE TRIGGER search_proposal_insert AFTER INSERT ON scout_suggestions BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('proposal', NEW.id);
END;
CREATE TRIGGER search_proposal_delete AFTER DELETE ON scout_suggestions BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('proposal', OLD.id);
END;
CREATE INDEX scout_suggestions_unprocessed ON scout_suggestions (triaged_at)
  WHERE category = 'unprocessed' AND status = 'pending';
CREATE INDEX scout_suggestions_by_event ON scout_suggestions (payload ->> '$.calendar.uid')
  WHERE payload ->> '$.calendar.uid' IS NOT NULL;
CREATE TABLE answers (
  id TEXT PRIMARY KEY NOT NULL,
  follows TEXT,
  project_id TEXT REFERENCES projects (id) ON DELETE CASCADE,
  question TEXT NOT NULL,
  answer TEXT NOT NULL,
  files TEXT NOT NULL DEFAULT '[]',
  digest TEXT NOT NULL UNIQUE,
  asked_at INTEGER NOT NULL
, sealed BLOB) STRICT;
CREATE INDEX answers_by_project ON answers (project_id, asked_at);
CREATE INDEX scout_suggestions_unread ON scout_suggestions (model_after)
  WHERE model_after IS NOT NULL AND status = 'pending';
CREATE TABLE work_files (
  folder TEXT NOT NULL,
  name TEXT NOT NULL,
  file TEXT NOT NULL,
  device TEXT,
  note_id TEXT,
  copy TEXT,
  PRIMARY KEY (folder, name)
) STRICT;
CREATE INDEX scout_suggestions_by_status ON scout_suggestions (status, written_at);
CREATE TRIGGER search_proposal_update AFTER UPDATE OF raw_subject, raw_snippet, reason, metadata, payload, project_id ON scout_suggestions BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('proposal', NEW.id);
END;
