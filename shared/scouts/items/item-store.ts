import type { ErrorCode } from "../../../events/error-kinds.ts";
import type { DeviceId, ItemRef, ScoutId, UserId } from "../../../events/ids.ts";
import type { SpamReasonCode } from "../../../events/proposals/verdict.ts";
import { due, recent, ttl } from "../../index-entries.ts";
import { ledgerIndex, ledgerKey, recentOf } from "../../keys.ts";
import type { TokenUsage } from "../../llm/chat-model.ts";
import { changeOf } from "../../ports/row-change.ts";
import type { Condition, Item, Table } from "../../ports/table.ts";
import { type DamagedRow, readEach } from "../../stored-row.ts";
import { areStill, type Counts, countsIn, countsOf } from "./counts.ts";
import { isOpen, ofOpenItems, ofRedriven, redriven, roundIs, unseen, waiting } from "./item-conditions.ts";
import {
  type ItemRow,
  isUnseen,
  open,
  openAtOf,
  parseItemRow,
  rowLifeSeconds,
  type StoredItem,
  spamAtOf,
  waiting as waitingStates,
} from "./item-row.ts";
import { ownVerdict } from "./own-verdict.ts";

export interface ItemId {
  readonly userId: UserId;
  readonly scoutId: ScoutId;
  readonly ref: ItemRef;
}

export interface JudgedItem {
  readonly status: "queued" | "spam";
  readonly sourceType: string;
  readonly reasonCode: SpamReasonCode;
  readonly confidence: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly model: string;
  readonly promptVersion: string;
  /** The source's own mark of the item's state, kept for spam that may be moved to Trash. */
  readonly trashIfStill?: string;
  /** The token reservation the verdict was asked for under. */
  readonly reservation?: string;
}

/** Why an item has no verdict yet, and when to look again. */
export interface Postponed {
  readonly status: "failed" | "deferred";
  readonly sourceType: string;
  readonly code: ErrorCode;
  readonly dueAtMs: number;
  readonly nowMs: number;
  /** How many it spends. */
  readonly attempts: number;
  /** One more that its request failed as if the model were to blame. */
  readonly alone?: 1;
  /**
   * What the row counted when it was read, for whoever counts something on it: written only while that still holds. A client
   * library that repeats a request would count it twice, and its tokens.
   */
  readonly seen?: Counts | undefined;
  /** What the tokens were asked for under. */
  readonly reservation?: string | undefined;
}

/** An item of which nobody knows what has become. */
export interface DamagedItem {
  readonly id: ItemId;
  readonly error: unknown;
}

const noTokens: TokenUsage = { inputTokens: 0, outputTokens: 0 };

/** Items in the Ledger. Every write names the states it may leave, so redelivery and races change nothing. */
export class ItemStore {
  readonly #ledger: Table;

  constructor(ledger: Table) {
    this.#ledger = ledger;
  }

  /** The rows that exist, in no order. At most 100 ids. */
  async getMany(ids: readonly ItemId[]): Promise<readonly ItemRow[]> {
    const items = await this.#ledger.getMany(ids.map(keyOf));
    return items.map(parseItemRow);
  }

  /** The same of many people's items: a damaged row is told apart, and keeps none of the others waiting. At most 100 ids. */
  async getEach(ids: readonly ItemId[]): Promise<{ rows: readonly ItemRow[]; damaged: readonly DamagedItem[] }> {
    const { read, damaged } = readEach(await this.#ledger.getMany(ids.map(keyOf)), parseItemRow);
    const idOf = ({ pk, sk }: Item) => ids.find((each) => keyOf(each).pk === pk && keyOf(each).sk === sk);
    return {
      rows: read,
      damaged: damaged.map(({ row, error }) => {
        const id = idOf(row);
        if (!id) throw error;
        return { id, error };
      }),
    };
  }

  /**
   * Writes the verdict unless there is one; tokens are counted in the same write. Two workers on one item:
   *
   *   A  reads: none ─ asks the model ─────────────── writes ✓
   *   B      reads: none ─ asks the model ─ … ───────────────── writes ✗: A's verdict stands, B adds nothing
   */
  async judge(id: ItemId, judged: JudgedItem, nowMs: number): Promise<ItemRow | false> {
    const answer = await this.#ledger.update(
      keyOf(id),
      changeOf<StoredItem>({
        set: {
          status: judged.status,
          sourceType: judged.sourceType,
          reasonCode: judged.reasonCode,
          confidence: judged.confidence,
          model: judged.model,
          promptVersion: judged.promptVersion,
          reservation: judged.reservation,
          triagedAt: nowMs,
          on: {},
          ...ttl.after(nowMs, rowLifeSeconds),
          ...(judged.status === "queued"
            ? recent.entry(recentOf.proposals(id.userId), openAtOf(nowMs, id.scoutId, id.ref))
            : recent.entry(recentOf.spam(id.scoutId), spamAtOf(nowMs, id.ref))),
          ...(judged.trashIfStill === undefined ? {} : { trash: "due", sourceState: judged.trashIfStill }),
        },
        add: { inputTokens: judged.inputTokens, outputTokens: judged.outputTokens },
        remove: [...due.attributes, "code", "redrivenAt"],
      }),
      { any: [waiting, redriven] },
    );
    if (answer) return parseItemRow(answer);
    return ownVerdict(this.#ledger, keyOf(id), { reservation: judged.reservation, triagedAt: nowMs });
  }

  /** What is counted of an item's tries by now, to be counted on by {@link postpone}. */
  async counts(id: ItemId): Promise<{ readonly row: ItemRow | undefined; readonly seen: Counts }> {
    const [row] = await this.getMany([id]);
    return { row, seen: countsIn(row) };
  }

  /** Notes why an item has no verdict yet, and when to look again. Changes nothing once there is one. */
  async postpone(id: ItemId, why: Postponed, tokens: TokenUsage = noTokens): Promise<ItemRow | false> {
    const answer = await this.#ledger.update(
      keyOf(id),
      changeOf<StoredItem>({
        set: {
          status: why.status,
          sourceType: why.sourceType,
          code: why.code,
          ...due.at("item", id.ref, why.dueAtMs),
          changedAt: why.nowMs,
          reservation: why.reservation,
        },
        add: { attempts: why.attempts, alone: why.alone ?? 0, ...countsOf(tokens) },
      }),
      why.seen === undefined ? waiting : { all: [waiting, ...areStill(why.seen)] },
    );
    return answer && parseItemRow(answer);
  }

  /**
   * On the queue again: looked at by the due cron only if nothing came of it by then. The queue may be faster than this
   * write, and what its worker has written by now stands:
   *
   *   cron    reads: due now ─ queues ──────────────────────────────────────── writes ✗: another due time
   *   worker                      takes it ─ may not ask yet ─ writes: due now
   */
  async requeued(row: ItemId & Pick<ItemRow, "dueAt">, dueAtMs: number): Promise<void> {
    const stillWaits: Condition = { any: [{ path: ["status"], in: [...waitingStates] }, redriven] };
    const asSeen: Condition =
      row.dueAt === undefined ? { absent: ["dueAt"] } : { path: ["dueAt"], is: "=", value: row.dueAt };
    const change = changeOf<StoredItem>({ set: { dueAt: dueAtMs } });
    await this.#ledger.update(keyOf(row), change, { all: [stillWaits, asSeen] });
  }

  /** Lets an item that waits for tokens be looked at now. `false` when it does not wait for them. */
  async released(id: ItemId, nowMs: number): Promise<boolean> {
    const waitsForTokens: Condition = {
      all: [
        { path: ["status"], is: "=", value: "deferred" },
        { path: ["code"], is: "=", value: "quota_exceeded" },
      ],
    };
    const change = changeOf<StoredItem>({ set: { dueAt: nowMs } });
    return (await this.#ledger.update(keyOf(id), change, waitsForTokens)) !== false;
  }

  /** Removes an item's row: its scout is removed. */
  async forget(id: ItemId): Promise<void> {
    await this.#ledger.delete(keyOf(id));
  }

  /** Ends an item that will not get a verdict: `gone` at its source, or `dead` with the code that killed it. */
  async end(
    id: ItemId,
    how: {
      status: "gone" | "dead";
      sourceType: string;
      code: ErrorCode;
      reservation?: string | undefined;
      /** Another is in its place: it stays gone, should it come back. */
      isReplaced?: boolean;
    },
    nowMs: number,
    tokens: TokenUsage = noTokens,
  ): Promise<ItemRow | false> {
    const answer = await this.#ledger.update(
      keyOf(id),
      changeOf<StoredItem>({
        set: {
          status: how.status,
          sourceType: how.sourceType,
          code: how.code,
          reservation: how.reservation,
          changedAt: nowMs,
          ...(how.isReplaced ? { closedAt: nowMs } : {}),
          ...ttl.after(nowMs, rowLifeSeconds),
        },
        add: countsOf(tokens),
        remove: due.attributes,
      }),
      waiting,
    );
    return answer && parseItemRow(answer);
  }

  /**
   * A device has stored the proposal as it is in a round. `false`, and nothing changed, when that round was not open or
   * this device had it: who has stored an earlier round is owed the one that is open.
   */
  async delivered(id: ItemId, device: DeviceId, round: number, nowMs: number): Promise<boolean> {
    const change = changeOf<StoredItem>({ set: { status: "delivered" }, at: { set: [[["on", device], nowMs]] } });
    const news: Condition = { all: [isOpen, roundIs(round), { absent: ["on", device] }] };
    return (await this.#ledger.update(keyOf(id), change, news)) !== false;
  }

  /** A device has stored one that expired before any had it: no other is told. `false` where that is not so (any more). */
  async toldExpired(id: ItemId, device: DeviceId, round: number, nowMs: number): Promise<boolean> {
    const told = changeOf<StoredItem>({ at: { set: [[["on", device], nowMs]] }, remove: recent.attributes });
    return (await this.#ledger.update(keyOf(id), told, { all: [unseen, roundIs(round)] })) !== false;
  }

  /**
   * Closes an open proposal nobody decided, as long as it is open since the same time: the index may still show a round
   * that was decided, and opened again since. One that expires before any device has stored it stays in the index, so that
   * the next device hears of it.
   */
  async close(id: ItemId & Pick<ItemRow, "openAt">, status: "gone" | "expired", nowMs: number): Promise<boolean> {
    const asSeen: Condition =
      id.openAt === undefined ? { absent: ["openAt"] } : { path: ["openAt"], is: "=", value: id.openAt };
    const closed = async (from: Condition, remove: readonly (keyof StoredItem)[]) => {
      const change = changeOf<StoredItem>({ set: { status, closedAt: nowMs }, remove });
      return (await this.#ledger.update(keyOf(id), change, { all: [from, asSeen] })) !== false;
    };
    if (status === "gone") return closed({ any: [isOpen, unseen] }, ofOpenItems);
    return (await closed({ path: ["status"], is: "=", value: "queued" }, ofRedriven)) || closed(isOpen, ofOpenItems);
  }

  /**
   * A page of a user's proposals that are open, or expired unseen, within a range of entries, read afresh: the index is only a hint.
   * Damaged ones are told apart.
   */
  async openAfter(
    user: UserId,
    { after, until }: { readonly after?: string; readonly until?: string },
    limit: number,
  ): Promise<{ rows: readonly ItemRow[]; damaged: readonly DamagedRow<Item>[]; last?: string }> {
    const from = after === undefined ? undefined : `${after}\u0000`;
    const found = await this.#ledger.query({
      index: ledgerIndex.recent,
      hash: recentOf.proposals(user),
      limit,
      ...(from === undefined ? {} : { from }),
      ...(until === undefined ? {} : { to: until }),
    });
    const items = await this.#ledger.getMany(found.items.map(({ pk, sk }) => ({ pk, sk })));
    const { read, damaged } = readEach(items, parseItemRow);
    // An entry may name an item where it stood before: then it comes where it stands.
    const isThere = ({ openAt }: ItemRow) => openAt !== undefined && (until === undefined || openAt <= until);
    const rows = read.filter((row) => isThere(row) && (isUnseen(row) || open.some((s) => s === row.status)));
    const last = found.next ? found.items.at(-1)?.["openAt"] : undefined;
    const page = { rows: rows.sort(byOpenAt), damaged };
    return typeof last === "string" ? { ...page, last } : page;
  }
}

/** Where the ledger has an item's row. */
export function keyOf(id: ItemId): Pick<Item, "pk" | "sk"> {
  return ledgerKey.item(id.userId, id.scoutId, id.ref);
}

function byOpenAt(a: ItemRow, b: ItemRow): number {
  const left = a.openAt ?? "";
  const right = b.openAt ?? "";
  return left < right ? -1 : left > right ? 1 : 0;
}
