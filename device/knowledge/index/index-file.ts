import { chmodSync, closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type ProjectId, projectId } from "../../../events/ids.ts";
import { DeviceError, isDeviceError } from "../../errors.ts";
import { makePrivateFolder } from "../../private-folder.ts";
import { storeCall } from "../../store/sqlite/sqlite-errors.ts";

/** Longest wait for another process's transaction; ours take a fraction of a second. */
const busyTimeoutMs = 5_000;

/**
 * Raised whenever what an index holds would be held in another form: one of another version is made anew, and what was embedded of a
 * folder is embedded again. Which words are found in a file is of its reader (`readerOf`).
 */
const folderVersion = 4;
/** Of the others, which have no readers: raised as well when the same texts have other words. They are filled from the store at once. */
const piecesVersion = 6;

const versionFor = (path: string) =>
  [workIndexName, keptIndexName].includes(basename(path)) ? piecesVersion : folderVersion;

/** Version of what has read it (`readerOf`); indexes from before there were versions are given the column. */
const readerColumn = "reader INTEGER NOT NULL DEFAULT 0";

/**
 * One project's index, or that of a person's work. `words` keeps no text (`content=''`), only which words stand where; a passage's text is read from
 * its file. A document's passages have the ids `first` to `first + count - 1`; the first is about the file as a whole: its
 * path, title and summary.
 */
const schema = `
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    -- SHA-256 of the content, hex; empty for a file whose content is not read.
    hash TEXT NOT NULL,
    kind TEXT NOT NULL,
    tag TEXT NOT NULL,
    ext TEXT NOT NULL,
    title TEXT NOT NULL,
    about TEXT NOT NULL,
    -- Who sent it, folded; empty for what has no sender.
    sender TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    mtime_ms REAL NOT NULL,
    chars INTEGER NOT NULL,
    first INTEGER NOT NULL,
    count INTEGER NOT NULL,
    sketch BLOB NOT NULL,
    kept BLOB,
    ${readerColumn}
  ) STRICT;
  CREATE INDEX documents_first ON documents (first);
  CREATE INDEX documents_hash ON documents (hash);
  CREATE TABLE passages (
    id INTEGER PRIMARY KEY,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    heading TEXT NOT NULL
  ) STRICT;
  -- By the ids of passages; null for a passage that the embedding model cannot take.
  CREATE TABLE vectors (id INTEGER PRIMARY KEY, vector BLOB) STRICT;
  -- Vectors are large: they are counted, and looked for, without being read.
  CREATE INDEX vectors_ids ON vectors (id);
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE words USING fts5(
    place, heading, body, parts,
    content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2'
  );
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);
  INSERT INTO words (words, rank) VALUES ('hashsize', 33554432);
`;

const workIndexName = "work.sqlite";
const keptIndexName = "kept.sqlite";

const folderOf = (dataFolder: string) => join(dataFolder, "device", "index");

/** A file for each project: forgetting one is quick, and damage in one is no other's. */
export function indexPath(dataFolder: string, id: ProjectId): string {
  return join(folderOf(dataFolder), `${id}.sqlite`);
}

/** The index of a person's work: proposals, tasks, events, notes, people, facts. */
export function workIndexPath(dataFolder: string): string {
  return join(folderOf(dataFolder), workIndexName);
}

/** The index of what agents answered and looked up. */
export function keptIndexPath(dataFolder: string): string {
  return join(folderOf(dataFolder), keptIndexName);
}

/**
 * Opens an index to write to it; one that is damaged, or of another version, is made anew.
 *
 * @returns whether there was one that could not be used
 * @throws DeviceError `store_full`, `store_busy`, `store_unreadable`
 */
export function openIndexToWrite(path: string): { connection: DatabaseSync; wasDamaged: boolean } {
  const wasDamaged = existsSync(damageOf(path));
  if (wasDamaged) removeIndexFile(path);
  prepareFile(path);
  try {
    const connection = storeCall(() => connect(path));
    if (connection !== undefined) return { connection, wasDamaged };
  } catch (error) {
    if (!isDeviceError(error, "store_unreadable")) throw error;
    removeIndexFile(path);
    prepareFile(path);
    const connection = storeCall(() => connect(path));
    if (connection !== undefined) return { connection, wasDamaged: true };
    throw error;
  }
  // Of another version of this program.
  removeIndexFile(path);
  prepareFile(path);
  const connection = storeCall(() => connect(path));
  if (connection === undefined) throw new TypeError("A new index has no version of its own.");
  return { connection, wasDamaged: false };
}

/** An index that is nowhere on the disk. */
export function openIndexInMemory(): DatabaseSync {
  const connection = connect(":memory:");
  if (connection === undefined) throw new TypeError("A new index has no version of its own.");
  return connection;
}

/** Undefined when there is none, or none of this version yet. @throws DeviceError `store_unreadable` when it is damaged */
export function openIndexToRead(
  path: string,
  { allowExtension = false }: { readonly allowExtension?: boolean } = {},
): DatabaseSync | undefined {
  if (!existsSync(path)) return undefined;
  if (existsSync(damageOf(path))) throw new DeviceError("store_unreadable");
  return storeCall(() => {
    const connection = new DatabaseSync(path, { timeout: busyTimeoutMs, readOnly: true, allowExtension });
    try {
      if (versionOf(connection) === versionFor(path)) return connection;
      connection.close();
      return undefined;
    } catch (error) {
      connection.close();
      throw error;
    }
  });
}

const damageOf = (path: string) => `${path}-damaged`;

/** Remembers that an index is damaged where only a search came by: whoever writes it next makes it anew. */
export function noteIndexDamage(path: string): void {
  closeSync(openSync(damageOf(path), "a", 0o600));
}

/** The database file and what SQLite keeps beside it. */
export function removeIndexFile(path: string): void {
  for (const each of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`, damageOf(path)])
    rmSync(each, { force: true });
}

/** Changes whenever an index may have: what was found in it need not be looked for again before. */
export const diskVersionOf = (path: string): string =>
  [path, `${path}-wal`]
    .map((file) => statSync(file, { throwIfNoEntry: false }))
    .map((found) => (found === undefined ? "" : `${found.ino} ${found.size} ${found.mtimeMs}`))
    .join(" ");

/** Projects that have an index. */
export function indexedProjects(dataFolder: string): ProjectId[] {
  if (!existsSync(folderOf(dataFolder))) return [];
  return readdirSync(folderOf(dataFolder)).flatMap((name) => {
    const id = projectId.safeParse(name.endsWith(".sqlite") ? name.slice(0, -".sqlite".length) : "");
    return id.success ? [id.data] : [];
  });
}

/** Undefined for one of another version. */
function connect(path: string): DatabaseSync | undefined {
  const connection = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    // NORMAL: what the last second wrote can be written again. secure_delete: what is removed is overwritten.
    // Before the first table: pages that merging leaves empty are given back.
    connection.exec(
      "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON",
    );
    if (versionOf(connection) === 0) {
      connection.exec("BEGIN IMMEDIATE");
      // Another may have made it while this waited for its turn.
      if (versionOf(connection) === 0) connection.exec(`${schema} PRAGMA user_version = ${versionFor(path)}`);
      connection.exec("COMMIT");
    }
    if (versionOf(connection) === versionFor(path)) {
      addReaders(connection);
      return connection;
    }
  } catch (error) {
    connection.close();
    throw error;
  }
  connection.close();
  return undefined;
}

function addReaders(connection: DatabaseSync): void {
  const lacks = () =>
    connection.prepare("SELECT 1 FROM pragma_table_info('documents') WHERE name = 'reader'").get() === undefined;
  if (!lacks()) return;
  connection.exec("BEGIN IMMEDIATE");
  if (lacks()) connection.exec(`ALTER TABLE documents ADD COLUMN ${readerColumn}`);
  connection.exec("COMMIT");
}

const versionOf = (connection: DatabaseSync) =>
  Number(connection.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);

/** For its owner alone, before SQLite opens it: what it adds takes the file's mode. */
function prepareFile(path: string): void {
  const folder = dirname(path);
  try {
    makePrivateFolder(folder);
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
  } catch (error) {
    throw new DeviceError("folder_unusable", {
      sentence: `The search index cannot be kept: ${folder} is not a folder this user can write to. See whose it is (\`ls -ld\`) and give it back (\`chown\`, \`chmod\`).`,
      cause: error,
    });
  }
}
