import type { ServerFrame } from "../../../events/frames/frames.ts";
import { socketLimits } from "../../../events/frames/limits.ts";
import { readMs } from "../timing.ts";
import { type AfterCommit, type Failure, isOfConnection, type Outcome } from "../window.ts";
import type { DeliveryPorts } from "./delivery-ports.ts";
import { KeptAcks } from "./kept-acks.ts";

type PageFrame = Extract<ServerFrame, { type: "proposals_page" }>;

/** The durable cursor: the cloud has set it back far enough to make up for inexact clocks and indexes. */
const resumeCursor = "proposals.resume";
/** Where a run of pages was cut. It is not set back, so it is good only while the cut is young. */
const pageCursor = "proposals.page";
/** When a run last began at the beginning. */
const wholeCursor = "proposals.whole";
/** Once a day in any case: a clock of the cloud's that went wrong and was set right has put what is new behind the cursor. */
const wholeEveryMs = 86_400_000;
/** Half of the two minutes by which the cloud sets `resume` back. */
const pageCursorFreshMs = 60_000;
/** Times a page is asked for again when proposals it counts did not arrive, before the connection is given up. */
const maxIncompletePages = 3;

/** A page of one proposal is the smallest there is. */
const mostHalvings = Math.ceil(Math.log2(socketLimits.pageSize));

/** Reads the user's open proposals page by page, by this device's own cursor. */
export class Puller {
  readonly #ports: DeliveryPorts;
  readonly #onPageStored: () => void;
  readonly #keptAcks: KeptAcks;
  /** What has arrived since the page under way was asked for. */
  readonly #seen = new Set<string>();
  #pageSize: number = socketLimits.pageSize;
  #isAsking = false;
  #incomplete = 0;
  /** How often a page was under way when its connection ended, less those that came: on a bad line smaller ones are asked for. */
  #cut = 0;
  #isCaughtUp = false;
  /** A run of pages has come to its end on this connection: what the store had lost, it has again. */
  #isWhole = false;

  /** @param onPageStored called after each page, when what follows has been asked for */
  constructor(ports: DeliveryPorts, onPageStored: () => void) {
    this.#ports = ports;
    this.#onPageStored = onPageStored;
    this.#keptAcks = new KeptAcks(ports);
  }

  /** Whether the last run of pages came to its end on this connection. */
  get isCaughtUp(): boolean {
    return this.#isCaughtUp && !this.#isAsking;
  }

  /** Before the greeting is noted in the store. */
  begin(): void {
    this.#keptAcks.begin();
  }

  /** @param pageSize proposals the cloud gives at once, at most */
  start(pageSize: number): void {
    this.#pageSize = Math.min(socketLimits.pageSize, pageSize);
    this.pull();
  }

  /** @throws DeviceError when the store takes nothing */
  stop(): void {
    const isWhole = this.#isWhole;
    this.#isAsking = false;
    this.#isCaughtUp = false;
    this.#isWhole = false;
    this.#incomplete = 0;
    if (isWhole) this.#keptAcks.note();
  }

  /** Asks for what is new, unless a run of pages is under way. */
  pull(): void {
    if (!this.#isAsking) this.#ask(this.#begin());
  }

  /** A proposal or its closing arrived. */
  saw(proposalId: string): void {
    this.#seen.add(proposalId);
  }

  #begin(): string | undefined {
    const { connection, store } = this.#ports;
    const cut = store.cursors.get(pageCursor);
    const isFresh = cut !== undefined && Math.abs(connection.clock.now() - cut.updatedAt) <= pageCursorFreshMs;
    if (isFresh) return cut.value;
    return this.#isWholeDue() ? undefined : store.cursors.get(resumeCursor)?.value;
  }

  /** By how far it is away, and at once where the cursor is of a time that is yet to come: the clock has stepped back since. */
  #isWholeDue(): boolean {
    const { connection, store } = this.#ports;
    const nowMs = connection.clock.now();
    const wholeAtMs = store.cursors.get(wholeCursor)?.updatedAt;
    if (wholeAtMs === undefined || Math.abs(nowMs - wholeAtMs) >= wholeEveryMs) return true;
    return (store.cursors.get(resumeCursor)?.updatedAt ?? 0) > nowMs;
  }

  #ask(after: string | undefined): void {
    this.#isAsking = true;
    const acksUntil = this.#isWhole ? undefined : this.#keptAcks.untilMs;
    const draft = {
      type: "proposals_pull",
      limit: Math.max(1, this.#pageSize >> this.#cut),
      ...(after !== undefined && { after }),
      ...(acksUntil !== undefined && { acksUntil }),
    } as const;
    const outcome: Outcome = {
      sent: () => this.#seen.clear(),
      answered: (reply) => (reply.type === "proposals_page" ? this.#answered(reply, after) : "more"),
      failed: (code) => () => this.#refused(code, after),
    };
    this.#ports.connection.window.ask(draft, readMs, outcome, Number.POSITIVE_INFINITY);
  }

  #answered(page: PageFrame, after: string | undefined): AfterCommit {
    const goOn = this.#pageEnded(page, after);
    // From here on the cursor is of this run, and one that is cut goes on where it was.
    if (after === undefined && this.#incomplete === 0) this.#ports.store.cursors.set(wholeCursor, "");
    return () => {
      goOn();
      this.#onPageStored();
    };
  }

  #pageEnded({ count, next, resume }: PageFrame, after: string | undefined): AfterCommit {
    const { connection, store } = this.#ports;
    store.identity.update({ seenAt: connection.clock.now() });
    // Pushes in between count too, so this notices a loss and does not prove completeness; TCP does that.
    if (this.#seen.size < count) return () => this.#askIncomplete(after);
    this.#incomplete = 0;
    this.#cut = Math.max(0, this.#cut - 1);
    if (resume !== undefined) store.cursors.set(resumeCursor, resume);
    if (next !== undefined && next !== after) {
      store.cursors.set(pageCursor, next);
      return () => this.#ask(next);
    }
    store.cursors.clear(pageCursor);
    this.#keptAcks.note();
    return () => this.#finish();
  }

  #finish(): void {
    this.#isAsking = false;
    this.#isCaughtUp = true;
    this.#isWhole = true;
    this.#ports.events.emit("caughtUp");
  }

  #askIncomplete(after: string | undefined): void {
    this.#incomplete += 1;
    if (this.#incomplete > maxIncompletePages) this.#ports.connection.drop("page_incomplete");
    else this.#ask(after);
  }

  /** Not for now: a cursor the cloud does not know (any more). From the beginning then, the store dedupes. */
  #refused(code: Failure, after: string | undefined): void {
    this.#isAsking = false;
    if (isOfConnection(code)) this.#cut = Math.min(mostHalvings, this.#cut + 1);
    else if (after !== undefined) this.#askAnew();
  }

  #askAnew(): void {
    for (const cursor of [pageCursor, resumeCursor]) this.#ports.store.cursors.clear(cursor);
    this.#ask(undefined);
  }
}
