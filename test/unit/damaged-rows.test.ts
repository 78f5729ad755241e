import { beforeEach, expect, test } from "vitest";
import { modelGivenUp } from "../../cli/up/item-counts.ts";
import type { SyncMessage, TriageMessage } from "../../events/queues.ts";
import { TokenBudget } from "../../shared/billing/token-budget.ts";
import { connectionLifeMs } from "../../shared/devices/connection-store.ts";
import { sessionLifeMs } from "../../shared/devices/session-row.ts";
import { SessionStore } from "../../shared/devices/session-store.ts";
import { sweepSessions } from "../../shared/devices/sweep.ts";
import { ledgerKey, sessionsKey } from "../../shared/keys.ts";
import type { Key } from "../../shared/ports/table.ts";
import { parseKeyRing } from "../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../shared/privacy/ring-sealer.ts";
import { ItemStore } from "../../shared/scouts/items/item-store.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { pollDueScouts, requeueDueItems } from "../../shared/scouts/sync/due.ts";
import { settleReservations } from "../../shared/scouts/triage/settle-reservations.ts";
import { verdictResults } from "../../shared/scouts/triage/verdict-results.ts";
import { closedBreaker } from "../memory/breaker.ts";
import { chance, newId } from "../memory/chance.ts";
import { MemoryLog } from "../memory/log.ts";
import { MemoryObjects } from "../memory/objects.ts";
import { MemoryQueue } from "../memory/queue.ts";
import { MemoryTable } from "../memory/table.ts";
import { ada, bob, inbox, item, laptop, newLedger, nowMs, phone, ref } from "./scouts/setting.ts";

const dayMs = 86_400_000;
const once = ["configuration_invalid", "row_damaged"];
const queueOf = <M>() => new MemoryQueue<M>({ visibilityMs: 60_000, maxReceives: 5 }, () => nowMs);
const damage = (table: MemoryTable, key: Key, attribute: string) =>
  table.update(key, { set: [[[attribute], { not: "this" }]] }, { exists: ["pk"] });

let ledger: MemoryTable;
let log: MemoryLog;
beforeEach(() => {
  ledger = newLedger();
  log = new MemoryLog();
});

test("a damaged scout keeps no other from being looked at, and its operator is told", async () => {
  const scouts = new ScoutStore(ledger);
  for (const userId of [ada, bob]) {
    const row = { userId, scoutId: inbox, sourceType: "feed", sealed: "x", createdAt: 1, revision: 0 };
    await scouts.create({ ...row, failures: 0, dueAt: nowMs });
  }
  await damage(ledger, ledgerKey.scout(ada, inbox), "sealed");
  const sync = queueOf<SyncMessage>();
  await pollDueScouts({ ledger, scouts, sync, clock: () => nowMs, newId, log });
  expect(sync.receive(10).map(({ body }) => JSON.parse(body).userId)).toEqual([bob]);
  expect(log.errors).toEqual([once]);
});

test("a damaged item keeps no other waiting, and waits itself for its operator", async () => {
  const items = new ItemStore(ledger);
  const failed = { status: "failed", sourceType: "feed", code: "interrupted", attempts: 1, nowMs } as const;
  for (const name of ["whole", "damaged"]) await items.postpone(item(name), { ...failed, dueAtMs: nowMs });
  await damage(ledger, ledgerKey.item(ada, inbox, ref("damaged")), "code");
  const triage = queueOf<TriageMessage>();
  const due = () => requeueDueItems({ ledger, items, triage, breaker: closedBreaker, clock: () => nowMs, log });
  const queued = () => triage.receive(10).map(({ body }) => JSON.parse(body).ref);
  expect(await due()).toEqual({ queued: 1, held: 0 });
  expect([queued(), log.errors]).toEqual([["whole"], [once]]);
  await ledger.update(ledgerKey.item(ada, inbox, ref("damaged")), { set: [[["code"], "interrupted"]] });
  await due();
  expect(queued()).toEqual(["damaged"]);
});

test("damaged usage of one person keeps no other's reservations open", async () => {
  const clock = () => nowMs + dayMs;
  const caps = { total: 100, within: new Map() };
  const request = [{ op: `${inbox}.m.triage`, within: inbox, tokens: 100, base: 0 }];
  const budget = new TokenBudget(ledger, "triage", () => nowMs, newId);
  for (const user of [ada, bob]) await budget.reserve(user, request, caps);
  await damage(ledger, ledgerKey.usage(ada, "2026-03", "triage"), "committed");
  const ports = { ledger, clock, newId, log };
  expect(await settleReservations(ports, [verdictResults(ledger)])).toBe(1);
  expect(log.errors).toEqual([once]);
});

test("a damaged session keeps no other from being swept", async () => {
  const ring = parseKeyRing(JSON.stringify({ keys: [{ kid: "k", key: Buffer.alloc(32, 9).toString("base64") }] }));
  const table = new MemoryTable();
  const sessions = new SessionStore(table, async () => new RingSealer(ring), chance);
  for (const device of [laptop, phone]) await sessions.resume(ada, device, "c", nowMs);
  await damage(table, sessionsKey.session(ada, laptop), "sessionId");
  const overMs = nowMs + 2 * (connectionLifeMs + sessionLifeMs);
  const { deleted } = await sweepSessions({ sessions: table, objects: new MemoryObjects(), log }, overMs);
  expect([deleted, log.errors]).toEqual([1, [once]]);
  expect(await table.get(sessionsKey.session(ada, laptop))).toBeDefined();
});

test("of a damaged breaker a home says nothing, and starts: workers go on without it as well", async () => {
  await ledger.put({ ...ledgerKey.breaker(), failedProbes: 1, code: "no such code", since: nowMs });
  expect(await modelGivenUp(ledger)).toBeUndefined();
  await ledger.put({ ...ledgerKey.breaker(), failedProbes: 1, code: "model_unavailable", since: nowMs });
  expect(await modelGivenUp(ledger)).toEqual({ code: "model_unavailable", sinceMs: nowMs });
});
