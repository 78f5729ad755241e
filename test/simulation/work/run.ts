import type { SimulatedDevice } from "../device.ts";
import type { FaultKind } from "../faults.ts";
import { inVirtualTime } from "../globals.ts";
import { Simulation, type Violation } from "../simulation.ts";
import { Person } from "./person.ts";
import { type WorkVariant, WorkWorld } from "./world.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export interface WorkSeedReport {
  readonly violations: readonly Violation[];
  readonly injected: ReadonlyMap<FaultKind, number>;
  readonly steps: number;
  readonly virtualMs: number;
  /** Proposals. */
  readonly items: number;
  /** Rounds that were opened beyond the first. */
  readonly reopened: number;
  /** Proposals that are a conflict on some device at the end. */
  readonly conflicts: number;
}

export interface WorkSeedOptions {
  readonly variant?: WorkVariant;
  readonly onTrace?: (line: string) => void;
}

/**
 * A person decides on two or three devices, changes their mind, goes away for a week or for five, with frames that come
 * late and twice; then peace. Follows from the seed.
 */
export async function runWorkSeed(seed: number, options: WorkSeedOptions = {}): Promise<WorkSeedReport> {
  const sim = new Simulation({ seed, ...options });
  const startedAtMs = sim.nowMs;
  let world: WorkWorld | undefined;
  const current = () => {
    if (!world) throw new RangeError("The world is not there yet");
    return world;
  };
  await inVirtualTime(current, seed, async () => {
    world = new WorkWorld(sim, options.variant);
    await live(world);
    await rest(world);
  });
  const { devices } = current();
  const rows = current().rows();
  const inConflict = (id: string) =>
    devices.some(({ store }) => {
      const stored = store.proposals.list().find((each) => each.id === id);
      return stored !== undefined && stored.decidedElsewhere !== null && stored.status !== "expired";
    });
  const conflicts = rows.filter(({ scoutId, ref }) => inConflict(`${scoutId}.${ref}`)).length;
  for (const { store } of devices) store.close();
  return {
    violations: sim.violations,
    injected: sim.faults.injected,
    steps: sim.steps,
    virtualMs: sim.nowMs - startedAtMs,
    items: rows.length,
    reopened: rows.reduce((sum, { round }) => sum + round - 1, 0),
    conflicts,
  };
}

async function live(world: WorkWorld): Promise<void> {
  const { sim } = world;
  const { random } = sim;
  const devices = Array.from({ length: random.int(2, 3) }, () => world.addDevice());
  start(world, devices);
  const proposals = random.int(1, 4);
  for (let n = 0; n < proposals; n += 1) {
    sim.after(random.int(0, 10 * minuteMs), `item ${n}`, () => void world.propose(`m${n}`));
  }
  await session(world, 20 * minuteMs);
  // One stays away, with what it has decided and not said.
  const [away] = random.chance(0.6) ? devices : [];
  away?.crash();
  for (const pauseMs of random.shuffled([7 * dayMs, random.pick([dayMs, 28 * dayMs])])) {
    for (const device of devices) if (random.chance(0.7)) device.crash();
    if (away && random.chance(0.5)) new Person(world, away).act();
    await pass(world, pauseMs);
    start(
      world,
      devices.filter((device) => device !== away),
    );
    await session(world, 15 * minuteMs);
    if (sim.violations.length > 0) return;
  }
}

/** As a step of its own: a stretch without a step is over before anything has begun. */
function start({ sim }: WorkWorld, devices: readonly SimulatedDevice[]): void {
  for (const device of devices) sim.after(0, `${device.name} is started`, () => device.start());
}

/** A stretch in which the person is at their devices. */
async function session(world: WorkWorld, durationMs: number): Promise<void> {
  const { sim } = world;
  const { random } = sim;
  for (const device of world.devices) {
    const person = new Person(world, device);
    // At the same instant on each, now and then.
    const together = random.int(0, durationMs);
    for (let count = random.int(1, 4); count > 0; count -= 1) {
      const atMs = random.chance(0.3) ? together : random.int(0, durationMs);
      sim.after(atMs, `${device.name} acts`, () => person.act());
    }
    if (random.chance(0.3)) {
      const goesMs = random.int(0, durationMs);
      const backMs = Math.min(durationMs, goesMs + random.int(1, 5 * minuteMs));
      if (!device.isUp) continue;
      sim.after(goesMs, `${device.name} goes`, () => device.crash());
      sim.after(backMs, `${device.name} comes back`, () => device.start());
    }
  }
  await sim.runFor(durationMs);
}

/** Days go by; nobody is connected for most of them, and the scout's daily pass expires what nobody decides. */
async function pass(world: WorkWorld, durationMs: number): Promise<void> {
  for (const device of world.devices) device.crash();
  for (let leftMs = durationMs; leftMs > 0 && world.sim.violations.length === 0; leftMs -= dayMs) {
    void world.daily();
    await world.sim.runFor(Math.min(dayMs, leftMs));
  }
}

/** Nothing goes wrong any more: everybody is there twice, a day apart, and has heard of everything. */
async function rest(world: WorkWorld): Promise<void> {
  const { sim, devices } = world;
  sim.faults.on = false;
  for (let times = 0; times < 2; times += 1) {
    start(world, devices);
    await sim.runFor(30 * minuteMs);
    if (times === 0) await pass(world, dayMs + hourMs);
  }
  if (sim.violations.length === 0) world.invariants.atRest();
}
