import { type ErrorData, isScoutsError, ScoutsError } from "../events/errors.ts";
import { configurationInvalid } from "./outcome/outcome.ts";
import type { Log } from "./ports/log.ts";
import type { Key } from "./ports/table.ts";

/**
 * What a row says. One that says something else than its schema is damaged, or was written by a later version: nothing is made of
 * it, and nothing written over it, until its operator has mended it.
 *
 * @throws row_damaged naming the row by its key
 */
export const storedRow = <R extends Key | undefined, T>(row: R, read: (row: R) => T): T =>
  orDamaged(row ? { pk: row.pk, sk: row.sk } : {}, () => read(row));

/**
 * The same of a text within a row that only who wrote it can read.
 *
 * @param what the text is, for the log
 * @throws row_damaged
 */
export const storedText = <T>(text: string, what: string, read: (text: string) => T): T =>
  orDamaged({ what }, () => read(text));

function orDamaged<T>(data: ErrorData, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new ScoutsError("row_damaged", { data, cause });
  }
}

/** A row that cannot be read, and why. */
export interface DamagedRow<R extends Key> {
  readonly row: R;
  readonly error: unknown;
}

/** Of several rows those that can be read, and the damaged ones apart: none of these keeps another waiting. */
export function readEach<R extends Key, T>(
  rows: readonly R[],
  read: (row: R) => T,
): { readonly read: T[]; readonly damaged: DamagedRow<R>[] } {
  const [good, damaged]: [T[], DamagedRow<R>[]] = [[], []];
  for (const row of rows) {
    try {
      good.push(read(row));
    } catch (error) {
      if (!isScoutsError(error, "row_damaged")) throw error;
      damaged.push({ row, error });
    }
  }
  return { read: good, damaged };
}

/**
 * {@link readEach}, with the operator told of damaged ones.
 *
 * @param what who reads them, for the log
 */
export function readableRows<R extends Key, T>(rows: readonly R[], read: (row: R) => T, log: Log, what: string): T[] {
  const each = readEach(rows, read);
  for (const { error } of each.damaged) tellDamage(error, log, what);
  return each.read;
}

/** What a row says, or nothing of one that is damaged. @throws whatever else kept it from being read */
export async function unlessDamaged<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (!isScoutsError(error, "row_damaged")) throw error;
    return undefined;
  }
}

/** Tells the operator of a damaged row, which nobody else can mend. @throws whatever else it was */
export function tellDamage(error: unknown, log: Log, what: string): void {
  if (!isScoutsError(error, "row_damaged")) throw error;
  log.error(configurationInvalid, error, { what });
}
