-- When an item was written, as device/categorize/written-at.ts has it: its sender's word where that fits to when a server took it in,
-- not before 1971, not after it arrived or was judged, and not more than a week before it arrived. Lists are in its order.
ALTER TABLE scout_suggestions ADD COLUMN written_at INTEGER NOT NULL GENERATED ALWAYS AS (
  CASE
    WHEN metadata ->> '$.arrivedAt' BETWEEN 31536000000 AND triaged_at THEN
      CASE
        WHEN metadata ->> '$.sentAt' BETWEEN max(31536000000, (metadata ->> '$.arrivedAt') - 604800000) AND metadata ->> '$.arrivedAt'
          THEN metadata ->> '$.sentAt'
        ELSE metadata ->> '$.arrivedAt'
      END
    WHEN metadata ->> '$.sentAt' BETWEEN 31536000000 AND triaged_at THEN metadata ->> '$.sentAt'
    ELSE triaged_at
  END
) VIRTUAL;
DROP INDEX scout_suggestions_by_status;
CREATE INDEX scout_suggestions_by_status ON scout_suggestions (status, written_at);
