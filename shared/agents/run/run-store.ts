import type { ErrorCode } from "../../../events/error-kinds.ts";
import type { AgentName, RunStatus } from "../../../events/frames/agents.ts";
import type { DeviceId, FrameId, SessionId } from "../../../events/ids.ts";
import type { ObjectKey } from "../../../events/payload.ts";
import { expiry } from "../../index-entries.ts";
import type { TokenUsage } from "../../llm/chat-model.ts";
import { changeOf, type RowChange } from "../../ports/row-change.ts";
import type { Change, Condition, Path, Table } from "../../ports/table.ts";
import { parseRunRow, type RunId, type RunRow, runKey, runPath, type StoredRun } from "./run-row.ts";

/** A run nobody has moved on for so long is over: longer than any session lives without its device. */
export const runLifeMs = 6 * 3_600_000;
/** No worker lives longer (infra/queues.ts): a claim that is older belongs to one that died. */
export const claimLifeMs = 2 * 60_000 + 15_000;

export interface NewRun extends RunId {
  readonly deviceId: DeviceId;
  readonly sessionId: SessionId;
  readonly agent: AgentName;
}

/** What a step came to. */
export interface StepResult {
  readonly step: number;
  /** The message whose worker took it. */
  readonly claim: string;
  readonly usage: TokenUsage;
  readonly reservation?: string;
  readonly toolCalls: number;
  /** How long the worker took. */
  readonly workMs: number;
  readonly prompt?: string;
  readonly outbox?: ObjectKey;
}

/**
 * Runs in the Sessions table. Each write is conditional on what it leaves:
 *
 *   message A  claim(3) ✓ ── model ── commit(3 → 4) ✓ ── post
 *   A again    claim(3) ✓ (same id, after a crash) ── model ── commit(3 → 4) ✓
 *   message B  claim(3) ✗ while A has it; later: step 3 is no longer open
 *
 * So a step's result is written once, whoever is at work on it, and what is posted is what was written.
 */
export class RunStore {
  readonly #sessions: Table;

  constructor(sessions: Table) {
    this.#sessions = sessions;
  }

  async get(id: RunId): Promise<RunRow | undefined> {
    const item = await this.#sessions.get(runKey(id));
    return item && parseRunRow(item);
  }

  /** @returns whether there was none yet */
  create({ userId, runId, deviceId, sessionId, agent }: NewRun, nowMs: number): Promise<boolean> {
    const counts = { step: 0, attempts: 0, inputTokens: 0, outputTokens: 0, toolCalls: 0, workMs: 0 };
    const times = { startedAt: nowMs, ...expiry.of(runId, nowMs + runLifeMs) };
    const key = runKey({ userId, runId });
    const of = { runId, deviceId, sessionId, agent, status: "running" };
    return this.#sessions.put({ ...key, ...of, ...counts, ...times }, { absent: ["pk"] });
  }

  /** The device's answers to a step's calls are in this frame and in no other. @returns false when another was first */
  async answer(id: RunId, step: number, frame: FrameId): Promise<boolean> {
    const path = runPath.answer(step);
    const sameOrNone: Condition = { any: [{ absent: path }, { path, is: "=", value: frame }] };
    const when: Condition = { all: [running, at(step + 1), sameOrNone] };
    return (await this.#sessions.update(runKey(id), { set: [[path, frame]] }, when)) !== false;
  }

  async cancel(id: RunId): Promise<boolean> {
    return (
      (await this.#sessions.update(runKey(id), changeOf<StoredRun>({ set: { cancelled: true } }), running)) !== false
    );
  }

  /** @returns the row, unless the step is not open or somebody else is at it */
  async claim(id: RunId, step: number, claim: string, nowMs: number): Promise<RunRow | false> {
    const free: Condition = {
      any: [
        { absent: ["claim"] },
        { path: ["claim"], is: "=", value: claim },
        { path: ["claimedAt"], is: "<=", value: nowMs - claimLifeMs },
        // By a clock that has stepped back since; clocks that only differ do so by less.
        { path: ["claimedAt"], is: ">", value: nowMs + claimLifeMs },
      ],
    };
    const change = changeOf<StoredRun>({ set: { claim, claimedAt: nowMs } });
    const when: Condition = { all: [running, at(step), { absent: ["cancelled"] }, free] };
    const row = await this.#sessions.update(runKey(id), change, when);
    return row && parseRunRow(row);
  }

  /** Gives the step back, to be tried again under another message. @returns false when it is not ours any more */
  async release(id: RunId, step: number, claim: string): Promise<boolean> {
    const change = changeOf<StoredRun>({ add: { attempts: 1 }, remove: claimFacts });
    if (await this.#sessions.update(runKey(id), change, mine(step, claim))) return true;
    // The store's client repeats requests whose answer it misses: a step nobody has was given back by the first of them.
    const row = await this.get(id);
    return row?.status === "running" && row.step === step && row.claim === undefined;
  }

  /**
   * Counts what a try of the open step took that came to nothing, once: on what the row counted when it was read.
   * @returns false when the step is not ours any more
   */
  async spend(seen: RunRow, claim: string, { inputTokens, outputTokens }: TokenUsage, reservation: string) {
    const spent = { tokens: inputTokens + outputTokens, reservation };
    const change = changeOf<StoredRun>({
      add: { inputTokens, outputTokens },
      at: { set: [[runPath.spent(seen.step), spent]] },
    });
    const asSeen: Condition = {
      all: [
        { path: ["inputTokens"], is: "=", value: seen.inputTokens },
        { path: ["outputTokens"], is: "=", value: seen.outputTokens },
      ],
    };
    const written = await this.#sessions.update(runKey(seen), change, { all: [mine(seen.step, claim), asSeen] });
    if (written) return parseRunRow(written);
    const row = await this.get(seen);
    return row?.spent.get(seen.step)?.reservation === reservation ? row : false;
  }

  /** Writes a step's result and opens the next one. @returns false when the step is not ours any more, or cancelled */
  async commit(id: RunId, result: StepResult, state: ObjectKey | undefined, nowMs: number): Promise<RunRow | false> {
    const next = { step: result.step + 1, attempts: 0, state };
    const removed = state ? claimFacts : ofOpenRuns;
    const when: Condition = { all: [mine(result.step, result.claim), { absent: ["cancelled"] }] };
    return this.#write(id, resultChange(result, nowMs, next, removed), when, result.outbox);
  }

  /** Ends the run with a step's result. @returns false when it has ended, or the step is not ours any more */
  async endWith(
    id: RunId,
    result: StepResult,
    status: RunStatus,
    code: ErrorCode | undefined,
    nowMs: number,
  ): Promise<RunRow | false> {
    const ended = resultChange(result, nowMs, { status, code }, ofOpenRuns);
    return this.#write(id, ended, mine(result.step, result.claim), result.outbox);
  }

  /**
   * Ends a run as it stood at a step: what is posted says what the run had taken by then.
   * @returns false when it has ended, or has moved on
   */
  endAt(
    id: RunId,
    step: number,
    status: RunStatus,
    code: ErrorCode | undefined,
    outbox: ObjectKey | undefined,
  ): Promise<RunRow | false> {
    const change = changeOf<StoredRun>({ set: { status, code, outbox }, remove: [...ofOpenRuns, ...unless(outbox)] });
    return this.#write(id, change, { all: [running, at(step)] }, outbox);
  }

  /** Ends a run of which nobody is told any more. One that has ended stays as it is. */
  async end(id: RunId, status: RunStatus, code: ErrorCode | undefined): Promise<void> {
    const change = changeOf<StoredRun>({ set: { status, code }, remove: ofOpenRuns });
    await this.#sessions.update(runKey(id), change, running);
  }

  /** A row that names our outbox is ours, though an earlier try of the same request wrote it. */
  async #write(id: RunId, change: Change, when: Condition, outbox: ObjectKey | undefined): Promise<RunRow | false> {
    const written = await this.#sessions.update(runKey(id), change, when);
    if (written) return parseRunRow(written);
    const row = await this.get(id);
    return row !== undefined && outbox !== undefined && row.outbox === outbox ? row : false;
  }
}

const claimFacts = ["claim", "claimedAt"] as const;
/** What only a run that goes on has. */
const ofOpenRuns = [...claimFacts, "state"] as const;
/** What a step before had to say is over. */
const unless = (outbox: ObjectKey | undefined): readonly "outbox"[] => (outbox === undefined ? ["outbox"] : []);
const running: Condition = { path: ["status"], is: "=", value: "running" };
const at = (step: number): Condition => ({ path: ["step"], is: "=", value: step });

function mine(step: number, claim: string): Condition {
  return { all: [running, at(step), { path: ["claim"], is: "=", value: claim }] };
}

/** What a step has come to, and what the run is from then on. */
function resultChange(
  result: StepResult,
  nowMs: number,
  next: RowChange<StoredRun>["set"] & object,
  remove: readonly (keyof StoredRun & string)[],
): Change {
  const { step, usage, reservation, toolCalls, workMs, prompt, outbox } = result;
  const tokens = usage.inputTokens + usage.outputTokens;
  const spent: [Path, { tokens: number; reservation: string }][] =
    reservation === undefined ? [] : [[runPath.spent(step), { tokens, reservation }]];
  return changeOf<StoredRun>({
    set: { ...next, prompt, outbox, ...expiry.moved(nowMs + runLifeMs) },
    add: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens, toolCalls, workMs },
    remove: [...remove, ...unless(outbox)],
    at: { set: spent },
  });
}
