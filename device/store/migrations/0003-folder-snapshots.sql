CREATE TABLE folder_snapshots (
  project_id TEXT PRIMARY KEY NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  basis TEXT NOT NULL,
  directories TEXT NOT NULL,
  left_out TEXT NOT NULL
) STRICT;
CREATE INDEX project_folder_files_unreliable ON project_folder_files (project_id) WHERE version = '';
