import { age } from "../../device/age.ts";
import type { ClosedUndecided } from "../../device/store/tables/proposals/list.ts";
import { counted } from "../output/counted.ts";
import type { Output } from "../output/output.ts";

/** Says what was closed because nobody had decided it, since when, and how it is seen and taken back; nothing of none. */
export function showClosedUndecided(output: Output, closed: ClosedUndecided, nowMs: number, indent = ""): void {
  const text = closedUndecidedText(closed, nowMs);
  if (text !== undefined) output.line(output.style("yellow", `${indent}${text}`));
}

export function closedUndecidedText({ proposals, since }: ClosedUndecided, nowMs: number): string | undefined {
  if (proposals === 0 || since === null) return undefined;
  const [were, them] = proposals === 1 ? ["was", "it"] : ["were", "them"];
  const when = age(since, nowMs) === "now" ? "just now" : `since ${new Date(since).toISOString().slice(0, 10)}`;
  return (
    `${counted(proposals, "proposal")} ${were} closed ${when}, because nobody decided ${them} for thirty days. ` +
    `To see ${them}: scouts proposals list --status expired; to take ${them} back: scouts proposals reopen --expired`
  );
}
