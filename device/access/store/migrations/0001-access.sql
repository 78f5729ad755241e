CREATE TABLE contents (
  hash TEXT PRIMARY KEY NOT NULL,
  bytes BLOB NOT NULL,
  is_compressed INTEGER NOT NULL CHECK (is_compressed IN (0, 1)),
  size INTEGER NOT NULL
) STRICT;

CREATE TABLE versions (
  id TEXT PRIMARY KEY NOT NULL,
  path TEXT NOT NULL,
  hash TEXT,
  size_bytes INTEGER NOT NULL,
  mode INTEGER,
  before_hash TEXT,
  parent_id TEXT,
  at INTEGER NOT NULL,
  caller TEXT NOT NULL,
  tool TEXT NOT NULL
) STRICT;
CREATE INDEX versions_by_path ON versions (path, id DESC);
CREATE INDEX versions_by_hash ON versions (hash);

CREATE TABLE journal (
  id TEXT PRIMARY KEY NOT NULL,
  at INTEGER NOT NULL,
  caller TEXT NOT NULL,
  tool TEXT NOT NULL,
  steps TEXT NOT NULL
) STRICT;

CREATE TABLE audit (
  seq INTEGER PRIMARY KEY NOT NULL,
  at INTEGER NOT NULL,
  caller TEXT NOT NULL,
  session TEXT NOT NULL,
  tool TEXT NOT NULL,
  args TEXT NOT NULL,
  decision TEXT NOT NULL,
  outcome TEXT NOT NULL,
  files TEXT NOT NULL,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE TABLE audit_anchors (
  only_row INTEGER PRIMARY KEY NOT NULL CHECK (only_row = 1),
  base_seq INTEGER NOT NULL,
  base_hash TEXT NOT NULL,
  head_seq INTEGER NOT NULL,
  head_hash TEXT NOT NULL
) STRICT;

CREATE TABLE registry (
  path TEXT PRIMARY KEY NOT NULL,
  size_bytes INTEGER NOT NULL,
  hash TEXT NOT NULL,
  mtime_ms REAL NOT NULL,
  fs_version TEXT NOT NULL,
  tags TEXT NOT NULL,
  sensitivity TEXT NOT NULL,
  version_ids TEXT NOT NULL
) STRICT;

CREATE TABLE summaries (
  path TEXT PRIMARY KEY NOT NULL,
  hash TEXT NOT NULL,
  text TEXT NOT NULL,
  max_tokens INTEGER NOT NULL,
  made_by TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE write_lease (
  only_row INTEGER PRIMARY KEY NOT NULL CHECK (only_row = 1),
  holder TEXT NOT NULL,
  pid INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT;
