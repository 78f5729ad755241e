import { EventEmitter } from "node:events";
import type { ErrorCode } from "../../events/errors.ts";
import type { FrameId, ProposalId } from "../../events/ids.ts";
import { DeviceError, type DeviceErrorCode, isDeviceError, sentenceOf } from "../errors.ts";
import { decideProposal, newFrameId as defaultFrameId } from "../store/decide.ts";
import type { DeviceStore } from "../store/open.ts";
import type { StoredProposal } from "../store/schema.ts";
import { type BackoffOptions, fullJitterMs, reconnectBackoff } from "./backoff.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { DeviceEvents } from "./events.ts";
import type { FullItem } from "./item/requests.ts";
import { type Link, type LinkEnd, openLink } from "./link.ts";
import { askAboutOffScouts } from "./scout-news.ts";
import { createSender } from "./sender.ts";
import { DeviceSocket, type SocketConstructor } from "./socket.ts";
import { type ConnectionState, connectionState } from "./state.ts";
import { requestTicket, socketAddress } from "./ticket.ts";

/** How often the device looks whether another process (the command line) has put something into the outbox. */
const foreignWriteCheckMs = 500;
/** Least wait after the cloud has cut the device off for sending too much: it allows 600 frames more by then. */
const limitedWaitMs = 30_000;

export interface DeviceOptions {
  /** Where the HTTP API is, `https:` unless it is on this machine. */
  readonly apiUrl: string | URL;
  /** A bearer token of the API's OIDC issuer; asked for anew for every connection. */
  readonly auth: () => Promise<string>;
  readonly store: DeviceStore;
  readonly clock?: Clock;
  /** Uniform in [0, 1); spreads reconnections. */
  readonly random?: () => number;
  readonly newFrameId?: () => FrameId;
  /** A WHATWG WebSocket class; that of `ws` when left out. */
  readonly WebSocket?: SocketConstructor;
  readonly backoff?: BackoffOptions;
}

/** A device: one store, at most one connection at a time, which it keeps up by itself. */
export interface Device {
  readonly state: ConnectionState;
  readonly events: EventEmitter<DeviceEvents>;
  /** Connects, and reconnects until {@link close}. */
  connect(): void;
  /**
   * Resolves when the device is connected, holds every open proposal the cloud has told it of, and the cloud has
   * accepted everything in the outbox. @throws (rejects) DeviceError `device_closed`.
   */
  settled(): Promise<void>;
  /** Looks for new proposals now; pushes come anyway, and every few minutes it looks by itself. */
  pull(): void;
  /** A person's decision, kept and sent. @throws DeviceError `proposal_unknown`, `proposal_decided`. */
  decide(id: ProposalId, outcome: "approved" | "rejected"): StoredProposal;
  /** The full text from the source, for this one look. @throws (rejects) DeviceError `connection_lost`, or the cloud's ScoutsError. */
  requestItem(id: ProposalId): Promise<FullItem>;
  /** Ends the connection, and the session unless `keepSession`. The outbox keeps what was not accepted. */
  close(options?: { keepSession?: boolean }): Promise<void>;
}

/** A store that fails under a timer (a disk that is gone) costs the connection, not the process. */
function guardedClock(clock: Clock, onError: (error: DeviceError) => void): Clock {
  const guarded = (work: () => void) => () => {
    try {
      work();
    } catch (error) {
      if (!isDeviceError(error)) throw error;
      onError(error);
    }
  };
  return { now: () => clock.now(), after: (delayMs, work) => clock.after(delayMs, guarded(work)) };
}

export function createDevice(options: DeviceOptions): Device {
  const { apiUrl, auth, store, random = Math.random } = options;
  const { newFrameId = defaultFrameId, WebSocket: Socket = DeviceSocket, backoff = reconnectBackoff } = options;
  const { deviceId } = store.identity.get();
  const events = new EventEmitter<DeviceEvents>();
  const clock = guardedClock(options.clock ?? systemClock, (error) => {
    events.emit("problem", { code: error.code, message: error.message });
    link?.end(error.code);
  });
  const state = connectionState((from, to) => events.emit("state", { from, to }));
  const sender = createSender({ outbox: store.outbox, clock, random, newFrameId });
  const settling = new Set<PromiseWithResolvers<void>>();
  let link: Link | undefined;
  let abort = new AbortController();
  let failures = 0;
  let cancelWait = () => {};
  let cancelWatch = () => {};

  const wait = (delayMs: number) => {
    state.move("waiting");
    cancelWait = clock.after(delayMs, () => void attempt());
  };

  /** Leaves word for `scouts status`; a store that cannot take it is not a second trouble. */
  const remember = (change: Parameters<DeviceStore["identity"]["update"]>[0]) => {
    try {
      store.identity.update(change);
    } catch (error) {
      if (!isDeviceError(error)) throw error;
    }
  };

  const fail = (code: DeviceErrorCode | ErrorCode, atLeastMs = 0) => {
    failures++;
    remember({ troubleCode: code, troubleAt: clock.now() });
    events.emit("problem", { code, message: sentenceOf(code) });
    if (state.current !== "closing") wait(Math.max(atLeastMs, fullJitterMs(failures, random, backoff)));
  };

  const linkEnded = (why: LinkEnd) => {
    link = undefined;
    cancelWatch();
    remember({ readyAt: null });
    if (state.current === "closing") return;
    if (why === "rotated") wait(0);
    else fail(why, why === "rate_limited" ? limitedWaitMs : 0);
  };

  const watchForeignWrites = (seen: number) => {
    cancelWatch = clock.after(foreignWriteCheckMs, () => {
      const version = store.foreignVersion();
      if (version !== seen) sender.pump();
      watchForeignWrites(version);
    });
  };

  const checkSettled = () => {
    if (settling.size === 0 || link === undefined || !link.caughtUp || store.outbox.counts().waiting > 0) return;
    for (const { resolve } of settling) resolve();
    settling.clear();
  };

  const open = (url: string) => {
    state.move("connecting");
    link = openLink({
      url,
      Socket,
      deviceId,
      store,
      sender,
      events,
      clock,
      random,
      newFrameId,
      onOpen: () => state.move("greeting"),
      onReady() {
        state.move("ready");
        watchForeignWrites(store.foreignVersion());
        void askAboutOffScouts({ apiUrl, auth }, store, events, abort.signal);
      },
      onProgress() {
        // Only a connection that brought something ends the back-off: one that is cut at once must not be hammered.
        if (link?.delivered) failures = 0;
        checkSettled();
      },
      onEnd: linkEnded,
    });
  };

  const attempt = async () => {
    state.move("ticketing");
    const { signal } = abort;
    const address = await ticketedAddress(signal).catch((error: unknown) => {
      if (isDeviceError(error)) return error;
      throw error;
    });
    if (signal.aborted) return;
    if (typeof address === "string") open(address);
    else fail(address.code, Number(address.data["retryAfterMs"] ?? 0));
  };

  const ticketedAddress = async (signal: AbortSignal) => {
    const token = await auth().catch((cause: unknown) => {
      throw new DeviceError("auth_failed", { cause });
    });
    return socketAddress(await requestTicket({ apiUrl, token, deviceId, signal }));
  };

  return {
    get state() {
      return state.current;
    },
    events,
    connect() {
      if (state.current !== "idle") return;
      abort = new AbortController();
      failures = 0;
      store.outbox.prune();
      void attempt();
    },
    settled() {
      const waiter = Promise.withResolvers<void>();
      settling.add(waiter);
      checkSettled();
      return waiter.promise;
    },
    pull: () => link?.pull(),
    decide(id, outcome) {
      const decided = decideProposal(store, id, outcome, newFrameId);
      sender.pump();
      return decided;
    },
    requestItem(id) {
      return link === undefined ? Promise.reject(new DeviceError("connection_lost")) : link.requestItem(id);
    },
    async close({ keepSession = false } = {}) {
      if (state.current === "idle" || state.current === "closing") return;
      state.move("closing");
      abort.abort();
      cancelWait();
      await link?.close({ bye: !keepSession });
      if (!keepSession) remember({ sessionId: null });
      for (const { reject } of settling) reject(new DeviceError("device_closed"));
      settling.clear();
      state.move("idle");
    },
  };
}
