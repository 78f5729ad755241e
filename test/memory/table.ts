import { ScoutsError } from "../../events/errors.ts";
import { Expressions } from "../../shared/aws/expressions.ts";
import type {
  Change,
  Condition,
  Item,
  Key,
  Page,
  Path,
  Query,
  Scalar,
  Table,
  Value,
} from "../../shared/ports/table.ts";

type Mutable = { [attribute: string]: Value };

/** {@link Table} in memory, held to the same contract suite as DynamoDB. */
export class MemoryTable implements Table {
  readonly #items = new Map<string, Item>();
  readonly #projections: Readonly<Record<string, readonly string[]>>;

  /** @param projections what each index carries besides the keys, as infra/storage.ts declares it */
  constructor(projections: Readonly<Record<string, readonly string[]>> = {}) {
    this.#projections = projections;
  }

  async get(key: Key): Promise<Item | undefined> {
    return structuredClone(this.#items.get(nameOf(key)));
  }

  async getMany(keys: readonly Key[]): Promise<readonly Item[]> {
    return [...new Set(keys.map(nameOf))].flatMap((name) => {
      const item = this.#items.get(name);
      return item ? [structuredClone(item)] : [];
    });
  }

  async put(item: Item, when?: Condition): Promise<boolean> {
    if (when && !holds(when, this.#items.get(nameOf(item)))) return false;
    refuseTooLarge(item);
    this.#items.set(nameOf(item), structuredClone(item));
    return true;
  }

  async update(key: Key, change: Change, when?: Condition): Promise<Item | false> {
    refuseTooLong(change, when);
    const stored = this.#items.get(nameOf(key));
    if (when && !holds(when, stored)) return false;
    const item: Mutable = structuredClone(stored ?? { pk: key.pk, sk: key.sk });
    for (const [path, value] of change.set ?? []) write(item, path, structuredClone(value));
    for (const [path, amount] of change.add ?? []) write(item, path, Number(read(item, path) ?? 0) + amount);
    for (const path of change.remove ?? []) write(item, path, undefined);
    const changed = { ...item, pk: key.pk, sk: key.sk };
    refuseTooLarge(changed);
    this.#items.set(nameOf(key), changed);
    return structuredClone(changed);
  }

  async delete(key: Key, when?: Condition): Promise<boolean> {
    if (when && !holds(when, this.#items.get(nameOf(key)))) return false;
    this.#items.delete(nameOf(key));
    return true;
  }

  async query(query: Query): Promise<Page> {
    const hash = query.index?.hash ?? "pk";
    const range = query.index?.range ?? "sk";
    const found = [...this.#items.values()]
      .filter((item) => item[hash] === query.hash && item[range] !== undefined && within(query, item[range]))
      .sort((a, b) => compareIn(range, a, b));
    const start = query.start;
    const after = start ? found.filter((item) => compareIn(range, item, start) > 0) : found;
    const items = onePage(after.slice(0, query.limit).map((item) => this.#project(query, item)));
    const last = items.at(-1);
    return structuredClone(last && items.length < after.length ? { items, next: last } : { items });
  }

  #project(query: Query, item: Item): Item {
    if (!query.index) return item;
    const { name, hash, range } = query.index;
    const carried = [hash, range, ...(this.#projections[name] ?? [])];
    const entries = Object.entries(item).filter(([attribute]) => carried.includes(attribute));
    return { ...Object.fromEntries(entries), pk: item.pk, sk: item.sk };
  }

  /** One item as it is stored, at once and not copied: for tests that look on. */
  peek(key: Key): Item | undefined {
    return this.#items.get(nameOf(key));
  }

  /** Everything stored, for tests that look for what must not be there. */
  dump(): readonly Item[] {
    return structuredClone([...this.#items.values()]);
  }
}

/** What DynamoDB takes of an expression and of an item (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html). */
const longestExpression = 4096;
const mostBytesOfItem = 400 * 1024;
const mostOperators = 300;
/** Fewer parts are never too long. */
const fewParts = 20;

/** As DynamoDB refuses a write that says too much. */
function refuseTooLong(change: Change, when: Condition | undefined): void {
  const comparisons = when ? comparisonsIn(when) : 0;
  const changes = [change.set, change.add, change.remove].reduce((sum, all) => sum + (all?.length ?? 0), 0);
  if (comparisons + changes <= fewParts) return;
  const expressions = new Expressions();
  const texts = [expressions.change(change), when ? expressions.condition(when) : ""];
  // Between two comparisons stands another operator.
  if (2 * comparisons - 1 <= mostOperators && texts.every(({ length }) => length <= longestExpression)) return;
  throw new ScoutsError("storage_unavailable", { cause: new RangeError("Expression size has exceeded the maximum") });
}

/** As DynamoDB refuses an item that is, or would become, too large. */
function refuseTooLarge(item: Item): void {
  if (sizeOf(item) <= mostBytesOfItem) return;
  throw new ScoutsError("storage_unavailable", { cause: new RangeError("Item size has exceeded the maximum") });
}

function comparisonsIn(condition: Condition): number {
  if ("all" in condition) return condition.all.reduce((sum, each) => sum + comparisonsIn(each), 0);
  return "any" in condition ? condition.any.reduce((sum, each) => sum + comparisonsIn(each), 0) : 1;
}

/** DynamoDB's. */
const mostBytesOfPage = 1024 * 1024;

/** What a page holds of what was found, one item at least. */
function onePage(found: Item[]): Item[] {
  let bytes = 0;
  const end = found.findIndex((item) => {
    const isFull = bytes > mostBytesOfPage;
    bytes += sizeOf(item);
    return isFull;
  });
  return end < 0 ? found : found.slice(0, end);
}

/** About as DynamoDB counts it: names and texts, and a few bytes for all else. */
function sizeOf(value: Value): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (value === null || typeof value !== "object") return 8;
  return Object.entries(value).reduce((sum, [name, inner]) => sum + name.length + sizeOf(inner), 3);
}

function nameOf(key: Key): string {
  return `${key.pk}\0${key.sk}`;
}

function compare(a: Value | undefined, b: Value | undefined): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

function compareIn(range: string, a: Item, b: Item): number {
  return compare(a[range], b[range]) || compare(a.pk, b.pk) || compare(a.sk, b.sk);
}

function within(query: Query, value: Value): boolean {
  if (query.prefix !== undefined && !String(value).startsWith(query.prefix)) return false;
  if (query.from !== undefined && compare(value, query.from) < 0) return false;
  return query.to === undefined || compare(value, query.to) <= 0;
}

function read(item: Value | undefined, path: readonly string[]): Value | undefined {
  const [head, ...rest] = path;
  if (head === undefined) return item;
  if (item === null || typeof item !== "object" || Array.isArray(item)) return undefined;
  return read((item as Mutable)[head], rest);
}

function write(item: Mutable, path: Path, value: Value | undefined): void {
  const [head, next, ...rest] = path;
  if (next === undefined) {
    if (value === undefined) delete item[head];
    else item[head] = value;
    return;
  }
  const inner = item[head];
  if (inner === null || typeof inner !== "object" || Array.isArray(inner)) {
    if (value === undefined) return;
    throw new TypeError(`There is no map at "${head}"`);
  }
  write(inner as Mutable, [next, ...rest], value);
}

function holds(condition: Condition, item: Item | undefined): boolean {
  if ("exists" in condition) return read(item, condition.exists) !== undefined;
  if ("absent" in condition) return read(item, condition.absent) === undefined;
  if ("all" in condition) return condition.all.every((each) => holds(each, item));
  if ("any" in condition) return condition.any.some((each) => holds(each, item));
  const value = read(item, condition.path);
  if ("in" in condition) return condition.in.some((allowed) => allowed === value);
  return value !== undefined && related(value, condition.is, condition.value);
}

function related(value: Value, is: "=" | "<" | "<=" | ">" | ">=", other: Scalar): boolean {
  if (is === "=") return value === other;
  if (typeof value !== typeof other) return false;
  const order = compare(value, other);
  if (is === "<") return order < 0;
  if (is === "<=") return order <= 0;
  return is === ">" ? order > 0 : order >= 0;
}
