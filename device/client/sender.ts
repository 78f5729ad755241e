import { type ErrorCode, errorKinds } from "../../events/errors.ts";
import type { FrameId } from "../../events/ids.ts";
import type { Outbox, WaitingFrame } from "../store/outbox.ts";
import { type BackoffOptions, fullJitterMs } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import type { Connection } from "./socket.ts";

/** Frames sent and not yet accepted, at most. */
const windowFrames = 50;
/** Frames waiting out a failure, at most, before nothing new is tried. */
const maxHeldFrames = 500;
const acceptTimeoutMs = 30_000;
/** The same, once a function is reported dead. */
const lostTimeoutMs = 1_000;
const congestionPauseMs = 100;
const resendBackoff: BackoffOptions = { baseMs: 2_000, capMs: 120_000 };

export interface Sender {
  /** Sends what the window has room for, oldest first. */
  pump(): void;
  /** Forgets a frame the cloud has accepted; false when it was none of the outbox's. */
  accepted(id: FrameId): boolean;
  /** An `error` in reply to an outbox frame. Returns whether the frame was set aside for good. */
  failed(id: FrameId, code: ErrorCode): boolean;
  /** Some frame's function died, maybe one of these: what is not accepted soon is sent again. */
  lost(): void;
  start(connection: Connection): void;
  /** The connection is gone: whatever was in flight is sent again on the next one, under the same id. */
  stop(): void;
}

interface SenderOptions {
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Moves the outbox over the current connection. A frame leaves the outbox when it is accepted, and not before. */
export function createSender({ outbox, clock, random }: SenderOptions): Sender {
  let connection: Connection | undefined;
  const inFlight = new Map<FrameId, { frame: WaitingFrame; cancel: () => void }>();
  const held = new Map<FrameId, { cancel: () => void }>();
  const failures = new Map<FrameId, number>();
  let cancelPause = () => {};

  const hold = (id: FrameId) => {
    const count = (failures.get(id) ?? 0) + 1;
    failures.set(id, count);
    const release = () => {
      held.delete(id);
      pump();
    };
    held.set(id, { cancel: clock.after(fullJitterMs(count, random, resendBackoff), release) });
  };

  const land = (id: FrameId) => {
    inFlight.get(id)?.cancel();
    inFlight.delete(id);
  };

  const expect = (frame: WaitingFrame, withinMs: number) => {
    const overdue = () => {
      inFlight.delete(frame.id);
      hold(frame.id);
    };
    inFlight.get(frame.id)?.cancel();
    inFlight.set(frame.id, { frame, cancel: clock.after(withinMs, overdue) });
  };

  const send = (to: Connection, frame: WaitingFrame) => {
    expect(frame, acceptTimeoutMs);
    to.send(frame.text);
  };

  function pump(): void {
    if (connection === undefined || inFlight.size >= windowFrames || held.size >= maxHeldFrames) return;
    const busySubjects = new Set([...inFlight.values()].map(({ frame }) => frame.subject));
    for (const frame of outbox.waiting(inFlight.size + held.size + windowFrames)) {
      if (inFlight.size >= windowFrames) return;
      const mustWait = frame.subject !== null && busySubjects.has(frame.subject);
      // Also behind a frame that is held back itself: the order within a subject stays.
      busySubjects.add(frame.subject);
      if (mustWait || inFlight.has(frame.id) || held.has(frame.id)) continue;
      if (connection.congested) {
        cancelPause();
        cancelPause = clock.after(congestionPauseMs, pump);
        return;
      }
      send(connection, frame);
    }
  }

  return {
    pump,
    accepted(id) {
      land(id);
      held.get(id)?.cancel();
      held.delete(id);
      failures.delete(id);
      return outbox.accepted(id);
    },
    failed(id, code) {
      if (!inFlight.has(id)) return false;
      land(id);
      if (errorKinds[code].retry === "never") {
        failures.delete(id);
        return outbox.refused(id, code);
      }
      hold(id);
      return false;
    },
    lost() {
      for (const { frame } of inFlight.values()) expect(frame, lostTimeoutMs);
    },
    start(to) {
      connection = to;
      pump();
    },
    stop() {
      connection = undefined;
      cancelPause();
      for (const { cancel } of [...inFlight.values(), ...held.values()]) cancel();
      inFlight.clear();
      held.clear();
    },
  };
}
