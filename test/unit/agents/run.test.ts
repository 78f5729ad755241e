import { describe, expect, test } from "vitest";
import type { ToolModel } from "../../../shared/llm/tool-model.ts";
import { ada } from "../scouts/setting.ts";
import { AgentCloud, runNo, type Script } from "./cloud.ts";
import { ask, block, cancel, garden, results, type ToolCalls } from "./device.ts";

const run = runNo(1);
const readFile = (path: string) => ({
  name: "read_project_folder_file",
  arguments: JSON.stringify({ project_id: garden, relative_path: path }),
});
/** Reads one file, then answers. */
const readsThenAnswers: Script = (turns) =>
  turns.some((turn) => turn.role === "assistant" && turn.calls.some(({ name }) => name === "read_project_folder_file"))
    ? { text: "On Thursday.", tokens: [300, 20] }
    : { calls: [readFile("plan.md")] };

async function begun(script: Script, more: Parameters<typeof ask>[2] = {}) {
  const cloud = new AgentCloud(script);
  await cloud.hello();
  const question = ask(run, "When is the watering?", more);
  expect(await cloud.say(question)).toBe("accepted");
  await cloud.work();
  return { cloud, question };
}

const last = (cloud: AgentCloud): ToolCalls => {
  const calls = cloud.frames("tool_calls").at(-1);
  if (!calls) throw new Error("The device was asked nothing");
  return calls;
};

describe("a run", () => {
  test("6.2: begins with the manifest, which no model asked for, and its block comes right after the instructions", async () => {
    const { cloud } = await begun(readsThenAnswers, { projectId: garden });
    expect(cloud.requests).toHaveLength(0);
    expect(last(cloud)).toMatchObject({
      step: 0,
      calls: [
        { action: "read_project_folder_manifest", data: { project_id: garden } },
        { action: "search_content", data: { project_id: garden, query: "When is the watering?" } },
      ],
    });
    expect(await cloud.say(results(last(cloud), () => block(["plan.md text/doc: The watering plan"])))).toBe(
      "accepted",
    );
    await cloud.work();
    const [system, folder, person, searching, found] = cloud.requests[0]?.turns.reveal() ?? [];
    expect(system).toMatchObject({ role: "system", text: expect.stringContaining("You answer a person's question") });
    expect(folder).toMatchObject({
      role: "user",
      text: expect.stringMatching(
        /^<<<DATA ([\w-]{22}) files>>>\n<linked_folder>\n[\s\S]*<\/linked_folder>\n<<<END \1>>>$/,
      ),
    });
    expect(person).toEqual({ role: "user", text: "When is the watering?" });
    expect(searching).toMatchObject({ role: "assistant", calls: [{ name: "search_content" }] });
    expect(found).toMatchObject({ role: "tool", text: expect.stringMatching(/^<<<DATA [\w-]{22} tool result>>>\n/) });
  });

  test("15: a question that goes on begins with what was said before, and searches for that as well", async () => {
    const exchanges = [
      { question: "What is planned?", answer: "A pond." },
      { question: "Who digs it?", answer: "Bea." },
    ];
    const earlier = { inline: JSON.stringify(exchanges) };
    const { cloud } = await begun(readsThenAnswers, { projectId: garden, earlier });
    expect(last(cloud).calls[1]).toMatchObject({ data: { query: "When is the watering?\nWho digs it?" } });
    await cloud.say(results(last(cloud), () => block(["plan.md text/doc: The watering plan"])));
    await cloud.work();
    const [, , ...turns] = cloud.requests[0]?.turns.reveal() ?? [];
    expect(turns.slice(0, 5)).toMatchObject([
      { role: "user", text: "What is planned?" },
      { role: "assistant", text: "A pond.", calls: [] },
      { role: "user", text: "Who digs it?" },
      { role: "assistant", text: "Bea.", calls: [] },
      { role: "user", text: "When is the watering?" },
    ]);
  });

  test("15: of a conversation that is too long the newest is shown, and what is no conversation ends the run", async () => {
    const exchanges = ["old", "new"].map((question) => ({ question, answer: "x".repeat(10_000) }));
    const { cloud } = await begun(() => ({ text: "Hello." }), { earlier: { inline: JSON.stringify(exchanges) } });
    const [, ...turns] = cloud.requests[0]?.turns.reveal() ?? [];
    expect(turns.map(({ text }) => text.slice(0, 10))).toEqual(["new", "x".repeat(10), "When is th"]);
    for (const inline of ["no JSON", "{}", '[{"question":1}]']) {
      const { cloud: refused } = await begun(() => ({ text: "Hello." }), { earlier: { inline } });
      expect(refused.requests).toEqual([]);
      expect(refused.frames("run_complete")).toMatchObject([{ status: "error", code: "invalid_request" }]);
    }
  });

  test.each([
    ["with a project", { projectId: garden }, ["read_project_folder_manifest", "read_attachments", "search_content"]],
    ["without one", {}, ["read_attachments"]],
  ])(
    "17: what a person attached is asked for before the model is, %s, and no model is offered that",
    async (_, of, hops) => {
      const { cloud } = await begun(() => ({ text: "Hello." }), { ...of, attached: 2 });
      expect(cloud.requests).toHaveLength(0);
      expect(last(cloud).calls.map(({ action }) => action)).toEqual(hops);
      const answer = (call: { readonly action: string }) =>
        call.action === "read_attachments" ? "The pump is in the shed." : block(["plan.md text/doc"]);
      const answers = new Map(last(cloud).calls.map((call) => [call.callId, answer(call)]));
      await cloud.say(results(last(cloud), (call) => answers.get(call.callId) ?? ""));
      await cloud.work();
      const [request] = cloud.requests;
      const turns = request?.turns.reveal() ?? [];
      expect(turns.filter(({ role }) => role === "user").at(-1)).toEqual({
        role: "user",
        text: "When is the watering?",
      });
      expect(turns.find(({ role, text }) => role === "tool" && text.includes("pump"))).toMatchObject({
        text: expect.stringMatching(/^<<<DATA ([\w-]{22}) tool result>>>\nThe pump is in the shed\.\n<<<END \1>>>$/),
      });
      expect(request?.tools.map(({ name }) => name)).not.toContain("read_attachments");
      expect(cloud.frames("run_complete")).toMatchObject([{ status: "completed" }]);
    },
  );

  test.each([
    ["the model's bound", { text: "The beds are", isCut: true }, 12],
    ["the room of a frame", { text: "x".repeat(30_000) }, 24_000],
  ])("nothing silent: an answer that %s has cut does not end as if it were whole", async (_, said, length) => {
    const { cloud } = await begun(() => said);
    expect(cloud.frames("run_complete")).toMatchObject([{ status: "token_limit", text: said.text.slice(0, length) }]);
  });

  test("6.2: goes from calls to results to an answer, and says what it took", async () => {
    const { cloud } = await begun(readsThenAnswers, { projectId: garden });
    await cloud.say(results(last(cloud), () => block(["plan.md text/doc"])));
    await cloud.work();
    expect(last(cloud)).toMatchObject({ step: 1, calls: [{ action: "read_project_folder_file" }] });
    await cloud.say(results(last(cloud), () => "Water on Thursday."));
    await cloud.work();
    expect(cloud.frames("run_complete")).toEqual([
      {
        type: "run_complete",
        runId: run,
        status: "completed",
        text: "On Thursday.",
        tokensUsed: 430,
        toolCalls: 3,
        prompt: "agent-home@5",
      },
    ]);
    expect(
      cloud
        .frames("run_delta")
        .map(({ text }) => text)
        .join(""),
    ).toBe("On Thursday.");
    expect(cloud.requests[1]?.turns.reveal().at(-1)).toMatchObject({
      role: "tool",
      text: expect.stringMatching(/^<<<DATA ([\w-]{22}) tool result>>>\nWater on Thursday\.\n<<<END \1>>>$/),
    });
    expect(await cloud.usage()).toEqual({ used: 430, committed: 430, open: 0 });
    expect(cloud.run(run)).toMatchObject({ status: "completed", inputTokens: 400, outputTokens: 30, toolCalls: 3 });
    expect(cloud.ledger.dump().find(({ sk }) => sk.startsWith("RUN#"))).toMatchObject({
      kind: "agent",
      outcome: "completed",
    });
  });

  test("6.2: without a project asks the model at once; a brief begins with all projects", async () => {
    const { cloud } = await begun(() => ({ text: "Hello." }));
    expect(cloud.frames("run_complete")).toMatchObject([{ status: "completed", text: "Hello.", toolCalls: 0 }]);
    const { cloud: brief } = await begun(readsThenAnswers, { agent: "brief" });
    expect(last(brief).calls).toMatchObject([{ action: "list_projects_with_folder_manifests", data: {} }]);
  });

  test("3.2: the same frame again is accepted and asks for nothing twice", async () => {
    const { cloud, question } = await begun(readsThenAnswers, { projectId: garden });
    expect(await cloud.say(question)).toBe("accepted");
    await cloud.work();
    const [first, again] = cloud.frames("tool_calls");
    expect(again).toEqual(first);
    const answer = results(last(cloud), () => block([]));
    expect(await cloud.say(answer)).toBe("accepted");
    expect(await cloud.say(answer)).toBe("accepted");
    await cloud.work();
    expect(await cloud.say(answer)).toBe("accepted");
    await cloud.work();
    expect(cloud.requests).toHaveLength(1);
    await cloud.say(results(last(cloud)));
    await cloud.work();
    expect(await cloud.say(question)).toBe("accepted");
    await cloud.work();
    const [done, repeated] = cloud.frames("run_complete");
    expect(repeated).toEqual(done);
    expect(cloud.requests).toHaveLength(2);
  });

  test("6.2: a step's results are taken once", async () => {
    const { cloud } = await begun(readsThenAnswers, { projectId: garden });
    const calls = last(cloud);
    expect(await cloud.say(results(calls, () => block([])))).toBe("accepted");
    expect(await cloud.say(results(calls, () => "other"))).toBe("step_replayed");
    await cloud.work();
    expect(await cloud.say(results(calls, () => "other"))).toBe("step_replayed");
    expect(await cloud.say({ ...results(last(cloud)), step: 7 })).toBe("state_invalid");
    await cloud.say(results(last(cloud)));
    await cloud.work();
    expect(await cloud.say(results(last(cloud)))).toBe("run_ended");
    expect(await cloud.say({ ...results(calls), runId: runNo(2) })).toBe("run_unknown");
  });

  test("6.2: a step is taken although a worker that died has claimed it by a clock that was set back since", async () => {
    const cloud = new AgentCloud(readsThenAnswers);
    await cloud.hello();
    await cloud.say(ask(run, "When is the watering?", { projectId: garden }));
    await cloud.ports().runs.claim({ userId: ada, runId: run }, 0, "of a worker that died", cloud.nowMs + 600_000);
    await cloud.work();
    expect(last(cloud)).toMatchObject({ step: 0 });
  });

  test("6.2: text is streamed, flushed at most every 250 ms, and whole at the end", async () => {
    const pieces = Array.from({ length: 20 }, (_, at) => `word${at} `);
    const { cloud } = await begun(() => ({ pieces, pauseMs: 100 }));
    const deltas = cloud.frames("run_delta");
    expect(deltas.map(({ text }) => text).join("")).toBe(pieces.join(""));
    expect(deltas.map(({ seq }) => seq)).toEqual(deltas.map((_, at) => at));
    expect(deltas.length).toBeLessThanOrEqual(8);
    expect(cloud.frames("run_complete")).toMatchObject([{ text: pieces.join("") }]);
  });

  test("6.2: a long continuation goes as an object and is deleted when the next step is written down", async () => {
    const { cloud } = await begun(readsThenAnswers, { projectId: garden, message: { inline: "q".repeat(45_000) } });
    const { state } = last(cloud);
    if (!("upload" in state)) throw new Error("The continuation is in the frame");
    expect(cloud.objects.stored.get(state.upload.key)?.length).toBe(state.upload.bytes);
    expect(await cloud.say(results(last(cloud), () => block([])))).toBe("accepted");
    await cloud.work();
    expect(cloud.objects.stored.has(state.upload.key)).toBe(false);
    expect(last(cloud).step).toBe(1);
  });
});

describe("a run is cancelled", () => {
  test("while the device is asked", async () => {
    const { cloud } = await begun(readsThenAnswers, { projectId: garden });
    expect(await cloud.say(cancel(run))).toBe("accepted");
    await cloud.work();
    expect(cloud.frames("run_complete")).toMatchObject([{ status: "cancelled", tokensUsed: 0, toolCalls: 2 }]);
    expect(await cloud.say(results(last(cloud)))).toBe("run_ended");
  });

  test("while the model writes: what it took until then is counted", async () => {
    const cloud = new AgentCloud(() => ({ pieces: Array.from({ length: 30 }, () => "word "), pauseMs: 200 }));
    await cloud.hello();
    await cloud.say(ask(run, "?"));
    const { post } = cloud.backing.sockets;
    const sockets = {
      ...cloud.backing.sockets,
      post: async (...words: Parameters<typeof post>) => {
        if (!cloud.run(run)?.cancelled) await cloud.say(cancel(run));
        return post(...words);
      },
    };
    await cloud.work({ ...cloud.backing, sockets });
    const [ended, ...again] = cloud.frames("run_complete");
    expect(ended).toMatchObject({ status: "cancelled", tokensUsed: 110 });
    expect(again.every((frame) => JSON.stringify(frame) === JSON.stringify(ended))).toBe(true);
    expect(await cloud.usage()).toEqual({ used: 110, committed: 110, open: 0 });
  });

  test("while the model says nothing: it is broken off within a second or two, and looked at no more when it is done", async () => {
    const cloud = new AgentCloud(() => ({ pieces: Array.from({ length: 60 }, () => ""), pauseMs: 500 }));
    await cloud.hello();
    await cloud.say(ask(run, "?"));
    const startedAtMs = cloud.nowMs;
    const { converse } = cloud.backing.model;
    const model: ToolModel = {
      converse: async (request, onText) => {
        await cloud.say(cancel(run));
        return converse(request, onText);
      },
    };
    await cloud.work({ ...cloud.backing, model });
    expect(cloud.frames("run_complete")[0]).toMatchObject({ status: "cancelled", tokensUsed: 110 });
    expect(cloud.nowMs - startedAtMs).toBeLessThanOrEqual(2_000);
    expect(cloud.waitingTimers).toBe(0);
  });

  test("that does not exist: run_unknown; that has ended: accepted, and how it ended is said again", async () => {
    const { cloud } = await begun(() => ({ text: "Hello." }));
    expect(await cloud.say(cancel(runNo(9)))).toBe("run_unknown");
    expect(await cloud.say(cancel(run))).toBe("accepted");
    await cloud.work();
    expect(cloud.frames("run_complete").map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(cloud.run(run, ada)?.status).toBe("completed");
  });
});
