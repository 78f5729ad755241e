import { ScoutsError } from "../../../events/errors.ts";
import type { DeviceId } from "../../../events/ids.ts";
import { categorizeLeaseMs } from "../../../events/proposals/categorize.ts";
import { changeOf } from "../../ports/row-change.ts";
import type { Condition, Table } from "../../ports/table.ts";
import { isOpen, roundIs } from "./item-conditions.ts";
import { type ItemRow, open, parseItemRow, type StoredItem } from "./item-row.ts";
import { type ItemId, keyOf } from "./item-store.ts";

/** A device that wants to have a round of a proposal read by a model. */
export interface Reader {
  readonly deviceId: DeviceId;
  readonly round: number;
}

/**
 * Which device has a proposal read by a model. The row of the item says so: ids and a time. Two devices at once:
 *
 *   A  takes round 1 ─ writes ✓ ─ run ──────── result ─▶ B keeps it
 *   B      takes round 1 ─ writes ✗: waits for the result, and takes the round when A's lease is over without one
 *
 * A device may take its own lease again: its processes are kept apart by its own store, and one of them may have died.
 */
export class CategorizeLeases {
  readonly #ledger: Table;

  constructor(ledger: Table) {
    this.#ledger = ledger;
  }

  /** @throws ScoutsError proposal_not_found, proposal_not_open, categorize_claimed */
  async take(id: ItemId, { deviceId, round }: Reader, nowMs: number): Promise<void> {
    const free: Condition = {
      any: [
        { absent: ["readRound"] },
        { path: ["readRound"], is: "<", value: round },
        { path: ["readBy"], is: "=", value: deviceId },
        { path: ["readUntil"], is: "<=", value: nowMs },
        // By a clock that has stepped back since.
        { path: ["readUntil"], is: ">", value: nowMs + 2 * categorizeLeaseMs },
      ],
    };
    const change = changeOf<StoredItem>({
      set: { readBy: deviceId, readRound: round, readUntil: nowMs + categorizeLeaseMs },
    });
    if (await this.#ledger.update(keyOf(id), change, { all: [isOpen, roundIs(round), free] })) return;
    const row = await this.#find(id);
    if (row === undefined) throw new ScoutsError("proposal_not_found");
    if (row.round !== round || !open.some((status) => status === row.status)) {
      throw new ScoutsError("proposal_not_open");
    }
    throw new ScoutsError("categorize_claimed");
  }

  /** Whether this device has the round read, or had it last: then its result is the one. */
  async holds(id: ItemId, { deviceId, round }: Reader): Promise<boolean> {
    const row = await this.#find(id);
    return row?.readBy === deviceId && row.readRound === round;
  }

  async #find(id: ItemId): Promise<ItemRow | undefined> {
    const item = await this.#ledger.get(keyOf(id));
    return item && parseItemRow(item);
  }
}
