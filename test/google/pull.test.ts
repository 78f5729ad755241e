import { createRemoteJWKSet, jwtVerify } from "jose";
import { afterEach, expect, test } from "vitest";
import { systemClock } from "../../device/connection/clock.ts";
import { pull } from "../../device/google/pull.ts";
import { pubsubPush } from "../../events/webhooks.ts";
import { type HttpAnswer, type HttpRequest, serveLoopback } from "../../infra/standins/loopback-server.ts";
import { startPush } from "../../infra/standins/push/start.ts";
import { ownFolder } from "../e2e/folders.ts";
import { FakeSubscription } from "./fake-subscription.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A subscription pulled into the push stand-in, which posts to a webhook that answers as told. */
async function pulling(answer: (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>) {
  const folder = ownFolder();
  cleanups.push(() => folder.remove());
  const webhook = await serveLoopback(answer);
  cleanups.push(() => webhook.close());
  const push = await startPush({
    stateDir: folder.path,
    endpoint: webhook.url,
    audience: "hook",
    serviceAccount: "push@local.iam",
    subscription: "projects/p/subscriptions/s",
  });
  cleanups.push(() => push.close());
  const source = new FakeSubscription();
  const problems: Error[] = [];
  const puller = pull(
    source,
    (message) => push.forward(message),
    (error) => problems.push(error),
    systemClock,
  );
  return { source, push, puller, problems };
}

test("what is pulled reaches the webhook as Pub/Sub would have pushed it, signed", async () => {
  const requests: HttpRequest[] = [];
  const { source, push } = await pulling((request) => {
    requests.push(request);
    return { status: 204 };
  });
  expect(await source.publish({ emailAddress: "ada@example.com", historyId: "7" }, { a: "b" })).toBe("acknowledged");
  const [request] = requests;
  const body = pubsubPush.parse(JSON.parse(String(request?.body)));
  expect(body).toMatchObject({ subscription: "projects/p/subscriptions/s" });
  expect(body.message).toMatchObject({ publishTime: "2026-11-20T09:00:00.000Z", attributes: { a: "b" } });
  expect(source.acknowledged).toEqual([body.message.messageId]);
  expect(JSON.parse(Buffer.from(body.message.data, "base64").toString())).toEqual({
    emailAddress: "ada@example.com",
    historyId: "7",
  });
  const token = String(request?.headers.authorization).replace("Bearer ", "");
  const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(push.jwksUrl)), { audience: "hook" });
  expect(payload).toMatchObject({ email: "push@local.iam", email_verified: true });
  expect(push.pending()).toBe(0);
});

test.each([401, 500, 503])("P2: a webhook that answers %i acknowledges nothing", async (status) => {
  const { source, problems } = await pulling(() => ({ status }));
  expect(await source.publish({})).toBe("refused");
  expect(source.acknowledged).toEqual([]);
  expect(problems).toEqual([]);
});

test("P2: a message is acknowledged after its delivery and not before; ending waits for it", async () => {
  const arrived = Promise.withResolvers<void>();
  const release = Promise.withResolvers<HttpAnswer>();
  const { source, puller } = await pulling(() => {
    arrived.resolve();
    return release.promise;
  });
  const settled = source.publish({});
  await arrived.promise;
  expect(source.acknowledged).toEqual([]);
  const closing = puller.close();
  expect(source.closed).toBe(false);
  expect(await source.publish({})).toBe("refused");
  release.resolve({ status: 204 });
  expect(await settled).toBe("acknowledged");
  await closing;
  expect(source.closed).toBe(true);
});

test("a subscription that has ended by itself is pulled from again, later each time until it has held, and not once it is closed", async () => {
  const source = new FakeSubscription();
  const waits: { delayMs: number; work: () => void; isOver: boolean }[] = [];
  const problems: string[] = [];
  const puller = pull(
    source,
    async () => true,
    ({ message }) => problems.push(message),
    {
      after: (delayMs, work) => {
        const wait = { delayMs, work, isOver: false };
        waits.push(wait);
        return () => {
          wait.isOver = true;
        };
      },
    },
  );
  /** The one wait that is left has passed. */
  const passes = (): number => {
    const [wait, ...more] = waits.filter(({ isOver }) => !isOver);
    if (wait === undefined || more.length > 0) throw new Error("one wait at a time");
    wait.isOver = true;
    wait.work();
    return wait.delayMs;
  };
  const endsAndBegins = (): number => {
    source.fail(new Error("refused"));
    source.end();
    return passes();
  };
  expect([endsAndBegins(), endsAndBegins(), endsAndBegins()]).toEqual([5_000, 10_000, 20_000]);
  expect(Array.from({ length: 6 }, endsAndBegins).at(-1)).toBe(300_000);
  expect([source.starts, problems]).toEqual([10, ["refused"]]);
  passes();
  expect(endsAndBegins(), "it had held").toBe(5_000);
  expect([source.starts, problems]).toEqual([11, ["refused", "refused"]]);
  expect(await source.publish({})).toBe("acknowledged");
  await puller.close();
  source.end();
  expect(waits.filter(({ isOver }) => !isOver)).toEqual([]);
});

test("what the subscription fails with is told", async () => {
  const { source, problems } = await pulling(() => ({ status: 204 }));
  source.fail(new Error("no such subscription"));
  expect(problems.map(({ message }) => message)).toEqual(["no such subscription"]);
});
