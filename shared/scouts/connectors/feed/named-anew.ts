import { isScoutsError, ScoutsError } from "../../../../events/errors.ts";
import type { ItemRef } from "../../../../events/ids.ts";

/**
 * An item is read out of its feed again by its name, when it is judged and when it is opened. Some servers make names up for each
 * answer (a number drawn at random, a session in every link): all of such a feed would be news at each look, and gone a moment later.
 *
 * @param before what the items were named by a moment ago
 * @param readAgain what they are named now
 * @throws source_items_change when they have not one name in common
 */
export async function requireSameNames(
  before: readonly ItemRef[],
  readAgain: () => Promise<readonly ItemRef[]>,
): Promise<void> {
  if (before.length === 0) return;
  const now = new Set(await readAgain().catch(unknownNames));
  if (now.size > 0 && !before.some((ref) => now.has(ref))) throw new ScoutsError("source_items_change");
}

/** A server that answers once and not twice has said nothing of its names. */
function unknownNames(error: unknown): readonly ItemRef[] {
  if (isScoutsError(error)) return [];
  throw error;
}
