import type { ErrorCode } from "../../events/error-kinds.ts";
import { isScoutsError } from "../../events/errors.ts";
import type { AgentName, RunStatus } from "../../events/frames/agents.ts";
import { socketLimits } from "../../events/frames/limits.ts";
import type { FrameId, ProjectId, ProposalId, RunId, TaskId } from "../../events/ids.ts";
import type { Payload } from "../../events/payload.ts";
import type { ActionTable } from "../actions/action-table.ts";
import type { GatheredAttachments } from "../attachments/gather-attachments.ts";
import type { Clock } from "../connection/clock.ts";
import type { ContentChannel } from "../connection/content/content-channel.ts";
import type { ContentDraft, ContentFrame } from "../connection/content/content-frames.ts";
import { DeviceError } from "../errors.ts";
import { type AnsweredCall, answerCalls, type CallAnswer } from "./answer-calls.ts";
import type { Exchange } from "./earlier-answers.ts";
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
  /** What `categorize` is about, and in which round. */
  readonly proposalId?: ProposalId | undefined;
  readonly round?: number | undefined;
  readonly message: string;
  /** What it goes on from, oldest first. */
  readonly earlier?: readonly Exchange[] | undefined;
  /** The id of the answer it goes on from. */
  readonly follows?: string | undefined;
  /** What the person attached to it, read already. */
  readonly attachments?: GatheredAttachments | undefined;
}

export interface AgentEvents {
  /** The answer grows, or begins again. */
  text(change: TextChange): void;
  /** The device has done something for the run. */
  answered(call: AnsweredCall): void;
  /** The connection is gone, or there again. */
  connection(state: "lost" | "back"): void;
}

/** What a run needs of a channel. */
export type RunChannel = Pick<ContentChannel, "ready" | "send" | "toPayloads" | "events">;

export interface RunAgentOptions {
  readonly channel: RunChannel;
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
  /** What the device was asked for and has answered, in the order it was asked for. */
  readonly calls: readonly AnsweredCall[];
}

type Frame<T extends ContentFrame["type"]> = Extract<ContentFrame, { type: T }>;
type Question = Extract<ContentDraft, { type: "agent_run" }>;
type ToolResults = Extract<ContentDraft, { type: "tool_results" }>;

/** How a run ended. */
type RunEnd = Omit<AgentRunResult, "runId" | "calls">;

/**
 * Asks an agent and does what it needs done here:
 *
 *     agent_run ─▶ tool_calls ─▶ (all of a step at once) ─▶ tool_results, state unread ─▶ … ─▶ run_complete
 *
 * The connection may come and go meanwhile. After every reconnection and every long silence the device says again what it
 * said last. Nothing is done twice by that: `agent_run` has the cloud say again what it said last, and results under the
 * same id have a step taken that was lost on its way. A session that was replaced takes its runs with it: nobody can open
 * them any more.
 *
 * @throws what ended the channel; ScoutsError when the cloud does not take the run; DeviceError `answer_overdue`
 */
export async function runAgent(request: AgentRequest, options: RunAgentOptions): Promise<AgentRunResult> {
  const { channel } = options;
  const runId = options.newRunId();
  await channel.ready();
  const { agent, projectId, taskId, proposalId, round, earlier = [], attachments } = request;
  const texts = [request.message, ...(earlier.length > 0 ? [JSON.stringify(earlier)] : [])];
  const [message, said] = await channel.toPayloads(texts, socketLimits.frameBytes - frameBytes);
  if (message === undefined) throw new DeviceError("internal");
  const of = {
    ...(projectId !== undefined && { projectId }),
    ...(taskId !== undefined && { taskId }),
    ...(proposalId !== undefined && { proposalId }),
    ...(round !== undefined && { round }),
    ...(said && { earlier: said }),
    ...(attachments && { attached: attachments.outcomes.length }),
  };
  return new AgentRun({ type: "agent_run", runId, agent, ...of, message }, options).result();
}

/** One run, from the question to its end. */
class AgentRun {
  readonly #question: Question;
  readonly #options: RunAgentOptions;
  readonly #streamed = new StreamedText();
  /** What was asked for, each in its place; undefined until it is answered. */
  readonly #asked: (AnsweredCall | undefined)[] = [];
  #lastStep = -1;
  readonly #over = Promise.withResolvers<RunEnd>();
  /** Results that were accepted and not heard of since. */
  #accepted: { readonly frame: ToolResults; readonly id: FrameId } | undefined;
  #heardAtMs: number;
  #isLost = false;
  #cancelSilence = () => {};
  /** A timer that is left keeps its program from ending. */
  #cancelPatience = () => {};

  constructor(question: Question, options: RunAgentOptions) {
    this.#question = question;
    this.#options = options;
    this.#heardAtMs = options.clock.now();
    // Whoever awaits it hears of it; a failure may come before anybody does.
    this.#over.promise.catch(() => {});
  }

  async result(): Promise<AgentRunResult> {
    const { signal } = this.#options;
    const { runId } = this.#question;
    const { events } = this.#options.channel;
    events
      .on("frame", this.#onFrame)
      .on("ready", this.#onReady)
      .on("lost", this.#onLost)
      .on("ended", this.#over.reject);
    try {
      if (signal?.aborted) return { runId, calls: this.#calls(), ...cancelledBefore };
      await this.#ask();
      signal?.addEventListener("abort", this.#onCancel, { once: true });
      if (signal?.aborted) this.#onCancel();
      this.#awaitFrames();
      return { runId, ...(await this.#over.promise), calls: this.#calls() };
    } finally {
      this.#cancelSilence();
      this.#cancelPatience();
      signal?.removeEventListener("abort", this.#onCancel);
      events.off("frame", this.#onFrame).off("ready", this.#onReady).off("lost", this.#onLost);
      events.off("ended", this.#over.reject);
    }
  }

  async #ask(): Promise<void> {
    await this.#options.channel.send(this.#question);
  }

  async #sayAgain(): Promise<void> {
    if (this.#accepted === undefined) return this.#ask();
    const { frame, id } = this.#accepted;
    await this.#sayResults(frame, id);
  }

  /** Says what a step found. When the run has gone on without it, or ended, the cloud is asked how it stands. */
  async #sayResults(frame: ToolResults, again?: FrameId): Promise<void> {
    try {
      const id = await this.#options.channel.send(frame, again);
      if (this.#lastStep === frame.step) this.#accepted = { frame, id };
    } catch (error) {
      if (!isScoutsError(error, "run_ended") && !isScoutsError(error, "step_replayed")) throw error;
      this.#accepted = undefined;
      await this.#ask();
    }
  }

  /** Asks again after a long silence, and gives up after one that is longer than a run may take. */
  #awaitFrames(): void {
    const { clock } = this.#options;
    this.#cancelSilence();
    this.#cancelSilence = clock.after(askAgainMs, () => {
      if (clock.now() - this.#heardAtMs > patienceMs) return this.#over.reject(new DeviceError("answer_overdue"));
      this.#sayAgain().catch(this.#onFailure);
      this.#awaitFrames();
    });
  }

  readonly #onFrame = (frame: ContentFrame): void => {
    if (!("runId" in frame) || frame.runId !== this.#question.runId) return;
    this.#heardAtMs = this.#options.clock.now();
    this.#awaitFrames();
    if (frame.type === "tool_calls") this.#answer(frame).catch(this.#onFailure);
    else if (frame.type === "run_delta") this.#show(this.#streamed.add(frame));
    else this.#complete(frame);
  };

  readonly #onReady = ({ isNew }: { isNew: boolean }): void => {
    if (this.#isLost) this.#options.events?.connection?.("back");
    this.#isLost = false;
    if (isNew) this.#endAs("device_gone", "session_ended");
    else this.#sayAgain().catch(this.#onFailure);
  };

  readonly #onLost = (): void => {
    this.#isLost = true;
    this.#options.events?.connection?.("lost");
  };

  readonly #onCancel = (): void => {
    const { channel, clock } = this.#options;
    channel.send({ type: "agent_cancel", runId: this.#question.runId }).catch(this.#onFailure);
    this.#cancelPatience = clock.after(cancelPatienceMs, () => this.#endAs("cancelled"));
  };

  readonly #onFailure = (error: unknown): void => {
    const isGone = isScoutsError(error, "run_ended") || isScoutsError(error, "session_ended");
    if (isGone) this.#endAs("device_gone", error.code);
    else this.#over.reject(error);
  };

  /** Does what a step asks for, once. */
  async #answer({ step, calls, state }: Frame<"tool_calls">): Promise<void> {
    if (step <= this.#lastStep) return;
    this.#lastStep = step;
    this.#accepted = undefined;
    const { actions, signal, events } = this.#options;
    const first = this.#asked.length;
    this.#asked.length += calls.length;
    const answers = await answerCalls(calls, actions, (call, place) => {
      this.#asked[first + place] = call;
      events?.answered?.(call);
    });
    if (signal?.aborted) return;
    const results = await this.#resultsOf(answers, bytesOf(state));
    const { runId } = this.#question;
    await this.#sayResults({ type: "tool_results", runId, step, results, state });
  }

  async #resultsOf(answers: readonly CallAnswer[], stateBytes: number): Promise<ToolResults["results"]> {
    const room = socketLimits.frameBytes - frameBytes - stateBytes - answers.length * resultBytes;
    const texts = answers.map(({ result }) => result.text);
    const payloads = await this.#options.channel.toPayloads(texts, Math.max(0, room));
    return answers.flatMap(({ call: { callId }, result: { error } }, at) => {
      const result = payloads[at];
      return result === undefined ? [] : [{ callId, result, ...(error !== undefined && { error }) }];
    });
  }

  #calls(): AnsweredCall[] {
    return this.#asked.filter((call) => call !== undefined);
  }

  #show(change: TextChange | undefined): void {
    if (change !== undefined) this.#options.events?.text?.(change);
  }

  #complete({ status, text, tokensUsed, toolCalls, prompt, code }: Frame<"run_complete">): void {
    this.#show(this.#streamed.finish(text));
    this.#over.resolve({ status, text, tokensUsed, toolCalls, prompt, ...(code !== undefined && { code }) });
  }

  /** An end the cloud did not tell of. */
  #endAs(status: RunStatus, code?: ErrorCode): void {
    const { text } = this.#streamed;
    const toolCalls = this.#calls().length;
    this.#over.resolve({ status, text, tokensUsed: 0, toolCalls, prompt: null, ...(code !== undefined && { code }) });
  }
}

const cancelledBefore = { status: "cancelled", text: "", tokensUsed: 0, toolCalls: 0, prompt: null } as const;

function bytesOf(state: Payload): number {
  return Buffer.byteLength(JSON.stringify(state));
}
