import { runAgentSeed } from "./agents/run.ts";
import type { FaultKind } from "./faults.ts";
import { runFolderSeed } from "./folders/run.ts";
import { runSeed } from "./run.ts";
import type { Violation } from "./simulation.ts";
import { runWorkSeed } from "./work/run.ts";

export const partNames = ["mail", "folders", "runs", "work"] as const;
export type PartName = (typeof partNames)[number];

/** What a seed brought about in one part of the system. */
export interface PartReport {
  readonly seed: number;
  readonly part: PartName;
  readonly violations: readonly Violation[];
  readonly injected: ReadonlyMap<FaultKind, number>;
  readonly steps: number;
  readonly virtualMs: number;
  /** Mails, files, runs of agents, proposals. */
  readonly items: number;
}

interface Tracing {
  readonly onTrace?: (line: string) => void;
}

const parts: Readonly<
  Record<PartName, (seed: number, options: Tracing) => Promise<Omit<PartReport, "part" | "seed">>>
> = {
  mail: runSeed,
  folders: runFolderSeed,
  runs: runAgentSeed,
  work: runWorkSeed,
};

/** One whole run of a part: everything in it follows from the seed. */
export async function runPart(part: PartName, seed: number, options: Tracing = {}): Promise<PartReport> {
  const { violations, injected, steps, virtualMs, items } = await parts[part](seed, options);
  return { seed, part, violations, injected, steps, virtualMs, items };
}
