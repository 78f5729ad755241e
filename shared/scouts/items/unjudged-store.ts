import type { ErrorCode } from "../../../events/error-kinds.ts";
import { due, recent, ttl } from "../../index-entries.ts";
import { recentOf } from "../../keys.ts";
import type { TokenUsage } from "../../llm/chat-model.ts";
import { changeOf } from "../../ports/row-change.ts";
import type { Condition, Table } from "../../ports/table.ts";
import { countsOf } from "./counts.ts";
import { isOpen, redriven, waiting } from "./item-conditions.ts";
import { type ItemRow, openAtOf, parseItemRow, rowLifeSeconds, type StoredItem } from "./item-row.ts";
import { type ItemId, keyOf } from "./item-store.ts";
import { ownVerdict } from "./own-verdict.ts";

const isShownUnjudged: Condition = { all: [isOpen, { path: ["reasonCode"], is: "=", value: "unjudged" }] };

/** Items that could not be judged: shown to their owner all the same, set aside when nobody can read them, and brought back. */
export class UnjudgedStore {
  readonly #ledger: Table;

  constructor(ledger: Table) {
    this.#ledger = ledger;
  }

  /**
   * Makes an item a proposal without a verdict, with the code of what kept it from one. `false`, and nothing changed,
   * when it has come to an end meanwhile.
   */
  async show(
    id: ItemId,
    how: { readonly sourceType: string; readonly code: ErrorCode; readonly reservation?: string | undefined },
    nowMs: number,
    tokens: TokenUsage,
  ): Promise<ItemRow | false> {
    const change = changeOf<StoredItem>({
      set: {
        status: "queued",
        sourceType: how.sourceType,
        code: how.code,
        reservation: how.reservation,
        reasonCode: "unjudged",
        triagedAt: nowMs,
        changedAt: nowMs,
        on: {},
        ...ttl.after(nowMs, rowLifeSeconds),
        ...recent.entry(recentOf.proposals(id.userId), openAtOf(nowMs, id.scoutId, id.ref)),
      },
      add: countsOf(tokens),
      remove: [...due.attributes, "looks", "redrivenAt"],
    });
    const answer = await this.#ledger.update(keyOf(id), change, waiting);
    if (answer) return parseItemRow(answer);
    return ownVerdict(this.#ledger, keyOf(id), { reservation: how.reservation, triagedAt: nowMs });
  }

  /** Its metadata is about to be read, which may take this worker too. */
  async looking(id: ItemId, looks: number): Promise<void> {
    await this.#ledger.update(keyOf(id), changeOf<StoredItem>({ set: { looks } }), waiting);
  }

  /**
   * Has an item judged anew, once: one set aside waits again with all its attempts, one shown unjudged stays shown
   * meanwhile, one that waits is looked at now. The due cron queues it within a minute.
   *
   * @returns `false` when it has a verdict, is decided, is gone, or was redriven before and has not been tried since
   */
  async redrive(id: ItemId, nowMs: number): Promise<boolean> {
    const dueNow = due.at("item", id.ref, nowMs);
    const fresh = { attempts: 0, alone: 0, changedAt: nowMs };
    const revived = changeOf<StoredItem>({
      set: { status: "deferred", ...dueNow, ...fresh },
      remove: ["ttl", "looks"],
    });
    const asked = changeOf<StoredItem>({ set: { ...dueNow, ...fresh, redrivenAt: nowMs } });
    const notYet: Condition = { all: [isShownUnjudged, { absent: ["redrivenAt"] }] };
    const key = keyOf(id);
    if (await this.#ledger.update(key, revived, { path: ["status"], is: "=", value: "dead" })) return true;
    if (await this.#ledger.update(key, asked, notYet)) return true;
    const waits: Condition = { all: [{ exists: ["status"] }, waiting, { path: ["dueAt"], is: ">", value: nowMs }] };
    return (await this.#ledger.update(key, changeOf<StoredItem>({ set: dueNow }), waits)) !== false;
  }

  /** A redriven item has to wait once more. */
  async putOff(id: ItemId, dueAtMs: number): Promise<void> {
    const change = changeOf<StoredItem>({ set: due.at("item", id.ref, dueAtMs) });
    await this.#ledger.update(keyOf(id), change, redriven);
  }

  /** A redriven item got no verdict this time either: it stays as it is shown, and may be redriven again. */
  async stays(
    id: ItemId,
    how: { readonly code: ErrorCode; readonly reservation: string | undefined },
    tokens: TokenUsage,
  ): Promise<ItemRow | false> {
    const change = changeOf<StoredItem>({
      set: { code: how.code, reservation: how.reservation },
      add: countsOf(tokens),
      remove: [...due.attributes, "redrivenAt"],
    });
    const answer = await this.#ledger.update(keyOf(id), change, redriven);
    return answer && parseItemRow(answer);
  }
}
