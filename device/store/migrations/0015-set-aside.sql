-- What a person does with a proposal without deciding it; on this device alone.
ALTER TABLE scout_suggestions ADD COLUMN snoozed_at INTEGER;
ALTER TABLE scout_suggestions ADD COLUMN snoozed_until INTEGER;
ALTER TABLE scout_suggestions ADD COLUMN project_id TEXT;
