import { due, recent } from "../../index-entries.ts";
import type { Condition } from "../../ports/table.ts";
import { open, waiting as waitingStates } from "./item-row.ts";

/** Gone before it was judged: it may come back, unless another is in its place. */
const missed: Condition = {
  all: [{ path: ["status"], is: "=", value: "gone" }, { absent: ["triagedAt"] }, { absent: ["closedAt"] }],
};
/** No verdict yet: the row is absent, says why it still waits, or that there was nothing to judge. */
export const waiting: Condition = {
  any: [{ absent: ["status"] }, { path: ["status"], in: [...waitingStates] }, missed],
};
export const isOpen: Condition = { path: ["status"], in: [...open] };
/** Shown without a verdict, which is wanted after all. */
export const redriven: Condition = {
  all: [isOpen, { path: ["reasonCode"], is: "=", value: "unjudged" }, { exists: ["redrivenAt"] }],
};
/** What only one that is to be judged anew has. */
export const ofRedriven = [...due.attributes, "redrivenAt"] as const;
/** Nobody offers it to a device or judges it any more. */
export const ofOpenItems = [...recent.attributes, ...ofRedriven] as const;
/** It expired before any device had stored it: see `isUnseen` in item-row.ts. */
export const unseen: Condition = { all: [{ path: ["status"], is: "=", value: "expired" }, { exists: ["openAt"] }] };

/** A row from before there were rounds is in its first. */
export function roundIs(round: number): Condition {
  const same: Condition = { path: ["round"], is: "=", value: round };
  return round === 1 ? { any: [{ absent: ["round"] }, same] } : same;
}
