-- What both sides last said of each file of a person's folder: a row a file. It was one text for all, written anew for each of them.
CREATE TABLE work_files (
  folder TEXT NOT NULL,
  name TEXT NOT NULL,
  file TEXT NOT NULL,
  device TEXT,
  note_id TEXT,
  copy TEXT,
  PRIMARY KEY (folder, name)
) STRICT;
INSERT INTO work_files (folder, name, file, device, note_id, copy)
  SELECT chosen.value, known.key, known.value ->> 'file', known.value ->> 'device', known.value ->> 'note', known.value ->> 'copy'
  FROM cursors AS chosen, cursors AS files, json_each(iif(json_valid(files.value), files.value, '{}')) AS known
  WHERE chosen.name = 'work.folder' AND files.name = 'work.files';
-- A process of an earlier version that still runs stops at this: without that text it would take every file for a new note.
INSERT OR REPLACE INTO cursors (name, value, updated_at) VALUES ('work.files', '"work_files"', 0);
