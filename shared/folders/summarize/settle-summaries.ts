import { monthOf } from "../../billing/month.ts";
import type { Result, Spent } from "../../billing/reservation.ts";
import { tokensOf } from "./file-result.ts";
import { type IndexWork, opOf } from "./summarize-index.ts";
import type { FileWork, SummarizePorts } from "./summarize-ports.ts";
import { wasBegun } from "./try-again.ts";

/**
 * Counts the tokens a group of files took. A failure is only noted: the files' rows say what is owed, and reservations
 * past their time are settled from them.
 */
export async function settleSummaries(ports: SummarizePorts, work: IndexWork): Promise<void> {
  const [first] = work.works;
  if (!first) return;
  const { userId } = first.message;
  try {
    const spent = work.works.flatMap((each) => spentOn(work, each));
    for (const [month, own] of Map.groupBy(spent, (each) => each.month)) await ports.budget.settle(userId, month, own);
    await settleLeftOpen(ports, work, first);
  } catch (error) {
    ports.log.error("tokens_not_settled", error, { indexId: first.message.indexId });
  }
}

function spentOn({ steps, grants }: IndexWork, each: FileWork): (Spent & { readonly month: string })[] {
  const grant = grants.get(each);
  const step = steps.get(each);
  if (!grant || !step) return [];
  if (step.kind === "ended") return [{ ...grant, result: tokensOf(step.row) }];
  return step.kind === "again" && step.released ? [{ ...grant, billed: step.billed ?? 0 }] : [];
}

/**
 * What earlier deliveries left open: by the file's row when there is one. Without one somebody else may be at work on the
 * file, so only a reservation past its time is ended here.
 */
async function settleLeftOpen(ports: SummarizePorts, { works, steps, grants }: IndexWork, { message }: FileWork) {
  const left = works.filter((each) => {
    const kind = steps.get(each)?.kind;
    return !grants.has(each) && wasBegun(each) && (kind === "ended" || kind === "dropped" || kind === "refused");
  });
  if (left.length === 0) return;
  const ends = await ports.index.files(
    message.userId,
    message.indexId,
    left.map((each) => each.message.file),
  );
  const results = new Map<string, Result>();
  for (const each of left) {
    const row = ends.get(each.message.file);
    if (row) results.set(opOf(each), tokensOf(row));
  }
  const ops = new Set(left.map(opOf));
  const nowMs = ports.post.clock();
  await ports.budget.settleFromResults(
    message.userId,
    monthOf(nowMs),
    (op, { expiresAt }) => ops.has(op) && (results.has(op) || expiresAt <= nowMs),
    async () => results,
  );
}
