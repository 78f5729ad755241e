import type { ServerFrame } from "../../../events/frames/frames.ts";
import { postToSession } from "../../devices/session-post.ts";
import { doneFrame, refusedResult, storedResult } from "../summarize/file-result.ts";
import type { IndexWork, Step } from "../summarize/summarize-index.ts";
import type { FileWork, SummarizePorts } from "../summarize/summarize-ports.ts";
import { afterFault, wasBegun } from "../summarize/try-again.ts";
import { recordIndexRun } from "./end-index.ts";
import type { IndexRow } from "./index-row.ts";

/**
 * Posts what became of a group of files to the device that asked, then how the whole stands. A device that is not there
 * asks again when it is; a post that fails is tried again by a new message, which finds the end written down.
 */
export async function notifyDevice(ports: SummarizePorts, work: IndexWork): Promise<void> {
  const { open, works, steps } = work;
  if (!open) return;
  const told = works.filter((each) => steps.get(each)?.kind === "ended" || steps.get(each)?.kind === "refused");
  for (const own of Map.groupBy(told, ({ message }) => message.connectionId).values()) {
    const frames = own.flatMap((each) => frameOf(work, each));
    await orAgain(ports, work, own, () => post(ports, own, frames));
  }
  const over = told.filter((each) => isOverQuota(steps.get(each)));
  await orAgain(ports, work, over, async () => post(ports, over, await endOverQuota(ports, open.row, over)));
  const ended = told.filter((each) => steps.get(each)?.kind === "ended");
  try {
    if (over.length === 0) await post(ports, ended, await progressOf(ports, open.row, ended));
  } catch (error) {
    ports.log.error("progress_not_posted", error, { indexId: ended[0]?.message.indexId ?? "" });
  }
}

async function orAgain(
  ports: SummarizePorts,
  { steps }: IndexWork,
  own: readonly FileWork[],
  tell: () => Promise<void>,
): Promise<void> {
  const [first] = own;
  if (!first) return;
  try {
    await tell();
  } catch (error) {
    ports.log.error("results_not_posted", error, { indexId: first.message.indexId, count: own.length });
    for (const each of own) {
      const again = afterFault(error, each, ports.post.clock());
      if (again) steps.set(each, { kind: "again", ...again, released: false });
    }
  }
}

async function post(ports: SummarizePorts, [asked]: readonly FileWork[], frames: readonly ServerFrame[]) {
  if (!asked || frames.length === 0) return;
  const { userId, deviceId, sessionId, connectionId } = asked.message;
  await postToSession(ports.post, { userId, deviceId, sessionId, connectionId }, frames);
}

function frameOf({ open, steps }: IndexWork, each: FileWork): ServerFrame[] {
  const step = steps.get(each);
  const { indexId, file } = each.message;
  if (!open || (step?.kind !== "ended" && step?.kind !== "refused")) return [];
  const path = step.file.map(({ relPath }) => relPath);
  if (step.kind === "refused") return [refusedResult(indexId, path, step.code)];
  return [storedResult(open.session.sealer, indexId, file, path, step.row)];
}

function isOverQuota(step: Step | undefined): boolean {
  return step?.kind === "refused" && step.code === "quota_exceeded";
}

/** The first file that finds no tokens left ends the session; who may have died before saying so says it again. */
async function endOverQuota(ports: SummarizePorts, row: IndexRow, over: readonly FileWork[]): Promise<ServerFrame[]> {
  const [first] = over;
  if (!first) return [];
  const { userId, indexId } = first.message;
  const isFirst = row.status === "open" && (await ports.index.end(userId, indexId, "quota_exceeded"));
  if (!isFirst && !over.some(wasBegun)) return [];
  const totals = await recordIndexRun(ports, userId, indexId, row, "quota_exceeded", ports.post.clock());
  return [doneFrame(indexId, "quota_exceeded", totals)];
}

async function progressOf(ports: SummarizePorts, row: IndexRow, [first]: readonly FileWork[]): Promise<ServerFrame[]> {
  if (!first) return [];
  const { userId, indexId } = first.message;
  const processed = await ports.index.countProgress(userId, indexId, row, ports.post.clock());
  if (processed === undefined) return [];
  return [{ type: "index_session_progress", sessionId: indexId, processed, total: row.totalFiles }];
}
