import { beforeEach, describe, expect, test } from "vitest";
import type { ErrorCode } from "../../../events/error-kinds.ts";
import { ScoutsError } from "../../../events/errors.ts";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import { TokenBudget } from "../../../shared/billing/token-budget.ts";
import { ModelBreaker } from "../../../shared/breaker/model-breaker.ts";
import { ledgerKey, ledgerPrefix } from "../../../shared/keys.ts";
import { parseKeyRing } from "../../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../../shared/privacy/ring-sealer.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import type { SourceConnector } from "../../../shared/scouts/connectors/connector.ts";
import type { ItemRow } from "../../../shared/scouts/items/item-row.ts";
import { ItemStore } from "../../../shared/scouts/items/item-store.ts";
import { SpamStore } from "../../../shared/scouts/items/spam-store.ts";
import { UnjudgedStore } from "../../../shared/scouts/items/unjudged-store.ts";
import { SourceQuota } from "../../../shared/scouts/quota/source-quota.ts";
import { sealProfile } from "../../../shared/scouts/scout-profile.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { requeueDueItems } from "../../../shared/scouts/sync/due.ts";
import type { TriagePorts } from "../../../shared/scouts/triage/triage.ts";
import { triageBatch } from "../../../shared/scouts/triage/triage-batch.ts";
import { newId } from "../../memory/chance.ts";
import { noLog } from "../../memory/log.ts";
import { MemoryQueue } from "../../memory/queue.ts";
import type { MemoryTable } from "../../memory/table.ts";
import { ada, nowMs as beganMs, decide, inbox, item, laptop, newLedger, ref } from "../scouts/setting.ts";

const minuteMs = 60_000;
const key = Buffer.alloc(32, 7).toString("base64");
const sealer = new RingSealer(parseKeyRing(JSON.stringify({ keys: [{ kid: "k1", key }] })));
/** A request that is given up ends a little later than it was told to: aborting and a busy machine take their time. */
const abortLagMs = 1_500;
const billed = { inputTokens: 100, outputTokens: 10 };

type Told = "relevant" | "spam" | ErrorCode;

let nowMs: number;
let ledger: MemoryTable;
let items: ItemStore;
let unjudged: UnjudgedStore;
let triage: MemoryQueue<unknown>;
/** What the model says of each item, and what it tells the probe. */
let says: (name: string) => Told;
let probe: ErrorCode | undefined;
/** Whether a useless answer comes first, which is billed, and the failure when it is asked for again. */
let answersFirst: boolean;
let asked: string[];
let frames: ServerFrame[];
let sentAgain: ItemRow[];
let fetchMetadata: () => Promise<{ present: boolean }>;
/** Why the source does not give an item. */
let withheld: ErrorCode | undefined;
/** What was moved to the source's Trash, and out of it. */
let trash: { moved: string[]; restored: string[] };
/** Resolved when a worker dies. */
let death: PromiseWithResolvers<undefined>;

beforeEach(async () => {
  [nowMs, ledger, asked, frames, sentAgain] = [beganMs, newLedger(), [], [], []];
  [items, unjudged] = [new ItemStore(ledger), new UnjudgedStore(ledger)];
  triage = new MemoryQueue({ visibilityMs: 6 * minuteMs, maxReceives: 5 }, () => nowMs);
  [says, probe, fetchMetadata] = [() => "relevant", undefined, async () => ({ present: true })];
  [withheld, answersFirst] = [undefined, false];
  trash = { moved: [], restored: [] };
  const scouts = new ScoutStore(ledger);
  const of = { userId: ada, scoutId: inbox };
  const sealed = await sealProfile(sealer, of, { name: "n", purpose: "p" });
  await scouts.create({ ...of, sourceType: "inbox", sealed, createdAt: nowMs, revision: 0, cursor: "c" });
});

function ports(): TriagePorts {
  const clock = () => nowMs;
  const source = {
    sourceType: "inbox",
    archive: {
      granted: async () => true,
      archive: async (_: unknown, name: string) => {
        trash.moved.push(name);
        return "archived";
      },
      restore: async (_: unknown, name: string) => void trash.restored.push(name),
    },
    formerRefs: (of: string) => (of === "grown" ? [ref("half")] : []),
    fetchMetadata: () => fetchMetadata(),
    fetchContent: async (_: unknown, name: string) => {
      if (withheld) throw new ScoutsError(withheld);
      return {
        ...{ subject: new Transient(name), sender: new Transient(""), snippet: new Transient("") },
        ...{ text: new Transient(""), receivedAtMs: nowMs, present: true, state: "s1" },
      };
    },
  } as unknown as SourceConnector;
  const log = { event: () => {}, error: () => {} };
  const complete: TriagePorts["model"]["complete"] = async ({ schema, user, timeoutMs }) => {
    const name = /Subject: (\w+)/.exec(user.reveal())?.[1] ?? "";
    asked.push(name);
    const told = says(name);
    if (told === "model_timeout") nowMs += timeoutMs + abortLagMs;
    if (told !== "relevant" && told !== "spam") {
      const useless = told === "model_refused" || told === "model_answer_invalid";
      throw new ScoutsError(told, useless || answersFirst ? { data: { ...billed } } : {});
    }
    const verdict = { verdict: told, reason: "", reasonCode: "other", confidence: 0.99 };
    return { value: new Transient(schema.parse(verdict)), usage: billed, model: "m" };
  };
  const breaker = new ModelBreaker({
    ...{ ledger, clock, log, setting: "one", random: () => 0.5, newId: () => `p${asked.length}.${nowMs}` },
    probe: { probe: async () => (probe === undefined ? { ok: true } : { ok: false, code: probe }) },
  });
  return {
    ...{ items, unjudged, breaker, triage, clock, log },
    spam: new SpamStore(ledger),
    scouts: new ScoutStore(ledger),
    connectors: new Map([["inbox", source]]),
    model: { complete },
    vault: async () => sealer,
    quota: new SourceQuota(ledger, clock, () => 0.5),
    budget: new TokenBudget(ledger, "triage", clock, newId),
    notices: { toEveryDevice: async (_, told) => void frames.push(...told) },
  };
}

/** Everything that is on the queue now, as workers of their own. */
async function work(): Promise<void> {
  const sender = {
    sendFresh: async () => {},
    sendAgain: async (rows: readonly ItemRow[]) => void sentAgain.push(...rows),
  };
  for (let batch = triage.receive(10); batch.length > 0; batch = triage.receive(10)) {
    const received = batch.map(({ body, receiveCount }) => ({ body: JSON.parse(body), receiveCount }));
    death = Promise.withResolvers();
    const deadlineMs = nowMs + 50_000;
    const working = triageBatch(ports(), sender, received, () => deadlineMs - nowMs);
    const outcomes = await Promise.race([working, death.promise]);
    for (const [at, { id }] of batch.entries()) if (outcomes && outcomes[at]?.kind !== "retry") triage.delete(id);
  }
}

/** Minutes with the due cron in each. */
async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    for (let second = 0; second < 60; second += 10) {
      nowMs += 10_000;
      await work();
    }
    const { breaker } = ports();
    const ticking = breaker as ModelBreaker;
    await requeueDueItems({ ledger, items, triage: ports().triage, breaker: ticking, clock: () => nowMs, log: noLog });
    await work();
  }
}

async function arrive(...names: string[]): Promise<void> {
  await triage.send(names.map((name) => ({ body: { v: 1, userId: ada, scoutId: inbox, ref: ref(name) }, group: ada })));
  await work();
}

async function rows(...names: string[]): Promise<(ItemRow | undefined)[]> {
  const found = await items.getMany(names.map((name) => item(name)));
  return names.map((name) => found.find((row) => row.ref === name));
}

const budget = () => new TokenBudget(ledger, "triage", () => nowMs, newId).read(ada, "2026-03" as never);

describe("a model that cannot be asked", () => {
  test.each<ErrorCode>([
    "model_forbidden",
    "model_unknown",
    "model_request_refused",
    "model_not_an_api",
    "model_unreachable",
    "model_quota_spent",
  ])(
    "P2, %s: items wait with the code, spend no attempt and no tokens, and are judged when it is mended",
    async (code) => {
      [says, probe] = [() => code, code];
      await arrive("m1", "m2", "m3");
      const before = asked.length;
      await pass(120);
      expect(asked).toHaveLength(before);
      expect(await rows("m1", "m2", "m3")).toMatchObject(
        Array(3).fill({ status: "deferred", code, attempts: 0, inputTokens: 0 }),
      );
      expect(await budget()).toMatchObject({ committed: 0, used: 0, open: new Map() });
      [says, probe] = [() => "relevant", undefined];
      await pass(10);
      expect(await rows("m1", "m2", "m3")).toMatchObject(Array(3).fill({ status: "queued", reasonCode: "other" }));
      expect(await budget()).toMatchObject({ committed: 330, used: 330 });
    },
  );

  test("what arrives on the queue meanwhile reads no source and asks no model", async () => {
    [says, probe] = [() => "model_forbidden", "model_forbidden"];
    await arrive("m1");
    const before = asked.length;
    await arrive("m2");
    expect(asked).toHaveLength(before);
    expect(await rows("m2")).toMatchObject([{ status: "deferred", code: "model_forbidden" }]);
    expect(triage.length).toBe(0);
  });

  test("a timeout is the model's when the probe times out too", async () => {
    [says, probe] = [() => "model_timeout", "model_timeout"];
    await arrive("m1");
    await pass(60);
    expect(await rows("m1")).toMatchObject([{ status: "deferred", code: "model_timeout", attempts: 0 }]);
    [says, probe] = [() => "relevant", undefined];
    await pass(10);
    expect(await rows("m1")).toMatchObject([{ status: "queued", reasonCode: "other", attempts: 0 }]);
  });
});

describe("P2: what cannot be judged is shown", () => {
  test.each<[Told, number]>([
    ["model_refused", 5],
    ["model_answer_invalid", 5],
    ["model_item_too_long", 5],
    ["model_forbidden", 8],
    ["model_unavailable", 8],
  ])("one mail of which the model says %s for ever, while it judges the others", async (told, tries) => {
    says = (name) => (name === "odd" ? told : "relevant");
    await arrive("odd", "m1");
    await pass(90);
    const [odd, m1] = await rows("odd", "m1");
    expect(m1).toMatchObject({ status: "queued", reasonCode: "other" });
    expect(odd).toMatchObject({ status: "queued", reasonCode: "unjudged", code: told });
    expect(sentAgain.map((row) => row.ref)).toEqual(["odd"]);
    expect(asked.filter((name) => name === "odd")).toHaveLength(tries);
    expect(triage.length).toBe(0);
    const total = (odd?.inputTokens ?? 0) + (odd?.outputTokens ?? 0);
    const useless = told === "model_refused" || told === "model_answer_invalid";
    expect(total).toBe(useless ? 5 * 110 : 0);
    expect(await budget()).toMatchObject({ used: total + 110, committed: total + 110 });
  });

  test("one mail at which the model never comes to an end, while it judges the others", async () => {
    says = (name) => (name === "odd" ? "model_timeout" : "relevant");
    await arrive("odd", "m1");
    await pass(90);
    expect(await rows("odd", "m1")).toMatchObject([
      { status: "queued", reasonCode: "unjudged", code: "model_timeout" },
      { status: "queued", reasonCode: "other" },
    ]);
    expect(await budget()).toMatchObject({ used: 110, committed: 110 });
  });

  test.each<[string, () => Promise<{ present: boolean }>, Partial<ItemRow>]>([
    ["by its metadata", async () => ({ present: true }), { status: "queued", reasonCode: "unjudged" }],
    ["not when it is gone", async () => ({ present: false }), { status: "gone" }],
    [
      "not when nobody can read that either",
      () => Promise.reject(new ScoutsError("item_unreadable")),
      { status: "dead", code: "interrupted" },
    ],
  ])("mail that took its workers with it: %s", async (_, metadata, end) => {
    fetchMetadata = metadata;
    const why = { status: "failed", sourceType: "inbox", code: "interrupted", dueAtMs: nowMs, nowMs } as const;
    for (let times = 0; times < 5; times += 1) await items.postpone(item("m1"), { ...why, attempts: 1 });
    await pass(2);
    expect(await rows("m1")).toMatchObject([end]);
    expect(asked).toEqual([]);
  });

  test("mail whose metadata takes its workers too is set aside", async () => {
    const why = { status: "failed", sourceType: "inbox", code: "interrupted", dueAtMs: nowMs, nowMs } as const;
    for (let times = 0; times < 5; times += 1) await items.postpone(item("m1"), { ...why, attempts: 1 });
    fetchMetadata = () => {
      death.resolve(undefined);
      return new Promise(() => {});
    };
    await pass(60);
    expect(await rows("m1")).toMatchObject([{ status: "dead", code: "interrupted", looks: 2 }]);
  });
});

test("P2: what lies in a folder that is not there waits for its owner, calls no operator, and is judged when it is back", async () => {
  withheld = "source_folder_unknown";
  await arrive("m1");
  await pass(130);
  expect((await rows("m1"))[0]).toMatchObject({ status: "deferred", code: "source_folder_unknown", attempts: 0 });
  withheld = undefined;
  await pass(61);
  expect((await rows("m1"))[0]).toMatchObject({ status: "queued" });
});

test("what an item was before it was whole is closed by a redriven message too, which is handed out for the first time", async () => {
  const judged = { sourceType: "inbox", reasonCode: "other", confidence: 1, model: "m", promptVersion: "p" } as const;
  for (const name of ["half", "grown"]) {
    await items.judge(item(name), { ...judged, status: "queued", inputTokens: 0, outputTokens: 0 }, nowMs);
  }
  await arrive("grown");
  expect((await rows("half", "grown")).map((row) => row?.status)).toEqual(["gone", "queued"]);
});

test("P2: an item with a damaged row keeps no other of its batch, and is judged once that is mended", async () => {
  const key = ledgerKey.item(ada, inbox, ref("damaged"));
  await ledger.put({ ...key, status: "failed", sourceType: "inbox", attempts: "some" });
  await arrive("damaged", "whole");
  expect((await rows("whole"))[0]?.status).toBe("queued");
  await pass(60);
  expect([asked, triage.deadLength]).toEqual([["whole"], 1]);
  await ledger.update(key, { set: [[["attempts"], 0]] });
  triage.redrive();
  await work();
  expect(asked).toEqual(["whole", "damaged"]);
  expect((await rows("damaged"))[0]?.status).toBe("queued");
});

/** From now on no answer to a change of an item is heard, and the client library sends the request again. */
function loseAnswers(): void {
  const once = ledger.update.bind(ledger);
  ledger.update = async (key, ...request) => {
    if (key.sk.startsWith(ledgerPrefix.items)) await once(key, ...request);
    return once(key, ...request);
  };
}

describe("P2: a request to the store that is sent twice counts once", () => {
  test("an item whose worker died has spent one attempt", async () => {
    await triage.send([{ body: { v: 1, userId: ada, scoutId: inbox, ref: ref("m1") }, group: ada }]);
    expect(triage.receive(10)).toHaveLength(1);
    nowMs += 7 * minuteMs;
    loseAnswers();
    await work();
    expect(await rows("m1")).toMatchObject([{ status: "queued", attempts: 1 }]);
  });

  test("an item that failed alone has failed once", async () => {
    says = () => "model_unavailable";
    loseAnswers();
    await triage.send([{ body: { v: 1, userId: ada, scoutId: inbox, ref: ref("m1") }, group: ada }]);
    await work();
    expect(await rows("m1")).toMatchObject([{ status: "deferred", code: "model_unavailable", alone: 1 }]);
  });
});

describe("P2: a verdict whose writing was not answered is its worker's own", () => {
  beforeEach(loseAnswers);

  test("spam is moved to Trash, and stays there", async () => {
    await ledger.update(ledgerKey.scout(ada, inbox), { set: [[["autoTrash"], true]] });
    says = () => "spam";
    await arrive("m1");
    expect(await rows("m1")).toMatchObject([{ status: "spam", trash: "trashed" }]);
    expect(trash).toEqual({ moved: ["m1"], restored: [] });
  });

  test("its tokens are counted at once, and once", async () => {
    await arrive("m1");
    expect(await rows("m1")).toMatchObject([{ status: "queued", inputTokens: 100 }]);
    expect(await budget()).toMatchObject({ committed: 110, used: 110, open: new Map() });
  });

  test("what the item was before it was whole is closed", async () => {
    await arrive("half");
    await arrive("grown");
    expect(await rows("half", "grown")).toMatchObject([{ status: "gone" }, { status: "queued" }]);
  });
});

describe("P2: a useless answer is counted though asking again has failed", () => {
  beforeEach(() => {
    answersFirst = true;
  });

  const failures: [string, ErrorCode, ErrorCode | undefined][] = [
    ["the model cannot be asked any more", "model_forbidden", "model_forbidden"],
    ["of this item alone", "model_unavailable", undefined],
    ["the model is rate limiting", "model_rate_limited", undefined],
  ];
  test.each(failures)("%s", async (_, code, probed) => {
    [says, probe] = [() => code, probed];
    await triage.send([{ body: { v: 1, userId: ada, scoutId: inbox, ref: ref("m1") }, group: ada }]);
    await work();
    expect(await budget()).toMatchObject({ committed: 110, used: 110, open: new Map() });
    expect(await rows("m1")).toMatchObject([{ status: "deferred", code, inputTokens: 100, outputTokens: 10 }]);
    [says, probe] = [() => "relevant", undefined];
    await pass(30);
    expect(await rows("m1")).toMatchObject([{ status: "queued", inputTokens: 200, outputTokens: 20 }]);
    expect(await budget()).toMatchObject({ committed: 220, used: 220, open: new Map() });
  });
});

test("P2: what a verdict has cost that could not be written is counted with the next", async () => {
  const update = ledger.update.bind(ledger);
  let refusals = 1;
  ledger.update = async (key, change, when) => {
    const isVerdict = change.set?.some(([path, value]) => path[0] === "status" && value === "queued") ?? false;
    if (isVerdict && refusals-- > 0) throw new ScoutsError("storage_unavailable");
    return update(key, change, when);
  };
  await arrive("m1");
  await pass(1);
  expect(asked).toEqual(["m1", "m1"]);
  expect(await rows("m1")).toMatchObject([{ status: "queued", inputTokens: 200, outputTokens: 20 }]);
  expect(await budget()).toMatchObject({ committed: 220, used: 220, open: new Map() });
});

describe("a redrive", () => {
  beforeEach(async () => {
    says = () => "model_refused";
    await arrive("m1");
    await pass(5);
    expect(await rows("m1")).toMatchObject([{ reasonCode: "unjudged" }]);
    asked.length = 0;
  });

  test("judges what was shown unjudged, once; a device that shows it gets the reason", async () => {
    await items.delivered(item("m1"), laptop, 1, nowMs);
    says = () => "relevant";
    expect(await unjudged.redrive(item("m1"), nowMs)).toBe(true);
    expect(await unjudged.redrive(item("m1"), nowMs)).toBe(false);
    await pass(3);
    expect(asked).toEqual(["m1"]);
    const [row] = await rows("m1");
    expect(row).toMatchObject({ status: "queued", reasonCode: "other", on: {} });
    expect([row?.redrivenAt, row?.dueAt, row?.code]).toEqual([undefined, undefined, undefined]);
  });

  test("as spam: it is taken off the devices", async () => {
    says = () => "spam";
    await unjudged.redrive(item("m1"), nowMs);
    await pass(3);
    expect(await rows("m1")).toMatchObject([{ status: "spam" }]);
    expect(frames).toMatchObject([{ type: "scout_proposal_closed", reason: "dismissed" }]);
  });

  test("changes nothing once its person has decided, also when they decide meanwhile", async () => {
    await unjudged.redrive(item("m1"), nowMs);
    await decide(ledger, item("m1"));
    says = () => "spam";
    await pass(3);
    expect(asked).toEqual([]);
    expect(await rows("m1")).toMatchObject([{ status: "acked" }]);
    expect(await unjudged.redrive(item("m1"), nowMs)).toBe(false);
  });

  test("in vain leaves it as it is shown, to be redriven again", async () => {
    await unjudged.redrive(item("m1"), nowMs);
    await pass(10);
    expect(asked).toEqual(["m1"]);
    expect(await rows("m1")).toMatchObject([{ status: "queued", reasonCode: "unjudged" }]);
    expect(await unjudged.redrive(item("m1"), nowMs)).toBe(true);
  });

  test("waits for the model as everything does", async () => {
    [says, probe] = [() => "model_forbidden", "model_forbidden"];
    await unjudged.redrive(item("m1"), nowMs);
    await pass(60);
    expect(asked.length).toBeLessThan(3);
    expect(await rows("m1")).toMatchObject([{ status: "queued", reasonCode: "unjudged" }]);
    [says, probe] = [() => "relevant", undefined];
    await pass(10);
    expect(await rows("m1")).toMatchObject([{ status: "queued", reasonCode: "other" }]);
  });

  test.each<[string, ErrorCode | undefined]>([
    ["where the model is to blame", "model_unavailable"],
    ["where it is rate limiting", undefined],
  ])("is billed for an answer that came before the failure, %s", async (_, whenProbed) => {
    const before = await budget();
    [says, probe, answersFirst] = [() => whenProbed ?? "model_rate_limited", whenProbed, true];
    await unjudged.redrive(item("m1"), nowMs);
    await pass(2);
    expect(asked.length).toBeGreaterThan(0);
    [says, probe] = [() => "relevant", undefined];
    await pass(30);
    expect(await rows("m1")).toMatchObject([{ reasonCode: "other" }]);
    const used = before.used + asked.length * 110;
    expect(await budget()).toMatchObject({ used, committed: used, open: new Map() });
  });

  test("brings back what was set aside, with all its attempts", async () => {
    await items.end(item("m2"), { status: "dead", sourceType: "inbox", code: "item_unreadable" }, nowMs);
    says = () => "relevant";
    expect(await unjudged.redrive(item("m2"), nowMs)).toBe(true);
    expect(await rows("m2")).toMatchObject([{ status: "deferred", attempts: 0 }]);
    await pass(2);
    expect(await rows("m2")).toMatchObject([{ status: "queued", reasonCode: "other" }]);
    expect(await unjudged.redrive(item("m2"), nowMs)).toBe(false);
  });
});
