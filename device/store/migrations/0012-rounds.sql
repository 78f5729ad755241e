-- Which round of a proposal this device is in, and what another device decided where this one says otherwise.
ALTER TABLE scout_suggestions ADD COLUMN round INTEGER NOT NULL DEFAULT 1;
ALTER TABLE scout_suggestions ADD COLUMN decided_elsewhere TEXT;
-- The change by which the decision of this round made what it became, or changed it: undoing the decision undoes that.
ALTER TABLE scout_suggestions ADD COLUMN entity_change INTEGER;
UPDATE scout_suggestions
  SET entity_change = (SELECT min(number) FROM entity_changes WHERE entity_id = resolved_entity_id)
  WHERE resolved_entity_id IS NOT NULL;
ALTER TABLE proposal_tombstones ADD COLUMN round INTEGER NOT NULL DEFAULT 1;
ALTER TABLE proposal_tombstones ADD COLUMN outcome TEXT;
