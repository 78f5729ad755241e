-- Tasks need no project any more, and know more of themselves; beside them what else a proposal may become.
CREATE TABLE tasks_now (
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
INSERT INTO tasks_now (id, title, status, project_id, done_at, created_at, updated_at)
  SELECT id, title, status, project_id, CASE status WHEN 'done' THEN updated_at END, created_at, updated_at FROM tasks;
DROP TABLE tasks;
ALTER TABLE tasks_now RENAME TO tasks;
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

-- What was done to each of these, with its row before and after. Numbers are never used again.
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
