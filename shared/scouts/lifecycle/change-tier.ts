import type { UserId } from "../../../events/ids.ts";
import { AccountStore } from "../../billing/account-store.ts";
import type { TierName } from "../../billing/tiers.ts";
import { ledgerKey, ledgerPrefix } from "../../keys.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Item, Table } from "../../ports/table.ts";
import { readEach } from "../../stored-row.ts";
import { parseItemRow } from "../items/item-row.ts";
import { ItemStore } from "../items/item-store.ts";

const pageSize = 500;

export interface ChangeTierPorts {
  readonly ledger: Table;
  readonly clock: Clock;
}

export interface TierChanged {
  /** Items that waited for tokens and are due now. */
  readonly released: number;
  /** Items whose rows cannot be read: whether they wait for tokens is not known. */
  readonly damaged: number;
}

/**
 * An operator's decision: what a person may use from now on. Items that wait for next month's tokens are due at once:
 * under the new tier they are judged, or put off again. The tier comes first, so that whoever is refused meanwhile sees
 * it (see settle-item.ts); dying in between is mended by giving the command again.
 *
 * A damaged item waits for its operator, and keeps none of the others.
 */
export async function changeTier(
  { ledger, clock }: ChangeTierPorts,
  user: UserId,
  tier: TierName,
): Promise<TierChanged> {
  await new AccountStore(ledger).setTier(user, tier);
  const items = new ItemStore(ledger);
  const { pk } = ledgerKey.user(user);
  let released = 0;
  let damaged = 0;
  let start: Item | undefined;
  do {
    const page = await ledger.query({
      hash: pk,
      prefix: ledgerPrefix.items,
      limit: pageSize,
      consistent: true,
      ...(start ? { start } : {}),
    });
    const each = readEach(page.items, parseItemRow);
    damaged += each.damaged.length;
    const waiting = each.read.filter(({ code }) => code === "quota_exceeded");
    const answers = await Promise.all(waiting.map((row) => items.released(row, clock())));
    released += answers.filter(Boolean).length;
    start = page.next;
  } while (start);
  return { released, damaged };
}
