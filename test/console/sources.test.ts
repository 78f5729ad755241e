import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { consoleFolder } from "../../device/console/presence.ts";
import { temporaryFolder } from "../device/setting.ts";
import { addFeed, type RealHome, startConsoleOnHome } from "./real-home.ts";

const bodyOf = async (answer: Promise<Response>): Promise<unknown> => (await answer).json();
const asked = z.object({ status: z.literal("asked"), id: z.string(), url: z.string() });
const gmail = { source: "gmail", purpose: "What people want from me" };

async function opened(): Promise<{ setting: RealHome; token: string }> {
  const setting = await startConsoleOnHome();
  return { setting, token: await setting.token() };
}

describe("what a tab does with sources", () => {
  it("adds one by what is typed, and says what it sees; a second on the same source is refused", async () => {
    const { setting, token } = await opened();
    const body = { source: "feed", settings: { url: setting.feeds.feedUrl() }, purpose: "What is new?" };
    expect(await bodyOf(setting.ask("POST", "/api/scouts", { token, body }))).toMatchObject({
      status: "done",
      connected: { name: "The feed", sees: { place: "The feed", items: 2, push: "never" } },
    });
    expect(await bodyOf(setting.ask("POST", "/api/scouts", { token, body }))).toMatchObject({
      error: {
        ...{ code: "source_in_use", about: "named", values: { name: "The feed" } },
        message: expect.stringContaining("The feed reads this source already"),
      },
    });
  });

  it("names the field that is wrong", async () => {
    const { setting, token } = await opened();
    const body = { source: "feed", settings: { url: "no address" }, purpose: "What is new?" };
    expect(await bodyOf(setting.ask("POST", "/api/scouts", { token, body }))).toMatchObject({
      error: { code: "usage", field: "url", message: expect.stringContaining("web address") },
    });
    const locked = { source: "locked", settings: { host: "safe.example", password: "p", port: "abc" } };
    expect(await bodyOf(setting.ask("POST", "/api/scouts", { token, body: { ...body, ...locked } }))).toMatchObject({
      error: { code: "usage", about: "port", field: "port" },
    });
    const nameless = { ...body, settings: { url: setting.feeds.feedUrl() }, purpose: " " };
    expect(await bodyOf(setting.ask("POST", "/api/scouts", { token, body: nameless }))).toMatchObject({
      error: { code: "usage", field: "purpose" },
    });
  });

  it("says of what is typed too long, or is no number, what it should be, at its field", async () => {
    const { setting, token } = await opened();
    const id = await addFeed(setting, token, "News");
    const long = "n".repeat(5_000);
    const added = { source: "feed", settings: { url: setting.feeds.feedUrl() }, name: long, purpose: "What is new?" };
    const forms = [
      ["POST", "/api/scouts", added, "name"],
      ["PATCH", `/api/scouts/${id}`, { name: long }, "name"],
      ["PATCH", `/api/scouts/${id}`, { purpose: long }, "purpose"],
      ["PATCH", `/api/scouts/${id}`, { schedule: long }, "schedule"],
      ["PATCH", `/api/scouts/${id}`, { pauseAfterDays: "1e2" }, "pauseAfterDays"],
      ["POST", `/api/scouts/${id}/try`, { purpose: long }, "purpose"],
      ["POST", `/api/scouts/${id}/mute`, { address: long }, "address"],
    ] as const;
    for (const [method, path, body, field] of forms) {
      expect(await bodyOf(setting.ask(method, path, { token, body }))).toMatchObject({
        error: { code: "usage", about: field, field },
      });
    }
  });

  it("adds one by a consent in the browser, and hears when it is given", async () => {
    const { setting, token } = await opened();
    const { id, url } = asked.parse(await bodyOf(setting.ask("POST", "/api/scouts", { token, body: gmail })));
    const outcome = bodyOf(setting.ask("GET", `/api/connections/${id}`, { token }));
    await setting.consent(url);
    expect(await outcome).toMatchObject({
      name: "Gmail",
      sees: { place: expect.stringContaining("@"), folders: ["INBOX"] },
    });
  });

  it("nothing is left of one whose consent is cancelled", async () => {
    const { setting, token } = await opened();
    const { id } = asked.parse(await bodyOf(setting.ask("POST", "/api/scouts", { token, body: gmail })));
    const outcome = bodyOf(setting.ask("GET", `/api/connections/${id}`, { token }));
    await setting.ask("DELETE", `/api/connections/${id}`, { token });
    expect(await outcome).toMatchObject({ error: { code: "consent_abandoned" } });
    expect(await bodyOf(setting.ask("GET", "/api/scouts", { token }))).toMatchObject({ scouts: [] });
  });

  it("of two tabs that change what both had seen, the later is told and overwrites nothing", async () => {
    const { setting, token } = await opened();
    const id = await addFeed(setting, token, "News");
    const was = { name: "News", purpose: "What is new?" };
    const edit = (change: object) => setting.ask("PATCH", `/api/scouts/${id}`, { token, body: { ...change, was } });
    expect((await edit({ purpose: "First" })).status).toBe(200);
    const late = await edit({ purpose: "Second" });
    expect([late.status, await late.json()]).toEqual([
      409,
      { error: { code: "conflict", message: expect.any(String) } },
    ]);
    expect(await bodyOf(setting.ask("GET", `/api/scouts/${id}`, { token }))).toMatchObject({
      scout: { purpose: "First" },
      trouble: null,
    });
  });

  it("pauses, resumes, runs, looks, mutes, reconnects and removes one; a link to what is gone says so", async () => {
    const { setting, token } = await opened();
    const id = await addFeed(setting, token, "News");
    const at = `/api/scouts/${id}`;
    const put = (paused: boolean) => bodyOf(setting.ask("PUT", `${at}/paused`, { token, body: { paused } }));
    expect(await put(true)).toMatchObject({ paused: true });
    expect(await bodyOf(setting.ask("POST", `${at}/run`, { token }))).toMatchObject({
      error: { code: "scout_paused" },
    });
    expect(await put(false)).toMatchObject({ paused: false });
    expect(await bodyOf(setting.ask("POST", `${at}/run`, { token }))).toEqual({ queued: true });
    expect(await bodyOf(setting.ask("GET", `${at}/health`, { token }))).toMatchObject({ health: { state: "active" } });
    expect(await bodyOf(setting.ask("GET", `${at}/sees`, { token }))).toMatchObject({
      sees: { items: 2, push: "never", pushOff: null },
      error: null,
    });
    expect(await bodyOf(setting.ask("GET", `${at}/runs`, { token }))).toEqual({ runs: [] });
    const mute = { address: "Shop <Offers@Shop.example>", muted: true };
    expect(await bodyOf(setting.ask("POST", `${at}/mute`, { token, body: mute }))).toEqual({
      address: "offers@shop.example",
    });
    const again = await bodyOf(setting.ask("POST", `${at}/reconnect`, { token, body: { settings: {} } }));
    expect(again).toMatchObject({ status: "done" });
    expect(await bodyOf(setting.ask("DELETE", at, { token }))).toEqual({ removed: id });
    expect((await setting.ask("GET", at, { token })).status).toBe(404);
  });

  it("P1: a secret that is typed is nowhere at rest, in no answer and in no log, right or wrong", async () => {
    const { setting, token } = await opened();
    const said: string[] = [];
    const add = async (password: string) => {
      const settings = { host: "safe.example", password };
      const reply = await setting.ask("POST", "/api/scouts", {
        token,
        body: { source: "locked", settings, purpose: "What is in it?" },
      });
      said.push(await reply.text());
      return reply.status;
    };
    expect(await add("swordfish")).toBe(422);
    expect(await add("open sesame")).toBe(200);
    said.push(await (await setting.ask("GET", "/api/scouts", { token })).text());
    const atRest = [JSON.stringify(setting.home.ledger.dump()), readFileSync(setting.store.path, "latin1")];
    const logs = [...setting.home.logged, ...setting.problems.map(String)];
    for (const text of [...said, ...atRest, ...logs]) expect(text).not.toMatch(/swordfish|open sesame/);
    expect(atRest[0]).toContain("sealedSettings");
  });
});

describe("what a tab does with folders", () => {
  it("links one, changes how often it is read, has it read now, and forgets it", async () => {
    const { setting, token } = await opened();
    const path = temporaryFolder();
    const linked = await bodyOf(setting.ask("POST", "/api/folders", { token, body: { name: "Garden", path } }));
    const { folder } = z.object({ folder: z.object({ id: z.string(), name: z.string() }) }).parse(linked);
    expect(setting.scanned).toEqual([`${folder.id} link`]);
    const at = `/api/folders/${folder.id}`;
    const changed = await setting.ask("PATCH", at, { token, body: { isEnabled: false } });
    expect(await changed.json()).toMatchObject({ folder: { isEnabled: false, rescanEveryMs: 86_400_000 } });
    await setting.ask("POST", `${at}/scan`, { token });
    expect(setting.scanned).toEqual([`${folder.id} link`, `${folder.id} manual`]);
    expect(await bodyOf(setting.ask("GET", `${at}/scans`, { token }))).toEqual({ runs: [] });
    expect(await bodyOf(setting.ask("DELETE", at, { token }))).toEqual({ removed: folder.id });
    expect((await setting.ask("GET", at, { token })).status).toBe(404);
  });

  it.each(["relative", "", "/", "/no/such/folder", "/etc"])("refuses %s and keeps nothing of it", async (path) => {
    const { setting, token } = await opened();
    const refused = await setting.ask("POST", "/api/folders", { token, body: { name: "", path } });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
    expect(setting.store.projects.list()).toEqual([]);
  });
});

describe("how a tab sees the device", () => {
  it("keeps what is chosen with the device, for every tab", async () => {
    const { setting, token } = await opened();
    const first = { language: null, theme: "system", notifications: "off" };
    expect(await bodyOf(setting.ask("GET", "/api/preferences", { token }))).toEqual({ preferences: first });
    await setting.ask("PATCH", "/api/preferences", { token, body: { theme: "dark" } });
    await setting.ask("PATCH", "/api/preferences", { token, body: { language: "it" } });
    const other = await setting.token();
    expect(await bodyOf(setting.ask("GET", "/api/preferences", { token: other }))).toEqual({
      preferences: { ...first, theme: "dark", language: "it" },
    });
    const file = join(consoleFolder(setting.store.dataFolder), "settings.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ theme: "dark" });
    expect((await setting.ask("PATCH", "/api/preferences", { token, body: { theme: "<b>" } })).status).toBe(400);
  });

  it("asks the home whether there is anything only where the device knows of nothing", async () => {
    const { setting, token } = await opened();
    const welcome = () => bodyOf(setting.ask("GET", "/api/welcome", { token }));
    expect(await welcome()).toMatchObject({ isEmpty: true });
    const id = await addFeed(setting, token, "News");
    expect(await welcome()).toMatchObject({ isEmpty: false });
    await setting.ask("GET", "/api/scouts", { token });
    const asked: string[] = [];
    const { onRequest } = setting.cloud;
    setting.cloud.onRequest = (path, ...more) => {
      asked.push(path);
      return onRequest(path, ...more);
    };
    expect(await welcome()).toMatchObject({ isEmpty: false });
    expect(asked).toEqual([]);
    await setting.ask("DELETE", `/api/scouts/${id}`, { token });
    expect(await welcome()).toMatchObject({ isEmpty: true });
  });

  it("says where its data lies, how it fares and how a second device is made", async () => {
    const { setting, token } = await opened();
    const { dataFolder } = setting.store;
    expect(await bodyOf(setting.ask("GET", "/api/data", { token }))).toMatchObject({
      path: dataFolder,
      bytes: expect.any(Number),
    });
    expect(await bodyOf(setting.ask("GET", "/api/device", { token }))).toMatchObject({
      isOnline: true,
      pairing: { isAnywhere: false, commands: [expect.stringContaining(`scouts connect --home ${dataFolder}`)] },
    });
    const { checks } = z
      .object({ checks: z.array(z.looseObject({ name: z.string() })) })
      .parse(await bodyOf(setting.ask("POST", "/api/doctor", { token })));
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["node", "data folder", "database", "model"]),
    );
    expect(await bodyOf(setting.ask("GET", "/api/welcome", { token }))).toEqual({ isEmpty: true, hasSample: false });
  });
});
