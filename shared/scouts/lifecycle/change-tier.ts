import type { UserId } from "../../../events/ids.ts";
import { AccountStore } from "../../billing/account-store.ts";
import type { TierName } from "../../billing/tiers.ts";
import { ledgerKey, ledgerPrefix } from "../../keys.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Item, Table } from "../../ports/table.ts";
import { parseItemRow } from "../items/item-row.ts";
import { ItemStore } from "../items/item-store.ts";

const pageSize = 500;

export interface ChangeTierPorts {
  readonly ledger: Table;
  readonly clock: Clock;
}

/**
 * An operator's decision: what a person may use from now on. Items that wait for next month's tokens are due at once:
 * under the new tier they are judged, or put off again. The tier comes first, so that whoever is refused meanwhile sees
 * it (see settle-item.ts); dying in between is mended by giving the command again.
 *
 * @returns how many items were released
 */
export async function changeTier({ ledger, clock }: ChangeTierPorts, user: UserId, tier: TierName): Promise<number> {
  await new AccountStore(ledger).setTier(user, tier);
  const items = new ItemStore(ledger);
  const { pk } = ledgerKey.user(user);
  let released = 0;
  let start: Item | undefined;
  do {
    const page = await ledger.query({
      hash: pk,
      prefix: ledgerPrefix.items,
      limit: pageSize,
      consistent: true,
      ...(start ? { start } : {}),
    });
    const waiting = page.items.map(parseItemRow).filter(({ code }) => code === "quota_exceeded");
    const answers = await Promise.all(waiting.map((row) => items.released(row, clock())));
    released += answers.filter(Boolean).length;
    start = page.next;
  } while (start);
  return released;
}
