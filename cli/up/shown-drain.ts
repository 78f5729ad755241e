import type { CliIo } from "../home/up-options.ts";
import { counted } from "../output/counted.ts";
import { createProgress, type Progress } from "../output/progress.ts";
import { drain } from "./drain.ts";
import type { ItemCounts } from "./item-counts.ts";
import { type Summary, summaryOf } from "./summary.ts";
import type { LocalSystem } from "./system.ts";
import { tellModel } from "./told-model.ts";

const progressEveryMs = 250;
/** Nothing judged for so long: time to ask whether the model still answers. */
const stalledMs = 20_000;

/**
 * Drains the mailbox under a progress bar. The language model is asked once at the beginning, and again when nothing
 * moves any more: where only the person can mend it, waiting is given up, and what is not judged stays for the next time.
 */
export async function drainWithProgress(
  system: LocalSystem,
  io: CliIo,
  startedAtMs: number,
): Promise<{ summary: Summary; counts: ItemCounts }> {
  const { isTTY, color, signal, stderr: stream } = io;
  const progress = createProgress({ stream, isTTY, color, label: "Judging mail" });
  const inVain = new AbortController();
  let told = "";
  const tell = (line: string) => {
    if (line !== told) progress.log(line);
    told = line;
  };
  const askModel = async () => {
    if (await tellModel(system, tell)) inVain.abort();
  };
  const asked = askModel();
  const moved = lastMove(system);
  const drawing = setInterval(() => {
    draw(system, progress);
    if (moved.stalled(performance.now())) void askModel();
  }, progressEveryMs);
  try {
    const counts = await drain(system, AbortSignal.any([signal, inVain.signal]));
    // Who interrupts does not wait for a model that takes its time.
    if (!signal.aborted) await asked;
    const summary = summaryOf(system, counts, startedAtMs, performance.now());
    const { messages, failed, delivered } = summary;
    progress.update({ done: messages - failed, total: messages, note: counted(delivered, "proposal") });
    return { summary, counts };
  } finally {
    clearInterval(drawing);
    progress.finish();
  }
}

/** Tells when nothing has been read or delivered for long, once for each such time. */
function lastMove(system: LocalSystem): { stalled(nowMs: number): boolean } {
  let seen = "";
  let sinceMs = performance.now();
  return {
    stalled(nowMs) {
      const now = JSON.stringify(progressOf(system));
      if (now !== seen) {
        seen = now;
        sinceMs = nowMs;
      }
      if (nowMs - sinceMs < stalledMs) return false;
      sinceMs = nowMs;
      return true;
    },
  };
}

/** Counted in messages handed out to be read; asking the tables would cost more than the work itself. */
function progressOf({ world, store }: LocalSystem): { done: number; total: number; proposals: number } {
  const { watched: total } = world.mailbox.stats();
  const proposals = Object.values(store.proposals.counts()).reduce((sum, count) => sum + count, 0);
  return { done: Math.min(total, world.mailbox.requests("messages.get")), total, proposals };
}

function draw(system: LocalSystem, progress: Progress): void {
  const { done, total, proposals } = progressOf(system);
  progress.update({ done, total, note: counted(proposals, "proposal") });
}
