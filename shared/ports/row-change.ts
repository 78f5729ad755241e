import type { Change, Path, Value } from "./table.ts";

/** What rows may hold: values a table can store, each under its name. */
type RowShape<Row> = { readonly [Name in keyof Row]?: Value | undefined };
type Names<Row> = Extract<keyof Row, string>;
type CountNames<Row> = { [Name in Names<Row>]: NonNullable<Row[Name]> extends number ? Name : never }[Names<Row>];

/** Changes of a row by the names of its attributes. Those that are not named stay as they are. */
export interface RowChange<Row> {
  /** An attribute whose value is `undefined` stays as it is. */
  readonly set?: { readonly [Name in Names<Row>]?: Row[Name] | undefined };
  /** Counts from 0 when the attribute is absent; not idempotent, so guard it by a condition. */
  readonly add?: { readonly [Name in CountNames<Row>]?: number };
  readonly remove?: readonly Names<Row>[];
  /** Entries of map attributes, and attributes with made-up names, by their path. */
  readonly at?: Change;
}

/**
 * The table's change for a change of a row: a wrong name or a value of another type does not compile.
 *
 * @example changeOf<StoredScout>({ set: { ...due.at("scout", id, nowMs), maintainedAt: nowMs }, remove: ["inactiveAt"] })
 */
export function changeOf<Row extends RowShape<Row>>({ set, add, remove, at }: RowChange<Row>): Change {
  const values: (readonly [Path, Value])[] = [...(at?.set ?? [])];
  for (const name of namesOf<Row>(set)) {
    const value: Value | undefined = set?.[name];
    if (value !== undefined) values.push([[name], value]);
  }
  const counts: (readonly [Path, number])[] = [...(at?.add ?? [])];
  for (const [name, amount] of Object.entries<number | undefined>(add ?? {})) {
    if (amount !== undefined) counts.push([[name], amount]);
  }
  const gone: Path[] = [...(at?.remove ?? []), ...(remove ?? []).map((name): Path => [name])];
  return {
    ...(values.length > 0 ? { set: values } : {}),
    ...(counts.length > 0 ? { add: counts } : {}),
    ...(gone.length > 0 ? { remove: gone } : {}),
  };
}

/** `Object.keys` forgets the type of the names. */
function namesOf<Row>(set: RowChange<Row>["set"]): Names<Row>[] {
  return Object.keys(set ?? {}) as Names<Row>[];
}
