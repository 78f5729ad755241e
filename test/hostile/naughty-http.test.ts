import { afterEach, expect, test } from "vitest";
import * as z from "zod";
import { scoutListResponse, scoutResponse } from "../../events/http/scouts.ts";
import { type ApiSetting, apiSetting, type Reply } from "../api/setting.ts";
import { cleanUp } from "../standins/mailbox-fixture.ts";
import { naughtyStrings, Tally } from "./vectors.ts";

const tally = new Tally("naughty strings over HTTP");
afterEach(cleanUp);

/** Counts what became of one string; a fault or an answer without a code fails. */
function judge(where: string, text: string, { status, code, body }: Reply): boolean {
  expect(status, `${where} ${JSON.stringify(text).slice(0, 80)}: ${code}`).toBeLessThan(500);
  const isTaken = status < 300;
  if (!isTaken) expect(code, JSON.stringify(body)).toMatch(/^[a-z_]+$/);
  tally.add(`${where} ${isTaken ? "taken" : "refused"}`);
  return isTaken;
}

/** The bucket of requests a minute is full again. */
async function ask(setting: ApiSetting, ...words: Parameters<ApiSetting["ask"]>): Promise<Reply> {
  setting.nowMs += 60_000;
  return setting.ask(...words);
}

test("names and purposes come back as they were, or are refused by a code", async () => {
  const setting = await apiSetting();
  const scout = await setting.scout();
  for (const field of ["name", "purpose"] as const) {
    for (const text of naughtyStrings) {
      const reply = await ask(setting, "PATCH", `/api/v1/scouts/${scout}`, { body: { [field]: text } });
      if (!judge(field, text, reply)) continue;
      expect(scoutResponse.parse(reply.body)[field]).toBe(text.trim());
      const again = await ask(setting, "GET", `/api/v1/scouts/${scout}`);
      expect(scoutResponse.parse(again.body)[field]).toBe(text.trim());
      if (text.trim().length > 6)
        expect(JSON.stringify(setting.ledger.dump())).not.toContain(JSON.stringify(text.trim()).slice(1, -1));
    }
  }
});

test("a new scout's source type, settings and feed address", async () => {
  const setting = await apiSetting();
  const named = { name: "News", purpose: "What is new" };
  for (const text of naughtyStrings) {
    const bodies = {
      sourceType: { ...named, sourceType: text },
      "feed address": { ...named, sourceType: "feed", settings: { sourceType: "feed", url: text } },
      "feed path": {
        ...named,
        sourceType: "feed",
        settings: { sourceType: "feed", url: `https://feeds.example/${text}` },
      },
      settings: { ...named, sourceType: "gmail", settings: text },
      "whole body": text,
    };
    for (const [where, body] of Object.entries(bodies)) {
      judge(where, text, await ask(setting, "POST", "/api/v1/scouts", { body }));
    }
    judge("text for JSON", text, await ask(setting, "POST", "/api/v1/scouts", { text }));
  }
});

test("schedules", async () => {
  const setting = await apiSetting();
  const scout = await setting.scout();
  for (const text of naughtyStrings) {
    const reply = await ask(setting, "PATCH", `/api/v1/scouts/${scout}`, { body: { schedule: text } });
    if (judge("schedule", text, reply)) expect(scoutResponse.parse(reply.body).schedule).toBe(text.trim());
  }
});

test("path parameters, queries and idempotency keys", async () => {
  const setting = await apiSetting();
  const scout = await setting.scout();
  const body = { sourceType: "gmail", name: "Inbox", purpose: "What people want" };
  for (const text of naughtyStrings) {
    const encoded = encodeURIComponent(text.toWellFormed());
    const asked: [string, string, string][] = [
      ["scout in path", "GET", `/api/v1/scouts/${encoded}`],
      ["scout in path", "DELETE", `/api/v1/scouts/${encoded}`],
      ["item in path", "POST", `/api/v1/scouts/${scout}/spam/${encoded}/restore`],
      ["cursor", "GET", `/api/v1/scouts?cursor=${encoded}`],
      ["spam cursor", "GET", `/api/v1/scouts/${scout}/spam?cursor=${encoded}`],
      ["limit", "GET", `/api/v1/scouts?limit=${encoded}`],
      ["OAuth state", "GET", `/api/v1/scouts/gmail/callback?state=${encoded}&code=${encoded}`],
    ];
    for (const [where, method, path] of asked) judge(where, text, await ask(setting, method, path));
    const isHeader = /^[\x20-\x7e]*$/.test(text.trim()) || URL.canParse(`https://x/${text}`);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) {
      // No HTTP client can send it, nor API Gateway pass it on.
      tally.add("idempotency key unsendable");
      continue;
    }
    const headers = { "idempotency-key": text };
    const first = await ask(setting, "POST", "/api/v1/scouts", { body, headers });
    if (!judge("idempotency key", text, first)) continue;
    expect(isHeader).toBe(true);
    const second = await ask(setting, "POST", "/api/v1/scouts", { body, headers });
    if (text.trim() !== "") expect(second.body).toEqual(first.body);
  }
  const list = await ask(setting, "GET", "/api/v1/scouts");
  expect(scoutListResponse.parse(list.body).scouts.some(({ id }) => id === scout)).toBe(true);
  expect(z.array(z.string()).parse(setting.logged)).not.toContain("internal");
});

test("uploads, tickets, quota and consents", async () => {
  const setting = await apiSetting();
  const scout = await setting.scout();
  for (const text of naughtyStrings) {
    const id = "dev_01KE5Q8600ESE4NYY1EVXDNQEB";
    const bodies: [string, Record<string, unknown>][] = [
      ["/api/v1/uploads", { deviceId: text, sizes: [1] }],
      ["/api/v1/uploads", { deviceId: id, sizes: text }],
      ["/api/v1/uploads", { deviceId: id, sizes: [text] }],
      ["/api/v1/device/tickets", { deviceId: text }],
      ["/api/v1/billing/quota/check", { feature: text, estimated_files: 1, estimated_tokens: 1 }],
      ["/api/v1/billing/quota/check", { feature: "folder_index", estimated_files: text, estimated_tokens: 1 }],
      [`/api/v1/scouts/${scout}/gmail/connect`, { deviceId: id, codeChallenge: text, loopbackPort: 4000 }],
      [
        `/api/v1/scouts/${scout}/gmail/complete`,
        { deviceId: id, state: text, code: text, codeVerifier: "a".repeat(43) },
      ],
      [`/api/v1/scouts/${scout}/gmail/complete`, { deviceId: id, state: "x", code: "x", codeVerifier: text }],
    ];
    for (const [path, body] of bodies) {
      const isTaken = judge(path.replace(scout, "{id}"), text, await ask(setting, "POST", path, { body }));
      expect(isTaken, `${path} ${JSON.stringify(body)}`).toBe(false);
    }
  }
});
