import type { DeviceStore } from "./store/open.ts";

/** What is learned on the device: the order of proposals from decisions, and that of files from answers that quoted them. */
export const learnedThings = ["proposals", "files"] as const;
export type LearnedThing = (typeof learnedThings)[number];

const names = {
  proposals: { since: "learn.since", off: "learn.off" },
  files: { since: "learn.files.since", off: "learn.files.off" },
} as const satisfies Record<LearnedThing, object>;

/** What the person wants of learning. */
export interface LearnState {
  readonly isOn: boolean;
  /** What came after counts, in milliseconds since the epoch. */
  readonly sinceMs: number;
}

/** Whether this device learns from decisions of the person, and from which moment on. 0 means from the very first. */
export function learnState({ cursors }: DeviceStore, thing: LearnedThing): LearnState {
  const { since, off } = names[thing];
  return { isOn: cursors.get(off) === undefined, sinceMs: Number(cursors.get(since)?.value ?? 0) };
}

/** Forgets what was learned: what was before now counts no more. */
export function resetLearning({ cursors }: DeviceStore, thing: LearnedThing, nowMs: number): void {
  cursors.set(names[thing].since, String(nowMs));
}

/** Learning off: the order is by what things say alone. */
export function switchLearning({ cursors }: DeviceStore, thing: LearnedThing, isOn: boolean): void {
  const { off } = names[thing];
  if (isOn) cursors.clear(off);
  else cursors.set(off, "1");
}
