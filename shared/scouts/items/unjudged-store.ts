import type { ErrorCode } from "../../../events/errors.ts";
import { recentOf, shardOf } from "../../keys.ts";
import type { TokenUsage } from "../../llm/chat-model.ts";
import type { Change, Condition, Table } from "../../ports/table.ts";
import { type ItemRow, openAtOf, parseItemRow, rowLifeSeconds } from "./item-row.ts";
import {
  type ItemId,
  isOpen,
  keyOf,
  leaveDue,
  recentEntry,
  redriven,
  underReservation,
  waiting,
} from "./item-store.ts";

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
    const change: Change = {
      set: [
        [["status"], "queued"],
        [["sourceType"], how.sourceType],
        [["reasonCode"], "unjudged"],
        [["code"], how.code],
        [["triagedAt"], nowMs],
        [["changedAt"], nowMs],
        [["ttl"], Math.floor(nowMs / 1000) + rowLifeSeconds],
        [["on"], {}],
        ...recentEntry(recentOf.proposals(id.userId), openAtOf(nowMs, id.scoutId, id.ref)),
        ...underReservation(how.reservation),
      ],
      add: tokensOf(tokens),
      remove: [...leaveDue, ["looks"], ["redrivenAt"]],
    };
    const answer = await this.#ledger.update(keyOf(id), change, waiting);
    return answer && parseItemRow(answer);
  }

  /** Its metadata is about to be read, which may take this worker too. */
  async looking(id: ItemId, nowMs: number): Promise<void> {
    await this.#ledger.update(keyOf(id), { set: [[["looks"], nowMs]] }, waiting);
  }

  /**
   * Has an item judged anew, once: one set aside waits again with all its attempts, one shown unjudged stays shown
   * meanwhile, one that waits is looked at now. The due cron queues it within a minute.
   *
   * @returns `false` when it has a verdict, is decided, is gone, or was redriven before and has not been tried since
   */
  async redrive(id: ItemId, nowMs: number): Promise<boolean> {
    const due = [
      [["dueAt"], nowMs],
      [["dueShard"], shardOf("item", id.ref)],
    ] as const;
    const fresh = [
      [["attempts"], 0],
      [["alone"], 0],
      [["changedAt"], nowMs],
    ] as const;
    const revived: Change = { set: [[["status"], "deferred"], ...due, ...fresh], remove: [["ttl"], ["looks"]] };
    const asked: Change = { set: [...due, ...fresh, [["redrivenAt"], nowMs]] };
    const notYet: Condition = { all: [isShownUnjudged, { absent: ["redrivenAt"] }] };
    const key = keyOf(id);
    if (await this.#ledger.update(key, revived, { path: ["status"], is: "=", value: "dead" })) return true;
    if (await this.#ledger.update(key, asked, notYet)) return true;
    const waits: Condition = { all: [{ exists: ["status"] }, waiting, { path: ["dueAt"], is: ">", value: nowMs }] };
    return (await this.#ledger.update(key, { set: due }, waits)) !== false;
  }

  /** A redriven item has to wait once more. */
  async putOff(id: ItemId, dueAtMs: number): Promise<void> {
    const change: Change = {
      set: [
        [["dueAt"], dueAtMs],
        [["dueShard"], shardOf("item", id.ref)],
      ],
    };
    await this.#ledger.update(keyOf(id), change, redriven);
  }

  /** A redriven item got no verdict this time either: it stays as it is shown, and may be redriven again. */
  async stays(
    id: ItemId,
    how: { readonly code: ErrorCode; readonly reservation: string | undefined },
    tokens: TokenUsage,
  ): Promise<ItemRow | false> {
    const change: Change = {
      set: [[["code"], how.code], ...underReservation(how.reservation)],
      add: tokensOf(tokens),
      remove: [...leaveDue, ["redrivenAt"]],
    };
    const answer = await this.#ledger.update(keyOf(id), change, redriven);
    return answer && parseItemRow(answer);
  }
}

function tokensOf({ inputTokens, outputTokens }: TokenUsage): [[string], number][] {
  return [
    [["inputTokens"], inputTokens],
    [["outputTokens"], outputTokens],
  ];
}
