CREATE TABLE known_scouts (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT,
  source_type TEXT,
  off_code TEXT,
  off_since INTEGER
) STRICT;
