import { afterEach, describe, expect, it } from "vitest";
import { TokenBudget } from "../../../shared/billing/token-budget.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import { newId } from "../../memory/chance.ts";
import { rounds } from "../../rounds.ts";
import { cleanUp } from "../../standins/mailbox-fixture.ts";
import { Cloud, user } from "./cloud.ts";

afterEach(cleanUp);

describe("a mailbox's quota", () => {
  it("P2: mails of many minutes at once, under 6,000 units a minute, all end in a verdict, the limit is never met, no attempt is spent", async () => {
    // At 20 units each, eight minutes' worth; two at least.
    const mails = Math.max(450, rounds(2_000));
    const cloud = await Cloud.open();
    await cloud.ledger.put({ ...ledgerKey.user(user), tier: "pro" });
    const refs = cloud.deliver(mails);
    await cloud.mailbox.whenAllArrived();
    const startMs = cloud.nowMs;
    await cloud.hint("push");
    await cloud.pass(30, () => refs.every((ref) => cloud.item(ref)?.status === "queued"));
    expect(cloud.statuses(refs)).toEqual({ queued: mails });
    // Each is read once: a refused call would have been made again.
    expect(cloud.mailbox.requests("messages.get")).toBe(mails);
    expect(refs.filter((ref) => (cloud.item(ref)?.attempts ?? 0) > 0)).toEqual([]);
    // At 4,800 units a minute, and what a run may wait for its turn.
    expect((cloud.nowMs - startMs) / 60_000).toBeLessThan((mails * 20) / 4_800 + 4);
    const budget = new TokenBudget(cloud.ledger, "triage", () => cloud.nowMs, newId);
    expect(await budget.read(user, "2026-03")).toMatchObject({ used: mails * 440, committed: mails * 440 });
  }, 240_000);

  it("a mailbox that others empty as well is left alone for as long as it says, and everything ends in a verdict", async () => {
    const cloud = await Cloud.open({ limits: { unitsPerUserMinute: 600 } });
    const refs = cloud.deliver(60);
    await cloud.hint("push");
    await cloud.pass(30, () => refs.every((ref) => cloud.item(ref)?.status === "queued"));
    expect(cloud.statuses(refs)).toEqual({ queued: 60 });
    expect(refs.filter((ref) => (cloud.item(ref)?.attempts ?? 0) > 0)).toEqual([]);
  }, 240_000);
});

describe("the month's tokens", () => {
  it("at the cap items wait for the next month with a reason, and are judged then", async () => {
    const cloud = await Cloud.open();
    await cloud.ledger.put({ ...ledgerKey.usage(user, "2026-03", "triage"), committed: 495_000, used: 495_000 });
    const refs = cloud.deliver(20);
    await cloud.hint("push");
    await cloud.pass(20);
    const waiting = refs.filter((ref) => cloud.item(ref)?.status === "deferred");
    expect(waiting.length).toBeGreaterThan(0);
    expect(new Set(waiting.map((ref) => cloud.item(ref)?.code))).toEqual(new Set(["quota_exceeded"]));
    const { used, committed } = await new TokenBudget(cloud.ledger, "triage", () => cloud.nowMs, newId).read(
      user,
      "2026-03",
    );
    expect(committed).toBe(used);
    expect(used).toBeLessThanOrEqual(500_000);
    cloud.nowMs = Date.UTC(2026, 3, 1);
    await cloud.pass(90, () => refs.every((ref) => cloud.item(ref)?.status === "queued"));
    expect(cloud.statuses(refs)).toEqual({ queued: 20 });
    expect(refs.filter((ref) => (cloud.item(ref)?.attempts ?? 0) > 0)).toEqual([]);
  }, 240_000);
});
