import { percentile, percentilesOf, rounded, shown } from "../percentile.ts";

/** What a person notices, in milliseconds: to the first paint, from a key to its effect, between two frames. */
const goals = { firstPaintMs: 1_000, keyMs: 100, frameMs: 50 } as const;
/** Frames looked at while a list is scrolled. */
export const frames = 300;
/** The tab forgets pages that nobody looks at within this. */
export const settledMs = 7_000;

/** A list in a tab, as it was measured. */
export interface MeasuredTab {
  readonly firstPaintMs: number;
  readonly firstRowMs: number;
  readonly frameMs: readonly number[];
  readonly heapMb: number;
  readonly nodes: number;
}

/** The console's own. */
export interface MeasuredConsole extends MeasuredTab {
  readonly heapMbAtFirst: number;
  /** Milliseconds from each key to its effect. */
  readonly keys: Readonly<Record<string, readonly number[]>>;
}

const most = (values: readonly number[]) => rounded(Math.max(...values), 1);
const mark = (value: number, goal: number) => `${value} ms (goal ${goal})${value > goal ? " OVER" : ""}`;
const slow = ({ frameMs }: MeasuredTab) => frameMs.filter((ms) => ms > goals.frameMs).length;

/** What a list costs in the console and as plain HTML, and what the device takes to answer its requests, by their names. */
export function reported(server: Record<string, number[]>, ours: MeasuredConsole, plain: MeasuredTab): string[] {
  const p99 = ({ frameMs }: MeasuredTab) => percentile(frameMs, 99);
  return [
    ...Object.entries(server).map(([name, taken]) => `  ${name.padEnd(20)} ${shown(percentilesOf(taken))}`),
    `first paint    ${mark(rounded(ours.firstPaintMs, 0), goals.firstPaintMs)}; first row ${rounded(ours.firstRowMs, 0)} ms`,
    `  plain HTML   ${rounded(plain.firstPaintMs, 0)} ms; ratio ${rounded(ours.firstPaintMs / plain.firstPaintMs)}`,
    ...Object.entries(ours.keys).map(
      ([key, taken]) => `key ${key}          ${shown(percentilesOf(taken))}, most ${mark(most(taken), goals.keyMs)}`,
    ),
    `frames         ${shown(percentilesOf(ours.frameMs))}, most ${mark(most(ours.frameMs), goals.frameMs)}; ${slow(ours)} of ${frames} over`,
    `  plain HTML   ${shown(percentilesOf(plain.frameMs))}, most ${most(plain.frameMs)} ms; ${slow(plain)} over; ratio at p99 ${rounded(p99(ours) / p99(plain))}`,
    `tab            ${rounded(ours.heapMb, 1)} MB and ${ours.nodes} nodes after all of it, ${rounded(ours.heapMbAtFirst, 1)} MB at first`,
    `  plain HTML   ${rounded(plain.heapMb, 1)} MB and ${plain.nodes} nodes; ratio of nodes ${rounded(ours.nodes / plain.nodes, 4)}`,
  ];
}
