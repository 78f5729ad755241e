-- What agents answered: to be gone on from, and found again. Those of a project go with it.
CREATE TABLE answers (
  id TEXT PRIMARY KEY NOT NULL,
  follows TEXT,
  project_id TEXT REFERENCES projects (id) ON DELETE CASCADE,
  question TEXT NOT NULL,
  answer TEXT NOT NULL,
  files TEXT NOT NULL DEFAULT '[]',
  digest TEXT NOT NULL UNIQUE,
  asked_at INTEGER NOT NULL
) STRICT;
CREATE INDEX answers_by_project ON answers (project_id, asked_at);
CREATE TRIGGER search_answer_insert AFTER INSERT ON answers BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('answer', NEW.id);
END;
CREATE TRIGGER search_answer_delete AFTER DELETE ON answers BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('answer', OLD.id);
END;
