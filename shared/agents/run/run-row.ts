import * as z from "zod";
import { errorCodes } from "../../../events/error-kinds.ts";
import { agentName, maxRunSteps, runStatus } from "../../../events/frames/agents.ts";
import { deviceId, runId, sessionId, type UserId, userId } from "../../../events/ids.ts";
import { objectKey } from "../../../events/payload.ts";
import type { AgentMessage } from "../../../events/queues.ts";
import type { ExpiryEntry } from "../../index-entries.ts";
import { sessionsKey } from "../../keys.ts";
import type { Item, Key, Path } from "../../ports/table.ts";
import { storedRow } from "../../stored-row.ts";

const count = z.number().int().nonnegative();

const fields = z.object({
  runId,
  deviceId,
  sessionId,
  agent: agentName,
  status: z.enum(["running", ...runStatus.options]),
  /** Why it ended, when there is more to say than the status does. */
  code: z.enum(errorCodes).optional(),
  /** The open step: a worker is to take it, at once or when the device has answered the one before. */
  step: count.max(maxRunSteps + 1),
  /** The queue message whose worker has the step, and since when. */
  claim: z.string().optional(),
  claimedAt: z.number().optional(),
  /** Tries of the open step that came to nothing. */
  attempts: count,
  cancelled: z.boolean().optional(),
  /** Name and version of its prompt, once that is chosen. */
  prompt: z.string().optional(),
  inputTokens: count,
  outputTokens: count,
  toolCalls: count,
  /** Time workers spent on committed steps; a run that waits for its device spends none. */
  workMs: count,
  /** What the last committed step has to say, sealed: posted again whenever it may have been missed. */
  outbox: objectKey.optional(),
  /** The sealed continuation, when it is too long for a frame. */
  state: objectKey.optional(),
  startedAt: z.number(),
  expiresAt: z.number(),
});

const spent = z.object({ tokens: count, reservation: z.string() });

/** A run as the Sessions table has it: codes, ids, counts and times; nothing of what is asked or answered. */
export interface RunRow extends z.infer<typeof fields> {
  readonly userId: UserId;
  /** The frame that answered each step's calls. */
  readonly answers: ReadonlyMap<number, string>;
  /** What each step took, and the reservation it was taken under. */
  readonly spent: ReadonlyMap<number, z.infer<typeof spent>>;
}

/** A row's own attributes with what only the table reads; answers and what was spent have names of their own. */
export type StoredRun = z.infer<typeof fields> & ExpiryEntry;

export type RunId = Pick<AgentMessage, "userId" | "runId">;

/** Attributes of their own and not maps: a path into a map can only be set once the map exists. */
const answerPrefix = "answer#";
const spentPrefix = "spent#";

export const runPath = {
  answer: (step: number): Path => [`${answerPrefix}${step}`],
  spent: (step: number): Path => [`${spentPrefix}${step}`],
};

/** Where the Sessions table has a run. */
export function runKey({ userId: user, runId: run }: RunId): Key {
  return sessionsKey.agentRun(user, run);
}

/**
 * A run from its row; answers and what was spent are found by the beginnings of their attributes' names.
 *
 * @throws row_damaged
 */
export function parseRunRow(item: Item): RunRow {
  return storedRow(item, readRunRow);
}

function readRunRow(item: Item): RunRow {
  const entries = Object.entries(item);
  const numbered = <T>(prefix: string, parse: (value: unknown) => T) =>
    new Map(
      entries.flatMap(([name, value]): [number, T][] =>
        name.startsWith(prefix) ? [[Number(name.slice(prefix.length)), parse(value)]] : [],
      ),
    );
  return {
    ...fields.parse(item),
    userId: userId.parse(item.pk.slice("USER#".length)),
    answers: numbered(answerPrefix, (value) => z.string().parse(value)),
    spent: numbered(spentPrefix, (value) => spent.parse(value)),
  };
}

/** All tokens of a run so far: what the model read, and what it wrote. */
export function tokensOf({ inputTokens, outputTokens }: Pick<RunRow, "inputTokens" | "outputTokens">): number {
  return inputTokens + outputTokens;
}
