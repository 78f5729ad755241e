import { type ErrorCode, errorKinds } from "../../events/errors.ts";
import type { ClientFrame, ServerFrame } from "../../events/frames.ts";
import type { FrameId } from "../../events/ids.ts";
import type { DeviceErrorCode } from "../errors.ts";
import type { CursorTable } from "../store/tables/cursors.ts";
import { type BackoffOptions, fullJitterMs } from "./backoff.ts";
import type { Clock } from "./clock.ts";

type PageFrame = Extract<ServerFrame, { type: "proposals_page" }>;

/** The durable cursor: the cloud has set it back far enough to make up for inexact clocks and indexes. */
const resumeCursor = "proposals.resume";
/** Where a run of pages was cut. It is not set back, so it is good only while the cut is young. */
const pageCursor = "proposals.page";
/** Half of the two minutes by which the cloud sets `resume` back. */
const pageCursorFreshMs = 60_000;
const pageTimeoutMs = 60_000;
/** Head start of a page that may still be on its way when a function is reported dead. */
const lostPageMs = 500;
/** Times a page is asked for again when proposals it counts did not arrive, before the connection is given up. */
const maxIncompletePages = 3;
const retryBackoff: BackoffOptions = { baseMs: 2_000, capMs: 120_000 };

export interface Puller {
  /** Asks for what is new, unless a run of pages is under way. */
  pull(): void;
  /** A proposal or its closing arrived. */
  saw(proposalId: string): void;
  /** A page has ended; its proposals are stored in the same transaction. The returned step is taken after the commit. */
  pageEnded(frame: PageFrame): () => void;
  /** An `error` in reply to a pull; false when it is none of this puller's. */
  failed(inReplyTo: FrameId, code: ErrorCode): boolean;
  /** Some frame's function died, maybe the pull's: it is asked for again soon unless its page comes after all. */
  lost(): void;
  /** Whether the last run came to its end on this connection. */
  readonly caughtUp: boolean;
  /** Whether anything of a page came over this connection. */
  readonly delivered: boolean;
  stop(): void;
}

interface PullerOptions {
  readonly cursors: CursorTable;
  readonly clock: Clock;
  readonly random: () => number;
  readonly pageSize: number;
  readonly newFrameId: () => FrameId;
  readonly send: (frame: ClientFrame) => void;
  readonly onCaughtUp: () => void;
  /** The connection does not do what it should; a new one is needed. */
  readonly onStuck: (code: DeviceErrorCode) => void;
}

/** Reads the user's open proposals page by page, by this device's own cursor. One per connection. */
export function createPuller(options: PullerOptions): Puller {
  const { cursors, clock, random, pageSize, newFrameId, send, onCaughtUp, onStuck } = options;
  let asked: { id: FrameId; after: string | undefined } | undefined;
  let seen = new Set<string>();
  let incomplete = 0;
  let failures = 0;
  let caughtUp = false;
  let delivered = false;
  let stopped = false;
  let cancelTimer = () => {};

  const timer = (delayMs: number, work: () => void) => {
    cancelTimer();
    cancelTimer = clock.after(delayMs, work);
  };

  const start = () => {
    const cut = cursors.get(pageCursor);
    const fresh = cut !== undefined && Math.abs(clock.now() - cut.updatedAt) <= pageCursorFreshMs;
    return fresh ? cut.value : cursors.get(resumeCursor)?.value;
  };

  const ask = (after: string | undefined) => {
    if (stopped) return;
    seen = new Set();
    asked = { id: newFrameId(), after };
    timer(pageTimeoutMs, () => onStuck("answer_overdue"));
    send({ type: "proposals_pull", id: asked.id, limit: pageSize, ...(after === undefined ? {} : { after }) });
  };

  const finish = () => {
    asked = undefined;
    caughtUp = true;
    cancelTimer();
    onCaughtUp();
  };

  const askAgain = (after: string | undefined) => {
    incomplete++;
    if (incomplete > maxIncompletePages) onStuck("page_incomplete");
    else ask(after);
  };

  return {
    pull() {
      if (asked === undefined) ask(start());
    },
    saw(proposalId) {
      delivered = true;
      if (asked !== undefined) seen.add(proposalId);
    },
    pageEnded({ inReplyTo, count, next, resume }) {
      if (asked?.id !== inReplyTo) return () => {};
      const { after } = asked;
      // Pushes in between count too, so this notices a loss and does not prove completeness; TCP does that.
      if (seen.size < count) return () => askAgain(after);
      incomplete = 0;
      failures = 0;
      delivered = true;
      if (resume !== undefined) cursors.set(resumeCursor, resume);
      if (next === undefined || next === after) {
        cursors.clear(pageCursor);
        return finish;
      }
      cursors.set(pageCursor, next);
      return () => ask(next);
    },
    failed(inReplyTo, code) {
      if (asked?.id !== inReplyTo) return false;
      const { after } = asked;
      failures++;
      // A cursor the cloud does not know (any more): begin at the beginning, the store dedupes.
      const cursorRefused = errorKinds[code].retry === "never" && after !== undefined;
      if (cursorRefused) {
        cursors.clear(pageCursor);
        cursors.clear(resumeCursor);
      }
      timer(fullJitterMs(failures, random, retryBackoff), () => ask(cursorRefused ? undefined : after));
      return true;
    },
    lost() {
      if (asked === undefined) return;
      const { after } = asked;
      failures++;
      timer(lostPageMs + fullJitterMs(failures, random, retryBackoff), () => ask(after));
    },
    get delivered() {
      return delivered;
    },
    get caughtUp() {
      return caughtUp && asked === undefined;
    },
    stop() {
      stopped = true;
      asked = undefined;
      cancelTimer();
    },
  };
}
