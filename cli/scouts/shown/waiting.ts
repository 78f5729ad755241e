import { age } from "../../../device/age.ts";
import type { WaitingCause } from "../../../device/store/tables/waiting-scouts.ts";
import { errorKinds } from "../../../events/error-kinds.ts";
import { counted } from "../../output/counted.ts";
import type { Output } from "../../output/output.ts";

/** What keeps scouts waiting: how many items, since when, and why. */
export function waitingLine({ code, since, items, scouts }: WaitingCause, nowMs: number): string {
  const who = items === 0 ? counted(scouts, "scout") : counted(items, "item");
  const verb = items === 1 || (items === 0 && scouts === 1) ? "waits" : "wait";
  return `${who} ${verb} for ${age(since, nowMs)}, nothing is lost: ${errorKinds[code].sentence} (${code})`;
}

/** One line for each cause that keeps scouts waiting. */
export function showWaiting(output: Output, causes: readonly WaitingCause[], nowMs: number): void {
  for (const cause of causes) output.line(output.style("yellow", waitingLine(cause, nowMs)));
}
