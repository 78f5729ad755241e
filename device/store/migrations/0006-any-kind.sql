-- What kinds of files there are is said in events/folders.ts alone: a new one needs no new table.
CREATE TABLE project_folder_files_now (
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
INSERT INTO project_folder_files_now SELECT
  id, project_id, relative_path, ext, kind, size_bytes, mtime_ms, ctime_ms, inode, version, content_hash, tag, skip_reason,
  summary, summary_hash, summary_updated_at, prompt_version
FROM project_folder_files;
DROP TABLE project_folder_files;
ALTER TABLE project_folder_files_now RENAME TO project_folder_files;
CREATE INDEX project_folder_files_versions ON project_folder_files (project_id, relative_path, version);
CREATE INDEX project_folder_files_by_mtime ON project_folder_files (project_id, mtime_ms);
CREATE INDEX project_folder_files_by_hash ON project_folder_files (project_id, content_hash);
CREATE INDEX project_folder_files_unsummarized ON project_folder_files (project_id)
  WHERE kind <> 'skipped' AND summary_hash IS NOT content_hash;
CREATE INDEX project_folder_files_skipped ON project_folder_files (project_id, skip_reason) WHERE kind = 'skipped';
CREATE INDEX project_folder_files_unreliable ON project_folder_files (project_id) WHERE version = '';
