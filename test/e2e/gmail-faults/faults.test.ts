import { afterEach, describe, expect, it } from "vitest";
import type { Fault, FaultRule } from "../../../infra/standins/mailbox/faults.ts";
import { cleanUp } from "../../standins/mailbox-fixture.ts";
import { Cloud } from "./cloud.ts";

afterEach(cleanUp);

const always = { times: Number.POSITIVE_INFINITY };

/** Mail behind a fault: the cloud, the refs, and the cursor as it was before anybody looked. */
async function struck(fault: Fault, arming: FaultRule = {}, mails = 3) {
  const cloud = await Cloud.open();
  const before = await cloud.cursor();
  const refs = cloud.deliver(mails);
  cloud.mailbox.faults.arm(fault, arming);
  await cloud.hint("push");
  return { cloud, refs, before };
}

/** Everything is judged, none of it twice, and the cursor has passed all of it. */
async function expectAllJudged({ cloud, refs, before }: Awaited<ReturnType<typeof struck>>) {
  expect(cloud.statuses(refs)).toEqual({ queued: refs.length });
  expect(await cloud.cursor()).toBeGreaterThan(before);
  const listed = cloud.mailbox.requests("messages.get");
  await cloud.hint("poll");
  await cloud.pass(1);
  expect(cloud.mailbox.requests("messages.get"), "nothing is listed again").toBe(listed);
}

describe("faults while listing: end state and cursor", () => {
  it.each<[string, Fault, FaultRule]>([
    ["history is gone once", { kind: "historyNotFound" }, {}],
    ["a page has no `history`", { kind: "historyWithoutKey" }, {}],
    ["the same id stands on two pages", { kind: "historyRepeated" }, {}],
    [
      "429 with Retry-After",
      { kind: "tooManyRequests", retryAfterMs: 90_000, header: true },
      { method: "history.list" },
    ],
    [
      "429 with the time in the sentence",
      { kind: "tooManyRequests", retryAfterMs: 90_000 },
      { method: "history.list" },
    ],
    ["429 without a time", { kind: "resourceExhausted" }, { method: "history.list" }],
    ["403 rateLimitExceeded", { kind: "rateLimitExceeded" }, { method: "history.list" }],
    ["403 userRateLimitExceeded", { kind: "userRateLimitExceeded" }, { method: "history.list" }],
    ["401, then fine", { kind: "unauthorized" }, { method: "history.list" }],
    ["500", { kind: "serverError" }, { method: "history.list", times: 2 }],
    ["a slow answer", { kind: "slow", delayMs: 100 }, { method: "history.list" }],
    ["an answer that breaks off", { kind: "truncated" }, { method: "history.list" }],
  ])("%s: all mail is judged, the cursor has passed it", async (_, fault, arming) => {
    const all = await struck(fault, arming);
    await all.cloud.pass(20, () => all.refs.every((ref) => all.cloud.item(ref)?.status === "queued"));
    expect(all.cloud.mailbox.faults.struck(fault.kind)).toBeGreaterThan(0);
    await expectAllJudged(all);
    expect((await all.cloud.row()).disabledCode).toBeUndefined();
    expect((await all.cloud.row()).failures).toBeUndefined();
  });

  it("history is gone once: the gap is noted for the person", async () => {
    const { cloud } = await struck({ kind: "historyNotFound" });
    await cloud.pass(1);
    const { gapFrom = 0, gapTo = 0 } = await cloud.row();
    expect(gapTo).toBeGreaterThan(gapFrom);
  });

  it("while a 429 lasts nobody asks again, and the cursor stays", async () => {
    const { cloud, refs, before } = await struck(
      { kind: "tooManyRequests", retryAfterMs: 300_000 },
      { method: "history.list" },
    );
    await cloud.pass(4);
    expect(cloud.mailbox.requests("history.list")).toBe(2);
    expect(await cloud.cursor()).toBe(before);
    expect(cloud.statuses(refs)).toEqual({ none: 3 });
  });

  it("history is gone for ever: searched at intervals, a failure that is shown in between, and nothing lost", async () => {
    const { cloud, refs } = await struck({ kind: "historyNotFound" }, always);
    await cloud.pass(5);
    expect(cloud.statuses(refs)).toEqual({ queued: 3 });
    expect((await cloud.row()).disabledCode).toBeUndefined();
    const recovered = await cloud.cursor();
    const searches = cloud.mailbox.requests("messages.list");
    const later = cloud.deliver(2);
    await cloud.pass(16);
    expect(await cloud.row()).toMatchObject({ failureCode: "source_history_lost" });
    expect(await cloud.cursor()).toBe(recovered);
    await cloud.pass(230);
    expect(cloud.statuses(later)).toEqual({ queued: 2 });
    expect(cloud.mailbox.requests("messages.list") - searches).toBeLessThanOrEqual(5);
    cloud.mailbox.faults.disarmAll();
    await cloud.pass(20);
    expect(await cloud.cursor()).toBeGreaterThan(recovered);
    expect((await cloud.row()).failures).toBeUndefined();
  });

  it("history is lost again days after it was recovered: searched again, nothing is lost", async () => {
    const { cloud } = await struck({ kind: "historyNotFound" });
    await cloud.pass(1);
    cloud.nowMs += 3 * 86_400_000;
    const refs = cloud.deliver(2);
    cloud.mailbox.expireHistory();
    await cloud.pass(20);
    expect(cloud.statuses(refs)).toEqual({ queued: 2 });
  });

  it("ids beyond 2^53 are kept digit by digit", async () => {
    const all = await struck({ kind: "slow", delayMs: 0 });
    await all.cloud.pass(1);
    await expectAllJudged(all);
    expect(await all.cloud.cursor()).toBeGreaterThan(2n ** 53n);
  });
});

describe("faults while reading: end state, attempts and cursor", () => {
  it.each<[string, Fault, number]>([
    ["429 with a time", { kind: "tooManyRequests", retryAfterMs: 45_000 }, 0],
    ["429 without a time", { kind: "resourceExhausted" }, 0],
    ["403 rateLimitExceeded", { kind: "rateLimitExceeded" }, 0],
    ["401, then fine", { kind: "unauthorized" }, 0],
    ["500", { kind: "serverError" }, 1],
    ["an answer that breaks off, and each read alone then", { kind: "truncated" }, 0],
    ["a slow answer", { kind: "slow", delayMs: 100 }, 0],
    ["labels that change after the read", { kind: "labelsChange", add: ["STARRED"] }, 0],
  ])("%s: all mail is judged, waiting spends nothing", async (_, fault, attempts) => {
    const all = await struck(fault, { method: "messages.get" });
    await all.cloud.pass(20, () => all.refs.every((ref) => all.cloud.item(ref)?.status === "queued"));
    expect(all.cloud.mailbox.faults.struck(fault.kind)).toBe(1);
    expect(all.refs.reduce((sum, ref) => sum + (all.cloud.item(ref)?.attempts ?? 0), 0)).toBe(attempts);
    await expectAllJudged(all);
  });

  it("an id that is gone ends as gone, the others are judged", async () => {
    const { cloud, refs, before } = await struck({ kind: "messageGone" });
    await cloud.pass(5);
    expect(cloud.statuses(refs)).toEqual({ gone: 1, queued: 2 });
    expect(await cloud.cursor()).toBeGreaterThan(before);
  });

  it("a source that fails for ever ends items as dead with its code, and not the scout", async () => {
    const { cloud, refs, before } = await struck(
      { kind: "serverError", status: 503 },
      { ...always, method: "messages.get" },
    );
    await cloud.pass(20);
    expect(cloud.statuses(refs)).toEqual({ failed: 3 });
    await cloud.pass(20);
    expect(cloud.statuses(refs)).toEqual({ dead: 3 });
    expect(refs.map((ref) => cloud.item(ref)?.code)).toEqual(Array(3).fill("source_unavailable"));
    expect(await cloud.cursor()).toBeGreaterThan(before);
    expect((await cloud.row()).disabledCode).toBeUndefined();
  });
});

describe("access that is withdrawn", () => {
  it.each<[string, Fault, string]>([
    ["403 domainPolicy", { kind: "domainPolicy" }, "source_forbidden"],
    ["403 insufficientPermissions", { kind: "insufficientPermissions" }, "consent_incomplete"],
  ])(
    "%s while listing switches the scout off and keeps the cursor; connecting again finds everything",
    async (_, fault, code) => {
      const { cloud, refs, before } = await struck(fault, { method: "history.list" });
      await cloud.pass(1);
      expect(await cloud.row()).toMatchObject({ disabledCode: code });
      expect(await cloud.cursor()).toBe(before);
      expect(cloud.statuses(refs)).toEqual({ none: 3 });
      await cloud.connect();
      await cloud.pass(5);
      expect(cloud.statuses(refs)).toEqual({ queued: 3 });
    },
  );

  it("invalid_grant switches off, tells the devices once each time, keeps the cursor; what waited goes on at once after consent", async () => {
    const cloud = await Cloud.open();
    const refs = cloud.deliver(3);
    cloud.mailbox.faults.arm({ kind: "domainPolicy" }, { method: "messages.get", times: 1 });
    await cloud.hint("push");
    await cloud.pass(1);
    expect(cloud.statuses(refs)["deferred"]).toBeGreaterThan(0);
    await cloud.connect();
    await cloud.pass(2);
    expect(cloud.statuses(refs)).toEqual({ queued: 3 });

    const before = await cloud.cursor();
    const more = cloud.deliver(2);
    cloud.mailbox.revokeGrants();
    await cloud.hint("push");
    await cloud.hint("poll");
    await cloud.pass(5);
    expect(await cloud.row()).toMatchObject({ disabledCode: "reauth" });
    expect(await cloud.cursor()).toBe(before);
    expect(cloud.frames).toMatchObject(
      ["source_forbidden", "reauth"].map((code) => ({ type: "scout_reauth_required", code })),
    );
    await cloud.connect();
    await cloud.pass(2);
    expect(cloud.statuses(more)).toEqual({ queued: 2 });
    expect(await cloud.cursor()).toBeGreaterThan(before);
  });

  it("nothing is asked of a source that has withdrawn access", async () => {
    const cloud = await Cloud.open();
    cloud.mailbox.revokeGrants();
    await cloud.hint("push");
    await cloud.pass(1);
    const asked = cloud.mailbox.requests();
    await cloud.hint("push");
    await cloud.pass(60);
    expect(cloud.mailbox.requests()).toBe(asked);
  });
});

describe("the watch", () => {
  it("`Only one user push notification client`: stopped, then watched", async () => {
    const cloud = await Cloud.open();
    cloud.mailbox.faults.arm({ kind: "onePushClient" });
    cloud.nowMs += 2 * 86_400_000;
    await cloud.pass(20);
    expect(cloud.mailbox.requests("stop")).toBe(1);
    const { watchExpiresAt = 0, watchFailureCode } = await cloud.row();
    expect(watchExpiresAt - cloud.nowMs).toBeGreaterThan(6 * 86_400_000);
    expect(watchFailureCode).toBeUndefined();
  });

  it("one that fails is tried again hourly, shows, and keeps no mail waiting", async () => {
    const cloud = await Cloud.open();
    const watches = cloud.mailbox.requests("watch");
    cloud.mailbox.faults.arm({ kind: "serverError" }, { ...always, method: "watch" });
    cloud.nowMs += 2 * 86_400_000;
    const refs = cloud.deliver(2);
    await cloud.pass(180);
    expect(cloud.statuses(refs)).toEqual({ queued: 2 });
    expect(await cloud.row()).toMatchObject({ watchFailureCode: "source_unavailable" });
    expect(cloud.mailbox.requests("watch") - watches).toBeGreaterThanOrEqual(2);
    expect(cloud.mailbox.requests("watch") - watches).toBeLessThanOrEqual(4);
  });
});

/** Google's answer in the first version of its error model. */
const googleSays = (status: number, message: string, reason = "forbidden"): Fault => ({
  kind: "answer",
  status,
  body: JSON.stringify({ error: { code: status, message, errors: [{ domain: "global", reason, message }] } }),
});
const testMessage = "Error sending test message to Cloud PubSub projects/p/topics/t :";

describe("what only the operator can mend", () => {
  it.each<[string, Fault, string]>([
    [
      "no right to publish",
      googleSays(403, `${testMessage} User not authorized to perform this action.`),
      "source_push_refused",
    ],
    [
      "no such topic",
      googleSays(404, `${testMessage} Resource not found (resource=t).`, "notFound"),
      "source_push_topic_invalid",
    ],
    [
      "a topic of another project",
      googleSays(400, "Invalid topicName does not match projects/p/topics/*", "invalidArgument"),
      "source_push_topic_invalid",
    ],
    ["domain policy on the watch", { kind: "domainPolicy" }, "source_forbidden"],
  ])(
    "P2: a watch refused (%s) disables nobody: mail is found by polling, health says why, and it mends itself",
    async (_, fault, code) => {
      const cloud = await Cloud.open();
      cloud.mailbox.faults.arm(fault, { ...always, method: "watch" });
      cloud.nowMs += 7 * 86_400_000;
      await cloud.pass(20);
      const refs = cloud.deliver(2);
      await cloud.pass(16);
      expect(cloud.statuses(refs)).toEqual({ queued: 2 });
      expect((await cloud.row()).disabledCode).toBeUndefined();
      expect(await cloud.health()).toMatchObject({
        state: "active",
        pollEveryMs: 15 * 60_000,
        watch: { state: "lapsed", failureCode: code },
      });
      cloud.mailbox.faults.disarmAll();
      await cloud.pass(80);
      expect((await cloud.health()).watch).toMatchObject({ state: "active", failureCode: null });
    },
  );

  it.each(["invalid_client", "unauthorized_client", "deleted_client"])(
    "P2: a wrong client secret (%s) disables nobody and spends no attempt; mended, everything goes on by itself",
    async (error) => {
      const cloud = await Cloud.open();
      const refs = cloud.deliver(3);
      cloud.nowMs += 3_600_000;
      const answer: Fault = {
        kind: "answer",
        status: 401,
        body: JSON.stringify({ error, error_description: "Unauthorized" }),
      };
      cloud.mailbox.faults.arm(answer, { ...always, method: "token" });
      await cloud.pass(120);
      const later = cloud.deliver(2);
      await cloud.pass(60);
      expect((await cloud.row()).disabledCode).toBeUndefined();
      expect(cloud.frames).toEqual([]);
      expect(await cloud.health()).toMatchObject({ state: "active", failures: { code: "configuration_invalid" } });
      cloud.mailbox.faults.disarmAll();
      await cloud.pass(10);
      expect(cloud.statuses([...refs, ...later])).toEqual({ queued: 5 });
      expect([...refs, ...later].map((ref) => cloud.item(ref)?.attempts ?? 0)).toEqual([0, 0, 0, 0, 0]);
      expect((await cloud.health()).failures.count).toBe(0);
    },
  );

  it("P2: items whose reading fails for the secret wait without spending an attempt", async () => {
    const cloud = await Cloud.open();
    const refs = cloud.deliver(3);
    await cloud.hint("push");
    cloud.mailbox.faults.arm(
      googleSays(403, "Gmail API has not been used in project 1 before", "accessNotConfigured"),
      {
        ...always,
        method: "messages.get",
      },
    );
    await cloud.pass(90);
    expect(cloud.statuses(refs)).not.toHaveProperty("dead");
    cloud.mailbox.faults.disarmAll();
    await cloud.pass(20);
    expect(cloud.statuses(refs)).toEqual({ queued: 3 });
    expect(refs.map((ref) => cloud.item(ref)?.attempts ?? 0)).toEqual([0, 0, 0]);
  });
});

describe("a mail that takes its worker with it", () => {
  it("P2: is shown without a verdict in the end, alone; its batch mates are judged by the time they come for the third time", async () => {
    const cloud = await Cloud.open();
    const refs = cloud.deliver(10);
    cloud.killer = refs[4];
    await cloud.hint("push");
    await cloud.work();
    expect(cloud.statuses(refs)).not.toHaveProperty("queued");
    const mates = refs.filter((ref) => ref !== cloud.killer);
    const thirdReceiveInMinutes = 12;
    await cloud.pass(thirdReceiveInMinutes);
    expect(cloud.statuses(mates)).toEqual({ queued: mates.length });
    await cloud.pass(60);
    expect(cloud.statuses(mates)).toEqual({ queued: mates.length });
    expect(cloud.killer && cloud.item(cloud.killer)).toMatchObject({
      ...{ status: "queued", reasonCode: "unjudged", code: "interrupted" },
    });
    expect([cloud.triage.deadLength, cloud.triage.length]).toEqual([0, 0]);
  });
});
