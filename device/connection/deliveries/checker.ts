import { maxCheckedProposals } from "../../../events/frames/proposals.ts";
import { readMs } from "../timing.ts";
import type { Draft, Failure } from "../window.ts";
import type { DeliveryPorts } from "./delivery-ports.ts";

type Question = Extract<Draft, { type: "proposals_check" }>;

/** When the last check came to its end; absent while one is under way. */
const checkedCursor = "proposals.checked";
/** The same for one that asked about what was decided here as well. */
const decidedCursor = "proposals.checked.decided";
/** Who was away for longer may have missed closings. */
const awayMs = 10 * 60_000;
/** Once a day in any case: a closing is told once and may be lost. */
const everyMs = 86_400_000;
/** The cloud forgets a proposal so long after it was opened: what was decided before cannot have been opened since. */
export const rememberedMs = 90 * 86_400_000;

/**
 * Finds out what nobody could tell this device while it was away: which of the proposals that are pending here were decided
 * on another device, or ended, and once a day also which of those that are decided were opened and decided anew. The cloud
 * answers with their closings. A check that was cut is begun anew on the next connection.
 */
export class Checker {
  readonly #ports: DeliveryPorts;
  #left: Question[] = [];
  #ends: string[] = [];
  #isAsking = false;

  constructor(ports: DeliveryPorts) {
    this.#ports = ports;
  }

  get isIdle(): boolean {
    return !this.#isAsking;
  }

  /** Asks about what is here, when there is reason to. @param seenAt last sign of the cloud before this connection */
  begin(seenAt: number | null): void {
    const { cursors, proposals } = this.#ports.store;
    const nowMs = this.#ports.connection.clock.now();
    const isWhole = !this.#isRecent(decidedCursor, nowMs);
    if (!isWhole && this.#isRecent(checkedCursor, nowMs) && seenAt !== null && Math.abs(nowMs - seenAt) < awayMs)
      return;
    const pending = proposals.list({ statuses: ["pending"] }).map(({ id }) => id);
    const decided = isWhole ? proposals.decidedSince(nowMs - rememberedMs) : [];
    this.#left = [
      ...inLots(pending).map((proposalIds): Question => ({ type: "proposals_check", proposalIds })),
      ...inLots(decided).map((lot): Question => ({ type: "proposals_check", proposalIds: [], decided: lot })),
    ];
    this.#ends = isWhole ? [checkedCursor, decidedCursor] : [checkedCursor];
    if (this.#left.length > 0) for (const cursor of this.#ends) cursors.clear(cursor);
    this.#next();
  }

  stop(): void {
    this.#isAsking = false;
    this.#left = [];
  }

  /** By how far it is away: a time that is yet to come is of a clock that has stepped back. */
  #isRecent(cursor: string, nowMs: number): boolean {
    const last = this.#ports.store.cursors.get(cursor);
    return last !== undefined && Math.abs(nowMs - last.updatedAt) < everyMs;
  }

  #next(): void {
    const question = this.#left.shift();
    this.#isAsking = question !== undefined;
    if (question === undefined) {
      for (const cursor of this.#ends) this.#ports.store.cursors.set(cursor, "");
      return;
    }
    this.#ports.connection.window.ask(question, readMs, {
      answered: () => () => this.#next(),
      failed: (code) => () => this.#failed(code),
    });
  }

  #failed(code: Failure): void {
    this.stop();
    // A cloud that does not know the question will not know it the next time: it counts as answered.
    if (code === "unknown_frame") this.#next();
  }
}

function inLots<T>(all: readonly T[]): T[][] {
  const lots: T[][] = [];
  for (let start = 0; start < all.length; start += maxCheckedProposals) {
    lots.push(all.slice(start, start + maxCheckedProposals));
  }
  return lots;
}
