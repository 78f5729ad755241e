import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { privateDatabase } from "../../private-folder.ts";
import { StandInError } from "../../stand-in-error.ts";

const schema = `
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS files (
  path TEXT PRIMARY KEY, size_bytes INTEGER NOT NULL, modified_ms REAL NOT NULL, resume_at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS slices (
  path TEXT NOT NULL, layout TEXT NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL, hash TEXT NOT NULL,
  message_id TEXT NOT NULL, PRIMARY KEY (path, offset)) STRICT;
CREATE INDEX IF NOT EXISTS slice_of_message ON slices (message_id);
CREATE TABLE IF NOT EXISTS messages (
  sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, occurrence INTEGER NOT NULL,
  thread_id TEXT NOT NULL, arrived INTEGER NOT NULL, gone INTEGER NOT NULL, internal_date_ms INTEGER NOT NULL,
  history_id INTEGER NOT NULL, labels TEXT NOT NULL, size_bytes INTEGER NOT NULL,
  sender TEXT NOT NULL, recipients TEXT NOT NULL, subject TEXT NOT NULL, rfc_id TEXT NOT NULL,
  place TEXT NOT NULL DEFAULT 'INBOX', names TEXT NOT NULL DEFAULT '[]', dated_ms INTEGER NOT NULL DEFAULT 0,
  look TEXT NOT NULL DEFAULT 'new',
  UNIQUE (hash, occurrence)) STRICT;
CREATE INDEX IF NOT EXISTS message_by_rfc_id ON messages (rfc_id);
CREATE INDEX IF NOT EXISTS waiting_message ON messages (sequence) WHERE arrived = 0;
CREATE INDEX IF NOT EXISTS returned_message ON messages (sequence) WHERE gone = 3;
CREATE TABLE IF NOT EXISTS delivered (message_id TEXT PRIMARY KEY, raw BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS history (
  id INTEGER PRIMARY KEY, message_id TEXT NOT NULL, kind TEXT NOT NULL, labels TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS grants (
  refresh_token TEXT PRIMARY KEY, scopes TEXT NOT NULL, revoked INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS rotations (
  token TEXT PRIMARY KEY, grant_token TEXT NOT NULL, is_current INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS access_tokens (
  token TEXT PRIMARY KEY, refresh_token TEXT NOT NULL, scopes TEXT NOT NULL, expires_at_ms INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS codes (
  code TEXT PRIMARY KEY, redirect_uri TEXT NOT NULL, challenge TEXT NOT NULL, scopes TEXT NOT NULL,
  offline INTEGER NOT NULL, expires_at_ms INTEGER NOT NULL, spent_for TEXT NOT NULL) STRICT;
`;

/**
 * Opens the mailbox's own state, `<directory>/mailbox.sqlite`. WAL with `synchronous=NORMAL` survives a killed process
 * (https://www.sqlite.org/pragma.html#pragma_synchronous); it may lose the last commits only when the machine goes down.
 * Throws {@link StandInError} `state_unusable`.
 */
export function openMailboxDatabase(directory: string): DatabaseSync {
  const path = join(directory, "mailbox.sqlite");
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const database = new DatabaseSync(path);
    privateDatabase(path);
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000;");
    database.exec(schema);
    return database;
  } catch (error) {
    throw new StandInError("state_unusable", `The mailbox's state ${path} cannot be opened.`, error);
  }
}
