import type { ServerResponse } from "node:http";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openArtifacts } from "../../device/artifacts/open-artifacts.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import type { UsageResponse } from "../../events/http/usage.ts";
import { hasBrowser } from "../browser.ts";
import { loaded, startBrowser, violationsOn } from "./browser-page.ts";
import { type ConsoleHome, inbox, scoutId } from "./console-home.ts";
import { startConsole, startTab } from "./setting.ts";

const noTokens = { used: 0, committed: 0, limit: null, within: [] };

/** A home that says what was used, until it does not answer. */
async function startCounting(): Promise<ConsoleHome & { isAway: boolean; readonly project: string }> {
  const home = await startConsole({ proposals: [] });
  const { id: project } = home.store.projects.add("Garden");
  const usage: UsageResponse = {
    tier: "free",
    month: "2026-11",
    resetsAt: Date.UTC(2026, 11, 1),
    features: [
      {
        feature: "triage",
        used: 1_234_567,
        committed: 1_234_567,
        limit: null,
        within: [{ id: scoutId, tokens: 1_234_567 }],
      },
      {
        feature: "folder_index",
        used: 90_000,
        committed: 95_000,
        limit: 100_000,
        within: [{ id: project, tokens: 95_000 }],
      },
      { feature: "agents", ...noTokens, within: [{ id: "sct_gone", tokens: 7 }] },
      { feature: "categorize", ...noTokens, limit: 0 },
    ],
    past: [
      { month: "2026-10", features: [{ feature: "triage", used: 500, within: [] }] },
      { month: "2026-09", features: [] },
    ],
  };
  const setting = Object.assign(home, { isAway: false, project });
  home.cloud.onRequest = (path, _body, response: ServerResponse) => {
    response.setHeader("content-type", "application/json");
    if (setting.isAway) response.writeHead(502).end("{}");
    else if (path.startsWith("/api/v1/usage")) response.end(JSON.stringify(path.includes("months=12") ? usage : {}));
    else if (path.startsWith("/api/v1/scouts?")) response.end(JSON.stringify({ scouts: [inbox], nextCursor: null }));
    else return "default";
    return "handled";
  };
  return setting;
}

describe("what was used, as a tab asks for it", () => {
  it("is told by month, feature, scout and project, with limits, and with costs once a price is known", async () => {
    const home = await startCounting();
    const token = await home.token();
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await home.ask(method, `/api/usage${path}`, { token, ...(body !== undefined && { body }) });
      return { status: answer.status, json: (await answer.json()) as unknown };
    };
    expect((await home.ask("GET", "/api/usage")).status).toBe(401);
    expect((await ask("GET", "")).json).toMatchObject({
      trouble: null,
      price: null,
      told: {
        tier: "free",
        resetsAt: Date.UTC(2026, 11, 1),
        months: [
          { month: "2026-09", total: 0 },
          { month: "2026-10", total: 500 },
          { month: "2026-11", total: 1_324_567, cost: null },
        ],
        limits: [
          { feature: "triage", share: null },
          { feature: "folder_index", used: 90_000, setAside: 5_000, share: 0.95 },
          { feature: "agents", limit: null },
          { feature: "categorize", limit: 0, share: 1 },
        ],
        within: [
          { id: scoutId, name: "Inbox", tokens: 1_234_567 },
          { id: home.project, name: "Garden", tokens: 95_000 },
          { id: "sct_gone", name: null, tokens: 7 },
        ],
      },
    });
    for (const price of [{ perMillion: 0, currency: "EUR" }, { perMillion: 1, currency: "euro" }, 5])
      expect((await ask("PUT", "/price", { price })).status).toBe(400);
    await ask("PUT", "/price", { price: { perMillion: 2, currency: "EUR" } });
    expect((await ask("GET", "")).json).toMatchObject({
      price: { perMillion: 2, currency: "EUR" },
      told: { months: [{ cost: 0 }, { cost: 0.001 }, { cost: 2.649134 }] },
    });
    await ask("PUT", "/price", { price: null });
    expect((await ask("GET", "")).json).toMatchObject({ price: null });
    expect(home.problems).toEqual([]);
  });

  it("is what the home said last where it does not answer, and says so; nothing where it never did", async () => {
    const home = await startCounting();
    const token = await home.token();
    const ask = async () => (await (await home.ask("GET", "/api/usage", { token })).json()) as unknown;
    home.isAway = true;
    expect(await ask()).toMatchObject({ told: null, trouble: { code: "request_refused" } });
    home.isAway = false;
    await ask();
    home.isAway = true;
    expect(await ask()).toMatchObject({
      told: { month: "2026-11", atMs: expect.any(Number) },
      trouble: { code: "request_refused" },
    });
    expect(home.problems).toEqual([]);
  });

  it("has what storing results has saved, as the command line counts it", async () => {
    const home = await startCounting();
    const artifacts = openArtifacts(home.store.dataFolder, systemTimeAndIds, home.store.vault);
    const origin = { threadId: "t", taskId: "t", toolCallId: "c", tool: "list", readOnly: true };
    await artifacts.keepOrInline("word ".repeat(50_000), origin);
    await artifacts.flush();
    const answer = await home.ask("GET", "/api/usage/artifacts", { token: await home.token() });
    expect(await answer.json()).toMatchObject({ stored: { artifacts: 1, bytes: 250_000 }, usage: { kept: 1 } });
  });
});

describe.skipIf(!hasBrowser)("usage in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("is drawn within the page's policy, with the same numbers in a table, as the language writes them", async () => {
    const home = await startCounting();
    const { page, complaints } = await startTab(browser, home, { path: "/usage", locale: "de" });
    await page.getByRole("cell", { name: "1.324.567" }).waitFor();
    expect(await page.locator(".usage-chart rect[fill^='url(']").count()).toBeGreaterThan(2);
    await page.getByText("Fast verbraucht.").first().waitFor();
    await page.getByLabel("Preis einer Million Token").fill("2,5");
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: /3,31\s€/ }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    home.isAway = true;
    await page.reload();
    await loaded(page);
    await page.getByRole("alert").getByText("zuletzt sagte").waitFor();
    await page.getByRole("cell", { name: "1.324.567" }).waitFor();
    expect(complaints).toEqual([]);
    expect(home.problems).toEqual([]);
  });
});
