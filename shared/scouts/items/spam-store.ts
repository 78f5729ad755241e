import type { KeptReason } from "../../../events/proposals/verdict.ts";
import { recent, ttl } from "../../index-entries.ts";
import { ledgerIndex, ledgerKey, recentOf } from "../../keys.ts";
import { changeOf, type RowChange } from "../../ports/row-change.ts";
import type { Condition, Item, Table } from "../../ports/table.ts";
import type { ScoutRow } from "../scout-row.ts";
import {
  type ItemRow,
  itemStatuses,
  openAtOf,
  parseItemRow,
  rowLifeSeconds,
  type StoredItem,
  shownRow,
  spamTimeOf,
} from "./item-row.ts";
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

  /**
   * A page, newest first. The index is only a hint, so each row is read afresh; a damaged one that may be spam is among them, under
   * the code that says so and with the time the index has.
   *
   * @param after the `last` of a page
   */
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
    const placeOf = new Map(page.items.map(({ pk, sk, openAt }) => [`${pk} ${sk}`, openAt]));
    const rows = items
      .filter(mayBeSpam)
      .map((item) => atPlace(shownRow(item), placeOf.get(`${item.pk} ${item.sk}`)))
      .filter(({ status, code }) => status === "spam" || code === "row_damaged");
    rows.sort((a, b) => ((a.openAt ?? "") < (b.openAt ?? "") ? -1 : 1));
    const last = page.next ? page.items.at(-1)?.["openAt"] : undefined;
    return typeof last === "string" ? { rows, last } : { rows };
  }

  /** Notes that the item is in the source's Trash by our doing. `false` when it was restored meanwhile. */
  async trashed(id: ItemId, nowMs: number): Promise<boolean> {
    if (await this.#settle(id, { trash: "trashed", trashedAt: nowMs })) return true;
    // The store's client repeats a request whose answer it misses, and another worker may have noted the same.
    return (await this.find(id))?.trash === "trashed";
  }

  /** Notes why the item was left where it is. */
  async kept(id: ItemId, reason: KeptReason): Promise<boolean> {
    return this.#settle(id, { trash: "kept", keptBecause: reason });
  }

  /**
   * Turns the verdict around, as of now: the item becomes a proposal that every device gets.
   *
   * @returns the row, or `false` when it was not (or no longer) spam
   */
  async restored(id: ItemId, nowMs: number): Promise<ItemRow | false> {
    const answer = await this.#ledger.update(
      ledgerKey.item(id.userId, id.scoutId, id.ref),
      changeOf<StoredItem>({
        set: {
          status: "queued",
          triagedAt: nowMs,
          restoredAt: nowMs,
          on: {},
          ...ttl.after(nowMs, rowLifeSeconds),
          ...recent.entry(recentOf.proposals(id.userId), openAtOf(nowMs, id.scoutId, id.ref)),
        },
        remove: ["trash", "trashedAt", "keptBecause", "sourceState"],
      }),
      isSpam,
    );
    return answer && parseItemRow(answer);
  }

  async #settle(id: ItemId, set: RowChange<StoredItem>["set"] & object): Promise<boolean> {
    const change = changeOf<StoredItem>({ set, remove: ["sourceState"] });
    return (await this.#ledger.update(ledgerKey.item(id.userId, id.scoutId, id.ref), change, isDue)) !== false;
  }
}

/** One whose status cannot be read is where the index has it. */
function mayBeSpam({ status }: Item): boolean {
  return status === "spam" || !itemStatuses.some((each) => each === status);
}

/** Of a damaged row the index still says where it stands, and so when it was judged. */
function atPlace(row: ItemRow, openAt: unknown): ItemRow {
  if (row.openAt !== undefined || typeof openAt !== "string") return row;
  return { ...row, openAt, triagedAt: spamTimeOf(openAt) };
}
