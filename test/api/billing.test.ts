import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { quotaCheckResponse, usageResponse } from "../../events/http/usage.ts";
import { projectId } from "../../events/ids.ts";
import { AccountStore } from "../../shared/billing/account-store.ts";
import { TokenBudget } from "../../shared/billing/token-budget.ts";
import { newId } from "../memory/chance.ts";
import { type ApiSetting, ada, apiSetting } from "./setting.ts";

const project = projectId.parse("prj_01KE5Q8600ESE4NYY1EVXDNQEP");
const path = "/api/v1/billing/quota/check";
const check = (estimated_files: number, estimated_tokens: number) => ({
  body: { feature: "folder_index", estimated_files, estimated_tokens },
});
let api: ApiSetting;
beforeEach(async () => {
  api = await apiSetting();
  api.nowMs = Date.UTC(2026, 10, 20);
});
afterEach(() => api.mailbox.close());

const nextMonth = Date.UTC(2026, 11, 1);

/** Spends tokens of the month on the project's summaries. */
async function spend(used: number, open: number): Promise<void> {
  const budget = new TokenBudget(api.ledger, "folder_index", () => api.nowMs, newId);
  const request = (op: string, tokens: number) => ({ op, within: project, tokens, base: 0 });
  const caps = { total: undefined, within: new Map() };
  const { month, granted } = await budget.reserve(ada, [request("a", used), request("b", open)], caps);
  const [first] = granted;
  if (first) await budget.settle(ada, month, [{ request: first, result: { total: used, reservation: first.id } }]);
}

describe("POST /api/v1/billing/quota/check", () => {
  test("a folder within the limits may be linked", async () => {
    await spend(1_000, 500);
    const { status, body } = await api.ask("POST", path, check(200, 98_500));
    expect([status, quotaCheckResponse.parse(body)]).toEqual([
      200,
      { tier: "free", maxFiles: 200, monthlyTokens: 100_000, used: 1_500, resetsAt: nextMonth },
    ]);
  });

  test("one file too many is folder_max_files, which no month resets", async () => {
    const { status, body } = await api.ask("POST", path, check(201, 0));
    const data = { tier: "free", limit: 200, used: 201, resetsAt: null };
    expect([status, body]).toMatchObject([402, { error: { code: "folder_max_files", data } }]);
  });

  test("4.2: more than is left may begin, what fits is summarised; nothing left is folder_monthly_tokens", async () => {
    await spend(1_000, 500);
    const { status, body } = await api.ask("POST", path, check(200, 250_000));
    expect([status, body]).toMatchObject([200, { monthlyTokens: 100_000, used: 1_500, resetsAt: nextMonth }]);
    await spend(98_500, 500);
    const refused = await api.ask("POST", path, check(200, 1));
    const data = { tier: "free", limit: 100_000, used: 100_000, resetsAt: nextMonth };
    expect([refused.status, refused.body]).toMatchObject([402, { error: { code: "folder_monthly_tokens", data } }]);
    expect((await api.ask("POST", path, check(200, 0))).status).toBe(200);
    api.nowMs = nextMonth;
    expect((await api.ask("POST", path, check(200, 98_501))).status).toBe(200);
  });

  test("another person's tokens do not count; a tier without limits has none", async () => {
    await spend(100_000, 0);
    expect((await api.ask("POST", path, { ...check(1, 100_000), as: "bob" })).status).toBe(200);
    await new AccountStore(api.ledger).setTier(ada, "team");
    const { body } = await api.ask("POST", path, check(1_000_000, 1e12));
    expect(body).toMatchObject({ tier: "team", maxFiles: null, monthlyTokens: null });
  });

  test.each([[{ feature: "agents", estimated_files: 1, estimated_tokens: 1 }], [{ feature: "folder_index" }]])(
    "%j is invalid_request",
    async (body) => {
      expect(await api.ask("POST", path, { body })).toMatchObject({ status: 400, code: "invalid_request" });
    },
  );
});

test("GET /api/v1/usage: used, committed and limit by feature, and what each project took", async () => {
  await spend(1_000, 500);
  const { status, body } = await api.ask("GET", "/api/v1/usage");
  expect(status).toBe(200);
  expect(usageResponse.parse(body)).toEqual({
    tier: "free",
    month: "2026-11",
    resetsAt: nextMonth,
    features: [
      { feature: "triage", used: 0, committed: 0, limit: 500_000, within: [] },
      {
        feature: "folder_index",
        used: 1_000,
        committed: 1_500,
        limit: 100_000,
        within: [{ id: project, tokens: 1_500 }],
      },
      { feature: "agents", used: 0, committed: 0, limit: 200_000, within: [] },
      { feature: "categorize", used: 0, committed: 0, limit: 500_000, within: [] },
    ],
  });
});

test("GET /api/v1/usage?months=3: months before as well, the newest first; more than are kept are refused", async () => {
  await spend(1_000, 0);
  api.nowMs = Date.UTC(2027, 0, 31);
  await spend(20, 0);
  const { body } = await api.ask("GET", "/api/v1/usage?months=3");
  const { month, features, past } = usageResponse.parse(body);
  const folders = (all: readonly { readonly feature: string; readonly used: number }[]) =>
    all.find(({ feature }) => feature === "folder_index")?.used;
  expect([month, folders(features)]).toEqual(["2027-01", 20]);
  expect(past?.map((each) => [each.month, folders(each.features)])).toEqual([
    ["2026-12", 0],
    ["2026-11", 1_000],
  ]);
  expect(past?.[1]?.features.find(({ feature }) => feature === "folder_index")?.within).toEqual([
    { id: project, tokens: 1_000 },
  ]);
  for (const months of ["0", "14", "x"])
    expect((await api.ask("GET", `/api/v1/usage?months=${months}`)).status).toBe(400);
});
