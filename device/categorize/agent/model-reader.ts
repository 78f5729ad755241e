import { isScoutsError } from "../../../events/errors.ts";
import { categorizeLeaseMs } from "../../../events/proposals/categorize.ts";
import type { RunChannel } from "../../agent/run-agent.ts";
import type { Clock } from "../../connection/clock.ts";
import type { ContentChannel } from "../../connection/content/content-channel.ts";
import type { FullItem } from "../../connection/content/item-assembly.ts";
import type { Device } from "../../connection/device.ts";
import { asError, isDeviceError } from "../../errors.ts";
import { newFrameId } from "../../store/decide.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { StoredProposal } from "../../store/schema.ts";
import type { Categorized, ProposalDraft, Reason } from "../draft.ts";
import { viewOf } from "../drain/categorizer.ts";
import { knownOf } from "../drain/known-of.ts";
import { type Reading, readByModel } from "./read-by-model.ts";
import type { RecentItems } from "./recent-items.ts";
import { toldReading } from "./told-reading.ts";

/** Longer than a run may take (device/agent/run-agent.ts); then another process of this data folder takes over. */
const claimMs = 25 * 60_000;
/** Whoever was second asks again a moment after the other device's lease is over. */
const afterLeaseMs = categorizeLeaseMs + 10_000;
/** Pauses after the model could not be asked; each counts as a try. */
const retryMs = [5, 20, 80, 320].map((minutes) => minutes * 60_000);
/** An answer that was of no use is asked for once more, when prompt or model may be another. */
const unusableRetryMs = [60 * 60_000];
/** How long a store is left alone that takes nothing, or cannot be read. */
const storeRetryMs = 60_000;
/** What a lost connection, or a session that was replaced, has cut short. */
const reconnectMs = 5_000;
/** A tier may be changed before the month is over. */
const noTokensMs = 6 * 3_600_000;

export interface ModelReaderOptions {
  readonly store: DeviceStore;
  readonly device: Pick<Device, "events" | "state" | "requestItem" | "sendOutbox"> & {
    openContent(): RunChannel & Pick<ContentChannel, "close">;
  };
  readonly clock: Clock;
  readonly newId: () => string;
  /** The person's IANA zone. */
  readonly zone: string;
  readonly recent: RecentItems;
  /** A defect; the proposal waits and is tried again. */
  readonly onProblem: (error: Error) => void;
}

/** Has proposals read by the home's language model after the rules have looked at them, one at a time, oldest first. */
export interface ModelReader {
  start(): void;
  /** Resolves when nothing is left that could be read now. */
  whenIdle(): Promise<void>;
  /** Begins nothing more, and leaves what has begun: it is read again another time. */
  close(): Promise<void>;
}

/**
 * What the rules found stands until a model's result has been held against the item, and stays when there is none:
 *
 *   rules ─ row: claimed here ─ agent_run: leased in the cloud ─ answer, checked ─ row and frame to the others, in one
 *                                                                                  transaction
 *   killed in between: the row's claim and the cloud's lease run out, and it is read again, here or on another device
 */
export function createModelReader(options: ModelReaderOptions): ModelReader {
  const { store, device, clock, newId, onProblem } = options;
  const name = `mod_${newId()}`;
  let isClosed = false;
  let running: Promise<void> | undefined;
  let isWanted = false;
  /** Whether this home has said that no model reads proposals: it is asked again in the next session. */
  let isOff = false;
  let pausedUntil = 0;
  let noTokensUntil = 0;
  let cancelNext = () => {};
  let closeChannel: () => Promise<void> = async () => {};

  const isReady = () => !isClosed && !isOff && device.state === "ready" && clock.now() >= pausedUntil;

  const look = (): void => {
    isWanted = true;
    if (running !== undefined || !isReady()) return;
    running = drain().finally(() => {
      running = undefined;
      if (isWanted && isReady()) look();
      else waitForNext();
    });
  };

  const begin = (): void => {
    isOff = false;
    look();
  };

  async function drain(): Promise<void> {
    isWanted = false;
    try {
      while (isReady()) {
        const row = store.proposals.claimReading(name, claimMs);
        if (row === undefined) return;
        await one(row);
      }
    } catch (thrown) {
      failed(thrown);
    }
  }

  function failed(thrown: unknown): void {
    if (isClosed) return;
    if (isDeviceError(thrown)) pausedUntil = clock.now() + storeRetryMs;
    onProblem(asError(thrown));
  }

  async function one(row: StoredProposal): Promise<void> {
    const { payload: draft, category, priority } = row;
    if (draft === null || category === "unprocessed") return store.proposals.releaseReading(row.id, name);
    const rules: Categorized = { category, priority, draft };
    if (clock.now() < noTokensUntil) return putOff(row, draft, "no_tokens");
    const item = await itemOf(row);
    if (item === undefined) return putOff(row, draft, "model_unavailable");
    if (item === "gone") return settle(row, rules, { how: "over" });
    settle(row, rules, await reading(row, rules, item));
  }

  async function reading(row: StoredProposal, rules: Categorized, item: FullItem): Promise<Reading> {
    if (!isReady()) return { how: "disconnected" };
    const channel = device.openContent();
    closeChannel = () => channel.close();
    try {
      const known = knownOf(store, row, { nowMs: clock.now(), zone: options.zone });
      return await readByModel(row, viewOf(row, item), known, rules, { store, clock, channel });
    } finally {
      closeChannel = async () => {};
      await channel.close();
    }
  }

  function settle(row: StoredProposal, rules: Categorized, reading: Reading): void {
    const { draft } = rules;
    switch (reading.how) {
      case "read":
        keep(row, draft, reading.result);
        break;
      case "off":
        isOff = true;
        store.proposals.releaseReading(row.id, name);
        break;
      case "disconnected":
        pausedUntil = clock.now() + reconnectMs;
        store.proposals.releaseReading(row.id, name);
        break;
      case "elsewhere":
        store.proposals.putOffReading(row.id, name, { until: clock.now() + afterLeaseMs, isTry: false, draft });
        break;
      case "over":
        store.proposals.putOffReading(row.id, name, { until: null, isTry: false, draft });
        break;
      case "no_tokens":
        noTokensUntil = clock.now() + noTokensMs;
        putOff(row, draft, "no_tokens");
        break;
      case "model_unavailable":
        // Others would fare no better.
        pausedUntil = clock.now() + (retryMs[0] ?? 0);
        putOff(row, draft, "model_unavailable");
        break;
      case "model_unusable":
        putOff(row, draft, "model_unusable");
        break;
    }
  }

  /** Row and word to the other devices become durable together. */
  function keep(row: StoredProposal, before: ProposalDraft, result: Categorized): void {
    const { id: proposalId, round } = row;
    const kept = store.transaction(() => {
      if (!store.proposals.keepReading(proposalId, name, before, result)) return undefined;
      const inline = toldReading(result);
      store.outbox.put(
        { type: "categorize_result", id: newFrameId(newId), proposalId, round, result: { inline } },
        { subject: proposalId, dedupeKey: `categorized:${proposalId}:${round}` },
      );
      return store.proposals.find(proposalId);
    });
    // Decided meanwhile, or claimed by another process since: what is there stands.
    if (kept === undefined) return;
    device.sendOutbox();
    device.events.emit("categorized", kept);
  }

  /** What the rules found stays, and says why a model has not read it. */
  function putOff(
    row: StoredProposal,
    before: ProposalDraft,
    why: "no_tokens" | "model_unavailable" | "model_unusable",
  ) {
    const pauses = why === "model_unusable" ? unusableRetryMs : retryMs;
    const pauseMs = why === "no_tokens" ? noTokensMs : pauses[row.modelTries];
    const until = pauseMs === undefined ? null : clock.now() + pauseMs;
    const draft = { ...before, dropped: withWhy(before.dropped, why) };
    store.proposals.putOffReading(row.id, name, { until, isTry: why !== "no_tokens", draft });
    const changed = store.proposals.find(row.id);
    if (changed !== undefined) device.events.emit("categorized", changed);
  }

  /** The item in full; `gone` when its source does not have it any more, undefined when it cannot be read now. */
  async function itemOf(row: StoredProposal): Promise<FullItem | "gone" | undefined> {
    const recent = options.recent.take(row.id);
    if (recent !== undefined) return recent;
    try {
      return await device.requestItem(row.id, { isWaitedFor: false });
    } catch (error) {
      if (!isScoutsError(error) && !isDeviceError(error)) throw error;
      return isScoutsError(error) && error.kind.retry === "never" ? "gone" : undefined;
    }
  }

  function waitForNext(): void {
    cancelNext();
    if (isClosed || isOff) return;
    const at = nextAt();
    if (at === undefined) return;
    const waitMs = Math.max(at, pausedUntil) - clock.now();
    cancelNext = clock.after(Math.max(1_000, waitMs), look);
  }

  function nextAt(): number | undefined {
    try {
      return store.proposals.nextReadingAt();
    } catch (thrown) {
      failed(thrown);
      return clock.now() + storeRetryMs;
    }
  }

  return {
    start() {
      device.events.on("ready", begin).on("categorized", look);
      begin();
    },
    async whenIdle() {
      while (running !== undefined) await running;
    },
    async close() {
      isClosed = true;
      cancelNext();
      device.events.off("ready", begin).off("categorized", look);
      await closeChannel();
      await running;
      cancelNext();
    },
  };
}

const notRead: readonly Reason[] = ["no_tokens", "model_unavailable", "model_unusable"];

/** The latest reason stands, and no earlier one of its kind. */
const withWhy = (dropped: readonly Reason[], why: Reason): Reason[] =>
  [why, ...dropped.filter((each) => !notRead.includes(each))].slice(0, 8);
