ALTER TABLE scout_suggestions ADD COLUMN metadata TEXT;
CREATE INDEX scout_suggestions_by_thread ON scout_suggestions (source_type, metadata ->> '$.threadRef')
  WHERE metadata ->> '$.threadRef' IS NOT NULL;
