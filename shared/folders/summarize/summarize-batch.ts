import type { SummarizeMessage } from "../../../events/queues.ts";
import { asScoutsError, done, type Outcome } from "../../outcome/outcome.ts";
import { isolatePoison } from "../../outcome/poison-isolation.ts";
import { type DelayedMessage, queueAgain } from "../../outcome/queue-again.ts";
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
  const works = new Map<string, FileWork>();
  for (const { body, receiveCount } of batch) {
    const copy = works.get(nameOf(body));
    works.set(nameOf(body), { message: body, receiveCount: Math.max(receiveCount, copy?.receiveCount ?? 0) });
  }
  const groups = Map.groupBy(
    works.values(),
    ({ message }) => `${message.userId}/${message.indexId}/${message.sessionId}`,
  );
  const outcomes = new Map<FileWork, Outcome>();
  const take = async ([, own]: [string, readonly FileWork[]]) => {
    for (const [each, outcome] of await workOn(ports, own, remainingMs)) outcomes.set(each, outcome);
  };
  await isolatePoison(
    [...groups],
    ([name]) => name,
    ([, own]) => Math.max(...own.map(({ receiveCount }) => receiveCount)),
    take,
  );
  return batch.map(({ body }) => {
    const each = works.get(nameOf(body));
    return (each && outcomes.get(each)) ?? { kind: "retry", code: "internal" };
  });
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
  const [notQueued] = await Promise.all([
    queueAgain(ports.summarize, waitingFiles(work), ports.log, "files"),
    deleteObjects(ports, work),
  ]);
  return new Map(work.works.map((each) => [each, outcomeOf(work, each, notQueued)]));
}

/** A fault before anything was done costs seconds, and none of the queue's receives while tries are left. */
function notLookedAt(works: readonly FileWork[], error: unknown, nowMs: number): IndexWork {
  const { code } = asScoutsError(error);
  const steps = works.map((each): [FileWork, Step] => {
    const again = afterFault(error, each, nowMs);
    return [each, again ? { kind: "again", again, released: false } : { kind: "lost", code }];
  });
  return { works, steps: new Map(steps), grants: new Map(), ends: new Map() };
}

function outcomeOf({ steps }: IndexWork, each: FileWork, notQueued: Outcome | undefined): Outcome {
  const step = steps.get(each);
  switch (step?.kind) {
    case "ended":
    case "refused":
      return done;
    case "again":
      return notQueued ?? done;
    case "dropped":
      return { kind: "drop", code: step.code };
    case "lost":
      return { kind: "retry", code: step.code };
    case undefined:
      return { kind: "retry", code: "internal" };
  }
}

function waitingFiles({ works, steps }: IndexWork): DelayedMessage<SummarizeMessage>[] {
  return works.flatMap((each): DelayedMessage<SummarizeMessage>[] => {
    const step = steps.get(each);
    if (step?.kind !== "again") return [];
    const { tries, waits, delayMs } = step.again;
    return [{ body: { ...each.message, tries, waits }, group: each.message.userId, delayMs }];
  });
}

/** What fails to be deleted goes when the session ends, or within a day. */
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
