import type { FrameId } from "../../../events/ids.ts";
import type { DecisionOutcome } from "../../../events/proposals/verdict.ts";
import { recent, ttl } from "../../index-entries.ts";
import { recentOf } from "../../keys.ts";
import { changeOf } from "../../ports/row-change.ts";
import type { Condition, Table } from "../../ports/table.ts";
import { ofOpenItems, roundIs } from "./item-conditions.ts";
import { type ItemRow, openAtOf, parseItemRow, rowLifeSeconds, type StoredItem } from "./item-row.ts";
import { type ItemId, keyOf } from "./item-store.ts";

/**
 * States a round can be decided in. Those that ended without a decision are among them: a device that was away may bring
 * one that was made in time, and of two such devices the second has to hear of the first.
 */
const undecided: Condition = { path: ["status"], in: ["queued", "delivered", "expired", "gone", "spam"] };

/** States after which a person may want to decide anew: decided, or closed because nobody had decided for thirty days. */
const ended: Condition = { path: ["status"], in: ["acked", "expired"] };

/** What has become of a decision, or of the wish to open a proposal again; the row is as it is now. */
export type Settled =
  | { readonly how: "done" | "stood"; readonly row: ItemRow }
  /** Nothing was changed: of another round, or another decision was first. */
  | { readonly how: "other"; readonly row: ItemRow }
  | { readonly how: "unknown" };

/** The rounds of a proposal: each is decided once, and one that was decided or expired may be followed by another. */
export class RoundStore {
  readonly #ledger: Table;

  constructor(ledger: Table) {
    this.#ledger = ledger;
  }

  /**
   * A person has decided a round; the first decision of it counts. Two devices at once:
   *
   *   A  approves ─ writes: acked in round 1 ✓
   *   B      rejects ──────────────────────── writes ✗: reads A's outcome, and its person is told
   *
   * @param frame the decision's own frame: said again, it is the decision that stands and not another one
   */
  async decided(
    id: ItemId,
    decision: { readonly frame: FrameId; readonly round: number; readonly outcome: DecisionOutcome },
    nowMs: number,
  ): Promise<Settled> {
    const { frame, round, outcome } = decision;
    const change = changeOf<StoredItem>({
      set: { status: "acked", ackedAt: nowMs, outcome, decidedBy: frame },
      remove: ofOpenItems,
    });
    const answer = await this.#ledger.update(keyOf(id), change, { all: [undecided, roundIs(round)] });
    if (answer) return { how: "done", row: parseItemRow(answer) };
    const row = await this.#find(id);
    if (row === undefined) return { how: "unknown" };
    return { how: row.round === round && row.decidedBy === frame ? "stood" : "other", row };
  }

  /**
   * Opens the round after one that was decided or has expired, for every device. Said again, or by two devices, it opens one:
   *
   *   A  reopens round 1 ─ writes: queued, round 2 ✓
   *   B      reopens round 1 ──────────────────────── writes ✗: round 2 is there
   */
  async reopened(id: ItemId, round: number, nowMs: number): Promise<Settled> {
    const change = changeOf<StoredItem>({
      set: {
        status: "queued",
        round: round + 1,
        openedAt: nowMs,
        on: {},
        ...ttl.after(nowMs, rowLifeSeconds),
        ...recent.entry(recentOf.proposals(id.userId), openAtOf(nowMs, id.scoutId, id.ref)),
      },
      remove: ["ackedAt", "closedAt", "outcome", "decidedBy"],
    });
    const answer = await this.#ledger.update(keyOf(id), change, { all: [ended, roundIs(round)] });
    if (answer) return { how: "done", row: parseItemRow(answer) };
    const row = await this.#find(id);
    if (row === undefined) return { how: "unknown" };
    return { how: row.round > round ? "stood" : "other", row };
  }

  async #find(id: ItemId): Promise<ItemRow | undefined> {
    const item = await this.#ledger.get(keyOf(id));
    return item && parseItemRow(item);
  }
}
