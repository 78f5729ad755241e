import type { Variant } from "./cloud.ts";
import type { FaultKind } from "./faults.ts";
import { inVirtualTime } from "./globals.ts";
import { comeToRest, live, populate, week } from "./scenario.ts";
import { Simulation, type Violation } from "./simulation.ts";
import { type SourceKind, World } from "./world.ts";

export interface SeedReport {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly injected: ReadonlyMap<FaultKind, number>;
  readonly steps: number;
  /** Depends on every step: the same seed gives the same number. */
  readonly fingerprint: number;
  readonly virtualMs: number;
  readonly items: number;
  /** Real time the run took. */
  readonly wallMs: number;
}

export interface SeedOptions {
  readonly variant?: Variant;
  readonly only?: readonly FaultKind[];
  /** A kind of source that is certainly there, besides Gmail. */
  readonly source?: SourceKind;
  readonly onTrace?: (line: string) => void;
}

/** One whole run: everything in it follows from the seed. */
export async function runSeed(seed: number, options: SeedOptions = {}): Promise<SeedReport> {
  const sim = new Simulation({ seed, ...options });
  const startedAtMs = sim.nowMs;
  const startedAt = performance.now();
  let world: World | undefined;
  const current = () => {
    if (!world) throw new RangeError("The world is not there yet");
    return world;
  };
  await inVirtualTime(
    () => current(),
    seed,
    async () => {
      world = new World(sim, options.variant);
      await populate(world, options.source);
      await live(world);
      sim.faults.on = false;
      if (sim.violations.length === 0 && sim.random.chance(0.3)) await week(world);
      await comeToRest(world);
    },
  );
  for (const { store } of current().devices) store.close();
  return {
    seed,
    violations: sim.violations,
    injected: sim.faults.injected,
    steps: sim.steps,
    fingerprint: sim.fingerprint,
    virtualMs: sim.nowMs - startedAtMs,
    items: current().mailboxes.reduce((sum, { mails }) => sum + mails.length, 0),
    wallMs: performance.now() - startedAt,
  };
}
