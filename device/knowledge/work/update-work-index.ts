import { DatabaseSync } from "node:sqlite";
import { isDeviceError } from "../../errors.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { SearchChange, SearchedKind } from "../../store/schema.ts";
import { folded } from "../../store/sqlite/folded-text.ts";
import { storeCall } from "../../store/sqlite/sqlite-errors.ts";
import { followedQuery, purgedQuery } from "../index/index-facts.ts";
import { openIndexToRead, removeIndexFile, workIndexPath } from "../index/index-file.ts";
import { IndexThread } from "../index/index-thread.ts";
import type { IndexedDocument } from "../index/index-writer.ts";
import { indexedText } from "../text/indexed-text.ts";
import { searchedKinds, workIds, workText } from "./work-texts.ts";

/** How far an index is that is brought up to date: pieces of work, or changes of them. */
export type IndexingTold = (progress: { readonly done: number; readonly total: number }) => void;

/** What is read and written at a time. */
const batch = 200;

/**
 * Brings the index of a person's work to what the store says. Every change of the store notes what it changed, in its own
 * transaction; this follows those notes, from where it was, and lets go of them once the index has what they say.
 *
 *     store:  row changes + note 7 │ … │ notes ≤ 7 forgotten
 *     index:                       │ reads rows of notes ≤ 7, writes them and "7", at once │
 *
 * Stopped anywhere, the same is done again, to the same end. An index whose number does not fit the notes (lost, damaged,
 * restored) is filled from the rows.
 *
 * @throws DeviceError `store_full`, `store_busy`, `store_unreadable`, `folder_unusable`
 */
export async function updateWorkIndex(store: DeviceStore, told?: IndexingTold): Promise<void> {
  const path = workIndexPath(store.dataFolder);
  try {
    await update(store, path, told);
  } catch (error) {
    if (!isDeviceError(error, "store_unreadable")) throw error;
    // Damage that opening it did not show. All that is in it is in the store.
    removeIndexFile(path);
    await update(store, path, told);
  }
}

async function update(store: DeviceStore, path: string, told?: IndexingTold): Promise<void> {
  if (isUpToDate(store, path)) return;
  let done = 0;
  const thread = new IndexThread(path);
  try {
    for (;;) {
      const { followedTo, isPurged } = await thread.ask({ do: "state" });
      const latest = store.searchChanges.latest();
      if (followedTo === latest) {
        if (!isPurged) await thread.ask({ do: "purge" });
        break;
      }
      const changes = followedTo === undefined ? [] : store.searchChanges.after(followedTo, batch);
      const follows = followedTo !== undefined && changes[0]?.number === followedTo + 1;
      if (follows) {
        told?.({ done, total: done + latest - followedTo });
        done += changes.length;
      }
      const upTo = follows
        ? await followed(store, thread, changes)
        : await filled(store, thread, { after: followedTo, latest, told });
      // Somebody else did: how it stands now is looked at again.
      if (upTo !== undefined) store.searchChanges.forget(upTo);
    }
    await thread.close();
  } finally {
    await thread.end();
  }
}

function isUpToDate(store: DeviceStore, path: string): boolean {
  try {
    const connection = openIndexToRead(path);
    try {
      if (!(connection instanceof DatabaseSync)) return false;
      const fact = (query: string) => storeCall(() => connection.prepare(query).get()?.["value"]);
      return fact(followedQuery) === String(store.searchChanges.latest()) && fact(purgedQuery) !== "0";
    } finally {
      connection?.close();
    }
  } catch (error) {
    // Whoever writes it makes it anew.
    if (isDeviceError(error, "store_unreadable")) return false;
    throw error;
  }
}

/** @returns the last of the changes; undefined when somebody else has followed them */
async function followed(
  store: DeviceStore,
  thread: IndexThread,
  changes: readonly SearchChange[],
): Promise<number | undefined> {
  const [first, last] = [changes[0], changes.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const documents = new Map<string, IndexedDocument>();
  const removed = new Set<string>();
  for (const { kind, id } of changes) {
    const path = pathOf(kind, id);
    if (documents.has(path) || removed.has(path)) continue;
    const document = documentOf(store, kind, id);
    if (document === undefined) removed.add(path);
    else documents.set(path, document);
  }
  const order = {
    documents: [...documents.values()],
    removed: [...removed],
    after: first.number - 1,
    upTo: last.number,
  };
  return (await thread.ask({ do: "follow", ...order })) ? last.number : undefined;
}

/** Puts in all there is. What changes meanwhile has a number after `latest`, and is followed. */
async function filled(
  store: DeviceStore,
  thread: IndexThread,
  { after, latest, told }: { after: number | undefined; latest: number; told: IndexingTold | undefined },
): Promise<number | undefined> {
  const { documents: known } = await thread.ask({ do: "known" });
  const gone = new Set(known.keys());
  const all = searchedKinds.map((kind) => ({ kind, ids: workIds(store, kind) }));
  const total = all.reduce((sum, { ids }) => sum + ids.length, 0);
  let done = 0;
  for (const { kind, ids } of all) {
    for (let at = 0; at < ids.length; at += batch) {
      const documents = ids.slice(at, at + batch).flatMap((id) => documentOf(store, kind, id) ?? []);
      for (const { path } of documents) gone.delete(path);
      await thread.ask({ do: "put", documents });
      done += Math.min(batch, ids.length - at);
      told?.({ done, total });
    }
  }
  const order = { documents: [], removed: [...gone], after, upTo: latest };
  return (await thread.ask({ do: "follow", ...order })) ? latest : undefined;
}

const pathOf = (kind: SearchedKind, id: string): string => `${kind}/${id}`;

/** What a path of the index names. */
export function workAt(path: string): { readonly kind: SearchedKind; readonly id: string } | undefined {
  const at = path.indexOf("/");
  const kind = searchedKinds.find((each) => each === path.slice(0, at));
  return kind && { kind, id: path.slice(at + 1) };
}

function documentOf(store: DeviceStore, kind: SearchedKind, id: string): IndexedDocument | undefined {
  const found = workText(store, kind, id);
  if (found === undefined) return undefined;
  const { title, named, sender, text, atMs, tag } = found;
  return {
    path: pathOf(kind, id),
    named,
    sender: folded(sender),
    // Two that say the same are two: each leads somewhere else.
    hash: "",
    kind,
    tag,
    ext: "",
    about: "",
    sizeBytes: 0,
    mtimeMs: atMs,
    text: { ...indexedText(text, "prose", false), title, sketch: new Uint8Array(0) },
  };
}
