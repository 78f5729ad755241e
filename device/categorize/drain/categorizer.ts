import { isScoutsError } from "../../../events/errors.ts";
import { socketLimits } from "../../../events/frames/limits.ts";
import type { ShownReasonCode } from "../../../events/proposals/verdict.ts";
import { shownReasonCodeSchema } from "../../../events/proposals/verdict.ts";
import { withoutBlankLines } from "../../../shared/text/without-blank-lines.ts";
import type { Clock } from "../../connection/clock.ts";
import type { FullItem } from "../../connection/content/item-assembly.ts";
import type { Device } from "../../connection/device.ts";
import { asError, isDeviceError } from "../../errors.ts";
import { inOrder } from "../../in-order.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { StoredProposal } from "../../store/schema.ts";
import type { Categorized } from "../draft.ts";
import type { ItemView } from "../item-view.ts";
import { categorizeByRules } from "../rules.ts";
import { keepResult } from "./keep-result.ts";
import { knownOf } from "./known-of.ts";
import { type itemPace, ReadPace } from "./read-pace.ts";

/** Read together: what shares a frame costs the cloud little more than one item. */
const group = socketLimits.itemsPerFrame;
/** Groups that are being read while an earlier one is judged. */
const readAhead = 1;
/** Claimed at once: what a killed process leaves waits no longer than one lease. */
const batch = 3 * group;
/** A batch of reads takes seconds; somebody else takes over after this. */
const leaseMs = 3 * 60_000;
/** The first pause after an item could not be read; each is four times the one before. */
const firstRetryMs = 30_000;
/** Then rules look at what the proposal itself says. */
const mostTries = 4;
/** How long a store is left alone that takes nothing, or cannot be read. */
const storeRetryMs = 60_000;

export interface CategorizerOptions {
  readonly store: DeviceStore;
  readonly device: Pick<Device, "events" | "requestItem" | "state">;
  readonly clock: Clock;
  readonly newId: () => string;
  /** The person's IANA zone. */
  readonly zone: string;
  /** How fast items may be read, other than {@link itemPace}. */
  readonly pace?: typeof itemPace;
  /** An item was read that a model may want to read too. */
  readonly onRead?: (item: FullItem) => void;
  /** A defect; the proposal waits and is tried again. */
  readonly onProblem: (error: Error) => void;
}

/** Works through proposals that nobody has looked at, as they arrive and whenever the device is connected. */
export interface Categorizer {
  start(): void;
  /** Resolves when nothing is left that could be done now. */
  whenIdle(): Promise<void>;
  /** Begins nothing more, and waits for what has begun. */
  close(): Promise<void>;
}

/** What came of reading an item: undefined where its source does not have it, `later` where it may be read another time. */
type Read = FullItem | "later" | "not_begun" | undefined;

/**
 * Oldest first, in batches, each proposal once: claimed in the store before it is read, and written only under that claim.
 * The full text is read at its source and kept nowhere.
 */
export function createCategorizer(options: CategorizerOptions): Categorizer {
  const { store, device, clock, newId, onProblem } = options;
  const name = `cat_${newId()}`;
  const closed = new AbortController();
  const pace = new ReadPace(clock, closed.signal, options.pace);
  let running: Promise<void> | undefined;
  let isWanted = false;
  /** The store has failed. */
  let isPaused = false;
  let cancelRetry = () => {};

  const mayBegin = () => !closed.signal.aborted && !isPaused && device.state === "ready";

  const look = (): void => {
    isWanted = true;
    if (running !== undefined || !mayBegin()) return;
    running = drain().finally(() => {
      running = undefined;
      if (isWanted && mayBegin()) look();
      else waitForNext();
    });
  };

  async function drain(): Promise<void> {
    while (isWanted && mayBegin()) {
      isWanted = false;
      try {
        await pace.wait();
        if (!mayBegin()) break;
        const rows = store.proposals.claim(name, batch, leaseMs);
        pace.spend(rows.length);
        // Read together, judged one after the other: what one says of an event counts for those after it.
        for await (const [some, items] of inOrder(groupsOf(rows), readAhead, readOf)) {
          for (const [index, row] of some.entries()) await one(row, readAt(items, index));
        }
        isWanted ||= rows.length > 0;
      } catch (thrown) {
        failed(thrown);
      }
    }
  }

  function failed(thrown: unknown): void {
    if (closed.signal.aborted) return;
    isPaused = isDeviceError(thrown);
    onProblem(asError(thrown));
  }

  async function one(row: StoredProposal, item: Read): Promise<void> {
    if (item === "not_begun") return store.proposals.release(row.id, name);
    if (item === "later") {
      // A connection that was lost says nothing of the item.
      if (device.state !== "ready") return store.proposals.release(row.id, name);
      return store.proposals.failed(row.id, name, clock.now() + firstRetryMs * 4 ** row.categorizeTries);
    }
    const result = await categorizeItem(options, row, item);
    if (item !== undefined) options.onRead?.(item);
    for (const changed of keepResult(store, row.id, name, result)) device.events.emit("categorized", changed);
  }

  /** In the order of the rows; what failed is thrown at its turn. */
  function readOf(rows: readonly StoredProposal[]): Promise<PromiseSettledResult<Read>[]> {
    const begins = mayBegin();
    return Promise.allSettled(rows.map(async (row) => (begins ? read(row) : "not_begun")));
  }

  /** The item in full; undefined when its source does not have it any more, or nobody can read it. */
  async function read(row: StoredProposal): Promise<FullItem | "later" | undefined> {
    try {
      return await device.requestItem(row.id, { isWaitedFor: false });
    } catch (error) {
      if (!isScoutsError(error) && !isDeviceError(error)) throw error;
      const mayComeBack = isDeviceError(error) || error.kind.retry !== "never";
      return mayComeBack && row.categorizeTries < mostTries ? "later" : undefined;
    }
  }

  function waitForNext(): void {
    cancelRetry();
    if (closed.signal.aborted) return;
    const waitMs = isPaused ? storeRetryMs : nextInMs();
    if (waitMs === undefined) return;
    cancelRetry = clock.after(waitMs, () => {
      isPaused = false;
      look();
    });
  }

  function nextInMs(): number | undefined {
    try {
      const at = store.proposals.nextClaimAt();
      return at === undefined ? undefined : Math.max(1_000, at - clock.now());
    } catch (thrown) {
      failed(thrown);
      return storeRetryMs;
    }
  }

  return {
    start() {
      device.events.on("proposal", look).on("caughtUp", look);
      look();
    },
    async whenIdle() {
      while (running !== undefined) await running;
    },
    async close() {
      closed.abort();
      cancelRetry();
      device.events.off("proposal", look).off("caughtUp", look);
      await running;
      cancelRetry();
    },
  };
}

const groupsOf = (rows: readonly StoredProposal[]): StoredProposal[][] =>
  Array.from({ length: Math.ceil(rows.length / group) }, (_, at) => rows.slice(at * group, (at + 1) * group));

function readAt(items: readonly PromiseSettledResult<Read>[], index: number): Read {
  const item = items[index];
  if (item?.status === "rejected") throw item.reason;
  return item?.value;
}

/** What rules make of a row and, where it could be read, its item. */
export async function categorizeItem(
  { store, clock, zone }: Pick<CategorizerOptions, "store" | "clock" | "zone">,
  row: StoredProposal,
  item: FullItem | undefined,
): Promise<Categorized> {
  const known = knownOf(store, row, { nowMs: clock.now(), zone });
  const result = await categorizeByRules(viewOf(row, item), known);
  if (item !== undefined) return result;
  return { ...result, draft: { ...result.draft, dropped: ["not_read" as const, ...result.draft.dropped].slice(0, 8) } };
}

/** What rules look at of a proposal. */
export function viewOf(row: StoredProposal, item: FullItem | undefined): ItemView {
  const reasonCode: ShownReasonCode = shownReasonCodeSchema.safeParse(row.reasonCode).data ?? "other";
  return {
    subject: row.rawSubject ?? item?.subject ?? "",
    text: withoutBlankLines(item?.text ?? row.rawSnippet ?? ""),
    metadata: row.metadata,
    reasonCode,
    triagedAt: row.triagedAt,
    calendars: item?.machine.calendars ?? [],
    linkedData: item?.machine.linkedData ?? [],
  };
}
