import type { ErrorCode } from "../../../events/error-kinds.ts";
import { isScoutsError } from "../../../events/errors.ts";
import type { FileName } from "../../../events/ids.ts";
import type { SummarizeMessage } from "../../../events/queues.ts";
import { type Month, nextMonthMs } from "../../billing/month.ts";
import type { Reservation } from "../../billing/reservation.ts";
import { monthlyCap } from "../../billing/tiers.ts";
import { failurePolicy } from "../../breaker/failure-policy.ts";
import { probeReserveMs } from "../../breaker/model-breaker.ts";
import type { Session } from "../../devices/session-store.ts";
import { billedTokens } from "../../llm/billed-usage.ts";
import type { Again } from "../../outcome/grouped-batch.ts";
import { asScoutsError } from "../../outcome/outcome.ts";
import { isolatePoison } from "../../outcome/poison-isolation.ts";
import type { Transient } from "../../privacy/transient.ts";
import type { FileRow, IndexRow } from "../index/index-row.ts";
import { sealResult, summaryOp } from "./file-result.ts";
import { openFile, type QueuedFile } from "./queued-file.ts";
import { summarizeFile } from "./summarize-file.ts";
import type { FileWork, SummarizePorts } from "./summarize-ports.ts";
import { afterFault, forTokens, maxTriedReceives } from "./try-again.ts";

/** What became of a file in this delivery. */
export type Step =
  /** It has its end, written by whoever was first. */
  | { readonly kind: "ended"; readonly row: FileRow; readonly file: Transient<QueuedFile> }
  /** It gets no end of its own: the whole session is over its limit. */
  | { readonly kind: "refused"; readonly code: ErrorCode; readonly file: Transient<QueuedFile> }
  /** `billed` are tokens of an answer that was paid for in vain. */
  | ({ readonly kind: "again"; readonly released: boolean; readonly billed?: number } & Again<SummarizeMessage>)
  | { readonly kind: "dropped"; readonly code: ErrorCode }
  /** Not even that could be written down: the queue delivers it again. */
  | { readonly kind: "lost"; readonly code: ErrorCode };

export interface Grant {
  readonly month: Month;
  readonly request: Reservation;
}

/** A batch's files of one index session: one person, one sealed session. */
export interface IndexWork {
  readonly works: readonly FileWork[];
  readonly steps: Map<FileWork, Step>;
  readonly grants: Map<FileWork, Grant>;
  /** Ends that were there before. */
  readonly ends: ReadonlyMap<FileName, FileRow>;
  /** Absent when the session, or the index session, is over. */
  readonly open?: { readonly session: Session; readonly row: IndexRow };
}

/** Looks at everything a group of messages refers to: what is over, what is done, what is to be done. */
export async function lookAt(ports: SummarizePorts, works: readonly [FileWork, ...FileWork[]]): Promise<IndexWork> {
  const { userId, indexId } = works[0].message;
  const nowMs = ports.post.clock();
  const names = works.map(({ message }) => message.file);
  const [session, row, ends] = await Promise.all([
    sessionOf(ports, works[0], nowMs),
    ports.index.get(userId, indexId, nowMs),
    ports.index.files(userId, indexId, names),
  ]);
  const work = { works, steps: new Map(), grants: new Map(), ends };
  const goesOn = row && (row.status === "open" || row.status === "quota_exceeded");
  return session && goesOn && row.sessionId === session.sessionId ? { ...work, open: { session, row } } : work;
}

async function sessionOf(ports: SummarizePorts, { message }: FileWork, nowMs: number): Promise<Session | undefined> {
  try {
    return await ports.sessions.open(message.userId, message.deviceId, message.sessionId, nowMs);
  } catch (error) {
    // Ended, or wrapped by a key that is no longer held: either way nothing opens any more.
    if (isScoutsError(error, "session_ended") || isScoutsError(error, "sealed_unreadable")) return undefined;
    throw error;
  }
}

/** Takes every file of the group a step further. */
export async function summarizeIndex(ports: SummarizePorts, work: IndexWork, remainingMs: () => number): Promise<void> {
  const { open, works, steps } = work;
  if (!open) {
    for (const each of works) steps.set(each, { kind: "dropped", code: "session_ended" });
    return;
  }
  const files = openAll(ports, work, open.session);
  const waiting = new Map<FileWork, Transient<QueuedFile>>();
  for (const [each, file] of files) {
    const row = work.ends.get(each.message.file);
    const limit = limitOf(open.row);
    if (row) steps.set(each, { kind: "ended", row, file });
    else if (limit) steps.set(each, { kind: "refused", code: limit, file });
    else if (each.receiveCount <= maxTriedReceives) waiting.set(each, file);
    // It has taken its worker with it each time; who waits for it hears of it.
    else steps.set(each, await finished(ports, each, file, { code: "attempts_exhausted", tokens: 0 }));
  }
  if (waiting.size === 0) return;
  const held = await ports.breaker.current();
  if (held) {
    // Somebody looks on: the next scan takes the files up again.
    const answer = { code: held.code, tokens: 0 };
    for (const [each, file] of waiting) steps.set(each, await finished(ports, each, file, answer));
    return;
  }
  try {
    await reserve(ports, work, waiting);
  } catch (error) {
    ports.log.error("tokens_not_reserved", error, { count: waiting.size });
    for (const [each, file] of waiting) steps.set(each, await failed(ports, each, file, error));
    return;
  }
  const admitted = [...waiting].filter(([each]) => work.grants.has(each));
  const make = async ([each, file]: [FileWork, Transient<QueuedFile>]) => {
    steps.set(each, await summarized(ports, open.session, each, file, work.grants.get(each), remainingMs));
  };
  await isolatePoison(
    admitted,
    ([{ message }]) => message.file,
    ([{ receiveCount }]) => receiveCount,
    make,
  );
}

function openAll(
  { log }: SummarizePorts,
  { works, steps }: IndexWork,
  { sealer }: Session,
): Map<FileWork, Transient<QueuedFile>> {
  const files = new Map<FileWork, Transient<QueuedFile>>();
  for (const each of works) {
    try {
      files.set(each, openFile(sealer, each.message));
    } catch (error) {
      const { code, kind } = asScoutsError(error);
      log.error("file_not_opened", error, { indexId: each.message.indexId });
      steps.set(each, kind.retry === "never" ? { kind: "dropped", code } : { kind: "lost", code });
    }
  }
  return files;
}

/** Why a session takes no more files. */
function limitOf({ status, maxFiles, processed }: IndexRow): ErrorCode | undefined {
  if (status === "quota_exceeded") return status;
  return maxFiles !== undefined && processed >= maxFiles ? "folder_max_files" : undefined;
}

/** Sets tokens aside for all files that wait, in one conditional write; who gets none waits, or ends the session. */
async function reserve(
  { accounts, budget, post }: SummarizePorts,
  { steps, grants }: IndexWork,
  waiting: ReadonlyMap<FileWork, Transient<QueuedFile>>,
): Promise<void> {
  const byOp = new Map([...waiting.keys()].map((each) => [opOf(each), each]));
  const [first] = waiting.keys();
  if (!first) return;
  const { userId, projectId } = first.message;
  const { tier } = await accounts.get(userId);
  const requests = [...byOp].map(([op, each]) => ({
    op,
    within: projectId,
    tokens: each.message.estimatedTokens,
    base: 0,
  }));
  const caps = { total: monthlyCap(tier, "folder_index"), within: new Map<string, number>() };
  const { month, granted, refused } = await budget.reserve(userId, requests, caps);
  for (const request of granted) {
    const each = byOp.get(request.op);
    if (each) grants.set(each, { month, request });
  }
  const nowMs = post.clock();
  for (const { request, untilMs } of refused) {
    const each = byOp.get(request.op);
    const file = each && waiting.get(each);
    if (!each || !file) continue;
    const again = untilMs === nextMonthMs(nowMs) ? undefined : forTokens(untilMs, each, nowMs);
    if (again) steps.set(each, { kind: "again", ...again, released: false });
    else steps.set(each, { kind: "refused", code: "quota_exceeded", file });
  }
}

async function summarized(
  ports: SummarizePorts,
  { sealer }: Session,
  each: FileWork,
  file: Transient<QueuedFile>,
  grant: Grant | undefined,
  remainingMs: () => number,
): Promise<Step> {
  const { indexId, file: name } = each.message;
  const reservation = grant?.request.id;
  const startedAtMs = ports.post.clock();
  try {
    const { summary, ...made } = await summarizeFile(ports, sealer, file, remainingMs() - probeReserveMs);
    const sealed = sealResult(sealer, indexId, name, summary);
    return await finished(ports, each, file, { ...made, sealed, reservation });
  } catch (error) {
    const { code } = asScoutsError(error);
    if (failurePolicy(code)?.suspectsModel) await ports.breaker.blame(code, startedAtMs, remainingMs());
    return failed(ports, each, file, error, reservation);
  }
}

/** A fault that may pass is a new message with a delay; any other is the file's end. */
async function failed(
  ports: SummarizePorts,
  each: FileWork,
  file: Transient<QueuedFile>,
  error: unknown,
  reservation?: string,
): Promise<Step> {
  const again = afterFault(error, each, ports.post.clock());
  const { code } = asScoutsError(error);
  ports.log.error("file_not_summarized", error, { indexId: each.message.indexId, again: again !== undefined });
  const billed = billedTokens(error);
  if (again) return { kind: "again", ...again, released: true, billed };
  return finished(ports, each, file, { code, tokens: billed, reservation });
}

/** Never throws: when it is not known whether the end was written, the next delivery finds out. */
async function finished(
  ports: SummarizePorts,
  each: FileWork,
  file: Transient<QueuedFile>,
  end: Pick<FileRow, "tokens"> & { [K in keyof FileRow]?: FileRow[K] | undefined },
): Promise<Step> {
  const { userId, indexId, file: name } = each.message;
  try {
    return { kind: "ended", row: await ports.index.finish(userId, indexId, name, end, ports.post.clock()), file };
  } catch (error) {
    ports.log.error("file_not_finished", error, { indexId });
    const again = afterFault(error, each, ports.post.clock());
    return again ? { kind: "again", ...again, released: false } : { kind: "lost", code: asScoutsError(error).code };
  }
}

/**
 * The operation that a file's tokens are reserved under: the same for each try of the same file, so that it is paid for
 * once.
 */
export function opOf({ message }: FileWork): string {
  return summaryOp(message.indexId, message.file);
}
