import { beforeEach, describe, expect, test } from "vitest";
import { ScoutsError } from "../../../events/errors.ts";
import type { TriageMessage } from "../../../events/queues.ts";
import { AccountStore } from "../../../shared/billing/account-store.ts";
import { monthOf, nextMonthMs } from "../../../shared/billing/month.ts";
import { tiers } from "../../../shared/billing/tiers.ts";
import { TokenBudget } from "../../../shared/billing/token-budget.ts";
import { usagePath } from "../../../shared/billing/usage-row.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import { parseKeyRing } from "../../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../../shared/privacy/ring-sealer.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import type { SourceConnector } from "../../../shared/scouts/connectors/connector.ts";
import { ItemStore } from "../../../shared/scouts/items/item-store.ts";
import { SpamStore } from "../../../shared/scouts/items/spam-store.ts";
import { UnjudgedStore } from "../../../shared/scouts/items/unjudged-store.ts";
import { changeTier } from "../../../shared/scouts/lifecycle/change-tier.ts";
import { SourceQuota } from "../../../shared/scouts/quota/source-quota.ts";
import { sealProfile } from "../../../shared/scouts/scout-profile.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { requeueDueItems } from "../../../shared/scouts/sync/due.ts";
import type { TriagePorts } from "../../../shared/scouts/triage/triage.ts";
import { triageBatch } from "../../../shared/scouts/triage/triage-batch.ts";
import { closedBreaker } from "../../memory/breaker.ts";
import { newId } from "../../memory/chance.ts";
import { noLog } from "../../memory/log.ts";
import { MemoryQueue } from "../../memory/queue.ts";
import type { MemoryTable } from "../../memory/table.ts";
import { ada, inbox, item, newLedger, nowMs, ref } from "./setting.ts";

const ring = parseKeyRing(JSON.stringify({ keys: [{ kid: "k", key: Buffer.alloc(32, 9).toString("base64") }] }));
const sealer = new RingSealer(ring);
const clock = () => nowMs;
const names = ["m1", "m2", "m3"];

let ledger: MemoryTable;
let items: ItemStore;
let triage: MemoryQueue<TriageMessage>;

beforeEach(async () => {
  ledger = newLedger();
  items = new ItemStore(ledger);
  triage = new MemoryQueue({ visibilityMs: 1, maxReceives: 5 }, clock);
  const of = { userId: ada, scoutId: inbox };
  const sealed = await sealProfile(sealer, of, { name: "n", purpose: "p" });
  await new ScoutStore(ledger).create({ ...of, sourceType: "inbox", sealed, createdAt: 1, revision: 0 });
  // The month's allowance is used up.
  const used = { set: [[usagePath.committed, tiers.free.triage_monthly_tokens ?? 0]] } as const;
  await ledger.update(ledgerKey.usage(ada, monthOf(nowMs), "triage"), used);
});

const text = () => new Transient("t");
const source = {
  sourceType: "inbox",
  fetchContent: async () => ({
    ...{ subject: text(), sender: new Transient({ name: "t", address: "" }), snippet: text(), text: text() },
    ...{ receivedAtMs: nowMs, present: true, relation: "unknown", automatic: false },
  }),
} as unknown as SourceConnector;

function ports(): TriagePorts {
  return {
    items,
    spam: new SpamStore(ledger),
    unjudged: new UnjudgedStore(ledger),
    breaker: closedBreaker,
    scouts: new ScoutStore(ledger),
    connectors: new Map([["inbox", source]]),
    model: {
      complete: async ({ schema }) => ({
        value: new Transient(
          schema.parse({ verdict: "relevant", reason: "", reasonCode: "personal", confidence: 0.9 }),
        ),
        usage: { inputTokens: 10, outputTokens: 1 },
        model: "m",
      }),
    },
    vault: async () => sealer,
    quota: new SourceQuota(ledger, clock, () => 0.5),
    budget: new TokenBudget(ledger, "triage", clock, newId),
    notices: { toEveryDevice: async () => {} },
    triage,
    clock,
    log: { event: () => {}, error: () => {} },
  };
}

async function judge(from: readonly string[], over = ports()): Promise<void> {
  const batch = from.map((name) => ({
    body: { v: 1 as const, userId: ada, scoutId: inbox, ref: ref(name) },
    receiveCount: 1,
  }));
  const sender = { sendFresh: async () => {}, sendAgain: async () => {} };
  await triageBatch(over, sender, batch, () => 60_000);
}

/** Everything that is due now, judged. */
async function dueNow(): Promise<number> {
  const { queued } = await requeueDueItems({ ledger, items, triage, breaker: closedBreaker, clock, log: noLog });
  await judge(triage.receive(10).map(({ body }) => JSON.parse(body).ref));
  return queued;
}

const rows = async () => (await items.getMany(names.map((name) => item(name)))).map(({ status }) => status);

describe("a tier that is raised", () => {
  test("P2: what waits for next month's tokens is judged now", async () => {
    await judge(names);
    expect(await rows()).toEqual(["deferred", "deferred", "deferred"]);
    expect(await dueNow()).toBe(0);
    expect(await changeTier({ ledger, clock }, ada, "pro")).toEqual({ released: 3, damaged: 0 });
    expect(await dueNow()).toBe(3);
    expect(await rows()).toEqual(["queued", "queued", "queued"]);
  });

  test("leaves alone what waits for something else, and what is another person's", async () => {
    const why = { status: "deferred", sourceType: "inbox", attempts: 0, dueAtMs: nowMs + 86_400_000, nowMs } as const;
    await items.postpone(item("m1"), { ...why, code: "source_rate_limited" });
    await items.postpone(item("m2"), { ...why, code: "reauth" });
    expect(await changeTier({ ledger, clock }, ada, "pro")).toEqual({ released: 0, damaged: 0 });
    expect(await dueNow()).toBe(0);
  });

  test("is no less for those beside a damaged row, which is told", async () => {
    await judge(names);
    await ledger.update(ledgerKey.item(ada, inbox, ref("m2")), { set: [[["attempts"], { not: "this" }]] });
    expect(await changeTier({ ledger, clock }, ada, "pro")).toEqual({ released: 2, damaged: 1 });
  });

  test("not far enough puts them off until next month again", async () => {
    await judge(names);
    expect(await changeTier({ ledger, clock }, ada, "free")).toEqual({ released: 3, damaged: 0 });
    expect(await dueNow()).toBe(3);
    expect(await rows()).toEqual(["deferred", "deferred", "deferred"]);
    const [row] = await items.getMany([item("m1")]);
    expect(row).toMatchObject({ code: "quota_exceeded", attempts: 0, dueAt: nextMonthMs(nowMs) });
  });

  test("P2: releases also what a worker writes down that was refused under the old one", async () => {
    const slow = ports();
    const reserve = slow.budget.reserve.bind(slow.budget);
    slow.budget.reserve = async (...asked) => {
      const answer = await reserve(...asked);
      expect(await changeTier({ ledger, clock }, ada, "pro")).toEqual({ released: 0, damaged: 0 });
      return answer;
    };
    await judge(names, slow);
    expect(await dueNow()).toBe(3);
    expect(await rows()).toEqual(["queued", "queued", "queued"]);
  });

  test("given again, ends what a command that died had begun", async () => {
    await judge(names);
    let writes = 0;
    const update = ledger.update.bind(ledger);
    ledger.update = async (...change) => {
      writes += 1;
      if (writes === 3) throw new ScoutsError("storage_unavailable");
      return update(...change);
    };
    await expect(changeTier({ ledger, clock }, ada, "pro")).rejects.toMatchObject({ code: "storage_unavailable" });
    ledger.update = update;
    await changeTier({ ledger, clock }, ada, "pro");
    expect(await new AccountStore(ledger).get(ada)).toMatchObject({ tier: "pro" });
    expect(await dueNow()).toBe(3);
  });
});
