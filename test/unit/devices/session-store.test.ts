import { beforeEach, describe, expect, test } from "vitest";
import { ScoutsError } from "../../../events/errors.ts";
import { deviceId } from "../../../events/ids.ts";
import { ConnectionStore, connectionLifeMs } from "../../../shared/devices/connection-store.ts";
import { newObjectKey } from "../../../shared/devices/payloads.ts";
import { sessionDisconnected } from "../../../shared/devices/session-disconnected.ts";
import { endedNote, sessionLifeMs, uploadOfferMs } from "../../../shared/devices/session-row.ts";
import { type Session, SessionStore } from "../../../shared/devices/session-store.ts";
import { sweepSessions } from "../../../shared/devices/sweep.ts";
import { expiry } from "../../../shared/index-entries.ts";
import { sessionsKey } from "../../../shared/keys.ts";
import { parseKeyRing } from "../../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../../shared/privacy/ring-sealer.ts";
import { chance, newId } from "../../memory/chance.ts";
import { noLog } from "../../memory/log.ts";
import { MemoryObjects } from "../../memory/objects.ts";
import { MemoryTable } from "../../memory/table.ts";
import { ada, bob, laptop, nowMs, phone } from "../scouts/setting.ts";

const oldKeys = [{ kid: "k", key: Buffer.alloc(32, 9).toString("base64") }];
const ring = parseKeyRing(JSON.stringify({ keys: oldKeys }));
let table: MemoryTable;
let objects: MemoryObjects;
let sessions: SessionStore;
let connections: ConnectionStore;

beforeEach(() => {
  table = new MemoryTable();
  sessions = new SessionStore(table, async () => new RingSealer(ring), chance);
  objects = new MemoryObjects();
  connections = new ConnectionStore(table);
});

describe("a device's session", () => {
  test("survives a reconnect with its key, and frames go to its newest connection", async () => {
    const first = await sessions.resume(ada, laptop, "c1", nowMs);
    const again = await sessions.resume(ada, laptop, "c2", nowMs + connectionLifeMs);
    const now = await sessions.current(ada, laptop, nowMs + connectionLifeMs);
    expect(first.connectionId).toBe("c1");
    for (const session of [again, now]) {
      expect(session.sessionId).toBe(first.sessionId);
      expect(session.key.reveal()).toBe(first.key.reveal());
      expect(session.connectionId).toBe("c2");
    }
  });

  test("P1: ends two hours after its last connection was lost", async () => {
    const first = await sessions.resume(ada, laptop, "c1", nowMs);
    const lostAt = nowMs + 60_000;
    await sessionDisconnected(table, { userId: ada, deviceId: laptop, connectionId: "c1" }, lostAt);
    const open = (atMs: number) => sessions.open(ada, laptop, first.sessionId, atMs);
    await expect(open(lostAt + sessionLifeMs - 1)).resolves.toMatchObject({ sessionId: first.sessionId });
    await expect(open(lostAt + sessionLifeMs)).rejects.toMatchObject({ code: "session_ended" });
    const next = await sessions.resume(ada, laptop, "c2", lostAt + sessionLifeMs);
    expect(next.sessionId).not.toBe(first.sessionId);
    expect(next.key.reveal()).not.toBe(first.key.reveal());
  });

  test("P1: ends by itself when its `$disconnect` was lost", async () => {
    const { sessionId } = await sessions.resume(ada, laptop, "c1", nowMs);
    const overAt = nowMs + connectionLifeMs + sessionLifeMs;
    await expect(sessions.open(ada, laptop, sessionId, overAt - 1)).resolves.toMatchObject({ sessionId });
    await expect(sessions.open(ada, laptop, sessionId, overAt)).rejects.toMatchObject({ code: "session_ended" });
    await expect(sessions.current(ada, laptop, overAt)).rejects.toMatchObject({ code: "session_unknown" });
  });

  test("is not cut short by the end of a connection that is no longer its newest", async () => {
    const { sessionId } = await sessions.resume(ada, laptop, "c1", nowMs);
    await sessions.resume(ada, laptop, "c2", nowMs);
    await sessionDisconnected(table, { userId: ada, deviceId: laptop, connectionId: "c1" }, nowMs);
    await expect(sessions.open(ada, laptop, sessionId, nowMs + sessionLifeMs)).resolves.toMatchObject({ sessionId });
  });

  test("two connections that say hello at once share one session", async () => {
    const [a, b] = await Promise.all([
      sessions.resume(ada, laptop, "c1", nowMs),
      sessions.resume(ada, laptop, "c2", nowMs),
    ]);
    expect(a.sessionId).toBe(b.sessionId);
    expect(a.key.reveal()).toBe(b.key.reveal());
  });

  test("belongs to one person and one device", async () => {
    const all = await Promise.all([
      sessions.resume(ada, laptop, "c1", nowMs),
      sessions.resume(ada, phone, "c2", nowMs),
      sessions.resume(bob, laptop, "c3", nowMs),
    ]);
    expect(new Set(all.map(({ key }) => key.reveal())).size).toBe(3);
  });

  test("P1: its key is at rest only wrapped, and a row moved to another person opens nothing", async () => {
    const { key } = await sessions.resume(ada, laptop, "c1", nowMs);
    const rows = table.dump();
    expect(JSON.stringify(rows)).not.toContain(key.reveal());
    const [row] = rows;
    if (row) await table.put({ ...row, pk: `USER#${bob}` });
    await expect(sessions.current(bob, laptop, nowMs)).rejects.toMatchObject({ code: "sealed_unreadable" });
  });

  test("P1: is over when the key that wraps its own is taken away, and lives on while it is only followed by a new one", async () => {
    const first = await sessions.resume(ada, laptop, "c1", nowMs);
    const next = { kid: "next", key: Buffer.alloc(32, 8).toString("base64") };
    const storeWith = (keys: object[]) =>
      new SessionStore(table, async () => new RingSealer(parseKeyRing(JSON.stringify({ keys }))), chance);
    const kept = await storeWith([...oldKeys, next]).resume(ada, laptop, "c2", nowMs);
    expect([kept.sessionId, kept.key.reveal()]).toEqual([first.sessionId, first.key.reveal()]);
    await expect(storeWith([next]).current(ada, laptop, nowMs)).rejects.toMatchObject({ code: "sealed_unreadable" });
    const replaced = await storeWith([next]).resume(ada, laptop, "c3", nowMs);
    expect(replaced.sessionId).not.toBe(first.sessionId);
    expect(table.dump().map(({ sk }) => sk)).toContain(`ENDED#${first.sessionId}`);
  });

  test("P1: when it ends its key is gone, and a note is left until its objects are", async () => {
    const { sessionId, key } = await sessions.resume(ada, laptop, "c1", nowMs);
    const mine = newObjectKey(ada, sessionId, newId);
    await objects.put(mine, new Uint8Array(1));
    const theirs = newObjectKey(bob, sessionId, newId);
    await objects.put(theirs, new Uint8Array(1));
    await sessions.end(ada, laptop, nowMs);
    expect(table.dump().map(({ sk }) => sk)).toEqual([`ENDED#${sessionId}`]);
    expect(JSON.stringify(table.dump())).not.toContain(key.reveal());
    expect(await sweep(nowMs)).toEqual({ deleted: 0, objects: 0 });
    expect(await sweep(nowMs + uploadOfferMs)).toEqual({ deleted: 1, objects: 1 });
    expect([...objects.stored.keys()]).toEqual([theirs]);
    expect(table.dump()).toEqual([]);
  });

  test("P1: one that nobody ended is ended by the sweep, and its objects go", async () => {
    const { sessionId } = await sessions.resume(ada, laptop, "c1", nowMs);
    await objects.put(newObjectKey(ada, sessionId, newId), new Uint8Array(1));
    const overAt = nowMs + connectionLifeMs + sessionLifeMs;
    expect(await sweep(overAt)).toEqual({ deleted: 0, objects: 0 });
    expect(await sweep(overAt + 60_000)).toEqual({ deleted: 1, objects: 0 });
    expect(await sweep(overAt + 60_000 + uploadOfferMs)).toEqual({ deleted: 1, objects: 1 });
    expect([...table.dump(), ...objects.stored]).toEqual([]);
  });

  test("P1: one that is replaced before the sweep came leaves the note too", async () => {
    const first = await sessions.resume(ada, laptop, "c1", nowMs);
    await objects.put(newObjectKey(ada, first.sessionId, newId), new Uint8Array(1));
    const overAt = nowMs + connectionLifeMs + sessionLifeMs;
    const next = await sessions.resume(ada, laptop, "c2", overAt);
    await objects.put(newObjectKey(ada, next.sessionId, newId), new Uint8Array(1));
    expect(await sweep(overAt + uploadOfferMs)).toEqual({ deleted: 1, objects: 1 });
    expect([...objects.stored.keys()].map((key) => key.split("/")[1])).toEqual([next.sessionId]);
  });
});

describe("a session's row that cannot be read", () => {
  const key = sessionsKey.session(ada, laptop);

  test.each([
    ["names no session", { sessionId: 5 }],
    ["holds no key", { wrappedKey: null }],
    ["says no time", { expiresAt: "of a later version" }],
    ["is of another form", { sessionId: { of: 1 }, wrappedKey: { of: 1 }, expiresAt: { of: 1 } }],
  ])("%s: its device begins a new one with the next hello, which the row kept it from for ever", async (_, damage) => {
    const first = await sessions.resume(ada, laptop, "c1", nowMs);
    await table.put({ ...(await table.get(key)), ...key, ...damage });
    await expect(sessions.current(ada, laptop, nowMs)).rejects.toMatchObject({ code: "row_damaged" });
    const next = await sessions.resume(ada, laptop, "c2", nowMs + 1);
    expect(next.sessionId).not.toBe(first.sessionId);
    expect(await sessions.current(ada, laptop, nowMs + 1)).toMatchObject({
      sessionId: next.sessionId,
      connectionId: "c2",
    });
  });

  test("P1: leaves the note by which its objects go, where it names its session", async () => {
    const first = await sessions.resume(ada, laptop, "c1", nowMs);
    const object = newObjectKey(ada, first.sessionId, newId);
    await objects.put(object, new Uint8Array(1));
    await table.update(key, { set: [[["wrappedKey"], null]] });
    await sessions.resume(ada, laptop, "c2", nowMs);
    await sweep(nowMs + uploadOfferMs);
    expect(await objects.get(object)).toBeUndefined();
  });

  test("is ended by a bye as well", async () => {
    await sessions.resume(ada, laptop, "c1", nowMs);
    await table.update(key, { set: [[["wrappedKey"], null]] });
    await sessions.end(ada, laptop, nowMs);
    expect(await table.get(key)).toBeUndefined();
  });

  test("two connections that meet it at once share the session that comes of it", async () => {
    await sessions.resume(ada, laptop, "c1", nowMs);
    await table.update(key, { set: [[["wrappedKey"], null]] });
    const both = await Promise.all(["c2", "c3"].map((id) => sessions.resume(ada, laptop, id, nowMs)));
    expect(both[0]?.sessionId).toBe(both[1]?.sessionId);
  });
});

test("P2: a session that another connection begins meanwhile keeps its objects", async () => {
  let other: Session | undefined;
  const slow = {
    ...proxied(table),
    get: async (...of: Parameters<MemoryTable["get"]>) => {
      other ??= await sessions.resume(ada, laptop, "c2", nowMs);
      return table.get(...of);
    },
  };
  const late = await new SessionStore(slow, async () => new RingSealer(ring), chance).resume(ada, laptop, "c1", nowMs);
  expect(late.sessionId).toBe(other?.sessionId);
  const object = newObjectKey(ada, late.sessionId, newId);
  await objects.put(object, new Uint8Array(1));
  await sweep(nowMs + uploadOfferMs);
  expect(await objects.get(object)).toBeDefined();
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
    await sessions.resume(ada, laptop, "c1", nowMs);
    expect(await sweep(nowMs)).toEqual({ deleted: 250, objects: 0 });
    expect(table.dump()).toHaveLength(2);
  });

  test("P1: what cannot be deleted from the bucket keeps no session's key, and the run has failed all the same", async () => {
    await sessions.resume(ada, laptop, "c1", nowMs);
    for (let n = 0; n < 250; n += 1) await table.put(endedNote(bob, `ses_${n}`, nowMs));
    const refusing = Object.assign(new MemoryObjects(), {
      deleteUnder: () => Promise.reject(new ScoutsError("storage_unavailable")),
    });
    const overAt = nowMs + connectionLifeMs + sessionLifeMs + 60_000;
    const swept = sweepSessions({ sessions: table, objects: refusing, log: noLog }, overAt);
    await expect(swept).rejects.toMatchObject({ code: "storage_unavailable" });
    const left = table.dump().map(({ sk }) => sk.split("#")[0]);
    expect(left.filter((kind) => kind === "SESSION")).toEqual([]);
    expect(left.filter((kind) => kind === "ENDED")).toHaveLength(251);
    expect(await sweep(overAt + uploadOfferMs)).toEqual({ deleted: 251, objects: 0 });
  });

  test("P1: rows that cannot be read keep none behind them, however many they are", async () => {
    for (let n = 0; n < 150; n += 1) {
      const device = deviceId.parse(`dev_${newId()}`);
      await table.put({ ...sessionsKey.session(bob, device), ...expiry.of(laptop, nowMs - 1), wrappedKey: 5 });
    }
    await sessions.resume(ada, laptop, "c1", nowMs);
    expect(await sweep(nowMs + connectionLifeMs + sessionLifeMs + 60_000)).toEqual({ deleted: 1, objects: 0 });
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
    expect(await sweepSessions({ sessions: lagging, objects, log: noLog }, nowMs)).toEqual({ deleted: 0, objects: 0 });
    expect(table.dump()).toHaveLength(1);
  });
});

const sweep = (atMs: number) => sweepSessions({ sessions: table, objects, log: noLog }, atMs);

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
