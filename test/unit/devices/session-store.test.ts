import { beforeEach, describe, expect, test } from "vitest";
import { ConnectionStore, connectionLifeMs } from "../../../shared/devices/connection-store.ts";
import { SessionStore, sessionLifeMs } from "../../../shared/devices/session-store.ts";
import { sweepSessions } from "../../../shared/devices/sweep.ts";
import { parseKeyRing } from "../../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../../shared/privacy/ring-sealer.ts";
import { MemoryTable } from "../../memory/table.ts";
import { ada, bob, laptop, nowMs, phone } from "../scouts/setting.ts";

const ring = parseKeyRing(JSON.stringify({ keys: [{ kid: "k", key: Buffer.alloc(32, 9).toString("base64") }] }));
let table: MemoryTable;
let sessions: SessionStore;
let connections: ConnectionStore;

beforeEach(() => {
  table = new MemoryTable();
  sessions = new SessionStore(table, new RingSealer(ring));
  connections = new ConnectionStore(table);
});

describe("a device's session", () => {
  test("survives a reconnect with its key, and is prolonged by it", async () => {
    const first = await sessions.resume(ada, laptop, nowMs);
    const almostOver = nowMs + sessionLifeMs - 1;
    const again = await sessions.resume(ada, laptop, almostOver);
    const later = await sessions.resume(ada, laptop, almostOver + sessionLifeMs - 1);
    for (const session of [again, later]) {
      expect(session.sessionId).toBe(first.sessionId);
      expect(session.key.reveal()).toBe(first.key.reveal());
    }
  });

  test("P1: two hours after its last sign of life it is another one, also when nobody has swept", async () => {
    const first = await sessions.resume(ada, laptop, nowMs);
    const next = await sessions.resume(ada, laptop, nowMs + sessionLifeMs);
    expect(next.sessionId).not.toBe(first.sessionId);
    expect(next.key.reveal()).not.toBe(first.key.reveal());
  });

  test("two connections that say hello at once share one session", async () => {
    const [a, b] = await Promise.all([sessions.resume(ada, laptop, nowMs), sessions.resume(ada, laptop, nowMs)]);
    expect(a.sessionId).toBe(b.sessionId);
    expect(a.key.reveal()).toBe(b.key.reveal());
  });

  test("belongs to one person and one device", async () => {
    const all = await Promise.all([
      sessions.resume(ada, laptop, nowMs),
      sessions.resume(ada, phone, nowMs),
      sessions.resume(bob, laptop, nowMs),
    ]);
    expect(new Set(all.map(({ key }) => key.reveal())).size).toBe(3);
  });

  test("P1: its key is at rest only wrapped, and a row moved to another person opens nothing", async () => {
    const { key } = await sessions.resume(ada, laptop, nowMs);
    const rows = table.dump();
    expect(JSON.stringify(rows)).not.toContain(key.reveal());
    const [row] = rows;
    if (row) await table.put({ ...row, pk: `USER#${bob}` });
    await expect(sessions.resume(bob, laptop, nowMs)).rejects.toMatchObject({ code: "sealed_unreadable" });
  });

  test("P1: when it ends nothing of it is left", async () => {
    await sessions.resume(ada, laptop, nowMs);
    await sessions.end(ada, laptop);
    expect(table.dump()).toEqual([]);
  });
});

describe("open connections", () => {
  test("are listed by person until they are removed or too old to be open", async () => {
    await connections.add(ada, "c1", laptop, nowMs);
    await connections.add(ada, "c2", phone, nowMs);
    await connections.add(bob, "c3", laptop, nowMs);
    await connections.remove(ada, "c2");
    const open = async (atMs: number) => (await connections.list(ada, atMs)).map(({ connectionId }) => connectionId);
    expect(await open(nowMs)).toEqual(["c1"]);
    expect(await open(nowMs + connectionLifeMs)).toEqual([]);
  });
});

describe("the sweep", () => {
  test("P1: deletes every row whose time is over, however many, and no other", async () => {
    for (let n = 0; n < 250; n += 1) await connections.add(ada, `old${n}`, laptop, nowMs - connectionLifeMs);
    await connections.add(ada, "new", laptop, nowMs);
    await sessions.resume(ada, laptop, nowMs);
    expect(await sweepSessions(table, nowMs)).toBe(250);
    expect(table.dump()).toHaveLength(2);
  });

  test("leaves a row alone that was prolonged after its index entry was made, and comes to an end", async () => {
    await connections.add(ada, "c1", laptop, nowMs - connectionLifeMs);
    const stale = await table.query({
      index: { name: "expiry", hash: "expiryShard", range: "expiresAt" },
      hash: shardOf(),
    });
    await connections.add(ada, "c1", laptop, nowMs);
    const lagging = {
      ...proxied(table),
      query: async () => ({ ...stale, next: stale.items[0] ?? { pk: "", sk: "" } }),
    };
    expect(await sweepSessions(lagging, nowMs)).toBe(0);
    expect(table.dump()).toHaveLength(1);
  });
});

function shardOf(): string {
  return String(table.dump()[0]?.["expiryShard"]);
}

function proxied(inner: MemoryTable) {
  return {
    get: inner.get.bind(inner),
    getMany: inner.getMany.bind(inner),
    put: inner.put.bind(inner),
    update: inner.update.bind(inner),
    delete: inner.delete.bind(inner),
    query: inner.query.bind(inner),
  };
}
