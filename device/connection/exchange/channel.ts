import type { ErrorCode } from "../../../events/errors.ts";
import { protocolVersion, type ServerFrame, socketLimits } from "../../../events/frames.ts";
import type { DeviceId, FrameId } from "../../../events/ids.ts";
import type { DeviceErrorCode } from "../../errors.ts";
import type { Clock } from "../clock.ts";
import { isGatewayFailure, parseFrame } from "../inbox.ts";
import { type Connection, openConnection, type SocketConstructor } from "../socket.ts";

const greetingTimeoutMs = 20_000;
const pongTimeoutMs = 30_000;
/** The socket is replaced after this share of its life, at random in between. */
const rotateShare = { from: 0.85, to: 0.95 };

export type Greeting = Extract<ServerFrame, { type: "session_ready" }>;
type Timer = "greeting" | "ping" | "pong" | "life";

/** Why a channel ended: `rotated` is planned, everything else is a failure. */
export type ChannelEnd = DeviceErrorCode | ErrorCode | "rotated";

export interface ChannelOptions {
  readonly url: string;
  readonly Socket: SocketConstructor;
  readonly deviceId: DeviceId;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newFrameId: () => FrameId;
  readonly onGreeted: (greeting: Greeting, connection: Connection) => void;
  readonly onFrame: (frame: ServerFrame) => void;
  /** API Gateway reports that the function behind some frame died; it does not say which. */
  readonly onFrameLost: () => void;
  readonly onEnd: (why: ChannelEnd) => void;
}

/** One socket from hello to its planned end, without deliveries. Nothing is called after `onEnd`. */
export interface Channel {
  /** Finds out now, and not at the next ping, whether anybody is there. */
  probe(): void;
  /** Gives the socket up, without `bye`: that would end the session for the device's other programs. */
  end(why: ChannelEnd): Promise<void>;
}

export function openChannel(options: ChannelOptions): Channel {
  const { clock, newFrameId } = options;
  const timers = new Map<Timer, () => void>();
  const helloId = newFrameId();
  let endReason: ChannelEnd = "connection_lost";
  let ended = false;
  let greeted = false;
  let pingEveryMs: number = socketLimits.pingEveryMs;

  const timer = (name: Timer, delayMs: number, work: () => void) => {
    timers.get(name)?.();
    timers.set(name, clock.after(delayMs, work));
  };
  const end = (why: ChannelEnd) => {
    if (!ended) endReason = why;
    return connection.end();
  };
  const ping = () => {
    connection.send(JSON.stringify({ type: "ping", id: newFrameId() }));
    timer("pong", pongTimeoutMs, () => void end("answer_overdue"));
    timer("ping", pingEveryMs, ping);
  };

  const greet = (greeting: Greeting) => {
    if (greeted || greeting.inReplyTo !== helloId) return;
    greeted = true;
    timers.get("greeting")?.();
    pingEveryMs = greeting.limits["pingEveryMs"] ?? pingEveryMs;
    const lifeMs = greeting.limits["lifeMs"] ?? socketLimits.lifeMs;
    const share = rotateShare.from + options.random() * (rotateShare.to - rotateShare.from);
    timer("ping", pingEveryMs, ping);
    timer("life", lifeMs * share, () => void end("rotated"));
    options.onGreeted(greeting, connection);
  };

  const onFrame = (frame: ServerFrame) => {
    if (frame.type === "session_ready") greet(frame);
    else if (frame.type === "pong") timers.get("pong")?.();
    else if (frame.type === "error" && frame.inReplyTo === helloId) void end(frame.code);
    else options.onFrame(frame);
  };

  const connection = openConnection(options.url, options.Socket, clock, {
    onOpen() {
      timer("greeting", greetingTimeoutMs, () => void end("answer_overdue"));
      const hello = { type: "hello", id: helloId, protocol: protocolVersion, deviceId: options.deviceId };
      connection.send(JSON.stringify(hello));
    },
    onText(text) {
      const frame = parseFrame(text);
      if (frame !== undefined) onFrame(frame);
      else if (!isGatewayFailure(text)) return;
      else if (greeted) options.onFrameLost();
      else void end("internal");
    },
    onEnd() {
      ended = true;
      for (const cancel of timers.values()) cancel();
      options.onEnd(endReason);
    },
  });

  return {
    probe: () => {
      if (greeted && !ended) ping();
    },
    end,
  };
}
