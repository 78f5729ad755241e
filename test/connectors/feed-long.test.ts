import { describe, expect, test } from "vitest";
import { type ItemRef, itemRef } from "../../events/ids.ts";
import { firstReading, listNew } from "../../shared/scouts/connectors/feed/listing.ts";
import { nowKnown } from "../../shared/scouts/connectors/feed/position.ts";
import { newAccess, refOf } from "../../shared/scouts/connectors/feed/settings.ts";
import { scoutAtSource as scout, vault } from "../contract/connector-fixtures.ts";

interface Listed {
  readonly guid: string;
  readonly date?: string;
}

const numbered = (from: number, to: number): Listed[] =>
  Array.from({ length: to - from }, (_, at) => ({ guid: `item ${from + at}` }));
/** Names without numbers, which tell no order. */
const named = (count: number): Listed[] =>
  Array.from({ length: count }, (_, at) => ({
    guid: at.toString(26).replace(/\d/g, (digit) => "qrstuvwxyz".charAt(+digit)),
  }));
const daysAgo = (days: number): string => new Date(Date.UTC(2026, 10, 20) - days * 86_400_000).toISOString();

/** A feed whose document a test writes, and somebody who reads it from position to position. */
async function reader(items: readonly Listed[]) {
  const access = newAccess("https://example.org/feed");
  const sealer = await vault()();
  const server = { items, cut: false, requests: [] as string[] };
  const get = async (url: string, { headers }: { headers: Readonly<Record<string, string>> }) => {
    server.requests.push(headers["if-none-match"] ?? "all of it");
    const entries = server.items.map(
      ({ guid, date }) => `<item><guid>${guid}</guid>${date === undefined ? "" : `<pubDate>${date}</pubDate>`}</item>`,
    );
    const document = `<rss><channel>${entries.join("")}${server.cut ? "" : "</channel></rss>"}`;
    return {
      status: 200,
      headers: { etag: '"tag"' },
      body: Buffer.from(document),
      isPublic: false,
      url,
      permanentUrl: url,
    };
  };
  const ports = { scout, vault: sealer, fetchOptions: { reach: "any" as const, nowMs: Date.now(), get } };
  const nameOf = new Map<ItemRef, string>();
  const told = (refs: readonly ItemRef[]) => {
    for (const { guid } of server.items) nameOf.set(refOf(access, `id ${guid}`), guid);
    return refs.map((ref) => nameOf.get(ref));
  };
  let { cursor } = await firstReading(ports, access, 10);
  return {
    server,
    /** What the next look finds, by name. */
    look: async () => {
      const listing = await listNew(ports, access, cursor);
      cursor = listing.cursor;
      return told(listing.refs);
    },
    /** Has the position as it was kept when only the newest thousand were. */
    ofBefore: () => {
      const { known, ...rest } = JSON.parse(cursor);
      cursor = JSON.stringify({ ...rest, v: 1, known: known.slice(0, 8 * 990) });
    },
  };
}

describe("a feed that is long", () => {
  test.each([
    ["at its end", (all: Listed[], news: Listed[]) => [...all, ...news]],
    ["at its beginning", (all: Listed[], news: Listed[]) => [...news, ...all]],
    ["in its middle", (all: Listed[], news: Listed[]) => [...all.slice(0, 1100), ...news, ...all.slice(1100)]],
  ])("P2: has its new items found %s, dated or not", async (_where, withNews) => {
    for (const dated of [false, true]) {
      const dateOf = (item: Listed, at: number) => (dated ? { ...item, date: daysAgo(3000 - at) } : item);
      const all = named(2500).map(dateOf);
      const { server, look } = await reader(all);
      expect(await look()).toHaveLength(10);
      server.items = withNews(all, numbered(1, 6).map(dateOf));
      expect((await look()).sort()).toEqual(["item 1", "item 2", "item 3", "item 4", "item 5"]);
      expect(await look()).toEqual([]);
    }
  });

  test("P2: that is cut short, or empty, for a while has nothing new when it is whole again", async () => {
    const all = named(3000);
    const { server, look } = await reader(all);
    await look();
    for (const [items, cut] of [
      [all.slice(0, 20), true],
      [[], false],
    ] as const) {
      Object.assign(server, { items, cut });
      expect(await look()).toEqual([]);
      Object.assign(server, { items: all, cut: false });
      expect(await look()).toEqual([]);
    }
  });

  test("P2: with more news than one look takes has the rest found by the next ones, whatever its server says", async () => {
    const { server, look } = await reader(named(20));
    await look();
    server.items = numbered(0, 2500);
    const found = [await look(), await look(), await look(), await look()];
    expect(found.map(({ length }) => length)).toEqual([1000, 1000, 500, 0]);
    expect(new Set(found.flat()).size).toBe(2500);
    // Read twice where no item is known: when it is met, and when all of its items are others.
    const [met, allOthers] = [
      ["all of it", "all of it"],
      ['"tag"', "all of it"],
    ];
    expect(server.requests).toEqual([...met, "all of it", ...allOthers, "all of it", "all of it", '"tag"']);
  });

  test("P2: nothing that was there when less was remembered is new, and what comes later is", async () => {
    const { server, look, ofBefore } = await reader(named(1500));
    ofBefore();
    expect(await look()).toHaveLength(10);
    server.items = [...server.items, { guid: "news" }];
    expect(await look()).toEqual(["news"]);
  });

  test.each([
    ["long", 10_000, 11_000],
    ["short", 20, 2_000],
  ])("takes no more room than its items and the last that have left it: a %s one", (_name, items, most) => {
    let known: ReadonlySet<string> = new Set();
    let latest: ItemRef[] = [];
    for (let turn = 0; turn < 300; turn += items === 20 ? 1 : 60) {
      latest = Array.from({ length: items }, (_, at) =>
        itemRef.parse(`${turn}`.padStart(3, "0") + `${at}`.padStart(5, "0")),
      );
      known = nowKnown(known, latest);
    }
    expect(known.size).toBe(most);
    expect(latest.every((ref) => known.has(ref))).toBe(true);
  });
});

describe("the ten items that are looked at first", () => {
  const names = (items: readonly Listed[]) => items.map(({ guid }) => guid);
  const rising = numbered(0, 20);
  const unordered = named(20);
  const dated = unordered.map((item, at) => ({ ...item, date: daysAgo(at) }));
  const halfDated = unordered.map((item, at) => (at < 4 ? { ...item, date: daysAgo(9 - at) } : item));
  test.each([
    ["are the newest by date", dated, dated.slice(0, 10)],
    ["and where the feed begins with its oldest", dated.toReversed(), dated.slice(0, 10)],
    ["without dates are those with the highest numbers, where these rise", rising, rising.toReversed().slice(0, 10)],
    ["or fall", rising.toReversed(), rising.toReversed().slice(0, 10)],
    [
      "are those with dates, then those at the end where dates rise",
      halfDated,
      [...halfDated.slice(0, 4).toReversed(), ...halfDated.slice(4).toReversed().slice(0, 6)],
    ],
    ["are the first, where nothing tells the order", unordered, unordered.slice(0, 10)],
  ])("%s", async (_name, items, expected) => {
    const { look } = await reader(items);
    expect(await look()).toEqual(names(expected));
  });
});
