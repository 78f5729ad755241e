import { type ErrorCode, errorKinds } from "../../events/errors.ts";
import { socketLimits } from "../../events/frames.ts";
import type { FrameId } from "../../events/ids.ts";
import type { Outbox, WaitingFrame } from "../store/tables/outbox.ts";
import { type BackoffOptions, fullJitterMs } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import { packAcks, type Shipment, single } from "./shipment.ts";
import type { Connection } from "./socket.ts";

/** Frames sent and not yet accepted, at most. */
const windowFrames = 50;
/** Frames waiting out a failure, at most, before nothing new is tried. */
const maxHeldFrames = 500;
const acceptTimeoutMs = 30_000;
/** The same, once a function is reported dead. */
const lostTimeoutMs = 1_000;
const congestionPauseMs = 100;
/** An ack waits this long for others to share its frame: a worker posts up to ten proposals one after the other. */
const ackLingerMs = 250;
const resendBackoff: BackoffOptions = { baseMs: 2_000, capMs: 120_000 };

export interface Sender {
  /** Sends what the window has room for, oldest first; acks of which more may follow are waited with. */
  pump(): void;
  /** The same, and acks at once: no more are expected. */
  flush(): void;
  /** Forgets what the cloud has accepted. Returns the outbox's frames that were in it. */
  accepted(id: FrameId): FrameId[];
  /** An `error` in reply to what was sent. Returns the outbox's frames that were set aside for good. */
  failed(id: FrameId, code: ErrorCode): FrameId[];
  /** Some frame's function died, maybe one of these: what is not accepted soon is sent again. */
  lost(): void;
  /** @param acksPerFrame acks the cloud takes in one frame; 1 for one that knows only single ones */
  start(connection: Connection, acksPerFrame: number): void;
  /** The connection is gone: whatever was in flight is sent again on the next one. */
  stop(): void;
}

interface SenderOptions {
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newFrameId: () => FrameId;
}

/** Something sent, or held back after a failure, with the timer that ends that. */
interface Pending {
  readonly shipment: Shipment;
  readonly cancel: () => void;
}

/** Moves the outbox over the current connection. A frame leaves the outbox when it is accepted, and not before. */
export function createSender({ outbox, clock, random, newFrameId }: SenderOptions): Sender {
  let connection: Connection | undefined;
  let ackLimit = 1;
  const inFlight = new Map<FrameId, Pending>();
  const held = new Map<FrameId, Pending>();
  /** How often each frame of the outbox has failed. */
  const failures = new Map<FrameId, number>();
  let cancelPause = () => {};
  let cancelLinger: (() => void) | undefined;

  const hold = (shipment: Shipment) => {
    const count = Math.max(...shipment.rows.map(({ id }) => failures.get(id) ?? 0)) + 1;
    for (const { id } of shipment.rows) failures.set(id, count);
    const release = () => {
      held.delete(shipment.id);
      pump();
    };
    held.set(shipment.id, { shipment, cancel: clock.after(fullJitterMs(count, random, resendBackoff), release) });
  };

  /** Ends the wait for an answer. Returns what was sent under the id. */
  const land = (id: FrameId): Shipment | undefined => {
    const pending = inFlight.get(id) ?? held.get(id);
    pending?.cancel();
    inFlight.delete(id);
    held.delete(id);
    return pending?.shipment;
  };

  const expect = (shipment: Shipment, withinMs: number) => {
    const overdue = () => {
      inFlight.delete(shipment.id);
      hold(shipment);
    };
    inFlight.get(shipment.id)?.cancel();
    inFlight.set(shipment.id, { shipment, cancel: clock.after(withinMs, overdue) });
  };

  /** Sends it, if there is room. */
  const ship = (shipment: Shipment): boolean => {
    if (connection === undefined || inFlight.size >= windowFrames) return false;
    if (connection.congested) {
      cancelPause();
      cancelPause = clock.after(congestionPauseMs, pump);
      return false;
    }
    expect(shipment, acceptTimeoutMs);
    connection.send(shipment.text);
    return true;
  };

  const stopLingering = () => {
    cancelLinger?.();
    cancelLinger = undefined;
  };

  /** Sends acks that are fewer than a frame takes: now in a hurry, else when no more have come for a while. */
  const shipRest = (acks: readonly WaitingFrame[], hurry: boolean) => {
    if (acks.length === 0 || hurry) stopLingering();
    if (acks.length === 0) return;
    if (hurry) ship(packAcks(acks, newFrameId));
    else cancelLinger ??= clock.after(ackLingerMs, flush);
  };

  function look(hurry: boolean): void {
    if (connection === undefined || inFlight.size >= windowFrames || held.size >= maxHeldFrames) return;
    const taken = [...inFlight.values(), ...held.values()].flatMap(({ shipment }) => shipment.rows);
    const takenIds = new Set(taken.map(({ id }) => id));
    // Also behind a frame that is held back: the order within a subject stays.
    const busySubjects = new Set(taken.map(({ subject }) => subject));
    let acks: WaitingFrame[] = [];
    let awaited = false;
    for (const frame of outbox.waiting(taken.length + windowFrames + ackLimit)) {
      if (takenIds.has(frame.id)) continue;
      const mustWait = frame.subject !== null && busySubjects.has(frame.subject);
      busySubjects.add(frame.subject);
      if (mustWait) awaited ||= acks.some(({ subject }) => subject === frame.subject);
      else if (frame.ackOf === null || ackLimit === 1) {
        if (!ship(single(frame))) return;
      } else if (acks.push(frame) === ackLimit) {
        if (!ship(packAcks(acks, newFrameId))) return;
        acks = [];
      }
    }
    shipRest(acks, hurry || awaited);
  }

  function pump(): void {
    look(false);
  }

  function flush(): void {
    stopLingering();
    look(true);
  }

  return {
    pump,
    flush,
    accepted(id) {
      const ids = land(id)?.rows.map((row) => row.id) ?? [id];
      for (const each of ids) failures.delete(each);
      return outbox.accepted(ids);
    },
    failed(id, code) {
      if (!inFlight.has(id)) return [];
      const shipment = land(id);
      if (shipment === undefined) return [];
      if (errorKinds[code].retry === "never") {
        const ids = shipment.rows.map((row) => row.id);
        for (const each of ids) failures.delete(each);
        return outbox.refused(ids, code);
      }
      hold(shipment);
      return [];
    },
    lost() {
      for (const { shipment } of inFlight.values()) expect(shipment, lostTimeoutMs);
    },
    start(to, acksPerFrame) {
      connection = to;
      ackLimit = Math.max(1, Math.min(socketLimits.acksPerFrame, acksPerFrame));
      pump();
    },
    stop() {
      connection = undefined;
      cancelPause();
      stopLingering();
      for (const { cancel } of [...inFlight.values(), ...held.values()]) cancel();
      inFlight.clear();
      held.clear();
    },
  };
}
