import { afterEach, describe, expect, test } from "vitest";
import { isScoutsError } from "../../events/errors.ts";
import { type Feeds, startFeeds } from "../../infra/standins/feeds/start.ts";
import { serveLoopback } from "../../infra/standins/loopback-server.ts";
import { fetchDocument, maxDocumentBytes } from "../../shared/scouts/connectors/feed/fetch-document.ts";

const open: Pick<Feeds, "close">[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
async function served(): Promise<Feeds> {
  const feeds = await startFeeds();
  open.push(feeds);
  feeds.publish({ guid: "first" });
  return feeds;
}
const options = { reach: "any", nowMs: Date.parse("2026-11-20T09:00:00Z"), timeoutMs: 600_000 } as const;
const failureOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isScoutsError(error)) throw error ?? new Error("it did not fail");
  return { code: error.code, ...error.data };
};

describe("fetching a feed", () => {
  test("what has not changed is not sent again: ETag and 304", async () => {
    const feeds = await served();
    const first = await fetchDocument(feeds.feedUrl(), {}, options);
    expect(first?.body.toString()).toContain("first");
    expect(await fetchDocument(feeds.feedUrl(), first?.validators ?? {}, options)).toBeUndefined();
    feeds.publish({ guid: "second" });
    expect((await fetchDocument(feeds.feedUrl(), first?.validators ?? {}, options))?.body.toString()).toContain(
      "second",
    );
    expect(feeds.requests()).toEqual({ all: 3, notModified: 1 });
  });

  test("a 304 to whoever has shown nothing to compare with is a failure, and not for ever no news", async () => {
    const server = await serveLoopback(() => ({ status: 304 }));
    open.push(server);
    const failed = { code: "source_unavailable", status: 304, reason: "status" };
    expect(await failureOf(fetchDocument(server.url, {}, options))).toEqual(failed);
    expect(await fetchDocument(server.url, { etag: '"1"' }, options)).toBeUndefined();
  });

  test("a loopback address is not connected to unless the deployment allows it", async () => {
    const feeds = await served();
    expect(await failureOf(fetchDocument(feeds.feedUrl(), {}, { ...options, reach: "public" }))).toMatchObject({
      code: "source_address_refused",
    });
    // By name as well: what "localhost" resolves to is looked at when it is connected to.
    const named = feeds.feedUrl().replace("127.0.0.1", "localhost");
    expect(await failureOf(fetchDocument(named, {}, { ...options, reach: "public" }))).toMatchObject({
      code: "source_address_refused",
    });
    expect(feeds.requests().all).toBe(0);
  });

  test("where any address may be reached, a server of the internet still leads nobody inside", async () => {
    const [outside, inside] = [await served(), await served()];
    outside.arm({ kind: "redirect", to: inside.feedUrl() });
    // The loopback range stands for the internet here; what it leads to is checked by the real rule.
    const isPublic = () => true;
    expect(await failureOf(fetchDocument(outside.feedUrl(), {}, { ...options, isPublic }))).toMatchObject({
      code: "source_address_refused",
    });
    expect(inside.requests().all).toBe(0);
    expect(await fetchDocument(inside.feedUrl(), {}, { ...options, isPublic })).toMatchObject({ isPublic: true });
    expect(await fetchDocument(inside.feedUrl(), {}, options)).toMatchObject({ isPublic: false });
  });

  test("redirects are followed, five at most", async () => {
    const [from, to] = [await served(), await served()];
    to.publish({ guid: "at the new place" });
    from.arm({ kind: "redirect", to: to.feedUrl("/atom.xml") });
    expect((await fetchDocument(from.feedUrl(), {}, options))?.body.toString()).toContain("at the new place");
    to.arm({ kind: "redirect", to: from.feedUrl(), status: 302 });
    expect(await failureOf(fetchDocument(from.feedUrl(), {}, options))).toEqual({
      code: "source_leads_round",
      redirects: 5,
    });
    expect(from.requests().all + to.requests().all).toBe(2 + 6);
  });

  test("of a document that unpacks beyond the bound no more is read than that", async () => {
    const feeds = await served();
    const disarm = feeds.arm({ kind: "bomb", bytes: maxDocumentBytes + 1 });
    const cut = await fetchDocument(feeds.feedUrl(), {}, options);
    expect([cut.body.length, cut.isCut]).toEqual([maxDocumentBytes, true]);
    disarm();
    feeds.arm({ kind: "bomb", bytes: maxDocumentBytes });
    const whole = await fetchDocument(feeds.feedUrl(), {}, options);
    expect([whole.body.length, whole.isCut]).toEqual([maxDocumentBytes, false]);
  });

  test.each([
    ["120", 120_000],
    ["0", 1000],
    ["Fri, 20 Nov 2026 09:10:00 GMT", 600_000],
    ["Fri, 20 Nov 2020 09:10:00 GMT", 1000],
    ["99999999", 86_400_000],
    ["soon", undefined],
  ])("Retry-After: %s is waited for: %s ms", async (retryAfter, retryAfterMs) => {
    const feeds = await served();
    feeds.arm({ kind: "status", status: 429, retryAfter });
    expect(await failureOf(fetchDocument(feeds.feedUrl(), {}, options))).toEqual({
      code: "source_rate_limited",
      status: 429,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  });
});
