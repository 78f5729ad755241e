import * as z from "zod";
import type { ErrorCode } from "../../events/error-kinds.ts";
import { isScoutsError } from "../../events/errors.ts";
import type { ScoutId, UserId } from "../../events/ids.ts";
import type { Home } from "../../infra/local/home.ts";
import { openLedger } from "../../infra/local/open-ledger.ts";
import { type OpenBreaker, openOf, parseBreakerRow } from "../../shared/breaker/breaker-row.ts";
import { failurePolicy } from "../../shared/breaker/failure-policy.ts";
import { ledgerKey, ledgerPrefix } from "../../shared/keys.ts";
import type { Item, Table } from "../../shared/ports/table.ts";
import { readCursor } from "../../shared/scouts/connectors/gmail/position.ts";
import { type ItemRow, type ItemStatus, itemStatuses, shownRow, waits } from "../../shared/scouts/items/item-row.ts";
import { parseScoutRow } from "../../shared/scouts/scout-row.ts";

/** How a scout's items stand in the Ledger, and what they cost. Of a damaged row only that it has failed is known. */
export interface ItemCounts {
  readonly byStatus: Readonly<Record<ItemStatus, number>>;
  /** Of the proposals: shown without a verdict. */
  readonly unjudged: number;
  /** Of those that are settled: since the home was started. */
  readonly judgedNow: number;
  /** Of what has no verdict yet: waits for the language model. */
  readonly waiting: number;
  /** Present while the model cannot be asked: nothing new is listed, and what is not listed has no row. */
  readonly model?: OpenBreaker;
  /** Why the scout looks at nothing, where it was asked to and does not: it is paused, say. */
  readonly idle?: ErrorCode;
  readonly tokens: { readonly in: number; readonly out: number };
  /** The history id the scout has read its mailbox to; absent before it is connected. */
  readonly readTo?: bigint;
}

/** Why the language model cannot be asked, while that is so. A row that is damaged keeps no worker from asking, and says nothing here. */
export async function modelGivenUp(ledger: Table): Promise<OpenBreaker | undefined> {
  const row = await ledger.get(ledgerKey.breaker());
  try {
    return openOf(parseBreakerRow(row));
  } catch (error) {
    if (!isScoutsError(error, "row_damaged")) throw error;
    return undefined;
  }
}

/** Whether what is noted of the language model cannot be read: it was damaged, or a newer version wrote it. */
export async function isModelRowDamaged(ledger: Table): Promise<boolean> {
  const row = await ledger.get(ledgerKey.breaker());
  try {
    parseBreakerRow(row);
    return false;
  } catch (error) {
    if (!isScoutsError(error, "row_damaged")) throw error;
    return true;
  }
}

/** Counts the rows as an operator may: they hold ids, codes and counts only. */
export class Counter {
  readonly #ledger: Table;
  readonly #user: UserId;
  readonly #scout: ScoutId;
  readonly #sinceMs: number;
  readonly #now: () => number;
  readonly close: () => void;

  /** @param sinceMs when the home was started, in milliseconds since the epoch; without it all counts as judged now */
  constructor(home: Home, user: UserId, scout: ScoutId, sinceMs = 0, now = () => Number.POSITIVE_INFINITY) {
    const { ledger, close } = openLedger(home);
    this.#ledger = ledger;
    this.#user = user;
    this.#scout = scout;
    this.#sinceMs = sinceMs;
    this.#now = now;
    this.close = close;
  }

  /** Why the language model cannot be asked, while that is so. */
  givenUp(): Promise<OpenBreaker | undefined> {
    return modelGivenUp(this.#ledger);
  }

  async count(): Promise<ItemCounts> {
    const byStatus = Object.fromEntries(itemStatuses.map((status) => [status, 0])) as Record<ItemStatus, number>;
    const tokens = { in: 0, out: 0 };
    let unjudged = 0;
    let judgedNow = 0;
    let waiting = 0;
    const hash = ledgerKey.user(this.#user).pk;
    let start: Item | undefined;
    do {
      const page = await this.#ledger.query({
        hash,
        prefix: ledgerPrefix.itemsOf(this.#scout),
        consistent: true,
        ...(start ? { start } : {}),
      });
      for (const item of page.items) {
        const row = shownRow(item);
        byStatus[row.status] += 1;
        if (isProposal(row) && row.reasonCode === "unjudged") unjudged += 1;
        if (isSettled(row) && isWithin(row, this.#sinceMs, this.#now())) judgedNow += 1;
        if (waits(row) && row.code !== undefined && failurePolicy(row.code)?.spendsAttempt === false) waiting += 1;
        tokens.in += row.inputTokens;
        tokens.out += row.outputTokens;
      }
      start = page.next;
    } while (start);
    const model = await this.givenUp();
    const readTo = await this.#readTo();
    return {
      byStatus,
      unjudged,
      judgedNow,
      waiting,
      tokens,
      ...(model && { model }),
      ...(readTo !== undefined && { readTo }),
    };
  }

  async #readTo(): Promise<bigint | undefined> {
    const row = await this.#ledger.get(ledgerKey.scout(this.#user, this.#scout));
    if (row === undefined) return undefined;
    try {
      const { cursor } = parseScoutRow(row);
      return cursor === undefined ? undefined : BigInt(readCursor(cursor).historyId);
    } catch (error) {
      // A row that was damaged is the next sync's to tell of; here it says nothing.
      if (isScoutsError(error) || error instanceof z.ZodError) return undefined;
      throw error;
    }
  }
}

/** What became of the items that have a row; each counts once. */
export interface Judged {
  readonly relevant: number;
  readonly unjudged: number;
  readonly spam: number;
  readonly deadLettered: number;
  readonly waiting: number;
  readonly failed: number;
}

/** What became of items, each counted once. What waits for the model is `waiting` and not `failed`. */
export function judged({ byStatus, unjudged, waiting }: ItemCounts): Judged {
  const { spam, dead, failed, deferred } = byStatus;
  const proposals = proposalStatuses.reduce((sum, status) => sum + byStatus[status], 0);
  return {
    relevant: proposals - unjudged,
    unjudged,
    spam,
    deadLettered: dead,
    waiting,
    failed: failed + deferred - waiting,
  };
}

const proposalStatuses = ["queued", "delivered", "acked", "expired", "gone"] as const;

function isProposal({ status }: ItemRow): boolean {
  return proposalStatuses.some((each) => each === status);
}

/** Whether it was judged, or is shown without a verdict. */
const isSettled = (row: ItemRow): boolean => row.status === "spam" || isProposal(row);

/** Judged between two moments: what a clock that was ahead has noted lies after both. */
export const isWithin = ({ triagedAt = 0 }: Pick<ItemRow, "triagedAt">, sinceMs: number, nowMs: number): boolean =>
  triagedAt >= sinceMs && triagedAt <= nowMs;

/** Items a model has given a verdict. */
export function judgedByModel(counts: ItemCounts): number {
  const { relevant, spam } = judged(counts);
  return relevant + spam;
}
