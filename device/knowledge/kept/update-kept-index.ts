import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import type { Artifacts } from "../../artifacts/artifacts.ts";
import { isDeviceError } from "../../errors.ts";
import type { DeviceStore } from "../../store/open.ts";
import { storeCall } from "../../store/sqlite/sqlite-errors.ts";
import type { Vault } from "../../vault/vault.ts";
import { purgedQuery } from "../index/index-facts.ts";
import { keptIndexPath, openIndexInMemory, openIndexToRead, removeIndexFile } from "../index/index-file.ts";
import { IndexThread } from "../index/index-thread.ts";
import { type IndexedDocument, IndexWriter } from "../index/index-writer.ts";
import { indexedText } from "../text/indexed-text.ts";
import type { PieceSearchOptions } from "../work/search-pieces.ts";
import { artifactsOf, type KeptPiece, keptAt, keptPath } from "./kept-texts.ts";

/** What is read and written at a time. */
const batch = 50;
/** Artifacts that are searched where their words may be on no disk: each process reads them. */
const mostInMemory = 200;

export interface KeptIndexOptions extends Pick<PieceSearchOptions, "mayShow" | "nowMs"> {
  readonly store: DeviceStore;
}

/**
 * Brings the index of what agents left on the device to what is there and may be shown. Neither answers nor artifacts ever
 * change, so their names say all: what is new is read, what is gone leaves every byte, and so does what rests on a file that
 * is gone or withheld by now. Done twice at once, or stopped anywhere, it ends the same.
 *
 * @throws DeviceError `store_full`, `store_busy`, `store_unreadable`, `folder_unusable`
 */
export async function updateKeptIndex(options: KeptIndexOptions): Promise<void> {
  const { dataFolder, vault } = options.store;
  const path = keptIndexPath(dataFolder);
  // Where it is encrypted, its words are on no disk.
  if (vault.file !== undefined) return removeIndexFile(path);
  try {
    await update(options, path);
  } catch (error) {
    if (!isDeviceError(error, "store_unreadable")) throw error;
    // All that is in it is read again.
    removeIndexFile(path);
    await update(options, path);
  } finally {
    // A passphrase was set meanwhile: whoever did it has removed the file, which this may have made again.
    if (vault.file !== undefined) removeIndexFile(path);
  }
}

/** An index of one process, for as long as its store is open. */
interface IndexInMemory {
  readonly connection: DatabaseSync;
  readonly writer: IndexWriter;
  readonly known: Map<string, Known>;
}

const inMemory = new WeakMap<Vault, IndexInMemory>();

/**
 * The newest of what is encrypted, in an index that is nowhere on the disk; it is the process's, and not to be closed. The first
 * search of a process reads all of it, the next ones what has come since.
 *
 * @throws DeviceError `kept_locked`, `passphrase_wrong`
 */
export async function keptIndexInMemory({ store, nowMs, mayShow }: KeptIndexOptions): Promise<DatabaseSync> {
  const artifacts = await artifactsOf(store, nowMs);
  const index = inMemory.get(store.vault) ?? newIndexInMemory();
  inMemory.set(store.vault, index);
  const { connection, writer, known } = index;
  const isAnswer = (path: string) => path.startsWith(keptPath("answer", ""));
  const paths = [...(await pathsOf(store, artifacts))];
  const newest = paths.filter((path) => !isAnswer(path)).slice(0, mostInMemory);
  const there = new Set([...paths.filter(isAnswer), ...newest]);
  for (const [path, about] of known) {
    if (there.has(path) && (await restsOnShown(about, mayShow))) continue;
    writer.remove([path]);
    known.delete(path);
  }
  const hashes = new Set(Array.from(known.values(), ({ hash }) => hash));
  for (const path of there) {
    if (known.has(path)) continue;
    const piece = await keptAt(store, artifacts, path);
    if (piece === undefined || (piece.hash !== "" && hashes.has(piece.hash))) continue;
    if (!(await restsOnShown(piece, mayShow))) continue;
    hashes.add(piece.hash);
    writer.put([documentOf(path, piece)]);
    known.set(path, { hash: piece.hash, projectId: piece.projectId, files: piece.files });
  }
  return connection;
}

function newIndexInMemory(): IndexInMemory {
  const connection = openIndexInMemory();
  return { connection, writer: new IndexWriter(connection), known: new Map() };
}

/** What is in the index already. */
interface Known {
  readonly hash: string;
  readonly projectId: string | null;
  readonly files: readonly string[];
}

async function update({ store, nowMs, mayShow }: KeptIndexOptions, path: string): Promise<void> {
  const artifacts = await artifactsOf(store, nowMs);
  const there = await pathsOf(store, artifacts);
  const { known, isPurged } = knownIn(path);
  const removed: string[] = [];
  const hashes = new Set<string>();
  for (const [each, about] of known) {
    if (there.has(each) && (await restsOnShown(about, mayShow))) hashes.add(about.hash);
    else removed.push(each);
  }
  const isNew = (each: string) => !known.has(each);
  const wanted = [...there].filter(isNew);
  if (removed.length === 0 && wanted.length === 0 && isPurged) return;
  const thread = new IndexThread(path);
  try {
    // First of all: what may not be found any more is not to wait for what is new.
    if (removed.length > 0) await thread.ask({ do: "remove", paths: removed });
    if (removed.length > 0 || !isPurged) await thread.ask({ do: "purge" });
    let documents: IndexedDocument[] = [];
    const flush = async () => {
      if (documents.length > 0) await thread.ask({ do: "put", documents });
      documents = [];
    };
    for (const each of wanted) {
      const piece = await keptAt(store, artifacts, each);
      if (piece === undefined || (piece.hash !== "" && hashes.has(piece.hash)) || !(await restsOnShown(piece, mayShow)))
        continue;
      hashes.add(piece.hash);
      documents.push(documentOf(each, piece));
      if (documents.length >= batch) await flush();
    }
    await flush();
    await thread.close();
  } finally {
    await thread.end();
  }
}

async function restsOnShown(
  { projectId, files }: Pick<KeptPiece, "projectId" | "files">,
  mayShow: KeptIndexOptions["mayShow"],
): Promise<boolean> {
  for (const file of files) if (!(await mayShow(projectId, file))) return false;
  return true;
}

/** The newest of the artifacts first: of those that say the same it is the one that is found. */
async function pathsOf(store: DeviceStore, artifacts: Artifacts | undefined): Promise<Set<string>> {
  const answers = store.answers.list().map(({ id }) => keptPath("answer", id));
  const ids = artifacts === undefined ? [] : await artifacts.store.ids();
  return new Set([...answers, ...ids.toReversed().map((id) => keptPath("artifact", id))]);
}

function knownIn(path: string): { known: Map<string, Known>; isPurged: boolean } {
  const known = new Map<string, Known>();
  const connection = openIndexToRead(path);
  if (connection === undefined) return { known, isPurged: true };
  try {
    return storeCall(() => {
      for (const row of connection.prepare("SELECT path, hash, about FROM documents").all()) {
        known.set(String(row["path"]), { hash: String(row["hash"]), ...restsOn(String(row["about"])) });
      }
      return { known, isPurged: connection.prepare(purgedQuery).get()?.["value"] !== "0" };
    });
  } finally {
    connection.close();
  }
}

/** What a piece rests on, as its document says it: the project and its files. */
const rest = z.tuple([z.string().nullable()], z.string());

function restsOn(about: string): Omit<Known, "hash"> {
  const [projectId, ...files] = rest.parse(JSON.parse(about));
  return { projectId, files };
}

function documentOf(
  path: string,
  { kind, title, text, atMs, projectId, files, tag, hash }: KeptPiece,
): IndexedDocument {
  return {
    path,
    named: files.join(" "),
    hash,
    kind,
    tag,
    ext: "",
    about: JSON.stringify([projectId, ...files]),
    sizeBytes: 0,
    mtimeMs: atMs,
    // Those that say the same are found out by their hash: two that are alike may rest on different files.
    text: { ...indexedText(text, "prose", false), title, sketch: new Uint8Array(0) },
  };
}
