import { isScoutsError } from "../../events/errors.ts";
import { callId, type ProjectId, type RunId, runId } from "../../events/ids.ts";
import type { FilePart } from "../actions/action-result.ts";
import { ActionTable, type ActionTableOptions } from "../actions/action-table.ts";
import { openDeviceTrail } from "../actions/device-trail.ts";
import { runArtifacts } from "../actions/run-artifacts.ts";
import { openActivityStore } from "../activity/activity-store.ts";
import { type ApproverAtClient, waitingApprover } from "../activity/waiting-approver.ts";
import { openArtifacts } from "../artifacts/open-artifacts.ts";
import type { AttachmentOutcome } from "../attachments/gather-attachments.ts";
import type { Clock } from "../connection/clock.ts";
import type { ContentChannel } from "../connection/content/content-channel.ts";
import { isDeviceError } from "../errors.ts";
import { Extractor } from "../folders/extraction/extractor.ts";
import type { DeviceStore } from "../store/open.ts";
import { offeredTools } from "../tools/offered-tools.ts";
import type { Variables } from "../workspace/workspace.ts";
import { checkRequest } from "./check-request.ts";
import { type Evidence, evidenceOf } from "./evidence.ts";
import { filesRead } from "./files-read.ts";
import { type NotAllRead, notAllRead } from "./not-all-read.ts";
import { type AgentEvents, type AgentRequest, type AgentRunResult, runAgent } from "./run-agent.ts";

export interface AskAgentOptions {
  readonly store: DeviceStore;
  readonly dataFolder: string;
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  readonly events?: Partial<AgentEvents>;
  /** A manifest that was read is out of date. */
  readonly onStale?: (projectId: ProjectId) => void;
  /** What the run may ask of the device, where that is not all there is. */
  readonly bounds?: Pick<ActionTableOptions, "only" | "onlyProject" | "leavesOutAnswers">;
  readonly clock: Clock;
  readonly openContent: () => ContentChannel;
  /** Programs the person offers to agents; none when left out. */
  readonly tools?: AgentTools;
}

/** What tools need of whoever asks. */
export interface AgentTools {
  /** The person's own environment. */
  readonly variables: Variables;
  /** Asked when a tool is used for the first time, and so is the console where one is served. */
  readonly client: ApproverAtClient;
  readonly isServed: () => boolean;
}

/** How a run ended, and what its answer rests on. */
export interface AskedAgent extends AgentRunResult {
  readonly evidence: Evidence;
  /** Under which it is kept; null for an answer that is not. */
  readonly answerId: string | null;
  /** What became of what was attached. */
  readonly attachments: readonly AttachmentOutcome[];
  /** Whose files were not all known when it was asked. */
  readonly notAllRead: readonly NotAllRead[];
}

/**
 * Asks an agent over a connection of its own, with the device's table of actions. Everything that is opened for the run is
 * closed after it, however it ends.
 *
 * @throws as {@link checkRequest}, before anything is asked, and as {@link runAgent}
 */
export async function askAgent(request: AgentRequest, options: AskAgentOptions): Promise<AskedAgent> {
  const { store } = options;
  await checkRequest(request, store);
  const unread = notAllRead(request, store);
  const run: RunId = runId.parse(`run_${store.newId()}`);
  // Whatever cannot be opened, what was opened before it is closed again, the latest first.
  const closes: (() => unknown)[] = [];
  try {
    const parts = openParts(request, run, options, closes);
    return await askWith(parts, request, run, options, unread);
  } finally {
    for (const close of closes.reverse()) await close();
  }
}

type Parts = ReturnType<typeof openParts>;

/** Opens what a run needs. @param closes takes how each is closed, as it is opened */
function openParts(request: AgentRequest, run: RunId, options: AskAgentOptions, closes: (() => unknown)[]) {
  const { store, dataFolder, signal, onStale, bounds, clock, openContent, tools } = options;
  const now = () => clock.now();
  const { trail, close: closeTrail } = openDeviceTrail(dataFolder, now);
  closes.push(closeTrail);
  const artifacts = runArtifacts(openArtifacts(dataFolder, { now, newId: store.newId }, store.vault), {
    threadId: run,
    agent: request.agent,
    newCallId: () => callId.parse(`cal_${store.newId()}`),
  });
  const activity = openActivityStore(dataFolder, { now, newId: store.newId });
  closes.push(() => activity.close());
  const extractor = new Extractor();
  const caller = `agent:${request.agent}`;
  const actions = new ActionTable({
    store,
    dataFolder,
    caller,
    session: run,
    trail,
    now,
    artifacts,
    extract: (job) => extractor.extract(job, signal),
    attachments: request.attachments?.result,
    ...bounds,
    ...(onStale && { onStale }),
    ...(tools && {
      tools: offeredTools({
        setting: { dataFolder, store, variables: tools.variables, now, newId: store.newId },
        ...{ caller, session: run, signal },
        approver: (root) => waitingApprover({ ...tools, approvals: activity.approvals, root, clock }),
      }),
    }),
  });
  closes.push(
    () => actions.close(),
    () => artifacts.end(),
    () => extractor.close(),
  );
  const channel = openContent();
  closes.push(() => channel.close());
  return { activity, actions, channel };
}

async function askWith(
  { activity, actions, channel }: Parts,
  request: AgentRequest,
  run: RunId,
  { store, clock, signal, events }: AskAgentOptions,
  unread: readonly NotAllRead[],
): Promise<AskedAgent> {
  // The person's own words may be quoted too.
  const shown = [request.message, ...(request.earlier ?? []).flatMap(({ question, answer }) => [question, answer])];
  const parts: FilePart[] = [];
  const answering: Pick<ActionTable, "run"> = {
    async run(action, data, id) {
      const answered = await actions.run(action, data, id);
      shown.push(answered.text);
      parts.push(...(answered.parts ?? []));
      return answered;
    },
  };
  try {
    activity.runs.begin({ id: run, agent: request.agent, projectId: request.projectId ?? null });
    const result = await runAgent(request, {
      channel,
      actions: answering,
      clock,
      newRunId: () => run,
      ...(signal && { signal }),
      ...(events && { events }),
    });
    const answerId = keepAnswer(store, request, result);
    activity.runs.end(run, endingOf(result, answerId));
    const read = result.calls.flatMap(({ proposalsRead }) => proposalsRead);
    const attachments = request.attachments?.outcomes ?? [];
    const evidence = evidenceOf(store, result.text, { shown, read, parts });
    return { ...result, answerId, attachments, notAllRead: unread, evidence };
  } catch (error) {
    try {
      activity.runs.end(run, { status: "error", code: codeOf(error), tokens: 0, calls: 0, answerId: null });
    } catch {
      // What the run failed of is told. In the list it stands as one whose program was killed.
    }
    throw error;
  }
}

const endingOf = ({ status, code, tokensUsed: tokens, toolCalls: calls }: AgentRunResult, answerId: string | null) => ({
  ...{ status, code: code ?? null, tokens, calls, answerId },
});

const codeOf = (error: unknown): string => (isDeviceError(error) || isScoutsError(error) ? error.code : "internal");

const keptEndings: ReadonlySet<AgentRunResult["status"]> = new Set(["completed", "token_limit"]);

/** An answer that came to its end, or to that of its room, is found again, and can be gone on from. @returns its id */
function keepAnswer(store: DeviceStore, request: AgentRequest, { status, text, calls }: AgentRunResult): string | null {
  if (request.agent !== "home" || !keptEndings.has(status) || text.trim() === "") return null;
  const { message: question, projectId = null, follows = null } = request;
  return store.answers.add({ follows, projectId, question, answer: text, files: filesRead(calls) }).id;
}
