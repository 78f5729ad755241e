import { type ErrorCode, ScoutsError } from "../../../events/errors.ts";
import type { IndexedFile } from "../../../events/folders.ts";
import type { IndexId, ProjectId } from "../../../events/ids.ts";
import type { Clock } from "../../connection/clock.ts";
import type { ContentChannel } from "../../connection/content/content-channel.ts";
import type { ContentFrame } from "../../connection/content/content-frames.ts";
import { DeviceError } from "../../errors.ts";
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
export interface IndexSession {
  /** @throws ScoutsError `folder_max_files`, …; DeviceError when the connection cannot be had */
  start(): Promise<void>;
  /**
   * Takes a file, and resolves when there is room for another. False when no more are wanted: see {@link limit}.
   * @throws what ended the session
   */
  add(file: FileToSend): Promise<boolean>;
  /** Sends what is left and waits until every file has its result. @throws what ended the session */
  flush(): Promise<void>;
  /** Why the cloud takes no more files, when it does not. */
  readonly limit: ErrorCode | undefined;
  /** Ends it; undefined when the cloud does not say how. */
  finish(): Promise<IndexDone | undefined>;
  /** Tells the cloud to drop what it has not begun, as far as the cloud can be reached. */
  cancel(): Promise<void>;
  /** Whoever waits hears of the error. */
  fail(error: Error): void;
  /** Stops listening. */
  stop(): void;
}

export function createIndexSession(options: IndexSessionOptions): IndexSession {
  const { channel, id, projectId, totalFiles, clock, onResult } = options;
  const open = new Map<string, { readonly file: FileToSend; readonly batch: Batch }>();
  const batches = new Set<Batch>();
  const next: FileToSend[] = [];
  let openBytes = 0;
  let failure: Error | undefined;
  let limit: ErrorCode | undefined;
  let started = false;
  let finishing = false;
  let done: IndexDone | undefined;
  let silences = 0;
  let cancelSilence = () => {};
  let wake = Promise.withResolvers<void>();

  const changed = () => {
    wake.resolve();
    wake = Promise.withResolvers();
  };
  const until = async (condition: () => boolean) => {
    while (failure === undefined && !condition()) await wake.promise;
    if (failure !== undefined) throw failure;
  };
  /** Like {@link until}, and the end of the time is no failure. */
  const untilOr = async (timeoutMs: number, condition: () => boolean) => {
    let isOver = false;
    const cancel = clock.after(timeoutMs, () => {
      isOver = true;
      changed();
    });
    try {
      await until(() => isOver || condition());
    } finally {
      cancel();
    }
  };
  const fail = (error: Error) => {
    failure ??= error;
    changed();
  };

  const send = async (batch: Batch) => {
    const files = batch.files.filter(({ relPath }) => open.get(relPath)?.batch === batch);
    if (files.length === 0) return;
    batch.isAccepted = false;
    try {
      await channel.send(batchFrame(id, files));
      batch.isAccepted = true;
    } catch (error) {
      if (limit === undefined) fail(asError(error));
    }
  };

  const dispatch = async (prepared: readonly FileToSend[]) => {
    const batch: Batch = { prepared, files: [], isAccepted: false };
    batches.add(batch);
    for (const file of prepared) {
      open.set(file.relPath, { file, batch });
      openBytes += file.content.length;
    }
    listenForSilence();
    try {
      const texts = prepared.map(({ content }) => content);
      const payloads = await channel.toPayloads(texts, roomForTexts(prepared));
      batch.files = prepared.map((file, at) => asIndexedFile(file, payloads[at] ?? { inline: file.content }));
    } catch (error) {
      fail(asError(error));
    }
    await send(batch);
  };

  const resend = () => {
    for (const batch of batches) if (batch.isAccepted) void send(batch);
  };

  const listenForSilence = () => {
    cancelSilence();
    if (open.size === 0) return;
    const waitMs = Math.min(maxSilenceMs, silenceMs * 2 ** silences);
    cancelSilence = clock.after(waitMs, () => {
      silences += 1;
      if (silences >= maxSilences) return fail(new DeviceError("answer_overdue"));
      resend();
      listenForSilence();
    });
  };

  const onFileResult = (result: FileResult) => {
    const answered = open.get(result.relPath);
    if (answered === undefined) return;
    const { file, batch } = answered;
    open.delete(file.relPath);
    openBytes -= file.content.length;
    if (batch.prepared.every(({ relPath }) => open.get(relPath)?.batch !== batch)) batches.delete(batch);
    silences = 0;
    listenForSilence();
    try {
      onResult(file, result);
    } catch (error) {
      fail(asError(error));
    }
    if (isLimit(result.error)) limit = result.error;
    changed();
  };

  const onDone = (frame: IndexDone) => {
    done = frame;
    if (frame.status === "quota_exceeded") limit = frame.status;
    else if (!finishing) fail(new ScoutsError(frame.code ?? "index_ended"));
    changed();
  };

  const onFrame = (frame: ContentFrame) => {
    if (frame.type === "index_file_result" && frame.sessionId === id) onFileResult(frame);
    else if (frame.type === "index_session_done" && frame.sessionId === id) onDone(frame);
  };
  const onReady = ({ isNew }: { isNew: boolean }) => {
    // Files that were sent are named and sealed in the session that is over.
    if (isNew && started) fail(new ScoutsError("session_ended"));
    else resend();
  };

  const sayEnd = (type: "index_session_finish" | "index_session_cancel") => {
    finishing = true;
    return channel.send({ type, sessionId: id });
  };

  return {
    async start() {
      await Promise.race([channel.ready(), until(() => false)]);
      started = true;
      channel.events.on("frame", onFrame).on("ready", onReady).on("ended", fail);
      await channel.send({ type: "index_session_start", sessionId: id, projectId, totalFiles });
    },
    async add(file) {
      if (!hasRoom(next, file)) void dispatch(next.splice(0));
      next.push(file);
      await until(() => limit !== undefined || (open.size < maxOpenFiles && openBytes < maxOpenBytes));
      return limit === undefined;
    },
    async flush() {
      if (next.length > 0 && limit === undefined) void dispatch(next.splice(0));
      await until(() => limit !== undefined || open.size === 0);
      if (limit !== undefined) await untilOr(graceMs, () => open.size === 0);
    },
    get limit() {
      return limit;
    },
    async finish() {
      await sayEnd("index_session_finish");
      await untilOr(goodbyeMs, () => done !== undefined);
      return done;
    },
    async cancel() {
      if (!started) return;
      const gone = Promise.withResolvers<void>();
      const stopWaiting = clock.after(goodbyeMs, gone.resolve);
      // Nobody is kept from leaving by a cloud that does not answer; its session ends with the device's.
      await Promise.race([sayEnd("index_session_cancel"), gone.promise]).catch(() => {});
      stopWaiting();
    },
    fail,
    stop() {
      cancelSilence();
      channel.events.off("frame", onFrame).off("ready", onReady).off("ended", fail);
    },
  };
}

/** Refusals that say nothing about the file: it stays as it is for a scan to come. */
export function isLimit(code: ErrorCode | undefined): boolean {
  return code === "quota_exceeded" || code === "folder_max_files";
}

/** What a dependency threw. */
function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new DeviceError("internal", { cause: thrown });
}
