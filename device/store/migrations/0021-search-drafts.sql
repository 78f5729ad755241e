-- What a draft says, and which project a proposal was given to, is found by searches as well.
DROP TRIGGER search_proposal_update;
CREATE TRIGGER search_proposal_update AFTER UPDATE OF raw_subject, raw_snippet, reason, metadata, payload, project_id ON scout_suggestions BEGIN
  INSERT INTO search_changes (kind, id) VALUES ('proposal', NEW.id);
END;
