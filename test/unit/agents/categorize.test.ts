import { expect, test } from "vitest";
import type { CategorizeAnswer } from "../../../events/agent-tools/categorize-answer.ts";
import { joinProposalId } from "../../../events/ids.ts";
import { monthlyCap } from "../../../shared/billing/tiers.ts";
import { ItemStore } from "../../../shared/scouts/items/item-store.ts";
import { inbox, item, laptop, phone, relevant } from "../scouts/setting.ts";
import { AgentCloud, runNo, type Script } from "./cloud.ts";
import { ask, results } from "./device.ts";

const one = item("m1");
const proposalId = joinProposalId(inbox, one.ref);
const canary = "KANARIENVOGEL";
const answer: CategorizeAnswer = {
  category: "task",
  priority: "later",
  due: null,
  projectId: null,
  draft: { title: canary, note: "", start: null, end: null, place: "", people: [] },
  quotes: [],
};

async function cloudWith(script: Script): Promise<AgentCloud> {
  const cloud = new AgentCloud(script);
  await new ItemStore(cloud.ledger).judge(one, relevant, cloud.nowMs);
  await cloud.hello();
  return cloud;
}
const question = (n = 1, more = {}) =>
  ask(runNo(n), "Proposal.", { agent: "categorize", proposalId, round: 1, ...more });

/** The first hop's calls are answered; the run goes on to its end. */
async function run(cloud: AgentCloud, n = 1): Promise<void> {
  await cloud.say(question(n));
  await cloud.settle();
  const calls = cloud.frames("tool_calls").at(-1);
  if (calls === undefined) throw new Error("The device was asked nothing");
  await cloud.say(results(calls, ({ action }) => `${canary} ${action}`));
  await cloud.settle();
}

test("a run begins with the person's projects and the item, and ends with an answer of the agreed form", async () => {
  const cloud = await cloudWith(() => ({ text: `Here it is:\n${JSON.stringify(answer)}` }));
  await run(cloud);
  const [calls] = cloud.frames("tool_calls");
  expect(calls?.calls.map(({ action, data }) => [action, data])).toEqual([
    ["list_projects", {}],
    ["read_item", { proposal_id: proposalId }],
  ]);
  const [end] = cloud.frames("run_complete");
  expect(end).toMatchObject({ status: "completed", prompt: "agent-categorize@1" });
  expect(JSON.parse(end?.text ?? "")).toEqual(answer);
  expect(cloud.frames("run_delta")).toEqual([]);
  const [request] = cloud.requests;
  expect(request?.tools.map(({ name }) => name).sort()).toEqual(
    ["list_events", "list_projects", "list_tasks", "read_item", "recall", "search_content", "search_notes"].sort(),
  );
  expect(request?.form?.name).toBe("categorized_item");
});

test("P1: nothing of the item, the question or the answer is readable at rest", async () => {
  const cloud = await cloudWith(() => ({ text: JSON.stringify(answer) }));
  await cloud.say(question());
  await cloud.settle();
  expect(cloud.atRest()).not.toContain("Proposal.");
  const [calls] = cloud.frames("tool_calls");
  if (calls === undefined) throw new Error("The device was asked nothing");
  await cloud.say(results(calls, () => canary));
  expect(cloud.atRest()).not.toContain(canary);
  await cloud.settle();
  expect(cloud.frames("run_complete")[0]?.text).toContain(canary);
  expect(cloud.atRest()).not.toContain(canary);
});

test("an answer of another form is none, and what it took is counted", async () => {
  const cloud = await cloudWith(() => ({ text: '{"category": "urgent"}' }));
  await run(cloud);
  expect(cloud.frames("run_complete")).toMatchObject([{ status: "error", code: "model_answer_invalid", text: "" }]);
  expect(await cloud.usage(one.userId, "categorize")).toEqual({ used: 110, committed: 110, open: 0 });
});

test("tokens are counted as categorize, and nothing as agents", async () => {
  const cloud = await cloudWith(() => ({ text: JSON.stringify(answer), tokens: [3_000, 200] }));
  await run(cloud);
  expect(await cloud.usage(one.userId, "categorize")).toEqual({ used: 3_200, committed: 3_200, open: 0 });
  expect(await cloud.usage(one.userId, "agents")).toEqual({ used: 0, committed: 0, open: 0 });
});

test("the month's tokens used up in the middle end a run with quota_exceeded", async () => {
  const most = monthlyCap("free", "categorize") ?? 0;
  const cloud = await cloudWith(() => ({ text: JSON.stringify(answer), tokens: [most, 0] }));
  await run(cloud);
  await run(cloud, 2);
  expect(cloud.frames("run_complete").map(({ status }) => status)).toEqual(["completed", "quota_exceeded"]);
  expect(cloud.requests).toHaveLength(1);
});

test("of two devices one has it read", async () => {
  const cloud = await cloudWith(() => ({ text: JSON.stringify(answer) }));
  await cloud.hello("c2", one.userId, phone);
  expect(await cloud.say(question(1))).toBe("accepted");
  expect(await cloud.say(question(2), { connectionId: "c2", deviceId: phone })).toBe("categorize_claimed");
  // Said again it is the same run.
  expect(await cloud.say(question(1), { deviceId: laptop })).toBe("accepted");
  expect(cloud.run(runNo(2))).toBeUndefined();
});

test("where no language model reads proposals, the device is told so, and nothing begins", async () => {
  const cloud = await cloudWith(() => ({ text: "" }));
  cloud.isCategorizing = false;
  expect(await cloud.say(question())).toBe("categorize_off");
  expect(cloud.queue.length).toBe(0);
  expect(cloud.run(runNo(1))).toBeUndefined();
});

test("a run that names no proposal or no round is refused", async () => {
  const cloud = await cloudWith(() => ({ text: "" }));
  expect(await cloud.say(question(1, { round: undefined }))).toBe("invalid_frame");
  expect(await cloud.say(question(1, { proposalId: undefined }))).toBe("invalid_frame");
});

test("a model that asks for a file is told that it has no such tool, and goes on", async () => {
  const cloud = await cloudWith((_, __, asked) =>
    asked === 1 ? { calls: [{ name: "grep_files", arguments: "{}" }] } : { text: JSON.stringify(answer) },
  );
  await run(cloud);
  expect(cloud.frames("tool_calls")).toHaveLength(1);
  expect(cloud.frames("run_complete")).toMatchObject([{ status: "completed", toolCalls: 3 }]);
});
