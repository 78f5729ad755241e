import type { SummarizeMessage } from "../../../events/queues.ts";
import { settleSteps, workInGroups } from "../../outcome/grouped-batch.ts";
import { asScoutsError, type Outcome } from "../../outcome/outcome.ts";
import { notifyDevice } from "../index/tell-device.ts";
import { settleSummaries } from "./settle-summaries.ts";
import { type IndexWork, lookAt, type Step, summarizeIndex } from "./summarize-index.ts";
import type { FileWork, SummarizePorts } from "./summarize-ports.ts";
import { afterFault } from "./try-again.ts";

/**
 * Summarises a batch of files, each index session's part by itself:
 *
 *   reserve tokens ─▶ ask the model ─▶ the file's row, first writer wins ─▶ settle by the row ─▶ tell the device ─▶ objects
 *
 * Dying between any two of these repeats the later ones and nothing else: a file that has its row is only told of and
 * settled again. Files that come again are taken one after another (see `isolationOrder`). Outcomes come in the order of the messages.
 */
export async function summarizeBatch(
  ports: SummarizePorts,
  batch: readonly { readonly body: SummarizeMessage; readonly receiveCount: number }[],
  remainingMs: () => number,
): Promise<Outcome[]> {
  return workInGroups(batch, { nameOf, groupOf }, (own) => workOn(ports, own, remainingMs));
}

async function workOn(
  ports: SummarizePorts,
  [first, ...others]: readonly FileWork[],
  remainingMs: () => number,
): Promise<Map<FileWork, Outcome>> {
  if (!first) return new Map();
  let work: IndexWork;
  try {
    work = await lookAt(ports, [first, ...others]);
  } catch (error) {
    ports.log.error("files_not_checked", error, { indexId: first.message.indexId });
    work = notLookedAt([first, ...others], error, ports.post.clock());
  }
  if (work.steps.size === 0) await summarizeIndex(ports, work, remainingMs);
  await Promise.all([settleSummaries(ports, work), notifyDevice(ports, work)]);
  const settling = settleSteps(ports.summarize, work.works, work.steps, ports.log, "files");
  const [outcomes] = await Promise.all([settling, deleteObjects(ports, work)]);
  return outcomes;
}

/** A fault before anything was done costs seconds, and none of the queue's receives while tries are left. */
function notLookedAt(works: readonly FileWork[], error: unknown, nowMs: number): IndexWork {
  const { code } = asScoutsError(error);
  const steps = works.map((each): [FileWork, Step] => {
    const again = afterFault(error, each, nowMs);
    return [each, again ? { kind: "again", ...again, released: false } : { kind: "lost", code }];
  });
  return { works, steps: new Map(steps), grants: new Map(), ends: new Map() };
}

/** What fails to be deleted goes when the session ends, or by the rule of the bucket. */
async function deleteObjects({ objects, log }: SummarizePorts, { works, steps }: IndexWork): Promise<void> {
  const over = works.filter((each) => {
    const kind = steps.get(each)?.kind;
    return kind === "ended" || kind === "refused" || kind === "dropped";
  });
  const keys = over.flatMap(({ message }) => message.objects);
  if (keys.length === 0) return;
  try {
    await objects.delete(keys);
  } catch (error) {
    log.error("objects_not_deleted", error, { count: keys.length });
  }
}

function nameOf({ userId, indexId, sessionId, file }: SummarizeMessage): string {
  return `${userId}/${indexId}/${sessionId}/${file}`;
}

function groupOf({ userId, indexId, sessionId }: SummarizeMessage): string {
  return `${userId}/${indexId}/${sessionId}`;
}
