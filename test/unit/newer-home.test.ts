import { ulid } from "ulidx";
import { expect, test } from "vitest";
import { serverFrame } from "../../events/frames/frames.ts";
import { scoutHealth } from "../../events/health.ts";
import { redriveRequest } from "../../events/http/items.ts";
import { quotaCheckResponse, usageResponse } from "../../events/http/usage.ts";
import { scoutHealth as healthOf } from "../../shared/scouts/lifecycle/health.ts";
import { ada, inbox, newLedger, nowMs } from "./scouts/setting.ts";

const code = "of_a_newer_home";
const scoutId = inbox;
const ids = { run: `run_${ulid()}`, index: `idx_${ulid()}` };

test.each([
  ["a refusal", { type: "error", code, message: "Later." }],
  ["a scout off", { type: "scout_reauth_required", scoutId, code, since: 1 }],
  [
    "an answer",
    {
      type: "run_complete",
      runId: ids.run,
      status: "error",
      text: "",
      tokensUsed: 1,
      toolCalls: 0,
      prompt: null,
      code,
    },
  ],
  ["a scan", { type: "index_session_done", sessionId: ids.index, status: "error", processed: 1, tokensUsed: 1, code }],
])("nothing silent: %s with a code that only a newer home knows reaches the device", (_, frame) => {
  expect(serverFrame.parse(frame)).toMatchObject({ type: frame.type, code: "internal" });
});

test("nothing silent: in a scout's health what waits for such codes is counted together, and what is known stays", async () => {
  const told = await healthOf(
    { ledger: newLedger(), connectors: new Map(), clock: () => nowMs },
    {
      userId: ada,
      scoutId,
      sourceType: "feed",
      sealed: "",
      createdAt: 1,
      revision: 0,
    },
  );
  const newer = {
    ...told,
    disabledCode: code,
    backlog: { ...told.backlog, waiting: 10, byCode: { reauth: 3, internal: 1, [code]: 2, another: 4 } },
  };
  const read = scoutHealth.parse(JSON.parse(JSON.stringify(newer)));
  expect(read).toEqual({
    ...told,
    disabledCode: "internal",
    backlog: { ...told.backlog, waiting: 10, byCode: { reauth: 3, internal: 7 } },
  });
  const torn = { ...newer, backlog: { ...newer.backlog, byCode: { reauth: "many", [code]: 2 } } };
  expect(scoutHealth.parse(torn).backlog.byCode).toEqual({ internal: 2 });
  const none = { ...newer, backlog: { ...newer.backlog, byCode: null } };
  expect(scoutHealth.parse(none).backlog.byCode).toEqual({});
});

test("what is asked for by a code that is none is refused", () => {
  expect(redriveRequest.safeParse({ code }).success).toBe(false);
});

test.each([
  ["whether a folder may be scanned", quotaCheckResponse, { maxFiles: 10, monthlyTokens: null }],
  ["what was used", usageResponse, { month: "2026-11", features: [] }],
] as const)("nothing silent: %s is told also on a tier that only a newer home knows", (_, schema, rest) => {
  const told = { tier: "of_a_newer_home", used: 1, resetsAt: 2, ...rest };
  expect(schema.parse(told)).toMatchObject({ tier: "of_a_newer_home", resetsAt: 2 });
});
