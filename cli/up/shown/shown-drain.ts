import type { StoredProposal } from "../../../device/store/schema.ts";
import type { CliIo, UpOptions } from "../../home/up-options.ts";
import { counted } from "../../output/counted.ts";
import { outputOn } from "../../output/output.ts";
import { paced } from "../../output/paced.ts";
import { createProgress, type Progress } from "../../output/progress.ts";
import { arrivalLine, showArrival } from "../../proposals/shown-proposals.ts";
import { drain } from "../drain.ts";
import { type ItemCounts, judged } from "../item-counts.ts";
import type { LocalSystem } from "../system.ts";
import { type Summary, summaryOf } from "./summary.ts";
import { ModelNews } from "./told-model.ts";

const progressEveryMs = 250;
/** Proposals shown as they come while the mailbox is drained: enough to begin with. All follow once it is. */
const shownAtOnce = 5;
/** Nothing judged for so long: time to ask whether the model still answers. */
const stalledMs = 20_000;

/**
 * Drains the mailbox under a progress bar. The language model is asked once at the beginning, and again when nothing
 * moves any more: where only the person can mend it, waiting is given up, and what is not judged stays for the next time.
 */
export async function drainWithProgress(
  system: LocalSystem,
  { once, json }: Pick<UpOptions, "once" | "json">,
  io: CliIo,
  startedAtMs: number,
): Promise<{ summary: Summary; counts: ItemCounts; news: ModelNews }> {
  const { isTTY, color, signal, stderr: stream } = io;
  const progress = createProgress({ stream, isTTY, color, label: "Judging mail", now: () => performance.now() });
  const inVain = new AbortController();
  let isDrawing = true;
  const news = new ModelNews(system.model, (line) => {
    if (isDrawing) progress.log(line);
    else stream.write(`${line}\n`);
  });
  const askModel = async () => {
    if (await news.look()) inVain.abort();
  };
  const asked = askModel();
  const forgetFirst = once || json ? undefined : showFirst(system, io, progress);
  const progressNow = paced(
    () => progressOf(system),
    () => performance.now(),
  );
  const moved = lastMove(progressNow);
  const settled = new SettledCount(system);
  const drawing = setInterval(() => {
    draw(progressNow(), progress, settled, news);
    if (moved.stalled(performance.now())) void askModel();
  }, progressEveryMs);
  try {
    const counts = await drain(system, AbortSignal.any([signal, inVain.signal]));
    // Who interrupts does not wait for a model that takes its time.
    if (!signal.aborted) await asked;
    const summary = summaryOf(system, counts, startedAtMs, performance.now());
    const { messages, failed, waiting, delivered } = summary;
    progress.update({ done: messages - failed - waiting, total: messages, note: noteOf(delivered, waiting) });
    return { summary, counts, news };
  } finally {
    clearInterval(drawing);
    forgetFirst?.();
    isDrawing = false;
    progress.finish();
  }
}

/**
 * Shows the first proposals as they come: whoever waits can begin with them.
 *
 * @returns call it to show no more
 */
function showFirst({ device }: LocalSystem, io: CliIo, progress: Progress): () => void {
  let shown = 0;
  const output = outputOn(io);
  const show = (proposal: StoredProposal) => {
    shown += 1;
    if (shown === shownAtOnce) device.events.off("proposal", show);
    // Both go to one terminal, where a bar is drawn.
    if (io.isTTY) progress.log(arrivalLine(output, proposal));
    else showArrival(output, proposal);
  };
  device.events.on("proposal", show);
  return () => device.events.off("proposal", show);
}

/** Tells when nothing has been read or delivered for long, once for each such time. */
function lastMove(progressNow: () => DrainProgress): { stalled(nowMs: number): boolean } {
  let seen = "";
  let sinceMs = performance.now();
  return {
    stalled(nowMs) {
      const now = JSON.stringify(progressNow());
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

/** Between two looks into the tables, and so many times what the last one took. */
const countEveryMs = 2_000;
const countShare = 20;

/**
 * What has come to an end, as the tables say. They are asked only once every message has been handed out to be read, or the
 * model cannot be used: what was read and waits is not done, while counting all the time would cost more than the work.
 */
class SettledCount {
  readonly #system: LocalSystem;
  #known: { readonly ended: number; readonly waiting: number } | undefined;
  #nextAtMs = 0;

  constructor(system: LocalSystem) {
    this.#system = system;
  }

  /** What was counted last, undefined before that. */
  get(): { readonly ended: number; readonly waiting: number } | undefined {
    const startedAt = performance.now();
    if (startedAt >= this.#nextAtMs) {
      this.#nextAtMs = Number.POSITIVE_INFINITY;
      void this.#count().then(() => {
        const now = performance.now();
        this.#nextAtMs = now + Math.max(countEveryMs, countShare * (now - startedAt));
      });
    }
    return this.#known;
  }

  async #count(): Promise<void> {
    try {
      const { waiting, failed, ...ended } = judged(await this.#system.counter.count());
      this.#known = { ended: Object.values(ended).reduce((sum, count) => sum + count, 0), waiting };
    } catch {
      // The home is being stopped, or busy: the bar shows what it showed.
    }
  }
}

interface DrainProgress {
  readonly done: number;
  readonly total: number;
  readonly proposals: number;
}

/** Counted in messages handed out to be read. How many there are, and how many proposals, two databases say. */
function progressOf({ world, store }: LocalSystem): DrainProgress {
  const { watched: total } = world.mailbox.stats();
  const proposals = Object.values(store.proposals.counts()).reduce((sum, count) => sum + count, 0);
  return { done: Math.min(total, world.mailbox.requests("messages.get")), total, proposals };
}

function draw(
  { done: read, total, proposals }: DrainProgress,
  progress: Progress,
  settled: SettledCount,
  news: ModelNews,
): void {
  // While what is read is judged soon after, reading is what to count; where it waits, only what has come to an end is.
  const waits = read >= total || news.isBroken;
  const known = waits ? settled.get() : undefined;
  const done = waits ? (known?.ended ?? Math.min(read, total - 1)) : read;
  progress.update({ done: Math.max(0, Math.min(done, total)), total, note: noteOf(proposals, known?.waiting ?? 0) });
}

function noteOf(proposals: number, waiting: number): string {
  const note = counted(proposals, "proposal");
  return waiting === 0 ? note : `${note}, ${waiting} waiting for the model`;
}
