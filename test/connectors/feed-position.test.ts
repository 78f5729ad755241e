import { afterEach, describe, expect, test } from "vitest";
import type { ItemRef } from "../../events/ids.ts";
import { type Feeds, startFeeds } from "../../infra/standins/feeds/start.ts";
import { listNew } from "../../shared/scouts/connectors/feed/listing.ts";
import { newAccess } from "../../shared/scouts/connectors/feed/settings.ts";
import { scoutAtSource as scout, vault } from "../contract/connector-fixtures.ts";

const nothingKnown = { known: new Set<string>(), readAtSeconds: 0 };

const open: Feeds[] = [];
afterEach(async () => {
  for (const feeds of open.splice(0)) await feeds.close();
});

/** A feed with items 1 to `count` and somebody who reads it from position to position. */
async function reader(count: number) {
  const feeds = await startFeeds();
  open.push(feeds);
  for (let item = 1; item <= count; item += 1) feeds.publish({ guid: `item ${item}` });
  const access = newAccess(feeds.feedUrl());
  const sealer = await vault()();
  let nowMs = Date.now();
  const list = (cursor?: string) => {
    const ports = { scout, vault: sealer, fetchOptions: { reach: "any" as const, nowMs } };
    return listNew(ports, access, cursor ?? nothingKnown);
  };
  return {
    feeds,
    list,
    waitADay: () => {
      nowMs += 86_401_000;
    },
  };
}
const sorted = (refs: readonly ItemRef[]) => [...refs].sort();

describe("where a feed has been read to", () => {
  test("P2: items that leave the feed for a while and come back are not new, nor are moved ones", async () => {
    const { feeds, list } = await reader(3);
    const { cursor } = await list();
    feeds.remove("item 2");
    const without = await list(cursor);
    feeds.publish({ guid: "item 2" });
    feeds.moveItems();
    const back = await list(without.cursor);
    expect([...without.refs, ...back.refs]).toEqual([]);
    expect(feeds.requests().notModified).toBe(0);
  });

  test("an unchanged feed costs a 304 and leaves the position as it was", async () => {
    const { feeds, list } = await reader(2);
    const { cursor } = await list();
    expect(await list(cursor)).toEqual({ refs: [], cursor });
    expect(feeds.requests()).toEqual({ all: 2, notModified: 1 });
  });

  test("P2: a server that says 304 whatever has changed is not believed for longer than a day", async () => {
    const { feeds, list, waitADay } = await reader(1);
    const { cursor } = await list();
    feeds.publish({ guid: "news" });
    feeds.arm({ kind: "neverModified" });
    expect((await list(cursor)).refs).toEqual([]);
    waitADay();
    expect((await list(cursor)).refs).toHaveLength(1);
  });

  test("P2: what a document broke off before is found when it is whole again, ETag or not", async () => {
    const { feeds, list } = await reader(30);
    const empty = await list();
    feeds.publish({ guid: "news" });
    feeds.moveItems();
    const disarm = feeds.arm({ kind: "cutDocument" });
    const cut = await list(empty.cursor);
    expect(cut.refs).toEqual([]);
    disarm();
    expect((await list(cut.cursor)).refs).toHaveLength(1);
  });

  test("P1: neither the validators nor the identities can be read in a position", async () => {
    const { feeds, list } = await reader(3);
    const { cursor, refs } = await list();
    const { etag } = await fetch(feeds.feedUrl()).then((response) => ({ etag: response.headers.get("etag") ?? "" }));
    expect(etag.length).toBeGreaterThan(10);
    expect(cursor).not.toContain(etag.slice(1, 20));
    expect(cursor).not.toContain("item");
    expect(refs).toHaveLength(3);
  });

  test("another scout on the same feed has other refs", async () => {
    const { feeds, list } = await reader(2);
    const ports = { scout, vault: await vault()(), fetchOptions: { reach: "any" as const, nowMs: Date.now() } };
    const other = await listNew(ports, newAccess(feeds.feedUrl()), nothingKnown);
    const own = await list();
    expect(sorted(own.refs).some((ref) => other.refs.includes(ref))).toBe(false);
  });
});
