import { type ErrorCode, errorKinds } from "../../events/errors.ts";
import { type ClientFrame, maxCheckedProposals } from "../../events/frames.ts";
import type { FrameId, ProposalId } from "../../events/ids.ts";
import type { CursorTable } from "../store/tables/cursors.ts";
import type { ProposalTable } from "../store/tables/proposals.ts";
import type { Clock } from "./clock.ts";

/** When the last check came to its end; absent while one is under way. */
const checkedCursor = "proposals.checked";
/** Who was away for longer may have missed closings. */
const awayMs = 10 * 60_000;
/** Once a day in any case: a closing is told once and may be lost. */
const everyMs = 86_400_000;
const answerMs = 60_000;

export interface Checker {
  /** Asks about what is pending here, when there is reason to. @param seenAt last sign of the cloud before this connection */
  begin(seenAt: number | null): void;
  /** An `accepted`; false when it answers none of these frames. */
  accepted(inReplyTo: FrameId): boolean;
  /** An `error`; false when it answers none of these frames. */
  failed(inReplyTo: FrameId, code: ErrorCode): boolean;
  readonly idle: boolean;
  stop(): void;
}

interface CheckerOptions {
  readonly cursors: CursorTable;
  readonly proposals: ProposalTable;
  readonly clock: Clock;
  readonly newFrameId: () => FrameId;
  readonly send: (frame: ClientFrame) => void;
}

/**
 * Finds out which of the proposals that are pending here were decided on another device, or ended, while nobody could be
 * told: the cloud answers with their closings. One per connection; a check that was cut is begun anew on the next.
 */
export function createChecker({ cursors, proposals, clock, newFrameId, send }: CheckerOptions): Checker {
  let left: ProposalId[] = [];
  let asked: FrameId | undefined;
  let cancelTimer = () => {};

  const giveUp = () => {
    cancelTimer();
    asked = undefined;
    left = [];
  };
  const finish = () => {
    giveUp();
    cursors.set(checkedCursor, "");
  };
  const next = () => {
    const proposalIds = left.splice(0, maxCheckedProposals);
    if (proposalIds.length === 0) return finish();
    asked = newFrameId();
    cancelTimer();
    cancelTimer = clock.after(answerMs, giveUp);
    send({ type: "proposals_check", id: asked, proposalIds });
  };

  return {
    begin(seenAt) {
      const last = cursors.get(checkedCursor);
      const nowMs = clock.now();
      const recent = last !== undefined && nowMs - last.updatedAt < everyMs;
      if (recent && seenAt !== null && nowMs - seenAt < awayMs) return;
      left = proposals.list({ statuses: ["pending"] }).map(({ id }) => id);
      if (left.length > 0) cursors.clear(checkedCursor);
      next();
    },
    accepted(inReplyTo) {
      if (asked !== inReplyTo) return false;
      next();
      return true;
    },
    failed(inReplyTo, code) {
      if (asked !== inReplyTo) return false;
      // A cloud that does not know the question will not know it the next time.
      if (errorKinds[code].retry === "never") finish();
      else giveUp();
      return true;
    },
    get idle() {
      return asked === undefined;
    },
    stop: giveUp,
  };
}
