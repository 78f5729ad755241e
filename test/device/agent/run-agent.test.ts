import { describe, expect, test } from "vitest";
import type { ActionTable } from "../../../device/actions/action-table.ts";
import { type AgentEvents, type RunAgentOptions, runAgent } from "../../../device/agent/run-agent.ts";
import type { TextChange } from "../../../device/agent/streamed-text.ts";
import { systemClock } from "../../../device/connection/clock.ts";
import type { ClientFrame, ServerFrame } from "../../../events/frames/frames.ts";
import { callId } from "../../../events/ids.ts";
import { contentOn, cutAll, oneSession, project, run, sessionKey, sessionNumber } from "../content/setting.ts";
import type { CloudConnection, FakeCloud } from "../fake-cloud.ts";
import { ManualClock } from "../manual-clock.ts";
import { startCloud } from "../setting.ts";

const call = (n: number) => callId.parse(`cal_01JD000000000000000000000${n}`);
const state = { inline: "c2VhbGVk" };
const complete = (text: string): ServerFrame => ({
  type: "run_complete",
  runId: run,
  status: "completed",
  text,
  tokensUsed: 120,
  toolCalls: 2,
  prompt: "agent-home/1",
});
const calls = (step: number, ...actions: string[]): ServerFrame => ({
  type: "tool_calls",
  runId: run,
  step,
  calls: actions.map((action, at) => ({ callId: call(at), action, data: { at } })),
  state,
});
const delta = (step: number, seq: number, text: string): ServerFrame => ({
  type: "run_delta",
  runId: run,
  step,
  seq,
  text,
});

type Say = (frame: Extract<ClientFrame, { type: "agent_run" | "tool_results" | "agent_cancel" }>) => ServerFrame[];

/** A cloud that accepts what a run says and goes on as the script has it. */
async function scripted(say: Say): Promise<FakeCloud> {
  const cloud = await startCloud();
  oneSession(cloud);
  cloud.onFrame = (frame, connection: CloudConnection) => {
    if (frame.type !== "agent_run" && frame.type !== "tool_results" && frame.type !== "agent_cancel") return "default";
    connection.send({ type: "accepted", inReplyTo: frame.id });
    for (const answer of say(frame)) connection.send(answer);
    return "handled";
  };
  return cloud;
}

const echo: Pick<ActionTable, "run"> = { run: async (action) => ({ text: `did ${action}` }) };

function ask(cloud: FakeCloud, options: Partial<RunAgentOptions> = {}) {
  return runAgent(
    { agent: "home", projectId: project, message: "What is planned?" },
    { channel: contentOn(cloud), clock: systemClock, actions: echo, newRunId: () => run, ...options },
  );
}

/** What a screen would show. */
function screen(): { readonly events: Partial<AgentEvents>; text(): string } {
  let shown = "";
  return {
    events: {
      text({ kind, text }: TextChange) {
        shown = kind === "append" ? shown + text : text;
      },
    },
    text: () => shown,
  };
}

describe("6.2: a run on the device", () => {
  test("asks, does all calls of a step, hands the state back unread, and ends with the answer", async () => {
    const cloud = await scripted((frame) => {
      if (frame.type === "agent_run") return [calls(0, "read_project_folder_manifest")];
      if (frame.type === "tool_results" && frame.step === 0) return [calls(1, "read_lines", "grep_files")];
      return [delta(2, 0, "Toma"), delta(2, 1, "toes."), complete("Tomatoes.")];
    });
    const { events, text } = screen();

    const result = await ask(cloud, { events });

    expect(result).toMatchObject({ runId: run, status: "completed", text: "Tomatoes.", tokensUsed: 120, toolCalls: 2 });
    expect(result.calls.map(({ action }) => action)).toEqual([
      "read_project_folder_manifest",
      "read_lines",
      "grep_files",
    ]);
    expect(text()).toBe("Tomatoes.");
    expect(cloud.framesOf("agent_run")).toMatchObject([
      { agent: "home", projectId: project, message: { inline: "What is planned?" } },
    ]);
    expect(cloud.framesOf("tool_results").map(({ step, state: back, results }) => ({ step, back, results }))).toEqual([
      { step: 0, back: state, results: [{ callId: call(0), result: { inline: "did read_project_folder_manifest" } }] },
      {
        step: 1,
        back: state,
        results: [
          { callId: call(0), result: { inline: "did read_lines" } },
          { callId: call(1), result: { inline: "did grep_files" } },
        ],
      },
    ]);
  });

  test("calls are told in the order they were asked for, whichever is answered first", async () => {
    const cloud = await scripted((frame) =>
      frame.type === "agent_run" ? [calls(0, "read_project_folder_manifest", "search_content")] : [complete("Done.")],
    );
    const searched = Promise.withResolvers<void>();
    const actions: Pick<ActionTable, "run"> = {
      async run(action) {
        if (action === "search_content") searched.resolve();
        else await searched.promise.then(() => new Promise(setImmediate));
        return { text: `did ${action}` };
      },
    };
    const { calls: told } = await ask(cloud, { actions });
    expect(told.map(({ action }) => action)).toEqual(["read_project_folder_manifest", "search_content"]);
  });

  test("calls of a step are done at the same time", async () => {
    const cloud = await scripted((frame) => (frame.type === "agent_run" ? [calls(0, "a", "b")] : [complete("done")]));
    const both = Promise.withResolvers<void>();
    let begun = 0;
    const run = async () => {
      begun += 1;
      if (begun === 2) both.resolve();
      await both.promise;
      return { text: "" };
    };
    await expect(ask(cloud, { actions: { run } })).resolves.toMatchObject({ status: "completed" });
  });

  test("what the device does not do is answered with its code", async () => {
    const cloud = await scripted((frame) => (frame.type === "agent_run" ? [calls(0, "exec")] : [complete("no")]));
    const run = async () => ({ text: "The device knows no such action.", error: "action_unknown" as const });
    const result = await ask(cloud, { actions: { run } });
    expect(cloud.framesOf("tool_results")[0]?.results).toMatchObject([{ error: "action_unknown" }]);
    expect(result.calls).toMatchObject([{ action: "exec", error: "action_unknown" }]);
  });

  test("a step that is repeated voids the pieces before", async () => {
    const cloud = await scripted(() => [
      delta(0, 0, "Potato"),
      delta(0, 0, "Toma"),
      delta(0, 1, "toes"),
      complete("Tomatoes"),
    ]);
    const { events, text } = screen();
    await ask(cloud, { events });
    expect(text()).toBe("Tomatoes");
  });

  test("a lost piece costs nothing: the whole answer is shown at the end", async () => {
    const cloud = await scripted(() => [delta(0, 0, "To"), delta(0, 2, "es"), complete("Tomatoes")]);
    const { events, text } = screen();
    await ask(cloud, { events });
    expect(text()).toBe("Tomatoes");
  });

  test("frames of other runs are not ours", async () => {
    const other = { ...complete("other"), runId: "run_01JD0000000000000000000009" } as ServerFrame;
    const cloud = await scripted(() => [other, complete("ours")]);
    expect((await ask(cloud)).text).toBe("ours");
  });
});

describe("P2: the connection may come and go", () => {
  test("after a reconnection the run is said again, and calls that come twice are answered once", async () => {
    let done = 0;
    const cloud = await scripted((frame) => {
      if (frame.type !== "agent_run") return [complete("done")];
      // The frame with the calls is lost with the connection; said again, the cloud sends it twice for good measure.
      if (cloud.framesOf("agent_run").length === 1) {
        queueMicrotask(() => cutAll(cloud));
        return [];
      }
      return [calls(0, "a"), calls(0, "a")];
    });
    const states: string[] = [];
    const run = async () => ({ text: `${++done}` });
    const result = await ask(cloud, { actions: { run }, events: { connection: (state) => states.push(state) } });
    expect(result.status).toBe("completed");
    expect(done).toBe(1);
    expect(cloud.framesOf("agent_run")).toHaveLength(2);
    expect(cloud.framesOf("tool_results")).toHaveLength(1);
    expect(states).toEqual(["lost", "back"]);
  });

  test("an answer that was on its way when the connection broke arrives once, under its id", async () => {
    let results = 0;
    const cloud = await startCloud();
    oneSession(cloud);
    cloud.onFrame = (frame, connection) => {
      if (frame.type === "agent_run") {
        connection.send({ type: "accepted", inReplyTo: frame.id });
        if (results === 0) connection.send(calls(0, "a"));
        return "handled";
      }
      if (frame.type !== "tool_results") return "default";
      if (++results === 1) connection.cut();
      else {
        connection.send({ type: "accepted", inReplyTo: frame.id });
        connection.send(complete("done"));
      }
      return "handled";
    };
    expect((await ask(cloud)).text).toBe("done");
    const ids = cloud.framesOf("tool_results").map(({ id }) => id);
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  test("a connection that stays away is told of once", async () => {
    const cloud = await scripted(() => {
      if (cloud.framesOf("agent_run").length < 2) queueMicrotask(() => cutAll(cloud));
      return cloud.framesOf("agent_run").length < 2 ? [] : [complete("done")];
    });
    cloud.onTicket = (response) => {
      if (cloud.tokens.length === 1 || cloud.tokens.length > 4) return "default";
      response.writeHead(503).end();
      return "handled";
    };
    const states: string[] = [];
    await ask(cloud, { events: { connection: (state) => states.push(state) } });
    expect(states).toEqual(["lost", "back"]);
  });

  test("a run goes on over a connection that was replaced in time, and nobody is troubled with it", async () => {
    const cloud = await scripted(() => (cloud.framesOf("agent_run").length < 2 ? [] : [complete("done")]));
    const clock = new ManualClock();
    cloud.limits = { ...cloud.limits, lifeMs: 1_000 };
    const states: string[] = [];
    const asked = ask(cloud, {
      channel: contentOn(cloud, { clock }),
      events: { connection: (state) => states.push(state) },
    });
    await cloud.until(() => cloud.framesOf("agent_run").length === 1);
    clock.advance(1_000);
    expect(await asked).toMatchObject({ text: "done" });
    expect(states).toEqual([]);
  });

  test("a session that was replaced takes the run with it", async () => {
    let sessions = 0;
    const cloud = await scripted(() => {
      queueMicrotask(() => cutAll(cloud));
      return [delta(0, 0, "Half an ans")];
    });
    cloud.sessionOf = () => ({ sessionId: sessionNumber(++sessions), sessionKey });
    expect(await ask(cloud)).toMatchObject({ status: "device_gone", text: "Half an ans", code: "session_ended" });
  });

  test("after a long silence the run is said again", async () => {
    const clock = new ManualClock();
    const cloud = await scripted(() => (cloud.framesOf("agent_run").length < 2 ? [] : [complete("late")]));
    const asked = ask(cloud, { clock });
    await cloud.until(() => cloud.framesOf("agent_run").length === 1);
    // The clock is the run's own: its channel goes by the machine's.
    const turned = (async () => {
      while (cloud.framesOf("agent_run").length < 2) {
        clock.advance(46_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    expect((await asked).text).toBe("late");
    await turned;
  });
});

describe("P2: what was accepted and not heard of since", () => {
  test("results are said again after a long silence, under their id", async () => {
    const clock = new ManualClock();
    // The worker that had the results has died, and its message was used up.
    const cloud = await scripted((frame) => {
      if (frame.type === "agent_run") return [calls(0, "a")];
      return cloud.framesOf("tool_results").length < 2 ? [] : [complete("late")];
    });
    const asked = ask(cloud, { clock });
    await cloud.until(() => cloud.framesOf("tool_results").length === 1);
    // The clock is the run's own: its channel goes by the machine's.
    const turned = (async () => {
      while (cloud.framesOf("tool_results").length < 2) {
        clock.advance(46_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    expect((await asked).text).toBe("late");
    await turned;
    const ids = cloud.framesOf("tool_results").map(({ id }) => id);
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  test("results that come after the run's end have the cloud say again how it ended", async () => {
    const cloud = await startCloud();
    oneSession(cloud);
    let asked = 0;
    cloud.onFrame = (frame, connection: CloudConnection) => {
      if (frame.type === "tool_results") {
        connection.send({ type: "error", code: "run_ended", message: "The run has ended.", inReplyTo: frame.id });
        return "handled";
      }
      if (frame.type !== "agent_run") return "default";
      asked += 1;
      connection.send({ type: "accepted", inReplyTo: frame.id });
      connection.send(asked === 1 ? calls(0, "read_lines") : complete("Tomatoes."));
      return "handled";
    };
    await expect(ask(cloud)).resolves.toMatchObject({ status: "completed", text: "Tomatoes." });
    expect(asked).toBe(2);
  });
});

describe("a run ends when the person wants it to", () => {
  test("cancelling says so to the cloud and takes its word", async () => {
    const controller = new AbortController();
    const cloud = await scripted((frame) => {
      if (frame.type === "agent_cancel") return [{ ...complete(""), status: "cancelled" } as ServerFrame];
      return [calls(0, "a")];
    });
    const run = async () => {
      controller.abort();
      return { text: "not sent" };
    };
    const running = new Set<symbol>();
    const clock = {
      ...systemClock,
      after(delayMs: number, work: () => void) {
        const timer = Symbol("timer");
        running.add(timer);
        const cancel = systemClock.after(delayMs, work);
        return () => {
          running.delete(timer);
          cancel();
        };
      },
    };

    const result = await ask(cloud, { signal: controller.signal, actions: { run }, clock });

    expect(result.status).toBe("cancelled");
    // What is left would keep the command from ending.
    expect(running.size).toBe(0);
    expect(cloud.framesOf("agent_cancel")).toHaveLength(1);
    expect(cloud.framesOf("tool_results")).toHaveLength(0);
  });

  test("a run that was cancelled before it began is not begun", async () => {
    const cloud = await scripted(() => []);
    expect(await ask(cloud, { signal: AbortSignal.abort() })).toMatchObject({ status: "cancelled" });
    expect(cloud.framesOf("agent_run")).toHaveLength(0);
  });
});
