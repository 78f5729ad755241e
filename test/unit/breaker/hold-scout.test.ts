import { beforeEach, describe, expect, test } from "vitest";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import { scoutHealth as healthSchema } from "../../../events/health.ts";
import type { SyncCause } from "../../../events/queues.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import { scoutHealth } from "../../../shared/scouts/lifecycle/health.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { holdScout, tellWaitIsOver } from "../../../shared/scouts/sync/hold-scout.ts";
import type { MemoryTable } from "../../memory/table.ts";
import { ada, nowMs as beganMs, inbox, newLedger } from "../scouts/setting.ts";

const hourMs = 3_600_000;
const open = { code: "model_forbidden", sinceMs: beganMs } as const;

let ledger: MemoryTable;
let scouts: ScoutStore;
let nowMs: number;
let frames: ServerFrame[];
let hurries: number[];

beforeEach(async () => {
  [ledger, nowMs, frames, hurries] = [newLedger(), beganMs, [], []];
  scouts = new ScoutStore(ledger);
  const row = { userId: ada, scoutId: inbox, sourceType: "feed", sealed: "x", createdAt: 1, revision: 0, cursor: "c0" };
  await scouts.create(row);
  const set = [
    [["code"], open.code],
    [["since"], open.sinceMs],
  ] as const;
  await ledger.update(ledgerKey.breaker(), { set });
});

const ports = () => ({
  ...{ ledger, scouts, connectors: new Map(), clock: () => nowMs },
  breaker: { current: async () => open, requestProbe: async () => void hurries.push(1) },
  notices: { toEveryDevice: async (_: unknown, told: readonly ServerFrame[]) => void frames.push(...told) },
  log: { event: () => {}, error: () => {} },
});
const row = () => scouts.get(ada, inbox);
const hold = async (...causes: SyncCause[]) => holdScout(ports(), await row(), open, new Set(causes));

describe("a scout that is held", () => {
  test("keeps its place and looks again at a whole millisecond, four to six minutes later: its list can be read", async () => {
    await hold("poll");
    const { cursor, dueAt = 0 } = await row();
    expect(cursor).toBe("c0");
    expect(dueAt - nowMs).toBeGreaterThanOrEqual(4 * 60_000);
    expect(dueAt - nowMs).toBeLessThanOrEqual(6 * 60_000);
    expect(Number.isInteger(dueAt)).toBe(true);
    const health = await scoutHealth({ ledger, connectors: new Map(), clock: () => nowMs }, await row());
    expect(healthSchema.parse(health).waiting).toEqual({ count: 0, code: "model_forbidden", since: beganMs });
  });

  test("says why in one run row, however often it is looked at", async () => {
    await hold("poll");
    nowMs += hourMs;
    await hold("push");
    const runs = (await ledger.dump()).filter(({ sk }) => sk.startsWith("RUN#"));
    expect(runs).toMatchObject([{ outcome: "held", code: "model_forbidden" }]);
  });

  test("hurries the probe for who waits, and for no timer", async () => {
    await hold("poll");
    expect(hurries).toEqual([]);
    await hold("manual");
    expect(hurries).toEqual([1]);
  });

  test("tells its owner after a day, once, and takes it back when it is over, once", async () => {
    nowMs = beganMs + 23 * hourMs;
    await hold("poll");
    expect(frames).toEqual([]);
    nowMs = beganMs + 24 * hourMs;
    await Promise.all([hold("poll"), hold("push")]);
    await hold("poll");
    expect(frames).toMatchObject([{ type: "scout_health", health: { waiting: { code: "model_forbidden" } } }]);
    await ledger.delete(ledgerKey.breaker());
    const stale = await row();
    await Promise.all([tellWaitIsOver(ports(), stale), tellWaitIsOver(ports(), stale)]);
    await tellWaitIsOver(ports(), await row());
    expect(frames.slice(1)).toMatchObject([{ type: "scout_health", health: { waiting: null } }]);
  });
});
