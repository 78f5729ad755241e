import { age } from "../../device/age.ts";
import { type Trouble, troubleLine } from "../../device/sources/trouble.ts";
import type { ScoutResponse } from "../../events/http/scouts.ts";
import { counted } from "../output/counted.ts";
import { facts } from "../output/facts.ts";
import type { Output } from "../output/output.ts";
import { printable, printableLines } from "../output/printable.ts";
import { table } from "../output/table.ts";

/** What a scout is up to, in a word or the code of what keeps it. */
function stateOf(scout: ScoutResponse): string {
  if (scout.disabledCode === "reauth") return "no access";
  if (scout.disabledCode !== null) return scout.disabledCode.replaceAll("_", " ");
  if (!scout.connected) return "not connected";
  return scout.paused ? "paused" : "watching";
}

const stateStyle = (scout: ScoutResponse) => (stateOf(scout) === "watching" ? "green" : "yellow");

/** Says of each scout that is switched off why, and how it is mended. */
export function showTroubles(output: Output, troubles: readonly Trouble[], nowMs: number): void {
  for (const trouble of troubles) output.line(output.style("yellow", printable(troubleLine(trouble, nowMs))));
}

export function showScouts(output: Output, scouts: readonly ScoutResponse[], nowMs: number): void {
  if (scouts.length === 0) {
    output.line("No scouts.");
    return;
  }
  table(output, scouts, [
    { title: "STATE", cell: stateOf, style: stateStyle },
    { title: "SOURCE", cell: ({ sourceType }) => sourceType },
    { title: "LAST RUN", cell: ({ lastRunAt }) => (lastRunAt === null ? "never" : age(lastRunAt, nowMs)) },
    { title: "NAME", cell: ({ name }) => name, fills: true },
    { title: "ID", cell: ({ id }) => id },
  ]);
}

/** @param sight what it sees at its source, where that was asked */
export function showScout(output: Output, scout: ScoutResponse, sight?: string): void {
  const time = (at: number | null) => (at === null ? "never" : new Date(at).toISOString());
  output.line(output.style("bold", printable(scout.name)));
  facts(output, [
    ["id", scout.id],
    ["source", scout.sourceType],
    ["state", stateOf(scout)],
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
