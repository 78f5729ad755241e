import { expect, test } from "vitest";
import { listNew } from "../../shared/scouts/connectors/feed/listing.ts";
import { newAccess } from "../../shared/scouts/connectors/feed/settings.ts";
import { scoutAtSource as scout, vault } from "../contract/connector-fixtures.ts";

const hourMs = 3_600_000;
const startMs = Date.UTC(2026, 10, 20, 8);

interface Listed {
  readonly guid: string;
  readonly atMs?: number;
}

/** A feed of ten items, with one more each hour, and somebody who reads it now and then. */
async function reader({ dated = true } = {}) {
  const access = newAccess("https://example.org/feed");
  const sealer = await vault()();
  let nowMs = startMs;
  let cursor: string | undefined;
  const server = { items: [] as readonly Listed[], unchanged: false };
  const get = async (url: string, { headers }: { headers: Readonly<Record<string, string>> }) => {
    const entries = server.items.map(
      ({ guid, atMs }) =>
        `<item><guid>${guid}</guid>${atMs === undefined ? "" : `<pubDate>${new Date(atMs).toUTCString()}</pubDate>`}</item>`,
    );
    const isKnown = server.unchanged && headers["if-none-match"] !== undefined;
    return {
      status: isKnown ? 304 : 200,
      headers: { etag: '"tag"' },
      body: Buffer.from(isKnown ? "" : `<rss><channel>${entries.join("")}</channel></rss>`),
      isPublic: false,
      url,
      permanentUrl: url,
    };
  };
  /** The ten that came last before so many hours had passed. */
  const hourly = (hours: number) =>
    Array.from({ length: 10 }, (_, at) => {
      const hour = hours - at;
      return { guid: `hour ${hour}`, ...(dated && { atMs: startMs + hour * hourMs }) };
    });
  return {
    server,
    hourly,
    async lookAfter(hours: number, items: readonly Listed[] = hourly(hours)) {
      server.items = items;
      nowMs = startMs + hours * hourMs;
      const ports = { scout, vault: sealer, fetchOptions: { reach: "any" as const, nowMs, get } };
      const listing = await listNew(ports, access, cursor ?? { known: new Set<string>(), readAtSeconds: 0 });
      cursor = listing.cursor;
      return { found: listing.refs.length, gap: listing.gap };
    },
  };
}

test("P4: items that may have come and gone between two looks are told: from the last look to the oldest that is there", async () => {
  const { lookAfter } = await reader();
  expect(await lookAfter(0)).toEqual({ found: 10, gap: undefined });
  expect(await lookAfter(9)).toEqual({ found: 9, gap: undefined });
  const gap = { fromMs: startMs + 9 * hourMs, toMs: startMs + 31 * hourMs, missed: true };
  expect(await lookAfter(40)).toEqual({ found: 10, gap });
  expect(await lookAfter(41)).toEqual({ found: 1, gap: undefined });
});

test("P4: without dates the gap ends now", async () => {
  const { lookAfter } = await reader({ dated: false });
  await lookAfter(0);
  expect((await lookAfter(40)).gap).toEqual({ fromMs: startMs, toMs: startMs + 40 * hourMs, missed: true });
});

test("a feed whose items are all replaced at once, as each morning, has lost nothing while it is looked at", async () => {
  const { server, lookAfter } = await reader();
  const issue = (day: number) =>
    Array.from({ length: 5 }, (_, at) => ({ guid: `day ${day}, ${at}`, atMs: startMs + day * 24 * hourMs }));
  await lookAfter(0, issue(0));
  server.unchanged = true;
  expect((await lookAfter(23.9, issue(0))).gap).toBeUndefined();
  server.unchanged = false;
  expect(await lookAfter(24.1, issue(1))).toEqual({ found: 5, gap: undefined });
  // A day that was slept through.
  expect((await lookAfter(72.1, issue(3))).gap).toMatchObject({ missed: true });
});

test("items that come under other ids reach back as far as before: nothing was missed", async () => {
  const { lookAfter, hourly } = await reader();
  await lookAfter(9);
  const renamed = hourly(12).map((item) => ({ ...item, guid: `https://new.example/${item.guid}` }));
  expect(await lookAfter(12, renamed)).toEqual({ found: 10, gap: undefined });
});

test("a feed that is empty, or that was, has no gap", async () => {
  const { lookAfter } = await reader();
  await lookAfter(0, []);
  expect(await lookAfter(40)).toMatchObject({ gap: undefined });
  expect(await lookAfter(80, [])).toMatchObject({ gap: undefined });
});
