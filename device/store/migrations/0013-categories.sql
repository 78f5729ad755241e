-- What stage 2 makes of a proposal, and which process of this data folder is at it.
ALTER TABLE scout_suggestions ADD COLUMN priority TEXT NOT NULL DEFAULT 'none';
ALTER TABLE scout_suggestions ADD COLUMN categorizer TEXT;
ALTER TABLE scout_suggestions ADD COLUMN categorize_after INTEGER;
ALTER TABLE scout_suggestions ADD COLUMN categorize_tries INTEGER NOT NULL DEFAULT 0;
CREATE INDEX scout_suggestions_unprocessed ON scout_suggestions (triaged_at)
  WHERE category = 'unprocessed' AND status = 'pending';
CREATE INDEX scout_suggestions_by_event ON scout_suggestions (payload ->> '$.calendar.uid')
  WHERE payload ->> '$.calendar.uid' IS NOT NULL;
