import { monthOf } from "../../../shared/billing/month.ts";
import { parseUsageRow } from "../../../shared/billing/usage-row.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import type { Item, Key } from "../../../shared/ports/table.ts";
import { BreakerInvariants } from "../breaker.ts";
import { canary } from "./files.ts";
import type { FolderWorld } from "./world.ts";

interface Written {
  readonly user: string;
  readonly index: string;
  readonly tokens: number;
}

/** What holds at every step, and what holds when all is over. */
export class FolderInvariants {
  /** The files' rows, by key: written once, and remembered when they are deleted. */
  readonly rows = new Map<string, Written>();
  readonly breaker: BreakerInvariants;
  readonly #world: FolderWorld;

  constructor(world: FolderWorld) {
    this.breaker = new BreakerInvariants(() => {
      const { sim, ledger, provider } = world;
      return { sim, ledger, outages: provider.outages };
    });
    this.#world = world;
  }

  holdsNoContent(where: string, value: unknown): void {
    if (JSON.stringify(value ?? null).includes(canary)) this.#world.sim.violate("P1: nothing readable at rest", where);
  }

  ledgerWritten(key: Key, before: Item | undefined, after: Item | undefined): void {
    const { sk } = key;
    this.holdsNoContent("Ledger", after);
    this.breaker.written(key, before, after);
    if (!sk.startsWith("USAGE#")) return;
    const { committed } = parseUsageRow(after);
    const cap = this.#world.capOf();
    if (committed > cap) this.#world.sim.violate("the cap holds to the token", `${committed} of ${cap} are committed`);
    if (committed < 0) this.#world.sim.violate("token sums", `${committed} are committed`);
  }

  sessionsWritten({ pk, sk }: Key, before: Item | undefined, after: Item | undefined): void {
    this.holdsNoContent("Sessions", after);
    const [kind, index = ""] = sk.split("#");
    if (kind !== "INDEXED" || !after) return;
    if (before) this.#world.sim.violate("P2: a file's end is written once", sk);
    this.rows.set(`${pk}|${sk}`, { user: pk.slice("USER#".length), index, tokens: Number(after["tokens"]) });
  }

  /** A device that was there all the time has a result for every file, always the same, and the end of its session. */
  checkDevices(): void {
    const { sim, devices } = this.#world;
    for (const open of this.breaker.open()) sim.violate("once the model is mended it is asked again", open);
    for (const device of devices) {
      if (!device.alive || device.lost) continue;
      const name = `device ${device.deviceId.slice(-3)}`;
      // Who dies each time, the answer included, leaves a dead letter and an alarm.
      if (!device.done && this.#world.queue.deadLength === 0)
        sim.violate("the session always ends", `${name} waits still`);
      const silent = device.files.filter(({ result }) => !result);
      if (device.done?.status === "completed" && silent.length > 0) {
        sim.violate("P2: nothing lost", `${name} heard nothing of ${silent.length} files`);
      }
      for (const [path, results] of device.told) {
        const ends = new Set(
          results.filter(({ error }) => error !== "quota_exceeded").map((each) => JSON.stringify(each)),
        );
        if (ends.size > 1) sim.violate("P2: a result is the same each time", path);
      }
    }
  }

  /** Everybody's tokens are what their files' rows say, and nothing is set aside any more. */
  async checkTokens(usedBefore: ReadonlyMap<string, number>): Promise<void> {
    const { sim, ledger, devices, provider } = this.#world;
    const users = new Set(devices.map(({ userId }) => userId));
    const month = monthOf(sim.nowMs);
    for (const user of users) {
      const usage = parseUsageRow(await ledger.items.get(ledgerKey.usage(user, month, "folder_index")));
      const own = [...this.rows.values()].filter((row) => row.user === user);
      const owed = own.reduce((sum, { tokens }) => sum + tokens, usedBefore.get(user) ?? 0);
      if (usage.open.size > 0) sim.violate("token sums", `${usage.open.size} reservations are open for ever`);
      if (usage.used !== owed) sim.violate("token sums", `${usage.used} used, the rows say ${owed}`);
      if (usage.committed !== usage.used) sim.violate("token sums", `${usage.committed} committed, ${usage.used} used`);
      for (const project of new Set(devices.map((device) => device.project))) {
        const indexes = devices.filter((device) => device.userId === user && device.project === project);
        const names = new Set<string>(indexes.map(({ index }) => index));
        const said = own.filter(({ index }) => names.has(index)).reduce((sum, { tokens }) => sum + tokens, 0);
        const within = usage.committedWithin.get(project) ?? 0;
        if (within !== said) sim.violate("token sums", `${within} within a project, its rows say ${said}`);
      }
    }
    const counted = [...this.rows.values()].reduce((sum, { tokens }) => sum + tokens, 0);
    if (counted > provider.billedTokens)
      sim.violate("token sums", `${counted} counted, ${provider.billedTokens} billed`);
  }

  /** Once the sessions are over nothing is left of them. */
  checkSwept(): void {
    const { sim, sessions, objects, queue } = this.#world;
    const left = sessions.items.dump().map(({ sk }) => sk.split("#")[0]);
    if (left.length > 0) sim.violate("sessions leave nothing", [...new Set(left)].join());
    if (objects.stored.size > 0) sim.violate("sessions leave nothing", `${objects.stored.size} objects`);
    if (queue.length > 0) sim.violate("every message ends", `${queue.length} are on the queue`);
  }
}
