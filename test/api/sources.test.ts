import { ulid } from "ulidx";
import { afterEach, describe, expect, test } from "vitest";
import { ScoutsError } from "../../events/errors.ts";
import { createdScoutResponse, runListResponse, seesResponse, sourceListResponse } from "../../events/http/scouts.ts";
import type { ScoutId } from "../../events/ids.ts";
import { type Feeds, startFeeds } from "../../infra/standins/feeds/start.ts";
import { ledgerKey } from "../../shared/keys.ts";
import { changeOf } from "../../shared/ports/row-change.ts";
import { blindSource } from "../../shared/privacy/opaque.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { feedSettings } from "../../shared/scouts/connectors/feed/settings.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import type { StoredScout } from "../../shared/scouts/scout-row.ts";
import { recordSyncRun } from "../../shared/scouts/sync/run-store.ts";
import { cleanUp } from "../standins/mailbox-fixture.ts";
import { type ApiSetting, ada, apiSetting } from "./setting.ts";

const open: Feeds[] = [];
afterEach(async () => {
  for (const feeds of open.splice(0)) await feeds.close();
  await cleanUp();
});

async function feedWith(items: number): Promise<Feeds> {
  const feeds = await startFeeds();
  open.push(feeds);
  for (let item = 1; item <= items; item += 1) feeds.publish({ guid: `article ${item}` });
  return feeds;
}

const create = (setting: ApiSetting, url: string, more: { as?: string } = {}) =>
  setting.ask("POST", "/api/v1/scouts", {
    body: { sourceType: "feed", settings: { url }, name: "News", purpose: "What is new?" },
    ...more,
  });
const made = async (setting: ApiSetting, url: string) => createdScoutResponse.parse((await create(setting, url)).body);
const at = (scout: ScoutId, more: string) => `/api/v1/scouts/${scout}${more}`;
const rowOf = ({ ledger }: ApiSetting, scout: ScoutId) => ledger.peek(ledgerKey.scout(ada, scout));
const scoutsIn = ({ ledger }: ApiSetting) => JSON.stringify(ledger.dump());

describe("a scout whose source takes settings", () => {
  test("is connected when it is made, says what it sees, and is looked at at once", async () => {
    const setting = await apiSetting();
    const scout = await made(setting, (await feedWith(3)).feedUrl());
    expect(scout).toMatchObject({
      connected: true,
      sees: { place: "The feed", folders: [], items: 3, unread: null, push: "never" },
    });
    expect(setting.sync.sent.map(({ body }) => [body.scoutId, body.cause])).toEqual([[scout.id, "connected"]]);
    const { body } = await setting.ask("GET", at(scout.id, "/sees"));
    expect(seesResponse.parse(body).sees).toEqual(scout.sees);
  });

  test("is looked at from the queue of its source", async () => {
    const setting = await apiSetting();
    await made(setting, (await feedWith(1)).feedUrl());
    expect(setting.sync.sent).toMatchObject([{ source: "feed" }]);
  });

  test("is made and told as made though no queue takes word of it: the poll looks at it within a minute", async () => {
    const deaf = { send: () => Promise.reject(new ScoutsError("queue_unavailable")) };
    const setting = await apiSetting({ sync: deaf });
    const answer = await create(setting, (await feedWith(3)).feedUrl());
    expect(answer).toMatchObject({ status: 201, body: { connected: true, sees: { items: 3 } } });
    expect(rowOf(setting, createdScoutResponse.parse(answer.body).id)).toMatchObject({ dueAt: setting.nowMs });
    expect(setting.logged).toContain("hint_not_sent");
  });

  test("P1: neither the address nor what is seen there is at rest", async () => {
    const setting = await apiSetting();
    const feeds = await feedWith(1);
    await made(setting, feeds.feedUrl());
    const { host } = new URL(feeds.url);
    for (const word of [host, "rss.xml", "The feed"]) expect(scoutsIn(setting)).not.toContain(word);
  });

  test("two of a person on one source are refused with the first one's id, however the address is written", async () => {
    const setting = await apiSetting();
    const url = (await feedWith(1)).feedUrl();
    const { id } = await made(setting, url);
    const before = setting.ledger.dump();
    for (const same of [url, `${url}#top`, url.replace("http:", "HTTP:")]) {
      expect(await create(setting, same)).toMatchObject({
        status: 409,
        code: "source_in_use",
        body: { error: { data: { scoutId: id } } },
      });
    }
    expect(setting.ledger.dump()).toEqual(before);
    expect(await create(setting, `${url}?part=2`), "another one").toMatchObject({ status: 201 });
  });

  describe("on this machine", () => {
    const by = (url: string, host: string) => url.replace("127.0.0.1", host);
    const hosts = ["127.0.0.1", "localhost", "LOCALHOST"];

    test.each(hosts)("is one source by each of the machine's names: %s first", async (host) => {
      const setting = await apiSetting();
      const url = (await feedWith(1)).feedUrl();
      const { id } = await made(setting, by(url, host));
      for (const other of hosts) {
        expect(await create(setting, by(url, other))).toMatchObject({
          code: "source_in_use",
          body: { error: { data: { scoutId: id } } },
        });
      }
      expect(await setting.ask("POST", at(id, "/reconnect"), { body: {} })).toMatchObject({ status: 200 });
    });

    test.each(["127.0.0.1", "localhost"])("one that was kept by the name it was typed by goes on: %s", async (host) => {
      const setting = await apiSetting();
      const url = by((await feedWith(1)).feedUrl(), host);
      const { id } = await made(setting, url);
      const { addressKey } = setting.ports;
      const address = blindSource(addressKey, "feed", new Transient(`${ada} ${url}`));
      await setting.ledger.update(ledgerKey.scout(ada, id), changeOf<StoredScout>({ set: { address } }));
      for (const other of hosts) {
        expect(await create(setting, by(url.replace(host, "127.0.0.1"), other))).toMatchObject({
          code: "source_in_use",
        });
      }
      expect(await setting.ask("POST", at(id, "/reconnect"), { body: {} })).toMatchObject({ status: 200 });
      expect(rowOf(setting, id)).toMatchObject({ address });
    });
  });

  describe("whose address has moved", () => {
    const moved = async (to: string, status: 301 | 302 = 301) => {
      const feeds = await feedWith(1);
      feeds.arm({ kind: "redirect", to, status });
      return feeds.feedUrl();
    };
    const isInUse = (id: ScoutId) => ({ code: "source_in_use", body: { error: { data: { scoutId: id } } } });

    test("for good is the source where it is now, whichever of the two is given first", async () => {
      const now = (await feedWith(1)).feedUrl();
      const old = await moved(now);
      const before = await moved(old);
      for (const first of [now, old, before]) {
        const setting = await apiSetting();
        const { id } = await made(setting, first);
        for (const same of [now, old, before]) expect(await create(setting, same)).toMatchObject(isInUse(id));
      }
    });

    test("for a while is a source of its own", async () => {
      const setting = await apiSetting();
      const now = (await feedWith(1)).feedUrl();
      await made(setting, now);
      expect(await create(setting, await moved(now, 302))).toMatchObject({ status: 201 });
    });

    /** As a scout was kept before it was noted where its address had led. */
    const withoutPlace = async ({ ports, ledger }: ApiSetting, id: ScoutId) => {
      const row = await ports.scouts.get(ada, id);
      const vault = new SettingsVault(ports.scouts, ports.vault);
      const { given, own: { refKey = "" } = {} } = (await vault.open(row, feedSettings)).reveal();
      const sealedSettings = await vault.seal(row, new Transient({ given, own: { refKey } }));
      await ledger.update(ledgerKey.scout(ada, id), changeOf<StoredScout>({ set: { sealedSettings } }));
    };

    test.each([
      ["a scout", async () => {}],
      ["one from before that was noted", withoutPlace],
    ])("since its scout was made, on or back: %s is the same one, and goes on", async (_name, prepare) => {
      const setting = await apiSetting();
      const feeds = await feedWith(1);
      const next = await feedWith(1);
      const { id } = await made(setting, feeds.feedUrl());
      const address = rowOf(setting, id)?.["address"];
      await prepare(setting, id);
      for (const to of [next.feedUrl(), next.feedUrl("/atom.xml"), undefined]) {
        const back = to === undefined ? () => {} : feeds.arm({ kind: "redirect", to });
        expect(await setting.ask("POST", at(id, "/reconnect"), { body: {} })).toMatchObject({ status: 200 });
        expect(rowOf(setting, id)).toMatchObject({ address });
        expect(await create(setting, feeds.feedUrl())).toMatchObject(isInUse(id));
        back();
      }
    });
  });

  test("two made at the same instant: one is, and the other is refused with its id", async () => {
    const setting = await apiSetting();
    const url = (await feedWith(1)).feedUrl();
    // Nobody goes on before all three have looked, and what is looked at is a moment old by the time it is acted on.
    const looked = Promise.withResolvers<void>();
    const list = setting.ports.scouts.list.bind(setting.ports.scouts);
    let looks = 0;
    setting.ports.scouts.list = async (user) => {
      const rows = await list(user);
      looks += 1;
      if (looks === 3) looked.resolve();
      await looked.promise;
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
      return rows;
    };
    const replies = await Promise.all([create(setting, url), create(setting, url), create(setting, url)]);
    const made = replies.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    const { id } = createdScoutResponse.parse(made[0]?.body);
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expect(reply).toMatchObject({ status: 409, code: "source_in_use", body: { error: { data: { scoutId: id } } } });
    }
    expect(setting.ledger.dump().filter(({ sk }) => sk.startsWith("SCOUT#"))).toHaveLength(1);
    expect(scoutsIn(setting)).not.toContain("HOLD#");
  });

  test("while another is being refused there: the scout that is there is named, not one that will never be", async () => {
    const setting = await apiSetting();
    const url = (await feedWith(1)).feedUrl();
    const first = await made(setting, url);
    const list = setting.ports.scouts.list.bind(setting.ports.scouts);
    const answered = Promise.withResolvers<void>();
    let looks = 0;
    setting.ports.scouts.list = async (user) => {
      looks += 1;
      // Both looked before the first was there; the one that holds the source then looks again, slowly.
      if (looks <= 2) return [];
      if (looks === 3) await answered.promise;
      return list(user);
    };
    const late = [create(setting, url), create(setting, url)];
    expect(await Promise.race(late)).toMatchObject({ body: { error: { data: { scoutId: first.id } } } });
    answered.resolve();
    for (const reply of await Promise.all(late)) {
      expect(reply).toMatchObject({ code: "source_in_use", body: { error: { data: { scoutId: first.id } } } });
    }
  });

  test("one that is being removed is named as that, and its source is free when it is gone", async () => {
    const setting = await apiSetting();
    const url = (await feedWith(1)).feedUrl();
    const { id } = await made(setting, url);
    const remove = setting.ledger.delete.bind(setting.ledger);
    setting.ledger.delete = () => Promise.reject(new ScoutsError("storage_throttled"));
    expect((await setting.ask("DELETE", at(id, ""))).code).toBe("storage_throttled");
    setting.ledger.delete = remove;
    expect(await create(setting, url)).toMatchObject({
      status: 409,
      code: "scout_deleting",
      body: { error: { data: { scoutId: id } } },
    });
    expect((await setting.ask("DELETE", at(id, ""))).status).toBe(204);
    expect((await create(setting, url)).status).toBe(201);
  });

  test("a source whose adding died is free again a minute later", async () => {
    const setting = await apiSetting();
    const url = (await feedWith(1)).feedUrl();
    const { create: write } = setting.ports.scouts;
    setting.ports.scouts.create = () => Promise.reject(new Error("killed"));
    const forget = setting.ledger.delete;
    setting.ledger.delete = () => Promise.reject(new Error("killed"));
    expect((await create(setting, url)).status).toBe(500);
    setting.ports.scouts.create = write.bind(setting.ports.scouts);
    setting.ledger.delete = forget.bind(setting.ledger);
    expect(await create(setting, url)).toMatchObject({ code: "source_in_use" });
    setting.nowMs += 60_000;
    expect((await create(setting, url)).status).toBe(201);
  });

  test("P1: of two people on one feed nothing in the tables is the same", async () => {
    const setting = await apiSetting();
    const url = (await feedWith(1)).feedUrl();
    await made(setting, url);
    expect((await create(setting, url, { as: "bob" })).status).toBe(201);
    const addresses = setting.ledger
      .dump()
      .flatMap((row) => (typeof row["address"] === "string" ? [row["address"]] : []));
    expect([addresses.length, new Set(addresses).size]).toEqual([2, 2]);
  });

  test.each([
    ["none", undefined, "settings.url"],
    ["of another form", { path: "/tmp" }, "settings.url, settings"],
    ["an address that is none", { url: "feed" }, "settings.url"],
    ["with a password", { url: "https://ada:secret@example.org/" }, "settings.url"],
  ])("settings are refused by the field that is wrong, which is not quoted: %s", async (_, settings, where) => {
    const setting = await apiSetting();
    const body = { sourceType: "feed", name: "News", purpose: "What is new?", ...(settings && { settings }) };
    const reply = await setting.ask("POST", "/api/v1/scouts", { body });
    expect(reply).toMatchObject({ status: 400, code: "invalid_request", body: { error: { data: { where } } } });
    expect(JSON.stringify(reply.body)).not.toContain("secret");
  });

  test("one that cannot be reached makes no scout; a source nobody knows is answered with those there are", async () => {
    const setting = await apiSetting();
    const feeds = await feedWith(1);
    feeds.arm({ kind: "status", status: 500 });
    expect(await create(setting, feeds.feedUrl())).toMatchObject({ status: 503, code: "source_unavailable" });
    const body = { sourceType: "pigeon", name: "Loft", purpose: "?" };
    expect(await setting.ask("POST", "/api/v1/scouts", { body })).toMatchObject({
      code: "source_unknown",
      body: { error: { data: { known: "feed, gmail" } } },
    });
    expect(setting.ledger.dump()).toEqual([]);
  });
});

describe("reconnecting", () => {
  test("reaches the source with what is kept; the scout goes on where it was", async () => {
    const setting = await apiSetting();
    const feeds = await feedWith(1);
    const { id } = await made(setting, feeds.feedUrl());
    const cursor = rowOf(setting, id)?.["cursor"];
    await setting.ports.scouts.disable(ada, id, "source_gone", setting.nowMs);
    const { status, body } = await setting.ask("POST", at(id, "/reconnect"), { body: {} });
    expect([status, seesResponse.parse(body).sees.items]).toEqual([200, 1]);
    expect(rowOf(setting, id)).toMatchObject({ cursor });
    expect(rowOf(setting, id)).not.toHaveProperty("disabledCode");
    expect(setting.told.at(-1)).toMatchObject({ type: "scout_health", health: { disabledCode: null } });
  });

  test("settings that lead elsewhere are refused, and a source that does not answer changes nothing", async () => {
    const setting = await apiSetting();
    const feeds = await feedWith(1);
    const { id } = await made(setting, feeds.feedUrl());
    const before = setting.ledger.dump();
    const other = { settings: { url: (await feedWith(1)).feedUrl() } };
    expect(await setting.ask("POST", at(id, "/reconnect"), { body: other })).toMatchObject({
      status: 409,
      code: "source_account_other",
    });
    feeds.arm({ kind: "status", status: 500 });
    expect(await setting.ask("POST", at(id, "/reconnect"), { body: {} })).toMatchObject({ code: "source_unavailable" });
    expect(setting.ledger.dump()).toEqual(before);
  });

  test("is nobody else's to ask", async () => {
    const setting = await apiSetting();
    const { id } = await made(setting, (await feedWith(1)).feedUrl());
    for (const [method, more] of [
      ["GET", "/sees"],
      ["POST", "/reconnect"],
    ] as const) {
      const body = method === "POST" ? { body: {} } : {};
      expect(await setting.ask(method, at(id, more), { as: "bob", ...body })).toMatchObject({
        code: "scout_not_found",
      });
    }
  });

  test("a scout that takes a consent says what it sees once it is connected, and not before", async () => {
    const setting = await apiSetting();
    const scout = await setting.scout();
    expect(await setting.ask("GET", at(scout, "/sees"))).toMatchObject({ code: "source_not_connected" });
    expect((await setting.connect(scout)).status).toBe(204);
    const { body } = await setting.ask("GET", at(scout, "/sees"));
    expect(seesResponse.parse(body).sees).toMatchObject({
      place: expect.stringMatching(/^[^ ]+@[^ ]+$/),
      folders: ["INBOX"],
      push: "soon",
    });
    expect(await setting.ask("POST", at(scout, "/reconnect"), { body: {} })).toMatchObject({ code: "invalid_request" });
  });
});

describe("the account that is chosen in a consent", () => {
  test("must be the scout's where that is asked for: else it reads on as it did", async () => {
    const setting = await apiSetting();
    const scout = await setting.scout();
    await setting.connect(scout, { sameAccount: true });
    // As if it had been connected to another mailbox, before addresses were kept.
    const key = ledgerKey.scout(ada, scout);
    await setting.ledger.update(key, { set: [[["address"], "another"]], remove: [["sealedSettings"]] });
    const before = rowOf(setting, scout);
    expect(await setting.connect(scout, { sameAccount: true })).toMatchObject({
      code: "source_account_other",
      body: { accounts: { expected: null, chosen: expect.stringContaining("@") } },
    });
    expect(rowOf(setting, scout)).toEqual(before);
    expect((await setting.connect(scout)).status, "a switch that is meant").toBe(204);
  });

  test("P1: is named beside the scout's own, to its owner alone: no table and no log has either", async () => {
    const setting = await apiSetting();
    const scout = await setting.scout();
    await setting.connect(scout);
    const { body } = await setting.ask("GET", at(scout, "/sees"));
    const own = seesResponse.parse(body).sees.place;
    expect(own).toContain("@");
    await setting.ledger.update(ledgerKey.scout(ada, scout), { set: [[["address"], "another"]] });
    const refused = await setting.connect(scout, { sameAccount: true });
    expect(refused.body).toMatchObject({ accounts: { expected: own, chosen: own } });
    const kept = JSON.stringify([setting.ledger.dump(), setting.sessions.dump(), setting.logged]);
    expect(kept).not.toContain(own);
  });
});

test("the OpenAPI document has the schema of every source's settings", async () => {
  const setting = await apiSetting();
  expect((await setting.ask("GET", "/openapi.json", { as: null })).body).toMatchObject({
    components: { schemas: { Settings_feed: { properties: { url: { type: "string" } } } } },
  });
});

test("the sources there are to add come with what each takes, secrets named, and to nobody without a token", async () => {
  const setting = await apiSetting();
  const { status, body } = await setting.ask("GET", "/api/v1/sources");
  expect(status).toBe(200);
  const { sources } = sourceListResponse.parse(body);
  expect(sources).toContainEqual({ source: "gmail", settings: null, secrets: [], trash: true });
  const feed = sources.find(({ source }) => source === "feed");
  expect(feed).toMatchObject({
    settings: { required: ["url"], additionalProperties: false },
    secrets: [],
    trash: false,
  });
  expect((await setting.ask("GET", "/api/v1/sources", { as: null })).status).toBe(401);
});

describe("muting a sender", () => {
  const mute = (setting: ApiSetting, scout: ScoutId, address: string, muted = true) =>
    setting.ask("POST", at(scout, "/mute"), { body: { address, muted } });

  test("is counted, may be repeated and ended; P1: the address is nowhere, nor the same in two scouts", async () => {
    const setting = await apiSetting();
    const [one, two] = [await setting.scout("One"), await setting.scout("Two")];
    for (const scout of [one, two]) {
      for (const address of ["Offers@Shop.example", "offers@shop.example"]) {
        expect(await mute(setting, scout, address)).toMatchObject({ status: 200, body: { mutedSenders: 1 } });
      }
    }
    expect(scoutsIn(setting)).not.toMatch(/shop\.example/i);
    const blinded = [one, two].flatMap((scout) => Object.keys(Object(rowOf(setting, scout)?.["muted"])));
    expect([blinded.length, new Set(blinded).size]).toEqual([2, 2]);
    expect((await setting.ask("PATCH", at(one, ""), { body: { name: "First" } })).body).toMatchObject({
      mutedSenders: 1,
    });
    expect(await mute(setting, one, "more@shop.example")).toMatchObject({ body: { mutedSenders: 2 } });
    expect(await mute(setting, one, "offers@shop.example", false)).toMatchObject({ body: { mutedSenders: 1 } });
    expect(JSON.stringify((await setting.ask("GET", at(one, ""))).body)).not.toContain("muteKey");
  });

  test("takes an address, of one's own scout", async () => {
    const setting = await apiSetting();
    const scout = await setting.scout();
    expect(await mute(setting, scout, "nobody")).toMatchObject({ status: 400, code: "invalid_request" });
    const reply = await setting.ask("POST", at(scout, "/mute"), { as: "bob", body: { address: "a@b.example" } });
    expect(reply).toMatchObject({ code: "scout_not_found" });
  });
});

describe("the runs of a scout", () => {
  const dayMs = 86_400_000;

  test("are listed newest first, page by page, of thirty days and of this scout alone", async () => {
    const setting = await apiSetting();
    const [scout, other] = [await setting.scout("One"), await setting.scout("Two")];
    const record = (scoutId: ScoutId, agoMs: number, queued: number) => {
      const atMs = setting.nowMs - agoMs;
      const run = { userId: ada, scoutId, outcome: "complete" as const, queued, pages: 1, durationMs: 5 };
      return recordSyncRun({ ledger: setting.ledger, newId: () => ulid(atMs) }, run, atMs);
    };
    const ago = [0, 0, 1_000, dayMs, 3 * dayMs, 29 * dayMs];
    for (const [at, agoMs] of ago.entries()) await record(scout, agoMs, at + 1);
    await record(other, 500, 99);
    const found: number[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = cursor === "" ? "?limit=2" : `?limit=2&cursor=${cursor}`;
      const page = runListResponse.parse((await setting.ask("GET", at(scout, `/runs${query}`))).body);
      expect(page.runs.length).toBeLessThanOrEqual(2);
      expect(page.runs.every(({ scoutId }) => scoutId === scout)).toBe(true);
      found.push(...page.runs.map(({ at: atMs }) => setting.nowMs - atMs));
      cursor = page.nextCursor;
    }
    expect(found).toEqual(ago);
  });

  test("a cursor that is none is refused; nobody else's runs are listed", async () => {
    const setting = await apiSetting();
    const scout = await setting.scout();
    const wrong = Buffer.from("runs:nonsense").toString("base64url");
    expect(await setting.ask("GET", at(scout, `/runs?cursor=${wrong}`))).toMatchObject({ code: "invalid_request" });
    expect(await setting.ask("GET", at(scout, "/runs"), { as: "bob" })).toMatchObject({ code: "scout_not_found" });
  });
});
