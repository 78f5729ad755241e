import { ulid } from "ulidx";
import { expect, test } from "vitest";
import { serverFrame } from "../../events/frames/frames.ts";
import { scoutHealth } from "../../events/health.ts";
import { redriveRequest } from "../../events/http/items.ts";
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

test("nothing silent: such codes cost a scout's health their counts, and not itself", async () => {
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
  const newer = { ...told, disabledCode: code, backlog: { ...told.backlog, waiting: 2, byCode: { [code]: 2 } } };
  const read = scoutHealth.parse(JSON.parse(JSON.stringify(newer)));
  expect(read).toEqual({ ...told, disabledCode: "internal", backlog: { ...told.backlog, waiting: 2, byCode: {} } });
});

test("what is asked for by a code that is none is refused", () => {
  expect(redriveRequest.safeParse({ code }).success).toBe(false);
});
