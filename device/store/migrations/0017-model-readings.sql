-- Which proposals a language model is still to read, when it may next be asked, and which process is at it.
ALTER TABLE scout_suggestions ADD COLUMN model_after INTEGER;
ALTER TABLE scout_suggestions ADD COLUMN model_reader TEXT;
ALTER TABLE scout_suggestions ADD COLUMN model_tries INTEGER NOT NULL DEFAULT 0;
CREATE INDEX scout_suggestions_unread ON scout_suggestions (model_after)
  WHERE model_after IS NOT NULL AND status = 'pending';
