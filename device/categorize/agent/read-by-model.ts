import { categorizeActionNames } from "../../../events/agent-tools/actions.ts";
import { categorizeAnswer } from "../../../events/agent-tools/categorize-answer.ts";
import { isScoutsError } from "../../../events/errors.ts";
import { runId } from "../../../events/ids.ts";
import { ActionTable } from "../../actions/action-table.ts";
import { openDeviceTrail } from "../../actions/device-trail.ts";
import { type AgentRunResult, type RunChannel, runAgent } from "../../agent/run-agent.ts";
import type { Clock } from "../../connection/clock.ts";
import { isDeviceError } from "../../errors.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { StoredProposal } from "../../store/schema.ts";
import { localTimeAt } from "../../work/dates/zone.ts";
import type { Categorized } from "../draft.ts";
import type { ItemView, Known } from "../item-view.ts";
import { writersOffset, writtenAt } from "../written-at.ts";
import { checkAnswer } from "./check-answer.ts";
import { itemText } from "./item-text.ts";

/** What became of having a proposal read. */
export type Reading =
  | { readonly how: "read"; readonly result: Categorized }
  /** No language model reads proposals at this home. */
  | { readonly how: "off" }
  /** Another device of the person has it read. */
  | { readonly how: "elsewhere" }
  /** The proposal is not open any more, or the cloud has forgotten it. */
  | { readonly how: "over" }
  | { readonly how: "no_tokens" }
  /** It did not answer, or could not be asked; later it may. */
  | { readonly how: "model_unavailable" }
  /** It answered what is of no use: asked again, it mostly does so again. */
  | { readonly how: "model_unusable" }
  /** The connection is gone. */
  | { readonly how: "disconnected" };

export interface ReadOptions {
  readonly store: DeviceStore;
  readonly clock: Clock;
  readonly channel: RunChannel;
}

/**
 * Has a language model say what a proposal is, by a run of the agent `categorize`, and holds its answer against the item.
 * While it runs, the item is in memory here and given to nobody but the run.
 */
export async function readByModel(
  row: StoredProposal,
  item: ItemView,
  known: Known,
  rules: Categorized,
  { store, clock, channel }: ReadOptions,
): Promise<Reading> {
  const run = runId.parse(`run_${store.newId()}`);
  const now = () => clock.now();
  const { trail, close: closeTrail } = openDeviceTrail(store.dataFolder, now);
  const actions = new ActionTable({
    store,
    dataFolder: store.dataFolder,
    caller: "agent:categorize",
    session: run,
    only: categorizeActionNames,
    trail,
    now,
    extract: () => Promise.reject(new TypeError("No file is read for this agent")),
    readItem: async (id) => (id === row.id ? itemText(item) : undefined),
  });
  const { id: proposalId, round } = row;
  try {
    const request = { agent: "categorize", proposalId, round, message: messageOf(row, known) } as const;
    const ended = await runAgent(request, { channel, actions, clock, newRunId: () => run });
    return await readingOf(ended, (answer, prompt) => checkAnswer(item, known, rules, answer, prompt));
  } catch (error) {
    return refusalOf(error);
  } finally {
    actions.close();
    closeTrail();
  }
}

/** What the model is told by the device itself: nothing that somebody else wrote. */
function messageOf(row: StoredProposal, { nowMs, zone, isSenderKnown }: Known): string {
  const at = (ms: number) => localTimeAt(ms, zone).slice(0, 16).replace("T", " ");
  const weekday = new Date(`${localTimeAt(nowMs, zone)}Z`).toLocaleDateString("en", {
    weekday: "long",
    timeZone: "UTC",
  });
  return [
    `Proposal ${row.id}.`,
    `It is ${weekday}, ${at(nowMs)} in ${zone}; the item is of ${at(writtenAt(row))}.`,
    ...writersClock(row, zone),
    isSenderKnown ? "The person knows its sender." : "The person does not know its sender.",
  ].join(" ");
}

/** Where it showed another time than the person's. */
function writersClock(row: StoredProposal, zone: string): string[] {
  const offset = writersOffset(row, zone);
  if (offset === undefined) return [];
  const shown = localTimeAt(writtenAt(row) + offset * 60_000, "UTC")
    .slice(0, 16)
    .replace("T", " ");
  return [`Its writer's clock showed ${shown} then.`];
}

type Check = (answer: Parameters<typeof checkAnswer>[3], prompt: string) => Promise<Categorized>;

async function readingOf({ status, code, text, prompt }: AgentRunResult, check: Check): Promise<Reading> {
  switch (status) {
    case "completed": {
      const answer = answerIn(text);
      if (answer === undefined) return { how: "model_unusable" };
      return { how: "read", result: await check(answer, prompt ?? "agent-categorize") };
    }
    case "quota_exceeded":
      return { how: "no_tokens" };
    case "step_limit":
    case "token_limit":
    case "cost_limit":
      return { how: "model_unusable" };
    case "device_gone":
    case "cancelled":
      return { how: "disconnected" };
    case "time_limit":
      return { how: "model_unavailable" };
    case "error":
      return {
        how: code === "model_answer_invalid" || code === "model_refused" ? "model_unusable" : "model_unavailable",
      };
  }
}

function answerIn(text: string): Parameters<typeof checkAnswer>[3] | undefined {
  try {
    return categorizeAnswer.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** @throws what is a defect */
function refusalOf(error: unknown): Reading {
  if (isScoutsError(error)) {
    switch (error.code) {
      case "categorize_off":
        return { how: "off" };
      case "categorize_claimed":
        return { how: "elsewhere" };
      case "proposal_not_open":
      case "proposal_not_found":
        return { how: "over" };
      case "session_ended":
      case "session_unknown":
        return { how: "disconnected" };
      default:
        // A home of an earlier version knows no such agent.
        return { how: error.code === "invalid_frame" ? "off" : "model_unavailable" };
    }
  }
  if (isDeviceError(error, "answer_overdue")) return { how: "model_unavailable" };
  if (isDeviceError(error)) return { how: "disconnected" };
  throw error;
}
