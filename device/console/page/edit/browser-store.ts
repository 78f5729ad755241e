/** A draft as the browser keeps it: nobody can read it without the device. */
export interface KeptDraft {
  readonly id: string;
  readonly sealed: string;
  readonly at: number;
  /** It was discarded or saved, which the device has not heard yet. */
  readonly isGone: boolean;
}

const name = "drafts";
/** Where the browser lets a page keep nothing (a private window): for as long as the page is open. */
const inMemory = new Map<string, KeptDraft>();
let database: Promise<IDBDatabase | undefined> | undefined;

function open(): Promise<IDBDatabase | undefined> {
  database ??= new Promise((resolve) => {
    try {
      const opening = indexedDB.open("scouts", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore(name, { keyPath: "id" });
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => resolve(undefined);
      opening.onblocked = () => resolve(undefined);
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      resolve(undefined);
    }
  });
  return database;
}

async function within<T>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  const found = await open();
  if (found === undefined) return undefined;
  return new Promise((resolve) => {
    const transaction = found.transaction(name, mode);
    const asked = ask(transaction.objectStore(name));
    transaction.oncomplete = () => resolve(asked.result);
    // No room, or the browser took its store away: the device and the page still have it.
    transaction.onabort = () => resolve(undefined);
    transaction.onerror = () => resolve(undefined);
  });
}

/** All drafts of this browser, sealed. Where it keeps nothing (a private window), those of this tab's memory. */
export async function browserDrafts(): Promise<readonly KeptDraft[]> {
  const all = await within<KeptDraft[]>("readonly", (store) => store.getAll());
  return [...new Map([...(all ?? []), ...inMemory.values()].map((each) => [each.id, each])).values()];
}

/** @returns whether it outlives the page */
export async function putInBrowser(draft: KeptDraft): Promise<boolean> {
  const put = await within("readwrite", (store) => store.put(draft));
  if (put === undefined) inMemory.set(draft.id, draft);
  return put !== undefined;
}

/**
 * Forgets a draft, wherever it lies, but for what was typed later; nothing happens when it is not there.
 *
 * @param at of what is to be forgotten; of all of it when left out
 */
export async function removeFromBrowser(id: string, at = Number.POSITIVE_INFINITY): Promise<void> {
  const isMeant = (found: KeptDraft | undefined) => found !== undefined && found.at <= at;
  if (isMeant(inMemory.get(id))) inMemory.delete(id);
  await within<KeptDraft | undefined>("readwrite", (store) => {
    const found = store.get(id);
    found.onsuccess = () => isMeant(found.result) && store.delete(id);
    return found;
  });
}
