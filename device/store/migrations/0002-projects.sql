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

CREATE TABLE project_folder_files (
  id INTEGER PRIMARY KEY NOT NULL,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  relative_path TEXT NOT NULL,
  ext TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('text', 'pdf', 'docx', 'image', 'skipped', 'error')),
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

CREATE TABLE tasks (
  id TEXT PRIMARY KEY NOT NULL,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'done')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tasks_by_project ON tasks (project_id, status);

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
