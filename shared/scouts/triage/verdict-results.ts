import { itemRef, scoutId, type UserId } from "../../../events/ids.ts";
import type { Result } from "../../billing/reservation.ts";
import type { ResultBook } from "../../billing/result-book.ts";
import type { Table } from "../../ports/table.ts";
import { type ItemId, ItemStore } from "../items/item-store.ts";
import { resultOf } from "./settle-tokens.ts";

/** The most a batch read takes. */
const readSize = 100;

/** What verdicts took, by the rows of their items. */
export function verdictResults(ledger: Table): ResultBook {
  const items = new ItemStore(ledger);
  return {
    feature: "triage",
    prefix: "sct_",
    resultsOf: async (user, ops) => {
      const results = new Map<string, Result>();
      for (let start = 0; start < ops.length; start += readSize) {
        const some = new Map(ops.slice(start, start + readSize).map((op) => [nameOf(itemOf(user, op)), op]));
        const rows = await items.getMany([...some.values()].map((op) => itemOf(user, op)));
        for (const row of rows) results.set(some.get(nameOf(row)) ?? "", resultOf(row));
      }
      return results;
    },
  };
}

/** The item of an operation: the inverse of `verdictOp`. */
function itemOf(user: UserId, op: string): ItemId {
  const [scout = "", ...rest] = op.split(".");
  return { userId: user, scoutId: scoutId.parse(scout), ref: itemRef.parse(rest.slice(0, -1).join(".")) };
}

function nameOf({ scoutId: scout, ref }: Pick<ItemId, "scoutId" | "ref">): string {
  return `${scout}.${ref}`;
}
