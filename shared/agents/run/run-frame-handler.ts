import { ScoutsError } from "../../../events/errors.ts";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import { splitProposalId } from "../../../events/ids.ts";
import type { AgentMessage } from "../../../events/queues.ts";
import type { FrameHandler, From, RunFrame } from "../../devices/frames/device-ports.ts";
import { requireOwn } from "../../devices/payloads.ts";
import type { Session } from "../../devices/session-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Queue } from "../../ports/queue.ts";
import type { Table } from "../../ports/table.ts";
import type { CategorizeLeases } from "../../scouts/items/categorize-leases.ts";
import { checkState } from "../step/continuation.ts";
import { type StepContent, stepMessage } from "../step/step-message.ts";
import { endWithoutNotice } from "./run-history.ts";
import type { RunId, RunRow } from "./run-row.ts";
import type { RunStore } from "./run-store.ts";

export interface RunFrameHandlerPorts {
  readonly ledger: Table;
  readonly runs: RunStore;
  readonly agent: Queue<AgentMessage>;
  readonly leases: CategorizeLeases;
  /** Whether a language model reads proposals; elsewhere the device's rules do. */
  readonly isCategorizing: boolean;
  readonly clock: Clock;
}

type Of<T extends RunFrame["type"]> = Extract<RunFrame, { type: T }>;

/**
 * Takes in what a device says in a run: looks whether it can be so, queues a step, and says `accepted`. A frame that comes
 * again is queued again: the worker takes no step twice and sends again what the device may have missed.
 */
export class RunFrameHandler implements FrameHandler<RunFrame> {
  readonly #ports: RunFrameHandlerPorts;

  constructor(ports: RunFrameHandlerPorts) {
    this.#ports = ports;
  }

  async answer(from: From, session: Session, frame: RunFrame): Promise<ServerFrame> {
    switch (frame.type) {
      case "agent_run":
        await this.#run(from, session, frame);
        break;
      case "tool_results":
        await this.#results(from, session, frame);
        break;
      case "agent_cancel":
        await this.#cancel(from, session, frame);
        break;
    }
    return { type: "accepted", inReplyTo: frame.id };
  }

  async #run(from: From, session: Session, frame: Of<"agent_run">): Promise<void> {
    const { userId, deviceId } = from;
    const { runId, agent, projectId, taskId, proposalId, message, earlier, attached } = frame;
    if (agent === "categorize") await this.#lease(from, frame);
    requireOwn(earlier === undefined ? [message] : [message, earlier], userId, session.sessionId);
    const run = { userId, runId, deviceId, sessionId: session.sessionId, agent };
    if (!(await this.#ports.runs.create(run, this.#ports.clock()))) await this.#own(from, session, run);
    const of = {
      ...(projectId && { projectId }),
      ...(taskId && { taskId }),
      ...(proposalId && { proposalId }),
      ...(earlier && { earlier }),
      ...(attached && { attached }),
    };
    await this.#queue(from, session, run, 0, { kind: "start", agent, ...of, message });
  }

  /** One device of a person has a round of a proposal read at a time. @throws why this one may not */
  async #lease({ userId, deviceId }: From, { proposalId, round }: Of<"agent_run">): Promise<void> {
    if (proposalId === undefined || round === undefined) throw new ScoutsError("invalid_frame");
    if (!this.#ports.isCategorizing) throw new ScoutsError("categorize_off");
    const id = { userId, ...splitProposalId(proposalId) };
    await this.#ports.leases.take(id, { deviceId, round }, this.#ports.clock());
  }

  async #results(from: From, session: Session, frame: Of<"tool_results">): Promise<void> {
    const { userId } = from;
    const { runId, step, results, state } = frame;
    requireOwn([state, ...results.map(({ result }) => result)], userId, session.sessionId);
    const run = { userId, runId };
    const row = await this.#own(from, session, run);
    if (row.answers.get(step) !== frame.id) {
      if (row.status !== "running") throw new ScoutsError("run_ended");
      if (step >= row.step) throw new ScoutsError("state_invalid");
      if (step < row.step - 1 || row.answers.has(step)) throw new ScoutsError("step_replayed");
      await checkState(session.sealer, runId, step, state, row.state);
      if (!(await this.#ports.runs.answer(run, step, frame.id))) throw await this.#tooLate(run);
    }
    await this.#queue(from, session, run, step + 1, { kind: "results", results, state });
  }

  async #cancel(from: From, session: Session, { runId }: Of<"agent_cancel">): Promise<void> {
    const run = { userId: from.userId, runId };
    const row = await this.#own(from, session, run);
    await this.#ports.runs.cancel(run);
    await this.#queue(from, session, run, row.step, { kind: "look" });
  }

  /** The run, if it is one of this session. One of an earlier session is over: nothing of it opens any more. */
  async #own(from: From, session: Session, run: RunId): Promise<RunRow> {
    const row = await this.#ports.runs.get(run);
    if (!row || row.deviceId !== from.deviceId) throw new ScoutsError("run_unknown");
    if (row.sessionId === session.sessionId) return row;
    await endWithoutNotice(this.#ports, run, "session_ended", this.#ports.clock());
    throw new ScoutsError("run_ended");
  }

  async #tooLate(run: RunId): Promise<ScoutsError> {
    const row = await this.#ports.runs.get(run);
    return new ScoutsError(row?.status === "running" ? "step_replayed" : "run_ended");
  }

  async #queue(from: From, session: Session, { runId }: RunId, step: number, content: StepContent): Promise<void> {
    const asker = { ...from, sessionId: session.sessionId };
    const message = stepMessage(asker, session.sealer, runId, step, content);
    await this.#ports.agent.send([message]);
  }
}
