import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type ExitCode, exitCodes } from "../../device/exit-codes.ts";
import { closedLately } from "../../device/proposals/shown/closed-lately.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import type { TimeAndIds } from "../../device/time-and-ids.ts";
import type { Here } from "../../device/work/dates/read-date.ts";
import { systemZone } from "../../device/work/dates/zone.ts";
import { LocalHomeError } from "../../infra/local/errors.ts";
import { OwnMailbox } from "../../infra/local/world/own-mailbox.ts";
import { readEnvironment } from "../environment.ts";
import { type BackgroundWork, backgroundWork } from "../home/background-work.ts";
import type { CliIo, UpOptions } from "../home/up-options.ts";
import { outputOn } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { showClosedUndecided } from "../proposals/closed-undecided.ts";
import { showProposals } from "../proposals/shown-proposals.ts";
import { gmailAccess } from "./gmail-access.ts";
import { type ItemCounts, judgedByModel } from "./item-counts.ts";
import { runOnGmail } from "./on-gmail.ts";
import { requireOpenFiles } from "./open-files.ts";
import { notLookedAtText } from "./shown/not-looked-at-text.ts";
import { drainWithProgress } from "./shown/shown-drain.ts";
import { showRest } from "./shown/shown-rest.ts";
import {
  isOfThisStart,
  judgedText,
  nothingJudgedText,
  type Summary,
  shortfall,
  waitsForScoutText,
} from "./shown/summary.ts";
import { stayUp } from "./stay-up.ts";
import { type LocalSystem, startSystem } from "./system.ts";

const sampleMailbox = fileURLToPath(new URL("../../infra/standins/sample-mailbox", import.meta.url));
const besideGmail =
  "This home was begun with a mailbox on this machine: give the Gmail account a data folder of its own (--data FOLDER), or name that mailbox again (--mailbox).";
/** Proposals shown after the first drain; the rest is a command away. */
const shownProposals = 40;
/** What the first mail of every start passes through, in its order: loaded while the device signs in and connects. */
const firstFunctions = [
  "Http",
  "SocketAuthorizerTicket",
  "SocketRouteConnect",
  "SocketRouteDefault",
  "SyncSubscriber",
  "TriageSubscriber",
  "ApiRoutePOSTApiV1ScoutsWebhooksGmail",
] as const;
/** How long whoever stays waits for what proposals are about: a large mailbox takes minutes, and its mail is shown first. */
const stayingMs = 10_000;
/** The same of who waits for the end. */
const onceMs = 10 * 60_000;

/** `scouts up`: runs the product on this machine until stopped, or with `once` until the mailbox is drained. */
export async function run(options: UpOptions, io: CliIo, timeAndIds: TimeAndIds): Promise<ExitCode> {
  try {
    return await runUntilDone(options, io, timeAndIds);
  } catch (error) {
    if (!io.signal.aborted) throw error;
    // Whatever broke because it was interrupted is no failure of its own.
    io.stderr.write(
      "scouts: Stopped before it was done. What is stored stands; the same command goes on from there.\n",
    );
    return options.once ? exitCodes.interrupted : exitCodes.done;
  }
}

async function runUntilDone(options: UpOptions, io: CliIo, { now, newId }: TimeAndIds): Promise<ExitCode> {
  requireOpenFiles();
  const own = new OwnMailbox(options.dataFolder, sampleMailbox);
  const access = options.mailbox === undefined ? gmailAccess(process.env) : undefined;
  if (access) {
    if (own.isKnown) throw new LocalHomeError("mailbox_other", besideGmail);
    return runOnGmail(access, options, io, { now, newId });
  }
  const mailboxPath = own.choose(options.mailbox);
  await own.requireBegun(mailboxPath);
  const startedAtMs = performance.now();
  const system = await startSystem({
    dataFolder: options.dataFolder,
    mailboxPath,
    ...(options.lookAt && { lookAt: options.lookAt }),
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.hostile ? { hostileSeed: options.seed ?? 1 } : {}),
    home: { warm: firstFunctions },
    environment: process.env,
    signal: io.signal,
    now,
    newId,
  });
  try {
    own.remember(mailboxPath);
    return await workOn(system, startedAtMs, options, io, { now, newId });
  } finally {
    await system.stop();
  }
}

async function workOn(
  system: LocalSystem,
  startedAtMs: number,
  options: UpOptions,
  io: CliIo,
  { now, newId }: TimeAndIds,
): Promise<ExitCode> {
  const background = backgroundWork(
    { ...system, newId, environment: readEnvironment(process.env), variables: process.env, sampleMailbox },
    options,
    io,
  );
  try {
    const mailRead = Promise.withResolvers<void>();
    await background.showConsole(mailRead.promise);
    const { summary, counts, news } = await drainWithProgress(system, options, io, startedAtMs);
    mailRead.resolve();
    // What is shown next says what each is about.
    if (options.once) await finishWork(background, system.store, io);
    else {
      background.start();
      await patiently(background.categorizer.whenIdle(), stayingMs, io.signal);
    }
    const folders = background.rescans.totals();
    const closedUndecided = closedLately(system.store, now());
    const more = { ...(folders && { folders }), ...(closedUndecided.proposals > 0 && { closedUndecided }) };
    report(system, options, io, { ...summary, ...more }, { nowMs: now(), zone: systemZone() });
    if (options.once) return finish(summary, counts, io);
    await stayUp(system, news, options, io, now);
    return exitCodes.done;
  } finally {
    await background.close();
  }
}

/** What proposals are about, by rules and by a model, and then the folders: one bar after the other. */
async function finishWork(background: BackgroundWork, { proposals }: DeviceStore, io: CliIo): Promise<void> {
  const isSorted = showRest("Sorting proposals", proposals.uncategorized, io);
  background.start();
  await patiently(background.categorizer.whenIdle(), onceMs, io.signal).finally(isSorted);
  const isRead = showRest("Reading proposals", proposals.unread, io);
  await patiently(background.modelReader.whenIdle(), onceMs, io.signal).finally(isRead);
  background.rescans.start();
  await background.rescans.whenIdle();
}

/** Waits for work that goes on in the background, not longer than that, and not for whoever interrupts. */
async function patiently(work: Promise<void>, mostMs: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const waited = setTimeout(mostMs, undefined, { signal: either }).catch((error: unknown) => {
    if (!either.aborted) throw error;
  });
  try {
    await Promise.race([work, waited]);
  } finally {
    over.abort();
  }
}

const nothingText = ({ isRemoved }: LocalSystem): string =>
  isRemoved
    ? "The scout on this home's mailbox was removed, so nobody looks at it; scouts add gmail adds it again."
    : "Nothing to look at: the mailbox holds no mail that is watched.";

function report(system: LocalSystem, options: UpOptions, io: CliIo, summary: Summary, here: Here): void {
  const output = outputOn(io);
  if (options.json) {
    if (options.once) io.stdout.write(`${JSON.stringify(summary)}\n`);
    return;
  }
  const proposals = system.store.proposals.list({ statuses: ["pending"], limit: shownProposals });
  showProposals(output, proposals, here);
  const more = system.store.proposals.counts().pending - proposals.length;
  if (more > 0) output.line(output.style("dim", `… and ${more} more: scouts proposals list`));
  if (summary.closedUndecided) showClosedUndecided(output, summary.closedUndecided, here);
  output.line();
  const { messages, tokens, requests } = summary;
  output.line(messages === 0 ? nothingText(system) : judgedText(summary));
  const waitsForScout = waitsForScoutText(summary);
  if (waitsForScout !== undefined) output.line(waitsForScout);
  const unwatched = notLookedAtText(summary.notLookedAt, options.lookAt);
  if (unwatched !== undefined) output.line(unwatched);
  for (const label of system.world.mailbox.unknownLabels()) {
    output.line(`No message carries the label "${printable(label)}".`);
  }
  const calls = Object.entries(requests).map(([service, count]) => `${service} ${count}`);
  output.line(
    output.style(
      "dim",
      `${tokens.in} + ${tokens.out} tokens${isOfThisStart(summary) ? "" : " in all"} (${system.world.modelName}); requests: ${calls.join(", ")}`,
    ),
  );
}

function finish(summary: Summary, counts: ItemCounts, io: CliIo): ExitCode {
  if (io.signal.aborted) return exitCodes.interrupted;
  if (summary.messages > 0 && judgedByModel(counts) === 0) {
    io.stderr.write(`scouts: ${nothingJudgedText(summary)} (nothing_judged)\n`);
    return exitCodes.nothingJudged;
  }
  const problem = shortfall(summary);
  if (problem === undefined) return exitCodes.done;
  io.stderr.write(`scouts: ${problem} Run the same command again to go on. (unfinished)\n`);
  return exitCodes.failed;
}
