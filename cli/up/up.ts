import process from "node:process";
import { fileURLToPath } from "node:url";
import { outputOn } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { createProgress, type Progress } from "../output/progress.ts";
import { showProposals } from "../proposals/proposals.ts";
import { showRescans } from "../projects/shown-rescans.ts";
import type { CliIo, UpOptions } from "../home/up-options.ts";
import { dailyHousekeeping } from "../../device/housekeeping/daily.ts";
import { drain } from "./drain.ts";
import { gmailAccess } from "./gmail-access.ts";
import { runOnGmail } from "./on-gmail.ts";
import { stayUp } from "./stay-up.ts";
import { type Summary, shortfall, summaryOf } from "./summary.ts";
import { type LocalSystem, startSystem } from "./system.ts";

const sampleMailbox = fileURLToPath(new URL("../sample-mailbox", import.meta.url));
/** Proposals shown after the first drain; the rest is a command away. */
const shownProposals = 40;
const progressEveryMs = 250;
const interrupted = 130;

/** `scouts up`: runs the product on this machine until stopped, or with `once` until the mailbox is drained. */
export async function run(options: UpOptions, io: CliIo): Promise<number> {
  try {
    return await runUntilDone(options, io);
  } catch (error) {
    // Whatever broke because it was interrupted is no failure of its own.
    if (io.signal.aborted) return options.once ? interrupted : 0;
    throw error;
  }
}

async function runUntilDone(options: UpOptions, io: CliIo): Promise<number> {
  const access = options.mailbox === undefined ? gmailAccess(process.env) : undefined;
  if (access) return runOnGmail(access, options, io);
  const startedAtMs = performance.now();
  const system = await startSystem({
    dataFolder: options.dataFolder,
    mailboxPath: options.mailbox ?? sampleMailbox,
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.hostile ? { hostileSeed: options.seed ?? 1 } : {}),
    environment: process.env,
    signal: io.signal,
  });
  const rescans = showRescans({ ...system, once: options.once, json: options.json }, io);
  const housekeeping = dailyHousekeeping({
    store: system.store,
    dataFolder: options.dataFolder,
    onProblem: ({ message }) => void io.stderr.write(`scouts: clean-up: ${printable(message)}\n`),
  });
  try {
    const summary = await drainWithProgress(system, io, startedAtMs);
    rescans.start();
    housekeeping.start();
    if (options.once) await rescans.whenIdle();
    const folders = rescans.totals();
    report(system, options, io, { ...summary, ...(folders && { folders }) });
    if (options.once) return finish(summary, io);
    await stayUp(system, options, io);
    return 0;
  } finally {
    await rescans.close();
    await housekeeping.close();
    await system.stop();
  }
}

async function drainWithProgress(system: LocalSystem, io: CliIo, startedAtMs: number): Promise<Summary> {
  const isTTY = io.isTTY;
  const progress = createProgress({ stream: io.stderr, isTTY, color: io.color, label: "Judging mail" });
  const drawing = setInterval(() => draw(system, progress), progressEveryMs);
  try {
    const census = await drain(system, io.signal);
    return summaryOf(system, census, startedAtMs, performance.now());
  } finally {
    clearInterval(drawing);
    draw(system, progress);
    progress.finish();
  }
}

/** Progress is counted in messages handed out to be read; asking the tables would cost more than the work itself. */
function draw({ world, store }: LocalSystem, progress: Progress): void {
  const { messages } = world.mailbox.stats();
  const proposals = Object.values(store.proposals.counts()).reduce((sum, count) => sum + count, 0);
  const done = Math.min(messages, world.mailbox.requests("messages.get"));
  progress.update({ done, total: messages, note: `${proposals} proposals` });
}

function report(system: LocalSystem, options: UpOptions, io: CliIo, summary: Summary): void {
  const output = outputOn(io);
  if (options.json) {
    if (options.once) io.stdout.write(`${JSON.stringify(summary)}\n`);
    return;
  }
  const proposals = system.store.proposals.list({ statuses: ["pending"], limit: shownProposals });
  showProposals(output, proposals, Date.now());
  const more = summary.delivered - proposals.length;
  if (more > 0) output.line(output.style("dim", `… and ${more} more: scouts proposals list`));
  output.line();
  const { messages, relevant, spam, deadLettered, failed, tokens, requests, ms } = summary;
  const aside = deadLettered + failed > 0 ? `, ${deadLettered} set aside, ${failed} unfinished` : "";
  output.line(
    `${messages} messages in ${(ms / 1000).toFixed(1)} s: ${relevant} worth your attention, ${spam} spam${aside}.`,
  );
  const calls = Object.entries(requests).map(([service, count]) => `${service} ${count}`);
  output.line(
    output.style(
      "dim",
      `${tokens.in} + ${tokens.out} tokens (${system.world.modelName}); requests: ${calls.join(", ")}`,
    ),
  );
}

function finish(summary: Summary, io: CliIo): number {
  if (io.signal.aborted) return interrupted;
  const problem = shortfall(summary);
  if (problem === undefined) return 0;
  io.stderr.write(`scouts: ${problem} Run the same command again to go on. (unfinished)\n`);
  return 1;
}
