import { ScoutsError } from "../../events/errors.ts";
import type { Change, Condition, Item, Key, Page, Query, Table } from "../../shared/ports/table.ts";
import { MemoryTable } from "../memory/table.ts";
import type { Process } from "./process.ts";
import type { Simulation } from "./simulation.ts";

const maxLagMs = 60_000;

/** Called with every write as it takes effect. */
export type WriteObserver = (key: Key, before: Item | undefined, after: Item | undefined) => void;

/**
 * A DynamoDB table: its items are what was written last, its indexes follow later, each item's entries in the order of
 * its writes and up to a minute late.
 */
export class LaggingTable {
  readonly name: string;
  readonly items: MemoryTable;
  readonly #index: MemoryTable;
  readonly #sim: Simulation;
  readonly #observe: WriteObserver;
  readonly #indexAttributes: readonly string[];
  #following: { visibleAtMs: number; key: Key; item: Item | undefined }[] = [];
  readonly #visibleAtMs = new Map<string, number>();

  constructor(
    sim: Simulation,
    name: string,
    indexes: { attributes: readonly string[]; projections: Readonly<Record<string, readonly string[]>> },
    observe: WriteObserver,
  ) {
    this.name = name;
    this.items = new MemoryTable();
    this.#index = new MemoryTable(indexes.projections);
    this.#indexAttributes = indexes.attributes;
    this.#sim = sim;
    this.#observe = observe;
  }

  async write<T>(key: Key, run: (items: MemoryTable) => Promise<T>): Promise<T> {
    const before = this.items.peek(key);
    const answer = await run(this.items);
    const after = this.items.peek(key);
    if (before !== after) {
      this.#observe(key, before, after);
      this.#follow(key, before, after);
    }
    return answer;
  }

  async query(query: Query): Promise<Page> {
    if (!query.index) return this.items.query(query);
    if (query.consistent) throw new TypeError("An index cannot be read consistently");
    await this.#catchUp();
    return this.#index.query(query);
  }

  #follow(key: Key, before: Item | undefined, after: Item | undefined): void {
    const indexed = (item: Item | undefined) => item && this.#indexAttributes.some((name) => item[name] !== undefined);
    if (!indexed(before) && !indexed(after)) return;
    const { random, faults, nowMs } = this.#sim;
    const lagMs = faults.strikes("index_lag") ? random.int(1_000, maxLagMs) : random.int(1, 200);
    const name = `${key.pk}|${key.sk}`;
    const visibleAtMs = Math.max(nowMs + lagMs, this.#visibleAtMs.get(name) ?? 0);
    this.#visibleAtMs.set(name, visibleAtMs);
    this.#following.push({ visibleAtMs, key, item: after });
  }

  async #catchUp(): Promise<void> {
    const due = this.#following.filter((each) => each.visibleAtMs <= this.#sim.nowMs);
    if (due.length === 0) return;
    this.#following = this.#following.filter((each) => each.visibleAtMs > this.#sim.nowMs);
    for (const { key, item } of due.sort((a, b) => a.visibleAtMs - b.visibleAtMs)) {
      await (item ? this.#index.put(item) : this.#index.delete(key));
    }
  }
}

const reads = { refused: "storage_throttled", unknown: "storage_unavailable" } as const;
const writes = { ...reads, writes: true } as const;

/** The table as a process sees it, with everything that may go wrong on the way. */
export function tableOf(process: Process, table: LaggingTable): Table {
  const named = (operation: string, key: Key) => `${table.name}.${operation} ${short(key.sk)}`;
  return {
    get: (key) => process.call(named("get", key), () => table.items.get(key), reads),
    getMany(keys: readonly Key[]) {
      if (keys.length > 100) throw new ScoutsError("internal", { data: { keys: keys.length } });
      return process.call(`${table.name}.getMany ${keys.length}`, () => table.items.getMany(keys), reads);
    },
    put: (item: Item, when?: Condition) =>
      process.call(named("put", item), () => table.write(item, (items) => items.put(item, when)), writes),
    update: (key: Key, change: Change, when?: Condition) =>
      process.call(named("update", key), () => table.write(key, (items) => items.update(key, change, when)), writes),
    delete: (key: Key, when?: Condition) =>
      process.call(named("delete", key), () => table.write(key, (items) => items.delete(key, when)), writes),
    query: (query: Query) =>
      process.call(`${table.name}.query ${query.index?.name ?? short(query.hash)}`, () => table.query(query), reads),
  };
}

/** The table with nothing in between, for those who set the scene. */
export function directTable(table: LaggingTable): Table {
  return {
    get: (key) => table.items.get(key),
    getMany: (keys) => table.items.getMany(keys),
    put: (item, when) => table.write(item, (items) => items.put(item, when)),
    update: (key, change, when) => table.write(key, (items) => items.update(key, change, when)),
    delete: (key, when) => table.write(key, (items) => items.delete(key, when)),
    query: (query) => table.query(query),
  };
}

/** Keys shortened to what tells them apart in a trace. */
function short(key: string): string {
  return key.replace(/RUN#\w+/, "RUN").replace(/(sct|dev|usr)_[0-9A-Za-z]*([0-9A-Za-z]{3})/g, "$1…$2");
}
