import { type ErrorCode, errorKinds, ScoutsError } from "../../../events/errors.ts";
import { socketLimits } from "../../../events/frames.ts";
import type { FrameId } from "../../../events/ids.ts";
import { DeviceError } from "../../errors.ts";
import { type BackoffOptions, fullJitterMs } from "../backoff.ts";
import type { Clock } from "../clock.ts";
import type { Connection } from "../socket.ts";

/** Frames sent and not yet accepted, at most, and their size. */
const windowFrames = 8;
const windowBytes = 192 * 1024;
const acceptTimeoutMs = 30_000;
/** The same, once a function is reported dead. */
const lostTimeoutMs = 1_000;
const congestionPauseMs = 100;
/** How often one frame may be refused for a passing reason, or go unanswered, before its sender hears of it. */
const maxFailures = 6;
const resendBackoff: BackoffOptions = { baseMs: 2_000, capMs: 60_000 };

interface Request {
  readonly id: FrameId;
  readonly text: string;
  readonly bytes: number;
  readonly answer: PromiseWithResolvers<void>;
  state: "waiting" | "sent" | "held";
  failures: number;
  /** Of the timer that belongs to the state. */
  cancel: () => void;
}

/** Frames on their way and their answers. What is not accepted is sent again, under its id, over the next connection. */
export interface Requests {
  /**
   * Resolves when the cloud has accepted the frame.
   * @throws (rejects) ScoutsError with the cloud's code; DeviceError `frame_too_large`, `answer_overdue`, or what
   * {@link rejectAll} was given
   */
  send(id: FrameId, frame: object): Promise<void>;
  accepted(id: FrameId): void;
  /** An `error` in reply to a frame; false when it was none of these. */
  failed(id: FrameId, code: ErrorCode): boolean;
  /** Some frame's function died, maybe one of these. */
  lost(): void;
  start(connection: Connection): void;
  stop(): void;
  rejectAll(error: Error): void;
}

/** @param onSilence called when a frame was not answered in time: is anybody there? */
export function createRequests(clock: Clock, random: () => number, onSilence: () => void): Requests {
  /** In the order of {@link Requests.send}. */
  const open = new Map<FrameId, Request>();
  let connection: Connection | undefined;
  let cancelPause = () => {};

  const settle = (request: Request): Request => {
    request.cancel();
    open.delete(request.id);
    return request;
  };

  const hold = (request: Request, error: () => Error) => {
    request.cancel();
    request.failures += 1;
    if (request.failures >= maxFailures) {
      settle(request).answer.reject(error());
      return;
    }
    request.state = "held";
    request.cancel = clock.after(fullJitterMs(request.failures, random, resendBackoff), () => {
      request.state = "waiting";
      pump();
    });
  };

  const expect = (request: Request, withinMs: number) => {
    request.cancel();
    request.cancel = clock.after(withinMs, () => {
      hold(request, () => new DeviceError("answer_overdue"));
      onSilence();
      pump();
    });
  };

  const sent = () => [...open.values()].filter(({ state }) => state === "sent");

  const pump = () => {
    const inFlight = sent();
    let [frames, bytes] = [inFlight.length, inFlight.reduce((sum, request) => sum + request.bytes, 0)];
    for (const request of open.values()) {
      if (request.state !== "waiting") continue;
      if (connection === undefined || frames >= windowFrames || bytes + request.bytes > windowBytes) return;
      if (connection.congested) {
        cancelPause();
        cancelPause = clock.after(congestionPauseMs, pump);
        return;
      }
      frames += 1;
      bytes += request.bytes;
      request.state = "sent";
      expect(request, acceptTimeoutMs);
      connection.send(request.text);
    }
  };

  return {
    async send(id, frame) {
      const text = JSON.stringify(frame);
      const bytes = Buffer.byteLength(text);
      if (bytes > socketLimits.frameBytes) throw new DeviceError("frame_too_large", { data: { bytes } });
      const answer = Promise.withResolvers<void>();
      open.set(id, { id, text, bytes, answer, state: "waiting", failures: 0, cancel: () => {} });
      pump();
      return answer.promise;
    },
    accepted(id) {
      const request = open.get(id);
      if (request !== undefined) settle(request).answer.resolve();
      pump();
    },
    failed(id, code) {
      const request = open.get(id);
      if (request === undefined) return false;
      if (mayPass(code)) hold(request, () => new ScoutsError(code));
      else settle(request).answer.reject(new ScoutsError(code));
      pump();
      return true;
    },
    lost() {
      for (const request of sent()) expect(request, lostTimeoutMs);
    },
    start(to) {
      connection = to;
      pump();
    },
    stop() {
      connection = undefined;
      cancelPause();
      for (const request of open.values()) {
        request.cancel();
        request.state = "waiting";
      }
    },
    rejectAll(error) {
      for (const request of [...open.values()]) settle(request).answer.reject(error);
    },
  };
}

/** Whether the same frame may be taken a little later. The month's allowance does not come back within minutes. */
function mayPass(code: ErrorCode): boolean {
  return errorKinds[code].retry !== "never" && code !== "quota_exceeded";
}
