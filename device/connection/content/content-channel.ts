import { EventEmitter } from "node:events";
import type { ErrorCode } from "../../../events/error-kinds.ts";
import { ScoutsError } from "../../../events/errors.ts";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import { socketLimits } from "../../../events/frames/limits.ts";
import type { DeviceId, FrameId, ProposalId, SessionId } from "../../../events/ids.ts";
import type { Payload } from "../../../events/payload.ts";
import { SessionSealer } from "../../../shared/privacy/session-sealer.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import type { CloudApi } from "../../connect/cloud-api.ts";
import { DeviceError, type DeviceErrorCode, errorOf } from "../../errors.ts";
import type { Channel, ConnectionFailure, Session } from "../channel.ts";
import { Connection } from "../connection.ts";
import type { ConnectionPorts } from "../ports.ts";
import { acceptMs } from "../timing.ts";
import type { AfterCommit } from "../window.ts";
import { type ContentDraft, type ContentFrame, isContentFrame } from "./content-frames.ts";
import type { FullItem } from "./item-assembly.ts";
import { requestItem } from "./item-request.ts";
import { toPayloads } from "./payloads.ts";

/** How long the channel puts up with a connection of which nothing comes. */
const defaultPatienceMs = 120_000;
/** How often one frame may be refused for a passing reason, or go unanswered, before its sender hears of it. */
const maxTries = 6;

export interface ContentOptions {
  readonly api: CloudApi;
  readonly deviceId: DeviceId;
  readonly ports: ConnectionPorts;
  /** Ends the channel, as {@link ContentChannel.close} does. */
  readonly signal?: AbortSignal;
  readonly patienceMs?: number;
}

export interface ContentEvents {
  frame: [frame: ContentFrame];
  /** Greeted. `isNew`: whatever was said in an earlier session is void, and frames on their way have been rejected. */
  ready: [session: { sessionId: SessionId; isNew: boolean }];
  /** The connection is gone; others are tried until it is `ready` again. */
  lost: [code: DeviceErrorCode | ErrorCode];
  /** Over for good: nothing is sent or received any more. */
  ended: [error: Error];
}

/**
 * Work on content: scans of folders, runs of agents. It needs no store: what is on its way is kept here, and sent again
 * over the next connection. Several programs of one device may each have one, and share the device's session.
 */
export class ContentChannel implements Channel {
  readonly events = new EventEmitter<ContentEvents>();
  readonly #connection: Connection;
  readonly #options: ContentOptions;
  readonly #abort = new AbortController();
  readonly #onAbort = () => void this.close();
  /** Frames on their way, and who hears of it when they cannot arrive any more. */
  readonly #open = new Map<FrameId, (error: Error) => void>();
  #session: { readonly id: SessionId; readonly key: Transient<string> } | undefined;
  #awaited = awaited<SessionId>();
  #state: "new" | "up" | "stopped" | "lost" = "new";
  #end: Error | undefined;

  constructor(connection: Connection, options: ContentOptions) {
    this.#connection = connection;
    this.#options = options;
    connection.join(this);
    options.signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (options.signal?.aborted) this.#onAbort();
  }

  /** Connects when that has not been done. @throws (rejects) what ended the channel */
  ready(): Promise<SessionId> {
    if (this.#end === undefined) this.#connection.connect();
    return this.#awaited.promise;
  }

  /**
   * Sends a frame, again after a reconnection, until it is answered. Resolves when it is accepted.
   *
   * @param id of a frame that was accepted before and is to be said again: the cloud takes it for the same
   * @returns the frame's id
   * @throws (rejects) ScoutsError with the cloud's code (`session_ended` when another session has begun meanwhile);
   * DeviceError `frame_too_large`, `answer_overdue`, `device_closed`
   */
  async send(draft: ContentDraft, id: FrameId = this.#options.ports.newFrameId()): Promise<FrameId> {
    await this.ready();
    // It was ready, and is closed since: nobody would answer.
    if (this.#end !== undefined) throw this.#end;
    const text = JSON.stringify({ ...draft, id });
    const bytes = Buffer.byteLength(text);
    if (bytes > socketLimits.frameBytes) throw new DeviceError("frame_too_large", { data: { bytes } });
    const { promise, resolve, reject } = Promise.withResolvers<FrameId>();
    this.#open.set(id, reject);
    this.#connection.window.send({
      id,
      text,
      answerMs: acceptMs,
      tries: maxTries,
      isUrgent: false,
      outlivesConnection: true,
      answered: () => {
        this.#open.delete(id);
        resolve(id);
      },
      failed: (code) => {
        this.#open.delete(id);
        reject(errorOf(code));
      },
    });
    return promise;
  }

  /**
   * Texts as fields of one frame: the shortest in it while `roomBytes` of JSON hold them, the others sealed and uploaded.
   *
   * @throws (rejects) ScoutsError with the cloud's code; DeviceError `upload_failed`, `device_closed`
   */
  async toPayloads(texts: readonly string[], roomBytes: number): Promise<Payload[]> {
    await this.ready();
    const { api, deviceId, ports } = this.#options;
    const { signal } = this.#abort;
    return toPayloads(texts, roomBytes, { ...ports, api, deviceId, signal, sealer: () => this.#sealer() });
  }

  /** The full text of an item. @throws (rejects) as {@link requestItem} does */
  async requestItem(id: ProposalId): Promise<FullItem> {
    await this.ready();
    return requestItem(this.#connection, id);
  }

  /** Ends the channel; the session stays. What is on its way is rejected with `device_closed`. */
  close(): Promise<void> {
    return this.#finish(new DeviceError("device_closed"));
  }

  greeted({ sessionId, sessionKey }: Session): void {
    const isNew = this.#session?.id !== sessionId;
    if (isNew && this.#session !== undefined) this.#rejectAll(new ScoutsError("session_ended"));
    this.#session = { id: sessionId, key: new Transient(sessionKey) };
    this.#state = "up";
    this.#awaited.resolve(sessionId);
    this.events.emit("ready", { sessionId, isNew });
  }

  received(frames: readonly ServerFrame[]): AfterCommit[] {
    return frames.filter(isContentFrame).map((frame) => () => this.events.emit("frame", frame));
  }

  stopped(): void {
    if (this.#state !== "up") return;
    this.#state = "stopped";
    this.#awaited = awaited();
  }

  failed({ error, lastsMs, mayPass }: ConnectionFailure): void {
    if (this.#state === "stopped") this.events.emit("lost", error.code);
    this.#state = "lost";
    const { patienceMs = defaultPatienceMs } = this.#options;
    if (lastsMs >= patienceMs || !mayPass) void this.#finish(error);
  }

  closed(): void {
    void this.close();
  }

  async #finish(error: Error): Promise<void> {
    if (this.#end !== undefined) return;
    this.#end = error;
    if (this.#state === "up") this.#awaited = awaited();
    this.#abort.abort();
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#rejectAll(error);
    this.#awaited.reject(error);
    this.events.emit("ended", error);
    await this.#connection.leave(this);
  }

  #rejectAll(error: Error): void {
    for (const [id, reject] of this.#open) {
      this.#connection.window.cancel(id);
      reject(error);
    }
    this.#open.clear();
  }

  /** Made for each use: a session whose frames all fit needs none. */
  #sealer(): SessionSealer {
    if (this.#session === undefined) throw new ScoutsError("session_unknown");
    return new SessionSealer(this.#session.id, this.#session.key);
  }
}

/** A connection of its own for work on content, made when it is needed and closed with the channel. */
export function openContentChannel(options: ContentOptions): ContentChannel {
  const { api, deviceId, ports } = options;
  return new ContentChannel(new Connection({ ...ports, api, deviceId, transaction: (work) => work() }), options);
}

/** A promise of which whoever waits hears the failure; nobody may. */
function awaited<T>(): PromiseWithResolvers<T> {
  const made = Promise.withResolvers<T>();
  made.promise.catch(() => {});
  return made;
}
