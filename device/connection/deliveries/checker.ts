import { maxCheckedProposals } from "../../../events/frames.ts";
import type { ProposalId } from "../../../events/ids.ts";
import { readMs } from "../timing.ts";
import type { Failure } from "../window.ts";
import type { DeliveryPorts } from "./delivery-ports.ts";

/** When the last check came to its end; absent while one is under way. */
const checkedCursor = "proposals.checked";
/** Who was away for longer may have missed closings. */
const awayMs = 10 * 60_000;
/** Once a day in any case: a closing is told once and may be lost. */
const everyMs = 86_400_000;

/**
 * Finds out which of the proposals that are pending here were decided on another device, or ended, while nobody could be
 * told: the cloud answers with their closings. A check that was cut is begun anew on the next connection.
 */
export class Checker {
  readonly #ports: DeliveryPorts;
  #left: ProposalId[] = [];
  #isAsking = false;

  constructor(ports: DeliveryPorts) {
    this.#ports = ports;
  }

  get isIdle(): boolean {
    return !this.#isAsking;
  }

  /** Asks about what is pending here, when there is reason to. @param seenAt last sign of the cloud before this connection */
  begin(seenAt: number | null): void {
    const { cursors, proposals } = this.#ports.store;
    const nowMs = this.#ports.connection.clock.now();
    const last = cursors.get(checkedCursor);
    // By how far it is away: a time that is yet to come is of a clock that has stepped back.
    const isRecent = last !== undefined && Math.abs(nowMs - last.updatedAt) < everyMs;
    if (isRecent && seenAt !== null && Math.abs(nowMs - seenAt) < awayMs) return;
    this.#left = proposals.list({ statuses: ["pending"] }).map(({ id }) => id);
    if (this.#left.length > 0) cursors.clear(checkedCursor);
    this.#next();
  }

  stop(): void {
    this.#isAsking = false;
    this.#left = [];
  }

  #next(): void {
    const proposalIds = this.#left.splice(0, maxCheckedProposals);
    this.#isAsking = proposalIds.length > 0;
    if (!this.#isAsking) {
      this.#ports.store.cursors.set(checkedCursor, "");
      return;
    }
    this.#ports.connection.window.ask({ type: "proposals_check", proposalIds }, readMs, {
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
