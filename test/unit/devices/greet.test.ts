import { expect, test } from "vitest";
import { ScoutsError } from "../../../events/errors.ts";
import { type ServerFrame, serverFrame } from "../../../events/frames/frames.ts";
import { type ScoutId, scoutId } from "../../../events/ids.ts";
import type { SyncMessage } from "../../../events/queues.ts";
import { AccountStore } from "../../../shared/billing/account-store.ts";
import { FrameLimit } from "../../../shared/devices/frame-limit.ts";
import type { DevicePorts } from "../../../shared/devices/frames/device-ports.ts";
import { greet } from "../../../shared/devices/frames/greet.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import { scoutHealth } from "../../../shared/scouts/lifecycle/health.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { newId } from "../../memory/chance.ts";
import { MemoryQueue } from "../../memory/queue.ts";
import { ada, inbox, laptop, newLedger, nowMs, ref } from "../scouts/setting.ts";

const hourMs = 3_600_000;
const from = { userId: ada, deviceId: laptop, connectionId: "c1" };

async function setting(state: Record<string, string | number> = {}) {
  const ledger = newLedger();
  const scouts = new ScoutStore(ledger);
  await scouts.create({
    userId: ada,
    scoutId: inbox,
    sourceType: "gmail",
    sealed: "x",
    createdAt: 1,
    revision: 0,
    cursor: "1.1",
  });
  const set = Object.entries(state).map(([name, value]) => [[name], value] as const);
  if (set.length > 0) await ledger.update(ledgerKey.scout(ada, inbox), { set });
  const sync = new MemoryQueue<SyncMessage>({ visibilityMs: 1, maxReceives: 5, fifo: true }, () => nowMs);
  const frames: ServerFrame[] = [];
  const clock = { nowMs };
  const ports = {
    scouts,
    sync,
    accounts: new AccountStore(ledger),
    newId,
    limit: new FrameLimit({ take: async () => {} }, () => 0.5),
    health: (row) => scoutHealth({ ledger, connectors: new Map(), clock: () => clock.nowMs }, row),
    clock: () => clock.nowMs,
    log: { event: () => {}, error: (_, error) => expect.unreachable(String(error)) },
    sockets: {
      post: async (_, frame) => {
        frames.push(serverFrame.parse(JSON.parse(JSON.stringify(frame))));
        return "sent";
      },
      close: async () => {},
    },
  } satisfies Partial<DevicePorts> as unknown as DevicePorts;
  return { ledger, scouts, sync, frames, clock, ports };
}

test("a hello wakes scouts that rest and has them look at their source", async () => {
  const { ports, scouts, sync, frames } = await setting({ inactiveAt: nowMs - hourMs });
  await greet(ports, from);
  expect((await scouts.get(ada, inbox)).inactiveAt).toBeUndefined();
  expect((await scouts.get(ada, inbox)).dueAt).toBe(nowMs);
  expect(sync.bodies().map((body) => JSON.parse(body))).toMatchObject([{ scoutId: inbox, cause: "resumed" }]);
  expect(frames).toEqual([]);
});

test("P2: a hello wakes every scout that rests, of a person who has more of them than one page of the table holds", async () => {
  const { ports, scouts, sync } = await setting({ inactiveAt: nowMs - hourMs });
  const others = Array.from({ length: 99 }, (_, index) => scoutId.parse(`sct_${String(index).padStart(26, "0")}`));
  const first = await scouts.get(ada, inbox);
  // As long as the position of a feed becomes.
  for (const each of others) await scouts.create({ ...first, scoutId: each, cursor: "x".repeat(16_000) });
  await greet(ports, from);
  expect(sync.bodies()).toHaveLength(100);
});

test("seen is written at most once an hour, and a scout at work is left alone", async () => {
  const { ports, ledger, clock, sync } = await setting();
  const seen = async () => (await ledger.get(ledgerKey.user(ada)))?.["lastSeenAt"];
  await greet(ports, from);
  clock.nowMs += hourMs - 1;
  await greet(ports, from);
  expect(await seen()).toBe(nowMs);
  clock.nowMs += 1;
  await greet(ports, from);
  expect(await seen()).toBe(nowMs + hourMs);
  expect(sync.bodies()).toEqual([]);
});

test("a scout whose access was withdrawn asks for consent on every hello, and says how it is", async () => {
  const { ports, frames } = await setting({ disabledCode: "reauth", disabledAt: nowMs - hourMs });
  await greet(ports, from);
  expect(frames).toMatchObject([
    { type: "scout_reauth_required", scoutId: inbox, code: "reauth", since: nowMs - hourMs },
    { type: "scout_health", health: { state: "disabled", disabledCode: "reauth" } },
  ]);
});

test.each([
  ["a watch that lapsed", { watchExpiresAt: nowMs - 1 }, { watch: { state: "lapsed" } }],
  ["runs that fail", { failures: 2, failureCode: "source_unavailable" }, { failures: { count: 2 } }],
  ["a gap of today", { gapFrom: nowMs - hourMs, gapTo: nowMs }, { gap: { from: nowMs - hourMs, to: nowMs } }],
])("a hello tells of %s", async (_, state, health) => {
  const { ports, frames } = await setting(state);
  await greet(ports, from);
  expect(frames).toMatchObject([{ type: "scout_health", health }]);
});

test("nothing silent: a damaged scout and one whose health cannot be told keep none of the others asleep or untold", async () => {
  const { ledger, ports, scouts, frames } = await setting({ inactiveAt: nowMs - hourMs });
  const [damaged, without, off] = (["A", "B", "C"] as const).map((last) =>
    scoutId.parse(`sct_01KE5Q8600ESE4NYY1EVXDNQ0${last}`),
  ) as [ScoutId, ScoutId, ScoutId];
  for (const scout of [damaged, without, off]) {
    const row = {
      userId: ada,
      scoutId: scout,
      sourceType: "gmail",
      sealed: "x",
      createdAt: 1,
      revision: 0,
      failures: 1,
    };
    await scouts.create(scout === off ? { ...row, disabledCode: "reauth" } : row);
  }
  await ledger.update(ledgerKey.scout(ada, damaged), { set: [[["failureCode"], "of_a_later_version"]] });
  const errors: string[] = [];
  const health: DevicePorts["health"] = (row) =>
    row.scoutId === without ? Promise.reject(new ScoutsError("storage_throttled")) : ports.health(row);
  await greet({ ...ports, health, log: { event: () => {}, error: (event) => errors.push(event) } }, from);
  expect((await scouts.get(ada, inbox)).inactiveAt).toBeUndefined();
  expect(errors).toEqual(["configuration_invalid", "hello_failed"]);
  expect(frames).toMatchObject([
    { type: "scout_reauth_required", scoutId: off },
    { type: "scout_health", health: { scoutId: off } },
  ]);
});

test("nothing silent: an item whose row is damaged is told by its scout's health, as one that waits", async () => {
  const { ledger, ports, scouts } = await setting();
  await ledger.put({ ...ledgerKey.item(ada, inbox, ref("m1")), sourceType: "gmail", status: "of_a_later_version" });
  expect(await ports.health(await scouts.get(ada, inbox))).toMatchObject({
    backlog: { waiting: 1, byCode: { row_damaged: 1 } },
  });
});
