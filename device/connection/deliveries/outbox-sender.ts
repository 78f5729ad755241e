import { clientFrame } from "../../../events/frames/frames.ts";
import { socketLimits } from "../../../events/frames/limits.ts";
import { splitProposalId } from "../../../events/ids.ts";
import type { StoredProposal } from "../../store/schema.ts";
import { scoutIsRemoved } from "../../store/scout-is-removed.ts";
import type { WaitingFrame } from "../../store/tables/outbox.ts";
import { acceptMs, windowFrames } from "../timing.ts";
import { type AfterCommit, type Failure, isOfConnection, type Reply } from "../window.ts";
import type { DeliveryPorts } from "./delivery-ports.ts";
import { packAcks, type Shipment, single } from "./shipment.ts";

/** Frames of the outbox on their way or waiting out a failure, at most, before nothing new is tried. */
const maxTakenFrames = 550;
/** An ack waits this long for others to share its frame: a worker posts up to ten proposals one after the other. */
const ackLingerMs = 250;

/**
 * Moves the outbox over the connection. A frame leaves the outbox when it is accepted, and not before; what was on its way
 * when a connection ended is read from the outbox anew.
 */
export class OutboxSender {
  readonly #ports: DeliveryPorts;
  readonly #taken = new Set<Shipment>();
  /** Acks the cloud takes in one frame; 0 while there is no connection. */
  #ackLimit = 0;
  #cancelLinger: (() => void) | undefined;
  #cancelDue: (() => void) | undefined;

  constructor(ports: DeliveryPorts) {
    this.#ports = ports;
  }

  /** @param acksPerFrame acks the cloud takes in one frame; 1 for one that knows only single ones */
  start(acksPerFrame: number): void {
    this.#ackLimit = Math.max(1, Math.min(socketLimits.acksPerFrame, acksPerFrame));
  }

  stop(): void {
    this.#ackLimit = 0;
    this.#stopLingering();
    this.#cancelDue?.();
    this.#cancelDue = undefined;
    this.#taken.clear();
  }

  /** Sends what the window has room for, oldest first; acks of which more may follow are waited with. */
  pump(): void {
    this.#look(false);
  }

  /** The same, and acks at once: no more are expected. */
  flush(): void {
    this.#stopLingering();
    this.#look(true);
  }

  #look(isImmediate: boolean): void {
    const { connection, store, newFrameId } = this.#ports;
    this.#awaitDue();
    const taken = [...this.#taken].flatMap(({ rows }) => rows);
    if (this.#ackLimit === 0 || taken.length >= maxTakenFrames || !connection.window.hasRoom()) return;
    const takenIds = new Set(taken.map(({ id }) => id));
    // Also behind a frame that is held back: the order within a subject stays.
    const busySubjects = new Set(taken.map(({ subject }) => subject));
    let acks: WaitingFrame[] = [];
    let isAwaited = isImmediate;
    for (const frame of store.outbox.waiting(taken.length + windowFrames + this.#ackLimit)) {
      if (takenIds.has(frame.id)) continue;
      const mustWait = frame.subject !== null && busySubjects.has(frame.subject);
      busySubjects.add(frame.subject);
      if (mustWait) isAwaited ||= acks.some(({ subject }) => subject === frame.subject);
      else if (frame.ackOf === null || this.#ackLimit === 1) {
        if (!this.#ship(single(frame))) return;
      } else if (acks.push(frame) === this.#ackLimit) {
        if (!this.#ship(packAcks(acks, newFrameId))) return;
        acks = [];
      }
    }
    this.#shipRest(acks, isAwaited);
  }

  /** What a person may still undo is sent when its time has come. */
  #awaitDue(): void {
    const { connection, store } = this.#ports;
    this.#cancelDue?.();
    this.#cancelDue = undefined;
    const dueAt = this.#ackLimit === 0 ? undefined : store.outbox.nextDue();
    if (dueAt === undefined) return;
    const waitMs = dueAt - connection.clock.now();
    if (waitMs > 0) this.#cancelDue = connection.clock.after(waitMs, () => this.pump());
  }

  /** Sends acks that are fewer than a frame takes: now in a hurry, else when no more have come for a while. */
  #shipRest(acks: readonly WaitingFrame[], isImmediate: boolean): void {
    if (acks.length === 0 || isImmediate) this.#stopLingering();
    if (acks.length === 0) return;
    if (isImmediate) this.#ship(packAcks(acks, this.#ports.newFrameId));
    else this.#cancelLinger ??= this.#ports.connection.clock.after(ackLingerMs, () => this.flush());
  }

  /** @returns whether there is room for more */
  #ship(shipment: Shipment): boolean {
    const { window } = this.#ports.connection;
    const held = shipment.rows.filter(({ isHeld }) => isHeld).map(({ id }) => id);
    if (held.length > 0 && !this.#ports.store.outbox.sending(held)) return window.hasRoom();
    this.#taken.add(shipment);
    window.send({
      id: shipment.id,
      text: shipment.text,
      answerMs: acceptMs,
      tries: Number.POSITIVE_INFINITY,
      isUrgent: false,
      outlivesConnection: false,
      answered: (reply) => this.#accepted(shipment, reply),
      failed: (code) => this.#failed(shipment, code),
    });
    return window.hasRoom();
  }

  #accepted(shipment: Shipment, reply: Reply): AfterCommit {
    const { store, events } = this.#ports;
    this.#taken.delete(shipment);
    const ids = store.outbox.accepted(shipment.rows.map(({ id }) => id));
    const conflict = this.#conflict(shipment, reply);
    return () => {
      for (const id of ids) events.emit("accepted", id);
      if (conflict !== undefined) events.emit("conflict", conflict);
    };
  }

  /** Another decision counts than this device's. */
  #conflict({ text }: Shipment, reply: Reply): StoredProposal | undefined {
    if (reply.type !== "accepted" || reply.decision !== "decided_elsewhere") return undefined;
    const frame = clientFrame.parse(JSON.parse(text));
    if (frame.type !== "scout_proposal_resolved") return undefined;
    const { proposalId: id, round: decided } = frame;
    const { round = decided, outcome } = reply;
    return this.#ports.store.proposals.differs({ id, decided, round, outcome });
  }

  #failed(shipment: Shipment, code: Failure): AfterCommit | undefined {
    const { store, events } = this.#ports;
    this.#taken.delete(shipment);
    if (isOfConnection(code)) return undefined;
    const rows = shipment.rows.map(({ id }) => id);
    const ids = store.outbox.refused(rows, code);
    const closed = this.#closedBy(shipment, code);
    return () => {
      for (const each of closed) events.emit("closed", each);
      for (const frameId of ids) events.emit("refused", { frameId, code });
    };
  }

  /** What waits here in vain: the cloud counts no decision of it, because its scout is removed or it is forgotten there. */
  #closedBy({ text }: Shipment, code: Failure): StoredProposal[] {
    const { store } = this.#ports;
    const frame = clientFrame.parse(JSON.parse(text));
    const isReopen = frame.type === "scout_proposal_reopen";
    if (!isReopen && frame.type !== "scout_proposal_resolved") return [];
    const { proposalId: id } = frame;
    if (code === "scout_not_found") return scoutIsRemoved(store, splitProposalId(id).scoutId, true);
    if (code !== "proposal_not_found" || !isReopen) return [];
    store.outbox.forgetRefused(id);
    const closed = store.proposals.close(id, { reason: "gone" });
    return closed === undefined ? [] : [closed];
  }

  #stopLingering(): void {
    this.#cancelLinger?.();
    this.#cancelLinger = undefined;
  }
}
