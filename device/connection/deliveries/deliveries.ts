import type { ErrorCode } from "../../../events/error-kinds.ts";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import { socketLimits } from "../../../events/frames/limits.ts";
import type { Proposal } from "../../../events/proposals/proposal.ts";
import { keepToldReading } from "../../categorize/agent/told-reading.ts";
import { type DeviceErrorCode, isDeviceError } from "../../errors.ts";
import type { DeviceStore } from "../../store/open.ts";
import { scoutIsRemoved } from "../../store/scout-is-removed.ts";
import { isInConflict } from "../../store/tables/proposals/decisions.ts";
import type { Channel, ConnectionFailure, Session } from "../channel.ts";
import type { ConnectionState } from "../state.ts";
import type { AfterCommit } from "../window.ts";
import { Checker, rememberedMs } from "./checker.ts";
import type { DeliveryPorts } from "./delivery-ports.ts";
import { OutboxSender } from "./outbox-sender.ts";
import { Puller } from "./puller.ts";
import { noteScoutNews } from "./scout-news.ts";

export interface DeliveriesOptions extends DeliveryPorts {
  readonly onReady: () => void;
  readonly onProgress: () => void;
}

/**
 * Proposals and what becomes of them. Proposals are stored once for ever, and each one received, also one known already,
 * leaves an ack in the outbox of the same transaction. So there is no moment at which the cloud could be told of a
 * proposal this device does not hold, nor one at which the ack could be forgotten.
 */
export class Deliveries implements Channel {
  readonly #options: DeliveriesOptions;
  readonly #outbox: OutboxSender;
  readonly #puller: Puller;
  readonly #checker: Checker;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#outbox = new OutboxSender(options);
    this.#puller = new Puller(options, () => this.#outbox.flush());
    this.#checker = new Checker(options);
  }

  /** Whether every open proposal the cloud has told of is stored, what is pending was looked at, and the outbox is empty. */
  get isSettled(): boolean {
    return this.#puller.isCaughtUp && this.#checker.isIdle && this.#options.store.outbox.counts().waiting === 0;
  }

  pull(): void {
    if (this.#options.connection.state === "ready") this.#puller.pull();
  }

  /** Something has been put into the outbox. */
  sendOutbox(): void {
    this.#outbox.pump();
  }

  greeted({ sessionId, serverTime, limits }: Session): void {
    const { connection, store, events, onReady } = this.#options;
    const nowMs = connection.clock.now();
    const clockOffsetMs = serverTime - nowMs;
    const { seenAt } = store.identity.get();
    this.#puller.begin();
    const isWell = { troubleCode: null, troubleAt: null };
    store.identity.update({ sessionId, clockOffsetMs, readyAt: nowMs, seenAt: nowMs, ...isWell });
    onReady();
    events.emit("ready", { sessionId, clockOffsetMs });
    this.#puller.start(limits["pageSize"] ?? socketLimits.pageSize);
    this.#checker.begin(seenAt);
    this.#outbox.start(limits["acksPerFrame"] ?? 1);
  }

  received(frames: readonly ServerFrame[]): AfterCommit[] {
    const proposals = frames.flatMap((frame) => (frame.type === "scout_proposal" ? [frame.proposal] : []));
    if (proposals.length > 0) return this.#store(proposals);
    return frames.flatMap((frame) => this.#note(frame) ?? []);
  }

  heartbeat(): boolean {
    this.#puller.pull();
    return true;
  }

  progressed(): void {
    this.#outbox.pump();
    this.#options.onProgress();
  }

  stopped(): void {
    this.#outbox.stop();
    this.#whereTaken(() => this.#puller.stop());
    this.#checker.stop();
    this.remember({ readyAt: null });
  }

  failed({ error: { code, message } }: ConnectionFailure): void {
    this.remember({ troubleCode: code, troubleAt: this.#options.connection.clock.now() });
    this.problem(code, message);
  }

  problem(code: DeviceErrorCode | ErrorCode, message: string): void {
    this.#options.events.emit("problem", { code, message });
  }

  moved(from: ConnectionState, to: ConnectionState): void {
    this.#options.events.emit("state", { from, to });
  }

  /** Leaves word for `scouts status`. */
  remember(change: Parameters<DeviceStore["identity"]["update"]>[0]): void {
    this.#whereTaken(() => this.#options.store.identity.update(change));
  }

  /** A store that cannot take what is noted is not a second trouble. */
  #whereTaken(note: () => void): void {
    try {
      note();
    } catch (error) {
      if (!isDeviceError(error)) throw error;
    }
  }

  #store(proposals: readonly Proposal[]): AfterCommit[] {
    const { store, events, newFrameId } = this.#options;
    const stored = store.proposals.add([...proposals]);
    // A decision of an earlier round that waits would change nothing, and be what an undo of the next one withdraws.
    for (const { id, round } of stored) if (round > 1) store.outbox.withdraw(id);
    for (const { id: proposalId, round } of proposals) {
      const ack = { type: "scout_proposal_ack" as const, id: newFrameId(), proposalId, round };
      store.outbox.put(ack, { subject: proposalId, dedupeKey: `ack:${proposalId}:${round}` });
      this.#puller.saw(proposalId);
    }
    return stored.map((proposal) => () => events.emit(proposal.status === "pending" ? "proposal" : "closed", proposal));
  }

  #note(frame: ServerFrame): AfterCommit | AfterCommit[] | undefined {
    const { store, events } = this.#options;
    if (frame.type === "scout_reauth_required" || frame.type === "scout_health")
      return noteScoutNews(frame, store, events);
    if (frame.type === "categorize_result") {
      const kept = keepToldReading(store, frame);
      return kept && (() => events.emit("categorized", kept));
    }
    if (frame.type === "scout_removed") {
      // Said while a check is under way, it is an answer to it; else its person is removing it.
      return scoutIsRemoved(store, frame.scoutId, !this.#checker.isIdle).map(
        (closed) => () => events.emit("closed", closed),
      );
    }
    if (frame.type !== "scout_proposal_closed") return undefined;
    this.#puller.saw(frame.proposalId);
    if (this.#isLost(frame)) return undefined;
    const closed = store.proposals.close(frame.proposalId, frame);
    if (closed === undefined) return undefined;
    return () => events.emit(isInConflict(closed) ? "conflict" : "closed", closed);
  }

  /**
   * The cloud knows nothing of a proposal that it cannot have forgotten yet: its tables were restored from an older copy, and what it had
   * found since it finds again. That is the same round, in which what is closed here would stay closed.
   */
  #isLost({ proposalId, reason, round }: Extract<ServerFrame, { type: "scout_proposal_closed" }>): boolean {
    if (reason !== "gone" || round !== undefined) return false;
    const { connection, store } = this.#options;
    const known = store.proposals.find(proposalId);
    return known?.status === "pending" && connection.clock.now() - known.triagedAt < rememberedMs;
  }
}
