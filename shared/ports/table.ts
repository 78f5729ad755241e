/** A value as a table holds it: what DynamoDB can store and JSON can show. */
export type Scalar = string | number | boolean | null;
export type Value = Scalar | readonly Value[] | { readonly [key: string]: Value };
export interface Key {
  readonly pk: string;
  readonly sk: string;
}
export type Item = Key & { readonly [attribute: string]: Value };

/** A path into an item: `["status"]`, or `["open", opId, "amount"]` inside a map. */
export type Path = readonly [string, ...string[]];

/** What must hold of the stored item for a write to happen, decided by the store in the same step as the write. */
export type Condition =
  | { readonly exists: Path }
  | { readonly absent: Path }
  | { readonly path: Path; readonly is: "=" | "<" | "<=" | ">" | ">="; readonly value: Scalar }
  | { readonly path: Path; readonly in: readonly Scalar[] }
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] };

/** Changes of one item. `add` counts from 0 when the attribute is absent; it is not idempotent, so guard it. */
export interface Change {
  readonly set?: readonly (readonly [Path, Value])[];
  readonly add?: readonly (readonly [Path, number])[];
  readonly remove?: readonly Path[];
}

export interface Query {
  /** None: the table itself, by `pk` and a prefix or range of `sk`. */
  readonly index?: { readonly name: string; readonly hash: string; readonly range: string };
  readonly hash: string;
  readonly prefix?: string;
  readonly from?: string | number;
  readonly to?: string | number;
  readonly limit?: number;
  /** Strongly consistent; not possible on an index. */
  readonly consistent?: boolean;
  readonly start?: Item;
}

export interface Page {
  readonly items: readonly Item[];
  /** Present when there may be more: pass it as `start`. */
  readonly next?: Item;
}

/**
 * A key-value table with conditional writes of one item, the only guarantee the product is built on: no transactions,
 * no streams. Implementations MUST decide condition and write in one atomic step, MUST NOT create an item by `update`
 * or `delete` whose condition does not hold, MUST answer `false` (and change nothing) when a condition does not hold,
 * and MUST throw `storage_throttled` or `storage_unavailable` when it is not known whether the write happened.
 */
export interface Table {
  /** Strongly consistent read of one item. */
  get(key: Key): Promise<Item | undefined>;
  /** Strongly consistent reads of up to 100 items; absent ones are left out, each comes once, the order is the store's. */
  getMany(keys: readonly Key[]): Promise<readonly Item[]>;
  /** Writes the whole item. */
  put(item: Item, when?: Condition): Promise<boolean>;
  /** Changes an item, creating it when `when` allows; answers the item after the change. */
  update(key: Key, change: Change, when?: Condition): Promise<Item | false>;
  delete(key: Key, when?: Condition): Promise<boolean>;
  /** Items in ascending order of the range key. */
  query(query: Query): Promise<Page>;
}
