import type { ErrorCode } from "../../../events/error-kinds.ts";
import { ScoutsError } from "../../../events/errors.ts";
import type { IndexedFile } from "../../../events/frames/folders.ts";
import type { IndexId, ProjectId } from "../../../events/ids.ts";
import type { Clock } from "../../connection/clock.ts";
import type { ContentChannel } from "../../connection/content/content-channel.ts";
import type { ContentFrame } from "../../connection/content/content-frames.ts";
import { asError, DeviceError } from "../../errors.ts";
import { asIndexedFile, batchFrame, hasRoom, roomForTexts } from "./batches.ts";
import type { FileToSend } from "./file-to-send.ts";

/** Files sent and not yet answered, at most, and what was read of them. */
const maxOpenFiles = 40;
const maxOpenBytes = 4 * 1024 * 1024;
/** After so long without any answer, what was sent is sent again; each time it takes twice as long. */
const silenceMs = 60_000;
const maxSilenceMs = 10 * 60_000;
/** Twenty-five minutes in all: the cloud itself gives a file up after eight tries, of two minutes' patience each. */
const maxSilences = 5;
/** For the cloud to say how an ended session ended, or to hear that it is cancelled. */
const goodbyeMs = 10_000;
/** What is on its way when the allowance ends is waited for so long. */
const graceMs = 10_000;

export type FileResult = Extract<ContentFrame, { type: "index_file_result" }>;
export type IndexDone = Extract<ContentFrame, { type: "index_session_done" }>;

export interface IndexSessionOptions {
  readonly channel: ContentChannel;
  readonly id: IndexId;
  readonly projectId: ProjectId;
  readonly totalFiles: number;
  readonly clock: Clock;
  /** Called once for each file. What it throws ends the session. */
  readonly onResult: (file: FileToSend, result: FileResult) => void;
}

interface Batch {
  readonly prepared: readonly FileToSend[];
  /** As they were sent; none while their texts are being uploaded. */
  files: IndexedFile[];
  isAccepted: boolean;
}

/**
 * One index session, as the device sees it. Which files are answered is this side's own count: whatever is not, it sends
 * again after a reconnection or a long silence, and the cloud answers what it has done already with the same result.
 *
 *     start ──▶ add, add, … ──▶ flush ──▶ finish ──▶ done
 *                  └──── the month's tokens are spent ──▶ done (quota_exceeded)
 *                  └──── a failure, or cancel ──▶ the next scan goes on from there
 */
export class IndexSession {
  readonly #options: IndexSessionOptions;
  /** Files sent and not yet answered. */
  readonly #open = new Map<string, { readonly file: FileToSend; readonly batch: Batch }>();
  readonly #batches = new Set<Batch>();
  /** What the next batch will hold. */
  readonly #next: FileToSend[] = [];
  #openBytes = 0;
  #failure: Error | undefined;
  #limit: ErrorCode | undefined;
  #isStarted = false;
  #isFinishing = false;
  #done: IndexDone | undefined;
  #silences = 0;
  #cancelSilence = () => {};
  #changed = Promise.withResolvers<void>();

  constructor(options: IndexSessionOptions) {
    this.#options = options;
  }

  /** Why the cloud takes no more files, when it does not. */
  get limit(): ErrorCode | undefined {
    return this.#limit;
  }

  /** @throws ScoutsError `folder_max_files`, …; DeviceError when the connection cannot be had */
  async start(): Promise<void> {
    const { channel, id, projectId, totalFiles } = this.#options;
    await Promise.race([channel.ready(), this.#until(() => false)]);
    this.#isStarted = true;
    channel.events.on("frame", this.#onFrame).on("ready", this.#onReady).on("ended", this.fail);
    await channel.send({ type: "index_session_start", sessionId: id, projectId, totalFiles });
  }

  /**
   * Takes a file, and resolves when there is room for another. False when no more are wanted: see {@link limit}.
   * @throws what ended the session
   */
  async add(file: FileToSend): Promise<boolean> {
    if (!hasRoom(this.#next, file)) this.#dispatch();
    this.#next.push(file);
    await this.#until(
      () => this.#limit !== undefined || (this.#open.size < maxOpenFiles && this.#openBytes < maxOpenBytes),
    );
    return this.#limit === undefined;
  }

  /** Sends what is left and waits until every file has its result. @throws what ended the session */
  async flush(): Promise<void> {
    if (this.#next.length > 0 && this.#limit === undefined) this.#dispatch();
    await this.#until(() => this.#limit !== undefined || this.#open.size === 0);
    if (this.#limit !== undefined) await this.#within(graceMs, () => this.#open.size === 0);
  }

  /** Ends it; undefined when the cloud does not say how. */
  async finish(): Promise<IndexDone | undefined> {
    await this.#sayEnd("index_session_finish");
    await this.#within(goodbyeMs, () => this.#done !== undefined);
    return this.#done;
  }

  /** Tells the cloud to drop what it has not begun, as far as the cloud can be reached. */
  async cancel(): Promise<void> {
    if (!this.#isStarted) return;
    const gone = Promise.withResolvers<void>();
    const stopWaiting = this.#options.clock.after(goodbyeMs, gone.resolve);
    // Nobody is kept from leaving by a cloud that does not answer; its session ends with the device's.
    await Promise.race([this.#sayEnd("index_session_cancel"), gone.promise]).catch(() => {});
    stopWaiting();
  }

  /** Whoever waits hears of the error. */
  readonly fail = (error: Error): void => {
    this.#failure ??= error;
    this.#wake();
  };

  /** Stops listening. */
  stop(): void {
    this.#cancelSilence();
    this.#options.channel.events.off("frame", this.#onFrame).off("ready", this.#onReady).off("ended", this.fail);
  }

  readonly #onFrame = (frame: ContentFrame): void => {
    const { id } = this.#options;
    if (frame.type === "index_file_result" && frame.sessionId === id) this.#answered(frame);
    else if (frame.type === "index_session_done" && frame.sessionId === id) this.#ended(frame);
  };

  readonly #onReady = ({ isNew }: { isNew: boolean }): void => {
    // Files that were sent are named and sealed in the session that is over.
    if (isNew && this.#isStarted) this.fail(new ScoutsError("session_ended"));
    else this.#resend();
  };

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  async #until(condition: () => boolean): Promise<void> {
    while (this.#failure === undefined && !condition()) await this.#changed.promise;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Like {@link #until}, and the end of the time is no failure. */
  async #within(timeoutMs: number, condition: () => boolean): Promise<void> {
    let isOver = false;
    const cancel = this.#options.clock.after(timeoutMs, () => {
      isOver = true;
      this.#wake();
    });
    try {
      await this.#until(() => isOver || condition());
    } finally {
      cancel();
    }
  }

  /** Makes a batch of the files that wait for one, and sends it. */
  #dispatch(): void {
    const batch: Batch = { prepared: this.#next.splice(0), files: [], isAccepted: false };
    this.#batches.add(batch);
    for (const file of batch.prepared) {
      this.#open.set(file.relPath, { file, batch });
      this.#openBytes += file.content.length;
    }
    this.#awaitResults();
    this.#upload(batch)
      .then(() => this.#send(batch))
      .catch((error: unknown) => this.fail(asError(error)));
  }

  async #upload(batch: Batch): Promise<void> {
    const { prepared } = batch;
    const texts = prepared.map(({ content }) => content);
    const payloads = await this.#options.channel.toPayloads(texts, roomForTexts(prepared));
    batch.files = prepared.map((file, at) => asIndexedFile(file, payloads[at] ?? { inline: file.content }));
  }

  /** What of a batch has no result yet. */
  async #send(batch: Batch): Promise<void> {
    const files = batch.files.filter(({ relPath }) => this.#open.get(relPath)?.batch === batch);
    if (files.length === 0) return;
    batch.isAccepted = false;
    try {
      await this.#options.channel.send(batchFrame(this.#options.id, files));
      batch.isAccepted = true;
    } catch (error) {
      if (this.#limit === undefined) this.fail(asError(error));
    }
  }

  #resend(): void {
    for (const batch of this.#batches) if (batch.isAccepted) void this.#send(batch);
  }

  #awaitResults(): void {
    this.#cancelSilence();
    if (this.#open.size === 0) return;
    const waitMs = Math.min(maxSilenceMs, silenceMs * 2 ** this.#silences);
    this.#cancelSilence = this.#options.clock.after(waitMs, () => {
      this.#silences += 1;
      if (this.#silences >= maxSilences) return this.fail(new DeviceError("answer_overdue"));
      this.#resend();
      this.#awaitResults();
    });
  }

  #answered(result: FileResult): void {
    const answered = this.#open.get(result.relPath);
    if (answered === undefined) return;
    const { file, batch } = answered;
    this.#open.delete(file.relPath);
    this.#openBytes -= file.content.length;
    const isOver = batch.prepared.every(({ relPath }) => this.#open.get(relPath)?.batch !== batch);
    if (isOver) this.#batches.delete(batch);
    this.#silences = 0;
    this.#awaitResults();
    try {
      this.#options.onResult(file, result);
    } catch (error) {
      this.fail(asError(error));
    }
    if (isLimit(result.error)) this.#limit = result.error;
    this.#wake();
  }

  #ended(frame: IndexDone): void {
    this.#done = frame;
    if (frame.status === "quota_exceeded") this.#limit = frame.status;
    else if (!this.#isFinishing) this.fail(new ScoutsError(frame.code ?? "index_ended"));
    this.#wake();
  }

  async #sayEnd(type: "index_session_finish" | "index_session_cancel"): Promise<void> {
    this.#isFinishing = true;
    await this.#options.channel.send({ type, sessionId: this.#options.id });
  }
}

/** Refusals that say nothing about the file: it stays as it is for a scan to come. */
export function isLimit(code: ErrorCode | undefined): boolean {
  return code === "quota_exceeded" || code === "folder_max_files";
}
