import type { UserId } from "../../events/ids.ts";
import type { Result } from "./reservation.ts";
import type { Feature } from "./tiers.ts";

/** Where operations of one kind have their results. */
export interface ResultBook {
  readonly feature: Feature;
  /** How the names of its operations begin: with the id of what they are about. No two books of a feature share one. */
  readonly prefix: string;
  /** What operations took, as their rows say it; those without a row are left out. */
  resultsOf(user: UserId, ops: readonly string[]): Promise<ReadonlyMap<string, Result>>;
}

/** What operations of a feature took, each looked up in the book of its kind. */
export async function lookUp(
  books: readonly ResultBook[],
  user: UserId,
  ops: readonly string[],
): Promise<ReadonlyMap<string, Result>> {
  const results = new Map<string, Result>();
  for (const book of books) {
    const own = ops.filter((op) => op.startsWith(book.prefix));
    if (own.length === 0) continue;
    for (const [op, result] of await book.resultsOf(user, own)) results.set(op, result);
  }
  return results;
}
