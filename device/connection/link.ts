import type { EventEmitter } from "node:events";
import type { ErrorCode } from "../../events/errors.ts";
import { type ClientFrame, protocolVersion, type ServerFrame, socketLimits } from "../../events/frames.ts";
import type { DeviceId, FrameId, ProposalId } from "../../events/ids.ts";
import { DeviceError, type DeviceErrorCode, sentenceOf } from "../errors.ts";
import type { DeviceStore } from "../store/open.ts";
import { createChecker } from "./checker.ts";
import type { Clock } from "./clock.ts";
import { applyFrames, type Step } from "./delivery.ts";
import type { DeviceEvents } from "./events.ts";
import { createInbox, isGatewayFailure, parseFrame } from "./inbox.ts";
import { createItemRequests, type FullItem } from "./item/requests.ts";
import { createPuller, type Puller } from "./puller.ts";
import { noteScoutNews } from "./scout-news.ts";
import type { Sender } from "./sender.ts";
import { openConnection, type SocketConstructor } from "./socket.ts";

type Frame<T extends ServerFrame["type"]> = Extract<ServerFrame, { type: T }>;

const greetingTimeoutMs = 20_000;
/** The socket is replaced after this share of its life, at random in between, so that devices do not all return at once. */
const rotateShare = { from: 0.85, to: 0.95 };

/** How long the cloud has to confirm `bye`. */
const farewellMs = 2_000;

type Timer = "greeting" | "ping" | "life" | "limited" | "farewell";
/** A cloud that says `rate_limited` hangs up at once; what ends the connection later has another reason. */
const hangUpMs = 5_000;

/** Why a link ended: `rotated` is planned, everything else is a failure. */
export type LinkEnd = DeviceErrorCode | ErrorCode | "rotated";

export interface LinkOptions {
  readonly url: string;
  readonly Socket: SocketConstructor;
  readonly deviceId: DeviceId;
  readonly store: DeviceStore;
  readonly sender: Sender;
  readonly events: EventEmitter<DeviceEvents>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newFrameId: () => FrameId;
  readonly onOpen: () => void;
  readonly onReady: () => void;
  /** Frames have been applied or sent: what waits for the device to settle may look again. */
  readonly onProgress: () => void;
  readonly onEnd: (why: LinkEnd) => void;
}

/** One socket: greeting, deliveries, its planned end. Nothing is called after `onEnd`. */
export interface Link {
  /** Whether the run of pages on this connection has come to its end, and what is pending has been looked at. */
  readonly caughtUp: boolean;
  /** Whether a page has come over this connection. */
  readonly delivered: boolean;
  pull(): void;
  requestItem(proposalId: ProposalId): Promise<FullItem>;
  /**
   * Ends the session with `bye`, when asked to, and the socket. Waits for the answer to `bye`: frames of two connections
   * have no order, and one that came late would end the session the device's next hello resumes.
   */
  close(options: { bye: boolean }): Promise<void>;
  /** Gives the connection up; the device makes a new one. */
  end(why: LinkEnd): void;
}

export function openLink(options: LinkOptions): Link {
  const { store, sender, events, clock, random, newFrameId } = options;
  const items = createItemRequests(clock, newFrameId);
  const timers = new Map<Timer, () => void>();
  const helloId = newFrameId();
  let farewell: { id: FrameId; over: PromiseWithResolvers<void> } | undefined;
  let puller: Puller | undefined;
  let endReason: LinkEnd = "connection_lost";
  let ended = false;

  const timer = (name: Timer, delayMs: number, work: () => void) => {
    timers.get(name)?.();
    timers.set(name, clock.after(delayMs, work));
  };
  const problem = (code: DeviceErrorCode) => events.emit("problem", { code, message: sentenceOf(code) });
  const send = (frame: ClientFrame) => {
    if (!ended) connection.send(JSON.stringify(frame));
  };
  const end = (why: LinkEnd) => {
    if (!ended) endReason = why;
    return connection.end();
  };
  const stopWork = () => {
    sender.stop();
    for (const cancel of timers.values()) cancel();
    puller?.stop();
    checker.stop();
    items.stop();
    inbox.discard();
  };

  /** A pull keeps the connection as a `ping` would, shows by its page that it lives, and brings what a push has missed. */
  const keepAlive = (everyMs: number) => {
    puller?.pull();
    timer("ping", everyMs, () => keepAlive(everyMs));
  };

  const checker = createChecker({ cursors: store.cursors, proposals: store.proposals, clock, newFrameId, send });

  const greeted = ({ inReplyTo, sessionId, serverTime, limits }: Frame<"session_ready">): Step | undefined => {
    if (puller !== undefined || inReplyTo !== helloId) return undefined;
    const clockOffsetMs = serverTime - clock.now();
    const nowMs = clock.now();
    const { seenAt } = store.identity.get();
    store.identity.update({
      sessionId,
      clockOffsetMs,
      readyAt: nowMs,
      seenAt: nowMs,
      troubleCode: null,
      troubleAt: null,
    });
    return () => {
      timers.get("greeting")?.();
      const pingEveryMs = limits["pingEveryMs"] ?? socketLimits.pingEveryMs;
      const lifeMs = limits["lifeMs"] ?? socketLimits.lifeMs;
      const share = rotateShare.from + random() * (rotateShare.to - rotateShare.from);
      timer("ping", pingEveryMs, () => keepAlive(pingEveryMs));
      timer("life", lifeMs * share, () => void end("rotated"));
      puller = createPuller({
        cursors: store.cursors,
        clock,
        random,
        newFrameId,
        send,
        pageSize: Math.min(socketLimits.pageSize, limits["pageSize"] ?? socketLimits.pageSize),
        onCaughtUp: () => events.emit("caughtUp"),
        onStuck: (code) => void end(code),
      });
      options.onReady();
      events.emit("ready", { sessionId, clockOffsetMs });
      puller.pull();
      checker.begin(seenAt);
      sender.start(connection, limits["acksPerFrame"] ?? 1);
    };
  };

  const hangingUp = () => {
    endReason = "rate_limited";
    timer("limited", hangUpMs, () => {
      endReason = "connection_lost";
    });
  };

  const failed = ({ code, inReplyTo }: Frame<"error">): Step => {
    const known = code === "session_unknown" || code === "session_ended" || inReplyTo === helloId;
    const answered =
      inReplyTo !== undefined &&
      (puller?.failed(inReplyTo, code) || checker.failed(inReplyTo, code) || items.failed(inReplyTo, code));
    const refused = known || answered || inReplyTo === undefined ? [] : sender.failed(inReplyTo, code);
    return () => {
      if (code === "rate_limited") hangingUp();
      events.emit("problem", { code, message: sentenceOf(code) });
      for (const frameId of refused) events.emit("refused", { frameId, code });
      if (known) void end(code);
    };
  };

  const accepted = ({ inReplyTo }: Frame<"accepted">): Step | undefined => {
    if (checker.accepted(inReplyTo)) return undefined;
    const ids = sender.accepted(inReplyTo);
    return () => {
      for (const id of ids) events.emit("accepted", id);
    };
  };

  const pageEnded = (frame: Frame<"proposals_page">): Step => {
    store.identity.update({ seenAt: clock.now() });
    const goOn = puller?.pageEnded(frame);
    return () => {
      goOn?.();
      sender.flush();
    };
  };

  /** One of the frames in flight met a function that died; no need to wait out their timeouts. */
  const frameLost = () => {
    if (puller === undefined) return void end("internal");
    puller.lost();
    sender.lost();
  };

  const onFrame = (frame: ServerFrame): Step | undefined => {
    switch (frame.type) {
      case "session_ready":
        return greeted(frame);
      case "accepted":
        return accepted(frame);
      case "proposals_page":
        return pageEnded(frame);
      case "scout_proposal_closed": {
        puller?.saw(frame.proposalId);
        const closed = store.proposals.close(frame.proposalId, frame.reason);
        return closed && (() => events.emit("closed", closed));
      }
      case "scout_item":
        return () => items.arrived(frame);
      case "scout_reauth_required":
      case "scout_health":
        return noteScoutNews(frame, store, events);
      case "error":
        return failed(frame);
      case "scout_proposal":
      case "pong":
        return undefined;
      // Answers to work another connection of this device began (device/connection/exchange).
      case "index_file_result":
      case "index_session_progress":
      case "index_session_done":
      case "tool_calls":
      case "run_delta":
      case "run_complete":
        return undefined;
    }
  };

  const inbox = createInbox((frames) => {
    try {
      const steps = applyFrames(frames, {
        store,
        newFrameId,
        onReceived: (proposalId) => puller?.saw(proposalId),
        onStored: (stored) => {
          for (const proposal of stored) events.emit("proposal", proposal);
        },
        onFrame,
      });
      for (const step of steps) step();
      sender.pump();
    } catch (error) {
      // Nothing was stored and nothing acked: the cloud delivers it again on the next connection.
      if (!(error instanceof DeviceError)) throw error;
      events.emit("problem", { code: error.code, message: error.message });
      void end(error.code);
    }
    options.onProgress();
  });

  const connection = openConnection(options.url, options.Socket, clock, {
    onOpen() {
      options.onOpen();
      timer("greeting", greetingTimeoutMs, () => void end("answer_overdue"));
      send({ type: "hello", id: helloId, protocol: protocolVersion, deviceId: options.deviceId });
    },
    onText(text) {
      const frame = parseFrame(text);
      if (farewell !== undefined) {
        if (frame !== undefined && "inReplyTo" in frame && frame.inReplyTo === farewell.id) farewell.over.resolve();
      } else if (frame !== undefined) inbox.push(frame);
      else if (isGatewayFailure(text)) frameLost();
      else problem("frame_invalid");
    },
    onEnd() {
      ended = true;
      stopWork();
      farewell?.over.resolve();
      options.onEnd(endReason);
    },
  });

  return {
    get caughtUp() {
      return (puller?.caughtUp ?? false) && checker.idle;
    },
    get delivered() {
      return puller?.delivered ?? false;
    },
    pull: () => puller?.pull(),
    requestItem: (proposalId) => items.request(proposalId, send),
    async close({ bye }) {
      if (bye && puller !== undefined && !ended) {
        stopWork();
        farewell = { id: newFrameId(), over: Promise.withResolvers() };
        timer("farewell", farewellMs, farewell.over.resolve);
        send({ type: "bye", id: farewell.id });
        await farewell.over.promise;
      }
      await end("device_closed");
    },
    end: (why) => void end(why),
  };
}
