import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { pubsubPush } from "../../events/webhooks.ts";
import { type HttpRequest, serveLoopback } from "../../infra/standins/loopback-server.ts";
import { type PushOptions, startPush } from "../../infra/standins/push/start.ts";
import { cleanUp, closeLater, temporaryFolder } from "./mailbox-fixture.ts";
import { told } from "./stderr-told.ts";

afterEach(cleanUp);

const identity = {
  audience: "scouts-gmail-webhook",
  serviceAccount: "scouts-push@local.iam.gserviceaccount.com",
  subscription: "projects/local/subscriptions/scouts-gmail",
};

async function openPush(options: Partial<PushOptions> = {}) {
  const stateDir = options.stateDir ?? (await temporaryFolder());
  return closeLater(await startPush({ ...identity, backoffMs: { min: 1, max: 20 }, ...options, stateDir }));
}

/** A webhook that answers with the statuses given, then 204, and keeps what it was sent. */
async function openWebhook(statuses: number[] = []) {
  const requests: HttpRequest[] = [];
  const server = closeLater(
    await serveLoopback((request) => {
      requests.push(request);
      return { status: statuses.shift() ?? 204 };
    }),
  );
  const values = () =>
    requests.map((request) => {
      const { message } = pubsubPush.parse(JSON.parse(request.body.toString()));
      return JSON.parse(Buffer.from(message.data, "base64").toString()).n;
    });
  return { url: server.url, requests, values };
}

describe("the push stand-in", () => {
  it("delivers a Pub/Sub body with a token that its key set verifies", async () => {
    const webhook = await openWebhook();
    const push = await openPush({ endpoint: `${webhook.url}/hook` });
    const id = push.publish({ emailAddress: "ada@example.com", historyId: "9007199255975559" });
    await push.whenIdle();
    const [request] = webhook.requests;
    const body = JSON.parse(String(request?.body));
    expect(body).toMatchObject({ subscription: identity.subscription, message: { messageId: id, message_id: id } });
    expect(pubsubPush.parse(body).message.publishTime).toMatch(/^\d{4}-.*Z$/);
    const token = request?.headers.authorization?.replace("Bearer ", "") ?? "";
    const verified = await jwtVerify(token, createRemoteJWKSet(new URL(push.jwksUrl)), {
      issuer: "https://accounts.google.com",
      audience: identity.audience,
      algorithms: ["RS256"],
    });
    expect(verified.payload).toMatchObject({ email: identity.serviceAccount, email_verified: true });
    expect((verified.payload.exp ?? 0) - (verified.payload.iat ?? 0)).toBe(3600);
    expect((await fetch(push.jwksUrl)).headers.get("cache-control")).toMatch(/max-age=\d+/);
  });

  it("uses one token within its hour and a new one near its end", async () => {
    let now = 1_000_000_000;
    const push = await openPush({ clock: () => now });
    const first = await push.token();
    now += 3_000_000;
    expect(await push.token()).toBe(first);
    now += 500_000;
    expect(await push.token()).not.toBe(first);
  });

  it.each([500, 429, 400, 404, 302])("delivers again after %i until it is acknowledged", async (status) => {
    const webhook = await openWebhook([status, status]);
    const push = await openPush({ endpoint: webhook.url });
    push.publish({ n: 1 });
    await push.whenIdle();
    expect(webhook.values()).toEqual([1, 1, 1]);
    expect(push.stats()).toEqual({ deliveries: 3, acknowledged: 1, refused: 2 });
  });

  it.each([200, 201, 202, 204])("takes %i for an acknowledgement", async (status) => {
    const webhook = await openWebhook([status]);
    const push = await openPush({ endpoint: webhook.url });
    push.publish({ n: 1 });
    await push.whenIdle();
    expect(push.stats().deliveries).toBe(1);
  });

  it("keeps what nobody acknowledged across a restart, under the same key (P2)", async () => {
    const stateDir = await temporaryFolder();
    const webhook = await openWebhook();
    const first = await openPush({ stateDir });
    const ids = [first.publish({ n: 1 }), first.publish({ n: 2 })];
    expect(first.pending()).toBe(2);
    const keys = await (await fetch(first.jwksUrl)).text();
    await first.close();
    const second = await openPush({ stateDir });
    expect(await (await fetch(second.jwksUrl)).text()).toBe(keys);
    second.setEndpoint(webhook.url);
    await second.whenIdle();
    expect(webhook.values().sort()).toEqual([1, 2]);
    await second.close();
    const third = await openPush({ stateDir, endpoint: webhook.url });
    expect(third.pending()).toBe(0);
    expect(ids).not.toContain(third.publish({ n: 3 }));
  });

  it("delivers twice and out of order on request, and still everything", async () => {
    const webhook = await openWebhook();
    let draw = 0;
    const random = () => [0.1, 0.9, 0.3, 0.7][draw++ % 4] ?? 0;
    const push = await openPush({ endpoint: webhook.url, random, hostile: { duplicate: 0.5, reorder: 0.5 } });
    for (let n = 0; n < 20; n++) push.publish({ n });
    await push.whenIdle();
    const values = webhook.values();
    expect(new Set(values).size).toBe(20);
    expect(values.length).toBeGreaterThan(20);
    expect([...new Set(values)]).not.toEqual([...new Set(values)].sort((a, b) => a - b));
  });

  it("goes on when the webhook is not there, and stops when closed", async () => {
    const gone = await openWebhook();
    const push = await openPush({ endpoint: "http://127.0.0.1:9/" });
    push.publish({ n: 1 });
    push.setEndpoint(gone.url);
    await push.whenIdle();
    expect(push.pending()).toBe(0);
    const stuck = await openPush({ endpoint: "http://127.0.0.1:9/", backoffMs: { min: 60_000, max: 60_000 } });
    stuck.publish({ n: 1 });
    await stuck.close();
  });

  it("P2: ends no home whose disk is full when a delivery is acknowledged, and forgets it when there is room", async () => {
    const webhook = await openWebhook();
    const stateDir = await temporaryFolder();
    const later: (() => void)[] = [];
    const waited = Promise.withResolvers<void>();
    const push = await openPush({
      ...{ endpoint: webhook.url, stateDir },
      after: (_delayMs, run) => {
        later.push(run);
        waited.resolve();
        return () => {};
      },
    });
    const database = new DatabaseSync(join(stateDir, "push.sqlite"));
    closeLater({ close: async () => database.close() });
    const kept = () => database.prepare("SELECT id FROM outbox").all().length;
    database.exec(
      "CREATE TRIGGER full BEFORE DELETE ON outbox BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END",
    );
    const stderr = told();
    push.publish({ n: 1 });
    await push.whenIdle();
    await waited.promise;
    expect(stderr.lines.join("")).toMatch(/cannot be forgotten/);
    expect([webhook.values(), push.pending(), kept()]).toEqual([[1], 0, 1]);
    database.exec("DROP TRIGGER full");
    for (const run of later.splice(0)) run();
    expect(kept()).toBe(0);
  });
});
