import { afterEach, expect, test } from "vitest";
import { isScoutsError } from "../../events/errors.ts";
import { type ScoutId, scoutId } from "../../events/ids.ts";
import { type Feeds, startFeeds } from "../../infra/standins/feeds/start.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { FeedConnector } from "../../shared/scouts/connectors/feed/connector.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { OpenTable, scoutAtSource, vault } from "../contract/connector-fixtures.ts";

const { userId } = scoutAtSource;
const [first, second] = ["8", "9"].map((end) => scoutId.parse(`sct_01JZZZZZZZZZZZZZZZZZZZZZZ${end}`)) as [
  ScoutId,
  ScoutId,
];

const open: Feeds[] = [];
afterEach(async () => {
  for (const feeds of open.splice(0)) await feeds.close();
});

async function feed(): Promise<Feeds> {
  const feeds = await startFeeds();
  open.push(feeds);
  feeds.publish({ guid: "there before" });
  return feeds;
}

/** One person's scouts, each on a feed of its own. */
async function person() {
  const scouts = new ScoutStore(new OpenTable());
  const sealer = vault();
  const connector = new FeedConnector({ scouts, vault: sealer, clock: Date.now, reach: "any", timeoutMs: 600_000 });
  return {
    async add(id: ScoutId, url: string): Promise<void> {
      const scout = { userId, scoutId: id };
      const { own, cursor } = await connector.settings.verify(scout, new Transient({ given: { url } }));
      const kept = new Transient({ given: { url }, ...(own && { own: own.reveal() }) });
      const sealedSettings = await new SettingsVault(scouts, sealer).seal(scout, kept);
      const row = { sourceType: "feed", sealed: "", sealedSettings, cursor, createdAt: 0, revision: 0 };
      await scouts.create({ ...scout, ...row });
    },
    /** What a scout finds of its items, and what it sees. */
    async found(id: ScoutId): Promise<unknown> {
      const row = await scouts.get(userId, id);
      const nothingKnown = { ...JSON.parse(row.cursor ?? ""), known: "", validators: undefined };
      const { refs } = await connector.listNew(row, { cursor: JSON.stringify(nothingKnown) });
      const titles = await Promise.all(
        refs.map(async (ref) => (await connector.fetchContent(row, ref)).subject.reveal()),
      );
      return { titles, items: (await connector.sees(row)).items };
    },
    /** Looks once, as a scout's turn does. @returns how many are news, or why none are */
    async look(id: ScoutId): Promise<number | string> {
      const row = await scouts.get(userId, id);
      try {
        const { refs, cursor = "" } = await connector.listNew(row, { cursor: row.cursor ?? "" });
        await scouts.commitPosition(row, { cursor }, { nowMs: 1, dueAtMs: 2 });
        return refs.length;
      } catch (error) {
        if (isScoutsError(error)) return error.code;
        throw error;
      }
    },
  };
}

test("P2: a feed that moves to where another scout reads is not read twice, and its scout says why", async () => {
  const { add, look } = await person();
  const [old, there] = [await feed(), await feed()];
  await add(first, old.feedUrl());
  await add(second, there.feedUrl());
  expect([await look(first), await look(second)]).toEqual([1, 1]);
  old.arm({ kind: "redirect", to: there.feedUrl(), status: 301 });
  there.publish({ guid: "news" });
  expect([await look(first), await look(second)]).toEqual(["source_in_use", 1]);
});

test("P2: of two feeds that both move to a third place the one that was found there first goes on", async () => {
  const { add, look } = await person();
  const [one, other, there] = [await feed(), await feed(), await feed()];
  await add(first, one.feedUrl());
  await add(second, other.feedUrl());
  expect([await look(first), await look(second)]).toEqual([1, 1]);
  for (const old of [one, other]) old.arm({ kind: "redirect", to: there.feedUrl(), status: 301 });
  there.publish({ guid: "news" });
  expect([await look(second), await look(first), await look(second)]).toEqual([1, "source_in_use", 0]);
});

test("a feed that leads to another's for a while, or to nobody's, is read on", async () => {
  const { add, look } = await person();
  const [old, there, nobodys] = [await feed(), await feed(), await feed()];
  await add(first, old.feedUrl());
  await add(second, there.feedUrl());
  const over = old.arm({ kind: "redirect", to: there.feedUrl(), status: 302 });
  expect(await look(first)).toBe(1);
  over();
  old.arm({ kind: "redirect", to: nobodys.feedUrl(), status: 301 });
  nobodys.publish({ guid: "news" });
  expect(await look(first)).toBe(1);
});

test.each([
  ["is not there any more", (old: Feeds) => old.close()],
  ["is somebody else's page by now", (old: Feeds) => old.arm({ kind: "page" })],
  ["says that it has gone", (old: Feeds) => old.arm({ kind: "status", status: 410 })],
])("nothing lost: a feed whose old address %s is read where it has moved to", async (_, leave) => {
  const { add, look } = await person();
  const [old, there] = [await feed(), await feed()];
  await add(first, old.feedUrl());
  expect(await look(first)).toBe(1);
  const over = old.arm({ kind: "redirect", to: there.feedUrl(), status: 301 });
  expect(await look(first)).toBe(0);
  over();
  await leave(old);
  there.publish({ guid: "news" });
  expect(await look(first)).toBe(1);
  there.publish({ guid: "more" });
  expect(await look(first)).toBe(1);
});

test("items are found where their feed has moved to, and so is what it holds", async () => {
  const { add, look, found } = await person();
  const [old, there] = [await feed(), await feed()];
  await add(first, old.feedUrl());
  const over = old.arm({ kind: "redirect", to: there.feedUrl(), status: 301 });
  await look(first);
  over();
  old.arm({ kind: "status", status: 404 });
  expect(await found(first)).toMatchObject({ titles: ["there before"], items: 1 });
});

test("a feed that has moved nowhere fails as it does", async () => {
  const { add, look } = await person();
  const old = await feed();
  await add(first, old.feedUrl());
  old.arm({ kind: "status", status: 404 });
  expect(await look(first)).toBe("source_unavailable");
});
