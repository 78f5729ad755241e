-- What of a person's work has changed since the search index looked, noted in the transaction that changes it. Whoever makes one
-- of these tables anew makes its triggers anew.
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
CREATE TRIGGER search_proposal_update AFTER UPDATE OF raw_subject, raw_snippet, reason, metadata ON scout_suggestions BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('proposal', NEW.id);
END;
CREATE TRIGGER search_proposal_delete AFTER DELETE ON scout_suggestions BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('proposal', OLD.id);
END;
