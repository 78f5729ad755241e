import { expect, test } from "vitest";
import { Transient } from "../../shared/privacy/transient.ts";
import { FeedConnector } from "../../shared/scouts/connectors/feed/connector.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { OpenTable, scoutAtSource as scout, vault } from "../contract/connector-fixtures.ts";

const url = "https://council.example.org/feed";

/** A feed whose server says what `named` makes of each of its items' names; the items stay the same. */
function feed() {
  let reads = 0;
  const served = { named: (name: string, _read: number) => name, names: ["a", "b"], answers: Number.POSITIVE_INFINITY };
  const get = async () => {
    reads += 1;
    const guids = served.names.map((name) => served.named(name, reads));
    const items = guids.map((guid) => `<item><guid>${guid}</guid><title>Decided</title></item>`);
    const body = Buffer.from(`<rss><channel><title>Council</title>${items.join("")}</channel></rss>`);
    const status = reads > served.answers ? 429 : 200;
    return { status, headers: {}, body, isPublic: true, url, permanentUrl: url };
  };
  return { served, get, reads: () => reads };
}

async function added(given = feed()) {
  const scouts = new ScoutStore(new OpenTable());
  const sealer = vault();
  const connector = new FeedConnector({ scouts, vault: sealer, clock: Date.now, reach: "any", get: given.get });
  const { own, cursor } = await connector.settings.verify(scout, new Transient({ given: { url } }));
  const kept = new Transient({ given: { url }, ...(own && { own: own.reveal() }) });
  const sealedSettings = await new SettingsVault(scouts, sealer).seal(scout, kept);
  await scouts.create({ ...scout, sourceType: "feed", sealed: "", sealedSettings, cursor, createdAt: 0, revision: 0 });
  const look = async (at: string) => {
    const { refs, cursor: next = at } = await connector.listNew(scout, { cursor: at });
    return { refs, cursor: next };
  };
  return { ...given, look, first: await look(cursor) };
}

const anew = (name: string, read: number) => `${name}-${read}`;

test("nothing silent: a feed that names its items anew whenever it is read is not added, as none would be found again", async () => {
  const given = feed();
  given.served.named = anew;
  await expect(added(given)).rejects.toMatchObject({ code: "source_items_change" });
});

test("nothing silent: one that begins to do so is a scout that says it cannot read", async () => {
  const { look, served, first } = await added();
  expect(first.refs).toHaveLength(2);
  served.named = anew;
  await expect(look(first.cursor)).rejects.toMatchObject({ code: "source_items_change" });
});

test("a feed whose items are all others since the last look is read", async () => {
  const { look, served, first } = await added();
  served.names = ["c", "d"];
  expect((await look(first.cursor)).refs).toHaveLength(2);
});

test("a feed is read once where an item of it is known, and by what it said first where it answers once", async () => {
  const given = feed();
  const { look, served, first, reads } = await added(given);
  const before = reads();
  served.names = ["a", "c"];
  const { refs, cursor } = await look(first.cursor);
  expect([refs.length, reads() - before]).toEqual([1, 1]);
  served.names = ["e"];
  served.answers = reads() + 1;
  expect((await look(cursor)).refs).toHaveLength(1);
});
