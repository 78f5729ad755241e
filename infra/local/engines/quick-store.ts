import db from "dynalite/db/index.js";

type Callback = (error: unknown, value?: unknown) => void;
interface Write {
  readonly operation: db.Operation;
  readonly callback: Callback;
}

/**
 * Has a store of dynalite's ask LevelDB less often, which is most of what a small request costs here:
 *
 * - what is read is read at once. A read goes to another thread otherwise, and takes less than the way there;
 * - what is written in one turn of the event loop (an item's index entries, the items of several requests) is one batch,
 *   which LevelDB writes as a whole. Each is told as it was when that is in the log (no `sync`, as before);
 * - the description of a table is read once: a home writes them before the engine starts (table-store.ts), and nobody
 *   may change one later (tables.ts).
 *
 * @param store before its server listens
 */
export async function hasten(store: db.Store): Promise<void> {
  const level = store.db;
  await level.open();
  let writes: Write[] = [];
  const flush = () => {
    const taken = writes;
    writes = [];
    level.batch(
      taken.map(({ operation }) => operation),
      (error) => {
        for (const { callback } of taken) callback(error);
      },
    );
  };
  const write = (operation: db.Operation, callback: Callback) => {
    if (writes.push({ operation, callback }) === 1) setImmediate(flush);
  };
  Object.assign(level, {
    get(key: string, callback: Callback) {
      let value: unknown;
      try {
        value = level.getSync(key);
      } catch (error) {
        process.nextTick(callback, error);
        return;
      }
      process.nextTick(callback, null, value);
    },
    put: (key: string, value: unknown, callback: Callback) => write({ type: "put", key, value }, callback),
    del: (key: string, callback: Callback) => write({ type: "del", key }, callback),
  });
  rememberTables(store);
}

function rememberTables(store: db.Store): void {
  const tables = new Map<string, db.Table>();
  const { getTable } = store;
  store.getTable = (name, checkStatus, callback) => {
    const [checks, told] = typeof checkStatus === "function" ? [true, checkStatus] : [checkStatus, callback];
    const known = tables.get(name);
    if (known !== undefined && told !== undefined) return process.nextTick(told, null, known);
    getTable(name, checks, (error, table) => {
      if (table !== undefined) tables.set(name, table);
      told?.(error, table);
    });
  };
}

/** The store that dynalite makes for itself: it asks this module for it, and keeps it private. */
export function storeOf<S>(makeServer: () => S): { server: S; store: db.Store } {
  const { create } = db;
  const made: db.Store[] = [];
  db.create = (options) => {
    const store = create(options);
    made.push(store);
    return store;
  };
  try {
    const server = makeServer();
    const [store] = made;
    if (store === undefined) throw new Error("this version of dynalite makes its store elsewhere");
    return { server, store };
  } finally {
    db.create = create;
  }
}
