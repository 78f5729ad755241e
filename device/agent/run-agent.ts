import type { AgentName, RunStatus } from "../../events/agents.ts";
import { type ErrorCode, isScoutsError } from "../../events/errors.ts";
import { socketLimits } from "../../events/frames.ts";
import type { ProjectId, RunId, TaskId } from "../../events/ids.ts";
import type { Payload } from "../../events/payload.ts";
import type { ActionTable } from "../actions/action-table.ts";
import type { Clock } from "../connection/clock.ts";
import type { ContentChannel, ContentEvents } from "../connection/content/content-channel.ts";
import type { ContentFrame } from "../connection/content/content-frames.ts";
import { DeviceError } from "../errors.ts";
import { type AnsweredCall, answerCalls } from "./answer-calls.ts";
import { StreamedText, type TextChange } from "./streamed-text.ts";

/** After so much silence the cloud is asked whether something got lost on its way. */
const askAgainMs = 45_000;
/** Silence after which a run is given up: longer than a worker that died stays in the way of the next. */
const patienceMs = 20 * 60_000;
/** A run that was cancelled says so within this time, or it is not waited for. */
const cancelPatienceMs = 10_000;
/** What a frame has besides payloads: ids, names, braces. */
const frameBytes = 512;
const resultBytes = 128;

export interface AgentRequest {
  readonly agent: AgentName;
  readonly projectId?: ProjectId | undefined;
  readonly taskId?: TaskId | undefined;
  readonly message: string;
}

export interface AgentEvents {
  /** The answer grows, or begins again. */
  text(change: TextChange): void;
  /** The device has done something for the run. */
  answered(call: AnsweredCall): void;
  /** The connection is gone, or there again. */
  connection(state: "lost" | "back"): void;
}

export interface RunAgentOptions {
  readonly channel: ContentChannel;
  readonly actions: Pick<ActionTable, "run">;
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  readonly events?: Partial<AgentEvents>;
  readonly clock: Clock;
  readonly newRunId: () => RunId;
}

export interface AgentRunResult {
  readonly runId: RunId;
  readonly status: RunStatus;
  readonly text: string;
  readonly tokensUsed: number;
  readonly toolCalls: number;
  /** Name and version of the agent's prompt. */
  readonly prompt: string | null;
  readonly code?: ErrorCode;
  /** What the device was asked for, in order. */
  readonly calls: readonly AnsweredCall[];
}

type Frame<T extends ContentFrame["type"]> = Extract<ContentFrame, { type: T }>;

/**
 * Asks an agent and does what it needs done here:
 *
 *     agent_run ─▶ tool_calls ─▶ (all of a step at once) ─▶ tool_results, state unread ─▶ … ─▶ run_complete
 *
 * The connection may come and go meanwhile. `agent_run` said again begins no second run, it has the cloud say again what
 * it said last; so it is said after every reconnection and after every long silence. A session that was replaced takes
 * its runs with it: nobody can open them any more.
 *
 * @throws what ended the channel; ScoutsError when the cloud does not take the run; DeviceError `answer_overdue`
 */
export async function runAgent(request: AgentRequest, options: RunAgentOptions): Promise<AgentRunResult> {
  const { channel, actions, signal, events = {}, clock } = options;
  const run = options.newRunId();
  const streamed = new StreamedText();
  const calls: AnsweredCall[] = [];
  const answered = new Set<number>();
  const over = Promise.withResolvers<Omit<AgentRunResult, "runId" | "calls">>();
  // Whoever awaits it hears of it; a failure may come before anybody does.
  over.promise.catch(() => {});
  let cancelAsking = () => {};
  let heardAtMs = clock.now();

  const endedBy = (status: RunStatus, code?: ErrorCode) =>
    over.resolve({
      status,
      text: streamed.text,
      tokensUsed: 0,
      toolCalls: calls.length,
      prompt: null,
      ...(code !== undefined && { code }),
    });
  const failed = (error: unknown) => {
    if (isScoutsError(error, "run_ended") || isScoutsError(error, "session_ended")) endedBy("device_gone", error.code);
    else over.reject(error);
  };

  await channel.ready();
  const { agent, projectId, taskId } = request;
  const [message] = await channel.toPayloads([request.message], socketLimits.frameBytes - frameBytes);
  if (message === undefined) throw new DeviceError("internal");
  const of = { ...(projectId !== undefined && { projectId }), ...(taskId !== undefined && { taskId }) };
  const say = () => channel.send({ type: "agent_run", runId: run, agent, ...of, message });

  const listen = () => {
    cancelAsking();
    cancelAsking = clock.after(askAgainMs, () => {
      if (clock.now() - heardAtMs > patienceMs) return over.reject(new DeviceError("answer_overdue"));
      say().catch(failed);
      listen();
    });
  };

  const answer = async ({ step, calls: asked, state }: Frame<"tool_calls">) => {
    if (answered.has(step)) return;
    answered.add(step);
    const answers = await answerCalls(asked, actions, (call) => {
      calls.push(call);
      events.answered?.(call);
    });
    if (signal?.aborted) return;
    const room = socketLimits.frameBytes - frameBytes - bytesOf(state) - answers.length * resultBytes;
    const payloads = await channel.toPayloads(
      answers.map(({ result }) => result.text),
      Math.max(0, room),
    );
    const results = answers.flatMap(({ call: { callId }, result: { error } }, at) => {
      const result = payloads[at];
      return result === undefined ? [] : [{ callId, result, ...(error !== undefined && { error }) }];
    });
    // What was answered in another frame is answered.
    await channel.send({ type: "tool_results", runId: run, step, results, state }).catch((error: unknown) => {
      if (!isScoutsError(error, "step_replayed")) throw error;
    });
  };

  const onFrame: (...args: ContentEvents["frame"]) => void = (frame) => {
    if (!("runId" in frame) || frame.runId !== run) return;
    heardAtMs = clock.now();
    listen();
    if (frame.type === "tool_calls") answer(frame).catch(failed);
    else if (frame.type === "run_delta") {
      const change = streamed.add(frame);
      if (change !== undefined) events.text?.(change);
    } else {
      const change = streamed.finish(frame.text);
      if (change !== undefined) events.text?.(change);
      const { status, text, tokensUsed, toolCalls, prompt, code } = frame;
      over.resolve({ status, text, tokensUsed, toolCalls, prompt, ...(code !== undefined && { code }) });
    }
  };
  const onReady: (...args: ContentEvents["ready"]) => void = ({ isNew }) => {
    events.connection?.("back");
    if (isNew) endedBy("device_gone", "session_ended");
    else say().catch(failed);
  };
  const onLost = () => events.connection?.("lost");
  const onCancel = () => {
    channel.send({ type: "agent_cancel", runId: run }).catch(failed);
    clock.after(cancelPatienceMs, () => endedBy("cancelled"));
  };

  channel.events.on("frame", onFrame).on("ready", onReady).on("lost", onLost).on("ended", over.reject);
  try {
    if (signal?.aborted) return { runId: run, calls, ...cancelledBefore };
    await say();
    signal?.addEventListener("abort", onCancel, { once: true });
    if (signal?.aborted) onCancel();
    listen();
    return { runId: run, ...(await over.promise), calls };
  } finally {
    cancelAsking();
    signal?.removeEventListener("abort", onCancel);
    channel.events.off("frame", onFrame).off("ready", onReady).off("lost", onLost).off("ended", over.reject);
  }
}

const cancelledBefore = { status: "cancelled", text: "", tokensUsed: 0, toolCalls: 0, prompt: null } as const;

function bytesOf(state: Payload): number {
  return Buffer.byteLength(JSON.stringify(state));
}
