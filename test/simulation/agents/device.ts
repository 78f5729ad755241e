import type { ServerFrame } from "../../../events/frames/frames.ts";
import {
  type DeviceId,
  frameId,
  type ProposalId,
  projectId,
  type RunId,
  runId,
  type UserId,
} from "../../../events/ids.ts";
import type { RunFrame } from "../../../shared/devices/frames/device-ports.ts";
import { canary } from "./invariants.ts";
import { SimulatedReader } from "./reader.ts";
import type { AgentFrame, AgentWorld } from "./world.ts";

type Of<T extends ServerFrame["type"]> = Extract<ServerFrame, { type: T }>;

interface Run {
  readonly runId: RunId;
  /** Said again, it has the cloud say again what it said last. */
  readonly question: RunFrame;
  /** What was said last that moves the run on: said again when nothing is heard. */
  last: RunFrame;
  readonly calls: Map<number, string>;
  end?: Of<"run_complete">;
  /** The cloud says that there is no such run, or that it is over: it belonged to a session that has ended. */
  lost: boolean;
  cancelled: boolean;
  /** What a run of `categorize` is about. */
  readonly proposal?: ProposalId;
}

/** Codes a device may be answered with although it does everything right: it said something twice. */
const harmless = new Set(["accepted", "step_replayed", "run_ended"]);
/** The cloud could not do it; said again, it may. */
const passing = new Set(["storage_throttled", "storage_unavailable", "queue_unavailable", "conflict", "internal"]);

/** A device that runs agents: answers calls once, says again what was not accepted, and asks again when it hears nothing. */
export class SimulatedDevice {
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  readonly runs = new Map<RunId, Run>();
  readonly reader: SimulatedReader;
  readonly #world: AgentWorld;
  #connectionId: string | undefined;
  #serial = 0;
  #unanswered = new Map<string, AgentFrame>();

  constructor(world: AgentWorld, userId: UserId, deviceId: DeviceId) {
    this.#world = world;
    this.userId = userId;
    this.deviceId = deviceId;
    this.reader = new SimulatedReader(world, this);
  }

  async connect(): Promise<void> {
    this.#serial += 1;
    const connectionId = `${this.deviceId.slice(-4)}-${this.#serial}`;
    this.#world.open.set(connectionId, this);
    const heard = await this.#world.hello({ ...this, connectionId });
    if (!heard || !this.#world.open.has(connectionId))
      return this.#later(5_000, "connects again", () => this.connect());
    this.#connectionId = connectionId;
    for (const frame of this.#unanswered.values()) void this.#say(frame);
  }

  /** The connection breaks; the device notices after a while and comes back. */
  cut(): void {
    this.#hangUp();
    if (this.#connectionId === undefined) return;
    this.#connectionId = undefined;
    this.#later(60_000, "connects again", () => this.connect());
  }

  #hangUp(): void {
    for (const [id, device] of this.#world.open) if (device === this) this.#world.open.delete(id);
  }

  /** The session ends, and with it everything that was sealed in it; a new one begins. */
  async startAfresh(): Promise<void> {
    if (this.#connectionId === undefined) return;
    const connectionId = this.#connectionId;
    for (const run of this.runs.values()) this.#lose(run);
    this.#unanswered.clear();
    // What it wants to say after its bye it says in the next session.
    this.#connectionId = undefined;
    await this.#world.bye({ ...this, connectionId });
    this.#hangUp();
    this.#later(60_000, "connects again", () => this.connect());
  }

  #lose(run: Run): void {
    if (run.end || run.lost) return;
    run.lost = true;
    if (run.proposal !== undefined) this.reader.lost(run.proposal);
  }

  /** Has a proposal read. */
  categorize(proposal: ProposalId): void {
    const runId_ = runId.parse(`run_${this.#world.newUlid()}`);
    const about = { agent: "categorize", proposalId: proposal, round: 1, message: { inline: canary } } as const;
    const frame: RunFrame = { type: "agent_run", id: this.#newFrame(), runId: runId_, ...about };
    const state = { calls: new Map<number, string>(), lost: false, cancelled: false };
    this.runs.set(runId_, { runId: runId_, question: frame, last: frame, proposal, ...state });
    void this.#say(frame);
    this.#watch(runId_);
  }

  /** Tells the other devices of a result. */
  tell(proposalId: ProposalId, inline: string): void {
    void this.#say({ type: "categorize_result", id: this.#newFrame(), proposalId, round: 1, result: { inline } });
  }

  ask(): void {
    const id = runId.parse(`run_${this.#world.newUlid()}`);
    const { random } = this.#world.sim;
    const project = random.chance(0.6) ? { projectId: projectId.parse(`prj_${this.#world.newUlid()}`) } : {};
    const message = { inline: canary.repeat(random.chance(0.2) ? 6_000 : 1) };
    const frame: RunFrame = {
      type: "agent_run",
      id: this.#newFrame(),
      runId: id,
      agent: random.pick(["home", "brief"] as const),
      message,
      ...project,
    };
    this.runs.set(id, { runId: id, question: frame, last: frame, calls: new Map(), lost: false, cancelled: false });
    void this.#say(frame);
    this.#watch(id);
  }

  cancelOne(): void {
    const open = [...this.runs.values()].filter(({ end, lost, cancelled }) => !end && !lost && !cancelled);
    // A run the cloud has not accepted is cancelled by not asking for it.
    const run = open.find(({ last }) => last.type !== "agent_run" || !this.#unanswered.has(last.id));
    if (!run) return;
    run.cancelled = true;
    void this.#say({ type: "agent_cancel", id: this.#newFrame(), runId: run.runId });
  }

  /** Somebody answers a step a second time, otherwise: it must not be taken. */
  async replay(): Promise<void> {
    const run = [...this.runs.values()].find(
      ({ last }) => last.type === "tool_results" && !this.#unanswered.has(last.id),
    );
    if (!run || this.#connectionId === undefined || run.lost) return;
    const again = { ...run.last, id: this.#newFrame() };
    const answer = await this.#world.say({ ...this, connectionId: this.#connectionId }, again);
    if (answer === "accepted") this.#world.sim.violate("a replay is refused", `${again.type} ${run.runId}`);
  }

  received(connectionId: string, frame: ServerFrame): void {
    if (!this.#world.open.has(connectionId)) return;
    if (frame.type === "tool_calls") this.#called(frame);
    if (frame.type === "run_complete") this.#completed(frame);
    if (frame.type === "categorize_result") this.reader.told(frame);
  }

  #called(frame: Of<"tool_calls">): void {
    const run = this.runs.get(frame.runId);
    if (!run || run.lost) return;
    const text = JSON.stringify(frame);
    const known = run.calls.get(frame.step);
    if (known !== undefined) {
      if (known !== text) this.#world.sim.violate("a step's result is written once", `${frame.runId}.${frame.step}`);
      return;
    }
    run.calls.set(frame.step, text);
    const { random } = this.#world.sim;
    const results = frame.calls.map(({ callId }) => ({
      callId,
      result: { inline: canary.repeat(random.chance(0.1) ? 5_000 : 1) },
    }));
    const { runId: id, step, state } = frame;
    this.#later(20_000, `answers ${step}`, () => {
      if (run.end || run.lost) return;
      run.last = { type: "tool_results", id: this.#newFrame(), runId: id, step, results, state };
      return this.#say(run.last);
    });
  }

  #completed(frame: Of<"run_complete">): void {
    const run = this.runs.get(frame.runId);
    if (!run) return;
    if (run.end && JSON.stringify(run.end) !== JSON.stringify(frame)) {
      this.#world.sim.violate("a run ends with one status", `${run.end.status}, then ${frame.status}`);
    }
    if (run.end) return;
    run.end = frame;
    if (run.proposal !== undefined && !run.lost) this.reader.ended(run.proposal, frame);
  }

  async #say(frame: AgentFrame): Promise<void> {
    this.#unanswered.set(frame.id, frame);
    if (this.#connectionId === undefined) return;
    const connectionId = this.#connectionId;
    const answer = await this.#world.say({ ...this, connectionId }, frame);
    const heard = answer !== undefined && this.#world.open.has(connectionId) && !passing.has(answer);
    if (heard) {
      const run = "runId" in frame ? this.runs.get(frame.runId) : undefined;
      if (answer === "categorize_claimed" && run?.proposal !== undefined && !run.lost) {
        run.lost = true;
        this.reader.refused(run.proposal, answer);
      }
      // As it comes to the question itself, it is final: see `endWithoutNotice`.
      if (answer === "run_ended" && run && frame.type !== "agent_run")
        this.#later(1_000, "asks how it ended", () => this.#sayAgain(run, run.question));
      if (!harmless.has(answer) && !run?.lost) this.#world.sim.violate("a device that does right is heard", answer);
      this.#unanswered.delete(frame.id);
    } else this.#later(20_000, "says again", () => (this.#unanswered.has(frame.id) ? this.#say(frame) : undefined));
  }

  /** Nothing is heard of a run: what was said last is said again. */
  #watch(id: RunId): void {
    const { random } = this.#world.sim;
    this.#world.sim.after(random.int(60_000, 900_000), `${id} watched`, () => {
      const run = this.runs.get(id);
      if (!run || run.end || run.lost) return;
      void this.#sayAgain(run, run.last);
      this.#watch(id);
    });
  }

  async #sayAgain(run: Run, frame: RunFrame): Promise<void> {
    if (!run.end && !run.lost) await this.#say(frame);
  }

  #later(mostMs: number, what: string, run: () => void | Promise<void> | undefined): void {
    this.#world.sim.after(this.#world.sim.random.int(10, mostMs), `${this.userId.slice(-4)} ${what}`, () => void run());
  }

  #newFrame() {
    return frameId.parse(`frm_${this.#world.newUlid()}`);
  }
}
