import type { KeptReason } from "../../../events/verdict.ts";
import { ledgerIndex, ledgerKey, recentOf } from "../../keys.ts";
import type { Change, Condition, Table } from "../../ports/table.ts";
import type { ScoutRow } from "../scout-row.ts";
import { type ItemRow, openAtOf, parseItemRow, rowLifeSeconds } from "./item-row.ts";
import type { ItemId } from "./item-store.ts";

const isSpam: Condition = { path: ["status"], is: "=", value: "spam" };
const isDue: Condition = { all: [isSpam, { path: ["trash"], is: "=", value: "due" }] };

/** What was judged as spam: the list a person looks through, and what became of each item at its source. */
export class SpamStore {
  readonly #ledger: Table;

  constructor(ledger: Table) {
    this.#ledger = ledger;
  }

  async find(id: ItemId): Promise<ItemRow | undefined> {
    const item = await this.#ledger.get(ledgerKey.item(id.userId, id.scoutId, id.ref));
    return item && parseItemRow(item);
  }

  /** A page, newest first. The index is only a hint, so each row is read afresh. @param after the `last` of a page */
  async list(
    { scoutId }: ScoutRow,
    after: string | undefined,
    limit: number,
  ): Promise<{ rows: readonly ItemRow[]; last?: string }> {
    const page = await this.#ledger.query({
      index: ledgerIndex.recent,
      hash: recentOf.spam(scoutId),
      limit,
      ...(after === undefined ? {} : { from: `${after}\u0000` }),
    });
    const items = await this.#ledger.getMany(page.items.map(({ pk, sk }) => ({ pk, sk })));
    const rows = items.map(parseItemRow).filter(({ status }) => status === "spam");
    rows.sort((a, b) => ((a.openAt ?? "") < (b.openAt ?? "") ? -1 : 1));
    const last = page.next ? page.items.at(-1)?.["openAt"] : undefined;
    return typeof last === "string" ? { rows, last } : { rows };
  }

  /** Notes that the item is in the source's Trash by our doing. `false` when it was restored meanwhile. */
  async trashed(id: ItemId, nowMs: number): Promise<boolean> {
    return this.#change(id, settled("trashed", [["trashedAt"], nowMs]), isDue);
  }

  /** Notes why the item was left where it is. */
  async kept(id: ItemId, reason: KeptReason): Promise<boolean> {
    return this.#change(id, settled("kept", [["keptBecause"], reason]), isDue);
  }

  /**
   * Turns the verdict around, as of now: the item becomes a proposal that every device gets.
   *
   * @returns the row, or `false` when it was not (or no longer) spam
   */
  async restored(id: ItemId, nowMs: number): Promise<ItemRow | false> {
    const answer = await this.#ledger.update(
      ledgerKey.item(id.userId, id.scoutId, id.ref),
      {
        set: [
          [["status"], "queued"],
          [["triagedAt"], nowMs],
          [["restoredAt"], nowMs],
          [["ttl"], Math.floor(nowMs / 1000) + rowLifeSeconds],
          [["on"], {}],
          [["openFor"], recentOf.proposals(id.userId)],
          [["openAt"], openAtOf(nowMs, id.scoutId, id.ref)],
        ],
        remove: [["trash"], ["trashedAt"], ["keptBecause"], ["sourceState"]],
      },
      isSpam,
    );
    return answer && parseItemRow(answer);
  }

  async #change(id: ItemId, change: Change, when: Condition): Promise<boolean> {
    return (await this.#ledger.update(ledgerKey.item(id.userId, id.scoutId, id.ref), change, when)) !== false;
  }
}

function settled(trash: "trashed" | "kept", fact: [[string], string | number]): Change {
  return { set: [[["trash"], trash], fact], remove: [["sourceState"]] };
}
