import type { ClientFrameType } from "../../events/frames/frames.ts";
import type { UserId } from "../../events/ids.ts";
import type { Random } from "../ports/clock.ts";
import type { Rate, RateLimit } from "../requests/rate-limit.ts";

/** Frames that one write pays for, on average. */
const framesPerCharge = 64;

/** What a person's devices may send together: 8,192 frames at once, then 20 a second. Counted in charges. */
export const frameRate: Rate = { of: "frames", burst: 128, everyMs: 3_200 };

/** What a frame may be charged as: its type, `idle` for an ack or a decision that changed nothing, `invalid` for no frame. */
export type FrameKind = ClientFrameType | "idle" | "invalid";

/** How many frames a frame counts for; one when it is not here. Each of these causes reads, or lines in a log. */
const weights: Partial<Record<FrameKind, number>> = {
  hello: 16,
  invalid: 4,
  proposals_check: 2,
  proposals_pull: 2,
  scout_proposal_reopen: 8,
  scout_item_request: 8,
  // Each item of it: one call reads eight, and the source's own quota bounds those. They are read once, as a device catches up:
  // ten thousand must fit, or a large mailbox has its device cut off by its own home.
  scout_items_request: 0.5,
};

/**
 * How often a person's devices may send. A function does not know what others have just been sent, so the count has to
 * be in the table; a write for every frame would cost as much as the frame. Hence a sample: a frame of weight w is charged
 * with probability w/64, and a charge counts 64. A flood of f frames a second meets f/64 charges and is over its limit as
 * soon as if each were counted; a pull every eight minutes costs a write in four hours.
 *
 * Acks and decisions that change something are never charged: the cloud's own proposals bound them.
 */
export class FrameLimit {
  readonly #rate: Pick<RateLimit, "take">;
  readonly #random: Random;

  /** @param rate a limit of {@link frameRate} */
  constructor(rate: Pick<RateLimit, "take">, random: Random) {
    this.#rate = rate;
    this.#random = random;
  }

  /**
   * @param times how many frames of this kind it stands for: acks and items that share a frame count one by one
   * @throws rate_limited; the connection is then closed
   */
  async charge(user: UserId, kind: FrameKind, times = 1): Promise<void> {
    if (this.#random() < (times * (weights[kind] ?? 1)) / framesPerCharge) await this.#rate.take(user);
  }
}
