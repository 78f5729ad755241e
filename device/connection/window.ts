import { type ErrorCode, errorKinds } from "../../events/error-kinds.ts";
import type { ClientFrame, ServerFrame } from "../../events/frames/frames.ts";
import type { FrameId } from "../../events/ids.ts";
import { fullJitterMs, resendBackoff } from "./backoff.ts";
import type { ConnectionPorts } from "./ports.ts";
import type { OpenSocket } from "./socket.ts";
import { congestionPauseMs, lostAnswerMs, windowBytes, windowFrames } from "./timing.ts";

/** What may only be done when the transaction around it is durable. */
export type AfterCommit = () => void;

/** A frame that answers one of the device's; an `error` may answer none. */
export type Reply = Extract<ServerFrame, { inReplyTo?: FrameId | undefined }>;

/** Whether a frame answers one of the device's. An `error` always counts, also one that names no frame. */
export function isReply(frame: ServerFrame): frame is Reply {
  return "inReplyTo" in frame || frame.type === "error";
}

const ofConnection = ["answer_overdue", "connection_lost", "session_unknown", "session_ended"] as const;

/** Why a request was not answered as it should be. */
export type Failure = ErrorCode | (typeof ofConnection)[number];

/** Whether the next connection, or the session that begins with it, makes the failure good. */
export function isOfConnection(code: Failure): code is (typeof ofConnection)[number] {
  const codes: readonly Failure[] = ofConnection;
  return codes.includes(code);
}

/** What becomes of a frame. */
export interface Outcome {
  /** Called in the transaction of the frames the reply came with. `more` when it is not the last reply. */
  answered(reply: Exclude<Reply, { type: "error" }>): AfterCommit | "more" | undefined;
  failed(code: Failure): AfterCommit | undefined;
  /** Called each time it is sent. */
  sent?(): void;
}

/** A frame of the device, until it is answered or has failed. */
export interface Request extends Outcome {
  readonly id: FrameId;
  /** The frame as it goes over the socket. */
  readonly text: string;
  /** How long the cloud has to answer. */
  readonly answerMs: number;
  /** Failures that may pass (a refusal, a silence) after which it has failed; before that it is sent again. */
  readonly tries: number;
  /** Goes at once, however full the window is; not answered in time, it costs the connection. */
  readonly isUrgent: boolean;
  /** Goes again over the next connection; others fail with `connection_lost`. */
  readonly outlivesConnection: boolean;
}

type WithoutId<F> = F extends ClientFrame ? Omit<F, "id"> : never;

/** A frame before it has its id. */
export type Draft = WithoutId<ClientFrame>;

interface Pending {
  readonly request: Request;
  readonly bytes: number;
  state: "waiting" | "sent" | "held";
  failures: number;
  /** Of the timer that belongs to the state. */
  cancel: () => void;
}

export interface WindowOptions extends Pick<ConnectionPorts, "clock" | "random" | "newFrameId"> {
  /** A frame was not answered in time: is anybody there? */
  readonly onSilence: (isUrgent: boolean) => void;
  /** There may be room for more. */
  readonly onRoom: () => void;
}

/**
 * Every frame on its way to the cloud and what became of it, by the frame's id:
 *
 *     waiting ─▶ sent ─▶ answered
 *        ▲        │ refused for now, or not answered in time
 *        └─ held ◀┴─▶ failed (for good, or too often)
 *
 * Sent and unanswered is what the window holds; what is held waits out its back-off and takes no room. A frame is sent
 * again under its id: the cloud makes no difference between once and twice.
 */
export class SendWindow {
  readonly #options: WindowOptions;
  /** In the order of {@link send}. */
  readonly #pending = new Map<FrameId, Pending>();
  #socket: OpenSocket | undefined;
  #isOpen = false;
  #cancelPause = () => {};

  constructor(options: WindowOptions) {
    this.#options = options;
  }

  /** Whether more frames are wanted. Where only the socket is congested, the window asks for them soon. */
  hasRoom(): boolean {
    return this.#isClear() && this.#in("sent", "waiting").length < windowFrames;
  }

  /** Asks something now, of this connection. @param tries as in {@link Request} */
  ask(draft: Draft, answerMs: number, outcome: Outcome, tries = 1): void {
    const id = this.#options.newFrameId();
    const text = JSON.stringify({ ...draft, id });
    this.send({ ...outcome, id, text, answerMs, tries, isUrgent: true, outlivesConnection: false });
  }

  send(request: Request): void {
    if (this.#socket === undefined && !request.outlivesConnection) {
      request.failed("connection_lost")?.();
      return;
    }
    const bytes = Buffer.byteLength(request.text);
    const pending: Pending = { request, bytes, state: "waiting", failures: 0, cancel: () => {} };
    this.#pending.set(request.id, pending);
    if (this.#socket !== undefined && request.isUrgent) this.#transmit(pending, this.#socket);
    else this.#sendWaiting();
  }

  /** Forgets a request; neither of its two is called. */
  cancel(id: FrameId): void {
    this.#pending.get(id)?.cancel();
    this.#pending.delete(id);
  }

  /** Hands a reply to whom it answers; one that answers nothing any more is passed over. */
  reply(reply: Reply): AfterCommit | undefined {
    const pending = reply.inReplyTo && this.#pending.get(reply.inReplyTo);
    if (!pending) return undefined;
    if (reply.type === "error") return this.#fail(pending, reply.code);
    const step = pending.request.answered(reply);
    if (step === "more") return undefined;
    this.cancel(pending.request.id);
    return step;
  }

  /** Some frame's function died, maybe one of these: what may be sent again is, soon, unless its answer comes after all. */
  resendSoon(): void {
    for (const pending of this.#pending.values()) {
      if (pending.state === "sent" && pending.request.tries > 1) this.#awaitAnswer(pending, lostAnswerMs);
    }
  }

  /** A socket is there for what is urgent. */
  attach(socket: OpenSocket): void {
    this.#socket = socket;
  }

  /** The cloud has answered the greeting: everything may go. */
  open(): void {
    this.#isOpen = true;
    this.pump();
  }

  /** The socket is gone. */
  detach(): void {
    this.#socket = undefined;
    this.#isOpen = false;
    this.#cancelPause();
    for (const pending of [...this.#pending.values()]) {
      pending.cancel();
      pending.state = "waiting";
      if (pending.request.outlivesConnection) continue;
      this.#pending.delete(pending.request.id);
      pending.request.failed("connection_lost")?.();
    }
  }

  /** Sends what waits while there is room, and asks for more. */
  pump(): void {
    this.#sendWaiting();
    if (this.hasRoom()) this.#options.onRoom();
  }

  /** In order, but what is small may overtake what there is no room for. */
  #sendWaiting(): void {
    for (const pending of this.#in("waiting")) {
      if (this.#socket === undefined || !this.#isClear()) return;
      if (this.#fits(pending)) this.#transmit(pending, this.#socket);
    }
  }

  #isClear(): boolean {
    if (this.#socket === undefined || !this.#isOpen) return false;
    if (!this.#socket.congested) return true;
    this.#cancelPause();
    this.#cancelPause = this.#options.clock.after(congestionPauseMs, () => this.pump());
    return false;
  }

  #fits({ bytes }: Pending): boolean {
    const sent = this.#in("sent");
    return sent.length < windowFrames && sent.reduce((sum, each) => sum + each.bytes, bytes) <= windowBytes;
  }

  /** Without urgent frames, which take no room. */
  #in(...states: readonly Pending["state"][]): Pending[] {
    return [...this.#pending.values()].filter(({ state, request }) => states.includes(state) && !request.isUrgent);
  }

  #release(pending: Pending): void {
    pending.state = "waiting";
    if (pending.request.isUrgent && this.#socket !== undefined) this.#transmit(pending, this.#socket);
    this.pump();
  }

  #transmit(pending: Pending, socket: OpenSocket): void {
    pending.state = "sent";
    this.#awaitAnswer(pending, pending.request.answerMs);
    pending.request.sent?.();
    socket.send(pending.request.text);
  }

  #awaitAnswer(pending: Pending, withinMs: number): void {
    pending.cancel();
    pending.cancel = this.#options.clock.after(withinMs, () => {
      this.#fail(pending, "answer_overdue")?.();
      if (withinMs === pending.request.answerMs) this.#options.onSilence(pending.request.isUrgent);
      this.pump();
    });
  }

  #fail(pending: Pending, code: Failure): AfterCommit | undefined {
    const isFinal = !mayPass(code);
    // A refusal that comes late, of a frame that was given up on for now, is counted already.
    if (pending.state === "held" && !isFinal) return undefined;
    pending.cancel();
    pending.failures += 1;
    if (isFinal || pending.failures >= pending.request.tries) {
      this.#pending.delete(pending.request.id);
      return pending.request.failed(code);
    }
    const { clock, random } = this.#options;
    pending.state = "held";
    pending.cancel = clock.after(fullJitterMs(pending.failures, random, resendBackoff), () => this.#release(pending));
    return undefined;
  }
}

/** Whether the same frame may be taken a little later. The month's allowance does not come back within minutes. */
function mayPass(code: Failure): boolean {
  if (code === "answer_overdue") return true;
  return code !== "connection_lost" && code !== "quota_exceeded" && errorKinds[code].retry !== "never";
}
