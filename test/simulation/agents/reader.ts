import type { CategorizeAnswer } from "../../../events/agent-tools/categorize-answer.ts";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import type { ProposalId } from "../../../events/ids.ts";
import { categorizeLeaseMs } from "../../../events/proposals/categorize.ts";
import type { SimulatedDevice } from "./device.ts";
import { canary } from "./invariants.ts";
import type { AgentWorld } from "./world.ts";

type Told = Extract<ServerFrame, { type: "categorize_result" }>;
type Ended = Extract<ServerFrame, { type: "run_complete" }>;

/** What a simulated model answers to a run that has a form. */
export const simulatedAnswer: CategorizeAnswer = {
  category: "task",
  priority: "later",
  due: null,
  projectId: null,
  draft: { title: canary, note: canary, start: null, end: null, place: "", people: [] },
  quotes: [canary],
};

/**
 * What a device does to have its person's proposals read: it asks for each until it has a result, its own or another device's,
 * and the first that comes stays.
 */
export class SimulatedReader {
  readonly results = new Map<ProposalId, string>();
  /** Those for which there were no tokens left in this month. */
  readonly hopeless = new Set<ProposalId>();
  readonly #world: AgentWorld;
  readonly #device: SimulatedDevice;
  readonly #asking = new Set<ProposalId>();
  #isStopped = false;

  constructor(world: AgentWorld, device: SimulatedDevice) {
    this.#world = world;
    this.#device = device;
  }

  want(proposal: ProposalId): void {
    if (this.#isStopped || this.results.has(proposal) || this.#asking.has(proposal)) return;
    this.#asking.add(proposal);
    this.#device.categorize(proposal);
  }

  /** Begins nothing more. */
  stop(): void {
    this.#isStopped = true;
  }

  refused(proposal: ProposalId, code: string): void {
    this.#asking.delete(proposal);
    this.#again(proposal, code === "categorize_claimed" ? categorizeLeaseMs + 10_000 : 60_000);
  }

  /** The run is of no use any more: its session is over, or the device has died. */
  lost(proposal: ProposalId): void {
    this.#asking.delete(proposal);
    this.#again(proposal, 60_000);
  }

  ended(proposal: ProposalId, { status, text }: Ended): void {
    this.#asking.delete(proposal);
    if (status !== "completed") {
      if (status === "quota_exceeded") this.hopeless.add(proposal);
      this.#again(proposal, 5 * 60_000);
      return;
    }
    if (this.results.has(proposal)) return;
    this.results.set(proposal, text);
    this.#device.tell(proposal, text);
  }

  told({ proposalId, result }: Told): void {
    if (!this.results.has(proposalId)) this.results.set(proposalId, result.inline);
  }

  #again(proposal: ProposalId, afterMs: number): void {
    this.#world.sim.after(afterMs, `wants ${proposal}`, () => this.want(proposal));
  }
}
