import type { ErrorCode } from "../../events/error-kinds.ts";
import type { ServerFrame } from "../../events/frames/frames.ts";
import { protocolVersion, socketLimits } from "../../events/frames/limits.ts";
import type { DeviceId } from "../../events/ids.ts";
import type { CloudApi } from "../connect/cloud-api.ts";
import { mayPass } from "../connect/may-pass.ts";
import { type DeviceErrorCode, errorOf, isDeviceError, sentenceOf } from "../errors.ts";
import { fullJitterMs } from "./backoff.ts";
import type { Channel, ConnectionFailure, Session } from "./channel.ts";
import { type Clock, guardedClock } from "./clock.ts";
import { framesIn, Inbox, isGatewayFailure, runsOf } from "./inbox.ts";
import type { ConnectionPorts } from "./ports.ts";
import { type OpenSocket, openSocket } from "./socket.ts";
import { type ConnectionState, connectionState } from "./state.ts";
import { ticketedAddress } from "./ticket.ts";
import { byeTimeoutMs, greetingMs, pongMs, rateLimitedWaitMs, rotationShare } from "./timing.ts";
import { type AfterCommit, isReply, type Reply, SendWindow } from "./window.ts";

/** Refusals that say how things stand to whoever asked, and leave nobody anything to do: no problem of the connection. */
const ordinary: ReadonlySet<ErrorCode> = new Set(["categorize_off", "categorize_claimed"]);

/** Why a socket ended: `rotated` is planned, everything else is a failure. */
type EndCode = DeviceErrorCode | ErrorCode | "rotated";

export interface ConnectionOptions extends ConnectionPorts {
  /** Where tickets are had. `auth` is asked for a token anew for every one. */
  readonly api: CloudApi;
  readonly deviceId: DeviceId;
  /** What one turn of the event loop has brought is applied in it: a transaction, where channels have a store. */
  readonly transaction: (work: () => void) => void;
}

/**
 * A device's connection to the cloud, which keeps itself up: ticket, socket, hello, and all that again, with back-off,
 * after a loss, and before the two hours are over that a socket may live. What it is for are its channels. At most one
 * socket is open at a time: the cloud sends to a session's newest connection, and an overlap would bring nothing that the
 * next pull does not.
 */
export class Connection {
  /** Where frames to the cloud go. */
  readonly window: SendWindow;
  /** The given one; a store that fails under one of its timers (a disk that is gone) costs the socket, not the process. */
  readonly clock: Clock;
  readonly #options: ConnectionOptions;
  readonly #channels = new Set<Channel>();
  readonly #inbox = new Inbox((frames) => this.#apply(frames));
  readonly #state = connectionState((from, to) => this.#tell((channel) => channel.moved?.(from, to)));
  #abort = new AbortController();
  #socket: OpenSocket | undefined;
  #session: Session | undefined;
  #endCode: EndCode = "connection_lost";
  /** Attempts in a row that brought no answer but the greeting's: a cloud that lets in and drops is not hammered. */
  #failures = 0;
  #failingSinceMs = 0;
  #isProbing = false;
  #cancelWait = () => {};
  #cancelHeartbeat = () => {};
  #cancelRotation = () => {};

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.clock = guardedClock(options.clock, (error) => this.#faulted(error));
    this.window = new SendWindow({
      clock: this.clock,
      random: options.random,
      newFrameId: options.newFrameId,
      onSilence: (isUrgent) => (isUrgent ? this.drop("answer_overdue") : this.#probe()),
      onRoom: () => this.#tell((channel) => channel.progressed?.()),
    });
  }

  get state(): ConnectionState {
    return this.#state.current;
  }

  /** A limit the cloud has told at its greeting; undefined when it told none, or has not greeted. */
  limit(name: keyof typeof socketLimits): number | undefined {
    return this.#session?.limits[name];
  }

  /** Work that goes over this connection from now on. */
  join(channel: Channel): void {
    this.#channels.add(channel);
    if (this.#session !== undefined) channel.greeted(this.#session);
  }

  /** Ends a channel's work; a connection that has none left is closed, and its session kept. */
  async leave(channel: Channel): Promise<void> {
    this.#channels.delete(channel);
    if (this.#channels.size === 0) await this.close({ bye: false });
  }

  /** Connects, and reconnects until it is closed. */
  connect(): void {
    if (this.state !== "idle") return;
    this.#abort = new AbortController();
    this.#failures = 0;
    void this.#attempt();
  }

  /** Gives the socket up; another one is opened. */
  drop(code: EndCode): void {
    if (this.#socket === undefined) return;
    this.#endCode = code;
    void this.#socket.end();
  }

  /**
   * Ends the socket, and with `bye` the session. Waits for the answer to `bye`: frames of two connections have no order,
   * and one that came late would end the session the device's next hello resumes.
   */
  async close({ bye }: { bye: boolean }): Promise<void> {
    if (this.state === "idle" || this.state === "closing") return;
    const isGreeted = this.state === "ready";
    this.#state.move("closing");
    this.#abort.abort();
    this.#cancelWait();
    this.#tell((channel) => channel.closed?.());
    this.#stopWork();
    if (bye && isGreeted) await this.#sayBye();
    await this.#socket?.end();
    this.#state.move("idle");
  }

  async #attempt(): Promise<void> {
    this.#state.move("ticketing");
    const { signal } = this.#abort;
    const { api, deviceId } = this.#options;
    const address = await ticketedAddress(api, deviceId, signal).catch((error: unknown) => {
      if (isDeviceError(error)) return error;
      throw error;
    });
    if (signal.aborted) return;
    if (typeof address === "string") this.#open(address);
    else this.#failed(address, Number(address.data["retryAfterMs"] ?? 0), mayPass(address));
  }

  #open(url: string): void {
    this.#state.move("connecting");
    this.#endCode = "connection_lost";
    this.#socket = openSocket(url, this.#options.WebSocket, this.clock, {
      onOpen: () => this.#sayHello(),
      onText: (text) => this.#received(text),
      onEnd: () => this.#ended(),
    });
  }

  #sayHello(): void {
    if (this.#socket === undefined) return;
    this.#state.move("greeting");
    this.window.attach(this.#socket);
    const { deviceId } = this.#options;
    this.window.ask({ type: "hello", protocol: protocolVersion, deviceId, takesProposals: true }, greetingMs, {
      answered: (reply) => (reply.type === "session_ready" ? () => this.#greeted(reply) : "more"),
      failed: (code) => () => this.drop(code),
    });
  }

  #greeted(session: Session): void {
    this.#session = session;
    this.#state.move("ready");
    const { limits } = session;
    const share = rotationShare.from + this.#options.random() * (rotationShare.to - rotationShare.from);
    this.#cancelRotation = this.clock.after((limits["lifeMs"] ?? socketLimits.lifeMs) * share, () =>
      this.drop("rotated"),
    );
    this.#keepAlive(limits["pingEveryMs"] ?? socketLimits.pingEveryMs);
    this.#tell((channel) => channel.greeted(session));
    this.window.open();
  }

  /** API Gateway ends a connection without frames; what a channel has to ask anyway serves as well as a ping. */
  #keepAlive(everyMs: number): void {
    this.#cancelHeartbeat = this.clock.after(everyMs, () => {
      this.#keepAlive(everyMs);
      const hasAsked = [...this.#channels].some((channel) => channel.heartbeat?.());
      if (!hasAsked) this.#probe();
    });
  }

  /** Finds out whether anybody is there. */
  #probe(): void {
    if (this.#isProbing) return;
    this.#isProbing = true;
    const over = (): undefined => {
      this.#isProbing = false;
    };
    this.window.ask({ type: "ping" }, pongMs, { answered: over, failed: over });
  }

  #sayBye(): Promise<void> {
    const over = Promise.withResolvers<void>();
    if (this.#socket !== undefined) this.window.attach(this.#socket);
    this.window.ask({ type: "bye" }, byeTimeoutMs, { answered: () => over.resolve, failed: () => over.resolve });
    return over.promise;
  }

  #received(text: string): void {
    for (const frame of framesIn(text)) {
      if (frame !== undefined) this.#inbox.push(frame);
      else if (!isGatewayFailure(text)) this.#problem("frame_invalid");
      else if (this.state === "greeting") this.drop("internal");
      else this.window.resendSoon();
    }
  }

  #apply(frames: readonly ServerFrame[]): void {
    const steps: AfterCommit[] = [];
    try {
      this.#options.transaction(() => {
        for (const run of runsOf(frames)) steps.push(...this.#dispatch(run));
      });
      for (const step of steps) step();
      this.window.pump();
    } catch (error) {
      // Nothing was stored and nothing acked: the cloud delivers it again over the next socket.
      this.#faulted(error);
    }
  }

  #dispatch(run: readonly ServerFrame[]): AfterCommit[] {
    const replies = run.filter(isReply);
    if (replies.length > 0) return replies.map((reply) => this.#replied(reply));
    if (this.state === "closing") return [];
    return [...this.#channels].flatMap((channel) => channel.received(run));
  }

  #replied(reply: Reply): AfterCommit {
    const step = this.window.reply(reply);
    if (reply.type === "error") return () => this.#refused(reply.code, step);
    return () => {
      if (reply.type !== "session_ready") this.#failures = 0;
      step?.();
    };
  }

  #refused(code: ErrorCode, step: AfterCommit | undefined): void {
    if (!ordinary.has(code)) this.#problem(code);
    step?.();
    // Another program of the device said `bye`, and a new hello begins the next session; or the cloud hangs up anyway.
    if (code === "session_unknown" || code === "session_ended" || code === "rate_limited") this.drop(code);
  }

  #ended(): void {
    this.#socket = undefined;
    this.#stopWork();
    if (this.state === "closing") return;
    const code = this.#endCode;
    if (code === "rotated") {
      this.#wait(0);
      return;
    }
    const isForNow = code !== "protocol_unsupported" && code !== "forbidden";
    this.#failed(errorOf(code), code === "rate_limited" ? rateLimitedWaitMs : 0, isForNow);
  }

  #stopWork(): void {
    this.#session = undefined;
    this.#cancelHeartbeat();
    this.#cancelRotation();
    this.#inbox.discard();
    this.window.detach();
    this.#tell((channel) => channel.stopped());
  }

  #failed(error: ConnectionFailure["error"], atLeastMs: number, isForNow: boolean): void {
    const nowMs = this.clock.now();
    if (this.#failures === 0) this.#failingSinceMs = nowMs;
    this.#failures += 1;
    const { random, backoff } = this.#options;
    const retryInMs = Math.max(atLeastMs, fullJitterMs(this.#failures, random, backoff));
    this.#wait(retryInMs);
    const lastsMs = nowMs + retryInMs - this.#failingSinceMs;
    this.#tell((channel) => channel.failed({ error, lastsMs, mayPass: isForNow }));
  }

  #wait(delayMs: number): void {
    this.#state.move("waiting");
    this.#cancelWait = this.clock.after(delayMs, () => void this.#attempt());
  }

  #faulted(error: unknown): void {
    if (!isDeviceError(error)) throw error;
    this.#problem(error.code, error.message);
    this.drop(error.code);
  }

  #problem(code: DeviceErrorCode | ErrorCode, message = sentenceOf(code)): void {
    this.#tell((channel) => channel.problem?.(code, message));
  }

  #tell(what: (channel: Channel) => void): void {
    for (const channel of [...this.#channels]) what(channel);
  }
}
