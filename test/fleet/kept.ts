import { readFileSync } from "node:fs";
import { firstMet, type Met } from "./first-met.ts";
import { runMove } from "./move/run.ts";
import { type Mistake, mistakes } from "./move/steps.ts";
import { copyBeforehand } from "./move-of-cell.ts";
import { type DayReport, type Mode, runDay, type Setting } from "./scenario.ts";

export interface StepsReport {
  readonly mistake: Mistake | "none" | "killed" | "sleeps";
  readonly moves: number;
  readonly lost: number;
  readonly twice: number;
}

/** What docs/scale.md shows of the model: kept, because it takes minutes to compute. */
export interface Kept {
  readonly seed: number;
  readonly firstMet: readonly Met[];
  readonly carried: readonly DayReport[];
  /** Days on end above what an account carries. */
  readonly neglected: readonly { readonly days: number; readonly report: DayReport }[];
  readonly fleet: readonly DayReport[];
  readonly moves: readonly { readonly what: string; readonly report: DayReport }[];
  readonly copied: ReturnType<typeof copyBeforehand>;
  readonly steps: readonly StepsReport[];
}

const aCell = 100_000;
const everybody = 10_000_000;
const sizes: readonly (readonly [people: number, mode: Mode])[] = [
  [1_000, "defaults"],
  [10_000, "defaults"],
  [30_000, "defaults"],
  [100_000, "defaults"],
  [10_000, "raised"],
  [100_000, "raised"],
  [200_000, "raised"],
  [400_000, "raised"],
  [100_000, "ready"],
  [200_000, "ready"],
];
const neglected = { people: 300_000, days: [3, 14, 21] };
const atSecond = 2 * 3_600;

/** The last run that somebody kept: `npm run fleet -- --json > test/fleet/kept.json`, then `npm run format`. */
export function kept(): Kept {
  return JSON.parse(readFileSync(new URL("kept.json", import.meta.url), "utf8"));
}

/** Everything that the document shows, anew. */
export function computeKept(setting: Setting, seed: number): Kept {
  const cell = (waves: number, killed: { killedInWave?: number } = {}) =>
    runDay(setting, { people: aCell, cells: 1, seed, mode: "ready", move: { cell: 0, atSecond, waves, ...killed } });
  return {
    seed,
    firstMet: firstMet(setting.values, setting.day, seed),
    carried: sizes.map(([people, mode]) => runDay(setting, { people, cells: 1, seed, mode })),
    neglected: neglected.days.map((days) => ({
      days,
      report: runDay(setting, { people: neglected.people, cells: 1, seed, mode: "defaults", days }),
    })),
    fleet: [
      runDay(setting, { people: everybody, cells: 1, seed, mode: "defaults" }),
      runDay(setting, { people: everybody, cells: 1, seed, mode: "raised" }),
      runDay(setting, { people: everybody, cells: everybody / aCell / 2, seed, mode: "ready" }),
      runDay(setting, { people: everybody, cells: everybody / aCell, seed, mode: "ready" }),
    ],
    moves: [
      { what: "nobody moves, the same hours", report: cell(0) },
      { what: "100 times 1 %", report: cell(100) },
      { what: "100 times 1 %, who moves dies in the 50th", report: cell(100, { killedInWave: 49 }) },
      { what: "10 times 10 %", report: cell(10) },
      { what: "all at once", report: cell(1) },
    ],
    copied: copyBeforehand(aCell, setting.values),
    steps: stepsOf(seed),
  };
}

const seeds = 20;

/** One person's move, undisturbed, killed or put to sleep at every pause, and done wrong. */
export function stepsOf(seed: number): StepsReport[] {
  const all = Array.from({ length: seeds }, (_, at) => seed + at);
  const sumOf = (
    mistake: StepsReport["mistake"],
    reports: readonly { lost: number; twice: number }[],
  ): StepsReport => ({
    mistake,
    moves: reports.length,
    lost: reports.reduce((sum, { lost }) => sum + lost, 0),
    twice: reports.reduce((sum, { twice }) => sum + twice, 0),
  });
  const disturbed = (sleepsInstead: boolean) =>
    all.flatMap((each) => {
      const { pauses } = runMove({ seed: each });
      return Array.from({ length: pauses }, (_, at) => runMove({ seed: each, killedAfter: at + 1, sleepsInstead }));
    });
  return [
    sumOf(
      "none",
      all.map((each) => runMove({ seed: each })),
    ),
    sumOf("killed", disturbed(false)),
    sumOf("sleeps", disturbed(true)),
    ...mistakes.map((mistake) =>
      sumOf(
        mistake,
        all.map((each) => runMove({ seed: each, mistake })),
      ),
    ),
  ];
}
