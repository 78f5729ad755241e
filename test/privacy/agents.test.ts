import { ulid } from "ulidx";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askAgent } from "../../device/agent/ask-agent.ts";
import type { AgentRunResult } from "../../device/agent/run-agent.ts";
import type { GatheredAttachments } from "../../device/attachments/gather-attachments.ts";
import type { HttpAnswer } from "../../infra/standins/loopback-server.ts";
import { type ModelOutput, toolResults } from "../e2e/agents/tool-model.ts";
import { judgeBySubject, writeMail } from "../e2e/mail.ts";
import { ownContent } from "../own-content.ts";
import { quick } from "../rounds.ts";
import { type CanaryFolder, linkCanaryFolder } from "./canary-folder.ts";
import { type CanarySystem, startCanarySystem } from "./canary-system.ts";
import { type ContentModel, startContentModel } from "./content-model.ts";
import { frameId, type RawDevice } from "./raw-device.ts";
import type { Finding } from "./scan/scanner.ts";
import { greeted } from "./shred/busy-session.ts";

/** Runs that go well and runs whose model fails, on a real device; frames of a run that are wrong in every way. */
describe("P1: nothing of a run is readable at rest in the cloud", () => {
  let running: CanarySystem;
  let model: ContentModel;
  let folder: CanaryFolder;
  let answered: AgentRunResult;
  const shown: string[] = [];
  const failures: Record<string, Pick<AgentRunResult, "status" | "code">> = {};
  const asked = new Set<string>();
  let refusals: unknown[];
  let attached: string;
  let parked: Finding[];
  let inStores: Finding[];
  let inFiles: Finding[];

  const plant = (what: string) => running.canaries.plant(what);

  /** What the model wants to be done, step by step. */
  const steps = (): ModelOutput[] => {
    const project_id = folder.projectId;
    const reading = (relative_path: string) => ["read_project_folder_file", { project_id, relative_path }] as const;
    return [
      { calls: [reading(folder.short), reading(folder.long), reading(`../${plant("path outside")}.md`)] },
      {
        calls: [
          ["grep_files", { project_id, pattern: `${plant("pattern")}(` }],
          ["list_files", { project_id, path: plant("folder that is not there") }],
          ["artifact_read", { artifact_id: plant("artifact"), [plant("unknown argument")]: plant("its value") }],
          [plant("unknown tool"), { [plant("argument")]: plant("value") }],
        ],
      },
      { text: `It is ${plant("answer")}, ${plant("delta")}.` },
    ];
  };

  beforeAll(async () => {
    model = await startContentModel({
      reply(prompt) {
        if (!prompt.startsWith("Kind: ")) return judgeBySubject(prompt);
        return { content: JSON.stringify({ summary: `About ${plant("summary")}.`, tag: "doc" }) };
      },
      say(messages) {
        shown.push(...toolResults(messages), JSON.stringify(messages));
        // What was said before has words; the first of the others is the search that the run begins with.
        const taken = messages.filter(({ role, content }) => role === "assistant" && !content).length;
        return steps()[taken - 1] ?? { text: "" };
      },
      instead(body) {
        const script = /script=(\w+)/.exec(body)?.[1] ?? "";
        if (asked.has(script)) return broken[script]?.(plant);
        asked.add(script);
        return (broken[script] ?? brokenOnce[script])?.(plant);
      },
    });
    running = await startCanarySystem((mailFolder) => writeMail(mailFolder, [0]), { environment: model.environment });
    folder = await linkCanaryFolder(running);
    attached = plant("text of an attached file");
    answered = await ask(`What is ${plant("question")}? @${plant("mention")}`);
    await ask(`What does this say about ${plant("question with a file")}?`, {
      outcomes: [{ name: plant("attached file"), outcome: "attached", characters: 8, isCut: false }],
      result: { text: `It says ${attached}.` },
    });
    for (const script of Object.keys(broken))
      failures[script] = await ask(`script=${script} ${plant("failing question")}`);
    const { device } = await greeted(running.system);
    running.canaries.watch("ticket", device.ticket);
    refusals = await sayWrong(device);
    await running.system.home.whenIdle();
    parked = [...(await running.lookIntoStores()), ...running.lookIntoFiles()];

    device.send({ type: "bye", id: frameId() });
    await device.next("accepted");
    await device.close();
    // In the short run success.test.ts runs them.
    if (!quick) await running.runCrons();
    await running.system.home.whenIdle();
    inStores = await running.lookIntoStores();
    inFiles = await running.stopAndLookIntoFiles();
  }, 240_000);
  afterAll(async () => {
    await running?.remove();
    await model?.close();
  });

  async function ask(message: string, attachments?: GatheredAttachments): Promise<AgentRunResult> {
    const { store, api } = running.system;
    const { projectId } = folder;
    return askAgent(
      {
        agent: "home",
        projectId,
        message,
        attachments,
        earlier: [{ question: plant("asked before"), answer: plant("said before") }],
      },
      { store, ...ownContent(store, api), dataFolder: running.dataFolder },
    );
  }

  /** Frames of a run as no device of ours sends them; the codes they are refused with. Leaves a run that waits. */
  async function sayWrong(device: RawDevice): Promise<unknown[]> {
    const runId = `run_${ulid()}`;
    const message = { inline: plant("question of a raw device") };
    const { projectId } = folder;
    const run = { type: "agent_run", runId, agent: "home", projectId, message };
    device.send({ ...run, id: frameId(), [plant("unknown key")]: plant("its value") });
    await device.next("accepted");
    const { step, state, calls } = await device.next("tool_calls");
    const [{ callId }] = Array.isArray(calls) ? calls : [{}];
    const result = { inline: `# ${plant("tool result")}` };
    const results = { type: "tool_results", runId, step, results: [{ callId, result }], state };
    const other = { type: "tool_results", runId: `run_${ulid()}`, step, results: [{ callId, result }], state };
    const wrong: object[] = [
      { ...run, agent: plant("agent") },
      { ...run, message: { [plant("kind of payload")]: plant("payload") } },
      { ...run, runId: plant("run id") },
      { ...run, taskId: plant("task id") },
      { ...run, message: { upload: { key: plant("object"), bytes: 9 } } },
      { ...results, results: [{ callId: plant("call id"), result }] },
      { ...results, results: [{ callId, result, error: plant("error").repeat(20) }] },
      { ...results, results: plant("results") },
      { ...results, step: plant("step") },
      { ...results, state: { inline: Buffer.from(plant("state")).toString("base64url") } },
      { ...results, state: { inline: plant("state, not sealed") } },
      other,
      { type: "agent_cancel", runId: plant("cancelled run") },
    ];
    const codes: unknown[] = [];
    for (const frame of wrong) {
      device.send({ ...frame, id: frameId() });
      codes.push((await device.next("error"))["code"]);
    }
    device.sendRaw(`{"type":"tool_results","results":[{"result":{"inline":"${plant("cut short")}`);
    codes.push((await device.next("error"))["code"]);

    const odd = { callId, result, error: plant("error"), [plant("key of a result")]: plant("its value") };
    const unasked = { callId: `cal_${ulid()}`, result: { inline: plant("result nobody asked for") } };
    device.send({ ...results, id: frameId(), results: [odd, unasked] });
    await device.next("accepted");
    await device.next("tool_calls");
    return codes;
  }

  test("no table, queue, dead-letter queue, object or file while a run waits for its device", () =>
    expect(parked).toEqual([]));
  test("nor when all is over", () => expect(inStores).toEqual([]));
  test("no file under cloud/: engines' files, logs, names", () => expect(inFiles).toEqual([]));

  test("and that means something: the model was shown the files, the person the answer", () => {
    expect(answered).toMatchObject({ status: "completed" });
    const seen = [...shown, answered.text].join("\n");
    expect(seen).toContain(attached);
    const labels = ["question", "name of a project", "name of a file", "summary", "text of a file", "answer", "delta"];
    for (const label of labels) {
      const texts = running.canaries.all.filter((canary) => canary.label === label).map(({ text }) => text);
      expect([label, texts.some((text) => seen.includes(text))]).toEqual([label, true]);
    }
    expect(answered.calls.map(({ error }) => error)).toContain("access_denied");
  });

  test("and every failure struck, every wrong frame was refused", () => {
    for (const [script, { status }] of Object.entries(failures)) {
      expect([script, status]).toEqual([script, script in broken ? "error" : "completed"]);
    }
    expect(refusals).toEqual([
      ...Array.from({ length: 9 }, () => "invalid_frame"),
      "state_invalid",
      "state_invalid",
      "run_unknown",
      "invalid_frame",
      "unknown_frame",
    ]);
  });
});

type Plant = (what: string) => string;

const stream = (...lines: readonly string[]): HttpAnswer => ({
  status: 200,
  headers: { "content-type": "text/event-stream" },
  body: lines.map((line) => `data: ${line}\n\n`).join(""),
});

/** A text that looks like a line of a stack trace, which is what a log keeps of an error. */
const asStack = (text: string) => `no\\n    at ${text} (file:///${text}.ts:1:1)\\n    at ${text}:2:2`;

const delta = (value: object, finish: string | null = null) =>
  JSON.stringify({
    id: "1",
    object: "chat.completion.chunk",
    created: 0,
    choices: [{ index: 0, delta: value, finish_reason: finish }],
  });

/** A model that fails for good, by script; all of it quotes. */
const broken: Record<string, (plant: Plant) => HttpAnswer> = {
  refused: (plant) =>
    stream(delta({ refusal: `I will not talk about ${plant("refusal")}` }), delta({}, "stop"), "[DONE]"),
  empty: () => stream(delta({ content: " " }), delta({}, "stop"), "[DONE]"),
  status400: (plant) => ({
    status: 400,
    headers: { "content-type": "application/json" },
    body: `{"error": {"message": "${asStack(plant("400"))}", "type": "${plant("type")}", "code": "${plant("code")}"}}`,
  }),
  status404: (plant) => ({ status: 404, body: `<html>${plant("404")}` }),
};

/** What fails once, and is asked again. */
const brokenOnce: Record<string, (plant: Plant) => HttpAnswer> = {
  broken: (plant) => stream(`{"choices": [{"delta": {"content": "${plant("broken piece")}`),
  half: (plant) => stream(delta({ content: `So far ${plant("half an answer")}` })),
  status500: (plant) => ({ status: 500, body: `{"error": {"message": "${asStack(plant("500"))}"}}` }),
};
