import { describe, expect, it } from "vitest";
import { openArtifacts } from "../../device/artifacts/open-artifacts.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { scoutId } from "./console-home.ts";
import { startCounting } from "./usage-home.ts";

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
          { id: "home", name: null, tokens: 5 },
        ],
      },
    });
    for (const perMillion of ["0", "-1", "free", "1.000,50", "1000001"]) {
      const refused = await ask("PUT", "/price", { price: { perMillion, currency: "EUR" } });
      expect(refused, perMillion).toMatchObject({ status: 400, json: { error: { field: "perMillion" } } });
    }
    const refused = await ask("PUT", "/price", { price: { perMillion: "1", currency: "euro" } });
    expect(refused).toMatchObject({ status: 400, json: { error: { field: "currency" } } });
    expect((await ask("PUT", "/price", { price: 5 })).status).toBe(400);
    await ask("PUT", "/price", { price: { perMillion: " 2,0", currency: "eur" } });
    expect((await ask("GET", "")).json).toMatchObject({
      price: { perMillion: 2, currency: "EUR" },
      told: { months: [{ cost: 0 }, { cost: 0.001 }, { cost: 2.649134 }] },
    });
    await ask("PUT", "/price", { price: null });
    expect((await ask("GET", "")).json).toMatchObject({ price: null });
    expect(home.problems).toEqual([]);
  });

  it("names what the home cannot read, and has the rest", async () => {
    const home = await startCounting();
    home.isTorn = true;
    const answer = await home.ask("GET", "/api/usage", { token: await home.token() });
    const { told } = (await answer.json()) as { told: unknown };
    const why = { code: "row_damaged" };
    expect(told).toMatchObject({
      missing: [
        { what: "account", why },
        { what: "triage", why },
      ],
      limits: [{ feature: "folder_index", used: 90_000, limit: null, share: null }, {}, {}],
      months: [{ month: "2026-09" }, { damaged: [] }, { month: "2026-11", damaged: ["account", "triage"] }],
    });
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
