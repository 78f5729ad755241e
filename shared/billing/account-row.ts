import * as z from "zod";
import type { Item } from "../ports/table.ts";
import { storedRow } from "../stored-row.ts";
import { tierName } from "./tiers.ts";

/** What the Ledger holds of a person: nothing but the tier an operator gave them and when a device of theirs was seen. */
const accountRow = z.object({ tier: tierName.default("free"), lastSeenAt: z.number().optional() });
export type Account = z.infer<typeof accountRow>;

/** The row is absent until there is something to say: a new person is on the free tier. @throws row_damaged */
export function parseAccount(item: Item | undefined): Account {
  return storedRow(item, (stored) => accountRow.parse(stored ?? {}));
}
