import { beforeEach, describe, expect, test } from "vitest";
import { ScoutsError } from "../../../events/errors.ts";
import { scoutId } from "../../../events/ids.ts";
import type { SyncMessage, TriageMessage } from "../../../events/queues.ts";
import { parseBreakerRow } from "../../../shared/breaker/breaker-row.ts";
import { due } from "../../../shared/index-entries.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import { retryPolicies } from "../../../shared/outcome/next-try.ts";
import type { Queue } from "../../../shared/ports/queue.ts";
import { changeOf } from "../../../shared/ports/row-change.ts";
import { parseKeyRing } from "../../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../../shared/privacy/ring-sealer.ts";
import type { Listing, Position, SourceConnector } from "../../../shared/scouts/connectors/connector.ts";
import { seen } from "../../../shared/scouts/connectors/metadata.ts";
import { describeScout } from "../../../shared/scouts/describe-scout.ts";
import { ItemStore } from "../../../shared/scouts/items/item-store.ts";
import { scoutHealth } from "../../../shared/scouts/lifecycle/health.ts";
import { sealProfile } from "../../../shared/scouts/scout-profile.ts";
import type { StoredScout } from "../../../shared/scouts/scout-row.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { SourceQueues } from "../../../shared/scouts/source-queues.ts";
import { pollDueScouts, requeueDueItems } from "../../../shared/scouts/sync/due.ts";
import { defaultIntervalMs } from "../../../shared/scouts/sync/schedule.ts";
import { syncScout } from "../../../shared/scouts/sync/sync.ts";
import { closedBreaker } from "../../memory/breaker.ts";
import { newId } from "../../memory/chance.ts";
import { noLog } from "../../memory/log.ts";
import { MemoryQueue } from "../../memory/queue.ts";
import type { MemoryTable } from "../../memory/table.ts";
import { ada, inbox, item, newLedger, nowMs, ref, relevant } from "./setting.ts";

const minuteMs = 60_000;
const sealingKey = Buffer.alloc(32, 9).toString("base64");
const of = { userId: ada, scoutId: inbox };
const plentyMs = () => 100_000;

let ledger: MemoryTable;
let scouts: ScoutStore;
let triage: MemoryQueue<TriageMessage>;
let sync: MemoryQueue<SyncMessage>;

beforeEach(async () => {
  ledger = newLedger();
  scouts = new ScoutStore(ledger);
  triage = new MemoryQueue({ visibilityMs: 6 * minuteMs, maxReceives: 5 }, () => nowMs);
  sync = new MemoryQueue({ visibilityMs: 12 * minuteMs, maxReceives: 5, fifo: true }, () => nowMs);
  await scouts.create({
    ...of,
    sourceType: "feed",
    sealed: "x",
    createdAt: 1,
    revision: 0,
    failures: 0,
    watchExpiresAt: nowMs * 2,
  });
  await scouts.connected(await scouts.get(ada, inbox), { address: "a", cursor: "c0", dueAtMs: nowMs, nowMs });
  await scouts.watched(ada, inbox, nowMs * 2);
});

type List = (position: Position) => Listing | Promise<Listing>;

function portsWith(
  list: List,
  watch: () => Promise<{ expiresAtMs: number }> = async () => ({ expiresAtMs: nowMs * 2 }),
) {
  const source: SourceConnector = {
    sourceType: "feed",
    listNew: async (_, position) => list(position),
    fetchMetadata: () => Promise.reject(new ScoutsError("item_gone")),
    fetchContent: () => Promise.reject(new ScoutsError("item_gone")),
    sees: async () => seen("somewhere"),
    currentCursor: async () => "c0",
    setupWatch: watch,
    stopWatch: async () => {},
  };
  const log = { event: () => {}, error: () => {} };
  const notices = { toEveryDevice: async () => {} };
  return {
    ledger,
    connectors: new Map([["feed", source]]),
    breaker: closedBreaker,
    triage,
    sync,
    clock: () => nowMs,
    random: () => 0.5,
    newId,
    log,
    notices,
  };
}

const queued = () => triage.bodies().map((body) => JSON.parse(body).ref);
const row = () => scouts.get(ada, inbox);

describe("a sync run", () => {
  test("P1: leaves nothing of a scout that is removed meanwhile, however much is still to be listed", async () => {
    const ports = portsWith(async () => {
      await ledger.delete(ledgerKey.scout(ada, inbox));
      return { refs: [ref("m1")], nextPage: "p2" };
    });
    expect(await syncScout(ports, of, () => 0)).toEqual({ kind: "drop", code: "scout_not_found" });
    expect(ledger.dump()).toEqual([]);
    expect(sync.length).toBe(0);
  });

  test("P2: queues every page's refs and only then moves the cursor", async () => {
    const pages: Record<string, Listing> = {
      start: { refs: [ref("m1"), ref("m2")], nextPage: "p2" },
      p2: { refs: [ref("m3")], cursor: "c1" },
    };
    const cursors: (string | undefined)[] = [];
    const ports = portsWith(async (position) => {
      cursors.push((await row()).cursor);
      return pages[position.page ?? "start"] ?? { refs: [] };
    });
    expect(await syncScout(ports, of, plentyMs)).toEqual({ kind: "done" });
    expect(queued()).toEqual(["m1", "m2", "m3"]);
    expect(cursors).toEqual(["c0", "c0"]);
    expect(await row()).toMatchObject({ cursor: "c1", dueAt: nowMs + defaultIntervalMs, lastRunAt: nowMs });
  });

  test("P2: short of time it saves its place and queues its own continuation, which goes on there", async () => {
    const seen: (string | undefined)[] = [];
    const ports = portsWith(({ page }) => {
      seen.push(page);
      return page === undefined ? { refs: [ref("m1")], nextPage: "p2" } : { refs: [ref("m2")], cursor: "c1" };
    });
    await syncScout(ports, of, () => 10_000);
    expect(await row()).toMatchObject({ cursor: "c0", page: "p2" });
    expect(sync.bodies().map((body) => JSON.parse(body).cause)).toEqual(["continue"]);
    await syncScout(ports, of, () => 10_000);
    expect(seen).toEqual([undefined, "p2"]);
    expect(await row()).toMatchObject({ cursor: "c1" });
    expect((await row()).page).toBeUndefined();
  });

  test("P2: of two runs at once one commits; the other changes nothing and has queued what it found", async () => {
    let both = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const ports = portsWith(async () => {
      both += 1;
      if (both === 2) resolve();
      await promise;
      return { refs: [ref(`m${both}`)], cursor: `c${both}` };
    });
    const before = (await row()).revision;
    await Promise.all([syncScout(ports, of, plentyMs), syncScout(ports, of, plentyMs)]);
    expect((await row()).revision).toBe(before + 1);
    expect(queued()).toHaveLength(2);
  });

  test("a ref that comes twice on a page is queued once", async () => {
    await syncScout(
      portsWith(() => ({ refs: [ref("m1"), ref("m1")], cursor: "c1" })),
      of,
      plentyMs,
    );
    expect(queued()).toEqual(["m1"]);
  });

  test("a gap is noted for the person", async () => {
    const gap = { fromMs: 1, toMs: 2 };
    await syncScout(
      portsWith(() => ({ refs: [], cursor: "c1", gap })),
      of,
      plentyMs,
    );
    expect(await row()).toMatchObject({ gapFrom: 1, gapTo: 2, gapMissed: false });
    await syncScout(
      portsWith(() => ({ refs: [], cursor: "c2", gap: { ...gap, missed: true } })),
      of,
      plentyMs,
    );
    const connectors = portsWith(() => ({ refs: [], cursor: "c2" })).connectors;
    const health = await scoutHealth({ ledger, connectors, clock: () => nowMs }, await row());
    expect(health.gap).toEqual({ from: 1, to: 2, missed: true });
  });

  test("a run that found nothing leaves no run row, one that did leaves counts", async () => {
    const runs = () => ledger.dump().filter(({ sk }) => sk.startsWith("RUN#"));
    await syncScout(
      portsWith(() => ({ refs: [], cursor: "c1" })),
      of,
      plentyMs,
    );
    expect(runs()).toEqual([]);
    await syncScout(
      portsWith(() => ({ refs: [ref("m1")], cursor: "c2" })),
      of,
      plentyMs,
    );
    expect(runs()).toMatchObject([{ kind: "sync", queued: 1, pages: 1, outcome: "complete" }]);
  });

  test.each([
    ["reauth", "disable"],
    ["source_forbidden", "disable"],
    ["source_unavailable", "done"],
    ["source_rate_limited", "defer"],
  ] as const)("%s ends in %s, with the position kept", async (code, kind) => {
    const ports = portsWith(() => Promise.reject(new ScoutsError(code, { data: { retryAfterMs: 90_000 } })));
    expect(await syncScout(ports, of, plentyMs)).toMatchObject({ kind });
    const { cursor, disabledCode, dueAt } = await row();
    expect(cursor).toBe("c0");
    expect(disabledCode).toBe(kind === "disable" ? code : undefined);
    if (kind === "defer") expect(dueAt).toBe(nowMs + 90_000);
    // The scout waits by its own schedule: in the queue its group would block.
    if (kind === "done") expect(dueAt).toBe(nowMs + 60_000);
  });

  test("a disabled scout is left alone until its owner connects it again, which keeps the position", async () => {
    await scouts.disable(ada, inbox, "reauth", nowMs);
    const never = portsWith(() => expect.unreachable("listed"));
    expect(await syncScout(never, of, plentyMs)).toMatchObject({ kind: "drop" });
    await scouts.connected(await row(), { address: "a", cursor: "c9", dueAtMs: nowMs, nowMs });
    expect((await row()).cursor).toBe("c0");
    expect((await row()).disabledCode).toBeUndefined();
  });

  test.each(["configuration_invalid", "sealed_unreadable", "sealing_key_unknown", "source_refused"] as const)(
    "%s is the operator's to mend: nobody is switched off, it shows, and the scout is looked at again",
    async (code) => {
      await syncScout(
        portsWith(() => Promise.reject(new ScoutsError(code))),
        of,
        plentyMs,
      );
      const { cursor, disabledCode, dueAt = 0, failureCode } = await row();
      expect({ cursor, disabledCode, failureCode }).toEqual({
        cursor: "c0",
        disabledCode: undefined,
        failureCode: code,
      });
      expect(dueAt - nowMs).toBeGreaterThan(0);
      expect(dueAt - nowMs).toBeLessThanOrEqual(defaultIntervalMs);
    },
  );

  test.each(["source_push_refused", "source_forbidden", "reauth", "configuration_invalid"] as const)(
    "a watch that fails with %s switches nobody off: the listing decides",
    async (code) => {
      await scouts.watched(ada, inbox, nowMs + minuteMs);
      await syncScout(
        portsWith(
          () => ({ refs: [ref("m1")], cursor: "c1" }),
          () => Promise.reject(new ScoutsError(code)),
        ),
        of,
        plentyMs,
      );
      expect(queued()).toEqual(["m1"]);
      expect(await row()).toMatchObject({ cursor: "c1", watchFailureCode: code });
      expect((await row()).disabledCode).toBeUndefined();
    },
  );

  test("P2: a watch that cannot be renewed does not keep mail waiting", async () => {
    await scouts.watched(ada, inbox, nowMs + minuteMs);
    const failing = () => Promise.reject(new ScoutsError("source_unavailable"));
    await syncScout(
      portsWith(() => ({ refs: [ref("m1")], cursor: "c1" }), failing),
      of,
      plentyMs,
    );
    expect(queued()).toEqual(["m1"]);
  });
});

describe("a source that fails, for half a day", () => {
  const failures: Record<string, () => Error> = {
    "does not answer": () => new ScoutsError("source_unavailable"),
    "cannot be read": () => new ScoutsError("source_unreadable"),
    "is rate limiting": () => new ScoutsError("source_rate_limited", { data: { retryAfterMs: 1000 } }),
    "is gone": () => new ScoutsError("source_gone"),
    "refuses us": () => new ScoutsError("source_forbidden"),
    "trips its connector up": () => new TypeError("Cannot read properties of undefined"),
  };
  const causes = ["poll", "push", "connected", "resumed", "continue", "manual"] as const;

  test.each(Object.entries(failures).flatMap(([how, error]) => causes.map((cause) => [how, cause, error] as const)))(
    "%s, looked at because of %s: its owner is told, and no dead letter calls an operator",
    async (_, cause, error) => {
      let atMs = nowMs;
      const clock = () => atMs;
      const hints = new MemoryQueue<SyncMessage>({ visibilityMs: 12 * minuteMs, maxReceives: 5, fifo: true }, clock);
      const ports = { ...portsWith(() => Promise.reject(error())), sync: hints, clock };
      await hints.send([{ body: { v: 1, ...of, cause }, group: inbox, dedupeId: cause }]);
      for (let minute = 0; minute < 12 * 60; minute += 1) {
        await pollDueScouts({ ledger, scouts, sync: hints, clock, newId: () => `p${minute}`, log: noLog });
        for (const { id, body } of hints.receive(10)) {
          const request = { ...of, causes: new Set([JSON.parse(body).cause]) };
          if ((await syncScout(ports, request, plentyMs)).kind !== "retry") hints.delete(id);
        }
        atMs += minuteMs;
      }
      expect([hints.deadLength, hints.length]).toEqual([0, 0]);
      const { failures: count = 0, disabledCode, dueAt = 0, cursor } = await row();
      expect(count > 2 || disabledCode !== undefined).toBe(true);
      if (disabledCode === undefined) expect((await row()).failingSince).toBe(nowMs);
      expect([cursor, disabledCode !== undefined || dueAt > atMs - minuteMs]).toEqual(["c0", true]);
    },
  );
});

describe("why a source was not reached stays with its scout", () => {
  const told = async () => {
    const vault = async () => new RingSealer(parseKeyRing(JSON.stringify({ keys: [{ kid: "k", key: sealingKey }] })));
    const { failing } = await describeScout({ vault }, await row());
    const connectors = portsWith(() => ({ refs: [] })).connectors;
    const { failures } = await scoutHealth({ ledger, connectors, clock: () => nowMs }, await row());
    const { at: _, ...same } = failures;
    expect(same).toEqual(failing ?? { count: 0, code: null, since: null });
    return failing;
  };
  const look = (error: Error) =>
    syncScout(
      portsWith(() => Promise.reject(error)),
      of,
      plentyMs,
    );
  const unavailable = (data: Record<string, string | number>) => new ScoutsError("source_unavailable", { data });

  test.each([
    [{ reason: "missing", status: 404 }, { reason: "missing" }],
    [
      { reason: "status", status: 500 },
      { reason: "status", status: 500 },
    ],
    [{ reason: "slow" }, { reason: "slow" }],
  ])("%j: told with each list, and forgotten with the next failure that has another", async (data, reason) => {
    await look(unavailable(data));
    expect(await told()).toEqual({ count: 1, code: "source_unavailable", ...reason, since: nowMs });
    await look(new ScoutsError("source_unreadable"));
    expect(await told()).toEqual({ count: 2, code: "source_unreadable", since: nowMs });
    await look(unavailable(data));
    await look(unavailable({}));
    expect(await told()).toEqual({ count: 4, code: "source_unavailable", since: nowMs });
    await look(unavailable(data));
    await syncScout(
      portsWith(() => ({ refs: [], cursor: "c1" })),
      of,
      plentyMs,
    );
    expect(await told()).toBeNull();
    expect(await row()).not.toHaveProperty("failureReason");
  });
});

describe("P2: a queue of one kind of source that takes nothing keeps no other kind's work, and the run fails", () => {
  const deaf = { send: () => Promise.reject(new ScoutsError("queue_unavailable")) };
  const kinds = ["imap", "feed", "gmail", "imap", "feed"];
  const ofKind = (at: number) => scoutId.parse(`sct_01KE5Q8600ESE4NYY1EVXDNQ0${at}`);

  test("a poll", async () => {
    for (const [at, sourceType] of kinds.entries()) {
      const facts = { userId: ada, scoutId: ofKind(at), sourceType, sealed: "x", createdAt: 1, revision: 0 };
      await scouts.create({ ...facts, dueAt: nowMs });
    }
    const queues = new SourceQueues<SyncMessage>(sync, new Map([["imap", deaf]]));
    const ports = { ledger, scouts, sync: queues, clock: () => nowMs, newId, log: noLog };
    await expect(pollDueScouts(ports)).rejects.toMatchObject({ code: "queue_unavailable" });
    const hinted = sync.bodies().map((body) => JSON.parse(body).scoutId);
    expect(hinted.toSorted()).toEqual([ofKind(1), ofKind(2), ofKind(4), inbox].toSorted());
    await expect(pollDueScouts(ports)).rejects.toMatchObject({ code: "queue_unavailable" });
    expect(sync.length).toBe(hinted.length);
  });

  test("items that are due", async () => {
    const items = new ItemStore(ledger);
    const names = Array.from({ length: 40 }, (_, at) => `m${at}`);
    for (const [at, name] of names.entries()) {
      const why = { status: "failed", code: "internal", attempts: 1, dueAtMs: nowMs, nowMs } as const;
      await items.postpone(item(name), { ...why, sourceType: at % 2 === 0 ? "imap" : "feed" });
    }
    const queues = new SourceQueues<TriageMessage>(triage, new Map([["imap", deaf]]));
    const breaker = { tick: async () => parseBreakerRow(undefined) };
    const run = requeueDueItems({ ledger, items, triage: queues, breaker, clock: () => nowMs, log: noLog });
    await expect(run).rejects.toMatchObject({ code: "queue_unavailable" });
    expect(queued().toSorted()).toEqual(names.filter((_, at) => at % 2 === 1).toSorted());
  });
});

describe("a scout that is connected again", () => {
  const names = Array.from({ length: 900 }, (_, at) => `m${String(at).padStart(4, "0")}`);
  const off = { status: "deferred", sourceType: "feed", code: "reauth", nowMs, attempts: 0 } as const;
  const connected = { ...of, causes: new Set(["connected"] as const) };

  test("P2: queues what has waited for it as far as a run's time goes, and goes on there, however much it is", async () => {
    const items = new ItemStore(ledger);
    for (const name of names) await items.postpone(item(name), { ...off, dueAtMs: nowMs + 86_400_000 });
    const ports = portsWith(() => ({ refs: [], cursor: "c1" }));
    let looks = 0;
    for (let runs = 0; (await row()).cursor !== "c1"; runs += 1) {
      expect(runs).toBeLessThan(names.length / 200 + 1);
      const before = triage.length;
      await syncScout(ports, connected, () => (triage.length > before ? 0 : 100_000));
      looks += 1;
      const hints = sync.receive(10);
      expect(hints.map(({ body }) => JSON.parse(body).cause)).toEqual(
        (await row()).cursor === "c1" ? [] : ["connected"],
      );
      for (const { id } of hints) sync.delete(id);
    }
    expect(looks).toBeGreaterThan(1);
    expect(queued().toSorted()).toEqual(names);
  });

  test("P2: is looked at, and its items are queued, though one of their rows is damaged", async () => {
    const items = new ItemStore(ledger);
    for (const name of ["m1", "m2", "m3"]) await items.postpone(item(name), { ...off, dueAtMs: nowMs + 86_400_000 });
    await ledger.update(ledgerKey.item(ada, inbox, ref("m2")), { set: [[["status"], "what"]] });
    await syncScout(
      portsWith(() => ({ refs: [], cursor: "c1" })),
      connected,
      plentyMs,
    );
    expect(queued()).toEqual(["m1", "m3"]);
    expect((await row()).cursor).toBe("c1");
  });
});

describe("the poll", () => {
  const poll = (atMs: number) =>
    pollDueScouts({ ledger, scouts, sync, clock: () => atMs, newId: () => String(Math.floor(atMs)), log: noLog });

  test("queues what is due and moves it on by a quarter of an hour", async () => {
    expect(await poll(nowMs - 1)).toBe(0);
    expect(await poll(nowMs)).toBe(1);
    expect(sync.bodies().map((body) => JSON.parse(body).cause)).toEqual(["poll"]);
    expect(await poll(nowMs + 1)).toBe(0);
    expect((await row()).dueAt).toBe(nowMs + defaultIntervalMs);
  });

  test("comes back to a scout that was switched off until its watch is given up, and its source is not looked at", async () => {
    await scouts.disable(ada, inbox, "reauth", nowMs);
    const never = portsWith(() => expect.unreachable("listed"));
    expect([await poll(nowMs), await poll(nowMs)]).toEqual([1, 0]);
    // The message was lost.
    expect(await poll(nowMs + defaultIntervalMs)).toBe(1);
    expect(await syncScout(never, of, plentyMs)).toMatchObject({ kind: "drop" });
    expect(await poll(nowMs * 2)).toBe(0);
  });

  test("leaves the time alone that a sync has set meanwhile", async () => {
    const dueAt = nowMs + 7;
    const racing = { send: async () => scouts.schedule(ada, inbox, dueAt) };
    await pollDueScouts({ ledger, scouts, sync: racing, clock: () => nowMs, newId: () => "p", log: noLog });
    expect((await row()).dueAt).toBe(dueAt);
  });
});

describe("items that are due", () => {
  const items = () => new ItemStore(ledger);
  const due = (atMs: number) =>
    requeueDueItems({ ledger, items: items(), triage, breaker: closedBreaker, clock: () => atMs, log: noLog });
  const why = { sourceType: "feed", code: "source_unavailable", dueAtMs: nowMs, nowMs } as const;

  test("P2: failed and deferred ones are queued again when their time has come, and not again for a while", async () => {
    await items().postpone(item("m1"), { ...why, status: "failed", attempts: 1 });
    await items().postpone(item("m2"), { ...why, status: "deferred", attempts: 0 });
    await items().postpone(item("later"), { ...why, status: "deferred", attempts: 0, dueAtMs: nowMs + 1 });
    expect(await due(nowMs)).toEqual({ queued: 2, held: 0 });
    expect(queued().sort()).toEqual(["m1", "m2"]);
    expect(await due(nowMs)).toEqual({ queued: 0, held: 0 });
    expect(await due(nowMs + 15 * minuteMs)).toEqual({ queued: 3, held: 0 });
  });

  test("P2: a worker that is faster than the cron's own write keeps the time it has set", async () => {
    await items().postpone(item("m1"), { ...why, status: "deferred", attempts: 0 });
    const faster: Queue<TriageMessage> = {
      send: async (messages) => {
        const dueAtMs = nowMs + minuteMs;
        if (messages.length > 0)
          await items().postpone(item("m1"), { ...why, status: "deferred", attempts: 0, dueAtMs });
      },
    };
    const ports = { ledger, items: items(), triage: faster, breaker: closedBreaker, clock: () => nowMs, log: noLog };
    expect(await requeueDueItems(ports)).toEqual({ queued: 1, held: 0 });
    expect(await due(nowMs + minuteMs)).toEqual({ queued: 1, held: 0 });
  });

  test("P2: one whose attempts are spent is queued as well: its worker shows it, and nobody drops it", async () => {
    for (let n = 0; n < retryPolicies.items.maxFaults; n += 1) {
      await items().postpone(item("m1"), { ...why, status: "failed", attempts: 1 });
    }
    expect(await due(nowMs)).toEqual({ queued: 1, held: 0 });
    expect(queued()).toEqual(["m1"]);
  });

  test("a judged one is left alone", async () => {
    await items().postpone(item("m1"), { ...why, status: "failed", attempts: 1 });
    await items().judge(item("m1"), relevant, nowMs);
    expect(await due(nowMs)).toEqual({ queued: 0, held: 0 });
  });
});

describe("a scout whose source tells nobody anything", () => {
  const pausedPorts = async (letGo: () => Promise<void>) => {
    await ledger.update(
      ledgerKey.scout(ada, inbox),
      changeOf<StoredScout>({ set: { paused: true, ...due.at("scout", inbox, nowMs) } }),
    );
    const ports = portsWith(() => ({ refs: [] }));
    const source = ports.connectors.get("feed");
    if (source) ports.connectors.set("feed", { ...source, pollOnly: true, letGo });
    return ports;
  };

  test("is let go by its connector when it stops working, once", async () => {
    let times = 0;
    const ports = await pausedPorts(async () => {
      times += 1;
    });
    expect(await syncScout(ports, of, plentyMs)).toEqual({ kind: "drop", code: "scout_paused" });
    expect(await syncScout(ports, of, plentyMs)).toEqual({ kind: "drop", code: "scout_paused" });
    expect(times).toBe(1);
    expect((await row()).dueAt).toBeUndefined();
  });

  test("stops working also where that fails", async () => {
    const ports = await pausedPorts(() => Promise.reject(new ScoutsError("source_unavailable")));
    expect(await syncScout(ports, of, plentyMs)).toEqual({ kind: "drop", code: "scout_paused" });
    expect((await row()).dueAt).toBeUndefined();
  });
});

describe("what everything here stands on fails while a scout is looked at", () => {
  const away = () => ({ send: () => Promise.reject(new ScoutsError("queue_unavailable")) });
  const news = () => portsWith(() => ({ refs: [ref("m1")], cursor: "c1" }));

  test("P2: it is looked at again in a minute, and its pushes wait for no message that comes back", async () => {
    expect(await syncScout({ ...news(), triage: away() }, of, plentyMs)).toEqual({ kind: "done" });
    const failing = { cursor: "c0", failures: 1, failureCode: "queue_unavailable", dueAt: nowMs + minuteMs };
    expect(await row()).toMatchObject(failing);
    expect(await syncScout(news(), of, plentyMs)).toEqual({ kind: "done" });
    expect(queued()).toEqual(["m1"]);
    expect((await row()).failures).toBeUndefined();
  });

  test("nothing silent: what fails so again and again comes back from the queue, and ends with its operator", async () => {
    const kinds: string[] = [];
    for (let look = 0; look < 6; look += 1) {
      kinds.push((await syncScout({ ...news(), triage: away() }, of, plentyMs)).kind);
    }
    expect(kinds).toEqual(["done", "done", "done", "done", "retry", "retry"]);
  });

  test("where not even that can be written down the message comes back", async () => {
    const ports = news();
    const { update } = ledger;
    ledger.update = () => Promise.reject(new ScoutsError("storage_unavailable"));
    expect(await syncScout(ports, of, plentyMs)).toEqual({ kind: "retry", code: "storage_unavailable" });
    ledger.update = update;
  });

  test("P2: and where what waited for its access may not have been queued yet", async () => {
    const request = { ...of, causes: new Set(["connected"] as const) };
    expect(await syncScout({ ...news(), triage: away() }, request, plentyMs)).toMatchObject({ kind: "retry" });
  });
});

describe("a scout that fails", () => {
  const vault = async () => new RingSealer(parseKeyRing(JSON.stringify({ keys: [{ kid: "k", key: sealingKey }] })));
  const described = async () => {
    const sealed = await sealProfile(await vault(), of, { name: "Feed", purpose: "What matters?" });
    await ledger.update(ledgerKey.scout(ada, inbox), changeOf<StoredScout>({ set: { sealed } }));
    return describeScout({ vault }, await row());
  };

  test("says so to whoever lists it, with why and since when, until a look succeeds", async () => {
    expect((await described()).failing).toBeNull();
    let atMs = nowMs;
    const failing = portsWith(() => Promise.reject(new ScoutsError("source_certificate_refused")));
    for (const minutes of [0, 1, 3]) {
      atMs = nowMs + minutes * minuteMs;
      await syncScout({ ...failing, clock: () => atMs }, of, plentyMs);
    }
    expect((await described()).failing).toEqual({ count: 3, code: "source_certificate_refused", since: nowMs });
    await syncScout(
      portsWith(() => ({ refs: [], cursor: "c1" })),
      of,
      plentyMs,
    );
    expect((await described()).failing).toBeNull();
  });

  test("P2: of a source of which a part is not there the rest is read on, and it says what is not", async () => {
    let atMs = nowMs;
    const inPart = portsWith(() => ({ refs: [ref(`m${atMs}`)], cursor: `c${atMs}`, lacks: "source_folder_unknown" }));
    for (const minutes of [0, 15, 30]) {
      atMs = nowMs + minutes * minuteMs;
      await syncScout({ ...inPart, clock: () => atMs }, of, plentyMs);
    }
    expect(queued()).toHaveLength(3);
    expect(await row()).toMatchObject({ cursor: `c${atMs}`, lastRunAt: atMs, dueAt: atMs + defaultIntervalMs });
    expect((await described()).failing).toEqual({ count: 3, code: "source_folder_unknown", since: nowMs });
    await syncScout(
      portsWith(() => ({ refs: [], cursor: "c1" })),
      of,
      plentyMs,
    );
    expect((await described()).failing).toBeNull();
  });

  test("and a page that says so tells it of the whole run, also of one that is not through", async () => {
    const inPart = portsWith(({ page }) =>
      page === undefined
        ? { refs: [ref("m1")], nextPage: "p2", lacks: "source_folder_unknown" }
        : { refs: [ref("m2")], cursor: "c1" },
    );
    await syncScout(inPart, of, () => 10_000);
    expect((await described()).failing).toMatchObject({ count: 1, code: "source_folder_unknown" });
  });

  test("and one that was asked for patience says that, and when it is asked again", async () => {
    const waits = portsWith(() =>
      Promise.reject(new ScoutsError("source_rate_limited", { data: { retryAfterMs: 90_000 } })),
    );
    await syncScout(waits, of, plentyMs);
    expect(await described()).toMatchObject({
      failing: { count: 1, code: "source_rate_limited", since: nowMs },
      nextRunAt: nowMs + 90_000,
    });
  });
});
