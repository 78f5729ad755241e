import { EventEmitter } from "node:events";
import { type ErrorCode, ScoutsError } from "../../../events/errors.ts";
import type { ServerFrame } from "../../../events/frames.ts";
import type { DeviceId, FrameId, SessionId } from "../../../events/ids.ts";
import type { Payload } from "../../../events/payload.ts";
import { SessionSealer } from "../../../shared/privacy/session-sealer.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import type { CloudApi } from "../../connect/cloud-api.ts";
import { DeviceError, type DeviceErrorCode, deviceErrorKinds, isDeviceError } from "../../errors.ts";
import { newFrameId as defaultFrameId } from "../../store/decide.ts";
import { type BackoffOptions, fullJitterMs, reconnectBackoff } from "../backoff.ts";
import { type Clock, systemClock } from "../clock.ts";
import { type Connection, DeviceSocket, type SocketConstructor } from "../socket.ts";
import { requestTicket, socketAddress } from "../ticket.ts";
import { type Channel, type ChannelEnd, type Greeting, openChannel } from "./channel.ts";
import { type ContentDraft, type ContentFrame, isContentFrame } from "./content-frames.ts";
import { toPayloads } from "./payloads.ts";
import { createRequests } from "./requests.ts";

/** How long an exchange tries to get its connection (back) before it gives up. */
const defaultPatienceMs = 120_000;
/** Connections in a row that brought nothing. */
const maxFailures = 12;
/** Least wait after the cloud has cut the device off for sending too much: it allows 600 frames more by then. */
const limitedWaitMs = 30_000;

export interface ExchangeOptions {
  readonly api: CloudApi;
  readonly deviceId: DeviceId;
  /** Ends the exchange, as {@link Exchange.close} does. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** Uniform in [0, 1). */
  readonly random?: () => number;
  readonly newFrameId?: () => FrameId;
  readonly WebSocket?: SocketConstructor;
  readonly backoff?: BackoffOptions;
  readonly patienceMs?: number;
}

export interface ExchangeEvents {
  frame: [frame: ContentFrame];
  /** Greeted. `isNew`: whatever was said in an earlier session is void, and frames on their way have been rejected. */
  ready: [session: { sessionId: SessionId; isNew: boolean }];
  /** The connection is gone; another is tried. */
  lost: [code: DeviceErrorCode | ErrorCode];
  /** Over for good: nothing is sent or received any more. */
  ended: [error: Error];
}

/**
 * One program's connection for work on content: no deliveries, no outbox. Several programs of one device may each have
 * one; they share the device's session.
 */
export interface Exchange {
  readonly events: EventEmitter<ExchangeEvents>;
  /** Connects when that has not been done. @throws (rejects) what ended the exchange */
  ready(): Promise<SessionId>;
  /**
   * Sends a frame, again after a reconnection, until it is answered. Resolves when it is accepted.
   *
   * @throws (rejects) ScoutsError with the cloud's code (`session_ended` when another session has begun meanwhile);
   * DeviceError `frame_too_large`, `answer_overdue`, `device_closed`
   */
  send(frame: ContentDraft): Promise<void>;
  /**
   * Texts as fields of one frame: the shortest in it while `roomBytes` of JSON hold them, the others sealed and uploaded.
   *
   * @throws (rejects) ScoutsError with the cloud's code; DeviceError `upload_failed`, `device_closed`
   */
  toPayloads(texts: readonly string[], roomBytes: number): Promise<Payload[]>;
  /** Closes the connection; the session stays. What is on its way is rejected with `device_closed`. */
  close(): Promise<void>;
}

export function createExchange(options: ExchangeOptions): Exchange {
  const { api, deviceId, clock = systemClock, random = Math.random, newFrameId = defaultFrameId } = options;
  const { WebSocket: Socket = DeviceSocket, backoff = reconnectBackoff, patienceMs = defaultPatienceMs } = options;
  const events = new EventEmitter<ExchangeEvents>();
  const requests = createRequests(clock, random, () => channel?.probe());
  const abort = new AbortController();
  let state: "idle" | "connecting" | "ready" | "ended" = "idle";
  let session: Session | undefined;
  let greeted: PromiseWithResolvers<SessionId>;
  let channel: Channel | undefined;
  let failures = 0;
  let downSinceMs = 0;
  let limited = false;
  let cancelWait = () => {};

  const expectGreeting = () => {
    greeted = Promise.withResolvers();
    // Whoever waits hears of a failure; nobody may.
    greeted.promise.catch(() => {});
  };
  expectGreeting();

  const finish = async (error: Error) => {
    if (state === "ended") return;
    if (state === "ready") expectGreeting();
    state = "ended";
    abort.abort();
    cancelWait();
    requests.stop();
    requests.rejectAll(error);
    greeted.reject(error);
    options.signal?.removeEventListener("abort", onAbort);
    events.emit("ended", error);
    await channel?.end("device_closed");
  };

  const retry = (error: Error, atLeastMs: number) => {
    failures += 1;
    const delayMs = Math.max(atLeastMs, fullJitterMs(failures, random, backoff));
    const tooLong = clock.now() + delayMs - downSinceMs > patienceMs;
    if (tooLong || failures > maxFailures) return void finish(error);
    cancelWait = clock.after(delayMs, () => void connect());
  };

  const onGreeted = ({ sessionId, sessionKey }: Greeting, connection: Connection) => {
    const isNew = session?.id !== sessionId;
    if (isNew && session !== undefined) requests.rejectAll(new ScoutsError("session_ended"));
    session = { id: sessionId, key: new Transient(sessionKey) };
    state = "ready";
    limited = false;
    greeted.resolve(sessionId);
    events.emit("ready", { sessionId, isNew });
    requests.start(connection);
  };

  const onFrame = (frame: ServerFrame) => {
    // A connection that was answered may be trusted again.
    failures = 0;
    if (frame.type === "accepted") requests.accepted(frame.inReplyTo);
    else if (frame.type === "error") onError(frame);
    else if (isContentFrame(frame)) events.emit("frame", frame);
  };

  const onError = ({ code, inReplyTo }: Extract<ServerFrame, { type: "error" }>) => {
    if (code === "rate_limited") limited = true;
    if (inReplyTo !== undefined) requests.failed(inReplyTo, code);
    // Another program of the device said `bye`: a new hello begins the next session.
    if (code === "session_unknown" || code === "session_ended") void channel?.end(code);
  };

  const onEnd = (why: ChannelEnd) => {
    channel = undefined;
    requests.stop();
    if (state === "ended") return;
    if (state === "ready") {
      downSinceMs = clock.now();
      expectGreeting();
    }
    state = "connecting";
    if (why === "rotated") return void connect();
    events.emit("lost", why);
    if (why === "protocol_unsupported" || why === "forbidden") return void finish(new ScoutsError(why));
    retry(errorOf(why), limited ? limitedWaitMs : 0);
  };

  const connect = async () => {
    const url = await ticketedAddress().catch((error: unknown) => {
      if (isDeviceError(error)) return error;
      throw error;
    });
    if (state === "ended") return;
    if (typeof url === "string") {
      const onFrameLost = () => requests.lost();
      channel = openChannel({
        url,
        Socket,
        deviceId,
        clock,
        random,
        newFrameId,
        onGreeted,
        onFrame,
        onFrameLost,
        onEnd,
      });
    } else if (url.code === "ticket_unavailable") retry(url, Number(url.data["retryAfterMs"] ?? 0));
    else await finish(url);
  };

  const ticketedAddress = async () => {
    const token = await api.auth().catch((cause: unknown) => {
      throw isDeviceError(cause) ? cause : new DeviceError("auth_failed", { cause });
    });
    return socketAddress(await requestTicket({ apiUrl: api.apiUrl, token, deviceId, signal: abort.signal }));
  };

  const ready = () => {
    if (state === "idle") {
      state = "connecting";
      downSinceMs = clock.now();
      void connect();
    }
    return greeted.promise;
  };

  const close = () => finish(new DeviceError("device_closed"));
  const onAbort = () => void close();
  if (options.signal?.aborted) onAbort();
  options.signal?.addEventListener("abort", onAbort, { once: true });

  return {
    events,
    ready,
    async send(frame) {
      await ready();
      const id = newFrameId();
      return requests.send(id, { ...frame, id });
    },
    async toPayloads(texts, roomBytes) {
      await ready();
      const { signal } = abort;
      return toPayloads(texts, roomBytes, { api, deviceId, sealer: sealerOf(session), clock, random, signal });
    },
    close,
  };
}

interface Session {
  readonly id: SessionId;
  readonly key: Transient<string>;
}

/** Made for each use: a session whose frames all fit needs none. @throws ScoutsError `session_unknown` before hello */
function sealerOf(session: Session | undefined): () => SessionSealer {
  return () => {
    if (session === undefined) throw new ScoutsError("session_unknown");
    return new SessionSealer(session.id, session.key);
  };
}

/** What ended a connection, as an error of whoever has the code. */
function errorOf(code: DeviceErrorCode | ErrorCode): Error {
  return isDeviceCode(code) ? new DeviceError(code) : new ScoutsError(code);
}

function isDeviceCode(code: string): code is DeviceErrorCode {
  return Object.hasOwn(deviceErrorKinds, code);
}
