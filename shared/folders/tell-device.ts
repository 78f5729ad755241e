import type { ServerFrame } from "../../events/frames.ts";
import { postToSession } from "../devices/session-post.ts";
import { recordIndexRun } from "./end-index.ts";
import { doneFrame, refusedResult, storedResult } from "./file-result.ts";
import type { IndexWork } from "./summarize-index.ts";
import type { FileWork, SummarizePorts } from "./summarize-ports.ts";
import { afterFault, wasBegun } from "./try-again.ts";

/**
 * Posts what became of a group of files to the device that asked, and how far the whole is. A device that is not there
 * asks again when it is; a post that fails is tried again by a new message, which finds the end written down.
 */
export async function tellDevice(ports: SummarizePorts, work: IndexWork): Promise<void> {
  const { open, works, steps } = work;
  if (!open) return;
  const told = works.filter((each) => steps.get(each)?.kind === "ended" || steps.get(each)?.kind === "refused");
  const [first] = told;
  if (!first) return;
  try {
    const end = await endOverQuota(ports, work);
    const progress = end.length === 0 ? await progressOf(ports, work) : [];
    const byConnection = [...Map.groupBy(told, ({ message }) => message.connectionId).values()];
    for (const [at, own] of byConnection.entries()) {
      const isLast = at === byConnection.length - 1;
      const frames = own.flatMap((each) => frameOf(work, each));
      await post(ports, first, own, isLast ? [...frames, ...progress, ...end] : frames);
      for (const each of own) work.told.add(each);
    }
  } catch (error) {
    ports.log.error("results_not_posted", error, { indexId: first.message.indexId, count: told.length });
    for (const each of told) {
      const again = work.told.has(each) ? undefined : afterFault(error, each);
      if (again) steps.set(each, { kind: "again", again, released: false });
    }
  }
}

async function post(
  ports: SummarizePorts,
  { message: { userId, deviceId, sessionId } }: FileWork,
  [asked]: readonly FileWork[],
  frames: readonly ServerFrame[],
): Promise<void> {
  if (!asked) return;
  await postToSession(ports.post, { userId, deviceId, sessionId, connectionId: asked.message.connectionId }, frames);
}

function frameOf({ open, steps }: IndexWork, each: FileWork): ServerFrame[] {
  const step = steps.get(each);
  const { indexId, file } = each.message;
  if (!open || !step) return [];
  if (step.kind === "refused") {
    return [
      refusedResult(
        indexId,
        step.file.map(({ relPath }) => relPath),
        step.code,
      ),
    ];
  }
  if (step.kind !== "ended") return [];
  const path = step.file.map(({ relPath }) => relPath);
  return [storedResult(open.session.sealer, indexId, file, path, step.row)];
}

/** The first file that finds no tokens left ends the session; who may have died before saying so says it again. */
async function endOverQuota(ports: SummarizePorts, { open, works, steps }: IndexWork): Promise<ServerFrame[]> {
  const over = works.filter((each) => {
    const step = steps.get(each);
    return step?.kind === "refused" && step.code === "quota_exceeded";
  });
  const [first] = over;
  if (!first || !open) return [];
  const { userId, indexId } = first.message;
  const isFirst = open.row.status === "open" && (await ports.index.end(userId, indexId, "quota_exceeded"));
  if (!isFirst && !over.some(wasBegun)) return [];
  const totals = await recordIndexRun(ports, userId, indexId, open.row, "quota_exceeded", ports.post.clock());
  return [doneFrame(indexId, "quota_exceeded", totals)];
}

async function progressOf(ports: SummarizePorts, { open, works, steps }: IndexWork): Promise<ServerFrame[]> {
  const [first] = works;
  const isFurther = [...steps.values()].some(({ kind }) => kind === "ended");
  if (!open || !first || !isFurther) return [];
  const { userId, indexId } = first.message;
  const processed = await ports.index.countProgress(userId, indexId, open.row, ports.post.clock());
  if (processed === undefined) return [];
  return [{ type: "index_session_progress", sessionId: indexId, processed, total: open.row.totalFiles }];
}
