import { age } from "../../../device/age.ts";
import type { Here } from "../../../device/brief/ageing.ts";
import { type ScoutState, stateOf } from "../../../device/sources/state.ts";
import {
  type Failing,
  failingIn,
  failingLine,
  type Trouble,
  troubleLine,
  troublesIn,
} from "../../../device/sources/trouble.ts";
import type { ScoutResponse } from "../../../events/http/scouts.ts";
import { counted } from "../../output/counted.ts";
import { facts } from "../../output/facts.ts";
import type { Output } from "../../output/output.ts";
import { printable, printableLines } from "../../output/printable.ts";
import { shownTime } from "../../output/shown-time.ts";
import { table } from "../../output/table.ts";

const words: Readonly<Record<ScoutState["state"], string>> = {
  watching: "watching",
  failing: "failing",
  resting: "resting",
  paused: "paused",
  off: "off",
  notConnected: "not connected",
};

/** What a scout is up to, in a word or the code of what has switched it off. */
function stateWord(scout: ScoutResponse): string {
  const { state, code } = stateOf(scout);
  if (state !== "off" || code === null) return words[state];
  return code === "reauth" ? "no access" : code.replaceAll("_", " ");
}

const stateStyle = (scout: ScoutResponse) => (stateOf(scout).state === "watching" ? "green" : "yellow");

/** Says of each scout that is switched off why, and how it is mended. */
export function showTroubles(output: Output, troubles: readonly Trouble[], nowMs: number): void {
  for (const trouble of troubles) output.line(output.style("yellow", printable(troubleLine(trouble, nowMs))));
}

/**
 * The same of scouts as the home lists them, and of those whose looks fail.
 *
 * @param failing the latter with what was asked of their sources, where it was
 */
export function showWhatKeeps(
  output: Output,
  scouts: readonly ScoutResponse[],
  nowMs: number,
  failing: readonly Failing[] = failingIn(scouts),
): void {
  showTroubles(output, troublesIn(scouts), nowMs);
  for (const each of failing) output.line(output.style("yellow", printable(failingLine(each, nowMs))));
}

/** Prints scouts as a table. @param nowMs milliseconds since the epoch; ages are counted from it */
export function showScouts(output: Output, scouts: readonly ScoutResponse[], nowMs: number): void {
  if (scouts.length === 0) {
    output.line("No scouts.");
    return;
  }
  table(output, scouts, [
    { title: "STATE", cell: stateWord, style: stateStyle },
    { title: "SOURCE", cell: ({ sourceType }) => sourceType },
    { title: "LAST RUN", cell: ({ lastRunAt }) => (lastRunAt === null ? "never" : age(lastRunAt, nowMs)) },
    { title: "NAME", cell: ({ name }) => name, fills: true },
    { title: "ID", cell: ({ id }) => id },
  ]);
}

function stateText(scout: ScoutResponse, nowMs: number): string {
  const { since } = stateOf(scout);
  const stood = since === null ? "now" : age(since, nowMs);
  return stood === "now" ? stateWord(scout) : `${stateWord(scout)}, for ${stood}`;
}

/** @param sight what it sees at its source, where that was asked */
export function showScout(output: Output, scout: ScoutResponse, { nowMs, zone }: Here, sight?: string): void {
  const time = (at: number | null) => (at === null ? "never" : shownTime(at, zone));
  output.line(output.style("bold", printable(scout.name)));
  facts(output, [
    ["id", scout.id],
    ["source", scout.sourceType],
    ["state", stateText(scout, nowMs)],
    ...(sight === undefined ? [] : [["sees", sight] as const]),
    ["schedule", scout.schedule ?? "every 15 minutes"],
    ["rests after", counted(scout.pauseAfterDays, "day without a device", "days without a device")],
    ["auto-trash", scout.autoTrash ? "on" : "off"],
    ["made", time(scout.createdAt)],
    ["last run", time(scout.lastRunAt)],
    ["next run", scout.nextRunAt === null ? "not planned" : time(scout.nextRunAt)],
  ]);
  output.line(`\n${printableLines(scout.purpose)}`);
}
