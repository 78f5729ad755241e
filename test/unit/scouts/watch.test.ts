import { beforeEach, describe, expect, test } from "vitest";
import type { ErrorCode } from "../../../events/error-kinds.ts";
import { ScoutsError } from "../../../events/errors.ts";
import { type ScoutId, scoutId, type UserId } from "../../../events/ids.ts";
import type { SyncMessage, TriageMessage } from "../../../events/queues.ts";
import type { DevicePorts } from "../../../shared/devices/frames/device-ports.ts";
import { greet } from "../../../shared/devices/frames/greet.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import { parseKeyRing } from "../../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../../shared/privacy/ring-sealer.ts";
import type { ScoutAtSource, SourceConnector } from "../../../shared/scouts/connectors/connector.ts";
import { seen } from "../../../shared/scouts/connectors/metadata.ts";
import { changeScout } from "../../../shared/scouts/lifecycle/change-scout.ts";
import { deleteScout } from "../../../shared/scouts/lifecycle/delete-scout.ts";
import { disableScout } from "../../../shared/scouts/lifecycle/disable-scout.ts";
import { scoutHealth } from "../../../shared/scouts/lifecycle/health.ts";
import { sealProfile } from "../../../shared/scouts/scout-profile.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { pollDueScouts } from "../../../shared/scouts/sync/due.ts";
import { syncScout } from "../../../shared/scouts/sync/sync.ts";
import { TrialStore } from "../../../shared/scouts/trial/trial-store.ts";
import { MailboxStore } from "../../../shared/scouts/watch/mailbox-store.ts";
import { type WatchChange, watchLeaseMs, withWatchLease } from "../../../shared/scouts/watch/watch-lease.ts";
import { closedBreaker } from "../../memory/breaker.ts";
import { newId } from "../../memory/chance.ts";
import { noLog } from "../../memory/log.ts";
import { MemoryQueue } from "../../memory/queue.ts";
import { MemoryTable } from "../../memory/table.ts";
import { ada, bob, inbox, newLedger, nowMs as startMs } from "./setting.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
const bobs: ScoutId = scoutId.parse("sct_01KE5Q8600ESE4NYY1EVXDNQEF");
const ring = parseKeyRing(JSON.stringify({ keys: [{ kid: "k", key: Buffer.alloc(32, 9).toString("base64") }] }));
const sealer = new RingSealer(ring);
const notices = { toEveryDevice: async () => {} };

let nowMs: number;
let ledger: MemoryTable;
let scouts: ScoutStore;
let sync: MemoryQueue<SyncMessage>;
/** When the watch of each mailbox ends; absent: there is none. */
let watches: Map<string, number>;
let asked: string[];
let logged: string[];
/** Positions the source was listed from. */
let listedFrom: string[];
/** What the source answers to a call in place of doing it. */
let refusals: Partial<Record<"watch" | "stop", () => ScoutsError>>;
/** Called before every step that others may come between. */
let before: (step: string) => Promise<void>;

const clock = () => nowMs;
const log = { event: (code: string) => void logged.push(code), error: (code: string) => void logged.push(code) };

function addressOf({ address }: ScoutAtSource): string {
  if (address === undefined) throw new ScoutsError("source_not_connected");
  return address;
}

async function atSource(call: "watch" | "stop", effect: () => void): Promise<void> {
  await before(call);
  asked.push(call);
  const refusal = refusals[call]?.();
  if (refusal) throw refusal;
  effect();
}

const source: SourceConnector = {
  sourceType: "inbox",
  async listNew(_, position) {
    await before("list");
    listedFrom.push(position.cursor);
    return { refs: [], cursor: position.cursor };
  },
  fetchMetadata: () => Promise.reject(new ScoutsError("item_gone")),
  fetchContent: () => Promise.reject(new ScoutsError("item_gone")),
  sees: async () => seen("somewhere"),
  currentCursor: async () => "c0",
  async setupWatch(scout) {
    const expiresAtMs = nowMs + weekMs;
    await atSource("watch", () => watches.set(addressOf(scout), expiresAtMs));
    return { expiresAtMs };
  },
  stopWatch: (scout) => atSource("stop", () => watches.delete(addressOf(scout))),
};

/** The Ledger with others coming in between. */
function contended(): MemoryTable {
  return new Proxy(ledger, {
    get(table, name) {
      const member: unknown = Reflect.get(table, name);
      if (typeof member !== "function") return member;
      return async (...args: unknown[]) => {
        await before(String(name));
        return member.apply(table, args);
      };
    },
  });
}

function ports(table: MemoryTable = ledger) {
  const triage = new MemoryQueue<TriageMessage>({ visibilityMs: 1, maxReceives: 5 }, clock);
  const connectors = new Map([["inbox", source]]);
  const vault = async () => sealer;
  const mailboxes = new MailboxStore(table);
  const stores = { ledger: table, scouts: new ScoutStore(table), mailboxes };
  return {
    ...stores,
    connectors,
    breaker: closedBreaker,
    vault,
    notices,
    triage,
    sync,
    clock,
    random: () => 0.5,
    newId,
    log,
    releases: new Map(),
    trials: new TrialStore(new MemoryTable()),
  };
}

async function connect(userId: UserId, scout: ScoutId, address = "box"): Promise<void> {
  const of = { userId, scoutId: scout };
  const sealed = await sealProfile(sealer, of, { name: "n", purpose: "p" });
  await scouts.create({ ...of, sourceType: "inbox", sealed, createdAt: nowMs, revision: 0 });
  await new MailboxStore(ledger).add(address, of);
  await scouts.connected(await scouts.get(userId, scout), { address, cursor: "c0", dueAtMs: nowMs, nowMs });
}

const look = (userId: UserId, scout: ScoutId, table = ledger) =>
  syncScout(ports(table), { userId, scoutId: scout }, () => 100_000);

/** Lets a minute pass: the poll, and everything it queues. */
async function minute(): Promise<void> {
  nowMs += minuteMs;
  await pollDueScouts({ ledger, scouts, sync, clock, newId: () => `${nowMs}`, log: noLog });
  for (;;) {
    const [message] = sync.receive(1);
    if (!message) return;
    const { userId, scoutId: scout }: SyncMessage = JSON.parse(message.body);
    if ((await look(userId, scout)).kind !== "retry") sync.delete(message.id);
  }
}

async function minutes(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await minute();
}

const isWatched = (address = "box") => (watches.get(address) ?? 0) > nowMs;
const row = (userId: UserId = ada, scout: ScoutId = inbox) => scouts.get(userId, scout);
const pause = async (paused: boolean, table = ledger) =>
  void (await changeScout(ports(table), await row(), { paused }));

beforeEach(() => begin());

async function begin(): Promise<void> {
  nowMs = startMs;
  ledger = newLedger();
  scouts = new ScoutStore(ledger);
  sync = new MemoryQueue({ visibilityMs: 12 * minuteMs, maxReceives: 5, fifo: true }, clock);
  [watches, asked, logged, listedFrom, refusals] = [new Map(), [], [], [], {}];
  before = async () => {};
  await connect(ada, inbox);
}

const ways: Record<string, () => Promise<unknown>> = {
  "paused by its owner": () => pause(true),
  "switched off": () =>
    disableScout({ scouts, notices, clock, log }, { userId: ada, scoutId: inbox }, "source_forbidden"),
  "put to rest": async () => {
    await ledger.update(ledgerKey.scout(ada, inbox), { set: [[["connectedAt"], 1]] });
    await ledger.update(ledgerKey.scout(ada, inbox), { set: [[["maintainedAt"], 1]] });
    await look(ada, inbox);
    expect(await row()).toMatchObject({ inactiveAt: nowMs });
  },
  deleted: async () => expect(await deleteScout(ports(), ada, inbox, nowMs + minuteMs)).toBe(true),
};

describe("the watch of a mailbox ends with its last scout at work, when that is", () => {
  test.each(Object.entries(ways))("%s", async (_, stop) => {
    await minute();
    expect(isWatched()).toBe(true);
    await stop();
    await minute();
    expect(isWatched()).toBe(false);
    expect(asked).toEqual(["watch", "stop"]);
    await minutes(60);
    expect(asked, "and is not asked about again").toHaveLength(2);
  });

  test.each(Object.entries(ways))("%s, but not while somebody else's scout needs it", async (_, stop) => {
    await connect(bob, bobs);
    await minute();
    await stop();
    await minutes(2);
    expect([isWatched(), asked.includes("stop")]).toEqual([true, false]);
    await disableScout({ scouts, notices, clock, log }, { userId: bob, scoutId: bobs }, "source_forbidden");
    await minute();
    expect(isWatched()).toBe(false);
  });

  test("left for another mailbox: the old watch is stopped, the new one set up", async () => {
    await minute();
    await new MailboxStore(ledger).add("other", await row());
    await scouts.connected(await row(), { address: "other", cursor: "c9", dueAtMs: nowMs, nowMs });
    await minute();
    expect([isWatched("box"), isWatched("other")]).toEqual([false, true]);
    expect(await new MailboxStore(ledger).scoutsOf("box")).toEqual([]);
    expect((await row()).formerAddress).toBeUndefined();
  });

  test("left for another mailbox and paused before a run came to it: neither is watched", async () => {
    await minute();
    await new MailboxStore(ledger).add("other", await row());
    await scouts.connected(await row(), { address: "other", cursor: "c9", dueAtMs: nowMs, nowMs });
    await pause(true);
    await minute();
    expect([isWatched("box"), isWatched("other")]).toEqual([false, false]);
  });
});

describe("a scout that goes back to work", () => {
  test("has its watch again, and goes on from the position it had", async () => {
    await minute();
    const { cursor } = await row();
    await pause(true);
    await minutes(30);
    const lists = listedFrom.length;
    await pause(false);
    await minute();
    expect(isWatched()).toBe(true);
    expect(listedFrom.slice(lists)).toContain(cursor);
  });

  test("is resumed, and found by the poll within a minute, although no queue takes word of it", async () => {
    await minute();
    await pause(true);
    await minute();
    const deaf = { send: () => Promise.reject(new ScoutsError("queue_unavailable")) };
    expect(await changeScout({ ...ports(), sync: deaf }, await row(), { paused: false })).toMatchObject({
      paused: false,
    });
    await minute();
    expect(isWatched()).toBe(true);
  });

  test("woken by a hello, sets its watch up again although it had one for days to come", async () => {
    await minute();
    await ways["put to rest"]?.();
    await minute();
    expect(isWatched()).toBe(false);
    const accounts = { seen: async () => {} };
    const sockets = { post: async () => "sent" };
    const device = { ...ports(), accounts, sockets, health: async () => ({}) } as unknown as DevicePorts;
    await greet(device, { userId: ada, connectionId: "c" } as never);
    await ledger.update(ledgerKey.scout(ada, inbox), { set: [[["connectedAt"], nowMs]] });
    await minute();
    expect(isWatched()).toBe(true);
  });

  test("is not told about a pause in its health: nothing is planned, nothing is watched", async () => {
    await minute();
    await pause(true);
    expect(await scoutHealth(ports(), await row())).toMatchObject({ state: "paused", nextRunAt: null });
    await minute();
    expect(await scoutHealth(ports(), await row())).toMatchObject({ watch: { state: "none" }, failures: { count: 0 } });
  });
});

interface Race {
  readonly prepare: () => Promise<unknown>;
  /** Runs over a Ledger whose every step others may come before. */
  readonly first: (table: MemoryTable) => Promise<unknown>;
  readonly second: () => Promise<unknown>;
  readonly check: () => Promise<unknown>;
}

/** One race for each step of `first`, with `second` coming right before that step. @returns how many there were */
async function atEveryStep({ prepare, first, second, check }: Race): Promise<number> {
  for (let at = 0; ; at += 1) {
    await begin();
    await prepare();
    let step = 0;
    let came = false;
    before = async () => {
      if (came || step++ < at) return;
      came = true;
      await second();
    };
    // What second does may make first fail, or end it.
    await first(contended()).catch(() => {});
    before = async () => {};
    if (!came) return at;
    await minutes(6);
    await check();
  }
}

describe("whatever comes in between", () => {
  const dies = () => Promise.reject(new ScoutsError("storage_unavailable"));
  const watched = async () => expect([(await row()).paused, isWatched()]).toEqual([undefined, true]);
  const unwatched = async () => expect([(await row()).paused, isWatched()]).toEqual([true, false]);
  const pausedAndPolled = async () => {
    await pause(true);
    await minute();
  };
  const resumedAndPolled = async () => {
    await pause(false);
    await minute();
  };
  const working = minute;
  const resting = async () => {
    await minute();
    await pause(true);
  };

  test("a pause at any step of the run that sets the watch up leaves none", async () => {
    const first = (table: MemoryTable) => look(ada, inbox, table);
    const race = { prepare: async () => {}, first, second: pausedAndPolled, check: unwatched };
    expect(await atEveryStep(race)).toBeGreaterThan(7);
  });

  test("a scout resumed at any step of giving its watch up has one", async () => {
    const first = (table: MemoryTable) => look(ada, inbox, table);
    const race = { prepare: resting, first, second: resumedAndPolled, check: watched };
    expect(await atEveryStep(race)).toBeGreaterThan(6);
  });

  test("another scout connected to the mailbox at any step of giving its watch up has one", async () => {
    const first = (table: MemoryTable) => look(ada, inbox, table);
    const second = async () => {
      await connect(bob, bobs);
      await minute();
    };
    const check = async () => expect(isWatched()).toBe(true);
    expect(await atEveryStep({ prepare: resting, first, second, check })).toBeGreaterThan(6);
  });

  test("a scout resumed, and paused again, at any step of giving its watch up has none", async () => {
    const first = (table: MemoryTable) => look(ada, inbox, table);
    const second = async () => {
      await resumedAndPolled();
      await pause(true);
    };
    expect(await atEveryStep({ prepare: resting, first, second, check: unwatched })).toBeGreaterThan(6);
  });

  test("a worker that dies at any step of giving the watch up is followed by one that does not", async () => {
    const first = (table: MemoryTable) => look(ada, inbox, table);
    expect(await atEveryStep({ prepare: resting, first, second: dies, check: unwatched })).toBeGreaterThan(6);
  });

  test("a request that dies at any step of pausing has paused and leads to no watch, or has done nothing", async () => {
    const first = (table: MemoryTable) => pause(true, table);
    const check = async () => expect(isWatched()).toBe(!(await row()).paused);
    expect(await atEveryStep({ prepare: working, first, second: dies, check })).toBeGreaterThan(0);
  });

  test("a deletion that dies at any step, and is not asked for again, leaves no watch once it has begun", async () => {
    const first = (table: MemoryTable) => deleteScout(ports(table), ada, inbox, nowMs + minuteMs);
    const check = async () => expect(isWatched()).toBe((await scouts.find(ada, inbox))?.deleting === undefined);
    const steps = await atEveryStep({
      prepare: working,
      first,
      second: dies,
      check: async () => ((await scouts.find(ada, inbox)) ? check() : expect(isWatched()).toBe(false)),
    });
    expect(steps).toBeGreaterThan(9);
  });
});

describe("a source that does not stop when it is asked", () => {
  const refuse = (code: ErrorCode, data = {}) => {
    refusals = { stop: () => new ScoutsError(code, { data }) };
  };
  const stops = () => asked.filter((call) => call === "stop").length;

  beforeEach(async () => {
    await minute();
    await pause(true);
  });

  test("is asked again until it does", async () => {
    refuse("source_unavailable", { status: 503 });
    await minutes(31);
    expect(stops()).toBe(3);
    refusals = {};
    await minutes(15);
    expect([isWatched(), stops()]).toEqual([false, 4]);
    await minutes(30);
    expect(stops()).toBe(4);
    expect((await row()).failures).toBeUndefined();
  });

  test("is left in peace for as long as it says", async () => {
    refuse("source_rate_limited", { retryAfterMs: 40 * minuteMs });
    await minutes(39);
    expect(stops()).toBe(1);
    refusals = {};
    await minutes(4);
    expect([isWatched(), stops()]).toEqual([false, 2]);
  });

  test.each(["reauth", "source_forbidden", "consent_incomplete"] as const)(
    "because of %s is asked once: its watch lapses",
    async (code) => {
      refuse(code);
      await minutes(60);
      expect([stops(), logged.includes("watch_left_to_expire")]).toEqual([1, true]);
      expect((await row()).dueAt).toBeUndefined();
    },
  );

  test("for a week is not asked any more: the watch has lapsed by then", async () => {
    refuse("source_unavailable", { status: 503 });
    await minute();
    nowMs += weekMs;
    await minutes(30);
    expect([stops(), isWatched()]).toEqual([1, false]);
    expect((await row()).dueAt).toBeUndefined();
  });

  test("but may have heard us keeps others from setting the watch up until that is certain", async () => {
    refuse("source_unavailable");
    await minute();
    const heardAtMs = nowMs + 20_000;
    refusals = {};
    await pause(false);
    await minute();
    expect(asked).toEqual(["watch", "stop"]);
    expect(nowMs).toBeGreaterThan(heardAtMs);
    watches.delete("box");
    await minutes(3);
    expect(isWatched()).toBe(true);
  });
});

describe("the lease on a mailbox's watch", () => {
  const never = () => false;
  const held = (work: () => Promise<unknown>, id: string, change: WatchChange = "stop") =>
    withWatchLease({ ...ports(), newId: () => id }, "box", change, work, never);

  test("is held by one at a time, and given back whether the work succeeds or fails", async () => {
    const inner = () => held(async () => "inner", "b");
    expect(await held(inner, "a")).toEqual({ done: { busyUntilMs: nowMs + watchLeaseMs } });
    await expect(held(() => Promise.reject(new ScoutsError("internal")), "a")).rejects.toThrow();
    expect(await inner()).toEqual({ done: "inner" });
  });

  test("of a holder that died lapses, and what a late one gives back is not another's", async () => {
    const late = Promise.withResolvers<void>();
    const first = held(() => late.promise, "a");
    await Promise.resolve();
    expect(await held(async () => {}, "b")).toEqual({ busyUntilMs: nowMs + watchLeaseMs });
    nowMs += watchLeaseMs;
    const second = held(async () => {
      late.resolve();
      await first;
      return held(async () => "third", "c");
    }, "b");
    expect(await second).toEqual({ done: { busyUntilMs: nowMs + watchLeaseMs } });
  });

  test("does not keep two from setting the watch up, but whoever stops it until neither can be at work", async () => {
    const late = Promise.withResolvers<void>();
    const first = held(() => late.promise, "a", "setUp");
    await Promise.resolve();
    nowMs += minuteMs;
    expect(await held(async () => "second", "b", "setUp")).toEqual({ done: "second" });
    const untilMs = nowMs + watchLeaseMs;
    late.resolve();
    await first;
    expect(await held(async () => {}, "c")).toEqual({ busyUntilMs: untilMs });
    nowMs = untilMs;
    expect(await held(async () => "stopped", "c")).toEqual({ done: "stopped" });
  });

  test("of who stops the watch is not taken over by who sets it up", async () => {
    const inner = () => held(async () => "set up", "b", "setUp");
    expect(await held(inner, "a")).toEqual({ done: { busyUntilMs: nowMs + watchLeaseMs } });
    expect(await inner()).toEqual({ done: "set up" });
  });

  test("of a first run that died while it set the watch up does not keep the second from it", async () => {
    void held(() => new Promise(() => {}), "dead", "setUp");
    await minute();
    expect([isWatched(), asked]).toEqual([true, ["watch"]]);
  });

  test("is not taken on a mailbox without a row, and makes none", async () => {
    expect(await withWatchLease(ports(), "nowhere", "setUp", async () => 1, never)).toEqual({ done: 1 });
    expect(ledger.peek(ledgerKey.mailbox("nowhere"))).toBeUndefined();
  });

  test("makes a deletion wait, who says for how long", async () => {
    await minute();
    const deleted = held(() => deleteScout(ports(), ada, inbox, nowMs), "a");
    await expect(deleted).rejects.toMatchObject({ code: "conflict", data: { retryAfterMs: watchLeaseMs } });
    expect(await deleteScout(ports(), ada, inbox, nowMs)).toBe(true);
  });
});

test("a damaged row of another person on the same mailbox keeps nobody from deleting theirs", async () => {
  await connect(bob, bobs);
  await minute();
  await ledger.update(ledgerKey.scout(bob, bobs), { set: [[["revision"], "none"]] });
  expect(await deleteScout(ports(), ada, inbox, nowMs + minuteMs)).toBe(true);
  // It may be at work, and is their operator's to mend.
  expect(isWatched()).toBe(true);
  expect(logged).toContain("configuration_invalid");
});

test("a watch that failed by a clock that has stepped back since is set up again", async () => {
  refusals.watch = () => new ScoutsError("source_push_refused");
  await look(ada, inbox);
  expect(isWatched()).toBe(false);
  refusals = {};
  nowMs -= 300 * dayMs;
  await look(ada, inbox);
  expect(isWatched()).toBe(true);
});

test.each(["keys_unavailable", "storage_throttled"] as const)(
  "a watch that failed in what everything here stands on (%s) is set up as soon as that is back, not an hour later",
  async (code) => {
    refusals.watch = () => new ScoutsError(code);
    await look(ada, inbox);
    expect(listedFrom, "mail is found meanwhile").toEqual(["c0"]);
    await minute();
    refusals = {};
    await minutes(2);
    expect(isWatched()).toBe(true);
    expect((await row()).watchFailureCode).toBeUndefined();
  },
);

test("a watch that its source refuses is asked for once an hour", async () => {
  refusals.watch = () => new ScoutsError("source_push_refused");
  await minutes(50);
  expect(asked).toEqual(["watch"]);
});
