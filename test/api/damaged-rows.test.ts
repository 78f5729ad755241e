import { afterEach, describe, expect, test } from "vitest";
import { scoutHealth } from "../../events/health.ts";
import { itemListResponse, redriveResponse, spamListResponse } from "../../events/http/items.ts";
import { scoutListResponse } from "../../events/http/scouts.ts";
import { usageResponse } from "../../events/http/usage.ts";
import type { ScoutId } from "../../events/ids.ts";
import { monthOf, monthsBefore } from "../../shared/billing/month.ts";
import type { Feature } from "../../shared/billing/tiers.ts";
import { ledgerKey } from "../../shared/keys.ts";
import type { Key } from "../../shared/ports/table.ts";
import { cleanUp } from "../standins/mailbox-fixture.ts";
import { type ApiSetting, ada, apiSetting, ref } from "./setting.ts";

afterEach(cleanUp);

const scoutsPath = "/api/v1/scouts";
const tokens = { inputTokens: 0, outputTokens: 0 };
const spam = { status: "spam", sourceType: "gmail", reasonCode: "marketing", confidence: 0.9, ...tokens } as const;

const damage = ({ ledger }: ApiSetting, key: Key, attribute: string, value: string | { not: string }) =>
  ledger.update(key, { set: [[[attribute], value]] }, { exists: ["pk"] });

async function dismissed(setting: ApiSetting, scoutId: ScoutId, names: readonly string[]): Promise<void> {
  for (const [at, name] of names.entries()) {
    const id = { userId: ada, scoutId, ref: ref(name) };
    await setting.items.judge(id, { ...spam, model: "m", promptVersion: "p@1" }, setting.nowMs + at);
  }
}

async function deferred({ items, nowMs }: ApiSetting, scoutId: ScoutId, names: readonly string[]): Promise<void> {
  const why = { status: "deferred", sourceType: "gmail", code: "model_forbidden", attempts: 1, nowMs } as const;
  for (const name of names)
    await items.postpone({ userId: ada, scoutId, ref: ref(name) }, { ...why, dueAtMs: nowMs + 3_600_000 });
}

const used = ({ ledger }: ApiSetting, scoutId: ScoutId, feature: Feature, month: string) =>
  ledger.put({ ...ledgerKey.usage(ada, month, feature), committed: 70, used: 70, [`in#${scoutId}`]: 70 });

const setTier = ({ ledger }: ApiSetting, tier: string) =>
  ledger.update(ledgerKey.user(ada), { set: [[["tier"], tier]] });

describe("nothing silent: a damaged row keeps none of the others from a list, and is named in it", () => {
  test("of dismissed items, with the time it was judged", async () => {
    const setting = await apiSetting();
    const scout = await setting.scout();
    await dismissed(setting, scout, ["m1", "m2", "m3"]);
    await damage(setting, ledgerKey.item(ada, scout, ref("m2")), "reasonCode", "of_a_later_version");
    for (const source of ["skip", "read"]) {
      const { status, body } = await setting.ask("GET", `${scoutsPath}/${scout}/spam?source=${source}`);
      expect(status).toBe(200);
      const { items } = spamListResponse.parse(body);
      expect(items.map((each) => [each.ref, each.triagedAt])).toEqual([
        ["m3", setting.nowMs + 2],
        ["m2", setting.nowMs + 1],
        ["m1", setting.nowMs],
      ]);
      expect(items[1]?.atSource).toEqual({ code: "row_damaged" });
      expect(items[0]?.atSource).not.toEqual({ code: "row_damaged" });
    }
  });

  test("of dismissed items not, where it was restored since", async () => {
    const setting = await apiSetting();
    const scout = await setting.scout();
    await dismissed(setting, scout, ["m1", "m2"]);
    const key = ledgerKey.item(ada, scout, ref("m2"));
    await setting.ledger.update(key, { set: [[["status"], "acked"]] }, { exists: ["pk"] });
    await damage(setting, key, "reasonCode", "of_a_later_version");
    const { body } = await setting.ask("GET", `${scoutsPath}/${scout}/spam`);
    expect(spamListResponse.parse(body).items.map((each) => each.ref)).toEqual(["m1"]);
  });

  test("of items without a verdict, with its code", async () => {
    const setting = await apiSetting();
    const scout = await setting.scout();
    await deferred(setting, scout, ["m1", "m2", "m3"]);
    await damage(setting, ledgerKey.item(ada, scout, ref("m2")), "code", "of_a_later_version");
    const { status, body } = await setting.ask("GET", "/api/v1/items");
    expect(status).toBe(200);
    const { items } = itemListResponse.parse(body);
    expect(items.map((each) => [each.ref, each.status, each.code])).toEqual([
      ["m1", "deferred", "model_forbidden"],
      ["m2", "failed", "row_damaged"],
      ["m3", "deferred", "model_forbidden"],
    ]);
    const damagedOne = items[1];
    expect(damagedOne).toEqual({
      ...{ scoutId: scout, ref: "m2", status: "failed", code: "row_damaged", attempts: 0 },
      ...{ since: null, nextLookAt: null },
    });
  });

  test("of items to be judged anew, and is counted as one that cannot be", async () => {
    const setting = await apiSetting();
    const scout = await setting.scout();
    await deferred(setting, scout, ["m1", "m2"]);
    await damage(setting, ledgerKey.item(ada, scout, ref("m2")), "code", "of_a_later_version");
    await damage(setting, ledgerKey.scout(ada, await setting.scout("Torn")), "createdAt", { not: "this" });
    const redrive = async (body: unknown) => {
      const reply = await setting.ask("POST", "/api/v1/items/redrive", { body });
      expect([reply.status, reply.code]).toEqual([200, undefined]);
      return redriveResponse.parse(reply.body);
    };
    expect(await redrive({ refs: ["m1", "m2"] })).toEqual({ redriven: 1, refused: 1, nextCursor: null });
    expect(await redrive({ all: true })).toEqual({ redriven: 0, refused: 0, nextCursor: null });
  });

  test("of scouts, be its row damaged or its name sealed with a key that is not held", async () => {
    const setting = await apiSetting();
    const whole = await setting.scout("Whole");
    const torn = await setting.scout("Torn");
    const sealed = await setting.scout("Sealed");
    await damage(setting, ledgerKey.scout(ada, torn), "createdAt", { not: "this" });
    await damage(setting, ledgerKey.scout(ada, sealed), "sealed", "eyJraWQiOiJ4In0.a.b.c");
    const { status, body } = await setting.ask("GET", scoutsPath);
    expect(status).toBe(200);
    const { scouts } = scoutListResponse.parse(body);
    const shown = new Map(scouts.map(({ id, name, disabledCode }) => [id, { name, disabledCode }]));
    expect(shown.get(whole)).toEqual({ name: "Whole", disabledCode: null });
    expect(shown.get(torn)).toEqual({ name: torn, disabledCode: "row_damaged" });
    expect(shown.get(sealed)).toEqual({ name: sealed, disabledCode: "sealed_unreadable" });
    expect(setting.logged).toContain("configuration_invalid");
  });

  test("of what a scout's health tells, where its owner's account or usage, or the model's row, is damaged", async () => {
    const setting = await apiSetting();
    const scout = await setting.scout();
    await used(setting, scout, "triage", monthOf(setting.nowMs));
    const health = async () => {
      const { status, body } = await setting.ask("GET", `${scoutsPath}/${scout}/health`);
      expect(status).toBe(200);
      return scoutHealth.parse(body);
    };
    const whole = await health();
    expect(whole).toMatchObject({ tokens: { scout: 70, owner: 70, ownerCap: 500_000 } });
    expect(whole.damaged).toBeUndefined();
    await setTier(setting, "of_a_later_version");
    expect(await health()).toMatchObject({ tokens: { scout: 70, owner: 70, ownerCap: null }, damaged: ["account"] });
    await damage(setting, ledgerKey.usage(ada, monthOf(setting.nowMs), "triage"), "used", { not: "this" });
    const torn = await health();
    expect(torn).toMatchObject({ tokens: { scout: 0, owner: 0 }, damaged: ["account", "usage"] });
    expect({ ...torn, tokens: undefined, damaged: undefined }).toEqual({ ...whole, tokens: undefined });
    await setting.ledger.put({ ...ledgerKey.breaker(), code: "of_a_later_version", since: 1 });
    expect(await health()).toMatchObject({ waiting: null, damaged: ["account", "usage", "model"] });
  });

  test("of the month's and past months' tokens, and of the plan", async () => {
    const setting = await apiSetting();
    const scout = await setting.scout();
    const [now, before] = [monthOf(setting.nowMs), monthsBefore(setting.nowMs, 1)[0] ?? ""];
    for (const feature of ["triage", "agents"] as const) {
      for (const month of [now, before]) await used(setting, scout, feature, month);
    }
    await damage(setting, ledgerKey.usage(ada, now, "triage"), `open#${scout}.m1`, { not: "this" });
    await damage(setting, ledgerKey.usage(ada, before, "agents"), "committed", { not: "this" });
    await setTier(setting, "of_a_later_version");
    const { status, body } = await setting.ask("GET", "/api/v1/usage?months=2");
    expect(status).toBe(200);
    const { tier, features, damaged, past } = usageResponse.parse(body);
    expect([tier, damaged]).toEqual(["unknown", ["account", "triage"]]);
    expect(features.map(({ feature, used: tokens, limit }) => [feature, tokens, limit])).toEqual([
      ["folder_index", 0, null],
      ["agents", 70, null],
      ["categorize", 0, null],
    ]);
    expect(past?.[0]?.damaged).toEqual(["agents"]);
    expect(past?.[0]?.features.map(({ feature, used: tokens }) => [feature, tokens])).toEqual([
      ["triage", 70],
      ["folder_index", 0],
      ["categorize", 0],
    ]);
  });
});
