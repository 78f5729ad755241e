-- Answers are found by the index of what agents left, which needs no notes. A number that no note has makes the index of work
-- be filled anew, without them.
DROP TRIGGER search_answer_insert;
DROP TRIGGER search_answer_delete;
DELETE FROM search_changes;
UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'search_changes';
