import { age } from "../../device/age.ts";
import type { Device } from "../../device/connection/device.ts";
import type { ClosedUndecided } from "../../device/store/tables/proposals/list.ts";
import type { Here } from "../../device/work/dates/read-date.ts";
import { counted } from "../output/counted.ts";
import type { Output } from "../output/output.ts";
import { shownDay } from "../output/shown-time.ts";

/** Says what was closed because nobody had decided it, since when, and how it is seen and taken back; nothing of none. */
export function showClosedUndecided(output: Output, closed: ClosedUndecided, here: Here, indent = ""): void {
  const text = closedUndecidedText(closed, here);
  if (text !== undefined) output.line(output.style("yellow", `${indent}${text}`));
}

/**
 * Says of a program that stays how many have just been closed because nobody had decided them: those that are told together, as after a
 * check or a long absence, in one sentence, once the device is settled.
 */
export function tellClosedUndecided(
  device: Pick<Device, "settled"> & { readonly events: Pick<Device["events"], "on"> },
  tell: (text: string) => void,
): void {
  let proposals = 0;
  const tellAll = () => {
    const text = sentence(proposals, "just now");
    proposals = 0;
    tell(text);
  };
  device.events.on("closed", ({ closedReason }) => {
    if (closedReason !== "expired") return;
    // Closed before it is settled, it has told of these all the same.
    if (proposals === 0) void device.settled().then(tellAll, tellAll);
    proposals += 1;
  });
}

/** Undefined of none. */
export function closedUndecidedText({ proposals, since }: ClosedUndecided, { nowMs, zone }: Here): string | undefined {
  if (proposals === 0 || since === null) return undefined;
  return sentence(proposals, age(since, nowMs) === "now" ? "just now" : `since ${shownDay(since, zone)}`);
}

function sentence(proposals: number, when: string): string {
  const [were, them] = proposals === 1 ? ["was", "it"] : ["were", "them"];
  return (
    `${counted(proposals, "proposal")} ${were} closed ${when}, because nobody decided ${them} for thirty days. ` +
    `To see ${them}: scouts proposals list --status expired; to take ${them} back: scouts proposals reopen --expired`
  );
}
