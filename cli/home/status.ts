import { existsSync } from "node:fs";
import type { Command } from "commander";
import { ago } from "../../device/age.ts";
import { readCredentials } from "../../device/connect/credentials.ts";
import { homeFolderOf } from "../../device/connect/devices/home-folder.ts";
import { hasNotice } from "../../device/connect/local-home.ts";
import { isConnected } from "../../device/connection/is-connected.ts";
import { aboutHomeOf } from "../../device/doctor/about-home.ts";
import { checkModelRow } from "../../device/doctor/scout-checks.ts";
import { refusedChecks } from "../../device/doctor/stored/decision-checks.ts";
import { isKnownCode, sentenceOf } from "../../device/errors.ts";
import { closedLately } from "../../device/proposals/shown/closed-lately.ts";
import { upOn } from "../../device/shell-words.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import type { Here } from "../../device/work/dates/read-date.ts";
import { cloudFolderOf } from "../../infra/local/cloud-folder.ts";
import { type CliContext, type CommonOptions, dataFolderOf, hereOf, withCommonOptions, withStore } from "../context.ts";
import { facts } from "../output/facts.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { showClosedUndecided } from "../proposals/closed-undecided.ts";
import { showTroubles } from "../scouts/shown/shown-scouts.ts";
import { showWaiting } from "../scouts/shown/waiting.ts";
import { checkLine, mailLine } from "./mail-line.ts";
import { modelLine } from "./model-line.ts";
import { clockLine } from "./running-home.ts";

/** @param isHomeGone whether no home answers where the device of a home of this machine would be connected to it */
function statusOf(store: DeviceStore, dataFolder: string, isHomeGone: boolean, nowMs: number) {
  const { deviceId, createdAt, sessionId, readyAt, seenAt, clockOffsetMs, troubleCode, troubleAt } =
    store.identity.get();
  const connected = !isHomeGone && isConnected({ readyAt, seenAt }, nowMs);
  return {
    dataFolder,
    device: { id: deviceId, createdAt },
    connection: { connected, sessionId, readyAt, seenAt, clockOffsetMs, troubleCode, troubleAt },
    proposals: store.proposals.counts(),
    /** Of late, because nobody had decided them for thirty days. */
    closedUndecided: closedLately(store, nowMs),
    outbox: { ...store.outbox.counts(), refusedDecisions: store.outbox.refusedDecisions() },
    /** Those that are switched off, as far as this device was told. */
    scouts: store.knownScouts.off(),
    /** What has kept scouts waiting for more than a day. */
    waiting: store.waitingScouts.causes(),
  };
}
type Status = ReturnType<typeof statusOf>;

function connectionText({ connection: { connected, seenAt } }: Status, nowMs: number): string {
  const heard = seenAt === null ? "never heard from its home" : `last heard from its home ${ago(seenAt, nowMs)}`;
  return `${connected ? "connected" : "not connected"}, ${heard}`;
}

/** What keeps the device from its home, as every error is told; a code of another version has no sentence here. */
function showConnectionTrouble(output: Output, { connection }: Status, nowMs: number): void {
  const { troubleCode: code, troubleAt } = connection;
  if (code === null) return;
  const sentence = isKnownCode(code) ? `${sentenceOf(code)} ` : "";
  output.line(output.style("yellow", printable(`${sentence}(${code}, ${ago(troubleAt ?? nowMs, nowMs)})`)));
}

function show(output: Output, status: Status, here: Here): void {
  const { nowMs } = here;
  const { proposals, outbox } = status;
  const lines: readonly (readonly [string, string])[] = [
    ["device", status.device.id],
    ["data", status.dataFolder],
    ["connection", connectionText(status, nowMs)],
    [
      "proposals",
      `${proposals.pending} pending, ${proposals.approved} approved, ${proposals.rejected} rejected, ${proposals.expired} closed`,
    ],
    ["outbox", `${outbox.waiting} waiting for the home, ${outbox.refused} refused by it`],
  ];
  facts(output, lines);
  showConnectionTrouble(output, status, nowMs);
  const clock = clockLine(status.connection.clockOffsetMs ?? 0);
  if (clock !== undefined) output.line(output.style("yellow", clock));
  showClosedUndecided(output, status.closedUndecided, here);
  for (const check of refusedChecks(outbox.refusedDecisions)) {
    output.line(output.style("yellow", checkLine(check)));
  }
  showTroubles(output, status.scouts, nowMs);
  showWaiting(output, status.waiting, nowMs);
}

/** Why no home answers here, and how there is one again; nothing where there was none. @param dataFolder the home's */
function goneText(dataFolder: string, isHomeSilent: boolean): string | undefined {
  const start = `\`${upOn(dataFolder)}\``;
  if (isHomeSilent)
    return `The home that ran here does not answer: it was killed, or hangs. Run ${start}: it goes on where that one was, and says which process it is if it still runs.`;
  return existsSync(cloudFolderOf(dataFolder)) ? `No home runs here; ${start} starts it again.` : undefined;
}

/** `scouts status`: how this device fares, read from its database, whether or not it runs; and the mailbox and the model of a home that does. */
export function addStatus(program: Command, context: CliContext): void {
  const command = program.command("status").description("how this device fares: connection, proposals, outbox");
  withCommonOptions(command).action((flags: CommonOptions) =>
    withStore(context, flags, async (store, output) => {
      const dataFolder = dataFolderOf(context, flags);
      const about = await aboutHomeOf(dataFolder);
      const isHomeGone = about === undefined && readCredentials(dataFolder) === undefined;
      const status = statusOf(store, dataFolder, isHomeGone, context.now());
      const { model = null, mailAway = null, mailUnread = [], mailTwice = [], isModelRowDamaged = false } = about ?? {};
      const homeFolder = homeFolderOf(dataFolder);
      const isHomeSilent = isHomeGone && hasNotice(homeFolder);
      const ofHome = { isHomeSilent, model, mailAway, mailUnread, mailTwice, isModelRowDamaged };
      if (flags.json) return output.json({ ...status, ...ofHome });
      show(output, status, hereOf(context));
      const gone = isHomeGone ? goneText(homeFolder, isHomeSilent) : undefined;
      if (gone !== undefined) output.line(output.style("yellow", printable(gone)));
      const row = isModelRowDamaged ? checkLine(checkModelRow()) : undefined;
      const lines = about === undefined ? [] : [mailLine(about), modelLine(about.model), row];
      for (const line of lines) if (line !== undefined) output.line(output.style("yellow", line));
    }),
  );
}
