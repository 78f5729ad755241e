import { afterEach, describe, expect, it } from "vitest";
import type { Fault, FaultRule } from "../../infra/standins/mailbox/faults.ts";
import {
  cleanUp,
  clientOf,
  failureOf,
  historyIds,
  message,
  openMailbox,
  topicName,
  watchAll,
} from "./mailbox-fixture.ts";

afterEach(cleanUp);

async function mailboxWithMail(count = 3) {
  const mailbox = await openMailbox();
  const client = clientOf(mailbox);
  const ids = Array.from({ length: count }, (_, n) => mailbox.deliver(message(`m${n}`)));
  const start = await watchAll(mailbox, client);
  const profile = () => client.users.getProfile({ userId: "me" });
  return { mailbox, client, ids, start, profile };
}

describe("faults of the mailbox stand-in, armed while it runs", () => {
  it.each<[string, Fault, FaultRule, { status: number; reason: string }]>([
    [
      "429 with the time to wait",
      { kind: "tooManyRequests", retryAfterMs: 60_000 },
      {},
      { status: 429, reason: "rateLimitExceeded" },
    ],
    ["429 exhausted", { kind: "resourceExhausted" }, {}, { status: 429, reason: "rateLimitExceeded" }],
    ["403 rate", { kind: "rateLimitExceeded" }, {}, { status: 403, reason: "rateLimitExceeded" }],
    ["403 user rate", { kind: "userRateLimitExceeded" }, {}, { status: 403, reason: "userRateLimitExceeded" }],
    ["403 policy", { kind: "domainPolicy" }, {}, { status: 403, reason: "domainPolicy" }],
    ["403 scope", { kind: "insufficientPermissions" }, {}, { status: 403, reason: "insufficientPermissions" }],
    ["401", { kind: "unauthorized" }, {}, { status: 401, reason: "authError" }],
    ["500", { kind: "serverError" }, {}, { status: 500, reason: "backendError" }],
    ["503", { kind: "serverError", status: 503 }, {}, { status: 503, reason: "backendError" }],
  ])("%s once, then fine", async (_name, fault, arming, expected) => {
    const { mailbox, profile } = await mailboxWithMail();
    mailbox.faults.arm(fault, arming);
    expect(await failureOf(profile())).toMatchObject(expected);
    expect((await profile()).status).toBe(200);
    expect(mailbox.faults.struck(fault.kind)).toBe(1);
  });

  it("names the time of a 429 in the sentence, and in Retry-After only on request", async () => {
    const { mailbox } = await mailboxWithMail();
    const { accessToken } = mailbox.grant(["https://www.googleapis.com/auth/gmail.readonly"]);
    const call = () =>
      fetch(`${mailbox.url}/gmail/v1/users/me/profile`, { headers: { authorization: `Bearer ${accessToken}` } });
    mailbox.faults.arm({ kind: "tooManyRequests", retryAfterMs: 5000 });
    const plain = await call();
    expect(plain.headers.get("retry-after")).toBeNull();
    expect(await plain.text()).toMatch(/User-rate limit exceeded\. {2}Retry after \d{4}-\d\d-\d\dT[\d:.]+Z/);
    mailbox.faults.arm({ kind: "tooManyRequests", retryAfterMs: 5000, header: true });
    expect((await call()).headers.get("retry-after")).toBe("5");
  });

  it("forgets history once, and for ever until disarmed", async () => {
    const { mailbox, client, ids, start } = await mailboxWithMail();
    mailbox.faults.arm({ kind: "historyNotFound" });
    expect(await failureOf(historyIds(client, start))).toMatchObject({ status: 404 });
    expect(await historyIds(client, start)).toEqual(ids);
    const disarm = mailbox.faults.arm({ kind: "historyNotFound" }, { times: Number.POSITIVE_INFINITY });
    for (let n = 0; n < 3; n++) expect(await failureOf(historyIds(client, start))).toMatchObject({ status: 404 });
    disarm();
    expect(await historyIds(client, start)).toEqual(ids);
  });

  it("gives a page without `history` that leads on to the page that has it", async () => {
    const { mailbox, client, ids, start } = await mailboxWithMail();
    mailbox.faults.arm({ kind: "historyWithoutKey" });
    const { data } = await client.users.history.list({ userId: "me", startHistoryId: start });
    expect(data.history).toBeUndefined();
    expect(data.nextPageToken).toBeDefined();
    mailbox.faults.arm({ kind: "historyWithoutKey" });
    expect(await historyIds(client, start)).toEqual(ids);
  });

  it("gives the same message on two pages", async () => {
    const { mailbox, client, ids, start } = await mailboxWithMail();
    mailbox.faults.arm({ kind: "historyRepeated" });
    expect(await historyIds(client, start, 2)).toEqual([ids[0], ids[1], ids[1], ids[2]]);
  });

  it("loses a named message on get", async () => {
    const { mailbox, client, ids } = await mailboxWithMail();
    mailbox.faults.arm({ kind: "messageGone", id: ids[1] ?? "" }, { times: Number.POSITIVE_INFINITY });
    const get = (id = "") => client.users.messages.get({ userId: "me", id });
    expect((await get(ids[0])).status).toBe(200);
    expect(await failureOf(get(ids[1]))).toMatchObject({ status: 404, reason: "notFound" });
  });

  it("changes labels between the reading of a message and what follows", async () => {
    const { mailbox, client, ids } = await mailboxWithMail();
    mailbox.faults.arm({ kind: "labelsChange", add: ["STARRED"] });
    const get = () => client.users.messages.get({ userId: "me", id: ids[0] ?? "", format: "minimal" });
    expect((await get()).data.labelIds).not.toContain("STARRED");
    expect((await get()).data.labelIds).toContain("STARRED");
  });

  it("refuses to watch until stop was called", async () => {
    const { mailbox, client } = await mailboxWithMail();
    const watch = () => client.users.watch({ userId: "me", requestBody: { topicName } });
    mailbox.faults.arm({ kind: "onePushClient" }, { method: "watch" });
    expect(await failureOf(watch())).toMatchObject({
      status: 400,
      message: expect.stringContaining("Only one user push"),
    });
    expect(await failureOf(watch())).toMatchObject({ status: 400 });
    await client.users.stop({ userId: "me" });
    expect((await watch()).status).toBe(200);
  });

  it("breaks an answer off half way, and answers slowly", async () => {
    const { mailbox, client, ids, profile } = await mailboxWithMail();
    mailbox.faults.arm({ kind: "truncated" }, { method: "messages.get" });
    await expect(client.users.messages.get({ userId: "me", id: ids[0] ?? "" })).rejects.toThrow();
    mailbox.faults.arm({ kind: "slow", delayMs: 30_000 }, { method: "getProfile" });
    await expect(client.users.getProfile({ userId: "me" }, { timeout: 50 })).rejects.toThrow();
    expect((await profile()).status).toBe(200);
  });

  it("fails a seeded share of calls", async () => {
    const draws = [0.1, 0.9, 0.1, 0.9];
    const mailbox = await openMailbox({ random: () => draws.shift() ?? 0.9 });
    const client = clientOf(mailbox);
    mailbox.faults.arm({ kind: "serverError" }, { times: Number.POSITIVE_INFINITY, probability: 0.5 });
    const outcomes: number[] = [];
    for (let n = 0; n < 4; n++) {
      outcomes.push(
        await client.users.getProfile({ userId: "me" }).then(
          () => 200,
          () => 500,
        ),
      );
    }
    expect(outcomes).toEqual([500, 200, 500, 200]);
  });

  it("refuses a refresh token as revoked", async () => {
    const { mailbox } = await mailboxWithMail();
    const { refreshToken } = mailbox.grant(["https://www.googleapis.com/auth/gmail.readonly"]);
    const refresh = () =>
      fetch(mailbox.tokenUrl, {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "refresh_token",
          refresh_token: refreshToken,
          client_id: "scouts.apps.example.com",
          client_secret: "not-a-secret",
        }),
      });
    mailbox.faults.arm({ kind: "invalidGrant" });
    const refused = await refresh();
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: "invalid_grant" });
    expect((await refresh()).status).toBe(200);
  });
});
