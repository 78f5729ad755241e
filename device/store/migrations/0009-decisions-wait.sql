ALTER TABLE outbox ADD COLUMN not_before INTEGER;
ALTER TABLE outbox ADD COLUMN sent_at INTEGER;
CREATE INDEX outbox_held ON outbox (not_before) WHERE not_before IS NOT NULL AND sent_at IS NULL;
