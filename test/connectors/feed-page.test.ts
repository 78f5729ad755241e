import { afterEach, describe, expect, test } from "vitest";
import { isScoutsError } from "../../events/errors.ts";
import { type Feeds, startFeeds } from "../../infra/standins/feeds/start.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { FeedConnector } from "../../shared/scouts/connectors/feed/connector.ts";
import { linkedFeed } from "../../shared/scouts/connectors/feed/document/linked-feed.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { OpenTable, scoutAtSource as scout, vault } from "../contract/connector-fixtures.ts";

const open: Feeds[] = [];
afterEach(async () => {
  for (const feeds of open.splice(0)) await feeds.close();
});

/** A web server with a feed and a page, and what comes of adding an address of it. */
async function site(head: string) {
  const feeds = await startFeeds();
  open.push(feeds);
  feeds.publish({ guid: "first" });
  feeds.showPage(head);
  const scouts = new ScoutStore(new OpenTable());
  const sealer = vault();
  const settings = new SettingsVault(scouts, sealer);
  const connector = new FeedConnector({ scouts, vault: sealer, clock: Date.now, reach: "any", timeoutMs: 600_000 });
  const verify = (url: string, own?: Readonly<Record<string, string>>) =>
    connector.settings.verify(scout, new Transient({ given: { url }, ...(own && { own }) }));
  const add = async (url: string) => {
    const verified = await verify(url);
    const kept = new Transient({ given: { url }, ...(verified.own && { own: verified.own.reveal() }) });
    const sealedSettings = await settings.seal(scout, kept);
    const row = { sourceType: "feed", sealed: "", sealedSettings, cursor: verified.cursor, createdAt: 0, revision: 0 };
    await scouts.create({ ...scout, ...row });
    return verified;
  };
  /** Looks at it once, as its turn does. @returns the new position */
  const look = async () => {
    const row = await scouts.get(scout.userId, scout.scoutId);
    const { cursor = "" } = await connector.listNew(scout, { cursor: row.cursor ?? "" });
    await scouts.commitPosition(row, { cursor }, { nowMs: 1, dueAtMs: 2 });
    return cursor;
  };
  /** As settings are whose key has left the ring. */
  const lockOut = async () => {
    const row = await scouts.get(scout.userId, scout.scoutId);
    const { address = "", cursor = "" } = row;
    const sealedSettings = "sealed under another key";
    await scouts.connected({ ...row, address }, { sealedSettings, address, cursor, nowMs: 3, dueAtMs: 4 });
  };
  return { feeds, connector, verify, add, look, lockOut };
}

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "no failure",
    (error: unknown) => (isScoutsError(error) ? error.code : `another error: ${error}`),
  );
const link = (href: string, type = "application/rss+xml") => `<link rel="alternate" type="${type}" href="${href}">`;

describe("nothing twice: a feed that has moved since it was added", () => {
  const moved = async (status: 301 | 302) => {
    const [old, { feeds }] = [await site(""), await site("")];
    const { identity, own } = await old.add(old.feeds.feedUrl());
    old.feeds.arm({ kind: "redirect", to: feeds.feedUrl(), status });
    const cursor = await old.look();
    const { alsoKnownAs } = await old.verify(feeds.feedUrl());
    const again = await old.verify(feeds.feedUrl(), own?.reveal());
    return {
      cursor,
      to: feeds.url,
      isKnown: alsoKnownAs?.reveal().includes(identity.reveal()),
      staysItself: again.identity.reveal() === identity.reveal(),
    };
  };

  test("for good is known as its scout's where it is now, which nobody can read in the position", async () => {
    const { cursor, to, isKnown, staysItself } = await moved(301);
    expect([isKnown, staysItself]).toEqual([true, true]);
    expect(cursor).not.toContain(new URL(to).host);
  });

  test("whose scout's settings cannot be opened keeps no other from being added", async () => {
    const [old, { feeds }] = [await site(""), await site("")];
    await old.add(old.feeds.feedUrl());
    old.feeds.arm({ kind: "redirect", to: feeds.feedUrl(), status: 301 });
    await old.look();
    await old.lockOut();
    expect(await codeOf(old.verify(feeds.feedUrl()))).toBe("no failure");
  });

  test("for a while is not", async () => {
    expect(await moved(302)).toMatchObject({ isKnown: false, staysItself: false });
  });
});

describe("the address of a web page", () => {
  test("that names its feed is as good as the feed's own, from the first look to the next ones", async () => {
    const { feeds, connector, add, verify } = await site(link("/rss.xml"));
    const { sees, cursor, identity } = await add(`${feeds.url}/`);
    expect(sees).toMatchObject({ items: 1 });
    expect(sees.place.reveal()).toBe("The feed");
    expect(identity.reveal(), "one source, whichever way it is given").toBe(
      (await verify(feeds.feedUrl("/rss.xml"))).identity.reveal(),
    );
    feeds.publish({ guid: "second" });
    const { refs } = await connector.listNew(scout, { cursor });
    const [ref] = refs;
    expect(refs.length).toBeGreaterThan(0);
    expect(ref && (await connector.fetchContent(scout, ref)).present).toBe(true);
  });

  test("that is led on to its feed: links that are relative count from where that lies", async () => {
    const old = await site("");
    const { feeds } = await site("");
    feeds.publish({ guid: "news", link: "2026/news.html" });
    old.feeds.arm({ kind: "redirect", to: feeds.feedUrl("/atom.xml") });
    const { cursor } = await old.add(old.feeds.feedUrl());
    const { refs } = await old.connector.listNew(scout, { cursor });
    const links = await Promise.all(
      refs.map(async (ref) => (await old.connector.fetchContent(scout, ref)).sourceLink?.reveal()),
    );
    expect(links).toContain(`${feeds.url}/2026/news.html`);
  });

  test("that names none is told as what it is, and so is a page where a feed was", async () => {
    const { feeds, connector, verify, add } = await site("");
    expect(await codeOf(verify(`${feeds.url}/`))).toBe("source_no_feed");
    const { cursor } = await add(feeds.feedUrl());
    feeds.arm({ kind: "page" });
    expect(await codeOf(connector.listNew(scout, { cursor }))).toBe("source_no_feed");
  });

  test("that names a feed which is none leads no further", async () => {
    const { feeds, verify } = await site(link("/"));
    expect(await codeOf(verify(`${feeds.url}/`))).toBe("source_no_feed");
    expect(feeds.requests().all).toBe(3);
  });
});

describe("the feed a page names", () => {
  const page = "https://example.org/blog/";
  test.each([
    [link("feed.xml"), "https://example.org/blog/feed.xml"],
    [link("/atom", "application/atom+xml"), "https://example.org/atom"],
    [
      `<base href="https://cdn.example.org/x/">${link("feed.json", "application/feed+json")}`,
      "https://cdn.example.org/x/feed.json",
    ],
    [`${link("first.xml")}${link("comments.xml")}`, "https://example.org/blog/first.xml"],
    [link("//other.example.org/f"), "https://other.example.org/f"],
    [`<LINK REL='Feed Alternate' TYPE='Application/RSS+XML' HREF='up.xml'>`, "https://example.org/blog/up.xml"],
    [`<link rel="stylesheet" type="text/css" href="a.css">`, undefined],
    [`<link rel="alternate" hreflang="de" href="/de">`, undefined],
    [link("javascript:alert(1)"), undefined],
    [link("file:///etc/passwd"), undefined],
    [link("https://user:secret@example.org/f"), undefined],
    [link(`/${"x".repeat(3_000)}`), undefined],
    // Mostly another JSON: an index for the site's search (Hugo), or the page itself (WordPress).
    [`${link("/index.json", "application/json")}${link("/index.xml")}`, "https://example.org/index.xml"],
    [
      `${link("/feed.json", "application/json")}${link("/2.json", "application/json")}`,
      "https://example.org/feed.json",
    ],
    [link(""), undefined],
  ])("%s", (head, expected) => {
    expect(linkedFeed(`<html><head>${head}</head>`, page)).toBe(expected);
  });
});

test("a page of the internet leads nobody to a feed inside its reader's network", async () => {
  const { feeds } = await site("");
  const html = Buffer.from(`<html>${link(feeds.feedUrl())}`);
  const get = async (url: string) => ({
    status: 200,
    headers: { "content-type": "text/html" },
    body: html,
    isPublic: true,
    url,
    permanentUrl: url,
  });
  const reached: string[] = [];
  const scouts = new ScoutStore(new OpenTable());
  const connector = new FeedConnector({
    scouts,
    vault: vault(),
    clock: Date.now,
    reach: "any",
    get: async (url, options) => {
      reached.push(`${options.reach} ${url}`);
      return get(url);
    },
  });
  const given = { url: "https://example.org/" };
  expect(await codeOf(connector.settings.verify(scout, new Transient({ given })))).toBe("source_no_feed");
  expect(reached.at(-1)).toBe(`public ${feeds.feedUrl()}`);
});
