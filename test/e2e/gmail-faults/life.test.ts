import { afterEach, describe, expect, it } from "vitest";
import { scoutHealth as healthSchema } from "../../../events/health.ts";
import { AccountStore } from "../../../shared/billing/account-store.ts";
import { TokenBudget } from "../../../shared/billing/token-budget.ts";
import { scoutHealth } from "../../../shared/scouts/lifecycle/health.ts";
import { settleReservations } from "../../../shared/scouts/triage/settle-reservations.ts";
import { verdictResults } from "../../../shared/scouts/triage/verdict-results.ts";
import { newId } from "../../memory/chance.ts";
import { noLog } from "../../memory/log.ts";
import { cleanUp } from "../../standins/mailbox-fixture.ts";
import { Cloud, scout, user } from "./cloud.ts";

afterEach(cleanUp);

const dayMs = 86_400_000;
const health = async (cloud: Cloud) => {
  const ports = { ledger: cloud.ledger, connectors: new Map([["gmail", cloud.connector]]), clock: () => cloud.nowMs };
  return healthSchema.parse(await scoutHealth(ports, await cloud.row()));
};

describe("a scout nobody's device asks about", () => {
  it("rests after 14 days, asks nothing of its source, and loses nothing when it is woken", async () => {
    const cloud = await Cloud.open();
    cloud.nowMs += 14 * dayMs;
    await cloud.pass(2);
    expect(await health(cloud)).toMatchObject({ state: "resting", since: cloud.nowMs - 60_000 });
    const asked = cloud.mailbox.requests();
    const refs = cloud.deliver(3);
    await cloud.hint("push");
    await cloud.pass(120);
    expect(cloud.mailbox.requests()).toBe(asked);

    cloud.mailbox.expireHistory();
    await new AccountStore(cloud.ledger).seen(user, cloud.nowMs);
    expect(await cloud.scouts.wake(await cloud.row(), cloud.nowMs)).toBe(true);
    await cloud.hint("resumed");
    await cloud.pass(5);
    expect(cloud.statuses(refs)).toEqual({ queued: 3 });
    expect(await health(cloud)).toMatchObject({ state: "active", gap: { to: expect.any(Number) } });
  });

  it("goes on as long as a device is seen", async () => {
    const cloud = await Cloud.open();
    for (let week = 0; week < 4; week += 1) {
      cloud.nowMs += 7 * dayMs;
      await new AccountStore(cloud.ledger).seen(user, cloud.nowMs);
      await cloud.pass(2);
    }
    expect(await health(cloud)).toMatchObject({ state: "active" });
  });
});

describe("proposals nobody decides", () => {
  it("expire thirty days after triage, in the scout's daily pass", async () => {
    const cloud = await Cloud.open();
    const refs = cloud.deliver(2);
    await cloud.hint("push");
    await cloud.pass(1);
    for (let day = 1; day <= 29; day += 1) {
      cloud.nowMs += dayMs;
      await new AccountStore(cloud.ledger).seen(user, cloud.nowMs);
      await cloud.pass(2);
    }
    expect(cloud.statuses(refs)).toEqual({ queued: 2 });
    cloud.nowMs += 2 * dayMs;
    await cloud.pass(2);
    expect(cloud.statuses(refs)).toEqual({ expired: 2 });
  });
});

describe("health of a scout", () => {
  it("says when it last ran and why, what it took, and what is free", async () => {
    const cloud = await Cloud.open();
    const refs = cloud.deliver(2);
    await cloud.hint("push");
    await cloud.pass(16);
    expect(cloud.statuses(refs)).toEqual({ queued: 2 });
    expect(await health(cloud)).toMatchObject({
      scoutId: scout,
      state: "active",
      lastPushAt: expect.any(Number),
      lastPollAt: expect.any(Number),
      watch: { state: "active" },
      failures: { count: 0 },
      backlog: { waiting: 0, dead: 0, complete: true },
      tokens: { month: "2026-03", scout: 880, owner: 880, ownerCap: 500_000 },
      quota: { unitsPerMinute: 6_000, free: 1 },
    });
  });

  it("shows a watch that lapsed while it could not be renewed, and what waits and fails", async () => {
    const cloud = await Cloud.open();
    const always = { times: Number.POSITIVE_INFINITY };
    cloud.mailbox.faults.arm({ kind: "serverError" }, { ...always, method: "watch" });
    cloud.nowMs += 8 * dayMs;
    await new AccountStore(cloud.ledger).seen(user, cloud.nowMs);
    await cloud.pass(2);
    expect((await health(cloud)).watch).toMatchObject({ state: "lapsed", failureCode: "source_unavailable" });
    cloud.mailbox.faults.arm({ kind: "serverError" }, { ...always, method: "history.list" });
    await cloud.pass(30);
    expect((await health(cloud)).failures).toMatchObject({ count: expect.any(Number), code: "source_unavailable" });
  });
});

describe("tokens of workers that died", () => {
  it("are given back by the hourly pass, or counted when the item has its verdict", async () => {
    const cloud = await Cloud.open();
    const [ref] = cloud.deliver(1);
    await cloud.hint("push");
    await cloud.pass(1);
    const budget = new TokenBudget(cloud.ledger, "triage", () => cloud.nowMs, newId);
    const lost = { op: `${scout}.${"0".repeat(16)}.triage`, within: scout, tokens: 3_000, base: 0 };
    await budget.reserve(user, [lost], { total: undefined, within: new Map() });
    expect((await budget.read(user, "2026-03")).committed).toBe(3_440);
    cloud.nowMs += 2 * 3_600_000;
    expect(
      await settleReservations({ ledger: cloud.ledger, clock: () => cloud.nowMs, newId, log: noLog }, [
        verdictResults(cloud.ledger),
      ]),
    ).toBe(1);
    expect(await budget.read(user, "2026-03")).toMatchObject({ committed: 440, used: 440 });
    expect(ref && cloud.item(ref)?.status).toBe("queued");
    expect(
      await settleReservations({ ledger: cloud.ledger, clock: () => cloud.nowMs, newId, log: noLog }, [
        verdictResults(cloud.ledger),
      ]),
    ).toBe(0);
  });
});
