import { afterEach, describe, expect, test } from "vitest";
import { type Feeds, startFeeds } from "../../infra/standins/feeds/start.ts";
import { maxDocumentBytes } from "../../shared/scouts/connectors/feed/fetch-document.ts";
import { firstReading, listNew } from "../../shared/scouts/connectors/feed/listing.ts";
import { newAccess, refOf } from "../../shared/scouts/connectors/feed/settings.ts";
import { scoutAtSource as scout, vault } from "../contract/connector-fixtures.ts";

const open: Feeds[] = [];
afterEach(async () => {
  for (const feeds of open.splice(0)) await feeds.close();
});

const notes = `<p>${"what was talked about, and where it can be read ".repeat(1200)}</p>`;
/** Episodes of so long notes that make some half more than what is read of a feed. */
const episodes = Math.ceil((maxDocumentBytes * 1.5) / notes.length);
const dayMs = 86_400_000;
const latestMs = Date.UTC(2026, 10, 20);

/** A podcast of years, and somebody who reads it. */
async function podcast({ path = "/rss.xml" as "/rss.xml" | "/atom.xml" | "/feed.json", dated = true } = {}) {
  const feeds = await startFeeds();
  open.push(feeds);
  const publish = (number: number, html = notes) =>
    feeds.publish({
      guid: `episode ${number}`,
      html,
      publishedAtMs: dated ? latestMs - (episodes - number) * dayMs : latestMs,
    });
  for (let number = 1; number <= episodes; number += 1) publish(number);
  const access = newAccess(feeds.feedUrl(path));
  const ports = { scout, vault: await vault()(), fetchOptions: { reach: "any" as const, nowMs: latestMs } };
  const refs = new Map(
    Array.from({ length: episodes + 10 }, (_, number) => [refOf(access, `id episode ${number}`), number]),
  );
  return {
    feeds,
    publish,
    first: () => firstReading(ports, access, 3),
    look: async (cursor: string) => {
      const listing = await listNew(ports, access, cursor);
      return { cursor: listing.cursor, found: listing.refs.map((ref) => refs.get(ref)) };
    },
  };
}

describe("a feed that is longer than what is read of one", () => {
  test.each(["/rss.xml", "/atom.xml"] as const)(
    "P2: is read by its beginning, where its newest are: %s",
    async (path) => {
      const { first, look, publish, feeds } = await podcast({ path });
      const { items, cursor } = await first();
      expect(items).toBeGreaterThan(50);
      expect(items).toBeLessThan(episodes);
      const begun = await look(cursor);
      expect(begun.found).toEqual([episodes, episodes - 1, episodes - 2]);
      publish(episodes + 1);
      const next = await look(begun.cursor);
      expect(next.found).toEqual([episodes + 1]);
      // It is asked for again only when it has changed.
      await look(next.cursor);
      expect(feeds.requests().notModified).toBe(1);
    },
  );

  test("what comes into sight because others have become shorter is old, and no news", async () => {
    const { first, look, publish, feeds } = await podcast();
    const begun = await look((await first()).cursor);
    for (let number = episodes - 20; number <= episodes; number += 1) {
      feeds.remove(`episode ${number}`);
      publish(number, "<p>short</p>");
    }
    publish(episodes + 1);
    const next = await look(begun.cursor);
    expect(next.found).toEqual([episodes + 1]);
    feeds.remove(`episode ${episodes}`);
    expect((await look(next.cursor)).found).toEqual([]);
  });

  test("P4: is refused where its newest would stand behind that, or nobody can tell", async () => {
    const oldestFirst = await podcast();
    oldestFirst.feeds.moveItems();
    await expect(oldestFirst.first()).rejects.toMatchObject({ code: "source_too_large" });
    const json = await podcast({ path: "/feed.json" });
    await expect(json.first()).rejects.toMatchObject({ code: "source_too_large" });
  });
});
