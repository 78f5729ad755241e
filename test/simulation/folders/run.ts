import type { UserId } from "../../../events/ids.ts";
import { TokenBudget } from "../../../shared/billing/token-budget.ts";
import type { FaultKind } from "../faults.ts";
import { directTable } from "../lagging-table.ts";
import { Simulation, type Violation } from "../simulation.ts";
import { newFile } from "./files.ts";
import { type FolderVariant, FolderWorld } from "./world.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export interface FolderReport {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly injected: ReadonlyMap<FaultKind, number>;
  readonly steps: number;
  readonly virtualMs: number;
  /** Files. */
  readonly items: number;
  readonly ends: ReadonlyMap<string, number>;
  readonly fingerprint: number;
}

export interface FolderSeedOptions {
  readonly variant?: FolderVariant;
  readonly onTrace?: (line: string) => void;
}

/** Folders of a few people are summarised while everything goes wrong; then nothing does any more. */
export async function runFolderSeed(seed: number, options: FolderSeedOptions = {}): Promise<FolderReport> {
  const sim = new Simulation({ seed, ...(options.onTrace ? { onTrace: options.onTrace } : {}) });
  const startedAtMs = sim.nowMs;
  const world = new FolderWorld(sim, options.variant);
  const usedBefore = await populate(world);
  ticks(world, 2 * hourMs, 5 * minuteMs);
  misfortunes(world);
  const troubledMs = sim.random.int(20, 60) * minuteMs;
  world.provider.outages.plan(troubledMs);
  for (const device of world.devices) sim.after(sim.random.int(0, 10 * minuteMs), "device starts", () => device.run());
  await sim.runFor(troubledMs);
  sim.faults.on = false;
  world.provider.outages.end();
  ticks(world, 8 * hourMs, 20 * minuteMs);
  await sim.runFor(6 * hourMs);
  if (sim.violations.length === 0) world.invariants.checkDevices();
  for (const device of world.devices) {
    device.crash();
    await world.bye(device);
  }
  ticks(world, 30 * hourMs, hourMs);
  await sim.runFor(30 * hourMs);
  if (sim.violations.length === 0) {
    await world.invariants.checkTokens(usedBefore);
    world.invariants.checkSwept();
  }
  const ends = Map.groupBy(world.devices, (each) => each.done?.status ?? each.lost ?? "crashed");
  return {
    seed,
    violations: sim.violations,
    injected: sim.faults.injected,
    steps: sim.steps,
    virtualMs: sim.nowMs - startedAtMs,
    items: world.devices.reduce((sum, { files }) => sum + files.length, 0),
    ends: new Map([...ends].map(([how, devices]) => [how, devices.length])),
    fingerprint: sim.fingerprint,
  };
}

/** @returns what each person had used before */
async function populate(world: FolderWorld): Promise<ReadonlyMap<UserId, number>> {
  const { random } = world.sim;
  const usedBefore = new Map<UserId, number>();
  for (const name of ["ada", "bob"].slice(0, random.int(1, 2))) {
    const user = world.addUser(name);
    const used = random.pick([0, 0, 0, 90_000, 95_000, 98_500]);
    usedBefore.set(user, used);
    if (used > 0) await spend(world, user, used);
    for (let count = random.int(1, 3); count > 0; count -= 1) {
      const files = Array.from({ length: random.int(1, 25) }, () => newFile(random, world.nextSerial()));
      world.addDevice(user, files);
    }
  }
  return usedBefore;
}

async function spend(world: FolderWorld, user: UserId, tokens: number): Promise<void> {
  const budget = new TokenBudget(
    directTable(world.ledger),
    "folder_index",
    () => world.sim.nowMs,
    () => "before",
  );
  const request = { op: "before", within: "before", tokens, base: 0 };
  const { month, granted } = await budget.reserve(user, [request], { total: undefined, within: new Map() });
  for (const own of granted)
    await budget.settle(user, month, [{ request: own, result: { total: tokens, reservation: own.id } }]);
}

function ticks(world: FolderWorld, durationMs: number, everyMs: number): void {
  const { sim } = world;
  for (let atMs = everyMs; atMs <= durationMs; atMs += everyMs) {
    if (!sim.faults.strikes("late_cron")) sim.after(atMs, "sweep", () => world.tick("sweep"));
    sim.after(atMs, "due", () => world.tick("due"));
    if (atMs % hourMs === 0) sim.after(atMs + 1, "reservations", () => world.tick("reservations"));
  }
}

/** Devices die, people change their minds, sessions end. */
function misfortunes(world: FolderWorld): void {
  const { sim } = world;
  for (const device of world.devices) {
    const atMs = sim.random.int(minuteMs, 30 * minuteMs);
    if (sim.faults.strikes("device_crash")) sim.after(atMs, "device crashes", () => device.crash());
    if (sim.random.chance(0.2)) {
      sim.after(atMs, "person cancels", () => {
        device.isCancelling = true;
      });
    }
    if (sim.random.chance(0.1)) {
      sim.after(atMs, "device says bye", async () => {
        device.lost ??= "said bye";
        await world.bye(device);
      });
    }
  }
}
