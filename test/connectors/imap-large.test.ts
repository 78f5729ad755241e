import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, test } from "vitest";
import type { ItemRef } from "../../events/ids.ts";
import { startImap } from "../../infra/standins/imap/start.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import type { Position } from "../../shared/scouts/connectors/connector.ts";
import { ImapConnector } from "../../shared/scouts/connectors/imap/connector.ts";
import { GrantVault } from "../../shared/scouts/connectors/imap/grant/grant-vault.ts";
import { pageSize } from "../../shared/scouts/connectors/imap/limits.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { OpenTable, scoutAtSource as scout, vault } from "../contract/connector-fixtures.ts";
import { rounds } from "../rounds.ts";
import { letter } from "./scripted-imap.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const user = "ada@example.com";
const many = rounds(200_000);
/** What arrives while nobody looks: some dozen pages. */
const missed = rounds(20_000);
const newest = 25;
const dayMs = 86_400_000;

/** What is held once everything that can be let go has been, bytes. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

/** A scout on a server with a folder of very many messages, none of which is made before it is asked for. */
async function large() {
  const server = await startImap({ users: [{ user, password: "secret" }] });
  opened.push(server.close);
  const inbox = server.account().find("INBOX");
  let made = 0;
  const make = (uid: number) => {
    made += 1;
    return Buffer.from(letter(`message ${uid}`));
  };
  // Of ten years: some dozens a day.
  const startedAt = Date.now() - 10 * 365 * dayMs;
  inbox?.fill(many, make, (uid) => startedAt + (uid / many) * 10 * 365 * dayMs);
  const scouts = new ScoutStore(new OpenTable());
  const sealer = vault();
  const settings = new SettingsVault(scouts, sealer);
  const begin = () => {
    const grants = new GrantVault(new OpenTable(), sealer);
    const connector = new ImapConnector({
      settings,
      grants,
      clock: Date.now,
      dial: { reach: "any" },
      taskTimeoutMs: 600_000,
    });
    opened.push(() => connector.close());
    return connector;
  };
  const given = begin().settings.schema.parse({
    host: "127.0.0.1",
    port: server.port,
    tls: "none",
    user,
    password: "secret",
  });
  const { own, cursor, sees } = await begin().settings.verify(scout, new Transient({ given }));
  const sealedSettings = await settings.seal(scout, new Transient({ given, ...(own && { own: own.reveal() }) }));
  await scouts.create({ ...scout, sourceType: "imap", sealed: "", sealedSettings, cursor, createdAt: 0, revision: 0 });
  return {
    cursor,
    sees,
    begin,
    /** Commands and messages that a piece of work takes. */
    cost: async <T>(work: () => Promise<T>) => {
      const before = { commands: server.seen().length, made };
      const startedAt = performance.now();
      const done = await work();
      const ms = Math.round(performance.now() - startedAt);
      return { done, commands: server.seen().length - before.commands, made: made - before.made, ms };
    },
    arrive: (count: number) => inbox?.fill(count, make),
  };
}

/** Every page from a position, each by a connector that knows nothing of the one before. */
async function* pages(begin: () => ImapConnector, cursor: string) {
  let position: Position = { cursor };
  for (;;) {
    const connector = begin();
    const listing = await connector.listNew(scout, position);
    await connector.close();
    yield listing;
    if (listing.nextPage === undefined) return;
    position = { cursor, page: listing.nextPage };
  }
}

describe(`a folder of ${many} messages`, () => {
  test("is added and looked at for what is new, without a look at what is old", async () => {
    const { cursor, sees, begin, cost, arrive } = await large();
    expect(sees).toMatchObject({ items: many, unread: many });
    const nothing = await cost(() => begin().listNew(scout, { cursor }));
    expect(nothing.done.refs).toEqual([]);
    expect(nothing.made, "messages read").toBe(0);
    arrive(newest);
    const looked = await cost(() => begin().listNew(scout, { cursor }));
    expect(looked.done.refs).toHaveLength(newest);
    expect(looked.done.nextPage).toBeUndefined();
    expect(looked.commands, "commands").toBeLessThanOrEqual(nothing.commands + 3);
    // Each is looked at in few pieces: header lines, size, time.
    expect(looked.made, "messages read").toBeLessThanOrEqual(newest * 4);
    const [ref] = looked.done.refs;
    const read = await cost(async () => ref && begin().fetchContent(scout, ref));
    expect(read.done?.subject.reveal()).toBe(`message ${many + 1}`);
    expect(read.commands).toBeLessThanOrEqual(nothing.commands + 6);
  });

  test(`P2: ${missed} that came meanwhile are caught up with in pages of ranges, resumed by anybody, in bounded memory`, async () => {
    const { cursor, begin, cost, arrive } = await large();
    arrive(missed);
    const refs = new Set<ItemRef>();
    const heldBefore = heldBytes();
    let held = 0;
    let listed = 0;
    let commands = 0;
    const walk = pages(begin, cursor);
    let last: string | undefined;
    for (;;) {
      const page = await cost(() => walk.next());
      if (page.done.done) break;
      const listing = page.done.value;
      expect(listing.refs.length).toBeLessThanOrEqual(pageSize);
      for (const ref of listing.refs) refs.add(ref);
      listed += 1;
      commands = Math.max(commands, page.commands);
      last = listing.cursor;
      if (listed % 20 === 0) held = Math.max(held, heldBytes() - heldBefore);
    }
    expect(refs.size).toBe(missed);
    expect(listed).toBeLessThanOrEqual(Math.ceil(missed / pageSize) + 1);
    expect(commands, "of a page, sign-in included").toBeLessThanOrEqual(12);
    expect(held, "bytes besides the refs").toBeLessThan(40 * 1024 * 1024);
    // And then there is nothing more.
    expect((await begin().listNew(scout, { cursor: last ?? "" })).refs).toEqual([]);
  });

  test("P2: a folder that was numbered anew is searched for the last days and not from its beginning", async () => {
    const { begin, cursor, cost } = await large();
    const parsed = cursor.replace(/"validity":"\d+"/, '"validity":"1"');
    expect(parsed).not.toBe(cursor);
    const first = await cost(() => begin().listNew(scout, { cursor: parsed }));
    expect(first.done.refs.length).toBeLessThanOrEqual(pageSize);
    expect(first.made, "messages read").toBeLessThanOrEqual(pageSize * 4);
    expect(first.commands).toBeLessThanOrEqual(12);
  });
});
