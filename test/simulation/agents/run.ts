import { parseRunRow } from "../../../shared/agents/run/run-row.ts";
import type { FaultKind } from "../faults.ts";
import { Simulation, type Violation } from "../simulation.ts";
import { type AgentVariant, AgentWorld } from "./world.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const troubledMs = 30 * minuteMs;
/** Less often than it ticks: what happens between the ticks is alike. */
const dueEveryMs = 5 * minuteMs;

export interface AgentSeedReport {
  readonly violations: readonly Violation[];
  readonly injected: ReadonlyMap<FaultKind, number>;
  readonly statuses: ReadonlyMap<string, number>;
  readonly steps: number;
  readonly virtualMs: number;
  /** Runs. */
  readonly items: number;
}

export interface AgentSeedOptions {
  readonly variant?: AgentVariant;
  readonly onTrace?: (line: string) => void;
}

/** Half an hour of runs with everything going wrong, then peace, then the end of all sessions. Follows from the seed. */
export async function runAgentSeed(seed: number, options: AgentSeedOptions = {}): Promise<AgentSeedReport> {
  const sim = new Simulation({ seed, ...options });
  const startedAtMs = sim.nowMs;
  const world = new AgentWorld(sim, options.variant);
  const { random } = sim;
  for (const user of new Set(world.devices.map(({ userId }) => userId))) {
    world.invariants.proposals.set(user, await world.propose(user, random.int(0, 2)));
  }
  for (const device of world.devices) {
    for (const proposal of world.invariants.proposals.get(device.userId) ?? []) {
      sim.after(random.int(0, 10 * minuteMs), "wants a reading", () => device.reader.want(proposal));
    }
    void device.connect();
    for (let count = random.int(1, 3); count > 0; count -= 1) {
      sim.after(random.int(0, 10 * minuteMs), "asks", () => device.ask());
    }
    if (random.chance(0.4)) sim.after(random.int(0, 12 * minuteMs), "cancels", () => device.cancelOne());
    if (random.chance(0.5)) sim.after(random.int(0, 20 * minuteMs), "replays", () => void device.replay());
    if (random.chance(0.15))
      sim.after(random.int(minuteMs, 20 * minuteMs), "starts afresh", () => void device.startAfresh());
    for (let count = random.int(0, 3); count > 0; count -= 1) {
      sim.after(random.int(0, 20 * minuteMs), "loses its connection", () => device.cut());
    }
  }
  world.model.outages.plan(troubledMs);
  for (let atMs = dueEveryMs; atMs < troubledMs + hourMs; atMs += dueEveryMs) {
    sim.after(atMs, "due", () => void world.due());
  }
  await sim.runFor(troubledMs);
  sim.faults.on = false;
  world.model.outages.end();
  // A claim and a visibility timeout have to run out, and the device to ask again, a few times over.
  await sim.runFor(2 * hourMs);
  for (const { reader } of world.devices) reader.stop();
  await sim.runFor(hourMs);
  const rows = world.sessions.items
    .dump()
    .filter(({ sk }) => sk.startsWith("AGENT#"))
    .map(parseRunRow);
  if (sim.violations.length === 0) await world.invariants.atRest(world);
  const took = new Map<string, number>();
  const statuses = new Map<string, number>();
  for (const { userId, inputTokens, outputTokens, status } of rows) {
    took.set(userId, (took.get(userId) ?? 0) + inputTokens + outputTokens);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  for (const device of world.devices) void device.startAfresh();
  await sim.runFor(minuteMs);
  void world.settleReservations();
  for (let hours = 0; hours < 9; hours += 1) {
    await sim.runFor(hourMs);
    void world.sweep();
  }
  await sim.runFor(hourMs);
  if (sim.violations.length === 0) world.invariants.afterwards(world, took);
  return {
    violations: sim.violations,
    injected: sim.faults.injected,
    statuses,
    steps: sim.steps,
    virtualMs: sim.nowMs - startedAtMs,
    items: rows.length,
  };
}
